/** Who sits where on the screen. */
import type { BoardState } from "./boardState";

/** The seat with the large layout: the one whose turn it is, if it is mine, else my seat that last had a turn. */
export function mySeat(view: BoardState, you: readonly number[], before: number | null): number | null {
  const playing = you.filter((seat) => takesPart(view, seat)); // a play-off may go on without me
  if (view.turn !== null && playing.includes(view.turn)) return view.turn;
  if (before !== null && playing.includes(before)) return before;
  return playing[0] ?? null;
}

/** The others, clockwise from my left; without a seat of mine, everyone in order. */
export function othersFrom(view: BoardState, mine: number | null): number[] {
  const seats = view.seats.map((_, seat) => seat).filter((seat) => takesPart(view, seat));
  if (mine === null) return seats;
  const turned = [...seats.filter((seat) => seat > mine), ...seats.filter((seat) => seat < mine)];
  return turned;
}

/** Who plays this hole; between holes, everyone. */
export function takesPart(view: BoardState, seat: number): boolean {
  return view.seats[seat]?.layout.length !== 0 || view.phase === "lobby" || view.phase === "draw";
}
