/** What every screen calls cards, slots, points, holes and people. */
import { symbol } from "./faces";
import { lineNames, linesCross } from "./lines";
import { list, m, points } from "../lib/i18n.svelte";
import type { FinishedGame, GameFacts, Part } from "../lib/messages";

/** The name of a face in the messages, with a real minus sign. */
function named(face: string): string {
  return symbol(face).replace("-", "−");
}

/** A card's name alone: "7", "king". */
export function faceName(face: string): string {
  return m.table_face({ face: named(face) });
}

/** Several cards of one face: "7s", "kings". */
export function faceNames(face: string): string {
  return m.table_faces({ face: named(face) });
}

/** A card's name in a sentence: "the 7", "den König". */
export function theFace(face: string): string {
  return m.table_the_face({ face: named(face) });
}

/** "12 points"; one and minus one are singular where a language has one. */
export function pointsInWords(value: number): string {
  return m.table_points({ count: Math.abs(value), points: points(value) });
}

/** "Hole 4", "Play-off 1". */
export function holeName(hole: number, playoff: number): string {
  return playoff > 0 ? m.table_playoff({ number: playoff }) : m.table_hole({ hole });
}

/** What a hole of a finished match is called; at a table for practice the one hole that was played again. */
export function holeOf({ practice, holes }: Pick<FinishedGame, "practice" | "holes">, number: number): string {
  return practice ? holeName(practice.name, practice.playoff) : holeName(number, holes[number - 1]?.playoff ?? 0);
}

/** Those at a table, or on a score pad. */
type Seated = { seats: readonly { name: string }[] };

export function nameOf(view: Seated, seat: number | null): string {
  return (seat === null ? undefined : view.seats[seat]?.name) ?? "";
}

export function slotLabel(slot: string, face: string | null): string {
  if (face === null) return m.table_slot_down({ slot });
  if (face === "gone") return m.table_slot_empty({ slot });
  const column = slot.charCodeAt(0) - 96;
  return m.table_slot_up({ slot, row: slot.slice(1), column, face: faceName(face) });
}

/** One part of a score. */
export function partInWords(part: Part, view: Seated, facts: GameFacts): string {
  const faces = faceNames(part.faces[0] ?? "");
  const lines = lineNames(part.slots, facts);
  switch (part.kind) {
    case "line": {
      const words = { count: lines.length, where: list(lines), faces };
      if (linesCross(facts)) return m.table_rk_line(words);
      return facts.lines_are_columns ? m.table_rk_column(words) : m.table_rk_row(words);
    }
    case "bonus": {
      const words = { count: part.lines, faces };
      if (part.lines === 0) return m.table_rk_square(words);
      return facts.lines_are_columns ? m.table_rk_bonus_columns(words) : m.table_rk_bonus_rows(words);
    }
    case "penalty":
      return m.table_rk_penalty({ names: list(part.beaten_by.map((seat) => nameOf(view, seat))) });
    case "cards":
      return m.table_rk_cards({ sum: sumOf(part.faces, facts) });
  }
}

/** "7 + 3 − 5": what single cards count, in the order they lie. A line ends before a sign, never behind it. */
export function sumOf(faces: string[], facts: GameFacts): string {
  const worth = new Map(facts.faces.map((face) => [face.name, face.points]));
  return faces.reduce((sum, face) => {
    const value = worth.get(face) ?? 0;
    if (sum === "") return points(value);
    return `${sum} ${value < 0 ? "−" : "+"}\u00a0${Math.abs(value)}`;
  }, "");
}
