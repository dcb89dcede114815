/** The players who are ready for the next hole or another match, and those still missing. */
import type { Event, View } from "../lib/messages";

export interface Ready {
  /** Whether I am. */
  mine: boolean;
  /** The names of all who are, me among them. */
  are: string[];
  /** The names of those at the table who are not. */
  awaited: string[];
}

export function readyOf(view: View, you: readonly number[]): Ready {
  const people = view.seats.filter(({ kind, present, lent }) => kind === "person" && present !== "away" && !lent);
  return {
    mine: you.some((seat) => view.seats[seat]?.ready),
    are: view.seats.filter(({ ready }) => ready).map(({ name }) => name),
    awaited: people.filter(({ ready }) => !ready).map(({ name }) => name),
  };
}

/** Whether a match began in which a computer player plays for me until I join. */
export function beganWithoutMe(what: readonly Event[], you: readonly number[]): boolean {
  const lent = what.flatMap((event) => (event.is === "Lent" ? [event.seat] : []));
  return what.some(({ is }) => is === "Started") && you.length > 0 && you.every((seat) => lent.includes(seat));
}
