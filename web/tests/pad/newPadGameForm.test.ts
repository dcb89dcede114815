import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GameFacts } from "../../src/lib/messages";
import { hideNotice, shell } from "../../src/lib/shell.svelte";
import { remember } from "../../src/lib/stored";
import { memoryDatabase } from "../../src/pad/database";
import { NewPadGameForm, type LastGame } from "../../src/pad/newPadGameForm.svelte";
import { differenceInWords } from "../../src/pad/padWords";
import { PadStore } from "../../src/pad/store";
import { freshDevice, knownGames } from "../results/device";
import { nineCard, playNine } from "./tables";

let store: PadStore;

beforeEach(async () => {
  freshDevice();
  vi.stubGlobal("navigator", { languages: ["en"] });
  store = new PadStore(memoryDatabase());
  await knownGames();
});
afterEach(hideNotice);

async function opened(last: LastGame | null = null, known: string[] = []): Promise<NewPadGameForm> {
  const form = new NewPadGameForm(store, () => known, last);
  await form.load();
  return form;
}

const lastTime: LastGame = { rules: nineCard, players: ["Ann", "Ben", "Cleo"], dealer: 1 };
const names = (form: NewPadGameForm) => form.seats.map(({ name }) => name);
/** The game that was begun. */
const begun = async (form: NewPadGameForm) => (await store.load((await form.begin())!))!.game;

test("the first time there are four seats and the first game", async () => {
  const form = await opened();
  expect([form.game?.name, form.called]).toEqual(["play_nine", ["Player 1", "Player 2", "Player 3", "Player 4"]]);
  expect(await begun(form)).toMatchObject({ dealer: 0, players: ["Player 1", "Player 2", "Player 3", "Player 4"] });
});

test("as it was last time, it is one tap", async () => {
  expect(await begun(await opened(lastTime))).toMatchObject({ rules: { name: "nine_card" }, dealer: 1, players: ["Ann", "Ben", "Cleo"] });
});

test("who deals goes along with the seat, and one who leaves hands it on", async () => {
  const form = await opened(lastTime);
  form.up(1);
  expect([names(form), form.dealer]).toEqual([["Ben", "Ann", "Cleo"], 0]);
  form.up(0);
  expect([names(form), form.dealer]).toEqual([["Ann", "Cleo", "Ben"], 2]);
  form.remove(2);
  expect([names(form), form.dealer]).toEqual([["Ann", "Cleo"], 0]);
  form.deal(1);
  expect(form.dealer).toBe(1);
});

test("a known name takes an empty seat first, and is offered only while nobody has it", async () => {
  const form = await opened(null, ["Ann", "Ben"]);
  form.add("Ann");
  expect([names(form), form.free]).toEqual([["Ann", "", "", ""], ["Ben"]]);
  form.add();
  form.add();
  expect([form.isFull, form.hasRoom]).toEqual([true, true]);
  for (const seat of form.seats) seat.name ||= "x";
  expect(form.hasRoom).toBe(false);
  await store.rememberNames(["Ben"]);
  await form.forgetName("Ben");
  expect([form.free, await store.names()]).toEqual([[], []]);
});

test("a game does not begin with two of one name, or too many players", async () => {
  const form = await opened(lastTime);
  form.seats[1]!.name = "ann";
  expect([form.tried, await form.begin(), form.tried, form.troubles[1]]).toEqual([false, null, true, "twice"]);
  form.seats[1]!.name = "Ben";
  for (let seat = 4; seat <= 7; seat++) form.add();
  expect(form.isWrongCount).toBe(false);
  form.choose(playNine);
  expect([form.isWrongCount, await form.begin(), form.beginning]).toEqual([true, null, false]);
});

test("house rules belong to the chosen game, and are taken back", async () => {
  const form = await opened(lastTime);
  form.changeRules({ jokers: -5 }, { ...nineCard, closer_penalty: 10 });
  expect([form.game?.name, form.game?.closer_penalty, form.base?.name]).toEqual(["nine_card_house", 10, "nine_card"]);
  expect(form.origin).toEqual({ game: "nine_card", patch: { jokers: -5 }, ours: null });
  expect(await begun(form)).toMatchObject({ rules: { closer_penalty: 10 }, house: { game: "nine_card", patch: { jokers: -5 } } });
  const next = await opened({ ...lastTime, rules: form.game!, house: form.origin });
  expect([next.game?.name, next.base?.name, next.origin?.patch]).toEqual(["nine_card_house", "nine_card", { jokers: -5 }]);
  next.changeRules({}, undefined);
  expect([next.game?.name, next.origin]).toEqual(["nine_card", undefined]);
});

test("our rules come first, and are chosen where they have just been kept", async () => {
  const ours = { id: "a1", name: "Grandma’s golf", game: "nine_card", house_rules: { twos: 2 }, facts: nineCard };
  remember("ours", [ours]);
  const form = await opened();
  expect(form.rules.map(({ name }) => name)).toEqual(["nine_card_a1", "play_nine", "nine_card"]);
  expect([form.game?.name, form.originOf("nine_card_a1")?.ours?.name]).toEqual(["play_nine", "Grandma’s golf"]);
  form.offerKept({ ...ours, id: "b2" });
  expect([form.game?.name, form.rules[0]?.name]).toEqual(["nine_card_b2", "nine_card_b2"]);
});

test("rules from a file are kept, chosen, compared with the others, and forgotten", async () => {
  const ours: GameFacts = { ...nineCard, name: "mine", title: "Mine", holes: 6 };
  const form = await opened();
  vi.stubGlobal("fetch", async () => Response.json(ours));
  await form.readFile(new File(["title = …"], "mine.toml"));
  expect([form.game?.name, form.own, (await store.ownRules()).length]).toEqual(["mine", ["mine"], 1]);
  expect(differenceInWords(ours, [playNine, nineCard])).toContain("Nine-card golf");
  await form.forget(form.game!);
  expect([form.game?.name, (await store.ownRules()).length]).toEqual(["play_nine", 0]);
});

test("a file that cannot be read is told of, and changes nothing", async () => {
  const form = await opened();
  vi.stubGlobal("fetch", async () => Response.json({ error: "bad_variant", params: { detail: "mine.toml: …" } }, { status: 400 }));
  await form.readFile(new File(["?"], "mine.toml"));
  expect(shell.notice?.text).toContain("mine.toml");
  expect([form.game?.name, form.own]).toEqual(["play_nine", []]);
});

test("without a network there is still the game of last time", async () => {
  vi.resetModules();
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("no network")));
  const { NewPadGameForm: Form } = await import("../../src/pad/newPadGameForm.svelte");
  await (await import("../../src/lib/i18n.svelte")).learn("en");
  const form = new Form(store, () => [], lastTime);
  await form.load();
  expect([form.rules, form.missing]).toEqual([[nineCard], ""]);
  const first = new Form(store, () => [], null);
  await first.load();
  expect(first.game).toBeUndefined();
  expect(first.missing).not.toBe("");
});
