/** Sums and averages over kept matches. */
import type { KeptMatch } from "./matches";

export interface Hole {
  points: number;
  /** The match it was played in, and its number there, from 1. */
  id: string;
  hole: number;
}

export interface Summary {
  matches: number;
  /** Matches won, alone or together. */
  wins: number;
  holes: number;
  /** Averages, and the worst there was. */
  perMatch: number;
  perHole: number;
  worstHole: Hole;
  /** Matches with known luck and mistakes, and these by hole; null if there are none. */
  analysed: number;
  luck: number | null;
  mistakes: number | null;
}

/** Of at least one match. */
export function summary(matches: KeptMatch[]): Summary {
  const holes = matches.flatMap(({ id, points }) => points.map((points, at): Hole => ({ points, id, hole: at + 1 })));
  const totals = matches.map(totalOf);
  const stories = matches.flatMap(({ story }) => story ?? []);
  const holesAnalysed = sum(stories.map(({ holes }) => holes));
  return {
    matches: matches.length,
    wins: matches.filter(hasWon).length,
    holes: holes.length,
    perMatch: sum(totals) / matches.length,
    perHole: sum(holes.map(({ points }) => points)) / holes.length,
    worstHole: holes.reduce((worst, one) => (one.points > worst.points ? one : worst)),
    analysed: stories.length,
    luck: holesAnalysed ? sum(stories.map(({ luck }) => luck)) / holesAnalysed : null,
    mistakes: holesAnalysed ? sum(stories.map(({ mistakes }) => mistakes)) / holesAnalysed : null,
  };
}

/** The matches by their length in holes, the longest first. */
export function byLength(matches: KeptMatch[]): [holes: number, matches: KeptMatch[]][] {
  const lengths = [...new Set(matches.map(({ points }) => points.length))].sort((one, other) => other - one);
  return lengths.map((holes) => [holes, matches.filter(({ points }) => points.length === holes)]);
}

/** The games played, the latest first. */
export function gamesOf(matches: KeptMatch[]): string[] {
  return [...new Set(matches.map(({ game }) => game).reverse())];
}

export function perHole(match: KeptMatch): number {
  return sum(match.points) / match.points.length;
}

/** Each figure averaged with those before it, `many` at most. */
export function smoothed(figures: number[], many: number): number[] {
  return figures.map((_, at) => {
    const last = figures.slice(Math.max(0, at + 1 - many), at + 1);
    return sum(last) / last.length;
  });
}

export function totalOf({ totals, seat }: KeptMatch): number {
  return totals[seat] ?? 0;
}

export function hasWon({ winners, seat }: KeptMatch): boolean {
  return winners.includes(seat);
}

function sum(figures: number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0);
}
