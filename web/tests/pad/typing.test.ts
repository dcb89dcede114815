import { expect, test } from "vitest";
import { typeFace } from "../../src/pad/typing";

const NUMBERS = [...Array.from({ length: 13 }, (_, number) => String(number)), "H"];
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "*"];

/** All that a row of keys makes of itself. */
function typed(names: string[], keys: string): string[] {
  const faces: string[] = [];
  let rest = "";
  for (const key of keys) {
    const told = typeFace(names, rest, key);
    if (!told) continue;
    faces.push(...told.faces);
    rest = told.rest;
  }
  return rest ? [...faces, `${rest}…`] : faces;
}

test("cards are typed as they are written, with or without spaces", () => {
  expect(typed(NUMBERS, "7 10 1 2 h")).toEqual(["7", "10", "1", "2", "H"]);
  expect(typed(NUMBERS, "710h")).toEqual(["7", "10", "H"]);
  expect(typed(NUMBERS, "７１０ｈ")).toEqual(["7", "10", "H"]);
  expect(typed(["-2", "-1", "0", "12"], "−2－1–2ー1")).toEqual(["-2", "-1", "-2", "-1"]);
  expect(typed(RANKS, "kk*4j3999")).toEqual(["K", "K", "*", "4", "J", "3", "9", "9", "9"]);
});

test("a 1 waits for what may follow it, and what cannot follow settles it", () => {
  expect(typed(NUMBERS, "1")).toEqual(["1…"]);
  expect(typed(NUMBERS, "13")).toEqual(["1", "3"]);
  expect(typed(NUMBERS, "1 1 ")).toEqual(["1", "1"]);
  expect(typed(NUMBERS, "112")).toEqual(["11", "2"]);
  expect(typed(RANKS, "1a")).toEqual(["1…"]);
  expect(typed(RANKS, "10a")).toEqual(["10", "A"]);
});

test("what is no card is left alone", () => {
  expect(typeFace(NUMBERS, "", "x")).toBeNull();
  expect(typeFace(NUMBERS, "", "Tab")).toBeNull();
  expect(typeFace(NUMBERS, "", "Enter")).toBeNull();
});
