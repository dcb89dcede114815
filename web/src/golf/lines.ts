/** Which slots make a line, for any game (5.2), and which make a square (5.4). */
import type { GameFacts } from "../lib/messages";
import { slotName } from "./slots";

/** GameFacts.other_lines (engine/rules.py): none, rows as well as columns, and the diagonals too. */
const DIAGONALS = 2;

/** Whether a card may be in several lines or squares; it counts once, and matched lines cost nothing. */
export function linesCross(rules: GameFacts): boolean {
  return rules.other_lines > 0 || rules.block_points !== 0;
}

/** The slots of a line as numbers, row by row from the top left; for every line. */
export function linesOf(rules: GameFacts): number[][] {
  const { rows: tall, columns: wide } = rules;
  const rows = Array.from({ length: tall }, (_, row) => Array.from({ length: wide }, (_, column) => row * wide + column));
  const columns = Array.from({ length: wide }, (_, column) => Array.from({ length: tall }, (_, row) => row * wide + column));
  if (rules.other_lines === 0) return rules.lines_are_columns ? columns : rows;
  if (rules.other_lines < DIAGONALS) return [...columns, ...rows];
  const falling = rows.map((row, place) => row[place]!);
  const rising = rows.map((row, place) => row[wide - 1 - place]!);
  return [...columns, ...rows, falling, rising];
}

/** The slots whose cards have left the layout: those of full lines, in a game whose lines leave (3.7). */
export function clearedSlots(rules: GameFacts, layout: readonly (string | null)[]): Set<number> {
  if (!rules.lines_clear) return new Set();
  return new Set(linesOf(rules).filter(([first, ...rest]) => layout[first!] != null && rest.every((slot) => layout[slot] === layout[first!])).flat());
}

/** A layout as it lies on the table: "gone" where cards have left it (3.7). */
export function onTable(rules: GameFacts, layout: readonly (string | null)[]): (string | null)[] {
  const cleared = clearedSlots(rules, layout);
  return layout.map((face, slot) => (cleared.has(slot) ? "gone" : face));
}

/** The slots of every square of four, if squares count. */
export function squaresOf(rules: GameFacts): number[][] {
  if (!rules.block_points) return [];
  const { rows, columns } = rules;
  return Array.from({ length: (rows - 1) * (columns - 1) }, (_, square) => {
    const first = Math.floor(square / (columns - 1)) * columns + (square % (columns - 1));
    return [first, first + 1, first + columns, first + columns + 1];
  });
}

/** The names of the lines that these slots fill: letters of columns, numbers of rows, or both ends where lines cross. */
export function lineNames(slots: readonly string[], rules: GameFacts): string[] {
  if (!linesCross(rules)) return [...new Set(slots.map((slot) => (rules.lines_are_columns ? slot.charAt(0) : slot.slice(1))))].sort();
  const named = linesOf(rules).map((line) => line.map((slot) => slotName(slot, rules.columns)));
  return named.filter((line) => line.every((slot) => slots.includes(slot))).map((line) => `${line[0]}–${line.at(-1)}`);
}
