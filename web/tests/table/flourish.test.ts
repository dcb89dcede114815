/** What deserves a moment of its own, in games of each kind. */
import { describe, expect, test, vi } from "vitest";
import type { Event, GameFacts, Step } from "../../src/lib/messages";
import { cards, nineCard, playNine } from "../pad/tables";
import { seat, table } from "./fake";

vi.stubGlobal("navigator", { languages: ["en"] });
const { flourishesOf } = await import("../../src/table/flourish");

const step = (more: Partial<Step>): Step => ({ is: "Step", seat: 0, phase: "place", move: "a1", face: "7", went: "9", from_hidden: false, closed: false, renewed: false, cleared: [], ...more });
const draws = (face: string) => step({ phase: "take", move: "S", face, went: null });
const lies = (layout: string) => table({ seats: [seat("Ann", cards(layout).map((face) => (face === "?" ? null : face))), seat("Ben", Array(12).fill(null))] });
/** What a step makes of a layout, as "kind: spots". */
const seen = (facts: GameFacts, event: Event, before: string, after = before) =>
  flourishesOf([event], lies(before), lies(after), facts).map(({ kind, spots }) => `${kind}: ${spots.toSorted().join(" ")}`);

describe("a match", () => {
  test("is made by the card that completes it, wherever that came from", () => {
    expect(seen(playNine, step({ move: "b2" }), "? 7 3 ? / ? 12 ? ?", "? 7 3 ? / ? 7 ? ?")).toEqual(["matched: 0-b1 0-b2"]);
    expect(seen(playNine, step({ phase: "flip", move: "b2", went: null }), "? 7 3 ? / ? ? ? ?", "? 7 3 ? / ? 7 ? ?")).toEqual(["matched: 0-b1 0-b2"]);
    expect(seen(playNine, { is: "Revealed", seat: 0, slot: "b2", face: "7" }, "? 7 3 ? / ? ? ? ?", "? 7 3 ? / ? 7 ? ?")).toEqual(["matched: 0-b1 0-b2"]);
  });
  test("follows the lines of the game", () => {
    expect(seen(nineCard, step({ move: "c2", face: "4" }), "? ? ? / 4 4 ? / ? ? ?", "? ? ? / 4 4 4 / ? ? ?")).toEqual(["matched: 0-a2 0-b2 0-c2"]);
    expect(seen(nineCard, step({ move: "b3", face: "4" }), "? 4 ? / ? 4 ? / ? ? ?", "? 4 ? / ? 4 ? / ? 4 ?")).toEqual([]);
    const crossing = { ...nineCard, other_lines: 2, bonus: [] };
    expect(seen(crossing, step({ move: "c3", face: "4" }), "4 ? ? / ? 4 ? / ? ? ?", "4 ? ? / ? 4 ? / ? ? 4")).toEqual(["matched: 0-a1 0-b2 0-c3"]);
  });
  test("shows all lines that earn a bonus together", () => {
    expect(seen(playNine, step({ move: "d2" }), "7 1 2 7 / 7 3 4 ?", "7 1 2 7 / 7 3 4 7")).toEqual(["matched: 0-a1 0-a2 0-d1 0-d2"]);
    expect(seen(playNine, step({ move: "d2", face: "6" }), "7 1 2 6 / 7 3 4 ?", "7 1 2 6 / 7 3 4 6")).toEqual(["matched: 0-d1 0-d2"]);
  });
  test("may be a square", () => {
    const squares = { ...nineCard, other_lines: 1, bonus: [], block_points: -25 };
    expect(seen(squares, step({ move: "b2", face: "4" }), "4 4 ? / 4 ? ? / ? ? ?", "4 4 ? / 4 4 ? / ? ? ?")).toEqual(["matched: 0-a1 0-a2 0-b1 0-b2"]);
  });
  test("is none where it was made before, where another slot changes, and where it costs more than its cards", () => {
    expect(seen(playNine, step({ move: "b2" }), "? 7 / ? 7", "? 7 / ? 7")).toEqual([]);
    expect(seen(playNine, step({ move: "a1", face: "1" }), "? 7 3 ? / ? 7 ? ?", "1 7 3 ? / ? 7 ? ?")).toEqual([]);
    const twos = { ...playNine, bonus: [], faces: playNine.faces.map((face) => (face.name === "2" ? { ...face, points: -2 } : face)) };
    expect(seen(twos, step({ move: "a2", face: "2" }), "2 1 3 ? / ? 5 ? ?", "2 1 3 ? / 2 5 ? ?")).toEqual([]);
  });
});

describe("the best card of the game", () => {
  test("is one when it comes up: from the stock, in a layout, or at the reveal", () => {
    expect(seen(playNine, draws("H"), "? 7 3 ? / ? 12 ? ?")).toEqual(["best: hand"]);
    expect(seen(playNine, step({ phase: "tee_off", move: "c1", face: "H", went: null }), "? ? ? ? / ? ? ? ?", "? ? H ? / ? ? ? ?")).toEqual(["best: 0-c1"]);
    expect(seen(playNine, { is: "Revealed", seat: 0, slot: "d2", face: "H" }, "1 2 3 4 / 5 6 7 ?", "1 2 3 4 / 5 6 7 H")).toEqual(["best: 0-d2"]);
    expect(seen(nineCard, draws("*"), "? ? ? / ? ? ? / ? ? ?")).toEqual(["best: hand"]);
    const withoutJokers = { ...nineCard, faces: nineCard.faces.map((face) => (face.name === "*" ? { ...face, copies: 0 } : face)) };
    expect(seen(withoutJokers, draws("K"), "? ? ? / ? ? ? / ? ? ?")).toEqual(["best: hand"]);
  });
  test("is none once everybody has seen it, and where it is thrown away unseen", () => {
    const after = "H 7 3 ? / ? 12 ? ?";
    expect(seen(playNine, step({ phase: "take", move: "D", face: "H", went: null }), "? 7 3 ? / ? 12 ? ?")).toEqual([]);
    expect(seen(playNine, step({ face: "H" }), "? 7 3 ? / ? 12 ? ?", after)).toEqual([]);
    expect(seen(playNine, step({ face: "1", went: "H", from_hidden: true }), "? 7 3 ? / ? 12 ? ?", "1 7 3 ? / ? 12 ? ?")).toEqual([]);
  });
});

describe("a stroke of luck", () => {
  test("is a drawn card that matches, where few others would", () => {
    expect(seen(playNine, draws("12"), "? 12 ? ? / ? 3 ? ?")).toEqual(["lucky: hand"]);
    expect(seen(playNine, draws("3"), "? 12 ? ? / ? 3 ? ?")).toEqual(["lucky: hand"]);
    expect(seen(nineCard, draws("4"), "4 4 9 / ? 1 ? / ? ? ?")).toEqual(["lucky: hand"]);
  });
  test("is none with a card that matches nothing, with one of many, from the discard pile, and where it saves nothing", () => {
    expect(seen(playNine, draws("5"), "? 12 ? ? / ? 3 ? ?")).toEqual([]);
    expect(seen(playNine, draws("12"), "4 12 ? ? / ? 3 ? ?")).toEqual([]);
    expect(seen(playNine, step({ phase: "take", move: "D", face: "12", went: null }), "? 12 ? ? / ? 3 ? ?")).toEqual([]);
    expect(seen(playNine, draws("0"), "? 0 ? ? / ? ? ? ?")).toEqual([]);
  });
});

test("a closing comes before the match it makes, and after the best card of all", () => {
  const closing = step({ move: "d2", face: "2", closed: true, from_hidden: true });
  expect(seen(playNine, closing, "1 4 3 2 / 5 6 7 ?", "1 4 3 2 / 5 6 7 2")).toEqual(["closed: 0", "matched: 0-d1 0-d2"]);
  expect(seen(playNine, { ...closing, phase: "flip", face: "H" }, "1 4 3 2 / 5 6 7 ?", "1 4 3 2 / 5 6 7 H")).toEqual(["best: 0-d2", "closed: 0"]);
  expect(seen(playNine, step({ phase: "take", move: ".", face: null, closed: true }), "? ? / ? ?")).toEqual(["closed: 0"]);
});
