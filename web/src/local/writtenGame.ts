/** A game that was written down, at a real table or in a record: what happened at its table (services/cardboard.py). */
import { slotName } from "../golf/slots";
import type { Engine } from "../engine/engine";
import { HIDDEN, PASS, Phase } from "../engine/records";
import type { CardboardGame, CardboardTable, Event, GameFacts } from "../lib/messages";
import { Refusal } from "../lib/refusal";
import { joined } from "../lib/typedText";
import { deal, happen, settle } from "./carryOut";
import { writtenHole } from "./finishedMatch";
import type { KeptTable } from "./keptTable";
import { LocalTable, type PlayedHole } from "./localTable";
import { faceName, piece, readFace, readMove, type Taken } from "./stepNames";
import { viewOf } from "./tableView";

/** What happened, and where in it the last move, or piece of one, begins. */
export interface Followed {
  events: Event[];
  latest: number;
}

/** Plays a game at its new table, as far as it is written (game/draft.py). Throws a Refusal that names the first impossible move. */
export function follow(table: LocalTable, { dealer, holes = [] }: CardboardGame): Followed {
  if (!table.seats[dealer]) throw new Refusal("no_such_seat", { seat: dealer });
  const events: Event[] = [];
  let latest = 0;
  /** Lets something happen that is written in a place. */
  const write = (where: { hole: number; number: number; text: string }, what: Generator<Event>, isNew = true) => {
    if (isNew) latest = events.length;
    try {
      events.push(...happen(table, what));
    } catch (problem) {
      throw problem instanceof Refusal ? new Refusal("wrong_move", { ...where, text: where.text.slice(0, 20), ...problem.params }) : problem;
    }
  };
  events.push(...happen(table, [{ is: "Started", match: 1, without_seed: [] }, { is: "DealerDrawn", seat: dealer }]));
  latest = events.length;
  for (const [nth, { first_discard = null, moves = [], reveal = {} }] of holes.entries()) {
    const hole = nth + 1;
    const isLast = hole === holes.length;
    const wrong = (why: string, number = 0) => new Refusal("wrong_move", { hole, number, text: "", why });
    if (table.phase === "over") throw wrong("match_over");
    if (first_discard === null) {
      if (moves.length || Object.keys(reveal).length || !isLast) throw wrong("not_first_discard");
      break;
    }
    write({ hole, number: 0, text: first_discard }, begun(table, first_discard));
    for (const [at, text] of moves.entries()) write({ hole, number: at + 1, text }, moved(table, text));
    for (let shown; (shown = nextShown(table, reveal)); ) write({ hole, number: moves.length, text: shown }, moved(table, shown), false);
    if (table.isHoleOn && !isLast) throw wrong("hole_unfinished", moves.length);
  }
  return { events, latest };
}

function* begun(table: LocalTable, first: string): Generator<Event> {
  yield* deal(table, faceName(table.facts, readFace(table.facts, first))!);
}

/** The steps of a move. */
function* moved(table: LocalTable, text: string): Generator<Event> {
  let steps = readMove(table.facts, table.state.phase, text);
  if (mayLeaveLast(table) && steps[0]!.phase !== Phase.FLIP) {
    yield step(table, { seat: 0, phase: Phase.FLIP, move: PASS, face: HIDDEN }); // another move follows: the last card stayed face down (3.4)
    steps = readMove(table.facts, table.state.phase, text);
  }
  for (const one of steps) yield step(table, one);
  yield* settle(table);
}

function step(table: LocalTable, taken: Taken): Event {
  const event = table.take(taken);
  if (!event) throw new Refusal("wrong_move");
  return event;
}

/** Whether a card was just discarded, and the last one that is face down may stay so (3.4). */
const mayLeaveLast = ({ isPlaying, state, game }: LocalTable): boolean => isPlaying && state.phase === Phase.FLIP && game!.legalMoves.includes(PASS);

/** What is written of the card to be turned up next at the end of a hole (4.3), if that is next. */
function nextShown({ isPlaying, state, facts, dealt }: LocalTable, reveal: Record<string, string[]>): string | undefined {
  if (!isPlaying || state.phase !== Phase.REVEAL) return undefined;
  const slot = slotName(state.awaited, facts.columns);
  return reveal[dealt!.seats[state.turn]!]?.find((text) => joined(text).startsWith(`${slot}=`));
}

/** The table after all moves. */
export function asShown(table: LocalTable, { events, latest }: Followed): CardboardTable {
  const { facts, isHoleOn, dealt, seats } = table;
  const { match } = table.game!;
  const state = isHoleOn ? table.state : null;
  const holes: (Omit<PlayedHole, "first" | "points" | "equal"> & { points: number[] | null })[] = [...table.holes];
  if (state) holes.push({ dealer: dealt!.dealer, seats: dealt!.seats, steps: table.steps, points: null });
  return {
    view: viewOf(table),
    what: events.slice(latest),
    awaited: state?.phase === Phase.REVEAL ? { seat: dealt!.seats[state.turn]!, slot: slotName(state.awaited, facts.columns) } : null,
    stock: state ? counts(facts, state.renewed ? state.stock : state.unseen) : {},
    unseen: state ? counts(facts, state.unseen) : {},
    dealer: match.dealer,
    seats: [...seats.keys()].filter((seat) => match.at_table[seat]),
    holes: holes.map((hole) => ({ ...writtenHole(facts, hole), pieces: hole.steps.slice(1).map((one) => piece(facts, one)) })),
  };
}

/**
 * The finished holes of a game as a match, and what happened there: one that was broken off ends with its last hole. Throws a
 * Refusal if there is none.
 */
export function asFinished(engine: Engine, kept: KeptTable, game: CardboardGame): { kept: KeptTable; events: Event[] } {
  const table = new LocalTable(kept, engine);
  try {
    const { events } = follow(table, game);
    if (!table.card.length) throw new Refusal("no_hole_over");
    if (table.phase === "over") return { kept, events };
    const ended = Math.min(table.card.length, table.length);
    return asFinished(engine, { ...kept, real: { ended } }, { ...game, holes: game.holes!.slice(0, ended) });
  } finally {
    table.end();
  }
}

/** How many cards of each face are in a bag. */
function counts({ faces }: GameFacts, bag: ArrayLike<number>): Record<string, number> {
  return Object.fromEntries(faces.map(({ name }, face) => [name, bag[face]!]));
}
