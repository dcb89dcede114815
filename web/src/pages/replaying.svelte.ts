/** A finished match, looked at step by step: what is on show, and how one goes through it. */
import { untrack } from "svelte";
import { written } from "../coach/bestMoves";
import { analysisOf } from "../coach/analysing";
import { gameFacts } from "../lib/facts.svelte";
import { ask } from "../lib/http";
import { refusalOf, type Refusal } from "../lib/refusal";
import type { Analysis, FinishedGame, Frame, GameFacts, HoleReplay, Mistake, View } from "../lib/messages";
import { lasting } from "../lib/settings.svelte";
import { holeOf } from "../golf/words";
import { keepAnalysis, seatIn } from "../results/matches";
import type { Stage } from "../table/stage.svelte";
import { stageOn } from "../table/stageOn";
import { eventsInWords } from "../table/tableWords";
import { everyoneHere } from "../table/where";

const PAUSE = 1_300; // milliseconds between two steps when it plays by itself
const SHORTEST_PAUSE = 450;

/** Where a mulligan begins, and whose turn it is there. */
type Moment = { hole: number; step: number; seat: number };

/** The position before a mistake: the first step of a hole is its first discard, and the first position comes after it. */
const frameOf = ({ step }: Mistake): number => step - 1;

export class Replaying {
  game = $state.raw<FinishedGame | null>(null);
  problem = $state.raw<Refusal | null>(null);
  frames = $state.raw<Frame[]>([]);
  hole = $state(1);
  step = $state(0);
  stage = $state.raw<Stage<View> | null>(null);
  /** Whether it plays by itself. */
  playing = $state(false);
  /** Whether the result is on show instead of the table. */
  result = $state(false);
  /** The mistake on the board. */
  lesson = $state.raw<Mistake | null>(null);
  /** The player of the analysis and of the mistakes in the list; null: all mistakes. */
  whose = $state<number | null>(null);
  /** A mulligan that is about to be taken. */
  again = $state.raw<Moment | null>(null);
  analysis = $state.raw<Promise<Analysis> | null>(null);
  readonly #loaded = new Map<number, Frame[]>();
  #until = Infinity; // the step at which it stops to play by itself, the next time
  #wishes = 0; // for a hole; the latest counts
  #left = false;

  /** `anchor` is what follows # in the address; `root` is the element with the table's spots. */
  constructor(
    readonly id: string,
    private readonly anchor: () => string,
    private readonly root: () => HTMLElement | undefined,
  ) {}

  readonly facts: GameFacts | null = $derived.by(() => (this.game ? (this.game.facts ?? gameFacts(this.game.game)) : null));
  readonly frame: Frame | undefined = $derived(this.frames[this.step]);
  readonly last: number = $derived(this.frames.length - 1);
  /** Whether nothing follows. */
  readonly final: boolean = $derived(this.hole === this.game?.holes.length && this.step >= this.last);
  readonly mayRetry: boolean = $derived(!this.result && this.step < this.last && this.frame?.view.turn !== null);
  readonly best: Set<string> | undefined = $derived(this.lesson ? new Set([written(this.lesson.better.move)]) : undefined);
  readonly sentence: string = $derived(this.frame ? eventsInWords(this.frame.what, this.frame.view).join(" · ") : "");
  /** Who plays the hole of the mulligan: in a play-off not everyone. */
  readonly players: { seat: number; name: string }[] = $derived.by(() => {
    const line = this.again && this.game?.card[this.again.hole - 1];
    return this.game?.seats.flatMap(({ name }, seat) => (line && line.points[seat] !== null ? [{ seat, name }] : [])) ?? [];
  });

  /** Fetches the match, and shows it for as long as the component that calls this is there. */
  follow(): void {
    $effect(() => {
      const anchor = this.anchor();
      untrack(() => void (this.game ? this.open(anchor) : this.load()));
    });
    $effect(() => () => {
      this.#left = true;
      this.stage?.end();
    });
    $effect(() => {
      if (!this.playing) return;
      const until = this.#until;
      this.#until = Infinity;
      const next = () => {
        if (this.step >= until) this.pause();
        else if (this.step < this.last || this.stage?.counted) this.forward(); // the last cards are looked at first
      };
      const timer = setInterval(next, Math.max(SHORTEST_PAUSE, lasting(PAUSE) || PAUSE));
      return () => clearInterval(timer);
    });
  }

  async load(): Promise<void> {
    this.problem = null;
    try {
      this.game = await ask<FinishedGame>(`api/games/${this.id}`);
      this.whose = readerOf(this.game);
    } catch (problem) {
      this.problem = refusalOf(problem);
      return;
    }
    await this.open(this.anchor());
  }

  /** Opens what an anchor names: "story", a hole and its step as in "2.5", or a few steps that play by themselves as in "2.5-7". */
  async open(anchor: string): Promise<void> {
    const [, hole, step, until] = (/^(\d+)\.(\d+)(?:-(\d+))?$/.exec(anchor) ?? []).map(Number);
    this.playing = false;
    if (hole !== undefined && !this.game?.holes[hole - 1]) await this.openHole(1);
    else if (until) await this.watch(hole!, step!, until);
    else if ((await this.openHole(hole ?? 1, step)) && anchor === "story") this.result = true;
  }

  /** Opens a hole at one of its steps, a negative one counts from the end; whether it is open then. */
  async openHole(number: number, at = 0): Promise<boolean> {
    if (!this.game || number < 1 || number > this.game.holes.length) return false;
    const wish = ++this.#wishes;
    this.problem = null;
    try {
      const known =
        this.#loaded.get(number) ?? (await ask<HoleReplay>(`api/games/${this.id}/holes/${number}`)).frames.map(everyoneHere);
      this.#loaded.set(number, known);
      if (wish !== this.#wishes || this.#left) return false;
      this.hole = number;
      this.frames = known;
      this.result = false;
      this.lesson = null;
      this.#show(at < 0 ? known.length + at : Math.min(at, known.length - 1));
      return true;
    } catch (problem) {
      if (wish !== this.#wishes) return false;
      this.playing = false;
      this.problem = refusalOf(problem);
      return false;
    }
  }

  /** Plays a few steps of a hole as they happened, and stops. */
  async watch(hole: number, from: number, to: number): Promise<void> {
    this.playing = false;
    if (!(await this.openHole(hole, from))) return;
    this.#until = Math.min(to, this.last);
    this.playing = true;
  }

  /** Shows a step: the next one with its movement, any other at once. */
  #show(number: number): void {
    const frame = this.frames[number];
    if (!frame || !this.facts) return;
    if (!this.lesson || number !== frameOf(this.lesson)) this.lesson = null;
    const next = number === this.step + 1 && this.stage?.view.hole === frame.view.hole;
    this.step = number;
    if (!this.stage) this.stage = stageOn(this.root, frame.view, this.facts);
    else if (next) {
      this.stage.hurry();
      this.stage.happened(frame.what, frame.view);
    } else this.stage.jump(frame.view, frame.what);
  }

  /** Shows a step of this hole instead of a mistake or the result. */
  goTo(step: number): void {
    this.playing = false;
    this.result = false;
    this.lesson = null;
    this.#show(step);
  }

  forward(): void {
    if (this.step < this.last) this.#show(this.step + 1);
    else if (this.game && this.hole < this.game.holes.length) void this.openHole(this.hole + 1);
    else this.playing = false;
  }

  back(): void {
    this.playing = false;
    if (this.step > 0) this.#show(this.step - 1);
    else void this.openHole(this.hole - 1, -1);
  }

  toStart(): void {
    this.playing = false;
    if (this.step > 0) this.#show(0);
    else void this.openHole(this.hole - 1);
  }

  toEnd(): void {
    this.playing = false;
    if (this.step < this.last) this.#show(this.last);
    else void this.openHole(this.hole + 1, -1);
  }

  pause(): void {
    this.playing = false;
  }

  toggleResult(): void {
    this.playing = false;
    this.lesson = null;
    this.result = !this.result;
  }

  /** Shows a mistake on the board. */
  async teach(mistake: Mistake): Promise<void> {
    this.playing = false;
    if (await this.openHole(mistake.hole, frameOf(mistake))) this.lesson = mistake;
  }

  /** Back from a mistake to the list of all. */
  toList(): void {
    this.lesson = null;
    this.result = true;
  }

  /** Asks for a mulligan at the step on show. */
  retry(moment: Moment = { hole: this.hole, step: this.step, seat: this.frame?.view.turn ?? 0 }): void {
    this.playing = false;
    this.again = moment;
  }

  /** Asks for a mulligan at a mistake. */
  retryMistake(mistake: Mistake): void {
    this.retry({ hole: mistake.hole, step: frameOf(mistake), seat: mistake.player });
  }

  /** Asked once, and again only after a failure. */
  analyse = (): Promise<Analysis> => {
    const asked = (this.analysis ??= this.#analysed());
    asked.then((found) => this.#keep(found)).catch(() => (this.analysis = null));
    return asked;
  };

  #analysed(): Promise<Analysis> {
    const { game, facts } = this;
    return game && facts ? analysisOf(game, facts) : ask<Analysis>(`api/games/${this.id}/analysis`);
  }

  /** The analysis has become better. */
  better = (found: Analysis): void => {
    this.analysis = Promise.resolve(found);
    this.#keep(found);
  };

  #keep(found: Analysis): void {
    keepAnalysis(this.game?.id ?? this.id, found);
  }

  /** A key of the keyboard; whether it meant something. */
  key(pressed: string): boolean {
    const deeds: Record<string, () => unknown> = {
      Escape: () => this.lesson && this.toList(),
      ArrowRight: () => (this.pause(), this.forward()),
      ArrowLeft: () => this.back(),
      Home: () => this.toStart(),
      End: () => this.toEnd(),
      PageDown: () => this.openHole(this.hole + 1),
      PageUp: () => this.openHole(this.hole - 1),
      " ": () => (this.playing = !this.playing),
    };
    deeds[pressed]?.();
    return pressed in deeds;
  }

  holeName(number: number): string {
    return this.game ? holeOf(this.game, number) : "";
  }
}

/** Whose analysis is shown first: the reader's, else a person's, of several the winner's. */
function readerOf({ id, seats, winners }: FinishedGame): number {
  const people = seats.flatMap(({ kind }, seat) => (kind === "computer" ? [] : [seat]));
  return seatIn(id) ?? people.find((seat) => winners.includes(seat)) ?? people[0] ?? winners[0] ?? 0;
}
