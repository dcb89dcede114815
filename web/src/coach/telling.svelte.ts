/** The analysis of a match while one reads it: asked for once, and made better in the meantime. */
import type { Analysis, Mistake } from "../lib/messages";
import { refine } from "./refining";

export class Telling {
  asked = $state.raw<Promise<Analysis> | null>(null);
  /** The analysis after `holes` of its holes were played out move by move. */
  refined = $state.raw<{ analysis: Analysis; holes: number } | null>(null);
  #order: string[] = []; // of the mistakes, as first listed
  #left = false;

  /** `better` hears of the analysis each time it has become better. */
  constructor(
    private readonly analyse: () => Promise<Analysis>,
    private readonly better: (analysis: Analysis) => void,
  ) {}

  /** Asks, and refines the answer for as long as the component that calls this is there. */
  follow(): void {
    this.ask();
    $effect(() => () => (this.#left = true));
  }

  ask(): void {
    this.asked = this.analyse();
    this.asked.then((quick) => this.#refine(quick)).catch(() => {}); // who shows it tells why it does not come
  }

  #refine(quick: Analysis): Promise<void> {
    this.#order = quick.mistakes.map(keyOf);
    return refine(quick, () => !this.#left, (analysis, holes) => {
      this.refined = { analysis, holes };
      this.better(analysis);
    });
  }

  /** The mistakes in the order in which they were first listed: none moves away while one reads or taps. */
  inOrder(mistakes: Mistake[]): Mistake[] {
    const place = (mistake: Mistake) => (this.#order.indexOf(keyOf(mistake)) + 1 || Infinity);
    return [...mistakes].sort((one, other) => place(one) - place(other) || 0);
  }
}

/** What tells a mistake from all others of the match. */
export const keyOf = ({ hole, step }: Mistake): string => `${hole}.${step}`;

/** A player's luck or mistakes, added up hole by hole. */
export function sums({ holes }: Analysis, seat: number, part: "luck" | "mistakes"): number[] {
  let sum = 0;
  return holes.map(({ shares }) => (sum += shares[seat]?.[part] ?? 0));
}

/** The least and the most of all players' sums: the scale of charts to be compared. */
export function bounds(analysis: Analysis): { least: number; most: number } {
  const all = analysis.totals.flatMap((_, seat) => [...sums(analysis, seat, "luck"), ...sums(analysis, seat, "mistakes")]);
  return { least: Math.min(0, ...all), most: Math.max(0, ...all) };
}
