/** Who came in where, in every language. */
import { afterEach, expect, test, vi } from "vitest";
import { settings } from "../../src/lib/settings.svelte";
import { bestHoleOf, placeInWords, placesOf, standingInWords } from "../../src/results/standing";

vi.stubGlobal("navigator", { languages: ["en"] });
afterEach(() => void (settings.language = ""));

const alone = (place: number) => ({ place, shared: false });
const shared = (place: number) => ({ place, shared: true });

test("the fewest points come first, and equal totals share a place", () => {
  expect(placesOf({ totals: [385, 157, 200, 200, 201], winners: [1] })).toEqual([alone(5), alone(1), shared(2), shared(2), alone(4)]);
});

test("a win can be shared, and a play-off decides between equal totals", () => {
  expect(placesOf({ totals: [90, 90, 95], winners: [0, 1] })).toEqual([shared(1), shared(1), alone(3)]);
  expect(placesOf({ totals: [90, 90, 90], winners: [1] })).toEqual([shared(2), alone(1), shared(2)]);
});

test("one of several holes is the best, play-offs aside, and the only one of a match is not", () => {
  const line = (hole: number, points: number, playoff = 0) => ({ hole, playoff, dealer: 0, closer: 0, stand_ins: [], points: [points] });
  expect(bestHoleOf([line(1, 12), line(2, 7), line(3, 7), line(4, -3, 1)], 0)?.hole).toBe(2);
  expect(bestHoleOf([line(1, 100)], 0)).toBeNull(); // a match to 100 points that ended at once
  expect(bestHoleOf([line(1, 12), line(2, 7, 1)], 0)).toBeNull();
});

test("places are ordinals as each language writes them", () => {
  const said = (language: string) => {
    settings.language = language;
    return [1, 2, 3, 4, 8].map((place) => placeInWords(alone(place)));
  };
  expect(said("en")).toEqual(["1st", "2nd", "3rd", "4th", "8th"]);
  expect(said("fr")).toEqual(["1er", "2e", "3e", "4e", "8e"]);
  expect(said("de")).toEqual(["1. Platz", "2. Platz", "3. Platz", "4. Platz", "8. Platz"]);
  expect(said("ja")).toEqual(["1位", "2位", "3位", "4位", "8位"]);
});

test("the reader is told their place and total, and several on one device by name", () => {
  expect(standingInWords(alone(3), 385, null)).toBe("You: 3rd, 385\u00a0points");
  expect(standingInWords(shared(2), 1, "Ann")).toBe("Ann: tied 2nd, 1\u00a0point");
  settings.language = "fr";
  expect(standingInWords(shared(2), 385, null)).toBe("Vous\u00a0: 2e ex æquo, 385\u00a0points");
  settings.language = "ja";
  expect(standingInWords(shared(1), 385, null)).toBe("あなた：同率1位、385点");
});
