import { expect, test } from "vitest";
import type { Part, SeatView, View } from "../../src/lib/messages";
import { haveWon, level, lowest, matched, scored } from "../../src/table/outcome";
import { HIDDEN, PLAY_NINE, seat, table } from "./fake";

/** A hole that is over: for each seat its points, null for one that sat out, and its total. */
function over(figures: [points: number | null, total: number][], more: Partial<View> = {}): View {
  const seats = figures.map(([points, total], at): SeatView => seat("ABCD"[at]!, HIDDEN, { points, total }));
  return table({ phase: "hole_over", seats, ...more });
}

test("my seats come first, then the fewest points, and who sat out not at all", () => {
  const view = over([[12, 12], [3, 3], [null, 0], [7, 7]]);
  expect(scored(view, []).map(({ seat: { name } }) => name)).toEqual(["B", "D", "A"]);
  expect(scored(view, [0]).map(({ number, points }) => [number, points])).toEqual([[0, 12], [1, 3], [3, 7]]);
  expect(lowest(view)).toBe(3);
});

test("after the last hole those are level who share the lowest total, where a play-off follows", () => {
  const last = over([[9, 50], [2, 41], [8, 41]], { hole: 9 });
  expect(level(last, PLAY_NINE)).toEqual([1, 2]);
  expect(level(last, { ...PLAY_NINE, playoff: false })).toEqual([]);
  expect(level({ ...last, hole: 8 }, PLAY_NINE)).toEqual([]);
  expect(level({ ...last, phase: "over" }, PLAY_NINE)).toEqual([]);
});

test("in a play-off the points of its hole count, for those who play it", () => {
  expect(level(over([[null, 41], [5, 41], [5, 41]], { hole: 9, playoff: 1 }), PLAY_NINE)).toEqual([1, 2]);
});

test("I have won where I sit myself", () => {
  const view = over([[3, 30], [9, 60]], { phase: "over", winners: [0] });
  expect([haveWon(view, [0]), haveWon(view, [1]), haveWon(view, [])]).toEqual([true, false, false]);
  const lent = { ...view, seats: view.seats.map((one) => ({ ...one, lent: true })) };
  expect(haveWon(lent, [0])).toBe(false);
});

test("lines have their colours in the order of the score", () => {
  const part = (kind: Part["kind"], ...slots: string[]): Part => ({ kind, rule: "5.1", points: 0, slots, faces: ["7"], lines: 1, beaten_by: [] });
  const parts = [part("line", "a1", "a2"), part("bonus", "b1"), part("line", "c1", "c2")];
  expect(matched(parts).map(({ slots }) => slots)).toEqual([["a1", "a2"], ["c1", "c2"]]);
});
