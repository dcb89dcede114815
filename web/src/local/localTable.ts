/**
 * A table on this device: seats, match and hole. As on the server (server/table/table.py), all that happens is an event, and
 * the table follows from its events alone: a reload starts from them.
 */
import { linesOf } from "../golf/lines";
import type { CardLine, Dealt, DealerDrawn, Event, Phase as PhaseName, Revealed, Step, TableOptions, TookBack } from "../lib/messages";
import type { Engine } from "../engine/engine";
import { LocalMatch } from "../engine/localMatch";
import { DISCARD, DISCARD_DRAWN, HIDDEN, NOBODY, NOTHING, PASS, Phase, STOCK } from "../engine/records";
import { fairDice } from "./fairDice";
import { fromBase64, seatOf, type KeptTable, type LocalSeat } from "./keptTable";
import { NamedCards } from "./namedCards";
import { faceName, faceNumber, moveName, moveNumber, phaseName, phaseNumber, type Taken } from "./stepNames";

/** A finished hole; seats number those at the table, clockwise. */
export interface PlayedHole {
  dealer: number;
  seats: number[];
  /** The seat of the first turn. */
  first: number;
  steps: Taken[];
  points: number[];
  /** The most cards of one face in the layout of each of the seats. */
  equal: number[];
}

/** The position before a step, as far as the step changes it. */
interface Before {
  turn: number;
  phase: number;
  held: number;
  closer: number;
  stock_left: number;
  /** Whether the move is about a card that is face down. */
  isHidden: boolean;
}

export class LocalTable {
  readonly kept: KeptTable;
  readonly engine: Engine;
  seats: LocalSeat[];
  options: TableOptions;
  event = 0;
  /** From 1; 0 before the first one. */
  match = 0;
  game: LocalMatch | null = null;
  dealt: Dealt | null = null;
  isHoleOn = false;
  isGivenUp = false;
  /** The steps of the hole so far. */
  steps: Taken[] = [];
  discards: number[] = [];
  latest: Step | null = null;
  draws: (string | null)[][] = [];
  card: CardLine[] = [];
  /** The seats for which a computer player has decided in this hole. */
  standIns = new Set<number>();
  holes: PlayedHole[] = [];
  winners: number[] = [];
  finished: string[] = [];
  /** Whether more than one person has played in this match. */
  together = false;
  #cards: NamedCards | null = null; // of a named hole
  #played: Event | null = null; // the event whose step the engine has already played

  constructor(kept: KeptTable, engine: Engine, events: Iterable<Event> = []) {
    this.kept = kept;
    this.engine = engine;
    this.seats = kept.seats.map((seat) => ({ ...seat }));
    this.options = kept.options;
    for (const event of events) this.apply(event);
  }

  get facts() {
    return this.kept.facts;
  }

  /** Holes of the match, without play-off holes. */
  get length(): number {
    return this.kept.position ? 1 : this.kept.real?.ended || this.options.holes || this.facts.holes;
  }

  get phase(): PhaseName {
    if (this.isGivenUp) return "over";
    if (!this.game) return "lobby";
    if (!this.dealt) return "draw";
    if (this.isHoleOn) return phaseName(this.state.phase) ?? "reveal";
    return this.game.match.over ? "over" : "hole_over";
  }

  get isPlaying(): boolean {
    return this.isHoleOn && !this.isGivenUp;
  }

  get state() {
    return this.game!.state;
  }

  /** The seat to move, or null. */
  get turn(): number | null {
    return this.isPlaying ? this.dealt!.seats[this.state.turn]! : null;
  }

  /** The computer player to move, or "". */
  get computerOnTurn(): string {
    return this.turn === null ? "" : computerOf(this.seats[this.turn]!);
  }

  /** The seats of the people at this device. */
  get people(): number[] {
    return this.seats.flatMap(({ kind }, seat) => (kind === "person" ? [seat] : []));
  }

  get matchId(): string {
    return `${this.kept.code}-${this.match}`;
  }

  playoff(hole: number): number {
    return Math.max(0, hole - this.length);
  }

  /** Whether the last step revealed nothing: a taken or discarded card (3.1, 3.3). */
  get mayTakeBack(): boolean {
    const last = this.steps.at(-1);
    if (!this.isPlaying || !last || this.computerOnTurn) return false;
    const { phase } = this.state;
    return (phase === Phase.PLACE && last.move === DISCARD) || (phase === Phase.FLIP && last.move === DISCARD_DRAWN);
  }

  get legal(): string[] {
    return this.isPlaying ? this.game!.legalMoves.map((move) => moveName(this.facts, move)) : [];
  }

  /** Whether those who are level share the win, although the game has play-offs. */
  get isShared(): boolean {
    return !!this.facts.playoff && (!!this.kept.real?.ended || !!this.kept.named);
  }

  /** A match with the rules of this one: its length, and no play-off where it is one hole of practice, or the win is shared. */
  newMatch(): LocalMatch {
    const game = new LocalMatch(this.engine, fromBase64(this.kept.size.rules), this.seats.length, 1n);
    game.rules.holes = this.length;
    if (this.kept.position || this.isShared) game.rules.playoff = 0;
    return game;
  }

  /** Plays a legal move, or turns up the awaited card: the event to apply next. The shown card is drawn by chance, or lies there. */
  play(move: number): Step | Revealed {
    const { state } = this;
    const before = this.#before(move);
    let face: number;
    if (before.phase === Phase.REVEAL) this.game!.turnUp((face = this.#draw()));
    else {
      face = this.game!.faceShown(move);
      this.game!.play(move);
      if (state.awaited !== NOTHING && state.phase === before.phase) this.game!.turnUp((face = this.#draw()));
    }
    return this.#told(before, move, face);
  }

  /** Plays a step that came about elsewhere, with the card it showed: the event to apply next, or null if it is impossible. */
  take({ phase, move, face }: Taken): Step | Revealed | null {
    if (!this.isPlaying) return null;
    const before = this.#before(move);
    const shown = move === DISCARD_DRAWN ? before.held : face;
    return this.game!.replay(inBytes([{ seat: before.turn, phase, move, face: shown }])) ? this.#told(before, move, shown) : null;
  }

  #before(move: number): Before {
    const { turn, phase, held, closer, stock_left } = this.state;
    const isHidden = move < this.facts.rows * this.facts.columns && this.state.players(turn).layout[move] === HIDDEN;
    return { turn, phase, held, closer, stock_left, isHidden };
  }

  /** Notes a step that the engine has played. */
  #told({ turn, phase, held, closer, stock_left, isHidden }: Before, move: number, face: number): Step | Revealed {
    const { state, facts } = this;
    this.steps.push({ seat: turn, phase, move, face });
    const seat = this.dealt!.seats[turn]!;
    if (phase === Phase.REVEAL) return (this.#played = { is: "Revealed", seat, slot: moveName(facts, move), face: faceName(facts, face)! });
    const placed = phase === Phase.PLACE && move !== DISCARD_DRAWN;
    return (this.#played = {
      is: "Step",
      seat,
      phase: phaseName(phase)!,
      move: moveName(facts, move),
      face: faceName(facts, placed ? held : face),
      went: phase === Phase.PLACE ? faceName(facts, face) : null,
      from_hidden: placed && isHidden,
      closed: closer === NOBODY && state.closer !== NOBODY,
      renewed: state.stock_left > stock_left,
      cleared: this.#cleared(turn, phase, move).map((slot) => moveName(facts, slot)),
    });
  }

  /** The face of the awaited card. */
  #draw(): number {
    const { awaited, turn } = this.state;
    if (this.#cards) return awaited === STOCK ? this.#cards.top : this.#cards.dealtTo(turn, awaited);
    this.game!.dice = fairDice();
    return this.game!.nextFace();
  }

  /** The first discard of a hole that is dealt as `Dealt` says. */
  firstDiscard(): string {
    this.#dealHole(this.card.length + 1);
    return faceName(this.facts, this.#draw())!;
  }

  #dealHole(hole: number): void {
    this.game!.dealHole();
    const { state, rules } = this.game!;
    this.#cards = this.kept.named ? new NamedCards(this.matchId, hole, rules.copies, rules.slots, state.seats, state.dealer) : null;
  }

  /** The slots of the line that a step completed, if it leaves the layout (3.7). */
  #cleared(turn: number, phase: number, move: number): number[] {
    if (!this.facts.lines_clear || phase === Phase.REVEAL) return [];
    const { layout } = this.state.players(turn);
    const line = linesOf(this.facts).find((slots) => slots.includes(move)) ?? [];
    return line.every((slot) => layout[slot] !== HIDDEN && layout[slot] === layout[move]) ? line : [];
  }

  /** Lets something happen. Throws an Error if it is impossible: the log is damaged. */
  apply(event: Event): void {
    this.event += 1;
    switch (event.is) {
      case "Sat":
        this.seats[event.seat] = { ...seatOf(event.kind, event.name, event.player), wins: this.seats[event.seat]!.wins };
        this.together ||= this.people.length > 1;
        break;
      case "Left":
        this.seats[event.seat] = { ...seatOf("open", this.match ? event.name : ""), left: this.match ? event.name : "" };
        break;
      case "Lent":
        Object.assign(this.seats[event.seat]!, { lent: true, player: event.player });
        break;
      case "GaveBack":
        Object.assign(this.seats[event.seat]!, { lent: false, player: "", substitute: false });
        break;
      case "Renamed":
        this.seats[event.seat]!.name = event.name;
        break;
      case "OptionsSet":
        this.options = event.options;
        break;
      case "Started":
        this.#begin(event.match);
        break;
      case "Drew":
        (this.draws[event.round - 1] ??= this.seats.map(() => null))[event.seat] = event.face;
        break;
      case "DealerDrawn":
        this.#deals(event);
        break;
      case "Dealt":
        this.#deal(event);
        break;
      case "Step":
      case "Revealed":
        this.#step(event);
        break;
      case "TookBack":
        this.#takeBack(event);
        break;
      case "HoleOver":
        this.#finishHole(event.hole, event.points);
        break;
      case "MatchOver":
        this.winners = event.winners;
        this.finished.push(event.game);
        for (const winner of event.winners) this.seats[winner]!.wins += Number(!this.seats[winner]!.substitute); // the person has won nothing
        break;
      case "GivenUp":
        this.isGivenUp = true;
    }
  }

  #begin(match: number): void {
    this.end();
    this.match = match;
    [this.draws, this.card, this.holes, this.winners, this.steps, this.discards] = [[], [], [], [], [], []];
    [this.dealt, this.latest, this.isHoleOn, this.isGivenUp] = [null, null, false, false];
    this.together = this.people.length > 1;
    for (const seat of this.seats) seat.substitute = seat.lent;
  }

  #deals({ seat }: DealerDrawn): void {
    this.game = this.newMatch();
    this.game.match.dealer = seat;
  }

  #deal(event: Dealt): void {
    const face = faceNumber(this.facts, event.first_discard);
    this.#dealHole(event.hole);
    this.game!.turnUp(face);
    this.#cards?.draw();
    [this.dealt, this.latest, this.isHoleOn, this.discards] = [event, null, true, [face]];
    this.standIns.clear();
    this.steps = [{ seat: this.dealerSeat, phase: Phase.DEAL, move: STOCK, face }];
  }

  /** The dealer's seat among those who play the hole. */
  get dealerSeat(): number {
    return this.dealt!.seats.indexOf(this.dealt!.dealer);
  }

  #step(event: Step | Revealed): void {
    if (event !== this.#played) this.#follow(event);
    if (event.is === "Revealed") return;
    if (this.seats[event.seat]!.lent) this.standIns.add(event.seat);
    if (event.move === "S") this.#cards?.draw();
    if (event.renewed) this.#cards?.renew(this.state.stock);
    if (event.move === "D") this.discards.pop();
    else if (event.went != null) this.discards.push(faceNumber(this.facts, event.went));
    for (const _ of event.cleared) this.discards.push(faceNumber(this.facts, event.face));
    if (event.renewed) this.discards = this.discards.slice(-1);
    this.latest = event;
  }

  /** The engine plays a step that happened before. */
  #follow(event: Step | Revealed): void {
    const { facts } = this;
    const step =
      event.is === "Revealed"
        ? { phase: Phase.REVEAL, move: moveNumber(facts, event.slot), face: faceNumber(facts, event.face) }
        : { phase: phaseNumber(event.phase), move: moveNumber(facts, event.move), face: faceNumber(facts, event.phase === "place" ? (event.went ?? null) : event.face) };
    const taken = { seat: this.state.turn, ...step, face: step.move === PASS ? HIDDEN : step.face };
    if (!this.game!.replay(inBytes([taken]))) throw new Error(`${taken.phase} ${taken.move} cannot be played`);
    this.steps.push(taken);
  }

  /** The position before the last step, which revealed nothing. */
  #takeBack({ move, face }: TookBack): void {
    if (move === "D") this.discards.push(faceNumber(this.facts, face));
    else this.discards.splice(-1 - (this.latest?.cleared.length ?? 0));
    this.steps.pop();
    this.game!.dealHole();
    this.game!.replay(inBytes(this.steps));
    this.latest = null;
  }

  #finishHole(hole: number, points: (number | null)[]): void {
    const { seats, dealer } = this.dealt!;
    const { closer, first } = this.state;
    const equal = seats.map((_, place) => mostEqual(this.state.players(place).layout.subarray(0, this.facts.rows * this.facts.columns)));
    this.card.push({ hole, playoff: this.playoff(hole), dealer, closer: closer === NOBODY ? null : seats[closer]!, points, stand_ins: [...this.standIns].sort() });
    this.holes.push({ dealer, seats, first, steps: this.steps, points: seats.map((seat) => points[seat]!), equal });
    this.game!.finishHole();
    this.isHoleOn = false;
  }

  /** The points of each seat of a hole that is over; null for those who sat it out. */
  get holePoints(): (number | null)[] {
    return this.seats.map((_, seat) => {
      const place = this.dealt!.seats.indexOf(seat);
      return place < 0 ? null : this.state.players(place).points;
    });
  }

  /** Gives the engine's memory back. */
  end(): void {
    this.game?.end();
    this.game = null;
  }
}

/** The computer player who moves for a seat, or "". */
export const computerOf = ({ kind, player, lent }: LocalSeat): string => (kind === "computer" || lent ? player : "");

/** How many faces of a layout are the same at most. */
function mostEqual(layout: Int8Array): number {
  return Math.max(...layout.map((face) => layout.filter((other) => other === face).length));
}

/** Steps as records of the engine in a row. */
export function inBytes(steps: readonly Taken[]): Uint8Array {
  return Uint8Array.from(steps.flatMap(({ seat, phase, move, face }) => [seat, phase, move, face & 255]));
}

