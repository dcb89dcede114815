import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const HOME = "https://golf.example";
const source = readFileSync(new URL("../../src/sw.js", import.meta.url), "utf-8").replace('"__FILES__"', '"assets/pad-1.js"');
const updated = source.replace("__VERSION__", "2").replace("__LAYOUT__", "b").replace("assets/pad-1.js", "assets/pad-2.js");

type Asked = { request: { url: string; method: string; mode: string }; respondWith: (answer: unknown) => void; waitUntil: (work: unknown) => void };

/** What a browser gives the service worker: its caches, and a network that `answer` stands for. */
function phone(base = "/", before?: Map<string, Map<string, Response>>, script = source) {
  let answer: (path: string) => Promise<Response> = () => Promise.reject(new TypeError("no network"));
  const caches = before ?? new Map<string, Map<string, Response>>();
  let isFull = false;
  const pathOf = (asked: string | { url: string }) => {
    const { pathname, search } = new URL(typeof asked === "string" ? asked : asked.url, HOME);
    return pathname + search;
  };
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
      put: async (asked: string | { url: string }, got: Response) => {
        if (isFull) throw new DOMException("full", "QuotaExceededError");
        kept.delete(pathOf(asked));
        kept.set(pathOf(asked), got);
      },
      delete: async (asked: string | { url: string }) => kept.delete(pathOf(asked)),
      keys: async () => [...kept.keys()].map((path) => ({ url: HOME + path })),
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
  new Function("self", "caches", "fetch", "location", script)(self, { open, match, has: async (name: string) => caches.has(name), keys: async () => [...caches.keys()], delete: async (name: string) => caches.delete(name) }, fetch, { origin: HOME, href: `${HOME}${base}sw.js` });
  return {
    network: (next: typeof answer) => (answer = next),
    fill: () => (isFull = true),
    install: () => new Promise<void>((done, failed) => heard.install!({ waitUntil: (work: Promise<void>) => work.then(done, failed) })),
    activate: () => new Promise<void>((done, failed) => heard.activate!({ waitUntil: (work: Promise<void>) => work.then(done, failed) })),
    /** The same device with a newer service worker, which its caches outlive. */
    update: () => phone(base, caches, updated),
    caches: () => [...caches.keys()],
    kept: () => [...caches.values()].flatMap((kept) => [...kept.keys()]),
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
  for (const name of ["shell-1", "kept", "shop", "mulligan /golf/ shell-1", "mulligan /golf/ shell-2"]) worker.keep(name);
  await worker.activate();
  const ours = ["kept", "shell-2", "shell-__VERSION__"].map((name) => `mulligan /golf/ ${name}`);
  expect(worker.caches().sort()).toEqual(["kept", ...ours, "shell-1", "shop"]); // tabs that are open need the files before
});

/** A server with an engine of that layout, two games, and a net that both have. */
const playable = (layout: string, net: string, also: Record<string, Response> = {}) => async (path: string) => {
  if (also[path]) return also[path].clone();
  if (path === "/api/facts") return new Response(JSON.stringify({ games: [{ name: "one" }, { name: "two" }] }));
  if (path.startsWith("/api/engine/")) return new Response(JSON.stringify({ game: path.slice(12), layout, sizes: [{ net }, { net: "" }] }));
  if (/engine-|nets/.test(path) && ![`/engine-${layout}.wasm`, `/${net}`].includes(path)) return new Response("gone", { status: 404 });
  return new Response(`${layout} ${path}`);
};
const HERE = "__LAYOUT__";
const NET = "nets/one-2-aaaa.npz";

async function visited() {
  const worker = phone();
  worker.network(playable(HERE, NET));
  await worker.install();
  await worker.activate();
  await worker.open("en");
  return worker;
}

test("after the first visit the engine is there without a network, with the records of every game, and a net that was fetched once", async () => {
  const worker = await visited();
  expect(await worker.ask(`/${NET}`)).toBe(`${HERE} /${NET}`);
  worker.network(offline);
  expect(await worker.ask(`/engine-${HERE}.wasm`)).toBe(`${HERE} /engine-${HERE}.wasm`);
  for (const game of ["one", "two"]) expect(JSON.parse(await worker.ask(`/api/engine/${game}`))).toMatchObject({ game, layout: HERE });
  expect(await worker.ask(`/${NET}`)).toBe(`${HERE} /${NET}`);
  await expect(worker.ask("/nets/two-2-aaaa.npz")).rejects.toThrow("no network");
});

test("the first visit waits for no engine, and where the server has none, nothing is kept for it", async () => {
  const worker = phone();
  const asked: string[] = [];
  worker.network(async (path) => (asked.push(path), playable("another", NET)(path)));
  await worker.install();
  expect(asked.filter((path) => path.includes("engine"))).toEqual([]);
  await worker.open("en");
  expect(worker.kept().filter((path) => path.includes("engine"))).toEqual([]);
});

test("the kept engine comes at once, and the next time the one that the server has now", async () => {
  const worker = await visited();
  worker.network(playable(HERE, NET, { [`/engine-${HERE}.wasm`]: new Response("repaired") }));
  expect(await worker.ask(`/engine-${HERE}.wasm`)).toBe(`${HERE} /engine-${HERE}.wasm`);
  await vi.advanceTimersByTimeAsync(0);
  expect(await worker.ask(`/engine-${HERE}.wasm`)).toBe("repaired");
});

test("an update has its own engine and records before it is there, and open tabs keep theirs", async () => {
  const worker = await visited();
  worker.network(playable("b", NET));
  expect(JSON.parse(await worker.ask("/api/engine/one")).layout).toBe("b"); // a page of today refuses that, and does not lose its own
  worker.network(offline);
  expect(JSON.parse(await worker.ask("/api/engine/one")).layout).toBe(HERE);
  const next = worker.update();
  next.network(playable("b", NET));
  await next.install();
  await next.activate();
  next.network(offline);
  expect(await next.ask("/engine-b.wasm")).toBe("b /engine-b.wasm");
  for (const game of ["one", "two"]) expect(JSON.parse(await next.ask(`/api/engine/${game}`)).layout).toBe("b");
  expect(await next.ask("/pad", "navigate")).toBe("b /");
  expect(await next.ask(`/engine-${HERE}.wasm`)).toBe(`${HERE} /engine-${HERE}.wasm`);
  expect(await next.ask("/assets/pad-1.js")).toBe(`${HERE} /assets/pad-1.js`);
});

test("an update waits while its engine or its records do not come, or are those of another version", async () => {
  const worker = await visited();
  const busy = new Response("", { status: 503 });
  for (const server of [playable("b", NET, { "/engine-b.wasm": busy }), playable("b", NET, { "/api/engine/two": busy }), playable("c", NET, { "/engine-b.wasm": new Response("b") })]) {
    const next = worker.update();
    next.network(server);
    await expect(next.install()).rejects.toThrow("does not fit yet");
    expect(next.caches()).not.toContain("shell-2"); // else it would be taken for the version before, whose tabs are open
  }
  const next = worker.update();
  next.network(playable("b", NET, { "/engine-b.wasm": new Response("", { status: 404 }), "/api/engine/two": new Response("", { status: 400 }) }));
  await next.install(); // the server has none any more: nothing to wait for
  expect(worker.kept()).not.toContain("/api/engine/two");
});

test("a new net takes the place of the old one, when the page asks for it or has nothing to do", async () => {
  const worker = await visited();
  for (const path of [NET, "nets/one-3-aaaa.npz"]) {
    worker.network(playable(HERE, path));
    await worker.ask(`/${path}`);
  }
  const better = "nets/one-2-bbbb.npz";
  worker.network(playable(HERE, better));
  await worker.ask("/api/engine/one");
  await worker.open("en");
  expect(worker.kept().filter((path) => path.includes("nets/"))).toEqual(["/nets/one-3-aaaa.npz", `/${better}`]);
  worker.network(playable(HERE, "nets/one-3-bbbb.npz"));
  await worker.ask("/nets/one-3-bbbb.npz");
  await vi.advanceTimersByTimeAsync(0);
  expect(worker.kept().filter((path) => path.includes("nets/"))).toEqual([`/${better}`, "/nets/one-3-bbbb.npz"]);
});

test("records of house rules are kept, the latest thirty", async () => {
  const worker = await visited();
  const ask = (jokers: number) => worker.ask(`/api/engine/one?chosen=jokers=-${jokers}&seats=2`);
  for (let jokers = 1; jokers <= 30; jokers++) await ask(jokers);
  await ask(1);
  await ask(31);
  worker.network(offline);
  for (const jokers of [1, 3, 31]) expect(JSON.parse(await ask(jokers)).layout).toBe(HERE);
  await expect(ask(2)).rejects.toThrow("no network");
  expect(JSON.parse(await worker.ask("/api/engine/one")).game).toBe("one");
});

test("the page of a hotel that wants to be paid first is kept for nothing", async () => {
  const worker = await visited();
  worker.network(async () => new Response("<!doctype html>", { headers: { "content-type": "text/html; charset=utf-8" } }));
  for (const path of [`/engine-${HERE}.wasm`, `/${NET}`, "/api/facts"]) await worker.ask(path);
  worker.network(offline);
  expect(await worker.ask(`/engine-${HERE}.wasm`)).toBe(`${HERE} /engine-${HERE}.wasm`);
  await expect(worker.ask(`/${NET}`)).rejects.toThrow("no network");
  expect(JSON.parse(await worker.ask("/api/facts")).games).toHaveLength(2);
});

test("on a device that is full, what the server says still comes", async () => {
  const worker = phone();
  worker.network(playable(HERE, NET));
  await worker.install();
  worker.fill();
  await worker.open("en");
  expect(await worker.ask(`/engine-${HERE}.wasm`)).toBe(`${HERE} /engine-${HERE}.wasm`);
  expect(await worker.ask(`/${NET}`)).toBe(`${HERE} /${NET}`);
  expect(JSON.parse(await worker.ask("/api/engine/one")).game).toBe("one");
});
