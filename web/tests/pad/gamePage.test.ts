import { expect, test } from "vitest";
import { memoryDatabase } from "../../src/pad/database";
import { newGame } from "../../src/pad/edit";
import { GamePage } from "../../src/pad/gamePage.svelte";
import { PadStore } from "../../src/pad/store";
import { freshDevice } from "../results/device";
import { nineCard, playNine } from "./tables";

async function opened(rules = playNine, ...players: string[]) {
  freshDevice();
  const store = new PadStore(memoryDatabase());
  const kept = await store.begin(newGame(rules, players.length ? players : ["Ann", "Ben"], 0, 1, "game"));
  return { page: new GamePage(store, kept), store };
}

/** The keys of a keyboard, one by one; those that meant nothing. */
const press = (page: GamePage, ...keys: string[]) => keys.filter((key) => !page.key(key));
const said = (page: GamePage) => page.said.replaceAll("\u00a0", " ");
const asked = ({ asked }: GamePage) => (asked.is === "entry" ? `${asked.hole}:${asked.player}` : asked.is);

test("a game is written and read with the keyboard alone, and kept at every key", async () => {
  const { page, store } = await opened();
  expect(press(page, "7", "7", "1")).toEqual([]);
  expect(page.pad.layout).toEqual(["7", "7"]); // the 1 waits: it may become a 10
  expect(press(page, "0", "q", "Tab")).toEqual(["q", "Tab"]);
  expect(page.pad.layout).toEqual(["7", "7", "10"]);
  expect(said(page)).toBe("10. 24 points so far.");
  press(page, "Backspace");
  expect(said(page)).toBe("Erased. 14 points so far.");
  press(page, "2", "3", "4", "5", "6", "8");
  expect(said(page)).toBe("Ann: 42 points. Now Ben.");
  expect(page.latest).toMatchObject({ name: "Ann", points: 42 });
  page.chooseMode("points");
  press(page, "4");
  expect(said(page)).toBe("Ann: 42 points. Now Ben."); // perhaps 40: a digit is read in its field
  press(page, "Enter");
  expect(said(page)).toBe("Ben: 4 points. Hole 1: Ben wins with 4. Now Ann.");
  page.undo();
  expect(said(page)).toBe("Undone. Now Ben.");
  await expect.poll(async () => (await store.load("game"))?.game).toEqual(page.game);
});

test("the mode chosen last is that of the next game", async () => {
  const { page, store } = await opened();
  page.chooseMode("points");
  expect(new GamePage(store, (await store.load("game"))!).pad.mode).toBe("points");
});

test("who closed is a key too, and its penalty comes on top", async () => {
  const { page } = await opened(nineCard, "Ann", "Ben", "Cleo");
  page.chooseMode("points");
  press(page, "1", "0", "Enter");
  expect(page.totals).toEqual([10, 0, 0]); // counted before the hole is complete
  press(page, "9", "Enter", "1", "2", "Enter");
  expect(said(page)).toBe("Cleo: 12 points. Hole 1: who closed?");
  expect(press(page, "4", "0", "Enter")).toEqual(["4", "0", "Enter"]); // three players
  press(page, "1");
  expect(page.totals).toEqual([15, 9, 12]);
  expect(said(page)).toBe("Now Ann.");
  expect(page.before?.index).toBe(0);
});

test("a correction says so, offers the closer, and Escape leads back", async () => {
  const { page } = await opened(nineCard);
  page.chooseMode("points");
  press(page, "1", "2", "Enter", "2", "0", "Enter", "1");
  expect(asked(page)).toBe("1:0");
  expect([page.isCorrecting, page.mayAskCloser]).toEqual([false, false]);
  page.open(0, 1);
  expect([page.isCorrecting, page.mayAskCloser]).toEqual([true, true]);
  expect([page.now?.index, page.hole?.index]).toEqual([1, 0]);
  press(page, "Escape");
  expect(asked(page)).toBe("1:0");
  expect(press(page, "Escape")).toEqual(["Escape"]);
  page.open(1, 0);
  expect(page.pad.strayed).toBe(false); // it is the entry asked for already
});

test("a doubt in the hole being played is no correction", async () => {
  const { page } = await opened(nineCard);
  page.chooseMode("points");
  press(page, "1", "0", "7");
  expect(page.pad.raised.map(({ code }) => code)).toEqual(["total_high"]);
  expect(page.isCorrecting).toBe(false);
  page.overrule(page.pad.raised[0]!.key);
  expect(said(page)).toBe("Ann: 107 points. Now Ben.");
});

test("the end names the winner, and no key means anything", async () => {
  const { page } = await opened();
  page.chooseMode("points");
  for (let hole = 0; hole < 9; hole++) press(page, "3", "Enter", "0");
  expect(asked(page)).toBe("over");
  expect(said(page)).toBe("Ben: 0 points. Hole 9: Ben wins with 0. Ben wins!");
  expect(press(page, "3", "Enter", "Backspace")).toHaveLength(3);
});
