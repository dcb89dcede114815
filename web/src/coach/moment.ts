/** The moment that decided a match for one player, and how well that player's moves were chosen. */
import type { Analysis, Mistake, TurningCard } from "../lib/messages";

export interface Moment {
  /** What it changed for the player, in strokes against the others: above 0 it helped. */
  gain: number;
  /** The card that came, or the move that was a mistake. */
  what: TurningCard | Mistake;
}

const LEAST = 0.5; // strokes; less decides nothing

export const isCard = (what: Moment["what"]): what is TurningCard => "slot" in what;

const keyOf = ({ what }: Moment): string => `${what.hole}.${what.step}`;

/**
 * Of all cards and mistakes the one that helped a winner most, or that cost anyone else most; null if nothing did. `before`:
 * the one on show, which stays while it counts at all. Only of two players, what one gives away is what the other gains.
 */
export function momentOf(analysis: Pick<Analysis, "cards" | "mistakes" | "totals">, seat: number, hasWon: boolean, before?: Moment | null): Moment | null {
  const sign = hasWon ? 1 : -1;
  const isDuel = analysis.totals.length === 2;
  const cards = analysis.cards.filter(({ whom }) => whom === seat).map((card): Moment => ({ gain: -card.luck, what: card }));
  const moves = analysis.mistakes
    .filter(({ player }) => player === seat || isDuel)
    .map((mistake): Moment => ({ gain: mistake.player === seat ? -mistake.loss : mistake.loss, what: mistake }));
  const found = [...cards, ...moves].filter(({ gain }) => sign * gain >= LEAST).sort((one, other) => sign * (other.gain - one.gain));
  return found.find((one) => before && keyOf(one) === keyOf(before)) ?? found[0] ?? null;
}

/** The steps of its hole that show it as it happened: the position before, what came, and what was made of it. */
export function stepsOf({ what: { step } }: Moment): [from: number, to: number] {
  return [Math.max(0, step - 1), step + 1]; // the first step of a hole is its deal, which makes the first position
}

/** What the player's moves gave away, and what the others' did on average, in the holes that the player played. */
export function givenAway({ holes }: Pick<Analysis, "holes">, seat: number): { own: number; theirs: number } {
  const sum = { own: 0, theirs: 0 };
  for (const { shares } of holes) {
    const own = shares[seat];
    if (!own) continue;
    const others = shares.flatMap((share, other) => (share && other !== seat ? [share.mistakes] : []));
    sum.own += own.mistakes;
    sum.theirs += others.reduce((total, lost) => total + lost, 0) / Math.max(1, others.length);
  }
  return sum;
}
