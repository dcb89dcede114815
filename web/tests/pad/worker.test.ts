import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const HOME = "https://golf.example";
const source = readFileSync(new URL("../../src/sw.js", import.meta.url), "utf-8").replace('"__FILES__"', '"assets/pad-1.js"');

type Asked = { request: { url: string; method: string; mode: string }; respondWith: (answer: unknown) => void; waitUntil: (work: unknown) => void };

/** What a browser gives the service worker: its caches, and a network that `answer` stands for. */
function phone(base = "/") {
  let answer: (path: string) => Promise<Response> = () => Promise.reject(new TypeError("no network"));
  const caches = new Map<string, Map<string, Response>>();
  const pathOf = (asked: string | { url: string }) => new URL(typeof asked === "string" ? asked : asked.url, HOME).pathname;
  const fetch = (asked: string | { url: string }) => answer(pathOf(asked));
  const open = async (name: string) => {
    const kept = caches.get(name) ?? new Map<string, Response>();
    caches.set(name, kept);
    const add = async (path: string) => {
      const got = await fetch(path);
      if (!got.ok) throw new TypeError("not kept");
      kept.set(path, got);
    };
    return {
      add,
      addAll: (paths: string[]) => Promise.all(paths.map(add)),
      put: async (asked: { url: string }, got: Response) => void kept.set(pathOf(asked), got),
      match: async (asked: string | { url: string }) => kept.get(pathOf(asked))?.clone(),
    };
  };
  const match = async (asked: string | { url: string }, { cacheName }: { cacheName?: string } = {}) => {
    const places = cacheName ? [caches.get(cacheName)] : [...caches.values()];
    return places.map((kept) => kept?.get(pathOf(asked))).find(Boolean)?.clone();
  };
  const heard: Record<string, (event: unknown) => void> = {};
  const self = {
    addEventListener: (name: string, hear: (event: unknown) => void) => (heard[name] = hear),
    skipWaiting: async () => {},
    clients: { claim: async () => {} },
  };
  new Function("self", "caches", "fetch", "location", source)(self, { open, match, keys: async () => [...caches.keys()], delete: async (name: string) => caches.delete(name) }, fetch, { origin: HOME, href: `${HOME}${base}sw.js` });
  return {
    network: (next: typeof answer) => (answer = next),
    install: () => new Promise<void>((done, failed) => heard.install!({ waitUntil: (work: Promise<void>) => work.then(done, failed) })),
    activate: () => new Promise<void>((done, failed) => heard.activate!({ waitUntil: (work: Promise<void>) => work.then(done, failed) })),
    caches: () => [...caches.keys()],
    keep: (name: string) => void open(name),
    open: (language: string) => new Promise<void>((done, failed) => heard.message!({ data: { language }, waitUntil: (work: Promise<void>) => work.then(done, failed) })),
    ask: (path: string, mode = "cors") =>
      new Promise<Response>((got, failed) => {
        const event: Asked = {
          request: { url: HOME + path, method: "GET", mode },
          respondWith: (asked) => void Promise.resolve(asked as Promise<Response>).then(got, failed),
          waitUntil: () => {},
        };
        heard.fetch!(event);
      }).then((response) => response.text()),
  };
}

const online = (version: string) => async (path: string) => new Response(`${version} ${path}`);
const offline = () => Promise.reject(new TypeError("no network"));
const hanging = () => new Promise<Response>(() => {});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("after the first visit the pad opens without a network, and knows the games", async () => {
  const worker = phone();
  worker.network(online("first"));
  await worker.install();
  worker.network(offline);
  expect(await worker.ask("/pad", "navigate")).toBe("first /");
  expect(await worker.ask("/pad/abc", "navigate")).toBe("first /");
  expect(await worker.ask("/assets/pad-1.js")).toBe("first /assets/pad-1.js");
  expect(await worker.ask("/api/facts")).toBe("first /api/facts");
});

test("what the server says now goes before what it said then, and is kept from now on", async () => {
  const worker = phone();
  worker.network(online("first"));
  await worker.install();
  worker.network(online("second"));
  expect(await worker.ask("/api/facts")).toBe("second /api/facts");
  worker.network(offline);
  expect(await worker.ask("/api/facts")).toBe("second /api/facts");
});

test("facts that do not come at once do not keep the app from being installed", async () => {
  const worker = phone();
  worker.network(async (path) => new Response(path, { status: path.startsWith("/api") ? 503 : 200 }));
  await worker.install();
  worker.network(offline);
  expect(await worker.ask("/pad", "navigate")).toBe("/");
  await expect(worker.ask("/api/facts")).rejects.toThrow("no network");
});

test("in a cellar with one bar, where nothing ever arrives, the pad opens after a few seconds all the same", async () => {
  const worker = phone();
  worker.network(online("first"));
  await worker.install();
  worker.network(hanging);
  const opened = Promise.all([worker.ask("/pad", "navigate"), worker.ask("/api/facts")]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await opened).toEqual(["first /", "first /api/facts"]);
});

test("where nothing is kept, the network is waited for as long as it takes", async () => {
  const worker = phone();
  worker.network(async (path) => {
    await new Promise((wake) => setTimeout(wake, 20_000));
    return new Response(`late ${path}`);
  });
  const asked = worker.ask("/api/rulebook/en");
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await asked).toBe("late /api/rulebook/en");
  worker.network(offline);
  expect(await worker.ask("/api/rulebook/en")).toBe("late /api/rulebook/en");
});

test("the rules in the reader's language and the lessons of every game can be read without a network, never opened before", async () => {
  const worker = phone();
  const asked: string[] = [];
  worker.network(async (path) => {
    asked.push(path);
    return path === "/api/facts" ? new Response(JSON.stringify({ games: [{ name: "play_nine" }, { name: "nine_card" }] })) : online("first")(path);
  });
  await worker.install();
  expect(asked).not.toContain("/api/rulebook/fr"); // the first visit waits for nothing more
  await worker.open("fr");
  await worker.open("fr");
  expect(asked.filter((path) => path === "/api/rulebook/fr")).toHaveLength(1);
  worker.network(offline);
  for (const path of ["/api/rulebook/fr", "/api/tutorial/play_nine", "/api/tutorial/nine_card"]) expect(await worker.ask(path)).toBe(`first ${path}`);
});

test("below a base path it keeps what is there, and leaves the rest of the host alone", async () => {
  const worker = phone("/golf/");
  worker.network(online("first"));
  await worker.install();
  worker.network(offline);
  expect(await worker.ask("/golf/pad", "navigate")).toBe("first /golf/");
  expect(await worker.ask("/golf/assets/pad-1.js")).toBe("first /golf/assets/pad-1.js");
  expect(await worker.ask("/golf/api/facts")).toBe("first /golf/api/facts");
  for (const name of ["shell-1", "kept", "shop", "mulligan /golf/ shell-1"]) worker.keep(name);
  await worker.activate();
  expect(worker.caches().sort()).toEqual(["kept", "mulligan /golf/ kept", "mulligan /golf/ shell-__VERSION__", "shell-1", "shop"]);
});
