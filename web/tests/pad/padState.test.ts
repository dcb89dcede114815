import { flushSync } from "svelte";
import { expect, test } from "vitest";
import { PadState } from "../../src/pad/padState.svelte";
import { newGame } from "../../src/pad/edit";
import { sheetOf, type Sheet } from "../../src/pad/undo";
import { nineCard, playNine } from "./tables";

function pad(rules = playNine, ...players: string[]) {
  const kept: Sheet[] = [];
  const made = new PadState(sheetOf(newGame(rules, players.length ? players : ["Ann", "Ben"], 0, 1, "game")), (sheet) => kept.push(sheet), "points");
  return { pad: made, kept };
}

function type(one: PadState, total: string): void {
  for (const key of total) one.digit(key);
  flushSync();
}

const asked = (one: PadState) => (one.asked.is === "entry" ? `${one.asked.hole}:${one.asked.player}` : one.asked.is);

test("a total goes on by itself once no longer one can be meant", () => {
  const { pad: one, kept } = pad();
  type(one, "12");
  expect(asked(one)).toBe("0:1");
  type(one, "7"); // perhaps 70
  expect(asked(one)).toBe("0:1");
  one.settle();
  expect(asked(one)).toBe("1:0");
  type(one, "0");
  expect(asked(one)).toBe("1:1");
  type(one, "-12");
  expect(asked(one)).toBe("2:0");
  expect(kept).toHaveLength(4);
  expect(one.match.totals).toEqual([12, -5]);
});

test("every deed is one step back", () => {
  const { pad: one } = pad();
  type(one, "12");
  type(one, "20");
  expect(one.game.holes).toHaveLength(2);
  one.undo();
  expect(one.game.holes).toHaveLength(1);
  expect(asked(one)).toBe("0:1");
  one.redo();
  expect(asked(one)).toBe("1:0");
});

test("what cannot be keeps the place until it is put right or overruled", () => {
  const { pad: one } = pad();
  for (const face of ["H", "H", "H", "H", "H", "1", "2", "3"]) one.card(face);
  expect(asked(one)).toBe("0:0");
  expect(one.raised.map(({ code }) => code)).toEqual(["face_in_layout"]);
  one.tapSlot(4);
  one.card("4");
  expect(one.raised).toEqual([]);
  one.back();
  expect(asked(one)).toBe("0:1");
  type(one, "99");
  expect(one.raised.map(({ code }) => code)).toEqual(["total_high"]);
  one.overrule(one.raised[0]!.key);
  expect(asked(one)).toBe("1:0");
});

test("who closed is asked only where it costs something", () => {
  const { pad: one } = pad(nineCard);
  type(one, "12");
  type(one, "20");
  expect(asked(one)).toBe("closer");
  one.closer(1);
  expect(one.match.totals).toEqual([12, 25]);
  type(one, "15");
  type(one, "15");
  expect(asked(one)).toBe("2:0");
});

test("the key beside the others takes the one before back, over the end of a layout too", () => {
  const { pad: one } = pad();
  for (const face of ["7", "7", "1", "1", "7", "7", "8", "5"]) one.card(face);
  expect(asked(one)).toBe("0:1");
  one.erase();
  expect(asked(one)).toBe("0:0");
  expect(one.layout).toHaveLength(7);
});
