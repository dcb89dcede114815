/** A game with real cards: what a tap asks for, what is sent, and what is kept. */
import { beforeEach, expect, test, vi } from "vitest";
import type { CardboardGame, CardboardTable, View } from "../src/lib/messages";
import { freshDevice } from "./results/device";
import { HIDDEN, PLAY_NINE, seat, table } from "./table/fake";

vi.stubGlobal("navigator", { languages: ["en"] });
vi.stubGlobal("document", { visibilityState: "visible" });
vi.stubGlobal("location", { pathname: "/coach", hash: "", href: "http://x/coach" });
const { Following } = await import("../src/cardboard/following.svelte");
const { keep, keptGames, newGame } = await import("../src/cardboard/kept");
const { hideNotice, shell } = await import("../src/lib/shell.svelte");

const LAYOUT = ["7", ...HIDDEN.slice(1)]; // a1 is face up
let sent: { path: string; body: CardboardGame }[];
let answer: (path: string, body: CardboardGame) => unknown;
let went: string[];

function lying(view: Partial<View> = {}, more: Partial<CardboardTable> = {}): CardboardTable {
  const seats = [seat("Ann", LAYOUT), seat("Ben", HIDDEN)];
  const holes = [{ dealer: 1, first_discard: "7", moves: [], pieces: ["a1=7"], reveal: {}, points: null }];
  return { view: table({ seats, ...view }), what: [], awaited: null, stock: { 1: 4 }, unseen: { 2: 4 }, dealer: 1, seats: [0, 1], holes, ...more } as never;
}

beforeEach(() => {
  freshDevice();
  hideNotice();
  sent = [];
  went = [];
  answer = () => lying();
  vi.stubGlobal("fetch", async (path: string, request?: RequestInit) => {
    const body = request?.body ? (JSON.parse(String(request.body)) as CardboardGame) : (null as never);
    sent.push({ path, body });
    const said = answer(path, body) as { error?: string };
    return Response.json(said, { status: said.error ? 400 : 200 });
  });
  vi.stubGlobal("history", { pushState: (_: unknown, __: string, path: string) => went.push(path), state: null });
  vi.stubGlobal("scrollTo", () => {});
  vi.stubGlobal("scrollY", 0);
});

/** A game whose first hole has begun, as far as the server has accepted it. */
async function followed(view: Partial<View> = {}, more: Partial<CardboardTable> = {}) {
  const begun = newGame("play_nine", ["Ann", "Ben"], 1);
  keep({ ...begun, facts: PLAY_NINE, holes: [{ first_discard: "7", moves: ["a1=7"] }] });
  answer = () => lying(view, more);
  const following = new Following(begun.id, () => undefined);
  await following.reload();
  return following;
}

const moves = () => sent.at(-1)!.body.holes!.at(-1)!.moves!;
const soon = () => new Promise((done) => setTimeout(done));

test("a card from the stock is asked for, and becomes the move", async () => {
  const following = await followed();
  expect(following.say).toMatch(/^Ann/);
  following.press("S");
  expect([following.question?.text(), following.question?.left, following.legal.size]).toEqual(["Which card did Ann draw?", { 1: 4 }, 0]);
  following.answer("1");
  await soon();
  expect([moves(), following.asked]).toEqual([["a1=7", "S1"], null]);
});

test("what lies open needs no question: the discard, and a slot that is face up", async () => {
  const following = await followed();
  following.press("D");
  await soon();
  expect(moves()).toEqual(["a1=7", "D7"]);
  answer = () => lying({ phase: "place", held: { face: "5", pile: "D" } });
  await following.reload();
  following.press("a1");
  await soon();
  expect(moves().at(-1)).toBe(">a1x7");
  following.press("b1");
  expect([following.question?.move, following.question?.piece("2")]).toEqual(["b1", ">b1x2"]);
});

test("declining the last turn is not turning nothing up", async () => {
  const following = await followed();
  following.press(".");
  await soon();
  expect(moves().at(-1)).toBe("-");
  answer = () => lying({ phase: "flip", legal: ["b1", "."] });
  await following.reload();
  following.press(".");
  await soon();
  expect(moves().at(-1)).toBe(".");
});

test("a card that has to be turned up is asked for before anything else", async () => {
  const following = await followed({}, { awaited: { seat: 1, slot: "b2" } as never });
  expect([following.needed?.text(), following.needed?.piece("3")]).toEqual([expect.stringContaining("Ben"), "b2=3"]);
});

test("a hole begins with its first discard, and play-off holes are called so", async () => {
  const following = await followed({ phase: "hole_over", turn: null, legal: [] });
  following.nextHole();
  await soon();
  expect([following.between, following.question?.move, following.question?.text()]).toEqual([true, null, expect.stringContaining("2")]);
  following.answer("9");
  await soon();
  expect(sent.at(-1)!.body.holes).toEqual([{ first_discard: "7", moves: ["a1=7"] }, { first_discard: "9", moves: [] }]);
});

test("what is taken back can be done again, until something new happens", async () => {
  const following = await followed();
  following.undo();
  await soon();
  expect([moves(), following.undoneHoles.length, following.mayUndo]).toEqual([[], 1, true]);
  following.redo();
  await soon();
  expect([moves(), following.undoneHoles.length]).toEqual([["a1=7"], 0]);
  following.press("S");
  following.undo(); // only the question
  expect([following.asked, moves()]).toEqual([null, ["a1=7"]]);
});

test("what the server refuses is said and not kept", async () => {
  const following = await followed();
  answer = () => ({ error: "wrong_move", params: { why: "no_card", face: "77", number: 2, hole: 1 } });
  expect(await following.write("S77")).toBe(false);
  expect([following.trouble, following.game?.holes.at(-1)?.moves]).toEqual([expect.stringContaining("77"), ["a1=7"]]);
  expect(keptGames()[0]?.holes.at(-1)?.moves).toEqual(["a1=7"]);
});

test("typed moves become the server’s pieces, and are kept so", async () => {
  const following = await followed();
  expect(await following.write("  ")).toBe(false);
  answer = () => lying({}, { holes: [{ first_discard: "7", pieces: ["a1=7", "S1", ">b2x9"], points: null }] as never });
  expect(await following.write("S1>b2x9")).toBe(true);
  expect(keptGames()[0]?.holes).toEqual([{ first_discard: "7", moves: ["a1=7", "S1", ">b2x9"] }]);
});

test("a hint is for the table it was asked at", async () => {
  const following = await followed();
  const moves = [0, 0.3].map((loss, at) => ({ move: "SD"[at]!, loss, reason: { code: "equal", params: {} }, place: null }));
  answer = () => ({ event: 0, seat: 0, phase: "take", moves });
  await following.advise();
  expect([following.hinting, [...following.best]]).toEqual([true, ["S"]]);
  following.escape();
  expect([following.hinting, following.hint]).toEqual([false, null]);
  const late = following.advise();
  await following.advise(); // a second tap closes it
  await late;
  expect([following.hinting, following.hint]).toEqual([false, null]);
  answer = () => ({ error: "coach_busy", params: {} });
  await following.advise();
  expect([following.hinting, shell.notice?.bad]).toEqual([false, true]);
});

test("the finished holes become a match once per change, and again if the server has lost it", async () => {
  const over = { first_discard: "7", moves: ["a1=7"] };
  const following = await followed({ phase: "hole_over", turn: null }, { holes: [{ first_discard: "7", pieces: ["a1=7"], points: [3, 4] }] as never });
  expect(following.over).toBe(1);
  let lost = false;
  answer = (path) => (path.endsWith("cardboard/games") ? { game: "m1" } : lost ? { error: "game_gone", params: {} } : { id: "m1" });
  const open = async () => {
    sent = [];
    await following.openAnalysis();
    return sent.map(({ path }) => path.replace(/^.*api\//, ""));
  };
  expect(await open()).toEqual(["cardboard/games"]);
  expect([sent[0]!.body.holes, keptGames()[0]?.story?.game]).toEqual([[over], "m1"]);
  expect(await open()).toEqual(["games/m1"]);
  lost = true;
  expect(await open()).toEqual(["games/m1", "cardboard/games"]);
  expect(went).toEqual(Array(3).fill(expect.stringMatching(/g\/m1#story$/)));
});

test("a game of another device is not here", () => {
  const following = new Following("nowhere", () => undefined);
  expect([following.game, following.facts, following.question]).toEqual([null, null, null]);
});
