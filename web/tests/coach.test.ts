/** What the coach says: every reason is a sentence in every language, and every move has words. */
import { expect, test, vi } from "vitest";
import type { GameFacts, Mistake } from "../src/lib/messages";
import reasons from "../messages/reasons/en.json";

vi.stubGlobal("navigator", { languages: ["en"] });
const { againstInWords, amount, lostInWords, moveInWords, ratedInWords, reasonInWords, luckInWords, momentInWords, signed, skillInWords, skillNote, strokes } = await import("../src/coach/coachWords");
const { Hinting } = await import("../src/coach/hinting.svelte");
const { settings } = await import("../src/lib/settings.svelte");
const { locales } = await import("../src/paraglide/runtime");
const { table } = await import("./table/fake");

const FACTS = { columns: 4, rows: 2, lines_are_columns: true } as never;
const REASONS = Object.keys(reasons).flatMap((key) => /^coach_why_(?!but$|part$)(.*)/.exec(key)?.[1] ?? []);
const PARAMS = {
  face: "7", old: "12", slot: "b2", player: 1, strokes: 3.7, points: 5, others: 12.4, lines: 2, count: 2,
  unseen: 66, move: "discard",
}; // prettier-ignore

test.each(locales)("every reason is a whole sentence in %s", (locale) => {
  settings.language = locale;
  for (const key of REASONS) {
    const words = reasonInWords({ key, params: PARAMS }, ["Ann", "Ben"], FACTS);
    expect(words, key).toMatch(/[.。]$/u);
    expect(words, key).not.toMatch(/undefined|NaN|\{|\[object/);
  }
});

test("one point, one stroke and the others have their forms in every language", () => {
  const words = (points: number) => reasonInWords({ key: "stays", params: { points } }, [], FACTS).match(/−?\d[\d.,]*\u00a0?(?:points?|Punkte?|点)/u)?.[0];
  const said = (locale: string) => ((settings.language = locale), [0, 1, -1, 1.5, 2, 21].map((points) => words(points)?.replace("\u00a0", " ")));
  expect(said("en")).toEqual(["0 points", "1 point", "−1 point", "1.5 points", "2 points", "21 points"]);
  expect(said("fr")).toEqual(["0 point", "1 point", "−1 point", "1,5 point", "2 points", "21 points"]);
  expect(said("de")).toEqual(["0 Punkte", "1 Punkt", "−1 Punkt", "1,5 Punkte", "2 Punkte", "21 Punkte"]);
  expect(said("ja")).toEqual(["0点", "1点", "−1点", "1.5点", "2点", "21点"]);
  settings.language = "en";
});

test("a reason nobody here knows is left out", () => {
  expect(reasonInWords({ key: "never_heard_of", params: {} }, [], FACTS)).toBe("");
});

test("a reason that is not the whole of it says so", () => {
  settings.language = "en";
  const params = { face: "5", old: "Q", strokes: 7 };
  const words = (more: object) => reasonInWords({ key: "replaces", params: { ...params, ...more } }, [], FACTS);
  expect(words({})).toBe("5 in place of queen:\u00a07.0\u00a0strokes fewer.");
  expect(words({ part: 1 })).toBe("5 in place of queen:\u00a07.0\u00a0strokes fewer. That’s only part of the difference.");
  expect(words({ but: "stock" })).toBe("5 in place of queen:\u00a07.0\u00a0strokes fewer. But this is better: draw from the stock.");
});

test("a mistake says what it cost, and not only that another move is better", () => {
  const against = (key: string, more: object = {}) =>
    againstInWords({ why: { key, params: { face: "5", old: "Q", strokes: 7, move: "stock", ...more } } } as never, [], FACTS);
  expect(against("raises")).toBe(reasonInWords({ key: "raises", params: { face: "5", old: "Q", strokes: 7 } }, [], FACTS));
  expect([against("better"), against("replaces", { but: "stock" })]).toEqual(["", ""]);
});

test("strokes have a true minus sign, one decimal, and no minus before nothing", () => {
  settings.language = "en";
  expect([signed(2.04), signed(-0.44), signed(-0.01), amount(-0.04)]).toEqual(["+2.0", "−0.4", "0.0", "0.0"]);
  expect([strokes(2.1), strokes(1), strokes(0.96)]).toEqual(["2.1\u00a0strokes", "1.0\u00a0strokes", "1.0\u00a0strokes"]);
  settings.language = "fr";
  expect(strokes(1.5)).toBe("1,5\u00a0coup");
  settings.language = "de";
  expect([strokes(2.5), strokes(1)]).toEqual(["2,5\u00a0Schläge", "1,0\u00a0Schläge"]);
  settings.language = "en";
});

test("a loss is said with its interval, if that is known", () => {
  settings.language = "en";
  expect(lostInWords({ loss: 2.1, low: 1.24, high: 2.96 })).toBe("2.1\u00a0strokes (1.2–3.0)");
  expect(lostInWords({ loss: 2.1, low: null, high: null })).toBe("2.1\u00a0strokes");
  settings.language = "ja";
  expect(lostInWords({ loss: 2.1, low: 1.24, high: 2.96 })).toBe("2.1打（1.2〜3.0）");
  settings.language = "en";
});

test("a move is said with the card it is about and what lies there", () => {
  settings.language = "en";
  expect(moveInWords("discard", "take", "7", { place: "b2" })).toBe("take the 7 (for b2)");
  expect(moveInWords("discard_drawn", "place", "12")).toBe("discard the 12");
  expect(moveInWords("a1", "flip", null)).toBe("turn up a1");
  expect(moveInWords("pass", "flip", null)).toBe("turn nothing up");
  expect(moveInWords("knock", "take", "7")).toBe("knock");
  expect(moveInWords("decline", "take", "7")).toBe("skip the last turn");
  const view = table({ phase: "place", held: { face: "4", pile: "S" } });
  const why = { key: "equal", params: {} };
  const rated = { move: "b2", code: 5, worth: 1, loss: 0, low: 0, high: 0, equal: true, why, place: null };
  expect(ratedInWords(rated, "place", view, FACTS)).toBe("place the 4 on b2 (face down)");
});

test("a hint lights up what is as good as the best, and is gone once the table has changed", async () => {
  const why = { key: "equal", params: {} };
  const moves = [0, 0.04, 0.3].map((loss, at) => ({ move: ["a1", "stock", "a3"][at], loss, why, place: null }));
  const answer = { event: 4, seat: 0, phase: "take", moves };
  vi.stubGlobal("fetch", vi.fn(async () => new Response(JSON.stringify(answer))));
  const hinting = new Hinting("BCDFGH", {} as GameFacts);
  const view = table();
  await hinting.ask(view);
  expect([...hinting.best]).toEqual(["a1", "S"]);
  hinting.follow({ ...view, seats: view.seats });
  expect(hinting.open).toBe(true);
  hinting.follow(table({ stock_left: 79 }));
  expect([hinting.open, hinting.hint, hinting.best.size]).toEqual([false, null, 0]);
  vi.unstubAllGlobals();
});

const ANN = { seat: 0, name: "Ann", you: true };
const CARD = { whom: 0, luck: -7.3, hole: 4, player: 0, step: 9, turn: 3, slot: "stock", face: "H", layout: [] };
const MOVE = { loss: 5.2, low: 4, high: 6, hole: 2, player: 0, step: 7, move: 3, turn: 2, phase: "place", played: "b2", face: "12", why: { key: "equal", params: {} }, better: { move: "discard_drawn", code: 9, place: null, why: { key: "equal", params: {} } }, layout: [] } as Mistake;

test.each(locales)("luck, skill and the moment that decided are whole sentences in %s, of the reader and of others", (locale) => {
  settings.language = locale;
  for (const you of [true, false]) {
    const whom = { ...ANN, you };
    const moments = [CARD, { ...CARD, slot: "a1", player: 1 }, MOVE].flatMap((what) => [-5, 5].flatMap((gain) => momentInWords({ gain, what }, whom, ["Ann", "Ben"])));
    const skills = [{ own: 5, theirs: 12 }, { own: 12, theirs: 5 }, { own: 5, theirs: 5.2 }].flatMap((skill) => [skillInWords(skill, whom, "Ben"), skillNote(skill, whom, "Ben")]);
    for (const sentence of [...[-8.4, 0.2, 8.4].map((luck) => luckInWords(luck, whom)), ...skills, ...moments]) {
      expect(sentence).toMatch(/^[^−{}]*[.。]$/u); // for better or worse in words, not by a sign
      expect(sentence).not.toMatch(/undefined|NaN|\[object/);
    }
  }
  settings.language = "en";
});

test("the reader is addressed, and others have their name", () => {
  settings.language = "en";
  expect(luckInWords(-8.4, ANN)).toBe("Luck was on your side: it saved you 8.4\u00a0strokes.");
  expect(luckInWords(0.4, { ...ANN, you: false })).toBe("Ann had neither good luck nor bad.");
  expect(skillInWords({ own: 5.4, theirs: 12.1 }, ANN, "Ben")).toBe("You played 6.7\u00a0strokes better than Ben.");
  expect(skillInWords({ own: 12.1, theirs: 5.4 }, ANN, "the others on average")).toBe("You played 6.7\u00a0strokes worse than the others on average.");
  expect(skillNote({ own: 5.4, theirs: 12.1 }, ANN, "Ben")).toMatch(/gave away 5.4\u00a0strokes in all; Ben:\u00a012.1\u00a0strokes\.$/);
});

test("a moment tells what came and what it was worth, and of one's own mistake what would have been better", () => {
  settings.language = "en";
  const said = (gain: number, what: typeof CARD | Mistake) => momentInWords({ gain, what }, ANN, ["Ann", "Ben"]).join(" ");
  expect(said(7.3, CARD)).toBe("You drew the Hole-in-One. That was worth 7.3\u00a0strokes to you.");
  expect(said(-7.3, { ...CARD, player: 1, slot: "b2" })).toBe("Ben turned up the Hole-in-One. That cost you 7.3\u00a0strokes.");
  expect(said(-5.2, MOVE)).toBe("Your move: place the 12 on b2. That cost you 5.2\u00a0strokes. Better: discard the 12.");
  expect(said(5.2, { ...MOVE, player: 1 })).toBe("Ben’s move: place the 12 on b2. That was worth 5.2\u00a0strokes to you.");
});
