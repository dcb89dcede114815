/** One game on the page: what it shows beside the entry, what its keys do, and what it announces to screen readers. */
import { faceTyped } from "../golf/court";
import { hasPenalty } from "../golf/penalty";
import { faceName, pointsInWords } from "../golf/words";
import { m, sentences } from "../lib/i18n.svelte";
import { tell } from "../lib/shell.svelte";
import { recall, remember } from "../lib/stored";
import { plain } from "../lib/typedText";
import { PadState, type Asked, type Mode } from "./padState.svelte";
import type { PadError } from "./padError";
import { Autosave } from "./autosave";
import { scoreOf, type HoleResult, type Match } from "./match";
import { called, resultInWords, wonInWords } from "./padWords";
import type { Sum } from "./scoring";
import type { Kept, PadStore } from "./store";
import { troubleInWords } from "./troubles";
import { typeFace } from "./typing";
import type { PadGame } from "./types";

/** The player whose hole was finished last; `sum` explains the points of cards. */
interface Latest {
  name: string;
  points: number;
  sum: Sum | null;
}

export class GamePage {
  readonly pad: PadState;
  readonly #autosave: Autosave;
  /** Announced: the sum after each card, the next player, and the best of each hole. */
  said = $state("");

  constructor(store: PadStore, kept: Kept) {
    this.pad = new PadState(kept, (sheet) => this.#autosave.keep(sheet), recall<Mode>("pad.mode", "cards") === "points" ? "points" : "cards");
    const trouble = ({ code, params }: PadError) => tell(troubleInWords(code, params), true);
    this.#autosave = new Autosave(store, kept, (sheet) => this.pad.reread(sheet), trouble);
    const fault = store.fault(kept.game.id);
    if (fault) trouble(fault);
  }

  get game(): PadGame {
    return this.pad.game;
  }

  get match(): Match {
    return this.pad.match;
  }

  get asked(): Asked {
    return this.pad.asked;
  }

  /** Includes the known points of the current hole, even before its penalty. */
  readonly totals: number[] = $derived.by(() => {
    const { holes, totals } = this.match;
    const early = (hole: HoleResult, player: number) => (hole.playoff || hole.idle || hole.points[player] !== null ? 0 : (hole.cards[player] ?? 0));
    return totals.map((total, player) => holes.reduce((sum, hole) => sum + early(hole, player), total));
  });

  /** The hole that is asked for; undefined at the end. */
  readonly hole: HoleResult | undefined = $derived(this.asked.is === "over" ? undefined : this.match.holes[this.asked.hole]);
  /** The hole the game is at, whichever one is shown. */
  readonly now: HoleResult | undefined = $derived(this.match.holes[this.match.current ?? -1]);
  readonly before: HoleResult | undefined = $derived(
    this.match.holes.filter((one) => one.complete && !one.idle && (!this.now || one.index < this.now.index)).at(-1),
  );

  /** The name of the player whose hole is written. */
  readonly name: string = $derived(this.asked.is === "entry" ? (this.game.players[this.asked.player] ?? "") : "");

  readonly latest: Latest | null = $derived.by(() => {
    const { latest } = this.pad;
    const hole = latest && this.match.holes[latest.hole];
    return hole ? { name: this.game.players[latest.player] ?? "", points: pointsSoFar(hole, latest.player), sum: scoreOf(this.game, hole, latest.player) } : null;
  });

  /** Whether an entry other than the one the game waits for is shown. */
  readonly isCorrecting: boolean = $derived.by(() => {
    if (this.asked.is !== "entry") return false;
    const isCurrent = this.asked.hole === this.now?.index;
    return (this.pad.strayed || !isCurrent) && !(this.pad.raised.length && isCurrent);
  });

  /** Whether the closer of the shown hole matters, and everyone's cards are known. */
  readonly mayAskCloser: boolean = $derived.by(() => {
    const { rules } = this.game;
    const { hole } = this;
    return (hasPenalty(rules) || rules.closer_starts) && !!hole && hole.seats.every((seat) => hole.cards[seat] !== null);
  });

  /** Keeps up with other windows until the page is left; the answer ends it. */
  watch(): () => void {
    return this.#autosave.watch();
  }

  chooseMode(mode: Mode): void {
    this.pad.chooseMode(mode);
    remember("pad.mode", mode);
  }

  face(face: string): void {
    this.#do(() => this.pad.card(face), `${faceName(face)}.`);
  }

  digit(key: string): void {
    if (key === "-") this.pad.digit(key);
    else this.#do(() => this.pad.digit(key));
  }

  settle(): void {
    this.#do(() => this.pad.settle());
  }

  erase(): void {
    this.#do(() => this.pad.erase(), m.pad_erased());
  }

  undo(): void {
    this.#do(() => this.pad.undo(), m.pad_undone());
  }

  closer(player: number | null): void {
    this.#do(() => this.pad.closer(player));
  }

  overrule(key: string): void {
    this.#do(() => this.pad.overrule(key));
  }

  back(): void {
    this.#do(() => this.pad.back());
  }

  open(hole: number, player: number): void {
    const { asked } = this;
    if (asked.is === "entry" && asked.hole === hole && asked.player === player) return;
    this.#do(() => this.pad.open(hole, player));
  }

  /** A key of the keyboard; whether it meant something. */
  key(pressed: string): boolean {
    const { asked, pad } = this;
    if (asked.is === "over") return false;
    if (asked.is === "closer") return this.#closerKey(pressed);
    if (pressed === "Backspace" || pressed === "Delete") return (this.erase(), true);
    if (pressed === "Escape" && pad.strayed) return (this.back(), true);
    return pad.mode === "points" ? this.#pointsKey(pressed) : this.#faceKey(pressed);
  }

  #closerKey(pressed: string): boolean {
    const player = this.hole?.seats[Number(plain(pressed)) - 1];
    if (player === undefined) return false;
    this.closer(player);
    return true;
  }

  #pointsKey(pressed: string): boolean {
    const digit = plain(pressed);
    if (/^[0-9-]$/.test(digit)) this.digit(digit);
    else if (pressed === "Enter" && (this.pad.number !== null || this.pad.strayed)) this.settle();
    else return false;
    return true;
  }

  #faceKey(pressed: string): boolean {
    const { pad } = this;
    if (pressed === "Enter" && !pad.typed && pad.strayed) return (this.back(), true);
    const names = this.game.rules.faces.map(({ name }) => name);
    const typed = typeFace(names, pad.typed, faceTyped(pressed, names));
    if (!typed) return false;
    for (const face of typed.faces) this.face(face);
    pad.typed = typed.rest;
    return true;
  }

  /** Applies a change and announces the result, after `first`. */
  #do(change: () => void, first = ""): void {
    const { pad } = this;
    const holes = pad.match.complete + pad.match.holes.length;
    const { place } = pad;
    change();
    const { match, latest } = pad;
    if (latest && place?.player === latest.player && place.hole === latest.hole) {
      const hole = match.holes[latest.hole]!;
      const result = hole.complete && match.complete + match.holes.length !== holes ? resultInWords(this.game, hole) : "";
      const name = this.game.players[latest.player] ?? "";
      this.#say(m.table_name_points({ name, points: pointsInWords(pointsSoFar(hole, latest.player)) }) + ".", result, this.#question());
    } else if (pad.mode === "cards" && pad.layout.length && first) this.#say(first, m.pad_so_far({ points: pointsInWords(pad.sum.points) }));
    else if (!pad.typed) this.#say(first, this.#question()); // a field with typed digits is read by itself
  }

  #say(...texts: string[]): void {
    this.said = sentences(...texts);
  }

  #question(): string {
    const { asked } = this;
    if (asked.is === "closer") return m.pad_closer_ask({ hole: called(this.game, asked.hole) });
    return asked.is === "entry" ? m.pad_now({ name: this.name }) : wonInWords(this.game, this.match);
  }
}

/** The points of a hole; those of the cards while a penalty is unknown. */
function pointsSoFar(hole: HoleResult, player: number): number {
  return hole.points[player] ?? hole.cards[player] ?? 0;
}
