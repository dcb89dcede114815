/** The cards of a named hole: all lie where the fair shuffle put them before the deal (docs/fairness.md). */
import { labelOf, seedOf, shuffled, wholePack } from "../golf/fair";

/** The cards that the players in the draw get, in the order of the seats: one round of it (2.1). */
export function drawnCards(match: string, copies: Int8Array, round: number): number[] {
  return stirred(match, 0, copies, `draw ${round}`);
}

export class NamedCards {
  readonly #pack: number[];
  /** The top card first. */
  #stock: number[];
  #stocks = 0;

  /** `seats` play, and `dealer` is one of them. */
  constructor(
    private readonly match: string,
    private readonly hole: number,
    copies: Int8Array,
    slots: number,
    private readonly seats: number,
    private readonly dealer: number,
  ) {
    this.#pack = stirred(match, hole, copies, "pack");
    this.#stock = this.#pack.slice(slots * seats);
  }

  /** The next card of the stock; before the deal is over, the first discard (2.3). */
  get top(): number {
    return this.#stock[0]!;
  }

  /** The card that was dealt to a slot: one at a time went round, from the dealer's left (2.2). */
  dealtTo(seat: number, slot: number): number {
    return this.#pack[slot * this.seats + ((seat - this.dealer - 1 + this.seats) % this.seats)]!;
  }

  /** The top card has been shown. */
  draw(): void {
    this.#stock.shift();
  }

  /** The discards are the new stock (2.6); of each face, how many. */
  renew(copies: Int8Array): void {
    this.#stocks += 1;
    this.#stock = stirred(this.match, this.hole, copies, `stock ${this.#stocks}`);
  }
}

function stirred(match: string, hole: number, copies: Int8Array, what: string): number[] {
  return shuffled(wholePack(Array.from(copies)), seedOf(match), `${labelOf(match, hole, [])}/${what}`);
}
