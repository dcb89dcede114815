/** The points in small print on the cards: those of the game whose cards are on show, which is one at a time. */
import type { GameFacts } from "../lib/messages";

let game = $state.raw<GameFacts | null>(null);

export function showWorths(shown: GameFacts): void {
  game = shown;
}

/** The points of a face whose name does not show them; those of nine-card golf until a game is on show. */
export function worthOf(face: string, otherwise: string): string {
  const points = game?.faces.find(({ name }) => name === face)?.points;
  if (points === undefined) return otherwise;
  return String(points) === face ? "" : String(points);
}
