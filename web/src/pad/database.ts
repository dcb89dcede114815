/**
 * Stores the pad's data on the device: IndexedDB.
 *
 * It is on the disk when a write is said to be done (localStorage is written seconds later, which a dying battery
 * may not grant), and reads and writes in one go, so that two tabs cannot overwrite each other unseen.
 */
import { PadError } from "./padError";

export interface Database {
  /** False if the browser keeps nothing after this visit: tell the user. */
  readonly lasting: boolean;
  all(): Promise<[key: string, thing: unknown][]>;
  get(key: string): Promise<unknown>;
  /** Reads, decides and writes in one go; what `decide` throws leaves everything as it was. Throws PadError: full or not_kept. */
  change(key: string, decide: (now: unknown) => unknown): Promise<void>;
  remove(key: string): Promise<void>;
}

/** Forgets everything with the page: for browsers that forbid more, and for tests. */
export function memoryDatabase(): Database {
  const things = new Map<string, unknown>();
  return {
    lasting: false,
    all: async () => [...things],
    get: async (key) => things.get(key),
    change: async (key, decide) => void things.set(key, structuredClone(decide(things.get(key)))),
    remove: async (key) => void things.delete(key),
  };
}

/** The device's storage; in memory if the browser forbids it. */
export async function deviceDatabase(name = "mulligan-pad"): Promise<Database> {
  const base = new IndexedDatabase(name);
  try {
    await base.open();
    return base;
  } catch {
    return memoryDatabase();
  }
}

const THINGS = "things";

class IndexedDatabase implements Database {
  readonly lasting = true;
  #base: IDBDatabase | null = null;

  constructor(readonly name: string) {}

  async open(): Promise<IDBDatabase> {
    if (this.#base) return this.#base;
    const asked = indexedDB.open(this.name, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(THINGS);
    const base = await answered(asked);
    base.onclose = () => (this.#base = null); // some systems close it behind a sleeping app
    base.onversionchange = () => {
      base.close();
      this.#base = null;
    };
    return (this.#base = base);
  }

  async all(): Promise<[string, unknown][]> {
    const things = await this.#within("readonly", async (store) => {
      const [keys, values] = await Promise.all([answered(store.getAllKeys()), answered(store.getAll())]);
      return keys.map((key, place): [string, unknown] => [String(key), values[place]]);
    });
    return things;
  }

  get(key: string): Promise<unknown> {
    return this.#within("readonly", (store) => answered(store.get(key)));
  }

  async change(key: string, decide: (now: unknown) => unknown): Promise<void> {
    await this.#within("readwrite", async (store) => {
      const thing = decide(await answered(store.get(key)));
      await answered(store.put(thing, key));
    });
  }

  async remove(key: string): Promise<void> {
    await this.#within("readwrite", (store) => answered(store.delete(key)));
  }

  /** One durable transaction; repeated on a new connection if the old one was closed. */
  async #within<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>, again = true): Promise<T> {
    let deal: IDBTransaction;
    try {
      deal = (await this.open()).transaction(THINGS, mode, { durability: "strict" });
    } catch (trouble) {
      this.#base = null;
      if (again) return this.#within(mode, work, false);
      throw errorOf(trouble);
    }
    const finished = new Promise<void>((resolve, reject) => {
      deal.oncomplete = () => resolve();
      deal.onabort = () => reject(deal.error);
    });
    finished.catch(() => {}); // reported below
    try {
      const result = await work(deal.objectStore(THINGS));
      await finished;
      return result;
    } catch (trouble) {
      try {
        deal.abort();
      } catch {
        // over already
      }
      throw errorOf(trouble);
    }
  }
}

function errorOf(trouble: unknown): PadError {
  if (trouble instanceof PadError) return trouble;
  return new PadError((trouble as { name?: unknown } | null)?.name === "QuotaExceededError" ? "full" : "not_kept");
}

function answered<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}
