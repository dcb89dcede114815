/** Who came in where. */
import type { CardLine, FinishedGame } from "../lib/messages";
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

/** The hole of the match with a player's fewest points, of equal ones the first; null where there is no other one. */
export function bestHoleOf(card: CardLine[], seat: number): CardLine | null {
  const holes = card.filter(({ playoff, points }) => !playoff && typeof points[seat] === "number");
  const pointsOf = (line: CardLine) => line.points[seat] ?? 0;
  if (holes.length < 2) return null;
  return holes.reduce<CardLine | null>((best, line) => (best && pointsOf(best) <= pointsOf(line) ? best : line), null);
}

/** "3rd", "shared 2nd". */
export function placeInWords({ place, shared }: Place): string {
  return shared ? m.results_place_shared({ place }) : m.results_place({ place });
}

/** "You: 3rd, 385 points", or "Ann: 3rd, 385 points" for one of several on a device. */
export function standingInWords(place: Place, total: number, name: string | null): string {
  return m.results_line({ who: name ?? m.results_you(), place: placeInWords(place), points: pointsInWords(total) });
}
