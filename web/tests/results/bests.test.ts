/** Personal bests: which match each was reached in, and that nothing takes it away. */
import { expect, test } from "vitest";
import { bestsOf } from "../../src/results/bests";
import type { KeptMatch } from "../../src/results/matches";

const LEVELS = ["beginner", "club", "search"];

const match = (when: number, points: number[], more: Partial<KeptMatch> = {}): KeptMatch => ({
  version: 1, id: `A${when}-1`, game: "play_nine", when, names: ["Ann", "Birdie"], seat: 0, totals: [points.reduce((sum, one) => sum + one), 20],
  winners: [1], points, levels: ["club"], standIns: [], equal: [], behind: null, story: null, ...more,
}); // prettier-ignore

const bests = (...matches: KeptMatch[]) => {
  const { matches: byLength, days, ...others } = bestsOf(matches, LEVELS);
  const told = Object.entries(others).flatMap(([name, best]) => (best ? [[name, [best.match.when, best.value, best.hole]]] : []));
  return { ...Object.fromEntries(told), matches: byLength.map(([holes, { match, value }]) => [holes, match.when, value]), days };
};

test("without a match there is none", () => {
  expect(bests()).toEqual({ matches: [], days: 0 });
});

test("the best hole, and the best match of each length; of equal ones the first stays", () => {
  expect(bests(match(1, [4, -3, 11]), match(2, [-3, 5, 5]), match(3, [9]), match(4, [8, 8, -4], { points: [8, 8, -2] }))).toEqual({
    hole: [1, -3, 2], matches: [[3, 2, 7], [1, 3, 9]], days: 0,
  }); // prettier-ignore
});

test("a comeback and a level beaten need a win, and a match of before knows no comeback", () => {
  const won = { winners: [0] };
  const told = bests(
    match(1, [5], { behind: 30, levels: ["search"] }), match(2, [5], { ...won, behind: 4, levels: ["beginner"] }), match(3, [5], { ...won, behind: 9, levels: ["club", "beginner"] }),
    match(4, [5], { ...won, behind: 0, levels: [] }), match(5, [5], { ...won, levels: ["club", "gone"] }),
  ); // prettier-ignore
  expect(told).toMatchObject({ comeback: [3, 9, 0], level: [3, 1, 0] });
  expect(bests(match(1, [5], { ...won, behind: 0, levels: [] }))).not.toHaveProperty("level");
});

test("most equal cards, from three on", () => {
  expect(bests(match(1, [5, 5], { equal: [2, 2] }))).not.toHaveProperty("equal");
  expect(bests(match(1, [5, 5], { equal: [2, 3] }), match(2, [5, 5], { equal: [3, 6] }))).toMatchObject({ equal: [2, 6, 2] });
});

test("the hole of the day: the fewest points, and the most days in a row", () => {
  const day = (date: number, points: number) => match(new Date(2026, 10, date, 12).getTime(), [points], { id: `HERE-DAY-2026-11-${date}-1` });
  const all = [day(20, 12), day(21, 3), day(22, 9), day(27, 8), match(1, [-9])];
  expect(bests(...all)).toMatchObject({ day: [all[1]!.when, 3, 0], days: 3 });
});

test("what a computer player did for the reader counts for nothing, but the other holes do", () => {
  const lent = { standIns: [2], winners: [0], behind: 8, equal: [4, 8] };
  expect(bests(match(1, [4, -9], lent))).toEqual({ hole: [1, 4, 1], equal: [1, 4, 1], matches: [], days: 0 });
});
