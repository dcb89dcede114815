/** How long a match takes: measured turns and seconds (bench/minutes.py; docs/games.md has the same sum), and how long people think. */
import { PACE } from "../lib/lists";
import type { GameFacts, Pace } from "../lib/messages";
import measured from "./lengths.json";

interface Lengths {
  /** Turns of a seat in a hole, and the points of the last in a hole: for the fewest players, for one more, … */
  turns: number[];
  most: number[];
}

export interface Round {
  people: number;
  computers: number;
  /** Of the computer players. */
  pace: Pace;
  /** Of the match; 0 for as many as the rules say. */
  holes: number;
}

/** About how many minutes. House rules count by the length of the match alone; a game nobody measured has a turn for each card. */
export function minutesOf(facts: GameFacts, { people, computers, pace, holes }: Round): number {
  const lengths = (measured.games as Record<string, Lengths>)[facts.name];
  const at = people + computers - facts.least;
  const turns = lengths?.turns[at] ?? facts.rows * facts.columns;
  const most = lengths?.most[at];
  const until = facts.until && most ? Math.ceil(facts.until / most) : Infinity; // so many holes, then it is over
  const played = Math.min(holes || facts.holes, until);
  const turn = people * measured.person + computers * measured.computer * PACE[pace];
  return rounded((played * (turns * turn + measured.hole)) / 60);
}

function rounded(minutes: number): number {
  return minutes < 10 ? Math.max(1, Math.round(minutes)) : 5 * Math.round(minutes / 5);
}
