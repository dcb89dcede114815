/** Jack, queen and king have the letters of the reader's deck; what is typed and written means the same faces. */
import { afterEach, expect, test, vi } from "vitest";
import { GLYPHS } from "../src/cards/art";
import { faceTyped, inLetters, letterOf, usualCourt } from "../src/golf/court";
import { COURTS, validSettings, settings } from "../src/lib/settings.svelte";
import { typeFace } from "../src/pad/typing";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "*"];

afterEach(() => {
  settings.court = "";
  settings.language = "en";
});

test.each([
  ["fr", "VDR"],
  ["fr-FR", "VDR"],
  ["fr-CH", "VDR"],
  ["fr-CA", "JQK"],
  ["fr-Latn-CA", "JQK"],
  ["de", "BDK"],
  ["de-AT", "BDK"],
  ["en-CA", "JQK"],
  ["ja", "JQK"],
])("a deck in %s has %s", (tag, letters) => {
  expect(usualCourt(tag)).toBe(letters);
});

test("the region's letters, unless others are chosen", () => {
  settings.language = "fr";
  vi.stubGlobal("navigator", { languages: ["fr-FR"] });
  const shown = () => RANKS.slice(-5).map(letterOf).join(" ");
  expect(shown()).toBe("10 V D R *");
  vi.stubGlobal("navigator", { languages: ["en-CA", "fr-CA"] });
  expect(shown()).toBe("10 J Q K *");
  settings.court = "BDK";
  expect(shown()).toBe("10 B D K *");
  expect(inLetters("K K K / * * * / A Q J")).toBe("K K K / * * * / A D B");
});

test("every letter has a drawing, no two are drawn alike, and an unknown choice is forgotten", () => {
  const letters = [...new Set([...COURTS.join("")])];
  expect(new Set(letters.map((letter) => GLYPHS[letter]!.path)).size).toBe(letters.length);
  expect(validSettings({ court: "VDR" }).court).toBe("VDR");
  expect(validSettings({ court: "XYZ" }).court).toBe("");
});

test("cards are typed by the letters on them, and by those of the notation", () => {
  settings.court = "VDR";
  const typed = (keys: string) => [...keys].map((key) => typeFace(RANKS, "", faceTyped(key, RANKS))?.faces[0]);
  expect(typed("vdrVDR")).toEqual(["J", "Q", "K", "J", "Q", "K"]);
  expect(typed("jQkA*")).toEqual(["J", "Q", "K", "A", "*"]);
  expect(typeFace(RANKS, "1", faceTyped("0", RANKS))).toEqual({ faces: ["10"], rest: "" });
  settings.court = "BDK";
  expect(typed("bdk")).toEqual(["J", "Q", "K"]);
  expect(faceTyped("D", ["D", "J"])).toBe("D");
});
