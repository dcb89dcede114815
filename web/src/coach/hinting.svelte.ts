/** A hint for the position on the table: asked for by the player, gone as soon as anything has happened. */
import { errorText } from "../lib/errors";
import { isLocal } from "../lib/here";
import { ask } from "../lib/http";
import { refusalOf } from "../lib/refusal";
import type { GameFacts, Hint, View } from "../lib/messages";
import { tell } from "../lib/shell.svelte";
import { recall, remember } from "../lib/stored";
import { bestMoves } from "./bestMoves";
import { HintsHere } from "./hintsHere";

const TABLES = 20; // remembered, at which the hint shows by itself

/** The tables at which the hint shows by itself: the latest first. */
const always = () => recall<string[]>("hints", []);

/** Whether this device shows the hint at that table by itself. */
export function hintAlways(code: string, on: boolean): void {
  remember("hints", [...(on ? [code] : []), ...always().filter((other) => other !== code)].slice(0, TABLES));
}

export class Hinting {
  /** Whether the panel is open; `hint` is null while the coach thinks. */
  open = $state(false);
  hint = $state.raw<Hint | null>(null);
  readonly best = $derived(bestMoves(this.hint));
  readonly #here: HintsHere | null; // a table on this device has nobody else to ask
  #asked = "";
  #offered = "";
  #always = $state(false);

  constructor(
    private readonly code: string,
    facts: GameFacts,
  ) {
    this.#always = always().includes(code);
    this.#here = isLocal(code) ? null : new HintsHere(code, facts);
  }

  /** Whether the hint shows by itself at each of my turns. */
  get always(): boolean {
    return this.#always;
  }

  set always(on: boolean) {
    this.#always = on;
    hintAlways(this.code, on);
  }

  /** Asks automatically, if enabled, once for each position: a closed hint stays closed. */
  offer(view: View): void {
    const moment = momentOf(view);
    if (!this.#always || this.#offered === moment) return;
    this.#offered = moment;
    if (this.#asked !== moment) void this.ask(view);
  }

  async ask(view: View): Promise<void> {
    const moment = momentOf(view);
    this.#asked = moment;
    this.open = true;
    this.hint = null;
    try {
      const hint = (await this.#here?.hint(view)) ?? (await ask<Hint>(`api/tables/${this.code}/hint`, { seat: view.turn }));
      if (this.#asked === moment) this.hint = hint;
      void this.#here?.prepare(view);
    } catch (problem) {
      if (this.#asked !== moment) return;
      this.close();
      tell(errorText(refusalOf(problem)), true);
    }
  }

  /** The hint is invalid after the position changed. */
  follow(view: View): void {
    if (this.open && momentOf(view) !== this.#asked) this.close();
  }

  close(): void {
    this.open = false;
    this.hint = null;
    this.#asked = "";
  }
}

function momentOf({ match, hole, phase, turn, stock_left, discard, legal }: View): string {
  return JSON.stringify([match, hole, phase, turn, stock_left, discard, legal]);
}
