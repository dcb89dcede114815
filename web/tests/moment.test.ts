/** The moment that decided a match: which one it is, for whom, and where it is in the replay. */
import { expect, test } from "vitest";
import { givenAway, momentOf, stepsOf } from "../src/coach/moment";
import type { Analysis, Mistake, TurningCard } from "../src/lib/messages";

const card = (whom: number, luck: number, step: number) => ({ whom, luck, hole: 1, step, slot: "stock", face: "7" }) as TurningCard;
const mistake = (player: number, loss: number, step: number) => ({ player, loss, hole: 1, step }) as Mistake;
const analysis = (players: number, mistakes: Mistake[] = []) =>
  ({ totals: Array.from({ length: players }, () => ({})), mistakes, cards: [card(0, -4, 10), card(0, 3, 20), card(1, -6, 30), card(1, 9, 40)] }) as Analysis;
const stepOf = (...asked: Parameters<typeof momentOf>) => momentOf(...asked)?.what.step ?? null;

test("a winner sees what helped most, anyone else what cost most", () => {
  expect(momentOf(analysis(3), 0, true)).toEqual({ gain: 4, what: card(0, -4, 10) });
  expect(momentOf(analysis(3), 0, false)).toEqual({ gain: -3, what: card(0, 3, 20) });
});

test("a mistake of one's own may have decided it, if no card cost more", () => {
  expect(stepOf(analysis(3, [mistake(0, 3.5, 50)]), 0, false)).toBe(50);
  expect(stepOf(analysis(3, [mistake(0, 2.5, 50)]), 0, false)).toBe(20);
  expect(stepOf(analysis(3, [mistake(0, 8, 50)]), 0, true)).toBe(10);
});

test("only of two players, what one gives away is what the other gains", () => {
  expect(momentOf(analysis(2, [mistake(1, 5, 50)]), 0, true)).toEqual({ gain: 5, what: mistake(1, 5, 50) });
  expect(stepOf(analysis(3, [mistake(1, 5, 50)]), 0, true)).toBe(10);
  expect(stepOf(analysis(2, [mistake(1, 5, 50)]), 0, false)).toBe(20);
});

test("little decides nothing, and who has no cards had no moment", () => {
  expect(momentOf({ ...analysis(3), cards: [card(0, -0.4, 10)] }, 0, true)).toBeNull();
  expect(momentOf(analysis(3), 2, true)).toBeNull();
});

test("the moment on show stays while it counts, with what is known of it by now", () => {
  const before = momentOf(analysis(3, [mistake(0, 5, 50), mistake(0, 4, 60)]), 0, false);
  expect(momentOf(analysis(3, [mistake(0, 4.5, 60), mistake(0, 4.2, 50)]), 0, false, before)).toEqual({ gain: -4.2, what: mistake(0, 4.2, 50) });
  expect(stepOf(analysis(3, [mistake(0, 4.5, 60)]), 0, false, before)).toBe(60);
});

test("the replay begins before the moment and ends when something was made of it", () => {
  expect(stepsOf({ gain: 1, what: card(0, -4, 10) })).toEqual([9, 11]);
});

test("skill is what one's moves gave away beside the others' mean, in the holes that one played", () => {
  const shares = (...lost: (number | null)[]) => ({ hole: 1, shares: lost.map((mistakes) => (mistakes === null ? null : { mistakes })) });
  const holes = [shares(1, 2, 4), shares(2, null, 7), shares(null, 50, 50)] as Analysis["holes"];
  expect(givenAway({ holes }, 0)).toEqual({ own: 3, theirs: 10 });
});
