/** Where the cards of an event come from and go to: spots of the table by name. */
import type { Event, GameFacts } from "../lib/messages";
import type { BoardState } from "./boardState";
import { clearedSlots } from "../golf/lines";
import { slotName } from "../golf/slots";

/** "stock", "discard", "hand", a seat such as "0", or one of its slots such as "0-b2". */
export type Spot = string;

export interface Travel {
  from: Spot;
  to: Spot;
  /** What is seen on arrival; null for a back. */
  face: string | null;
  /** It starts face down and turns over on the way. */
  turns: boolean;
  /** How much later than the first, in steps of a deal. */
  after: number;
}

/** What a spot shows until the card on its way arrives: the face that lies there, null for a back, "gone". */
export type Cover = Map<Spot, string | null>;

export interface Motion {
  travels: Travel[];
  covers: Cover;
}

export const seatSpot = (seat: number): Spot => String(seat);

export function slotSpot(seat: number, slot: string): Spot {
  return `${seat}-${slot}`;
}

/** Where the player to move looks to make up their mind: nothing lights up before these cards have arrived. */
export function lookedAt(view: BoardState): Spot[] {
  if (view.turn === null) return [];
  if (view.phase === "take") return ["discard"];
  if (view.phase === "place") return ["hand"];
  return view.legal.filter((move) => move !== ".").map((slot) => slotSpot(view.turn ?? 0, slot));
}

/** The lines that leave the layout for the discard pile once all cards have arrived (3.7). */
export function leaving(before: BoardState, after: BoardState, facts: GameFacts): Travel[] {
  return after.seats.flatMap(({ layout }, seat) => {
    const already = clearedSlots(facts, before.seats[seat]?.layout ?? []);
    const slots = [...clearedSlots(facts, layout)].filter((slot) => !already.has(slot));
    return slots.map((slot, at) => ({ from: slotSpot(seat, slotName(slot, facts.columns)), to: "discard", face: layout[slot]!, turns: false, after: at * 0.4 }));
  });
}

/** The cards that move in an event, and the cards shown at their targets until they arrive. */
export function motionOf(event: Event, before: BoardState, after: BoardState, columns: number): Motion {
  const motion: Motion = { travels: [], covers: new Map() };
  const travel = (from: Spot, to: Spot, face: string | null, turns: boolean, cover: string | null, wait = 0) => {
    motion.travels.push({ from, to, face, turns, after: wait });
    motion.covers.set(to, cover);
  };
  const lies = before.discard ?? "gone"; // on the discard pile
  if (event.is === "Step" && event.move !== ".") {
    const slot = slotSpot(event.seat, event.move);
    if (event.phase === "tee_off" || event.phase === "flip") {
      travel(slot, slot, event.face, true, null);
    } else if (event.move === "S") travel("stock", "hand", event.face, true, "gone");
    else if (event.move === "D") travel("discard", "hand", event.face, false, "gone");
    else if (event.move === "-") travel("hand", "discard", event.face, false, lies);
    else {
      travel("hand", slot, event.face, false, "gone");
      travel(slot, "discard", event.went, event.from_hidden, lies, 0.5);
    }
  } else if (event.is === "TookBack") {
    if (event.move === "D") travel("hand", "discard", event.face, false, lies);
    else travel("discard", "hand", event.face, false, "gone");
  } else if (event.is === "Revealed") {
    const slot = slotSpot(event.seat, event.slot);
    travel(slot, slot, event.face, true, null);
  } else if (event.is === "Dealt") {
    const length = Math.max(...after.seats.map((seat) => seat.layout.length));
    for (let place = 0; place < length; place++)
      for (const seat of event.seats)
        travel("stock", slotSpot(seat, slotName(place, columns)), null, false, "gone", place * 0.35);
    travel("stock", "discard", event.first_discard, true, "gone", length * 0.35 + 0.4);
  }
  return motion;
}
