/** The shuffles of a named hole and the cards that were seen, as the server tells those of its tables (server/table/shuffles.py). */
import { commitmentOf, hexOf, seedOf, wholePack } from "../golf/fair";
import { Refusal } from "../lib/refusal";
import type { CardSeen, Dealt, Event, Shuffle, ShuffleBook, Step } from "../lib/messages";
import type { Finished } from "./finishedMatch";
import { LocalTable } from "./localTable";
import { faceName } from "./stepNames";

/** Throws a Refusal at any other table: its cards came by chance, one at a time. */
export function shuffleBookOf(finished: Finished): ShuffleBook {
  const { kept, matchId, seats, length } = finished.table;
  if (!kept.named) throw new Refusal("needs_server");
  const facts = Object.keys(kept.house_rules).length ? kept.facts : null;
  return { id: matchId, game: kept.game, names: seats.map(({ name }) => name), finished: true, shuffles: shufflesOf(finished), length, facts };
}

/** The draw, and the hole. */
export function shufflesOf({ table: { kept, engine, matchId }, events }: Finished): Shuffle[] {
  const key = seedOf(matchId);
  const none = { commitment: commitmentOf(key), seeds: [], seed: hexOf(key), without_seed: [] };
  const draw: Shuffle = { ...none, hole: 0, seats: [], cards: [], renewed: [] };
  const hole: Shuffle = { ...none, hole: 1, seats: [], cards: [], renewed: [] };
  const table = new LocalTable(kept, engine);
  for (const event of events) {
    table.apply(event);
    if (event.is === "Drew") draw.cards.push({ place: `draw ${event.round}`, face: event.face, seat: event.seat, slot: "" });
    if (event.is === "Dealt") hole.seats = fromLeft(event);
    hole.cards.push(...cardsShown(event, hole.renewed.length));
    if (event.is === "Step" && event.renewed) hole.renewed.push(wholePack(Array.from(table.state.stock)).map((face) => faceName(table.facts, face)!));
  }
  table.end();
  return [draw, hole];
}

/** The same in the format of a record (docs/notation.md). */
export function shufflesInRecord(finished: Finished): Record<string, unknown>[] {
  return shufflesOf(finished).map(({ hole, commitment, seed, cards }) => ({
    hole,
    commitment,
    seeds: [],
    seed,
    ...(hole ? {} : { drawn: rounds(cards) }),
  }));
}

/** The cards of each round of the draw, by seat. */
function rounds(cards: CardSeen[]): Record<string, string>[] {
  const places = [...new Set(cards.map(({ place }) => place))];
  return places.map((place) => Object.fromEntries(cards.filter((card) => card.place === place).map(({ seat, face }) => [String(seat), face])));
}

function fromLeft({ seats, dealer }: Dealt): number[] {
  const first = seats.indexOf(dealer) + 1;
  return [...seats.slice(first), ...seats.slice(0, first)];
}

/** The cards of the pack that an event shows, after so many new stocks. */
function cardsShown(event: Event, stocks: number): CardSeen[] {
  if (event.is === "Dealt") return [{ place: "discard", face: event.first_discard, seat: null, slot: "" }];
  if (event.is === "Revealed") return [{ place: "layout", face: event.face, seat: event.seat, slot: event.slot }];
  return event.is === "Step" ? shownBy(event, stocks) : [];
}

function shownBy({ seat, phase, move, face, went, from_hidden }: Step, stocks: number): CardSeen[] {
  if (move === "S") return [{ place: stocks ? `stock ${stocks}` : "stock", face: face ?? "", seat, slot: "" }];
  if ((phase === "tee_off" || phase === "flip") && face !== null) return [{ place: "layout", face, seat, slot: move }];
  return from_hidden ? [{ place: "layout", face: went ?? "", seat, slot: move }] : [];
}
