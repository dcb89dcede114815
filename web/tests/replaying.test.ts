/** A finished match again: which step is on show, what a key does, and how one comes to a mistake and back. */
import { beforeEach, expect, test, vi } from "vitest";
import type { Analysis, FinishedGame, Frame, Mistake, View } from "../src/lib/messages";
import { freshDevice } from "./results/device";
import { PLAY_NINE, table } from "./table/fake";

vi.stubGlobal("navigator", { languages: ["en"] });
vi.stubGlobal("document", { visibilityState: "visible" });
const { Replaying } = await import("../src/pages/replaying.svelte");
const { keepMatch, keptMatches } = await import("../src/results/matches");

const person = (name: string, kind = "person") => ({ name, kind, player: "", total: 9 });
const line = (hole: number, points: (number | null)[], playoff = 0) => ({ hole, playoff, points, closer: 0, stand_ins: [] });
const game = {
  id: "g1",
  game: "play_nine",
  length: 2,
  seats: [person("Cpu", "computer"), person("Ann"), person("Ben")],
  card: [line(1, [5, 3, 4]), line(2, [4, 6, 5]), line(3, [9, 1, null], 1)],
  totals: [18, 10, 9],
  winners: [2],
  holes: [{ playoff: 0 }, { playoff: 0 }, { playoff: 1 }],
  practice: null,
  real_cards: false,
  on_device: false,
  facts: PLAY_NINE,
} as unknown as FinishedGame;
const mistake = { hole: 2, step: 2, player: 1, better: { move: "discard" } } as Mistake;
const analysis = { id: "g1", holes: [{ hole: 1, shares: [{}, {}] }], totals: [{ luck: 1, mistakes: 2 }, { luck: 3, mistakes: 4 }], mistakes: [mistake] } as unknown as Analysis;

/** Three steps: the deal, a move of Ann's, and the end. */
function frames(hole: number): Frame[] {
  const view = (more: Partial<View>) => table({ hole, seats: table().seats.map((seat) => ({ ...seat, present: "away" as const })), ...more });
  return [view({ turn: 1 }), view({ turn: 1, stock_left: 79 }), view({ turn: null, phase: "hole_over" })].map((view) => ({ what: [], view }));
}

let refused: string | null;
let asked: string[];

beforeEach(() => {
  freshDevice();
  refused = null;
  asked = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    if (refused) return Response.json({ error: refused, params: {} }, { status: 404 });
    const hole = /holes\/(\d)$/.exec(path)?.[1];
    if (hole) return Response.json({ id: "g1", hole: Number(hole), frames: frames(Number(hole)) });
    return Response.json(path.endsWith("analysis") ? analysis : game);
  });
});

async function replayed(anchor = "") {
  const replaying = new Replaying("g1", () => anchor, () => undefined);
  await replaying.load();
  return replaying;
}

test("a few steps of a hole play by themselves, as far as there are any", async () => {
  const replaying = await replayed("2.1-2");
  expect([replaying.hole, replaying.step, replaying.playing]).toEqual([2, 1, true]);
  await replaying.watch(3, 9, 12);
  expect([replaying.hole, replaying.step, replaying.playing]).toEqual([3, 2, true]);
  await replaying.watch(9, 1, 2);
  expect([replaying.hole, replaying.playing]).toEqual([3, false]);
});

const place = ({ hole, step }: { hole: number; step: number }) => `${hole}.${step}`;
const soon = () => new Promise((done) => setTimeout(done));

test("a match begins at its first step, at the one of the address, or with its analysis", async () => {
  expect(place(await replayed())).toBe("1.0");
  expect(place(await replayed("2.1"))).toBe("2.1");
  expect(place(await replayed("7.1"))).toBe("1.0"); // there is no such hole
  const told = await replayed("story");
  expect([place(told), told.result]).toEqual(["1.0", true]);
});

test("another address opens another moment, and the latest counts", async () => {
  const replaying = await replayed("2.0");
  await Promise.all([replaying.open("story"), replaying.open("2.1")]);
  expect([place(replaying), replaying.result]).toEqual(["2.1", false]);
  await replaying.open("story");
  expect([place(replaying), replaying.result]).toEqual(["1.0", true]);
});

test("everybody is at the table, whoever has left since", async () => {
  expect((await replayed()).stage!.view.seats.every(({ present }) => present === "here")).toBe(true);
});

test("a match that is gone says so, and is asked for again", async () => {
  refused = "game_gone";
  const replaying = await replayed();
  expect([replaying.problem?.error, replaying.stage]).toEqual(["game_gone", null]);
  refused = null;
  await replaying.load();
  expect([replaying.problem, place(replaying)]).toEqual([null, "1.0"]);
});

test("the keys go step by step and hole by hole, as far as there are any", async () => {
  const replaying = await replayed("1.1");
  const press = async (key: string) => {
    expect(replaying.key(key)).toBe(true);
    await soon();
    return place(replaying);
  };
  const seen: string[] = [];
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "Home", "End", "PageDown", "PageUp", "PageUp"]) seen.push(await press(key));
  expect(seen).toEqual(["1.2", "2.0", "1.2", "1.1", "1.0", "1.2", "2.0", "1.0", "1.0"]);
  expect(replaying.final).toBe(false);
  await replaying.openHole(3, -1);
  expect([replaying.final, await press("ArrowRight"), replaying.key("x")]).toEqual([true, "3.2", false]);
});

test("a hole is fetched once, and the latest wish counts", async () => {
  const replaying = await replayed();
  const [early, late] = [replaying.openHole(2), replaying.openHole(3)];
  expect([await early, await late, replaying.hole]).toEqual([false, true, 3]);
  await replaying.openHole(2);
  expect(asked.filter((path) => path.endsWith("holes/2"))).toHaveLength(1);
});

test("a hole that does not come stops what plays by itself, and says so", async () => {
  const replaying = await replayed();
  replaying.key(" ");
  refused = "hole_gone";
  expect(await replaying.openHole(2)).toBe(false);
  expect([replaying.playing, replaying.problem?.error, place(replaying)]).toEqual([false, "hole_gone", "1.0"]);
});

test("a mistake is shown with the better move until one goes on, or back to the list", async () => {
  const replaying = await replayed("story");
  await replaying.teach(mistake);
  expect([place(replaying), replaying.result, [...replaying.best!]]).toEqual(["2.1", false, ["D"]]);
  replaying.key("Escape");
  expect([replaying.lesson, replaying.result]).toEqual([null, true]);
  await replaying.teach(mistake);
  replaying.forward();
  expect([replaying.lesson, place(replaying)]).toEqual([null, "2.2"]);
  await replaying.teach(mistake);
  replaying.goTo(0);
  expect([replaying.lesson, replaying.result, place(replaying)]).toEqual([null, false, "2.0"]);
});

test("a mulligan begins where somebody is to move, for those who play the hole", async () => {
  const replaying = await replayed("3.1");
  expect(replaying.mayRetry).toBe(true);
  replaying.retry();
  expect(replaying.again).toEqual({ hole: 3, step: 1, seat: 1 });
  expect(replaying.players).toEqual([{ seat: 0, name: "Cpu" }, { seat: 1, name: "Ann" }]);
  replaying.toEnd();
  expect(replaying.mayRetry).toBe(false);
  replaying.retryMistake(mistake);
  expect([replaying.again, replaying.players.length]).toEqual([{ hole: 2, step: 1, seat: 1 }, 3]);
});

test("the analysis shown first is the reader’s, else the winner's of several people", async () => {
  expect((await replayed()).whose).toBe(2);
  keepMatch(game, 1);
  expect((await replayed()).whose).toBe(1);
});

test("an analysis is asked for once, again after a failure, and kept with the reader’s match", async () => {
  keepMatch(game, 1);
  const replaying = await replayed();
  refused = "overloaded";
  await expect(replaying.analyse()).rejects.toMatchObject({ error: "overloaded" });
  await soon();
  refused = null;
  expect(await replaying.analyse()).toEqual(analysis);
  await replaying.analyse();
  expect(asked.filter((path) => path.endsWith("analysis"))).toHaveLength(2);
  expect(keptMatches()[0]?.story).toMatchObject({ luck: 3, mistakes: 4 });
});

test("holes have their names, and the one of a practice that of the match it comes from", async () => {
  const replaying = await replayed();
  expect([1, 3].map((hole) => replaying.holeName(hole))).toEqual(["Hole 1", "Play-off 1"]);
  replaying.game = { ...game, practice: { game: "g0", hole: 8, step: 3, name: 8, playoff: 0 } };
  expect(replaying.holeName(1)).toBe("Hole 8");
});
