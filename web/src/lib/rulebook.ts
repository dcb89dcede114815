/** The rule book as the server sends it, and its Markdown as parts of a page. */

import type { RuleBlock, RuleBook } from "./messages";

/** A run of text: plain, strong, code (a layout or a move), or the number of a rule to follow. */
export interface Run {
  kind: "text" | "strong" | "code" | "em" | "rule";
  text: string;
}

export type Piece =
  | { kind: "paragraph"; runs: Run[] }
  | { kind: "list"; items: Run[][] }
  | { kind: "table"; head: Run[][]; rows: Run[][][] };

const RUNS = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|(?<![\d.,-])([1-9]\.[1-9])(?![\d.]*\d)/g;

export function runs(text: string): Run[] {
  const found: Run[] = [];
  let from = 0;
  for (const match of text.matchAll(RUNS)) {
    if (match.index > from) found.push({ kind: "text", text: text.slice(from, match.index) });
    const [whole, code, strong, em, rule] = match;
    if (code !== undefined) found.push({ kind: "code", text: code });
    else if (strong !== undefined) found.push({ kind: "strong", text: strong });
    else if (em !== undefined) found.push({ kind: "em", text: em });
    else found.push({ kind: "rule", text: rule ?? whole });
    from = match.index + whole.length;
  }
  if (from < text.length) found.push({ kind: "text", text: text.slice(from) });
  return found;
}

/** A game's name in records and commands, behind its title. */
const IN_RECORDS = / ?[(（]`[a-z]+(?:_[a-z]+)+`[)）]/g;

export function piece(block: RuleBlock): Piece {
  const text = block.text.replace(/^> ?/gm, "").replace(IN_RECORDS, "");
  if (text.startsWith("|")) {
    const lines = text.split("\n").filter((line) => !/^[|\- :]+$/.test(line));
    const [head = [], ...rows] = lines.map((line) =>
      line.replace(/^\||\|\s*$/g, "").split("|").map((cell) => runs(cell.trim())),
    );
    return { kind: "table", head, rows };
  }
  if (text.startsWith("- ")) return { kind: "list", items: text.slice(2).split(/\n- /).map((item) => runs(item.replaceAll("\n", " "))) };
  return { kind: "paragraph", runs: runs(text.replaceAll("\n", " ")) };
}

export const isLayout = (text: string): boolean => text.includes(" / ");

/** A cell without what stands out in it. */
export const plainly = (cell: Run[]): string => cell.map((run) => run.text).join("");

/** The faces of a written layout in slot order, `null` for one face down; null when it is not a layout. */
export function faces(text: string, rows: number, columns: number): (string | null)[] | null {
  const lines = text.split(" / ").map((line) => line.trim().split(/\s+/));
  if (lines.length !== rows || lines.some((line) => line.length !== columns)) return null;
  return lines.flat().map((face) => (face === "?" ? null : face));
}

/** Letters that people type in their place. */
const TYPED: Record<string, string> = { ß: "ss", œ: "oe", æ: "ae", "’": "'", "−": "-", "–": "-" };

/** Small letters without accents, and one kind of kana: "coup roule" finds "Coup roulé", "ほーる" finds "ホール". */
export function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/[ßœæ’−–]/g, (letter) => TYPED[letter]!)
    .replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}

/** The words that are sought, as they are compared. */
export function wordsOf(sought: string): string[] {
  return plain(sought).split(/\s+/).filter(Boolean);
}

/** A text cut where the words stand that were sought. */
export function marked(text: string, words: string[]): { text: string; hit: boolean }[] {
  if (!words.length) return [{ text, hit: false }];
  const letters = [...text];
  const from: number[] = []; // the letter that each one of the plain text comes from
  let folded = "";
  letters.forEach((letter, at) => {
    for (const one of plain(letter)) {
      from.push(at);
      folded += one;
    }
  });
  const hits = letters.map(() => false);
  for (const word of words)
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length))
      for (let place = at; place < at + word.length; place++) hits[from[place]!] = true;
  const pieces: { text: string; hit: boolean }[] = [];
  letters.forEach((letter, at) => {
    const last = pieces.at(-1);
    if (last && last.hit === hits[at]) last.text += letter;
    else pieces.push({ text: letter, hit: hits[at]! });
  });
  return pieces;
}

/** A block as readers of one game see it: without the label, and without the rows of a table for the others. */
function forOne(block: RuleBlock, others: string[]): RuleBlock {
  if (!block.text.startsWith("|")) return { ...block, text: block.text.replace(block.label, "") };
  const [head = "", rule = "", ...rows] = block.text.split("\n");
  const kept = rows.map((_, at) => at).filter((at) => !others.includes(rows[at]!.replace(/^\| *| *\|.*$/g, "")));
  return { ...block, text: [head, rule, ...kept.map((at) => rows[at])].join("\n"), matched: kept.map((at) => block.matched[at] ?? []) };
}

/** The book with nothing but what holds all the words sought, and is for this game; without a game, for any. */
export function found(book: RuleBook, sought: string, game: string, games: string[]): RuleBook {
  const words = wordsOf(sought);
  const others = games.filter((name) => name !== game);
  const mine = (blocks: RuleBlock[]) =>
    game ? blocks.filter((block) => !block.games?.length || block.games.includes(game)).map((block) => forOne(block, others)) : blocks;
  const holds = (...texts: string[]) => {
    const whole = plain(texts.join(" ").replace(/[`*]/g, ""));
    return words.every((word) => whole.includes(word));
  };
  const chapters = book.chapters.map((chapter) => ({
    ...chapter,
    blocks: mine(chapter.blocks).filter((block) => holds(chapter.title, block.text)),
    rules: chapter.rules
      .map((rule) => ({ ...rule, blocks: mine(rule.blocks) }))
      .filter((rule) => holds(rule.number, rule.title, ...rule.blocks.map((block) => block.text))),
  }));
  return {
    ...book,
    intro: words.length ? [] : mine(book.intro),
    chapters: chapters.filter((chapter) => chapter.rules.length || chapter.blocks.length),
  };
}

/** The part of the book under that many headings. */
export function first(book: RuleBook, headings: number): RuleBook {
  const chapters: RuleBook["chapters"] = [];
  for (const chapter of book.chapters) {
    if (headings-- <= 0) break;
    chapters.push({ ...chapter, rules: chapter.rules.slice(0, Math.max(0, headings)) });
    headings -= chapter.rules.length;
  }
  return { ...book, chapters };
}
