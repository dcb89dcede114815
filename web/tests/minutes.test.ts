/** How long a match takes: as the page of the games says, and by who plays. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { minutesOf } from "../src/golf/minutes";
import type { GameFacts } from "../src/lib/messages";
import { nineCard, playNine } from "./pad/tables";

const page = readFileSync(new URL("../../docs/games.md", import.meta.url), "utf-8");
const alone = { people: 1, computers: 3, pace: "fast", holes: 0 } as const;
const together = (people: number) => ({ people, computers: 0, pace: "normal", holes: 0 }) as const;

test.each([playNine, nineCard])("the minutes of $title are those on the page of the games", (game) => {
  const cells = page.split("\n").find((line) => line.startsWith(`| **[${game.title}]`))!.split(" | ").slice(3, 6);
  expect([alone, together(2), together(4)].map((round) => minutesOf(game, round))).toEqual(cells.map((cell) => parseInt(cell, 10)));
});

test("a match up to a number of points takes as long as the page says, and longer for more points", () => {
  const twelve = { ...playNine, name: "twelve_card", rows: 3, columns: 4, most: 8, holes: 20, until: 100 } as GameFacts;
  const cells = page.split("\n").find((line) => line.startsWith("| **[Twelve-card golf]"))!.split(" | ").slice(3, 6);
  expect(minutesOf(twelve, together(4))).toBe(parseInt(cells[2]!, 10));
  expect(minutesOf({ ...twelve, until: 200 }, together(4))).toBeGreaterThan(1.5 * minutesOf(twelve, together(4)));
  expect(minutesOf(twelve, { ...together(4), holes: 1 })).toBeLessThan(minutesOf(twelve, together(4)));
});

test("people take longer than computers, slow ones longer than fast ones, and fewer holes less", () => {
  const of = (more: object) => minutesOf(playNine, { ...alone, ...more });
  expect(of({ people: 4, computers: 0 })).toBeGreaterThan(of({ pace: "slow" }));
  expect(of({ pace: "slow" })).toBeGreaterThan(of({}));
  expect(of({ holes: 1 })).toBeLessThan(of({ holes: 3 }));
  expect(of({ holes: 18 })).toBeGreaterThan(1.5 * of({}));
});

test("a game that nobody measured has a turn for each card", () => {
  const own = { ...playNine, name: "our_own" };
  expect(minutesOf(own, together(4))).toBe(5 * Math.round((9 * (8 * 4 * 6 + 15)) / 60 / 5));
});
