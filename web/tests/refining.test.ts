/** A quick analysis becomes better hole by hole, while someone looks at it. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refine } from "../src/coach/refining";
import type { Analysis, Mistake, Share } from "../src/lib/messages";

const share = (mistakes: number, luck: number): Share => ({ points: 9, at_deal: 8, luck, mistakes, turns: 5, errors: 1 });
const mistake = (hole: number, loss: number) => ({ hole, loss, player: 0 }) as Mistake;
const quick: Analysis = {
  id: "WATCHWXZ-1",
  holes: [1, 2].map((hole) => ({ hole, shares: [share(2, -1), hole === 1 ? share(1, 0) : null] })),
  totals: [share(4, -2), share(1, 0)],
  cards: [],
  mistakes: [mistake(2, 2), mistake(1, 1)],
};
const better = (hole: number, loss: number) => ({
  hole: { hole, shares: [share(loss, 1 - loss), hole === 1 ? share(1, 0) : null] },
  mistakes: [mistake(hole, loss)],
});

let answers: Record<string, unknown[]>;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async (path: string) => {
    const answer = answers[String(path).slice(-1)]?.shift() as { error?: string };
    return { ok: !answer.error, json: async () => answer };
  });
});
afterEach(() => vi.useRealTimers());

async function refined(isWanted = () => true): Promise<[number, Analysis][]> {
  const told: [number, Analysis][] = [];
  const done = refine(quick, isWanted, (analysis, holes) => told.push([holes, analysis]));
  await vi.runAllTimersAsync();
  await done;
  return told;
}

test("each hole that was played out takes its place in the sums and in the list", async () => {
  answers = { 1: [better(1, 0.5)], 2: [better(2, 3)] };
  const told = await refined();
  expect(told.map(([holes]) => holes)).toEqual([0, 1, 2]);
  expect(told[0]?.[1]).toBe(quick);
  const [, last] = told[2]!;
  expect(last.totals[0]).toEqual({ points: 18, at_deal: 16, luck: -1.5, mistakes: 3.5, turns: 10, errors: 2 });
  expect(last.totals[1]).toEqual(share(1, 0));
  expect(last.mistakes.map(({ loss }) => loss)).toEqual([3, 0.5]);
});

test("a busy server is asked again, and what it refuses stays as it was", async () => {
  answers = { 1: [{ error: "coach_busy" }, { error: "overloaded", params: { seconds: 5 } }, better(1, 0.5)], 2: [{ error: "game_gone" }] };
  const told = await refined();
  expect(answers[1]).toEqual([]);
  expect(told.at(-1)?.[0]).toBe(2);
  expect(told.at(-1)?.[1].mistakes.map(({ loss }) => loss)).toEqual([2, 0.5]);
});

test("nothing more is asked for once nobody looks", async () => {
  answers = { 1: [better(1, 0.5)], 2: [better(2, 3)] };
  let looks = 2;
  await refined(() => looks-- > 0);
  expect(answers[2]).toHaveLength(1);
});
