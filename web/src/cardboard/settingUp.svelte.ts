/** A position with real cards, set up card by card, and what the coach says to it. */
import { bestMoves } from "../coach/bestMoves";
import { slotName } from "../golf/slots";
import { ask } from "../lib/http";
import { m } from "../lib/i18n.svelte";
import type { GameFacts, Hint } from "../lib/messages";
import type { Pick } from "../lib/houseRulesKept";
import { pickOf } from "../lib/houseRules";
import { recall } from "../lib/stored";
import { calledNames, troubleText } from "./faults";
import {
  bare, closerIn, closersIn, following, left, opened, position, put, recallSetup, rememberSetup, withPlayers,
  type Doing, type Place, type Setup,
} from "./setup"; // prettier-ignore

const FIRST: Place = { kind: "slot", seat: 0, at: 0 };

export class SettingUp {
  setup = $state.raw<Setup>() as Setup;
  /** The place of the next card. */
  place = $state.raw<Place>(FIRST);
  hint = $state.raw<Hint | null>(null);
  trouble = $state("");
  thinking = $state(false);

  /** Begins with the last position of this device, or with the game that is usually played here. */
  constructor(readonly games: GameFacts[]) {
    const usual = this.#game(recall("game", ""));
    this.setup = recallSetup(games) ?? bare(usual, usual.least);
  }

  #game(name: string): GameFacts {
    return this.games.find((game) => game.name === name) ?? this.games[0]!;
  }

  readonly facts: GameFacts = $derived.by(() => this.setup.facts ?? this.#game(this.setup.game));
  readonly picked: Pick = $derived(pickOf(this.#game(this.setup.game), this.setup.house_rules ?? {}, this.facts));
  /** What the players are called: none has an empty name. */
  readonly names: string[] = $derived(calledNames(this.setup.names));
  readonly best: ReadonlySet<string> = $derived(bestMoves(this.hint));
  /** Who may have closed the hole, and who closed it. */
  readonly closers: number[] = $derived(closersIn(this.setup, this.facts));
  readonly closer: number | null = $derived(closerIn(this.setup, this.facts));
  /** Whether it has to be told who closed the hole. */
  readonly asksCloser: boolean = $derived(this.closers.length > Math.min(1, opened(this.setup).length));
  /** How many of each face are left for the place. */
  readonly left: Record<string, number> = $derived(left(this.setup, this.facts, this.place));
  /** The card that the moves are about. */
  readonly card: string | null = $derived.by(() => {
    const { doing, held, discard } = this.setup;
    if (this.hint?.phase !== "place") return discard;
    return doing === "drew" ? held : doing === "took" ? discard : null;
  });

  readonly question: string = $derived.by(() => {
    const { place } = this;
    if (place.kind === "discard") return m.cardboard_which_discard();
    if (place.kind === "held") return m.cardboard_which_held();
    if (place.kind === "gone") return m.cardboard_which_gone();
    return m.cardboard_which_here({ slot: slotName(place.at, this.facts.columns), name: this.names[place.seat] ?? "" });
  });

  isOn(place: Place): boolean {
    return JSON.stringify(place) === JSON.stringify(this.place);
  }

  /** Changes the position: the old answer is invalid. */
  change(more: Partial<Setup>): void {
    this.#show({ ...this.setup, ...more });
  }

  #show(setup: Setup): void {
    this.setup = setup;
    this.hint = null;
    this.trouble = "";
    rememberSetup(setup);
  }

  /** Shows the keys again instead of the answer. */
  select(place: Place): void {
    this.place = place;
    this.hint = null;
  }

  /** Lays a card on the place, null face down, and goes on to the next place. */
  press(face: string | null): void {
    this.#show(put(this.setup, this.place, face));
    this.place = following(this.setup, this.place);
  }

  /** An empty table of a game. */
  choose({ game, house_rules, facts }: Pick): void {
    const { names } = this.setup;
    const count = Math.min(game.most, Math.max(game.least, names.length));
    this.#show({ ...bare(facts, count, names), ...(Object.keys(house_rules).length ? { house_rules, facts } : {}) });
    this.place = FIRST;
  }

  /** What the players are called, and how many there are. */
  rename(names: string[]): void {
    const table = names.length === this.setup.layouts.length ? this.setup : withPlayers(this.setup, this.facts, names.length);
    if (this.place.kind === "slot" && this.place.seat >= names.length) this.place = FIRST;
    this.#show({ ...table, names });
  }

  /** What the player to move has done already. */
  begin(doing: Doing): void {
    const held = doing === "drew" ? this.setup.held : null;
    this.change({ doing, held });
    if (doing === "drew" && held === null) this.place = { kind: "held" };
    else if (this.place.kind === "held") this.place = { kind: "discard" };
  }

  async think(): Promise<void> {
    const asked = this.setup;
    if (asked.discard === null || (asked.doing === "drew" && asked.held === null)) {
      this.trouble = asked.discard === null ? m.cardboard_need_discard() : m.cardboard_need_held();
      this.place = { kind: asked.discard === null ? "discard" : "held" };
      return;
    }
    this.thinking = true;
    this.trouble = "";
    try {
      const rated = await ask<Hint>("api/cardboard/position", position(asked, this.facts));
      if (this.setup === asked) this.hint = rated;
    } catch (problem) {
      if (this.setup === asked) this.trouble = troubleText(problem, this.names);
    } finally {
      this.thinking = false;
    }
  }
}
