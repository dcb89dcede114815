/** The connection on a bad network, with a fake socket and a fake clock. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { View } from "../src/lib/messages";
import { Session } from "../src/lib/session.svelte";
import { settings } from "../src/lib/settings.svelte";

class Socket {
  readyState = 0;
  sent: { is: string; id?: string; [key: string]: unknown }[] = [];
  onopen: () => void = () => {};
  onmessage: (message: { data: string }) => void = () => {};
  onclose: (event: { code: number }) => void = () => {};
  closed = false;

  open() {
    this.readyState = 1;
    this.onopen();
  }

  send(text: string) {
    this.sent.push(JSON.parse(text));
  }

  hears(message: { is: string; [key: string]: unknown }) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  close() {
    this.readyState = 3;
    this.closed = true;
  }

  breaks(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }

  get names() {
    return this.sent.map((message) => message.is);
  }
}

const view = (turn: number | null = 0) =>
  ({ phase: "take", turn, seats: [{ lent: false, present: "here" }, { lent: false, present: "here" }] }) as unknown as View;
const welcome = (event: number, you = [0], more: object = {}) =>
  ({ is: "Welcome", you, owner: true, event, view: view(), missed: [], talk: [], watchers: 0, sealed: null, ...more }) as const;
const seal = (hole: number, commitment = "c0ffee") => ({ is: "Sealed", game: "WATCH-1", hole, commitment }) as const;
const happened = (event: number, what: object[] = [], turn: number | null = 0) => ({ is: "Happened", event, what, view: view(turn) });

let sockets: Socket[];
let session: Session;
const latest = () => sockets.at(-1)!;

/** What a browser keeps, and whom it tells of the network. */
function device(visible = "visible") {
  const kept = new Map<string, string>();
  const target = new EventTarget();
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
  vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
  vi.stubGlobal("removeEventListener", target.removeEventListener.bind(target));
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: visible }));
  return { kept, tell: (event: string) => target.dispatchEvent(new Event(event)) };
}

let phone: ReturnType<typeof device>;

beforeEach(() => {
  vi.useFakeTimers();
  phone = device();
  sockets = [];
  session = new Session("t", "ABC", () => {
    sockets.push(new Socket());
    return latest() as unknown as WebSocket;
  });
  session.open();
  latest().open();
});

afterEach(() => {
  session.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("says hello first, and knows my turn after the welcome", () => {
  expect(latest().sent[0]).toMatchObject({ is: "Hello", last_event: 0 });
  expect(session.link).toBe("connecting");
  latest().hears(welcome(5));
  expect(session.link).toBe("open");
  expect(session.myTurn).toBe(0);
  latest().hears({ is: "Happened", event: 6, what: [], view: view(1) });
  expect(session.myTurn).toBeNull();
});

test("a new link is told in a welcome, and used for the next connection", () => {
  latest().hears({ ...welcome(5), link: "ABC" });
  latest().hears({ ...welcome(6), link: "XYZ" });
  expect(session.code).toBe("XYZ");
  latest().hears({ ...welcome(7), link: "" });
  expect(session.code).toBe("XYZ");
});

test("a refused seat is told by the page that asked for it, and by nobody else", async () => {
  latest().hears(welcome(5));
  const answer = session.sit(-1, "Ann");
  latest().hears({ is: "Refused", id: (latest().sent.at(-1) as { id: string }).id, error: "name_taken", params: {} });
  expect(await answer).toMatchObject({ error: "name_taken" });
  expect(session.refused).toBeNull();
});

test("an event that was told before is not told again", () => {
  const told = vi.fn();
  session.onHappened(told);
  latest().hears(welcome(5));
  latest().hears({ is: "Happened", event: 5, what: [], view: view(1) });
  expect(session.view?.turn).toBe(0);
  latest().hears({ is: "Happened", event: 6, what: [], view: view(1) });
  expect(told).toHaveBeenCalledTimes(2);
  expect(told.mock.calls.map(([, , late]) => late)).toEqual([true, false]);
});

test("after a break it comes back with the last event, and sends what was not answered under the same id", async () => {
  latest().hears(welcome(5));
  const answer = session.play("a1");
  const { id } = latest().sent.find((message) => message.is === "Play")!;
  latest().breaks();
  expect(session.link).toBe("lost");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sockets).toHaveLength(2);
  latest().open();
  expect(latest().sent[0]).toMatchObject({ is: "Hello", last_event: 5 });
  latest().hears(welcome(6));
  expect(latest().sent.at(-1)).toMatchObject({ is: "Play", id, move: "a1" });
  expect(session.waiting).toBe(1);
  latest().hears({ is: "Accepted", id: id! });
  expect(await answer).toBeNull();
  expect(session.waiting).toBe(0);
});

test("a server that knows less than the page is believed", async () => {
  latest().hears(welcome(9));
  latest().breaks();
  await vi.advanceTimersByTimeAsync(1_000);
  latest().open();
  const told = vi.fn();
  session.onHappened(told);
  latest().hears(welcome(7));
  expect(told).toHaveBeenCalledOnce();
  latest().hears(happened(8, [], 1));
  expect(session.view?.turn).toBe(1);
});

test("a server that knows less than the page has lost the last moves, and the player is told so", async () => {
  latest().hears(welcome(9));
  expect(session.wentBack).toBe(false);
  latest().breaks();
  await vi.advanceTimersByTimeAsync(1_000);
  latest().open();
  latest().hears(welcome(7));
  expect(session.wentBack).toBe(true);
  expect(session.link).toBe("open");
});

test("a server that is starting shows the table, takes the move, and plays it once it has started", async () => {
  latest().hears(welcome(5, [0], { starting: true }));
  expect(session.starting).toBe(true);
  expect(session.myTurn).toBe(0);
  const answer = session.play("a1");
  latest().hears(welcome(5, [0], { starting: false }));
  expect(session.starting).toBe(false);
  expect(latest().names.filter((name) => name === "Play")).toHaveLength(1);
  latest().hears({ is: "Accepted", id: latest().sent.at(-1)!.id! });
  expect(await answer).toBeNull();
});

test("a table that cannot be read ends the session with the reason", () => {
  latest().hears({ is: "Refused", id: "", error: "table_unreadable", params: {} });
  expect(session.problem?.error).toBe("table_unreadable");
});

test("half a letter does not travel, and whole ones do", () => {
  latest().hears(welcome(5));
  void session.chat("hi \ud83d, \ud83d\ude00 \ude00");
  expect(latest().sent.at(-1)?.text).toBe("hi \ufffd, \ud83d\ude00 \ufffd");
});

test("a second welcome on the same socket sends nothing twice", () => {
  latest().hears(welcome(5));
  void session.play("a1");
  latest().hears(welcome(6));
  expect(latest().names.filter((name) => name === "Play")).toHaveLength(1);
});

test("silence is asked about, told, and then the socket is replaced", async () => {
  latest().hears(welcome(5));
  await vi.advanceTimersByTimeAsync(4_600);
  expect(latest().names).toContain("Ping");
  expect(session.link).toBe("open");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(session.link).toBe("quiet");
  latest().hears({ is: "Pong", n: 1 });
  expect(session.link).toBe("open");
  await vi.advanceTimersByTimeAsync(10_100);
  expect(sockets[0]!.closed).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sockets.length).toBeGreaterThan(1);
});

test("the old socket's late words are not heard", async () => {
  latest().hears(welcome(5));
  latest().breaks();
  await vi.advanceTimersByTimeAsync(1_000);
  sockets[0]!.hears({ is: "Happened", event: 9, what: [], view: view(1) });
  expect(session.view?.turn).toBe(0);
});

test("a refused command is told to whoever gave it, and its reason is kept", async () => {
  latest().hears(welcome(5));
  const answer = session.play("S");
  const { id } = latest().sent.at(-1)!;
  latest().hears({ is: "Refused", id: id!, error: "not_your_turn", params: {} });
  expect((await answer)?.error).toBe("not_your_turn");
  expect(session.refused?.error).toBe("not_your_turn");
  expect(session.link).toBe("open");
});

test("a table that is gone ends the session for good", async () => {
  latest().hears({ is: "Refused", id: "", error: "table_gone", params: {} });
  expect(session.problem?.error).toBe("table_gone");
  expect(session.link).toBe("over");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sockets).toHaveLength(1);
});

test("an old client is told to load again", () => {
  latest().breaks(4002);
  expect(session.problem?.error).toBe("old_client");
});

test("under an address the server does not know, trying again is no use", async () => {
  latest().breaks(4007);
  expect(session.problem?.error).toBe("wrong_host");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sockets).toHaveLength(1);
});

test("a full server is asked again, ever more seldom", async () => {
  latest().hears({ is: "Refused", id: "", error: "too_many", params: {} });
  latest().breaks(1013);
  expect([session.busy, session.refused]).toEqual([true, null]); // the page says that it tries again
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sockets).toHaveLength(2);
});

test("a socket that never opens asks over HTTP why", async () => {
  const asked = vi.fn(async () => ({ status: 404, json: async () => ({ error: "table_gone", params: { table: "ABC" } }) }));
  vi.stubGlobal("fetch", asked);
  latest().breaks();
  await vi.advanceTimersByTimeAsync(1_000);
  latest().breaks();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveBeenCalledWith("/api/tables/ABC");
  expect(session.problem?.error).toBe("table_gone");
});

test("retries grow longer, but never past six seconds", async () => {
  latest().hears(welcome(5));
  const gaps: number[] = [];
  for (let round = 0; round < 9; round++) {
    const before = Date.now();
    latest().breaks();
    const count = sockets.length;
    while (sockets.length === count) await vi.advanceTimersByTimeAsync(50);
    gaps.push(Date.now() - before);
  }
  expect(gaps[0]).toBeLessThan(500);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(6_050);
  expect(gaps.at(-1)).toBeGreaterThan(1_950);
});

test("a tab thrown out by an older hello of its own comes back", async () => {
  latest().hears(welcome(5));
  latest().breaks(4001);
  expect(session.link).toBe("lost");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sockets).toHaveLength(2);
});

test("an old socket that opens late says hello to nobody", async () => {
  session.close();
  session = new Session("t", "ABC", () => {
    sockets.push(new Socket());
    return latest() as unknown as WebSocket;
  });
  session.open();
  const first = latest();
  await vi.advanceTimersByTimeAsync(12_000);
  const second = latest();
  expect(second).not.toBe(first);
  second.open();
  first.open();
  expect(second.names.filter((name) => name === "Hello")).toHaveLength(1);
  expect(first.names).toEqual([]);
});

test("a server that restarts says so, and everyone returns soon, but not in the same moment", async () => {
  const waits: number[] = [];
  for (let round = 0; round < 12; round++) {
    latest().hears(welcome(5 + round));
    latest().breaks(1012);
    expect(session.link).toBe("restarting");
    const before = Date.now();
    const count = sockets.length;
    while (sockets.length === count) await vi.advanceTimersByTimeAsync(10);
    waits.push(Date.now() - before);
    latest().open();
  }
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(300);
  expect(Math.max(...waits)).toBeLessThanOrEqual(1_510);
  expect(new Set(waits).size).toBeGreaterThan(4);
});

test("a restart that takes too long is told as what it is: no connection", async () => {
  latest().hears(welcome(5));
  latest().breaks(1012);
  for (let round = 0; round < 9; round++) {
    const count = sockets.length;
    while (sockets.length === count) await vi.advanceTimersByTimeAsync(100);
    latest().breaks();
  }
  expect(session.link).toBe("lost");
  expect(session.tries).toBe(10);
});

test("a page in the background, whose timers sleep, keeps its socket while the server answers", async () => {
  latest().hears(welcome(5));
  const now = performance.now.bind(performance);
  let slept = 60_000; // as if no timer had run for a minute
  vi.spyOn(performance, "now").mockImplementation(() => now() + slept);
  await vi.advanceTimersByTimeAsync(500);
  expect(latest().names.at(-1)).toBe("Ping");
  latest().hears({ is: "Pong", n: 1 });
  slept += 60_000;
  await vi.advanceTimersByTimeAsync(500);
  expect(sockets).toHaveLength(1);
  slept += 3_600_000; // it was asked, the device slept, and nobody answered
  await vi.advanceTimersByTimeAsync(500);
  expect(sockets[0]!.closed).toBe(true);
  expect(session.link).toBe("lost");
});

test.each([-366, 366])("a device that sets its clock by %i days sees a dead line as soon as any other", async (days) => {
  latest().hears(welcome(5));
  vi.setSystemTime(Date.now() + days * 86_400_000);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(latest().names).not.toContain("Ping");
  await vi.advanceTimersByTimeAsync(5_500);
  expect(session.link).toBe("quiet");
  await vi.advanceTimersByTimeAsync(4_000);
  expect(sockets[0]!.closed).toBe(true);
});

test("back at the front it asks at once, and does not wait for a dead socket", async () => {
  latest().hears(welcome(5));
  document.dispatchEvent(new Event("visibilitychange"));
  expect(latest().names.at(-1)).toBe("Ping");
  latest().hears({ is: "Pong", n: 1 });
  await vi.advanceTimersByTimeAsync(2_100);
  expect(sockets).toHaveLength(1);
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(2_700);
  expect(sockets.length).toBeGreaterThan(1);
});

test("a page that is only being loaded leaves its first socket the time it takes", async () => {
  session.close();
  session = new Session("t", "ABC", () => {
    sockets.push(new Socket());
    return latest() as unknown as WebSocket;
  });
  session.open();
  const count = sockets.length;
  phone.tell("pageshow");
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(4_000);
  expect(sockets).toHaveLength(count);
  phone.tell("online"); // it hangs: there is no better moment for another
  expect(sockets).toHaveLength(count + 1);
});

test("a hidden page is left alone", () => {
  latest().hears(welcome(5));
  Object.assign(document, { visibilityState: "hidden" });
  document.dispatchEvent(new Event("visibilitychange"));
  expect(latest().names).toEqual(["Hello", "Here"]); // the others learn it, and nothing is asked
  expect(latest().sent.at(-1)).toEqual({ is: "Here", visible: false });
});

test.each([
  ["t", 3],
  ["w", 0],
] as const)("a page in front that hears much says something every few seconds, unless it only watches (%s)", async (kind, pings) => {
  session.close();
  session = new Session(kind, "ABC", () => {
    sockets.push(new Socket());
    return latest() as unknown as WebSocket;
  });
  session.open();
  latest().open();
  latest().hears(welcome(5));
  for (let event = 6; event < 21; event++) {
    await vi.advanceTimersByTimeAsync(1_000);
    latest().hears({ is: "Happened", event, what: [], view: view(1) });
  }
  expect(latest().names.filter((name) => name === "Ping")).toHaveLength(pings);
});

test("the network gone, the socket is asked; the network back, it is tried at once", async () => {
  latest().hears(welcome(5));
  phone.tell("offline");
  await vi.advanceTimersByTimeAsync(2_100);
  expect(session.link).toBe("lost");
  for (let round = 0; round < 6; round++) {
    const count = sockets.length;
    while (sockets.length === count) await vi.advanceTimersByTimeAsync(100);
    latest().breaks();
  }
  const count = sockets.length;
  phone.tell("online");
  expect(sockets).toHaveLength(count + 1);
  latest().open();
  latest().hears(welcome(5));
  expect(session.link).toBe("open");
});

test("without a network nothing is dialled that must fail, and the table is back as soon as there is one", async () => {
  vi.stubGlobal("location", { protocol: "https:", host: "golf.example", hostname: "golf.example" });
  vi.stubGlobal("navigator", { onLine: false });
  latest().hears(welcome(5));
  const count = sockets.length;
  latest().breaks();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sockets).toHaveLength(count);
  expect(session.link).toBe("lost");
  vi.stubGlobal("navigator", { onLine: true });
  phone.tell("online");
  expect(sockets).toHaveLength(count + 1);
  vi.stubGlobal("location", undefined);
});

test("the link is open after the welcome, not before", async () => {
  latest().hears(welcome(5));
  latest().breaks();
  await vi.advanceTimersByTimeAsync(1_000);
  latest().open();
  latest().hears({ is: "Pong", n: 3 });
  expect(session.link).toBe("lost");
  latest().hears(welcome(5));
  expect(session.link).toBe("open");
});

test("a server that answers but never says welcome is left", async () => {
  for (let second = 0; second < 21; second++) {
    await vi.advanceTimersByTimeAsync(1_000);
    if (sockets.length === 1) latest().hears({ is: "Pong", n: second });
  }
  expect(sockets[0]!.closed).toBe(true);
});

test("connections that come but do not hold are tried about once a second", async () => {
  const gaps: number[] = [];
  for (let round = 0; round < 7; round++) {
    latest().hears(welcome(5));
    latest().breaks();
    const before = Date.now();
    const count = sockets.length;
    while (sockets.length === count) await vi.advanceTimersByTimeAsync(50);
    gaps.push(Date.now() - before);
    latest().open();
  }
  expect(Math.min(...gaps.slice(3))).toBeGreaterThanOrEqual(600);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(1_850);
});

test("a command given while nobody is there goes once, after the welcome", async () => {
  latest().hears(welcome(5));
  latest().breaks();
  void session.say("hello");
  await vi.advanceTimersByTimeAsync(1_000);
  latest().open();
  expect(latest().names).toEqual(["Hello"]);
  latest().hears(welcome(5));
  expect(latest().names).toEqual(["Hello", "Say"]);
});

test("a move is not given again once the table has moved on: it has happened, or is not wanted any more", async () => {
  latest().hears(welcome(5));
  const move = session.play("S");
  void session.say("hello");
  latest().breaks();
  await vi.advanceTimersByTimeAsync(1_000);
  latest().open();
  latest().hears(welcome(9, [0], { view: view(1) }));
  expect(await move).toBeNull();
  expect(latest().names).toEqual(["Hello", "Say"]);
  expect(session.waiting).toBe(1);
});

test("what was too fast is given again by itself, under the same id, and told only when it stays so", async () => {
  latest().hears(welcome(5));
  const answer = session.play("S");
  const { id } = latest().sent.at(-1)!;
  const no = { is: "Refused", id: id!, error: "too_fast", params: {} };
  latest().hears(no);
  expect(session.refused).toBeNull();
  await vi.advanceTimersByTimeAsync(600);
  expect(latest().sent.filter((message) => message.id === id)).toHaveLength(2);
  for (let round = 0; round < 5; round++) {
    latest().hears(no);
    await vi.advanceTimersByTimeAsync(3_100);
    latest().hears({ is: "Pong", n: 1 });
  }
  expect((await answer)?.error).toBe("too_fast");
  expect(session.refused?.error).toBe("too_fast");
  expect(session.waiting).toBe(0);
});

test("a move that an overloaded server refuses is given again after the time that it names", async () => {
  latest().hears(welcome(5));
  const answer = session.play("S");
  const { id } = latest().sent.at(-1)!;
  latest().hears({ is: "Refused", id: id!, error: "overloaded", params: { seconds: 2 } });
  await vi.advanceTimersByTimeAsync(1_900);
  expect(latest().sent.filter((message) => message.id === id)).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_200);
  expect(latest().sent.filter((message) => message.id === id)).toHaveLength(2);
  latest().hears({ is: "Accepted", id: id! });
  expect(await answer).toBeNull();
  expect(session.refused).toBeNull();
});

test("taps into the void do not pile up for ever", () => {
  latest().hears(welcome(5));
  latest().breaks();
  for (let tap = 0; tap < 500; tap++) void session.react("clap");
  expect(session.waiting).toBeLessThanOrEqual(40);
});

test("it adds its seed to a sealed pack by itself, once, and nobody waits for that", () => {
  latest().hears(welcome(5, [1], { sealed: seal(0) }));
  const added = latest().sent.at(-1)!;
  expect(added).toMatchObject({ is: "AddSeed", seat: 1, commitment: "c0ffee" });
  expect(added.seed).toMatch(/^[0-9a-f]{32}$/);
  expect(session.waiting).toBe(0);
  latest().hears(welcome(6, [1], { sealed: seal(0) }));
  latest().hears(happened(7, [{ is: "SeedAdded", seat: 1, seed: added.seed }]));
  expect(latest().names.filter((name) => name === "AddSeed")).toHaveLength(1);
  expect(JSON.parse(phone.kept.get("mulligan.stirs")!)).toEqual([
    { game: "WATCH-1", hole: 0, commitment: "c0ffee", seed: added.seed, in: true },
  ]);
  latest().hears(happened(8, [{ is: "Unsealed" }, seal(1)]));
  expect(latest().names.filter((name) => name === "AddSeed")).toHaveLength(2);
});

test("a page loaded again gives the same seed, and none if it is in", () => {
  latest().hears(welcome(5, [0], { sealed: seal(2) }));
  const { seed } = latest().sent.at(-1)!;
  const again = (event: number) => {
    session.close();
    session = new Session("t", "ABC", () => {
      sockets.push(new Socket());
      return latest() as unknown as WebSocket;
    });
    session.open();
    latest().open();
    latest().hears(welcome(event, [0], { sealed: seal(2) }));
  };
  again(5);
  expect(latest().sent.at(-1)).toMatchObject({ is: "AddSeed", seed });
  latest().hears(happened(6, [{ is: "SeedAdded", seat: 0, seed }]));
  again(6);
  expect(latest().names).toEqual(["Hello"]);
});

test("a seal that was dealt from meanwhile is not one seen before the deal", () => {
  latest().hears(welcome(5, [0]));
  latest().hears(happened(6, [seal(3), { is: "Dealt", hole: 3 }]));
  expect(phone.kept.get("mulligan.stirs")).toBeUndefined();
  expect(latest().names).toEqual(["Hello"]);
});

test("whoever watches remembers the lock and adds nothing; the first lock seen stays", () => {
  latest().hears(welcome(5, [], { sealed: seal(1, "first") }));
  latest().hears(welcome(6, [], { sealed: seal(1, "second") }));
  expect(latest().names).toEqual(["Hello"]);
  expect(JSON.parse(phone.kept.get("mulligan.stirs")!)).toMatchObject([{ commitment: "first", seed: "" }]);
});

test("a refused seed is no matter for the reader", () => {
  latest().hears(welcome(5, [0], { sealed: seal(1) }));
  latest().hears({ is: "Refused", id: latest().sent.at(-1)!.id!, error: "not_now", params: {} });
  expect(session.refused).toBeNull();
});

test("the table's clock is known by this device's time, and forgotten with the connection", () => {
  latest().hears(welcome(5));
  latest().hears({ is: "Clock", seat: 0, seconds: 45, why: "turn" });
  expect(session.clock).toMatchObject({ seat: 0, why: "turn", until: performance.now() + 45_000 });
  latest().hears({ is: "Clock", seat: null, seconds: 0, why: "" });
  expect(session.clock).toBeNull();
  latest().hears({ is: "Clock", seat: 0, seconds: 45, why: "turn" });
  latest().breaks();
  expect(session.clock).toBeNull();
});

test("an announcement is shown until it is withdrawn, also when that was missed, and once dismissed not again", async () => {
  const { announcement, dismiss } = await import("../src/lib/announcement.svelte");
  latest().hears(welcome(5));
  latest().hears({ is: "Announced", text: "Restart at ten" });
  expect(announcement.shown).toBe("Restart at ten");
  latest().hears(welcome(6)); // a second one on the same socket
  expect(announcement.shown).toBe("Restart at ten");
  latest().breaks();
  await vi.advanceTimersByTimeAsync(1_000);
  latest().open();
  latest().hears({ is: "Announced", text: "Restart at ten" });
  latest().hears(welcome(6));
  dismiss();
  expect(announcement.shown).toBe("");
  latest().hears({ is: "Announced", text: "Restart at eleven" });
  expect(announcement.shown).toBe("Restart at eleven");
  latest().breaks();
  await vi.advanceTimersByTimeAsync(1_000);
  latest().open();
  latest().hears(welcome(6)); // nothing is announced any more
  expect(announcement.shown).toBe("");
  latest().hears({ is: "Announced", text: "Restart at eleven" });
  expect(announcement.shown).toBe("Restart at eleven");
  latest().hears({ is: "Announced", text: "" });
});

test.each(["banned", "table_closed"])("%s ends it with a reason", (error) => {
  latest().hears(welcome(5));
  latest().hears({ is: "Refused", id: "", error, params: {} });
  expect(session.problem?.error).toBe(error);
  expect(session.link).toBe("over");
});

test("what was said stays: from before we joined, live, missed, and by the name of that time", () => {
  const said = (seat: number, phrase: string) => ({ is: "Said", seat, phrase }) as const;
  const seen = () => session.talk.map(({ name, what }) => `${name} ${what.is === "Said" ? what.phrase : what.text}`);
  const named = (...names: string[]) => ({ ...view(), seats: names.map((name) => ({ name, lent: false, present: "here" })) }) as unknown as View;
  latest().hears(welcome(5, [0], { talk: [said(0, "hello")], view: named("Ann", "Ben") }));
  latest().hears({ is: "Happened", event: 6, what: [said(1, "nice"), { is: "Reacted", seat: 1, reaction: "clap" }], view: named("Ann", "Ben") });
  latest().hears(welcome(6, [0], { view: named("Ann", "Cyd") })); // other seats are mine
  latest().hears(welcome(8, [0], { missed: [said(1, "bye")], view: named("Ann", "Cyd") }));
  expect(seen()).toEqual(["Ann hello", "Ben nice", "Cyd bye"]);
  for (let event = 9; event < 60; event++) latest().hears(happened(event, [{ is: "Chatted", seat: 0, text: String(event) }]));
  expect(session.talk).toHaveLength(30);
});

test("the names of who left follow the language", () => {
  const { seats, ...more } = view();
  latest().hears({ ...welcome(1), view: { ...more, seats: [seats[0]!, { ...seats[1], name: "Eagle", left: "Ben" }] } as unknown as View });
  const names = (locale: string) => ((settings.language = locale), session.view!.seats[1]!.name);
  expect(["en", "de", "en"].map(names)).toEqual(["Ben (left)", "Ben (weg)", "Ben (left)"]);
});
