/** A position set up card by card, and what becomes of it with each change. */
import { beforeEach, expect, test, vi } from "vitest";
import type { CardboardPosition, Hint } from "../src/lib/messages";
import { nineCard, playNine } from "./pad/tables";
import { freshDevice } from "./results/device";

vi.stubGlobal("navigator", { languages: ["en"] });
const { SettingUp } = await import("../src/cardboard/settingUp.svelte");

const rated = { move: "a2", code: 4, worth: 5, loss: 0, low: null, high: null, equal: false, why: { key: "equal", params: {} }, place: null };
let sent: CardboardPosition[];
let answer: () => unknown;

beforeEach(() => {
  freshDevice();
  sent = [];
  answer = (): Hint => ({ event: 0, seat: 0, phase: "take", moves: [rated] });
  vi.stubGlobal("fetch", async (_: string, request: RequestInit) => {
    sent.push(JSON.parse(String(request.body)) as CardboardPosition);
    const said = answer() as { error?: string };
    return Response.json(said, { status: said.error ? 400 : 200 });
  });
});

const begun = () => new SettingUp([playNine, nineCard]);

/** A table on which all is told. */
function told() {
  const setting = begun();
  setting.press("7");
  setting.select({ kind: "discard" });
  setting.press("12");
  return setting;
}

test("cards go to one place after the other, and are there next time", () => {
  const setting = begun();
  for (const face of ["7", null, "1"]) setting.press(face);
  expect([setting.place, setting.setup.layouts[0]!.slice(0, 4)]).toEqual([{ kind: "slot", seat: 0, at: 3 }, ["7", null, "1", null]]);
  expect([setting.isOn({ kind: "slot", seat: 0, at: 3 }), setting.isOn({ kind: "discard" })]).toEqual([true, false]);
  expect(setting.question).toContain("d1");
  expect([setting.left["7"], begun().setup.layouts[0]![0]]).toEqual([7, "7"]);
});

test("nothing is asked before the discard and the card in hand are known", async () => {
  const setting = begun();
  await setting.think();
  expect([setting.place, setting.trouble, sent]).toEqual([{ kind: "discard" }, expect.any(String), []]);
  setting.press("12");
  setting.begin("drew");
  expect(setting.place).toEqual({ kind: "held" });
  await setting.think();
  expect([setting.trouble === "", sent]).toEqual([false, []]);
  setting.press("5");
  await setting.think();
  expect(sent).toMatchObject([{ discard: "12", held: "5" }]);
});

test("the answer is about the card in hand, or the discard, and gone with the next change", async () => {
  const setting = told();
  await setting.think();
  expect([[...setting.best], setting.card]).toEqual([["a2"], "12"]);
  setting.change({ turn: 1 });
  expect([setting.hint, setting.best.size]).toEqual([null, 0]);
  setting.begin("drew");
  setting.press("5");
  answer = () => ({ event: 0, seat: 0, phase: "place", moves: [rated] });
  await setting.think();
  expect(setting.card).toBe("5");
  setting.select({ kind: "discard" });
  expect(setting.hint).toBeNull();
});

test("an answer to a position that has changed since is not shown", async () => {
  const setting = told();
  const late = setting.think();
  setting.change({ turn: 1 });
  await late;
  expect([setting.hint, setting.thinking]).toEqual([null, false]);
});

test("a table that cannot be is explained", async () => {
  const setting = told();
  answer = () => ({ error: "impossible_table", params: { why: "no_stock" } });
  await setting.think();
  expect([setting.hint, setting.trouble === ""]).toEqual([null, false]);
});

test("another game empties the table, and its players stay as far as they may play", () => {
  const setting = told();
  setting.rename(["Ann", "", "Cleo"]);
  expect([setting.names, setting.setup.layouts.length]).toEqual([["Ann", "Player 2", "Cleo"], 3]);
  setting.select({ kind: "slot", seat: 2, at: 1 });
  setting.rename(["Ann", "Ben"]);
  expect(setting.place).toEqual({ kind: "slot", seat: 0, at: 0 });
  setting.choose({ ...setting.picked, game: nineCard, facts: nineCard, house_rules: {} });
  expect([setting.facts.name, setting.setup.layouts[0]!.length, setting.setup.names, setting.setup.discard]).toEqual(["nine_card", 9, ["Ann", "Ben"], null]);
});

test("who closed is asked where it is not clear", () => {
  const setting = begun();
  expect(setting.asksCloser).toBe(false);
  const open = Array<string>(8).fill("1");
  setting.change({ layouts: [open, open] });
  expect([setting.asksCloser, setting.closer]).toEqual([true, 0]);
  setting.change({ closer: 1 });
  expect(setting.closer).toBe(1);
});
