/** No name and no title holds characters that nobody sees, or that turn the text around them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { calledNames } from "../src/cardboard/faults";
import { readRecord } from "../src/cardboard/kept";
import { visible } from "../src/lib/characters";
import { nameTroubles } from "../src/pad/checks";
import { newGame, rename } from "../src/pad/edit";
import { readGame } from "../src/pad/reading";
import { playNine } from "./pad/tables";

const vector = JSON.parse(readFileSync(new URL("../../tests/vectors/characters.json", import.meta.url), "utf-8")) as { hidden: [string, string][]; fine: string[] };

test("the characters are those the server knows too", () => {
  const ranges = vector.hidden.map((ends) => ends.map((end) => parseInt(end, 16)) as [number, number]);
  const isHidden = (code: number) => ranges.some(([first, last]) => first <= code && code <= last);
  const wrong = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => (visible(String.fromCodePoint(code)) === "") !== isHidden(code));
  expect(wrong).toEqual([]);
});

test("names of all peoples stay as they are", () => {
  for (const name of vector.fine) expect(visible(name)).toBe(name);
});

test("the pad takes them out of names that are typed, and out of games and rules from elsewhere", () => {
  const game = newGame(playNine, ["\u202eabc", "B\u200ben"], 0);
  expect(rename(game, 1, "B\u2066ill").players).toEqual(["abc", "Bill"]);
  const rules = { ...playNine, name: "my\u0007nine", title: `\u001b[31mNine\u202e${"x".repeat(100)}` };
  const read = readGame({ ...game, players: ["\u202eabc", "Ben"], rules });
  expect(read.players).toEqual(["abc", "Ben"]);
  expect(read.rules.name).toBe("mynine");
  expect(read.rules.title).toBe(`[31mNine${"x".repeat(52)}`);
  expect(nameTroubles(["\u200b\u202e", "Ann", "A\u200bnn"])).toEqual(["empty", null, "twice"]);
});

test("the coach for real cards takes them out of names and records", () => {
  expect(calledNames(["\u202eabc", "\u200b"])[0]).toBe("abc");
  const record = { format: 1, game: "play_nine", players: ["A\u202enn"], holes: [] };
  expect(readRecord(JSON.stringify(record))?.players).toEqual(["Ann"]);
});
