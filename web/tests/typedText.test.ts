/** What people type is read as the server reads it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LOOKALIKES, numberIn, plain, word } from "../src/lib/typedText";

const vector = JSON.parse(readFileSync(new URL("../../tests/vectors/typed_text.json", import.meta.url), "utf-8")) as {
  lookalikes: Record<string, string>;
  plain: [string, string][];
  word: [string, string][];
  number: [string, number | null][];
};

test("the browser and the server know the same characters", () => {
  expect(LOOKALIKES).toEqual(vector.lookalikes);
});

test.each(vector.plain)("%s is read as %s", (typed, read) => {
  expect(plain(typed)).toBe(read);
});

test.each(vector.word)("%s in lower case is %s", (typed, read) => {
  expect(word(typed)).toBe(read);
});

test.each(vector.number)("%s is the number %s", (typed, read) => {
  expect(numberIn(typed)).toBe(read);
});
