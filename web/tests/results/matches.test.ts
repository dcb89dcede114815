/** The matches this device keeps: each once, whatever happens to the page. */
import { beforeEach, expect, test, vi } from "vitest";
import type { FinishedGame, Share } from "../../src/lib/messages";
import { forgetMatches, isNew, keepMatch, keepAnalysis, keptMatches, readMatch } from "../../src/results/matches";
import { freshDevice } from "./device";

beforeEach(freshDevice);

const line = (hole: number, points: (number | null)[], playoff = 0) => ({ hole, playoff, dealer: 0, closer: null, stand_ins: [], points });

const finished = (id: string, more: Partial<FinishedGame> = {}): FinishedGame => ({
  id, game: "play_nine", watch: "WATCHAB", match: 1, length: 2, practice: null, real_cards: false, on_device: false, house_rules: {}, facts: null, opened: 0,
  seats: ["Ann", "Ben"].map((name) => ({ name, kind: "person", player: "", total: 10 })),
  card: [line(1, [4, 6]), line(2, [6, 4]), line(3, [2, 3], 1)], totals: [10, 10], winners: [0],
  holes: [[2, 3], [8, 2], [1, 1]].map((equal, at) => ({ hole: at + 1, playoff: Math.max(0, at - 1), frames: 9, equal })), ...more,
}); // prettier-ignore

const share = (luck: number, mistakes: number): Share => ({ points: 10, at_deal: 8, luck, mistakes, turns: 9, errors: 2 });

test("a match is entered once, however often it is seen, with the reader's own holes", () => {
  keepMatch(finished("A-1"), 1, 1_000);
  keepMatch(finished("A-1"), 1, 2_000);
  expect(isNew("A-1")).toBe(false);
  expect(keptMatches()).toEqual([
    { version: 1, id: "A-1", game: "play_nine", when: 1_000, names: ["Ann", "Ben"], seat: 1, totals: [10, 10], winners: [0], points: [6, 4], levels: [], standIns: [], equal: [3, 2], behind: 2, story: null },
  ]);
});

test("holes in which a computer player stood in are kept with the match, and one of before has none", () => {
  const game = finished("A-1");
  keepMatch({ ...game, card: game.card.map((line, at) => ({ ...line, stand_ins: at === 1 ? [0, 1] : at === 2 ? [1] : [] })) }, 1);
  expect(keptMatches()[0]!.standIns).toEqual([2]); // play-off holes are left out, as everywhere in the statistics
  const { standIns: _, ...before } = keptMatches()[0]!;
  expect(readMatch(before)!.standIns).toEqual([]);
  expect(readMatch({ ...before, standIns: ["2"] })).toBeNull();
});

test("how far behind one was counts as long as there is a hole to play, and a match of before does not know", () => {
  const card = [line(1, [4, 6, 1]), line(2, [9, 6, 5]), line(3, [1, 9, 20]), line(4, [2, 3, null], 1)];
  keepMatch(finished("A-1", { card, seats: finished("A").seats.concat(finished("B").seats[0]!), totals: [14, 21, 26] }), 0);
  const [kept] = keptMatches();
  expect(kept!.behind).toBe(7);
  const { behind: _, equal: __, ...before } = kept!;
  expect(readMatch(before)).toEqual({ ...before, behind: null, equal: [] });
  expect([readMatch({ ...kept, behind: "7" }), readMatch({ ...kept, equal: [null] })]).toEqual([null, null]);
});

test("a server of before does not tell of equal cards", () => {
  keepMatch(finished("A-1", { holes: [1, 2].map((hole) => ({ hole, playoff: 0, frames: 9 })) as FinishedGame["holes"] }), 1);
  expect(keptMatches()[0]!.equal).toEqual([0, 0]);
});

test("matches come in the order they were played", () => {
  keepMatch(finished("B-1"), 0, 2_000);
  keepMatch(finished("A-1"), 0, 1_000);
  expect(keptMatches().map(({ id }) => id)).toEqual(["A-1", "B-1"]);
});

test("practice and games with real cards do not count", () => {
  keepMatch(finished("A-1", { practice: { game: "B-1", hole: 1, step: 0, name: 1, playoff: 0 } }), 0);
  keepMatch(finished("A-2", { real_cards: true }), 0);
  keepMatch(finished("A-3"), 7);
  expect(keptMatches()).toEqual([]);
});

test("the story adds luck and mistakes of the reader's seat to a match that is kept", () => {
  keepMatch(finished("A-1"), 1, 1_000);
  const holes = [1, 2, 3].map((hole) => ({ hole, shares: [share(0, 0), hole < 3 ? share(0, 0) : null] }));
  const totals = [share(9, 9), share(-2.5, 4)];
  keepAnalysis("A-1", { totals, holes });
  keepAnalysis("never-seen", { totals, holes });
  keepMatch(finished("A-1"), 1, 2_000);
  expect(keptMatches().map(({ id, story }) => [id, story])).toEqual([["A-1", { holes: 2, luck: -2.5, mistakes: 4 }]]);
});

test("what is forgotten does not come back when its table is opened again", () => {
  keepMatch(finished("A-1"), 0);
  forgetMatches();
  expect(keptMatches()).toEqual([]);
  keepMatch(finished("A-1"), 0);
  expect(keptMatches()).toEqual([]);
  keepMatch(finished("A-2"), 0);
  expect(keptMatches().map(({ id }) => id)).toEqual(["A-2"]);
});

test("damaged entries and those of a later version are left alone and left out", () => {
  keepMatch(finished("A-1"), 0, 1_000);
  const [good] = keptMatches();
  localStorage.setItem("mulligan.match/X", '{"version":');
  localStorage.setItem("mulligan.match/Y", JSON.stringify({ ...good, version: 2 }));
  expect(keptMatches()).toEqual([good]);
  expect(localStorage.getItem("mulligan.match/Y")).not.toBeNull();
  for (const wrong of [
    { seat: 2 }, { seat: -1 }, { points: [] }, { points: [null] }, { totals: [1] }, { when: "today" }, { names: "Ann" }, { id: "<b>" }, { winners: {} },
  ]) expect(readMatch({ ...good, ...wrong }), JSON.stringify(wrong)).toBeNull(); // prettier-ignore
  expect(readMatch({ ...good, story: { holes: 0, luck: 1, mistakes: 1 } })).toEqual(good);
});

test("a browser that keeps nothing makes no trouble", () => {
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => { throw new Error("full"); } }); // prettier-ignore
  keepMatch(finished("A-1"), 0);
  expect(keptMatches()).toEqual([]);
});
