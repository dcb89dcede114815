import { afterEach, describe, expect, test, vi } from "vitest";
import type { Event, Step } from "../../src/lib/messages";
import { PLAY_NINE, HIDDEN, seat, table } from "./fake";

vi.stubGlobal("navigator", { languages: ["en"] });
const { settings } = await import("../../src/lib/settings.svelte");
const { lineNames } = await import("../../src/golf/lines");
const { partInWords, slotLabel, sumOf } = await import("../../src/golf/words");
const { eventsInWords, isVeryGood, passInWords, whatToDo, whatTheyDo } = await import("../../src/table/tableWords");

const speak = (language: string) => (settings.language = language);
afterEach(() => speak("en"));
const step = (more: Partial<Step>): Step => ({
  is: "Step",
  seat: 0,
  phase: "place",
  move: "b2",
  face: "7",
  went: "9",
  from_hidden: false,
  closed: false,
  renewed: false,
  cleared: [],
  ...more,
});
const say = (...events: Event[]) => eventsInWords(events, table());

test("who plays on for someone, and why", () => {
  const lent = (why: "asked" | "absent" | "clock") => say({ is: "Lent", seat: 1, player: "greedy", why });
  expect([lent("asked"), lent("absent"), lent("clock")].flat()).toEqual([
    "A computer player plays for Ben",
    "Ben is away: a computer player has taken over",
    "Ben’s time is up: a computer player takes over",
  ]);
  expect(say({ is: "GivenUp", hole: 3 })).toEqual(["The match was ended without a winner"]);
});

describe("moves in words", () => {
  test("every kind of step", () => {
    speak("en");
    expect(say(step({ phase: "tee_off", move: "a1", face: "H" }))).toEqual(["Ann turned up a1:\u00a0Hole-in-One"]);
    expect(say(step({ phase: "take", move: "S" }))).toEqual(["Ann drew the 7 from the stock"]);
    expect(say(step({ phase: "take", move: "D" }))).toEqual(["Ann took the 7 from the discard pile"]);
    expect(say(step({}))).toEqual(["Ann placed the 7 on b2, replacing the 9"]);
    expect(say(step({ from_hidden: true }))).toEqual(["Ann placed the 7 on b2. The hidden card:\u00a09"]);
    expect(say(step({ move: "-" }))).toEqual(["Ann discarded the 7"]);
    expect(say(step({ phase: "flip", move: ".", face: null }))).toEqual(["Ann turned nothing up"]);
    expect(say(step({ phase: "take", move: ".", face: null }))).toEqual(["Ann skipped the last turn"]);
    expect(say(step({ phase: "take", move: ".", face: null, closed: true }))[0]).toBe("Ann knocked");
  });
  test("closing and a new stock are said as well", () => {
    expect(say(step({ closed: true, renewed: true }))).toHaveLength(3);
  });
  test("one sentence for one player's reveal", () => {
    const said = say(
      { is: "Revealed", seat: 1, slot: "a1", face: "4" },
      { is: "Revealed", seat: 1, slot: "b1", face: "*" },
    );
    expect(said).toEqual(["Ben turned up the hidden cards: 4 on a1 and joker on b1"]);
  });
  test("German cards take their article, French and Japanese theirs", () => {
    speak("de");
    expect(say(step({ phase: "take", move: "D", face: "K" }))).toEqual(["Ann hat den König vom Ablagestapel genommen"]);
    speak("fr");
    expect(say(step({ phase: "take", move: "D", face: "A" }))).toEqual(["Ann a pris l’as dans la défausse"]);
    speak("ja");
    expect(say(step({ phase: "take", move: "D", face: "Q" }))).toEqual(["Annが捨て札の山からクイーンを取りました"]);
  });
});

describe("what to do", () => {
  test("is read off the legal moves", () => {
    expect(whatToDo(table(), PLAY_NINE)).toBe("Take the 7, or draw from the stock");
    expect(whatToDo(table({ legal: ["S"] }), PLAY_NINE)).toBe("Draw from the stock");
    const held = { face: "3", pile: "S" } as const;
    expect(whatToDo(table({ phase: "place", held, legal: ["a1", "-"] }), PLAY_NINE)).toContain("or discard it");
    expect(whatToDo(table({ phase: "place", held, legal: ["a1"] }), PLAY_NINE)).toBe("Swap the 3 for one of your cards");
    expect(whatToDo(table({ phase: "flip", legal: ["a1", "."] }), PLAY_NINE)).toContain("leave it face down");
    expect(whatToDo(table({ phase: "flip", legal: ["a1", "b1", "."] }), PLAY_NINE)).toBe("Turn up one of your face-down cards, or none");
    const first = table({ legal: ["S", "D", "."] });
    expect(whatToDo(first, PLAY_NINE)).toBe("Take the 7, draw from the stock, or knock to close");
    expect(passInWords(first)).toBe("Knock");
    const last = table({ legal: ["S", "D", "."], closer: 1 });
    expect(whatToDo(last, PLAY_NINE)).toBe("Take the 7, draw from the stock, or skip your last turn");
    expect(passInWords(last)).toBe("Skip last turn");
    expect(passInWords(table({ phase: "flip", legal: ["a1", "."] }))).toBe("Leave face down");
  });
  test("counts the cards still to turn up", () => {
    expect(whatToDo(table({ phase: "tee_off" }), PLAY_NINE)).toBe("Turn up 2 of your cards");
    const one = table({ phase: "tee_off", seats: [seat("Ann", ["4", ...HIDDEN.slice(1)])] });
    expect(whatToDo(one, PLAY_NINE)).toBe("Turn up one more of your cards");
  });
  test("tells what the others do", () => {
    expect(whatTheyDo(table({ turn: 1 }))).toBe("Ben is choosing a pile");
    expect(whatTheyDo(table({ turn: 1, phase: "place", held: { face: "H", pile: "D" } }))).toBe(
      "Ben is holding the Hole-in-One",
    );
  });
});

describe("the parts of a score", () => {
  const part = { rule: "5.2", points: 0, faces: ["7"], lines: 1, beaten_by: [] };
  test("names the lines", () => {
    expect(lineNames(["a1", "a2", "c1", "c2"], PLAY_NINE)).toEqual(["a", "c"]);
    expect(partInWords({ ...part, kind: "line", slots: ["a1", "a2"] }, table(), PLAY_NINE)).toBe("Column a matches: 7s");
    expect(partInWords({ ...part, kind: "bonus", slots: [], lines: 2 }, table(), PLAY_NINE)).toBe(
      "Bonus for 2 columns of 7s",
    );
  });
  test("names the cards of a line in the plural", () => {
    const kings = { ...part, faces: ["K"], kind: "line" as const, slots: ["a1", "a2"] };
    expect(partInWords(kings, table(), PLAY_NINE)).toContain("kings");
  });
  test("adds up single cards with real minus signs", () => {
    expect(sumOf(["7", "H", "0", "12"], PLAY_NINE)).toBe("7 −\u00a05 +\u00a00 +\u00a012");
    expect(sumOf(["H", "3"], PLAY_NINE)).toBe("−5 +\u00a03");
  });
});

test("a card says where it lies", () => {
  expect(slotLabel("b2", null)).toBe("b2, face down");
  expect(slotLabel("b1", "7")).toBe("b1, row 1, column 2:\u00a07");
});

test("very good are the few cards that cost least", () => {
  const good = PLAY_NINE.faces.filter(({ name }) => isVeryGood(name, PLAY_NINE)).map(({ name }) => name);
  expect(good).toEqual(["0", "H"]);
});
