import { expect, test } from "vitest";
import { score } from "../../src/pad/scoring";
import { cards, nineCard, playNine } from "./tables";

test.each([
  ["7 3 1 2 / 4 6 8 5", 36],
  ["7 3 1 2 / 7 6 8 5", 25],
  ["7 7 1 2 / 7 7 8 5", 6],
  ["7 7 1 1 / 7 7 1 1", -20],
  ["8 8 8 1 / 8 8 8 2", -12],
  ["8 8 8 8 / 8 8 8 8", -20],
  ["0 5 0 9 / 0 4 0 9", -1],
  ["H 4 6 2 / H 7 1 0", 10],
  ["H 4 H 2 / H 7 H 0", -17],
  ["H H H H / 1 2 3 4", -10],
  ["12 12 12 12 / 11 11 11 11", 92],
])("the book's example %s makes %i in Play Nine", (layout, points) => {
  expect(score(playNine, cards(layout))).toMatchObject({ points, complete: true });
});

test.each([
  ["K K * / 4 J 3 / 9 9 9", 15],
  ["K K K / 4 J 3 / 9 9 9", 8],
  ["* * * / 4 J 3 / 9 9 2", 18],
  ["9 9 9 / 9 9 9 / A Q J", -6],
  ["K K K / K K K / A Q J", -6],
  ["9 4 2 / 9 4 2 / 9 4 2", 45],
])("the book's example %s makes %i in nine-card golf", (layout, points) => {
  expect(score(nineCard, cards(layout))).toMatchObject({ points, complete: true });
});

test("the sum says which lines matched, what they earned, and what the rest costs", () => {
  const { parts, groups } = score(playNine, cards("7 1 7 5 / 7 1 7 9"));
  expect(parts.map(({ kind, rule, points, lines, faces }) => [kind, rule, points, lines, faces])).toEqual([
    ["line", "5.2", 0, 2, ["7"]],
    ["bonus", "5.4", -10, 2, ["7"]],
    ["line", "5.2", 0, 1, ["1"]],
    ["cards", "5.1", 14, 0, ["5", "9"]],
  ]);
  expect(groups).toEqual([["a1", "c1", "a2", "c2"], ["b1", "b2"]]);
});

test("while the cards are tapped in, a line lights up as soon as it is full, and the sum is that of the cards so far", () => {
  const growing = score(playNine, ["7", "3", "1", "2", "7", "", "8"]);
  expect(growing).toMatchObject({ points: 14, complete: false, groups: [["a1", "a2"]] });
  expect(score(playNine, [])).toEqual({ points: 0, complete: false, parts: [], groups: [] });
});

test("while any one slot is empty, the sum is not complete", () => {
  const full = cards("7 3 1 2 / 4 6 8 5");
  for (const slot of full.keys()) expect(score(playNine, full.toSpliced(slot, 1, "")).complete).toBe(false);
});

test("a table whose pack is different gets the highest bonus of the book, and no more", () => {
  expect(score(nineCard, cards("8 8 8 / 8 8 8 / 8 8 8")).points).toBe(-30);
  expect(score(nineCard, cards("K K K / K K K / K K K")).points).toBe(-40);
  expect(score({ ...playNine, bonus: [-10] }, cards("8 8 8 8 / 8 8 8 8")).points).toBe(-10);
});

test("a card too many counts singly", () => {
  expect(score(playNine, [...cards("7 7 1 2 / 7 7 8 5"), "12"])).toMatchObject({ points: 18, complete: true });
});
