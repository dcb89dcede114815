/** What earns a badge, and that nothing takes it away. */
import { expect, test } from "vitest";
import { badgesOf, type BadgeName } from "../../src/results/badges";
import type { KeptMatch } from "../../src/results/matches";

const GAMES = ["play_nine", "six_card"];

const match = (when: number, more: Partial<KeptMatch> = {}): KeptMatch => ({
  version: 1, id: `A${when}-1`, game: "play_nine", when, names: ["Ann", "Birdie"], seat: 0, totals: [30, 20], winners: [1],
  points: [10, 10, 10], levels: ["regular"], standIns: [], equal: [], behind: null, story: null, ...more,
}); // prettier-ignore

const earned = (matches: KeptMatch[], lessons: string[] = []): BadgeName[] =>
  badgesOf(matches, GAMES, lessons).flatMap(({ name, earned }) => (earned ? [name] : []));

test("nobody has a badge before playing", () => {
  expect(earned([])).toEqual([]);
});

test.each<[BadgeName[], Partial<KeptMatch>]>([
  [["first"], {}],
  [["first", "won"], { winners: [0] }],
  [["first", "won", "pro"], { winners: [0], levels: ["regular", "pro"] }],
  [["first", "won", "pro", "champion"], { winners: [0, 1], levels: ["search"] }],
  [["first"], { levels: ["pro"] }],
  [["first", "below"], { points: [10, -1, 10] }],
  [["first", "below"], { points: [-20, 10, 10] }],
  [["first", "below", "deep"], { points: [-21, 10, 10] }],
  [["first"], { equal: [7, 2, 7] }],
  [["first", "eight"], { equal: [2, 8, 3] }],
  [["first", "steady"], { story: { holes: 3, luck: 2, mistakes: 1.4 } }],
  [["first"], { story: { holes: 3, luck: 2, mistakes: 1.5 } }],
  [["first"], { story: { holes: 2, luck: 2, mistakes: 0 } }],
  [["first", "day"], { id: "HERE-DAY-2026-11-28-1" }],
  [["first"], { id: "HERE-WORD-MFXG4-1" }],
])("%j", (names, more) => {
  expect(earned([match(1, more)])).toEqual(names);
});

test("a badge stays with the first match that earned it", () => {
  const matches = [match(1), match(2, { winners: [0] }), match(3), match(4, { winners: [0] })];
  expect(badgesOf(matches, GAMES, []).find(({ name }) => name === "won")?.match?.when).toBe(2);
});

test("every game, and every lesson", () => {
  const both = [match(1, { game: "six_card" }), match(2), match(3)];
  expect(earned(both)).toEqual(["first", "games"]);
  expect(badgesOf(both, GAMES, []).find(({ name }) => name === "games")?.match?.when).toBe(2);
  expect(earned([], ["six_card"])).toEqual(["lesson"]);
  expect(earned([], ["six_card", "play_nine"])).toEqual(["lesson", "lessons"]);
});

test("what a computer player did for the reader earns nothing", () => {
  expect(earned([match(1, { winners: [0], standIns: [2] })])).toEqual([]);
});
