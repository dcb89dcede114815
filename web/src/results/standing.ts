/** Who came in where. */
import type { FinishedGame } from "../lib/messages";
import { m } from "../lib/i18n.svelte";
import { pointsInWords } from "../golf/words";

export interface Place {
  /** From 1; after two who share the second comes the fourth. */
  place: number;
  shared: boolean;
}

/** The places by seat. Winners come first, also if a play-off decided between equal totals. */
export function placesOf({ totals, winners }: Pick<FinishedGame, "totals" | "winners">): Place[] {
  const ranks = totals.map((total, seat) => (winners.includes(seat) ? -Infinity : total));
  return ranks.map((rank) => ({
    place: 1 + ranks.filter((other) => other < rank).length,
    shared: ranks.filter((other) => other === rank).length > 1,
  }));
}

/** "3rd", "shared 2nd". */
export function placeInWords({ place, shared }: Place): string {
  return shared ? m.results_place_shared({ place }) : m.results_place({ place });
}

/** "You: 3rd, 385 points", or "Ann: 3rd, 385 points" for one of several on a device. */
export function standingInWords(place: Place, total: number, name: string | null): string {
  return m.results_line({ who: name ?? m.results_you(), place: placeInWords(place), points: pointsInWords(total) });
}
