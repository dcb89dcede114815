/** A result in one line, without the cards: a square for each column, and the place. */
import { linesOf } from "../golf/lines";
import type { GameFacts } from "../lib/messages";

const SQUARES: [most: number, square: string][] = [[0, "🟩"], [6, "🟨"], [12, "🟧"], [Infinity, "🟥"]]; // points of a column
const MEDALS = ["🥇", "🥈", "🥉"];

/** The points of each column of a full layout, left to right (5.1, 5.2). */
export function columnPoints(facts: GameFacts, layout: readonly (string | null)[]): number[] {
  return linesOf(facts).map((slots) => {
    const faces = slots.map((slot) => facts.faces.find(({ name }) => name === layout[slot]));
    const isMatched = faces.every((face) => face === faces[0]);
    return isMatched ? (faces[0]?.line_points ?? 0) : faces.reduce((sum, face) => sum + (face?.points ?? 0), 0);
  });
}

export function squares(columns: number[]): string {
  return columns.map((points) => SQUARES.find(([most]) => points <= most)![1]).join("");
}

/** `place` from 1. */
export function shareLine(columns: number[], place: number): string {
  return [squares(columns), MEDALS[place - 1] ?? ""].filter(Boolean).join(" ");
}
