/** The games, names and own rule sets that the device keeps. */
import type { GameFacts } from "../lib/messages";
import { plainName } from "./checks";
import { deviceDatabase, type Database } from "./database";
import { newId } from "./edit";
import { PadError, type PadErrorCode } from "./padError";
import { rulesKey } from "./linkFormat";
import { readGame, readRules } from "./reading";
import type { PadGame } from "./types";
import { done, sheetOf, type Sheet } from "./undo";
import { allUnsaved, forgetUnsaved } from "./unsaved";

/** A game with its history, as stored on the device; `revision` counts its saves. */
export interface Kept extends Sheet {
  revision: number;
}

/** A stored game that cannot be read: kept unchanged, and deleted only on request. */
export interface Unreadable {
  id: string;
  code: PadErrorCode;
  /** The stored text, for a person who wants to rescue it. */
  text: string;
}

export interface Shelf {
  /** The game written on last comes first. */
  games: PadGame[];
  unreadable: Unreadable[];
}

const GAME = "game/";
const RULES = "rules/";
const NAMES = "names";
const MOST_NAMES = 60;

export class PadStore {
  /** Games that the device did not take, by id: they last as long as the page. */
  readonly #untaken = new Map<string, { kept: Kept; fault: PadError }>();

  constructor(readonly database: Database) {}

  /** False if the browser keeps nothing: tell the user before the first hole. */
  get lasting(): boolean {
    return this.database.lasting;
  }

  async shelf(): Promise<Shelf> {
    const shelf: Shelf = { games: [], unreadable: [] };
    for (const [key, thing] of await this.database.all()) {
      if (!key.startsWith(GAME)) continue;
      try {
        shelf.games.push(readKept(thing).game);
      } catch (error) {
        const code = error instanceof PadError ? error.code : "damaged";
        shelf.unreadable.push({ id: key.slice(GAME.length), code, text: JSON.stringify(thing) ?? "" });
      }
    }
    for (const { kept } of this.#untaken.values()) {
      shelf.games = [kept.game, ...shelf.games.filter(({ id }) => id !== kept.game.id)];
    }
    shelf.games.sort((one, other) => other.changed - one.changed);
    return shelf;
  }

  /** Null if there is no such game. Throws PadError if it cannot be read. */
  async load(id: string): Promise<Kept | null> {
    const untaken = this.#untaken.get(id);
    if (untaken) return untaken.kept;
    const thing = await this.database.get(GAME + id);
    return thing === undefined ? null : readKept(thing);
  }

  /** Why the device did not take the latest state of a game; null if it did. */
  fault(id: string): PadError | null {
    return this.#untaken.get(id)?.fault ?? null;
  }

  /**
   * Writes a game that was loaded, or is new with revision 0. Throws PadError: changed_elsewhere, full or not_kept; after
   * the last two the game lasts as long as the page.
   */
  async save(kept: Kept): Promise<Kept> {
    const next = { ...kept, revision: kept.revision + 1 };
    const { id } = kept.game;
    this.#untaken.delete(id);
    try {
      await this.database.change(GAME + id, (now) => {
        if (now !== undefined && revisionOf(now) !== kept.revision) throw new PadError("changed_elsewhere");
        return plainCopy(next);
      });
    } catch (problem) {
      const fault = problem instanceof PadError ? problem : new PadError("not_kept");
      if (fault.code !== "changed_elsewhere") this.#untaken.set(id, { kept, fault });
      throw fault;
    }
    tell(id);
    return next;
  }

  /** Saves the changes that an earlier page could not, because it was closed. Newer changes of another tab win. */
  async saveUnsaved(): Promise<void> {
    for (const [id, thing] of allUnsaved()) {
      try {
        const { revision, ...sheet } = readKept(thing);
        const { writing } = thing as { writing?: unknown };
        await this.database.change(GAME + id, (now) => {
          const there = revisionOf(now);
          const isNext = there === revision + 1 && readKept(now).game.changed === writing;
          if (there !== revision && !isNext) throw new PadError("changed_elsewhere");
          return { ...sheet, revision: there + 1 };
        });
        tell(id);
      } catch (problem) {
        if (problem instanceof PadError && (problem.code === "full" || problem.code === "not_kept")) continue;
      }
      forgetUnsaved(id);
    }
  }

  /** Puts a new game on the shelf, and remembers who plays. A device that does not take it leaves it on the screen alone. */
  async begin(game: PadGame): Promise<Kept> {
    const begun = { ...sheetOf(game), revision: 0 };
    const kept = await this.save(begun).catch((fault: unknown) => {
      if (this.fault(game.id)) return begun;
      throw fault;
    });
    await this.rememberNames(game.players).catch(() => {}); // the game is what counts
    return kept;
  }

  /**
   * Saves a game from a link or file. If the same game is already here, it gets that state, which undo reverts;
   * if another game has its id, it gets a new id.
   */
  async adopt(game: PadGame): Promise<Kept> {
    const thing = await this.database.get(GAME + game.id);
    if (thing === undefined) return this.begin(game);
    const here = readOrNull(thing);
    if (!here || !isSameGame(here.game, game)) return this.begin({ ...game, id: newId() });
    return this.save({ ...done(here, game, game.changed), revision: here.revision });
  }

  async remove(id: string): Promise<void> {
    this.#untaken.delete(id);
    await this.database.remove(GAME + id);
    tell(id);
  }

  /** The most recent players first. */
  async names(): Promise<string[]> {
    const names = await this.database.get(NAMES);
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  }

  async rememberNames(players: readonly string[]): Promise<void> {
    await this.database.change(NAMES, (now) => {
      const plain = players.map(plainName);
      const others = (Array.isArray(now) ? now : []).filter((name) => typeof name === "string" && !plain.includes(plainName(name)));
      return [...players, ...others].slice(0, MOST_NAMES);
    });
  }

  async forgetName(name: string): Promise<void> {
    await this.database.change(NAMES, (now) =>
      (Array.isArray(now) ? now : []).filter((other) => typeof other === "string" && plainName(other) !== plainName(name)),
    );
  }

  /** The rule sets that were read from files on this device. */
  async ownRules(): Promise<GameFacts[]> {
    const things = (await this.database.all()).filter(([key]) => key.startsWith(RULES));
    return things.flatMap(([, thing]) => {
      try {
        return [readRules(thing)];
      } catch {
        return [];
      }
    });
  }

  /** One of the same name makes way; games that were begun with it keep their own rules. */
  async keepRules(rules: GameFacts): Promise<void> {
    await this.database.change(RULES + rules.name, () => plainCopy(rules));
  }

  async forgetRules(name: string): Promise<void> {
    await this.database.remove(RULES + name);
  }
}

let opened: Promise<PadStore> | null = null;

/** The device's own store; the same one however often it is asked for. */
export function padStore(): Promise<PadStore> {
  return (opened ??= deviceDatabase().then(async (database) => {
    const store = new PadStore(database);
    if (store.lasting) await store.saveUnsaved();
    return store;
  }));
}

/** Asks the browser not to clear the pad away when room gets short; whether it promises that. */
export async function askToPersist(): Promise<boolean> {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist());
  } catch {
    return false; // older browsers, and pages without https
  }
}

let channel: BroadcastChannel | null = null;

/** An id for this tab, so that it ignores its own messages. */
function others(): BroadcastChannel | null {
  if (typeof BroadcastChannel === "undefined") return null;
  return (channel ??= new BroadcastChannel("mulligan-pad"));
}

function tell(id: string): void {
  others()?.postMessage(id);
}

/** Calls back whenever another tab has written or removed a game; the answer ends that. */
export function watchOthers(changed: (id: string) => void): () => void {
  const heard = ({ data }: MessageEvent<unknown>) => changed(String(data));
  others()?.addEventListener("message", heard);
  return () => others()?.removeEventListener("message", heard);
}

function readKept(thing: unknown): Kept {
  if (typeof thing !== "object" || thing === null) throw new PadError("damaged");
  const { game, done, undone } = thing as Partial<Kept>;
  const steps = (value: unknown) => (Array.isArray(value) ? value : []);
  return { game: readGame(game), done: steps(done), undone: steps(undone), revision: revisionOf(thing) };
}

function readOrNull(thing: unknown): Kept | null {
  try {
    return readKept(thing);
  } catch {
    return null;
  }
}

function revisionOf(thing: unknown): number {
  const revision = (thing as { revision?: unknown } | null)?.revision;
  return typeof revision === "number" ? revision : 0;
}

/** Whether one can be a later state of the other. */
function isSameGame(one: PadGame, other: PadGame): boolean {
  return one.players.length === other.players.length && rulesKey(one.rules) === rulesKey(other.rules);
}

/** Without any wrappers that a screen may have put around it. */
function plainCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
