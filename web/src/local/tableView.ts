/** What a table on this device shows: the message that the server's tables send (server/table/view.py). */
import { Phase } from "../engine/records";
import type { Part, SeatView, View } from "../lib/messages";
import { score } from "../pad/scoring";
import { type LocalTable } from "./localTable";
import { faceName } from "./stepNames";

export function viewOf(table: LocalTable): View {
  const { kept, dealt, facts, phase } = table;
  const state = dealt && table.game ? table.state : null;
  const hole = dealt?.hole ?? 0;
  const closer = state && state.closer >= 0 ? dealt!.seats[state.closer]! : null;
  const [below, top] = [undefined, undefined, ...table.discards].slice(-2);
  return {
    watch: kept.code,
    game: kept.game,
    match: table.match,
    phase,
    hole,
    length: table.length,
    playoff: table.playoff(hole),
    dealer: dealt?.dealer ?? table.game?.match.dealer ?? null,
    turn: table.turn,
    closer,
    last_turns: table.isPlaying && closer !== null,
    stock_left: state?.stock_left ?? 0,
    discard: top === undefined ? null : faceName(facts, top),
    discard_below: below === undefined ? null : faceName(facts, below),
    held: state && phase === "place" ? { face: faceName(facts, state.held)!, pile: state.held_from_stock ? "S" : "D" } : null,
    may_take_back: table.mayTakeBack,
    legal: table.legal,
    latest: table.latest,
    seats: table.seats.map((_, seat) => seatView(table, seat)),
    draws: table.draws.map((round) => [...round]),
    card: [...table.card],
    winners: [...table.winners],
    given_up: table.isGivenUp,
    finished: [...table.finished],
    options: table.options,
    hints: mayBeAdvised(table),
    practice: kept.position?.practice ?? null,
    house_rules: kept.house_rules,
    stood_in: {}, // nobody is absent …
    agreed: {}, // … and nobody else is asked
  };
}

/** Hints are for one person against computer players, from the first deal on; a named hole is played without. */
export function mayBeAdvised({ kept, isPlaying, together, people, seats }: LocalTable): boolean {
  return isPlaying && !kept.named && !together && people.length === 1 && seats.every(({ kind }) => kind !== "open");
}

function seatView(table: LocalTable, number: number): SeatView {
  const { name, kind, player, lent, left, wins, substitute = false } = table.seats[number]!;
  const { people, dealt, facts, kept } = table;
  const place = dealt?.seats.indexOf(number) ?? -1;
  const cards = place < 0 ? null : table.state.players(place);
  const isOver = cards !== null && table.state.phase === Phase.OVER;
  return {
    name,
    kind,
    player,
    here: kind === "person" && people.length > 1 && !kept.real,
    owner: number === people[0] && !kept.real,
    present: kind === "open" ? "away" : "here",
    lent,
    left,
    ready: false, // everyone is ready at once
    at_table: place >= 0,
    layout: cards ? Array.from(cards.layout.subarray(0, facts.rows * facts.columns), (face) => faceName(facts, face)) : [],
    hidden: cards?.hidden ?? 0,
    so_far: cards ? table.game!.openCost(place) : null,
    points: isOver ? cards.points : null,
    total: table.card.reduce((sum, { playoff, points }) => sum + (playoff ? 0 : (points[number] ?? 0)), 0),
    wins,
    score_parts: isOver ? partsOf(table, place) : null,
    who: "", // there is nobody to be told apart
    substitute,
  };
}

/** The parts of a player's score in a finished hole, with the closer's penalty (5). */
function partsOf(table: LocalTable, place: number): Part[] {
  const { facts, dealt, state } = table;
  const player = state.players(place);
  const layout = Array.from(player.layout.subarray(0, facts.rows * facts.columns), (face) => faceName(facts, face) ?? "");
  const { parts, points } = score(facts, layout);
  const penalty = player.points - points;
  if (!penalty) return parts;
  const lower = dealt!.seats.filter((_, other) => other !== place && state.players(other).points < points);
  return [...parts, { kind: "penalty", rule: "5.6", points: penalty, slots: [], faces: [], lines: 0, beaten_by: lower }];
}
