/** Which moves of a hint count as the best, and how the table writes them. */
import { CLOSE_CALL, type Hint, type Rated } from "../lib/messages";

export const isBest = ({ loss }: Rated): boolean => loss <= CLOSE_CALL;

const WRITTEN: Record<string, string> = { stock: "S", discard: "D", discard_drawn: "-", pass: ".", knock: ".", decline: "." };

/** A move that the coach names, as it is written: a slot as it is. */
export const written = (move: string): string => WRITTEN[move] ?? move;

/** The best moves, as they are written; none without a hint. */
export function bestMoves(hint: Hint | null): ReadonlySet<string> {
  return new Set(hint?.moves.filter(isBest).map(({ move }) => written(move)));
}
