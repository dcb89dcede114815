/** A match that the engine in this page plays: who sits there, and which cards come, is decided by who calls. */
import type { Brain, Engine, PlayerName } from "./engine.ts";
import { Match, MOVES, NOBODY, Phase, Rules, State, Step } from "./records.ts";

export class LocalMatch {
  readonly engine: Engine;
  readonly rules: Rules;
  readonly match: Match;
  readonly state: State;
  /** One number of 64 bits, which the next roll changes. */
  readonly #dice: number;
  /** The same as an array, for the engine's functions. */
  readonly #diceListed: number;
  readonly #values: number;
  readonly #valuesListed: number;

  /** `rules`: the record of a game for so many players. `dice`: any number from 1 to 2⁶² - 1; the same dice roll the same. */
  constructor(engine: Engine, rules: Uint8Array, players: number, dice: bigint) {
    this.engine = engine;
    this.rules = engine.record(Rules, rules);
    this.match = engine.record(Match);
    this.state = engine.record(State);
    this.#dice = engine.reserve(8);
    this.#diceListed = engine.describe([this.#dice, 1]);
    this.#values = engine.reserve(8 * MOVES);
    this.#valuesListed = engine.describe([this.#values, MOVES]);
    this.dice = dice;
    engine.calls.begin_match(this.rules.address, this.match.address, players);
  }

  get dice(): bigint {
    return new DataView(this.engine.memory.buffer).getBigInt64(this.#dice, true);
  }

  set dice(value: bigint) {
    new DataView(this.engine.memory.buffer).setBigInt64(this.#dice, value, true);
  }

  /** A number from 0 to `sides` - 1. */
  roll(sides: number): number {
    return this.engine.calls.roll(this.#diceListed, sides);
  }

  /** Draws for the deal (2.1), again where several are level for lowest. */
  drawForDeal(): void {
    while (this.match.dealer === NOBODY) {
      this.draw();
      this.compareDraw();
    }
  }

  /** Everyone who is still in the draw for the deal takes a card. */
  draw(): void {
    this.engine.calls.draw_for_deal(this.rules.address, this.match.address, this.#diceListed);
  }

  /** The lowest card deals; those level for lowest are still in the draw. */
  compareDraw(): void {
    this.engine.calls.compare_draw(this.rules.address, this.match.address);
  }

  dealHole(): void {
    this.engine.calls.deal_hole(this.rules.address, this.match.address, this.state.address);
  }

  /** Enters the hole on the card, passes the deal on, and sees whether the match is won. */
  finishHole(): void {
    this.engine.calls.finish_hole(this.rules.address, this.match.address, this.state.address);
  }

  /** The moves that the rules allow now; none while a card is awaited. */
  get legalMoves(): number[] {
    const bits = this.engine.calls.legal_moves(this.rules.address, this.state.address);
    return Array.from({ length: MOVES }, (_, move) => move).filter((move) => (bits >> move) & 1);
  }

  /** Plays a legal move. If it shows a card (`state.awaited`), `turnUp` has to follow. */
  play(move: number): void {
    this.engine.calls.play(this.rules.address, this.state.address, move);
  }

  /** The face of the awaited card, chosen by the dice. */
  nextFace(): number {
    return this.engine.calls.next_face(this.rules.address, this.state.address, this.#diceListed);
  }

  /** The awaited card is shown, and it is that face. */
  turnUp(face: number): void {
    this.engine.calls.turn_up(this.rules.address, this.state.address, face);
  }

  /**
   * Turns up awaited cards by the dice until a player has to choose: true; or the hole is over: false. A hole in which
   * nobody has closed by the turn of that number is abandoned.
   */
  advance(lastTurn: number): boolean {
    return this.engine.calls.advance(this.rules.address, this.state.address, this.#diceListed, lastTurn) !== 0;
  }

  /** The face of the card that a move concerns if it is open already, else HIDDEN. */
  faceShown(move: number): number {
    return this.engine.calls.face_shown(this.state.address, move);
  }

  /** Plays steps of a dealt hole, records of `Step` in a row, up to an impossible one. Returns how many were played. */
  replay(steps: Uint8Array): number {
    const content = this.engine.put(steps);
    const listed = this.engine.describe([content, steps.length / Step.size]);
    const played = this.engine.calls.replay(this.rules.address, this.state.address, listed);
    this.engine.release(content, listed);
    return played;
  }

  /** What the open cards of a seat cost (5.1 to 5.5). */
  openCost(seat: number): number {
    const { layout } = this.state.players(seat);
    const listed = this.engine.describe([layout.byteOffset, layout.length]);
    const cost = this.engine.calls.cost(this.rules.address, listed, 0);
    this.engine.release(listed);
    return cost;
  }

  /** Who sits in a seat: seats number those at the table, clockwise. */
  playerAt(seat: number): number {
    return this.engine.calls.player_at(this.match.address, seat);
  }

  get isHoleOver(): boolean {
    return this.state.phase === Phase.OVER;
  }

  /** Of each player, what the holes so far cost (6.1). */
  get totals(): number[] {
    return Array.from(this.match.totals.subarray(0, this.match.players));
  }

  /** The move of a computer player in the seat whose turn it is. */
  choose(player: PlayerName, brain: Brain): number {
    return this.engine.calls[`choose_${player}`](this.rules.address, this.match.address, this.state.address, this.#diceListed, brain.address);
  }

  /** Of each move, its value for the player to move: expected strokes, lower is better; infinite where it is illegal. */
  weigh(brain: Brain): number[] {
    this.engine.calls.weigh(this.rules.address, brain.address, this.state.address, this.#valuesListed);
    return Array.from(new Float64Array(this.engine.memory.buffer, this.#values, MOVES));
  }

  /** Of each seat, the points to be expected if all hidden cards were turned up now. */
  expectedPoints(): number[] {
    this.engine.calls.expected_points(this.rules.address, this.state.address, this.#valuesListed);
    return Array.from(new Float64Array(this.engine.memory.buffer, this.#values, this.state.seats));
  }

  /** Gives the memory back. */
  end(): void {
    this.engine.release(this.rules.address, this.match.address, this.state.address, this.#dice, this.#diceListed, this.#values, this.#valuesListed);
  }
}
