import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { GameFacts } from "../../src/lib/messages";
import { closerKey, match } from "../../src/pad/match";
import { reachable } from "../../src/pad/reachable";
import { score } from "../../src/pad/scoring";
import type { Entry, PadGame } from "../../src/pad/types";
import { slotName } from "../../src/golf/slots";

interface ToldHole {
  dealer: number;
  starter: number | null;
  seats: number[];
  closer: number | null;
  entries: Entry[];
  cards: number[];
  points: number[];
  totals: number[];
}

interface Told {
  facts: GameFacts;
  layouts: { layout: string[]; points: number; parts: [rules: string, points: number, matched: number[]][] }[];
  totals: number[] | null;
  matches: { regular: number; players: number; dealer: number; holes: ToldHole[]; winners: number[] }[];
}

const path = process.env.MULLIGAN_PAD_LAYOUTS; // tests/test_pad.py has the engine write it
const told = path ? (JSON.parse(readFileSync(path, "utf-8")) as Told[]) : [];

const PATIENCE = 120_000; // milliseconds, on a busy machine

describe.skipIf(!path)("what the engine says (run by tests/test_pad.py)", () => {
  test.each(told)("every layout of $facts.title costs what the engine says, for the same reasons", { timeout: PATIENCE }, ({ facts, layouts }) => {
    const wrong = layouts.filter(({ layout, points, parts }) => {
      const sum = score(facts, layout);
      const matched = parts.flatMap(([, , slots]) => slots).map((slot) => slotName(slot, facts.columns));
      const said = { complete: sum.complete, points: sum.points, why: sum.parts.map((part) => [part.rule, part.points]), ringed: sum.groups.flat().sort() };
      const right = { complete: true, points, why: parts.map(([rule, cost]) => [rule, cost]), ringed: [...new Set(matched)].sort() };
      return !alike(said, right);
    });
    expect(wrong).toEqual([]);
  });

  test.each(told)("the totals of $facts.title that can be are those that the engine gives", { timeout: PATIENCE }, ({ facts, layouts, totals }) => {
    const possible = reachable(facts);
    if (totals) expect(possible).toEqual(totals);
    const all = new Set(possible);
    expect(layouts.filter(({ points }) => !all.has(points))).toEqual([]);
  });

  test.each(told)("whole matches of $facts.title: their deals, penalties, play-offs and winners", { timeout: PATIENCE }, ({ facts, matches }) => {
    for (const { players, dealer, holes, winners } of matches) {
      const game: PadGame = {
        version: 1,
        id: "x",
        rules: facts,
        players: Array.from({ length: players }, (_, player) => `P${player}`),
        dealer,
        holes: [],
        overruled: holes.flatMap(({ closer }, index) => (closer === null ? [closerKey(index)] : [])), // given up, without penalty
        begun: 0,
        changed: 0,
      };
      let before = match(game);
      for (const [index, hole] of holes.entries()) {
        game.holes.push({ seats: hole.seats, entries: hole.entries, closer: hole.closer });
        const after = match(game);
        const now = after.holes.at(-1)!;
        const said = {
          begun: before.next,
          dealt: [now.dealer, now.starter],
          state: [now.complete, now.idle, after.over],
          cards: hole.seats.map((player) => now.cards[player]),
          points: hole.seats.map((player) => now.points[player]),
          totals: now.totals,
        };
        const right = {
          begun: { playoff: Math.max(0, index + 1 - facts.holes), dealer: hole.dealer, starter: hole.starter, seats: hole.seats },
          dealt: [hole.dealer, hole.starter],
          state: [true, false, index === holes.length - 1],
          cards: hole.cards,
          points: hole.points,
          totals: hole.totals,
        };
        if (!alike(said, right)) expect(said).toEqual(right);
        before = after;
      }
      expect([before.winners, before.next, before.totals]).toEqual([winners, null, holes.at(-1)!.totals]);
    }
  });
});

/** As text: expect() takes its time, and there are thousands. */
function alike(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
