/** A match on this device that is over: its card, its record, and every position (server/table/finished.py). */
import { Refusal } from "../lib/refusal";
import type { Event, FinishedGame, Frame, GameFacts, HoleReplay, MulliganRequest, Step } from "../lib/messages";
import type { Engine } from "../engine/engine";
import { seatOf, type KeptTable, type Position } from "./keptTable";
import { computerOf, LocalTable, type PlayedHole } from "./localTable";
import { shufflesInRecord } from "./shuffleBook";
import { faceName, writeMoves, writeReveal } from "./stepNames";
import { viewOf } from "./tableView";

/** The table when the match was over, and the events of the match. */
export interface Finished {
  table: LocalTable;
  events: Event[];
}

/** Plays a table's events again up to the end of a match. Throws a Refusal if it is not finished. */
export function playAgain(kept: KeptTable, engine: Engine, events: readonly Event[], match: number): Finished {
  const table = new LocalTable(kept, engine);
  let begun = 0;
  for (const [place, event] of events.entries()) {
    if (event.is === "Started" && event.match === match) begun = place;
    table.apply(event);
    if (event.is === "MatchOver" && table.match === match) return { table, events: events.slice(begun, place + 1) };
  }
  throw new Refusal("game_gone", { game: `${kept.code}-${match}` });
}

export function cardOf({ table, events }: Finished): FinishedGame {
  const { kept, facts } = table;
  return {
    id: table.matchId,
    game: kept.game,
    watch: kept.code,
    match: table.match,
    length: table.length,
    seats: table.seats.map(({ name, kind, player }, seat) => ({ name, kind, player, total: table.game!.totals[seat]! })),
    card: table.card,
    totals: table.game!.totals,
    winners: table.winners,
    holes: table.card.map(({ hole, playoff }, at) => {
      const { seats, equal } = table.holes[at]!;
      return { hole, playoff, frames: scenesOf(events, hole).length, equal: table.seats.map((_, seat) => equal[seats.indexOf(seat)] ?? null) };
    }),
    practice: kept.position?.practice ?? null,
    real_cards: kept.real !== undefined,
    on_device: kept.real === undefined,
    house_rules: kept.house_rules,
    facts: Object.keys(kept.house_rules).length ? facts : null,
    opened: kept.opened,
  };
}

/** The record of the match (docs/notation.md), as `mulligan referee` reads it. */
export function recordOf(finished: Finished): Record<string, unknown> {
  const { table } = finished;
  const { kept, facts, seats, game, isShared } = table; // only what differs from the game is written
  const holes = kept.real?.ended || table.options.holes;
  const rules = { ...kept.house_rules, ...(holes ? { holes } : {}), ...(isShared ? { level: "share" } : {}) };
  return {
    format: 1,
    game: kept.game,
    players: seats.map(({ name }) => name),
    holes: table.holes.map((hole, at) => {
      const { stand_ins } = table.card[at]!;
      return { ...writtenHole(facts, hole), ...(stand_ins.length ? { stand_ins } : {}) };
    }),
    totals: game!.totals,
    winners: table.winners,
    ...(Object.keys(rules).length ? { match: rules } : {}),
    kinds: seats.map(({ kind }) => kind),
    id: table.matchId,
    ...(kept.named ? { shuffles: shufflesInRecord(finished) } : {}),
  };
}

/** A hole as a record holds it, also as far as it was played. */
export function writtenHole(facts: GameFacts, { dealer, seats, steps, points }: Omit<PlayedHole, "first" | "points" | "equal"> & { points: number[] | null }) {
  return {
    dealer,
    seats,
    first_discard: faceName(facts, steps[0]!.face),
    moves: writeMoves(facts, steps),
    reveal: Object.fromEntries([...writeReveal(facts, steps)].map(([seat, cards]) => [String(seats[seat]), cards])),
    points,
  };
}

/** Every position of one hole, from the deal to the scoring. Throws a Refusal if there is no such hole. */
export function replayOf({ table: { kept, engine, matchId }, events }: Finished, hole: number): HoleReplay {
  const scenes = scenesOf(events, hole);
  if (!scenes.length) throw new Refusal("hole_gone", { hole });
  const table = new LocalTable(kept, engine);
  const frames: Frame[] = [];
  let scene: Event[] | undefined; // its frame shows the table as the next one begins, with the seats that were lent meanwhile
  const finish = () => scene && frames.push({ what: scene, view: viewOf(table) });
  for (const event of events) {
    if (BEGINS.has(event.is)) {
      finish();
      scene = undefined;
    }
    table.apply(event);
    scene = scenes.find((what) => what.at(-1) === event) ?? scene;
  }
  finish();
  table.end();
  return { id: matchId, hole, frames };
}

const SHOWN = new Set<Event["is"]>(["Dealt", "Resumed", "Step", "TookBack", "Revealed", "HoleOver", "MatchOver"]);
const BEGINS = new Set<Event["is"]>(["Dealt", "Step", "TookBack"]);

/** The events of a hole in groups, one for each position; a step that was taken back is in none. */
function scenesOf(events: readonly Event[], hole: number): Event[][] {
  const scenes: Event[][] = [];
  let isIt = false;
  for (const event of events) {
    if (event.is === "Dealt") isIt = event.hole === hole;
    if (!isIt || !SHOWN.has(event.is)) continue;
    if (event.is === "TookBack") scenes.pop();
    else if (BEGINS.has(event.is)) scenes.push([event]);
    else scenes.at(-1)!.push(event);
  }
  return scenes;
}

/** A practice table that plays on from a position of the match. Throws a Refusal if there is no such position. */
export function practiceOf({ table, events }: Finished, wish: MulliganRequest, standIn: string, code: string): KeptTable {
  const { real: _, named: __, ...kept } = table.kept;
  const [dealt, ...steps] = scenesOf(events, wish.hole).map(([event]) => event!);
  if (dealt?.is !== "Dealt" || !(wish.step >= 0 && wish.step < steps.length)) throw new Refusal("no_such_position", { hole: wish.hole, step: wish.step });
  if (!dealt.seats.includes(wish.seat)) throw new Refusal("no_such_seat", { seat: wish.seat });
  const before = kept.position?.practice;
  const practice = { game: table.matchId, hole: wish.hole, step: wish.step, name: before?.name ?? dealt.hole, playoff: before?.playoff ?? dealt.playoff };
  const position: Position = {
    practice,
    dealer: dealt.seats.indexOf(dealt.dealer),
    first_discard: dealt.first_discard,
    steps: steps.slice(0, wish.step).map((step) => ({ ...(step as Step), seat: dealt.seats.indexOf((step as Step).seat) })),
  };
  const seats = dealt.seats.map((player) => {
    const seat = table.seats[player]!;
    return player === wish.seat ? seatOf("person", seat.name) : seatOf("computer", seat.name, computerOf(seat) || wish.player || standIn);
  });
  const options = { ...table.options, pace: wish.pace ?? "normal" };
  return { ...kept, code, opened: Math.floor(Date.now() / 1000), seats, options, position };
}
