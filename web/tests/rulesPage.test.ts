import { beforeEach, expect, test, vi } from "vitest";
import type { GameFacts, RuleBook } from "../src/lib/messages";
import { playNine } from "./pad/tables";
import { freshDevice } from "./results/device";

const block = (text: string, games: string[] = []) => ({ text, games, label: "", is_ruling: false, matched: [], house: "" as const });
const BOOK: RuleBook = {
  facts: null,
  title: "Rules",
  intro: [],
  chapters: [
    { number: "3", title: "A turn", blocks: [], rules: [{ number: "3.1", title: "Draw", blocks: [block("A card.")] }, { number: "3.3", title: "Discard", blocks: [block("A putt.")] }] },
    { number: "5", title: "The score", blocks: [], rules: [{ number: "5.1", title: "Points", blocks: [block("A joker costs -3.")] }] },
  ],
};
const GAME: GameFacts = { ...playNine, options: { jokers: [-3, -5] } };

const HOUSE = "?game=play_nine&house=jokers%3D-5";

let answers: Record<string, unknown>;
let asked: string[];

beforeEach(() => {
  vi.resetModules();
  freshDevice();
  vi.stubGlobal("navigator", { languages: ["en"] });
  [asked, answers] = [[], { "/api/facts": { games: [GAME] }, "/api/rulebook/en": BOOK }];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return address in answers ? Response.json(answers[address]) : Promise.reject(new TypeError("no network"));
  });
});

/** The page as the app opens it, with the games of the server if `knows`. */
async function opened(query = "", knows = true) {
  const { RulesPage } = await import("../src/pages/rulesPage.svelte");
  const { learn, withWords } = await import("../src/lib/i18n.svelte");
  await withWords(learn("en"), "table", "rules");
  if (knows) await (await import("../src/lib/facts.svelte")).learnFacts();
  const page = new RulesPage(query);
  await page.read();
  return page;
}

test("the book is drawn heading by heading, and whole before it is printed", async () => {
  const page = await opened();
  expect([page.book?.title, page.isWhole, page.printing, page.shown?.chapters]).toEqual(["Rules", false, false, []]);
  page.prepare();
  expect([page.isWhole, page.printing, page.shown]).toEqual([true, true, BOOK]);
});

test("what was found is counted, and its words stand out", async () => {
  const page = await opened();
  page.prepare();
  page.sought = "Putt";
  expect([page.count, page.words, page.shown?.chapters.map(({ number }) => number)]).toEqual([1, ["putt"], ["3"]]);
});

test("house rules from the address are shown for their game alone", async () => {
  answers["/api/rulebook/en?game=play_nine&chosen=jokers%3D-5"] = { ...BOOK, facts: { ...GAME, title: "Ours" } };
  const page = await opened(HOUSE);
  expect([page.patch, page.isPlain, page.games[0]?.title]).toEqual([{ jokers: -5 }, false, "Ours"]);
  expect(page.changed).toEqual([{ option: "jokers", value: -5, rule: "5.1" }]);
  page.game = "";
  expect(page.changed).toEqual([]);
});

test("without a network the named book stands in for that of the house rules, with sentences beside it", async () => {
  const page = await opened(HOUSE);
  expect([page.book?.title, page.isPlain, page.changed.length, page.refusal]).toEqual(["Rules", true, 1, null]);
});

test("a book with house rules waits until the game's options are known", async () => {
  const page = await opened(HOUSE, false);
  expect([page.book, asked]).toEqual([null, []]);
});

test("a book that does not come is told of, and one in a language that was left is not shown", async () => {
  delete answers["/api/rulebook/en"];
  expect((await opened()).refusal?.error).toBe("offline");
  answers["/api/rulebook/en"] = BOOK;
  const { settings } = await import("../src/lib/settings.svelte");
  const page = await opened();
  page.book = null;
  const reading = page.read();
  settings.language = "de";
  await reading;
  expect(page.book).toBeNull();
});

test("the book stays when it does not come once more, and goes where it does not come in another language", async () => {
  const page = await opened();
  answers = {};
  await page.read();
  expect([page.book?.title, page.refusal?.error]).toEqual(["Rules", "offline"]);
  const { learn } = await import("../src/lib/i18n.svelte");
  const { settings } = await import("../src/lib/settings.svelte");
  await learn("de");
  settings.language = "de";
  await page.read();
  expect([page.book, page.refusal?.error]).toEqual([null, "offline"]);
});
