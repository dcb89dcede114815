/** Hints at a table of the server from the engine on this device: the server only tells the position. */
import { lineToWorker } from "../lib/here";
import { ask } from "../lib/http";
import type { GameFacts, Hint, HintPosition, View } from "../lib/messages";
import { isSparing } from "./hereFirst";

/** The server gives the hints until the engine, and the coach's net, have been loaded behind them. */
export class HintsHere {
  #isReady = false;
  #isLoading = false;

  constructor(
    private readonly code: string,
    private readonly facts: GameFacts,
  ) {}

  /** Null where this device cannot give it. */
  async hint(view: View): Promise<Hint | null> {
    if (!this.#isReady) return null;
    const position = await ask<HintPosition>(`api/tables/${this.code}/position`, { seat: view.turn });
    const moves = await this.#rate(view, position).catch(() => null);
    return moves && { event: position.event, seat: position.seat, phase: position.phase, moves };
  }

  /** Loads what is needed for the next hint. */
  async prepare(view: View): Promise<void> {
    if (this.#isReady || this.#isLoading || isSparing()) return;
    this.#isLoading = true;
    this.#isReady = await this.#rate(view, null).then(() => true, () => false);
    this.#isLoading = false;
  }

  async #rate({ game, house_rules, seats }: View, position: HintPosition | null) {
    const { rateHere } = await lineToWorker();
    return rateHere({ game, house_rules, facts: this.facts, seats: seats.length, position });
  }
}
