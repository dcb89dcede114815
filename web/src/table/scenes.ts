/** What happened, cut into scenes the eye can follow: each shows some events and the table after them. */
import type { Event, Revealed } from "../lib/messages";
import type { BoardState } from "./boardState";
import { slotName } from "../golf/slots";

export interface Scene<Table extends BoardState> {
  what: Event[];
  view: Table;
}

/** One Happened as scenes. Only the last shows the view the server sent; in those before it, what is
 *  still to come is face down. `columns` is the width of a layout. */
export function scenesOf<Table extends BoardState>(what: Event[], view: Table, columns: number): Scene<Table>[] {
  const scenes: Scene<Table>[] = [];
  let current: Event[] = [];
  const cut = () => {
    if (current.length > 0) scenes.push({ what: current, view });
    current = [];
  };
  for (const event of what) {
    if (begins(event, current)) cut();
    current.push(event);
  }
  cut();
  let later: Revealed[] = [];
  for (const scene of scenes.toReversed()) {
    if (later.length > 0) scene.view = beforeReveal(view, later, columns);
    later = [...later, ...scene.what.filter((event) => event.is === "Revealed")];
  }
  return scenes;
}

/** Whether the eye needs a new scene for the event: one for each step, and one for each player's reveal. */
function begins(event: Event, current: Event[]): boolean {
  switch (event.is) {
    case "Step":
    case "TookBack":
    case "Dealt":
      return true;
    case "Revealed":
      return !current.some((other) => other.is === "Revealed" && other.seat === event.seat);
    case "Sat":
    case "Left":
    case "SeatGone":
    case "Lent":
    case "GaveBack":
    case "Ready":
    case "Sealed":
    case "SeedAdded":
    case "Unsealed":
    case "OptionsSet":
    case "Started":
    case "Drew":
    case "DealerDrawn":
    case "Resumed":
    case "HoleOver":
    case "MatchOver":
    case "GivenUp":
    case "Said":
    case "Reacted":
    case "Chatted":
    case "HostChanged":
    case "Renamed":
    case "GameChosen":
    case "Agreed":
    case "HereAgain":
      return false;
    default:
      event satisfies never;
      return false; // a newer server's event
  }
}

/** The table while those cards are still face down: not yet scored, and nobody's turn. */
function beforeReveal<Table extends BoardState>(view: Table, later: Revealed[], columns: number): Table {
  const table = uncounted(view, later);
  const seats = table.seats.map((seat, number) => {
    const slots = later.filter((event) => event.seat === number).map((event) => event.slot);
    const layout = seat.layout.map((face, place) => (slots.includes(slotName(place, columns)) ? null : face));
    return { ...seat, layout, hidden: seat.hidden + slots.length };
  });
  return { ...table, seats };
}

/** The table of a hole that is over, before it is scored; nor does it say what the cards are worth that come to light. */
export function uncounted<Table extends BoardState>(view: Table, what: Event[]): Table {
  const coming = new Set(what.flatMap((event) => (event.is === "Revealed" ? [event.seat] : [])));
  const seats = view.seats.map((seat, number) => ({
    ...seat,
    so_far: coming.has(number) ? null : seat.so_far,
    points: null,
    score_parts: null,
    total: view.playoff > 0 ? seat.total : seat.total - (seat.points ?? 0),
  }));
  return { ...view, phase: "take", turn: null, legal: [], winners: [], card: view.card?.slice(0, -1), seats };
}
