/** Which moves of a hint count as the best. */
import { CLOSE_CALL, type Hint, type Rated } from "../lib/messages";

export const isBest = ({ loss }: Rated): boolean => loss <= CLOSE_CALL;

/** The keys of the best moves; none without a hint. */
export function bestMoves(hint: Hint | null): ReadonlySet<string> {
  return new Set(hint?.moves.filter(isBest).map(({ move }) => move));
}
