/** Which computer player says what, and when. */
import { expect, test, vi } from "vitest";
import type { Event, Step, View } from "../../src/lib/messages";
import { HIDDEN, PLAY_NINE, seat, table } from "./fake";

vi.stubGlobal("navigator", { languages: ["en"] });
const { answerTo, Banter, hasCharacter, remarkOnResult } = await import("../../src/table/banter");
const { locales, messageOf } = await import("../../src/lib/i18n.svelte");
const { settings } = await import("../../src/lib/settings.svelte");

const LEVELS = ["beginner", "weekend", "regular", "club", "pro", "search"];
const MOMENTS = ["hello", "close", "great", "praise", "won", "lost"];
const computer = (name: string, player: string, more = {}) => seat(name, HIDDEN, { kind: "computer", player, who: "", ...more });
const at = (more: Partial<View> = {}) => table({ seats: [seat("Ann", HIDDEN), computer("Caddie", "beginner"), computer("Eagle", "pro")], ...more });
const dealt: Event = { is: "Dealt", hole: 1, playoff: 0, dealer: 0, seats: [0, 1, 2], first_discard: "7", without_seed: [] };
const step = (more: Partial<Step>): Step => ({ is: "Step", seat: 1, phase: "take", move: "S", face: "7", went: null, from_hidden: false, closed: false, renewed: false, cleared: [], ...more });
const closes = step({ phase: "place", move: "a1", closed: true });
const heard = (what: Event[], view: View) => new Banter().remark(what, view, PLAY_NINE);
/** Holes of a long match, of which each has its topic. */
const holes = (more: Partial<View> = {}) => Array.from({ length: 40 }, (_, at_) => at({ hole: at_ + 2, length: 99, ...more }));
const scored = (points: number[], more: Partial<View> = {}) => {
  const view = at(more);
  return { ...view, seats: view.seats.map((one, number) => ({ ...one, points: points[number]! })) };
};

test("every level has its own line for every moment, in every language", () => {
  for (const locale of locales) {
    settings.language = locale;
    for (const moment of MOMENTS) {
      const lines = LEVELS.map((level) => messageOf(`says_${level}_${moment}`));
      expect(lines.every(Boolean), `${locale} ${moment}`).toBe(true);
      expect(new Set(lines).size, `${locale} ${moment}`).toBe(LEVELS.length);
    }
  }
  settings.language = "en";
  expect([...LEVELS, "greedy", "random"].filter((player) => hasCharacter({ kind: "computer", player }))).toEqual(LEVELS);
});

test("one greets at the first deal, the same on every device, and is silent for the rest of that hole", () => {
  const banter = new Banter();
  const line = banter.remark([dealt], at(), PLAY_NINE);
  expect(["says_beginner_hello", "says_pro_hello"]).toContain(line?.key);
  expect(heard([dealt], at())).toEqual(line);
  expect(banter.remark([dealt], at(), PLAY_NINE)).toBeNull();
  expect(banter.remark([closes], at(), PLAY_NINE)).toBeNull();
  expect(remarkOnResult(scored([3, -4, 5], { phase: "hole_over" }))).toBeNull();
  expect(heard([dealt], at({ hole: 2 }))).toBeNull();
});

test("a hole has one line at most, about a closing, a card or its result", () => {
  const great = step({ face: "H" });
  const lines = holes().map((view) => {
    const banter = new Banter();
    const shown = [[great], [great], [closes]].map((what) => banter.remark(what, view, PLAY_NINE));
    const result = remarkOnResult(scored([3, -4, 5], { hole: view.hole, length: 99, phase: "hole_over" }));
    return [...shown, result].flatMap((line) => (line ? [line.key] : []));
  });
  expect(lines.map((keys) => keys.length)).toEqual(lines.map(() => 1));
  expect(new Set(lines.flat())).toEqual(new Set(["says_beginner_close", "says_beginner_great"]));
});

test("a person’s great card or hole is praised, their closing and other cards are left alone", () => {
  const cards = holes().map((view) => heard([step({ seat: 0, face: "H" })], view)?.key);
  expect(new Set(cards)).toEqual(new Set([undefined, "says_beginner_praise", "says_pro_praise"]));
  const results = holes().map(({ hole }) => remarkOnResult(scored([-4, 3, 5], { hole, length: 99 }))?.key);
  expect(new Set(results)).toEqual(new Set([undefined, "says_beginner_praise", "says_pro_praise"]));
  for (const view of holes()) {
    expect(heard([step({ seat: 0, closed: true }), step({ seat: 0, face: "9" }), step({ face: "9" })], view)).toBeNull();
    expect(remarkOnResult(scored([0, 3, 5], { hole: view.hole, length: 99 }))).toBeNull();
  }
});

test("after the match its winner is glad, or another one congratulates", () => {
  expect(remarkOnResult(at({ phase: "over", winners: [2] }))).toEqual({ seat: 2, key: "says_pro_won" });
  expect(remarkOnResult(at({ phase: "over", winners: [0] }))?.key).toMatch(/^says_(beginner|pro)_lost$/);
  expect(remarkOnResult(at({ phase: "over", given_up: true }))).toBeNull();
});

test("nobody speaks among computers, in practice, without a character, or while people have to hurry", () => {
  const among = [computer("Caddie", "beginner"), computer("Eagle", "pro")];
  expect(heard([dealt], at({ seats: among }))).toBeNull();
  expect(heard([dealt], at({ seats: [seat("Ann", HIDDEN, { lent: true }), ...among] }))).toBeNull();
  expect(heard([dealt], at({ seats: [seat("Ann", HIDDEN), computer("Putter", "greedy")] }))).toBeNull();
  expect(heard([dealt], at({ practice: { game: "g", hole: 1, playoff: 0, name: "1", step: 0 } as unknown as View["practice"] }))).toBeNull();
  expect(heard([dealt], at({ options: { ...at().options, tempo: "quick" } }))).toBeNull();
});

test("one of them answers a phrase, the one it is about where it is about a move, and no excuse", () => {
  const said = (phrase: string, more: Partial<View> = {}, who = 0) => answerTo({ is: "Said", seat: who, phrase }, at(more));
  expect(said("hello")?.key).toBe("table_say_hello");
  expect(said("hello")).toEqual(said("hello"));
  expect(said("sorry")).toBeNull();
  expect(said("hello", {}, 1)).toBeNull();
  const praised = Array.from({ length: 40 }, (_, stock_left) => said("nice", { stock_left, latest: step({ seat: 2 }) }));
  expect(new Set(praised.map((line) => line?.seat))).toEqual(new Set([undefined, 2]));
  expect(said("nice", { latest: step({ seat: 0 }) })).toBeNull();
  expect(said("your_turn", { turn: 0 })).toBeNull();
});
