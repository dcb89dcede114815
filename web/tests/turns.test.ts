/** Play by turns: the time that is left, in the reader's language. */
import { afterEach, expect, test } from "vitest";
import { TURN_HOURS } from "../src/lib/lists";
import { settings } from "../src/lib/settings.svelte";
import { isByTurns, longTime, TURN_DAYS, yourTurn } from "../src/lib/turns";
import { tempoHint } from "../src/parts/tempoHint";

const HOUR = 3_600;
const plain = (text: string) => text.replaceAll("\u00a0", " ");

afterEach(() => void (settings.language = ""));

test("the days are those of the server", () => {
  expect(Object.fromEntries(Object.entries(TURN_DAYS).map(([tempo, days]) => [tempo, 24 * days]))).toEqual(TURN_HOURS);
  expect((["family", "quick", "day", "week"] as const).map(isByTurns)).toEqual([false, false, true, true]);
});

test.each([
  [168 * HOUR, "7 days"],
  [72 * HOUR - 2, "3 days"], // the turn has just begun
  [70 * HOUR, "2 days"],
  [46 * HOUR, "46 hours"],
  [24 * HOUR - 2, "24 hours"],
  [HOUR, "1 hour"],
  [59 * 60, "1 hour"],
  [58 * 60, "58 minutes"],
  [3, "1 minute"],
])("%i seconds are %s", (seconds, words) => {
  settings.language = "en";
  expect(plain(longTime(seconds))).toBe(words);
});

test.each([
  ["de", "Du bist dran · noch 2 Tage", "3 Tage"],
  ["fr", "À vous de jouer · encore 2 jours", "3 jours"],
  ["ja", "あなたの番です · あと2日", "3日"],
] as const)("in %s", (language, row, days) => {
  settings.language = language;
  expect(plain(yourTurn(48))).toBe(row);
  expect(plain(yourTurn())).toBe(row.split(" · ")[0]);
  expect(plain(tempoHint("three_days"))).toContain(days);
});
