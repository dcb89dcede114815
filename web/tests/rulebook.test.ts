import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { RuleBook } from "../src/lib/messages";
import { faces, first, found, marked, piece, plain, runs, wordsOf } from "../src/lib/rulebook";
import { locales } from "../src/paraglide/runtime";

const block = (text: string, games: string[] = [], is_ruling = false) => ({ text, games, label: "", is_ruling, matched: [], house: "" as const });
const GAMES = ["play_nine", "nine_card"];

test("numbers of rules become links, points and sums do not", () => {
  const rules = (text: string) => runs(text).filter((run) => run.kind === "rule").map((run) => run.text);
  expect(rules("For two cases see 3.4 and 4.2.")).toEqual(["3.4", "4.2"]);
  expect(rules("規則3.3を見る。（5.1）")).toEqual(["3.3", "5.1"]);
  expect(rules("10.5 or 1.25 or 12.3")).toEqual([]);
});

test("strong words and moves", () => {
  expect(runs("**Play Nine.** `S7>b2x9` reads")).toEqual([
    { kind: "strong", text: "Play Nine." },
    { kind: "text", text: " " },
    { kind: "code", text: "S7>b2x9" },
    { kind: "text", text: " reads" },
  ]);
});

test("a table has its head and its rows", () => {
  const table = piece(block("| game | layout |\n|---|---|\n| play_nine | `7 ? 1 2 / 7 6 8 5` |"));
  if (table.kind !== "table") throw new Error(table.kind);
  expect(table.head.map((cell) => cell[0]?.text)).toEqual(["game", "layout"]);
  expect(table.rows).toHaveLength(1);
  expect(table.rows[0]![1]).toEqual([{ kind: "code", text: "7 ? 1 2 / 7 6 8 5" }]);
});

test("a ruling loses its mark, a list its dashes", () => {
  expect(piece(block("> **Ruling.** So.\n> Thus.", [], true))).toEqual({
    kind: "paragraph",
    runs: [{ kind: "strong", text: "Ruling." }, { kind: "text", text: " So. Thus." }],
  });
  expect(piece(block("- one\n- two\n  more"))).toMatchObject({ kind: "list", items: [[{ text: "one" }], [{ text: "two   more" }]] });
});

test("names for records are not shown", () => {
  const text = "Mulligan has Play Nine (`play_nine`), nine-card golf (`nine_card`) and `S7>b2x9` (`4 ? / ? 0`).";
  expect(piece(block(text))).toMatchObject({ runs: [{ text: "Mulligan has Play Nine, nine-card golf and " }, { text: "S7>b2x9" }, { text: " (" }, { text: "4 ? / ? 0" }, { text: ")." }] });
});

test("a written layout is a board when it has the game's shape", () => {
  expect(faces("7 ? 1 2 / 7 6 8 H", 2, 4)).toEqual(["7", null, "1", "2", "7", "6", "8", "H"]);
  expect(faces("K K / 4 J", 2, 4)).toBeNull();
});

test("search finds words without their accents, in one game and all that is common", () => {
  const book: RuleBook = {
    facts: null,
    title: "Règles",
    intro: [block("Un mot")],
    chapters: [
      {
        number: "3",
        title: "Un tour",
        blocks: [],
        rules: [
          { number: "3.3", title: "Jeter", blocks: [block("Le **coup roulé** final.", ["play_nine"])] },
          { number: "3.1", title: "Prendre", blocks: [block("Une carte.")] },
        ],
      },
    ],
  };
  const numbers = (sought: string, game: string) => found(book, sought, game, GAMES).chapters.flatMap((one) => one.rules.map((rule) => rule.number));
  expect(numbers("coup roule", "")).toEqual(["3.3"]);
  expect(numbers("coup roule", "nine_card")).toEqual([]);
  expect(numbers("", "nine_card")).toEqual(["3.3", "3.1"]);
  expect(numbers("3.1", "")).toEqual(["3.1"]);
  expect(found(book, "xyz", "", GAMES).intro).toEqual([]);
});

test("a book for one game has neither its labels nor the rows for other games", () => {
  const label = "**Play Nine, nine-card golf.** ";
  const table = "| game | layout |\n|---|---|\n| play_nine | `7` |\n| nine_card | `K` |";
  const blocks = [
    { ...block(`${label}Discard.`, GAMES), label },
    { ...block("> **Ruling, nine-card golf.** So.", ["nine_card"], true), label: ", nine-card golf" },
    { ...block(table, GAMES), matched: [[["a1"]], [["b1"]]] },
  ];
  const book: RuleBook = { facts: null, title: "", intro: blocks, chapters: [] };
  const texts = (game: string) => found(book, "", game, GAMES).intro.map((one) => one.text);
  expect(texts("")).toEqual(blocks.map((one) => one.text));
  expect(texts("play_nine")).toEqual(["Discard.", "| game | layout |\n|---|---|\n| play_nine | `7` |"]);
  expect(texts("nine_card")[1]).toBe("> **Ruling.** So.");
  expect(found(book, "", "nine_card", GAMES).intro[2]!.matched).toEqual([[["b1"]]]);
});

test("every layout written in the rule books has a board", () => {
  for (const language of locales) {
    const text = readFileSync(new URL(`../../docs/rulebook/${language}.md`, import.meta.url), "utf-8");
    const rows = text.split("\n").filter((line) => / \/ .*` \|/.test(line));
    expect(rows.length, language).toBeGreaterThan(20);
    for (const row of rows) {
      const [, game = "", layout = ""] = row.split("|").map((cell) => cell.trim().replaceAll("`", ""));
      const file = readFileSync(new URL(`../../src/mulligan/game/variants/${game}.toml`, import.meta.url), "utf-8");
      const [, height, width] = /^layout = { rows = (\d+), columns = (\d+) }/m.exec(file)!;
      expect(faces(layout, Number(height), Number(width)), `${language}: ${row}`).not.toBeNull();
    }
  }
});

test("a book is set out heading by heading", () => {
  const chapter = (number: string, rules: number) => ({
    number,
    title: number,
    blocks: [],
    rules: Array.from({ length: rules }, (_, at) => ({ number: `${number}.${at + 1}`, title: "", blocks: [] })),
  });
  const book: RuleBook = { facts: null, title: "", intro: [], chapters: [chapter("1", 2), chapter("2", 3)] };
  const headings = (count: number) => first(book, count).chapters.flatMap((one) => [one.number, ...one.rules.map((rule) => rule.number)]);
  expect(headings(0)).toEqual([]);
  expect(headings(2)).toEqual(["1", "1.1"]);
  expect(headings(5)).toEqual(["1", "1.1", "1.2", "2", "2.1"]);
  expect(first(book, 7)).toEqual(book);
});

test("letters are compared however people type them", () => {
  expect(plain("Weiß")).toBe("weiss");
  expect(plain("cœur")).toBe("coeur");
  expect(plain("ホール")).toBe(plain("ほーる"));
  expect(plain("ﾎｰﾙ")).toBe(plain("ホール"));
  expect(plain("１０点")).toBe("10点");
  expect(plain("−20")).toBe("-20");
  expect(wordsOf("  Coup　Roulé ")).toEqual(["coup", "roule"]);
});

test("what was sought is marked where it stands, accents and all", () => {
  const hits = (text: string, sought: string) => marked(text, wordsOf(sought)).filter((one) => one.hit).map((one) => one.text);
  expect(hits("Le coup roulé final, un coup", "roule coup")).toEqual(["coup", "roulé", "coup"]);
  expect(hits("そのホールの点", "ほーる")).toEqual(["ホール"]);
  expect(hits("Weiß", "weiss")).toEqual(["Weiß"]);
  expect(hits("Weiß", "ss")).toEqual(["ß"]);
  expect(marked("nothing", wordsOf("rule")).map((one) => one.text).join("")).toBe("nothing");
});
