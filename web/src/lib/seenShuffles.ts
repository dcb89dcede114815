/** What this device remembers of the shuffles it took part in: the lock it saw before the deal, and the seed it gave. */
import type { Shuffle, View } from "./messages";
import { recall, remember } from "./stored";

/** What the match on this table is called among the finished matches, now already. */
export function matchId(view: View): string {
  return `${view.watch}-${view.match}`;
}

export interface SeenShuffle {
  game: string;
  hole: number; // 0 for the draw
  commitment: string;
  seed: string; // ours; empty where we only watched
  in: boolean; // the server has told everyone of it
}

const MOST = 200;

export function seenShuffles(): SeenShuffle[] {
  const remembered = recall<SeenShuffle[]>("stirs", []);
  return Array.isArray(remembered) ? remembered.filter((one) => typeof one?.commitment === "string") : [];
}

export function seenShuffleOf(game: string, hole: number): SeenShuffle | null {
  return seenShuffles().find((one) => one.game === game && one.hole === hole) ?? null;
}

/** The latest first; the oldest are forgotten. */
export function keepSeenShuffle(seen: SeenShuffle): void {
  const others = seenShuffles().filter((one) => one.game !== seen.game || one.hole !== seen.hole);
  remember("stirs", [seen, ...others].slice(0, MOST));
}

/** What this device can say of a shuffle: it saw that very lock before the deal ("lock"), and its own seed is in
 *  ("own"); or it was not there ("none"), saw another lock ("other"), or its seed is missing ("lost"). */
export type Witness = "own" | "lock" | "none" | "other" | "lost";

export function witness(seen: SeenShuffle | null, shuffle: Shuffle): Witness {
  if (!seen) return "none";
  if (seen.commitment !== shuffle.commitment) return "other";
  if (shuffle.seeds.some(({ seed }) => seed === seen.seed)) return "own";
  return seen.in ? "lost" : "lock";
}
