/** The closer's penalty (5.6), as the engine's scoring.py counts it. */
import type { GameFacts } from "../lib/messages";

/** Whether closing may cost anything. */
export function hasPenalty(rules: GameFacts): boolean {
  return rules.closer_penalty !== 0 || rules.penalty_factor !== 1;
}

/** Whether a player with these points beats a closer with those. */
export function beats(rules: GameFacts, points: number, closer: number): boolean {
  return points < closer || (rules.ties_beat_closer && points === closer);
}

/** What a closer with these points pays, by the points of the others. */
export function penaltyOf(rules: GameFacts, points: number, others: readonly number[]): number {
  const beatenBy = others.filter((other) => beats(rules, other, points)).length;
  if (beatenBy === 0) return 0;
  const times = rules.penalty_once ? 1 : beatenBy;
  return rules.closer_penalty * times + (rules.penalty_factor - 1) * Math.max(0, points);
}
