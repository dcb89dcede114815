/** The analysis of a match while one reads it, and the sums of its charts. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bounds, keyOf, sums, Telling } from "../src/coach/telling.svelte";
import type { Analysis, Mistake, Share } from "../src/lib/messages";

const share = (luck: number, mistakes: number): Share => ({ points: 9, at_deal: 8, luck, mistakes, turns: 5, errors: 1 });
const mistake = (hole: number, loss: number, step = 3) => ({ hole, step, loss, player: 0 }) as unknown as Mistake;
const quick: Analysis = {
  id: "WATCHWXZ-1",
  holes: [{ hole: 1, shares: [share(-2, 1), share(0, 3)] }, { hole: 2, shares: [share(5, 1), null] }],
  totals: [share(3, 2), share(0, 3)],
  mistakes: [mistake(1, 2), mistake(2, 1)],
  cards: [],
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async (path: string) => {
    const hole = Number(String(path).slice(-1));
    return Response.json({ hole: quick.holes[hole - 1], mistakes: [mistake(hole, hole === 2 ? 9 : 0.5), ...(hole === 2 ? [mistake(2, 4, 7)] : [])] });
  });
});
afterEach(() => vi.useRealTimers());

test("an analysis becomes better while one reads, and no mistake moves away", async () => {
  const heard: Analysis[] = [];
  const telling = new Telling(async () => quick, (better) => heard.push(better));
  telling.ask();
  expect(await telling.asked).toBe(quick);
  await vi.runAllTimersAsync();
  expect([telling.refined?.holes, heard.length, heard.at(-1)]).toEqual([2, 3, telling.refined?.analysis]);
  const { mistakes } = telling.refined!.analysis;
  expect(mistakes.map(keyOf)).toEqual(["2.3", "2.7", "1.3"]);
  expect(telling.inOrder(mistakes).map(keyOf)).toEqual(["1.3", "2.3", "2.7"]); // what is new comes last
});

test("after a failure it is asked for once more", async () => {
  const analyse = vi.fn(async () => quick).mockRejectedValueOnce(new Error());
  const telling = new Telling(analyse, () => {});
  telling.ask();
  await expect(telling.asked).rejects.toThrow();
  telling.ask();
  expect(await telling.asked).toBe(quick);
});

test("sums go from hole to hole, and all charts share a scale with 0 in it", () => {
  expect([sums(quick, 0, "luck"), sums(quick, 1, "mistakes")]).toEqual([[-2, 3], [3, 3]]);
  expect(bounds(quick)).toEqual({ least: -2, most: 3 });
});
