/** Hints, and the analysis of finished matches, by the coach's functions in the engine. Here they get their names. */
import { slotName } from "../golf/slots.ts";
import { type Analysis, CLOSE_CALL, type GameFacts, type HoleShares, type Mistake, type MovePhase, type Rated, type Reason, type Share, type TurningCard } from "../lib/messages.ts";
import type { Brain, Engine, Listed } from "./engine.ts";
import * as records from "./records.ts";
import { DISCARD, DISCARD_DRAWN, HIDDEN, MOVES, NOBODY, NOTHING, PASS, Phase, REASONS, type Rules, STAGES, State, STOCK } from "./records.ts";

/** What the coach needs to know of a game for so many players; the server sends it. */
export interface CoachFigures {
  par: number;
  /** By stage: scale, excess and spread. */
  corrections: Record<string, number[]>;
}

/** A finished hole. Players are numbers. */
export interface PlayedHole {
  dealer: number;
  /** Who was at the table, by seat. */
  players: number[];
  /** The seat with the first turn, or NOBODY (2.5). */
  first: number;
  /** Records of `Step` from the deal on. */
  steps: Uint8Array;
  /** For so many players. */
  kept: CoachFigures;
  brain: Brain;
}

const SHARES = ["points", "at_deal", "luck", "mistakes", "turns", "errors"] as const;
const FIGURES = ["points", "others", "strokes"] as const;
const COUNTS = ["player", "count", "unseen", "lines"] as const;
const MOVE_PHASES: Record<number, MovePhase> = { [Phase.TEE_OFF]: "tee_off", [Phase.TAKE]: "take", [Phase.PLACE]: "place", [Phase.FLIP]: "flip" };
const MOVE_NAMES: Record<number, string> = { [STOCK]: "stock", [DISCARD]: "discard", [DISCARD_DRAWN]: "discard_drawn", [PASS]: "pass" };
const SIZE = 8; // bytes of a number

/** The legal moves of the player to move, best first, as the server rates them. `players`: those at the table, by seat. */
export function advise(engine: Engine, facts: GameFacts, kept: CoachFigures, rules: Rules, state: State, brain: Brain, players: number[]): Rated[] {
  const judge = new Judge(engine, rules, kept, brain);
  const names = new Names(facts, state, players);
  const rated = judge.rate(state).map((one) => ({
    ...lossOf(one),
    move: names.move(one.move),
    code: one.move,
    worth: one.worth,
    equal: one.equal !== 0,
    place: names.slot(one.place),
    why: names.reason(one.why),
  }));
  judge.end();
  return rated;
}

/** The analysis of a match with that many players, as the server makes it. Other questions are answered between two holes. */
export async function analyse(engine: Engine, facts: GameFacts, rules: Rules, id: string, players: number, holes: PlayedHole[]): Promise<Analysis> {
  const found: Told[] = [];
  for (const [nth, hole] of holes.entries()) {
    found.push(new HoleStory(engine, facts, rules, hole, nth + 1).tell());
    await new Promise((done) => setTimeout(done));
  }
  const shares = found.map(({ shares }, nth): HoleShares => {
    const of = (player: number) => shares[holes[nth]!.players.indexOf(player)] ?? null;
    return { hole: nth + 1, shares: Array.from({ length: players }, (_, player) => of(player)) };
  });
  const totals = Array.from({ length: players }, (_, player) => summed(shares.map(({ shares }) => shares[player] ?? null)));
  const mistakes = found.flatMap(({ mistakes }) => mistakes).sort((one, other) => other.loss - one.loss);
  const cards = found.flatMap(({ cards }) => cards);
  const turning = totals.flatMap((_, player) => extremes(cards.filter(({ whom }) => whom === player)));
  return { id, holes: shares, totals, mistakes, cards: turning };
}

/** The luckiest of these cards, and the unluckiest; of equals the first. */
function extremes(cards: TurningCard[]): TurningCard[] {
  const least = (sign: number) => cards.reduce((least, card) => (sign * card.luck < sign * least.luck ? card : least));
  return cards.length ? [least(1), least(-1)] : [];
}

/** Has the engine rate moves. */
class Judge {
  readonly #engine: Engine;
  readonly #rules: Rules;
  readonly #brain: Brain;
  readonly #ratings: number;
  readonly #values: number;
  readonly #reserved: number[];
  /** The last arguments of `rate`. */
  readonly #listed: [values: number, corrections: number, refined: number, ratings: number];

  constructor(engine: Engine, rules: Rules, kept: CoachFigures, brain: Brain) {
    [this.#engine, this.#rules, this.#brain] = [engine, rules, brain];
    this.#values = engine.reserve(SIZE * MOVES);
    this.#ratings = engine.reserve(records.Rating.size * MOVES);
    const corrections = engine.numbers(STAGES.flatMap((stage) => kept.corrections[stage]?.slice(0, 3) ?? [0, 0, 0]));
    const refined = engine.numbers([NaN, NaN, NaN]); // nothing is played out here
    const listed = (address: number, ...lengths: number[]) => engine.describe([address, ...lengths]);
    this.#listed = [listed(this.#values, MOVES), listed(corrections, STAGES.length, 3), listed(refined, 3), listed(this.#ratings, MOVES)];
    this.#reserved = [this.#values, this.#ratings, corrections, refined, ...this.#listed];
  }

  /** The legal moves, best first, until the next call; `played` is the move of a finished match, with the values of all. */
  rate(state: State, played = NOTHING, values: number[] = []): records.Rating[] {
    const { calls, memory } = this.#engine;
    new Float64Array(memory.buffer, this.#values, MOVES).set(values);
    const count = calls.rate(this.#rules.address, this.#brain.address, state.address, played, CLOSE_CALL, ...this.#listed);
    return Array.from({ length: count }, (_, nth) => new records.Rating(memory, this.#ratings + nth * records.Rating.size));
  }

  end(): void {
    this.#engine.release(...this.#reserved);
  }
}

/** A hole that the engine follows step by step. */
export class FollowedHole {
  readonly #engine: Engine;
  readonly #traces: number[];
  readonly #lengths: number[][];
  readonly count: number;
  /** The state after the last step. */
  readonly state: State;
  /** The steps and the traces as arguments. */
  readonly steps: number;
  readonly traces: number;
  readonly #content: number;

  constructor(engine: Engine, rules: Rules, hole: { seats: number; dealer: number; first: number; steps: Uint8Array; brain: Brain }) {
    this.#engine = engine;
    this.count = hole.steps.length / records.Step.size;
    this.state = engine.record(State);
    engine.calls.deal(rules.address, this.state.address, hole.seats, hole.dealer);
    this.state.first = hole.first;
    this.#lengths = [[this.count], [hole.seats], [this.count, MOVES, hole.seats], [this.count, hole.seats], [this.count, hole.seats]];
    this.#traces = this.#lengths.map((lengths, nth) => engine.reserve((nth ? SIZE : State.size) * product(lengths)));
    this.moveValues.fill(Infinity);
    this.#content = engine.put(hole.steps);
    this.steps = engine.describe([this.#content, this.count]);
    this.traces = engine.describe(...this.#traces.map((place, nth): Listed => [place, ...this.#lengths[nth]!]));
    engine.calls.follow(rules.address, this.state.address, this.steps, hole.brain.address, this.traces);
  }

  step(nth: number): records.Step {
    return new records.Step(this.#engine.memory, this.#content + nth * records.Step.size);
  }

  /** The position before a step. */
  before(nth: number): State {
    return new State(this.#engine.memory, this.#traces[0]! + nth * State.size);
  }

  /** Of each seat before the first card: expected strokes against the others, lower is better. */
  get start(): Float64Array {
    return this.#numbers(1);
  }

  /** By step, move and seat; infinite where there is no such move. */
  get moveValues(): Float64Array {
    return this.#numbers(2);
  }

  /** By step and seat: how the card that was shown changed the values. */
  get luck(): Float64Array {
    return this.#numbers(3);
  }

  /** By step and seat: how far another look at the position differs from the one before. */
  get revisions(): Float64Array {
    return this.#numbers(4);
  }

  #numbers(nth: number): Float64Array {
    return new Float64Array(this.#engine.memory.buffer, this.#traces[nth], product(this.#lengths[nth]!));
  }

  end(): void {
    this.#engine.release(this.state.address, ...this.#traces, this.#content, this.steps, this.traces);
  }
}

/** The mistakes of a hole, what each of its cards changed for each player, and the shares by seat. */
interface Told {
  mistakes: Mistake[];
  cards: TurningCard[];
  shares: Share[];
}

/** What is found of a hole. */
class HoleStory {
  readonly #engine: Engine;
  readonly #facts: GameFacts;
  readonly #hole: PlayedHole;
  readonly #number: number;
  readonly #followed: FollowedHole;
  readonly #judge: Judge;

  constructor(engine: Engine, facts: GameFacts, rules: Rules, hole: PlayedHole, number: number) {
    [this.#engine, this.#facts, this.#hole, this.#number] = [engine, facts, hole, number];
    const [seats, dealer] = [hole.players.length, hole.players.indexOf(hole.dealer)];
    this.#followed = new FollowedHole(engine, rules, { ...hole, seats, dealer });
    this.#judge = new Judge(engine, rules, hole.kept, hole.brain);
  }

  tell(): Told {
    const [engine, followed] = [this.#engine, this.#followed];
    const judged = engine.reserve(records.Rating.size * followed.count);
    const turns = this.#hole.players.map(() => 0);
    const mistakes: Mistake[][] = this.#hole.players.map(() => []);
    const cards: TurningCard[] = [];
    let written = 0; // moves of the record
    for (let nth = 0; nth < followed.count; nth++) {
      const { seat, phase, move } = followed.step(nth);
      turns[seat]! += Number(phase === Phase.TAKE);
      written += Number(phase === Phase.TEE_OFF || phase === Phase.TAKE);
      if (this.#isShown(nth)) cards.push(...this.#cards(nth, turns[seat]!));
      if (!(phase in MOVE_PHASES)) continue;
      const ratings = this.#judge.rate(followed.before(nth), move, this.#valuesFor(seat, nth));
      const played = ratings.find((one) => one.move === move)!;
      const bytes = new Uint8Array(engine.memory.buffer);
      bytes.copyWithin(judged + nth * records.Rating.size, played.address, played.address + records.Rating.size);
      if (!played.equal) mistakes[seat]!.push(this.#mistake(nth, written, turns[seat]!, played, ratings[0]!));
    }
    const shares = this.#shareOut(judged);
    engine.release(judged);
    followed.end();
    this.#judge.end();
    return { mistakes: mistakes.flat(), cards, shares };
  }

  /** The value of each move at a step, for the seat whose step it is. */
  #valuesFor(seat: number, nth: number): number[] {
    const seats = this.#hole.players.length;
    return Array.from({ length: MOVES }, (_, move) => this.#followed.moveValues[(nth * MOVES + move) * seats + seat]!);
  }

  /** Whether chance named the card of a step after the deal. */
  #isShown(nth: number): boolean {
    const { seat, phase, move, face } = this.#followed.step(nth);
    if (move === STOCK || phase === Phase.TEE_OFF || phase === Phase.REVEAL) return phase !== Phase.DEAL;
    return this.#followed.before(nth).players(seat).layout[move] === HIDDEN && face !== HIDDEN && move < this.#slots;
  }

  /** What the card of a step changed, for each player. */
  #cards(nth: number, turn: number): TurningCard[] {
    const { seat, move, face } = this.#followed.step(nth);
    const players = this.#hole.players;
    const names = new Names(this.#facts, this.#followed.before(nth), players);
    const shown = { hole: this.#number, player: players[seat]!, step: nth, turn, slot: names.move(move), face: names.face(face), layout: this.#layout(nth) };
    return players.map((whom, other) => ({ whom, luck: this.#followed.luck[nth * players.length + other]!, ...shown }));
  }

  get #slots(): number {
    return this.#facts.rows * this.#facts.columns;
  }

  /** The cards of a step's player before it; null for a face-down card. */
  #layout(nth: number): (string | null)[] {
    const lying = this.#followed.before(nth).players(this.#followed.step(nth).seat).layout.subarray(0, this.#slots);
    return Array.from(lying, (face) => (face === HIDDEN ? null : this.#facts.faces[face]!.name));
  }

  #mistake(nth: number, move: number, turn: number, played: records.Rating, best: records.Rating): Mistake {
    const [step, state] = [this.#followed.step(nth), this.#followed.before(nth)];
    const names = new Names(this.#facts, state, this.#hole.players);
    const stake = { [Phase.PLACE]: state.held, [Phase.TAKE]: state.discard }[step.phase];
    return {
      ...lossOf(played),
      hole: this.#number,
      player: this.#hole.players[step.seat]!,
      step: nth,
      move,
      turn,
      phase: MOVE_PHASES[step.phase]!,
      played: names.move(played.move),
      face: stake === undefined ? null : names.face(stake),
      why: names.reason(played.why),
      better: { move: names.move(best.move), code: best.move, place: names.slot(best.place), why: names.reason(best.why) },
      layout: this.#layout(nth),
    };
  }

  /** The shares by seat. `judged`: where the ratings of all moves that were played are. */
  #shareOut(judged: number): Share[] {
    const [engine, followed, seats] = [this.#engine, this.#followed, this.#hole.players.length];
    const points = engine.numbers(this.#hole.players.map((_, seat) => followed.state.players(seat).points));
    const gifts = engine.reserve(SIZE * followed.count * seats);
    const shares = engine.reserve(records.Share.size * seats);
    const [ratings, all] = [engine.describe([judged, followed.count]), engine.describe([points, seats])];
    const [given, filled] = [engine.describe([gifts, followed.count, seats]), engine.describe([shares, seats])];
    engine.calls.share_out(followed.steps, followed.traces, ratings, all, this.#hole.kept.par, given, filled);
    const found = this.#hole.players.map((_, seat) => shareOf(new records.Share(engine.memory, shares + seat * records.Share.size)));
    engine.release(points, gifts, shares, ratings, all, given, filled);
    return found;
  }
}

/** The names of what the engine numbers, in a position. */
class Names {
  readonly #facts: GameFacts;
  readonly #players: number[];
  readonly #pass: string;

  constructor(facts: GameFacts, state: State, players: number[]) {
    [this.#facts, this.#players] = [facts, players];
    const taking = state.closer === NOBODY ? "knock" : "decline";
    this.#pass = state.phase === Phase.TAKE ? taking : MOVE_NAMES[PASS]!;
  }

  move(move: number): string {
    return move === PASS ? this.#pass : (MOVE_NAMES[move] ?? slotName(move, this.#facts.columns));
  }

  slot(slot: number): string | null {
    return slot === NOTHING ? null : slotName(slot, this.#facts.columns);
  }

  face(face: number): string {
    return this.#facts.faces[face]!.name;
  }

  /** A reason in the notation, with the number of the player in place of the seat's. */
  reason(found: records.Reason): Reason {
    const params: Reason["params"] = {};
    for (const name of ["face", "old"] as const) if (found[name] !== NOTHING) params[name] = this.face(found[name]);
    if (found.slot !== NOTHING) params.slot = this.slot(found.slot)!;
    for (const name of COUNTS) if (found[name] !== NOTHING) params[name] = found[name];
    for (const name of FIGURES) if (!Number.isNaN(found[name])) params[name] = found[name];
    for (const name of ["move", "but"] as const) if (found[name] !== NOTHING) params[name] = this.move(found[name]);
    if (found.part) params.part = 1;
    if (found.player !== NOTHING) params.player = this.#players[found.player]!;
    return { key: REASONS[found.key]!, params };
  }
}

function lossOf({ loss, low, high }: records.Rating) {
  return { loss, low: Number.isNaN(low) ? null : low, high: Number.isNaN(high) ? null : high };
}

function shareOf(found: Share): Share {
  return Object.fromEntries(SHARES.map((name) => [name, found[name]])) as unknown as Share;
}

/** The sum of the shares of a player's holes; null for a hole without the player. */
function summed(shares: (Share | null)[]): Share {
  const sum = (name: (typeof SHARES)[number]) => shares.reduce((total, share) => total + (share?.[name] ?? 0), 0);
  return Object.fromEntries(SHARES.map((name) => [name, sum(name)])) as unknown as Share;
}

function product(lengths: number[]): number {
  return lengths.reduce((product, length) => product * length, 1);
}
