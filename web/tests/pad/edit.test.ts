import { expect, test } from "vitest";
import {
  addCard, clearEntry, doubtAgain, dropCard, newGame, nextHole, overrule, rematch, rename, setCard, setCloser, setDealer, setPoints,
} from "../../src/pad/edit"; // prettier-ignore
import { done, redo, sheetOf, undo } from "../../src/pad/undo";
import { family, nineCard, nineLevel, played } from "./tables";

const layout = (game: ReturnType<typeof family>, player = 0) => game.holes[0]!.entries[player];

test("cards come one after the other, into gaps first, and a total makes way for them", () => {
  const typed = setPoints(family(), 0, 0, 12);
  expect(layout(typed)).toEqual({ points: 12 });
  const tapped = ["7", "3", "1"].reduce((game, face) => addCard(game, 0, 0, face), typed);
  expect(layout(tapped)).toEqual({ layout: ["7", "3", "1"] });
  const gap = setCard(tapped, 0, 0, 1, "");
  expect(layout(gap)).toEqual({ layout: ["7", "", "1"] });
  expect(layout(addCard(gap, 0, 0, "H"))).toEqual({ layout: ["7", "H", "1"] });
  expect(layout(setCard(tapped, 0, 0, 7, "12"))).toEqual({ layout: ["7", "3", "1", "", "", "", "", "12"] });
  expect(setCard(tapped, 0, 0, 8, "12")).toBe(tapped);
  expect(layout(dropCard(tapped, 0, 0))).toEqual({ layout: ["7", "3"] });
  expect(layout(dropCard(setCard(family(), 0, 0, 0, "7"), 0, 0))).toBeNull();
  expect(layout(setPoints(tapped, 0, 0, -4))).toEqual({ points: -4 });
  expect(layout(clearEntry(tapped, 0, 0))).toBeNull();
});

test("a deed never touches the game it was done to, and one without effect changes nothing", () => {
  const game = family();
  const before = JSON.stringify(game);
  setCloser(setPoints(addCard(game, 0, 0, "7"), 0, 1, 3), 0, 1);
  expect(JSON.stringify(game)).toBe(before);
  for (const same of [
    setPoints(game, 5, 0, 3),
    setPoints(game, 0, 9, 3),
    setPoints(game, 0, 0, 1.5),
    setCloser(game, 0, 7),
    clearEntry(game, 0, 0),
    rename(game, 0, "  "),
    rename(game, 0, "Ann"),
    setDealer(game, 3),
    setDealer(game, 2),
    nextHole(game),
    doubtAgain(game, "pack"),
  ]) {
    expect(same).toBe(game);
  }
});

test("a rematch seats the same people, and the deal goes on to the left", () => {
  const game = played(family(), nineLevel.slice(0, 4));
  const again = rematch(rename(game, 1, "Benny"), undefined, 5_000, "again");
  expect(again).toMatchObject({ id: "again", players: ["Ann", "Benny", "Cleo"], dealer: 0, begun: 5_000, overruled: [] });
  expect(again.holes).toEqual([{ seats: [0, 1, 2], entries: [null, null, null], closer: null }]);
  expect(rematch(game, 1).dealer).toBe(1);
  expect(rematch(game).id).toMatch(/^[0-9a-f]{24}$/);
});

test("every deed can be undone, one by one, back to the empty sheet, and done again", () => {
  const deeds = [
    (game: ReturnType<typeof family>) => addCard(game, 0, 0, "7"),
    (game: ReturnType<typeof family>) => setPoints(game, 0, 1, 3),
    (game: ReturnType<typeof family>) => setPoints(game, 0, 0, 4),
    (game: ReturnType<typeof family>) => setPoints(game, 0, 2, 4),
    (game: ReturnType<typeof family>) => nextHole(game),
    (game: ReturnType<typeof family>) => rename(game, 2, "Clea"),
    (game: ReturnType<typeof family>) => overrule(game, "pack"),
    (game: ReturnType<typeof family>) => setDealer(game, 0),
  ];
  const states = [family()];
  let sheet = sheetOf(states[0]!);
  for (const deed of deeds) {
    sheet = done(sheet, deed(sheet.game), 2_000 + states.length);
    states.push(sheet.game);
  }
  const content = (game: ReturnType<typeof family>) => ({ ...game, changed: 0 });
  const end = sheet;
  for (const state of states.slice(0, -1).reverse()) {
    sheet = undo(sheet, 9_000);
    expect(content(sheet.game)).toEqual(content(state));
  }
  expect(undo(sheet)).toBe(sheet);
  for (const state of states.slice(1)) {
    sheet = redo(JSON.parse(JSON.stringify(sheet))); // as if the phone had been off between
    expect(content(sheet.game)).toEqual(content(state));
  }
  expect(sheet.done).toEqual(end.done);
  expect(redo(sheet)).toBe(sheet);
});

test("a new deed forgets what was undone; one without effect leaves no trace", () => {
  const first = done(sheetOf(family()), setPoints(family(), 0, 0, 3));
  const other = done(undo(first), setPoints(family(), 0, 0, 5));
  expect([other.done.length, other.undone.length]).toEqual([1, 0]);
  expect(done(other, { ...other.game })).toBe(other);
});

test("what can be undone of a whole game of eight, card by card, stays below a hundred kilobytes", () => {
  const eight = newGame(nineCard, Array.from({ length: 8 }, (_, n) => `Player ${n}`), 0, 0, "eight");
  let sheet = sheetOf(eight);
  for (let hole = 0; hole < 9; hole++) {
    for (let player = 0; player < 8; player++) {
      for (let card = 0; card < 9; card++) sheet = done(sheet, addCard(sheet.game, hole, player, nineCard.faces[(card + hole) % 14]!.name));
    }
    sheet = done(sheet, nextHole(setCloser(sheet.game, hole, 0)));
  }
  expect(sheet.done).toHaveLength(300);
  expect(JSON.stringify(sheet).length).toBeLessThan(100_000);
});
