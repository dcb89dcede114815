/** What a finished hole has come to: who scored, in which order, and who is level. */
import type { GameFacts, Part, SeatView, View } from "../lib/messages";

export interface Scored {
  number: number;
  seat: SeatView;
  points: number;
}

/** Those who played the hole: the seats of this device first, then the fewest points. */
export function scored(view: View, you: number[]): Scored[] {
  const isOther = ({ number }: Scored) => Number(!you.includes(number));
  return view.seats
    .flatMap((seat, number) => (seat.points === null ? [] : [{ number, seat, points: seat.points }]))
    .sort((one, other) => isOther(one) - isOther(other) || one.points - other.points);
}

/** The fewest points of the hole. */
export function lowest(view: View): number {
  return Math.min(...view.seats.flatMap(({ points }) => points ?? []));
}

/** The seats that are level for lowest, if a play-off follows. */
export function level(view: View, facts: GameFacts): number[] {
  if (view.phase === "over" || !facts.playoff || view.hole < view.length) return [];
  const figures = view.seats.map((seat) => (view.playoff > 0 ? seat.points : seat.total));
  const best = view.playoff > 0 ? lowest(view) : Math.min(...view.seats.map((seat) => seat.total));
  return figures.flatMap((figure, number) => (figure === best ? [number] : []));
}

/** A computer player that won for someone who had gone is no reason to celebrate here. */
export function haveWon(view: View, you: number[]): boolean {
  return you.some((seat) => view.winners.includes(seat) && !view.seats[seat]?.lent);
}

/** The matched lines, one for each face, in the order of the score. */
export function matched(parts: Part[]): Part[] {
  return parts.filter(({ kind }) => kind === "line");
}
