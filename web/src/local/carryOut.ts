/** Carries out commands at a table on this device: what each lets happen, or why it is refused (server/table/commands.py). */
import { Refusal } from "../lib/refusal";
import type { ClientMessage, Event, FillSeat, Lend, Play, TakeBack } from "../lib/messages";
import { NOBODY, Phase } from "../engine/records";
import { fairDice } from "./fairDice";
import type { LocalTable } from "./localTable";
import { drawnCards } from "./namedCards";
import { faceName, moveName } from "./stepNames";

export type Command = Exclude<ClientMessage, { is: "Hello" | "Ping" | "Hurry" | "Here" }>;

/** Lets the events of a command happen, each before the next is found. Throws a Refusal, then nothing has changed. */
export function happen(table: LocalTable, events: Iterable<Event>): Event[] {
  const happened: Event[] = [];
  for (const event of events) {
    table.apply(event);
    happened.push(event);
  }
  return happened;
}

/** The events of a command. Throws a Refusal, before the first one. `standIn` plays for people who lend their seat. */
export function* carryOut(table: LocalTable, command: Command, standIn: string): Generator<Event> {
  switch (command.is) {
    case "Play":
      return yield* playMove(table, command);
    case "TakeBack":
      return yield* takeBack(table, command);
    case "Start":
      must(table.phase === "lobby", table);
      return yield* begin(table);
    case "NextHole":
      must(["draw", "hole_over"].includes(table.phase), table);
      return yield* deal(table);
    case "Rematch":
      must(table.phase === "over" && !table.kept.named, table);
      if (table.seats.some(({ kind, lent }) => kind === "open" && !lent)) throw new Refusal("seats_open");
      return yield* begin(table);
    case "GiveUp":
      must(!["lobby", "over"].includes(table.phase), table);
      return yield { is: "GivenUp", hole: table.dealt?.hole ?? 0 };
    case "SetOptions": {
      const isLengthSet = !["lobby", "over"].includes(table.phase);
      return yield { is: "OptionsSet", options: isLengthSet ? { ...command.options, holes: table.options.holes } : command.options };
    }
    case "FillSeat":
      return yield* fillSeat(table, command);
    case "Lend":
      return yield* lend(table, command, standIn);
    case "GiveBack":
      if (!table.seats[command.seat]?.lent) throw new Refusal("seat_taken", { seat: command.seat });
      return yield { is: "GaveBack", seat: command.seat };
    case "Leave":
    case "OpenSeat":
    case "Remove":
      return yield { is: "Left", seat: command.seat, name: seat(table, command.seat).name };
    case "Sit":
      if (seat(table, command.seat).kind !== "open") throw new Refusal("seat_taken", { seat: command.seat });
      return yield { is: "Sat", seat: command.seat, name: command.name, kind: "person", player: "" };
    case "Rename":
      return yield { is: "Renamed", seat: command.seat, name: command.name };
    case "Say":
      return yield { is: "Said", seat: command.seat, phrase: command.phrase };
    case "React":
      return yield { is: "Reacted", seat: command.seat, reaction: command.reaction };
    default: // these reach other devices
      throw new Refusal("needs_server");
  }
}

function must(isAllowed: boolean, { phase }: LocalTable): void {
  if (!isAllowed) throw new Refusal("not_now", { phase });
}

function seat(table: LocalTable, number: number) {
  const found = table.seats[number];
  if (!found) throw new Refusal("no_such_seat", { seat: number });
  return found;
}

/** Starts a match: players draw until one has the single lowest card, each round from the whole pack (2.1). A named hole is
 *  dealt at once. */
export function* begin(table: LocalTable): Generator<Event> {
  yield { is: "Started", match: table.match + 1, without_seed: [] };
  if (table.kept.position) return yield* resume(table);
  const drawing = table.newMatch();
  for (let round = 1; drawing.match.dealer === NOBODY; round++) {
    const drawn = Array.from(drawing.match.at_table);
    drawing.dice = fairDice();
    drawing.draw();
    if (table.kept.named) {
      const cards = drawnCards(table.matchId, drawing.rules.copies, round);
      for (const [place, seat] of [...drawn.keys()].filter((seat) => drawn[seat]).entries()) drawing.match.drawn[seat] = cards[place]!;
    }
    for (const seat of table.seats.keys()) if (drawn[seat]) yield { is: "Drew", round, seat, face: faceName(table.facts, drawing.match.drawn[seat]!)! };
    drawing.compareDraw();
  }
  yield { is: "DealerDrawn", seat: drawing.match.dealer };
  drawing.end();
  if (table.kept.named) yield* deal(table);
}

/** At a practice table, the position is restored; the cards that nobody has seen come by chance. */
function* resume({ kept, seats }: LocalTable): Generator<Event> {
  const { dealer, first_discard, steps } = kept.position!;
  yield { is: "DealerDrawn", seat: dealer };
  yield { is: "Dealt", hole: 1, playoff: 0, dealer, seats: [...seats.keys()], first_discard, without_seed: [] };
  yield* steps;
  yield { is: "Resumed" };
}

/** Deals the next hole (2.2, 2.3). */
export function* deal(table: LocalTable, first_discard = table.firstDiscard()): Generator<Event> {
  const hole = table.card.length + 1;
  const { match } = table.game!;
  const seats = [...table.seats.keys()].filter((seat) => match.at_table[seat]);
  yield { is: "Dealt", hole, playoff: table.playoff(hole), dealer: match.dealer, seats, first_discard, without_seed: [] };
}

function* playMove(table: LocalTable, { seat, move }: Play): Generator<Event> {
  mustBeOnTurn(table, seat);
  const place = table.legal.indexOf(move);
  if (place < 0) throw new Refusal("not_legal", { allowed: table.legal, move: move.slice(0, 8) });
  yield* step(table, table.game!.legalMoves[place]!);
}

/** Plays a legal move; after the last one of a hole, its cards are turned up and it is scored. */
export function* step(table: LocalTable, move: number): Generator<Event> {
  yield table.play(move);
  const { state } = table;
  while (state.phase === Phase.REVEAL) yield table.play(state.awaited);
  yield* settle(table);
}

/** If the hole is over, it is scored, and the match may be over too. */
export function* settle(table: LocalTable): Generator<Event> {
  if (table.state.phase !== Phase.OVER) return;
  const { hole, playoff } = table.dealt!;
  yield { is: "HoleOver", hole, playoff, points: table.holePoints };
  const { match, totals } = table.game!;
  if (!match.over) return;
  yield { is: "MatchOver", winners: [...table.seats.keys()].filter((seat) => match.at_table[seat]), totals, game: table.matchId };
}

function mustBeOnTurn(table: LocalTable, seat: number): void {
  if (!table.isPlaying) throw new Refusal("not_now", { phase: table.phase });
  if (seat !== table.turn || table.computerOnTurn) throw new Refusal("not_your_turn", { seat: table.turn ?? -1 });
}

function* takeBack(table: LocalTable, { seat }: TakeBack): Generator<Event> {
  mustBeOnTurn(table, seat);
  if (!table.mayTakeBack) throw new Refusal("nothing_to_take_back");
  const { move, face } = table.steps.at(-1)!;
  yield { is: "TookBack", seat, move: moveName(table.facts, move), face: faceName(table.facts, face)! };
}

function* fillSeat(table: LocalTable, { seat: number, player, name = "" }: FillSeat): Generator<Event> {
  if (seat(table, number).kind !== "open") throw new Refusal("seat_taken", { seat: number });
  yield { is: "Sat", seat: number, name: name || player, kind: "computer", player };
}

function* lend(table: LocalTable, { seat: number, player }: Lend, standIn: string): Generator<Event> {
  const { kind, lent, left } = seat(table, number);
  if (kind === "computer" || lent || (kind === "open" && !left)) throw new Refusal("seat_taken", { seat: number });
  yield { is: "Lent", seat: number, player: player || standIn, why: "asked" };
}
