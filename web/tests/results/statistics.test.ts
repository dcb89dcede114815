/** Sums and averages over matches. */
import { beforeAll, expect, test, vi } from "vitest";
import type { KeptMatch } from "../../src/results/matches";
import { byLength, gamesOf, perHole, smoothed, summary } from "../../src/results/statistics";
import { toCsv } from "../../src/results/table";
import { knownGames } from "./device";

beforeAll(knownGames);

const match = (id: string, points: number[], more: Partial<KeptMatch> = {}): KeptMatch => ({
  version: 1, id, game: "play_nine", when: 0, names: ["Ann", "Ben"], seat: 0, levels: [], standIns: [], equal: [], behind: null,
  totals: [points.reduce((sum, one) => sum + one, 0), 20], winners: [1], points, story: null, ...more,
}); // prettier-ignore

test("averages for each hole and match, the worst hole, and what was won", () => {
  const told = { holes: 4, luck: -2, mistakes: 6 };
  const one = summary([match("A", [4, -3, 11]), match("B", [2, 2, 20], { winners: [0, 1], story: told }), match("C", [9])]);
  expect(one).toEqual({
    matches: 3, wins: 1, holes: 7, perMatch: 15, perHole: 45 / 7,
    worstHole: { points: 20, id: "B", hole: 3 },
    analysed: 1, luck: -0.5, mistakes: 1.5,
  }); // prettier-ignore
});

test("without a story there is no luck and no mistake to speak of", () => {
  expect(summary([match("A", [4])])).toMatchObject({ analysed: 0, luck: null, mistakes: null });
});

test("matches of one, three and nine holes are told apart, and so are games", () => {
  const nine = Array.from({ length: 9 }, () => 5);
  const all = [match("A", [1]), match("B", nine), match("C", [1, 2, 3], { game: "nine_card" }), match("D", [8])];
  expect(byLength(all).map(([holes, matches]) => [holes, matches.map(({ id }) => id)])).toEqual([
    [9, ["B"]],
    [3, ["C"]],
    [1, ["A", "D"]],
  ]);
  expect(gamesOf(all)).toEqual(["play_nine", "nine_card"]);
  expect(perHole(all[2]!)).toBe(2);
});

test("an average over the last few smooths a line", () => {
  expect(smoothed([4, 8, 6, 10], 3)).toEqual([4, 6, 6, 8]);
});

test("a table for the spreadsheet: a line for each match, its holes at the end", () => {
  vi.stubGlobal("navigator", { languages: ["en"] });
  const when = new Date(2026, 10, 22, 12).getTime();
  const text = toCsv([match("A-1", [4], { when, names: ["=Ann", "Ben"] }), match("B-1", [1, -2], { when, story: { holes: 2, luck: -1.234, mistakes: 2 } })], "https://golf.example");
  expect(text.replace("\ufeff", "").trimEnd().split("\r\n")).toEqual([
    "Date,Game,Players,Place,Total,Luck,Mistakes,Link,Hole 1,Hole 2",
    `2026-11-22,Play Nine,"'=Ann, Ben",2,4,,,https://golf.example/g/A-1,4,`,
    `2026-11-22,Play Nine,"Ann, Ben",2,-1,-1.23,2,https://golf.example/g/B-1,1,-2`,
  ]);
});

test("where numbers have a decimal comma, semicolons part the cells", () => {
  vi.stubGlobal("navigator", { languages: ["de-AT"] });
  const story = { holes: 1, luck: -1.5, mistakes: 2 };
  const text = toCsv([match("A-1", [4], { when: new Date(2026, 10, 22, 12).getTime(), story })], "https://golf.example");
  expect(text.split("\r\n")[1]).toBe(`2026-11-22;Play Nine;"Ann, Ben";2;4;-1,5;2;https://golf.example/g/A-1;4`);
  vi.stubGlobal("navigator", { languages: ["de-CH"] });
  expect(toCsv([match("A-1", [4], { story })], "").split("\r\n")[1]).toMatch(/,-1\.5,2,/);
});
