/** The state of the pad: the game, the entry to write now, and the keys tapped so far. */
import { numberIn } from "../lib/typedText";
import { doubts, type Doubt } from "./checks";
import { addCard, clearEntry, dropCard, dropEmptyHole, nextHole, overrule, setCard, setCloser, setPoints } from "./edit";
import { closerKey, entryOf, match, type Match } from "./match";
import { reachable } from "./reachable";
import { score, slotsOf, type Sum } from "./scoring";
import type { Entry, PadGame } from "./types";
import { done, redo, undo, type Sheet } from "./undo";

export type Mode = "cards" | "points";

export interface Place {
  hole: number;
  player: number;
}

/** What the pad asks for now: a player's hole, the closer, or nothing. */
export type Asked = ({ is: "entry" } & Place) | { is: "closer"; hole: number } | { is: "over" };

export class PadState {
  #sheet: Sheet = $state.raw()!;
  #keep: (sheet: Sheet) => void;
  /** An entry opened by a tap; null follows the game. */
  #chosen: Place | null = $state.raw(null);
  #closerOf: number | null = $state(null);
  /** The usual input mode of the game, and the mode of this one entry. */
  #mode: Mode = $state("cards");
  #look: Mode | null = $state(null);
  /** The slot to correct, if one was tapped. */
  slot: number | null = $state(null);
  /** The digits of a total, or the "1" of a 10, until they are complete. */
  typed = $state("");
  /** The player whose hole was finished last: it is explained until the next card. */
  latest: Place | null = $state.raw(null);

  readonly match: Match = $derived(match(this.#sheet.game));
  /** The impossible entries; the closer is a separate question. */
  readonly doubts: Doubt[] = $derived(doubts(this.#sheet.game).filter(({ code }) => code !== "closer_missing"));

  constructor(sheet: Sheet, keep: (sheet: Sheet) => void, mode: Mode) {
    this.#sheet = begun(sheet);
    this.#keep = keep;
    this.#mode = mode;
  }

  get game(): PadGame {
    return this.#sheet.game;
  }

  get mayUndo(): boolean {
    return this.#sheet.done.length > 0;
  }

  get mayRedo(): boolean {
    return this.#sheet.undone.length > 0;
  }

  readonly asked: Asked = $derived.by(() => {
    if (this.#closerOf !== null) return { is: "closer", hole: this.#closerOf };
    if (this.#chosen) return { is: "entry", ...this.#chosen };
    const doubt = this.doubts[0];
    if (doubt) return { is: "entry", hole: doubt.hole, player: doubt.players.at(-1) ?? 0 };
    const { current, holes } = this.match;
    const hole = current === null ? undefined : holes[current];
    if (!hole) return { is: "over" };
    const player = hole.seats.find((seat) => hole.cards[seat] === null);
    return player === undefined ? { is: "closer", hole: hole.index } : { is: "entry", hole: hole.index, player };
  });

  /** Whether the pad shows another place than the next entry of the game. */
  get strayed(): boolean {
    return this.#chosen !== null || this.#closerOf !== null;
  }

  readonly place: Place | null = $derived(this.asked.is === "entry" ? { hole: this.asked.hole, player: this.asked.player } : null);
  readonly entry: Entry = $derived(this.place ? entryOf(this.game, this.place.hole, this.place.player) : null);
  readonly layout: string[] = $derived(this.entry && "layout" in this.entry ? this.entry.layout : []);
  readonly sum: Sum = $derived(score(this.game.rules, this.layout));
  readonly mode: Mode = $derived(this.#look ?? (this.entry ? ("layout" in this.entry ? "cards" : "points") : this.#mode));

  /** The doubts that this player's entry raises. */
  readonly raised: Doubt[] = $derived.by(() => {
    const { place } = this;
    return place ? this.doubts.filter((doubt) => doubt.hole === place.hole && doubt.players.includes(place.player)) : [];
  });

  /** The slot of the next card; null if the layout is full and no slot was tapped. */
  readonly cursor: number | null = $derived.by(() => {
    if (this.slot !== null) return this.slot;
    const slots = Array.from({ length: slotsOf(this.game.rules) }, (_, slot) => slot);
    return slots.find((slot) => !this.layout[slot]) ?? null;
  });

  /** The total typed so far; null if it is not a number yet. */
  readonly number: number | null = $derived(numberIn(this.typed));

  chooseMode(mode: Mode): void {
    this.#mode = mode;
    this.#look = mode;
    this.slot = null;
    this.typed = "";
  }

  /** Opens an entry to correct it. */
  open(hole: number, player: number): void {
    this.back();
    this.#chosen = { hole, player };
    this.latest = null;
  }

  /** Asks for the closer of a hole. */
  askCloser(hole: number): void {
    this.back();
    this.#closerOf = hole;
  }

  /** Returns to the next entry of the game. */
  back(): void {
    this.#chosen = null;
    this.#closerOf = null;
    this.#look = null;
    this.slot = null;
    this.typed = "";
  }

  tapSlot(slot: number): void {
    this.slot = this.slot === slot ? null : slot;
    this.typed = "";
  }

  card(face: string): void {
    const { place, cursor, game, sum } = this;
    if (!place) return;
    const { hole, player } = place;
    this.typed = "";
    this.slot = null;
    this.latest = null;
    const then = cursor === null ? addCard(game, hole, player, face) : setCard(game, hole, player, cursor, face);
    this.#write(then, !sum.complete && isWhole(then, place) ? place : null);
  }

  /** The keys of a total: digits, and "-", which changes the sign. */
  digit(key: string): void {
    if (!this.place) return;
    this.latest = null;
    if (key === "-") this.typed = this.typed.startsWith("-") ? this.typed.slice(1) : `-${this.typed}`;
    else this.typed = `${this.typed}${key}`.slice(0, 4);
    if (key !== "-" && this.number !== null && !this.#mayGrow(this.typed)) this.settle();
  }

  /** Accepts the typed total, or leaves an entry unchanged. */
  settle(): void {
    const { place, number } = this;
    if (!place) return;
    if (number !== null) this.#write(setPoints(this.game, place.hole, place.player, number), place);
    else if (this.strayed) this.back();
  }

  erase(): void {
    const { place, entry, game, slot } = this;
    if (!place) return;
    const { hole, player } = place;
    if (this.typed) this.typed = this.typed.slice(0, -1);
    else if (slot !== null) this.#write(setCard(game, hole, player, slot, ""), null);
    else if (entry && "layout" in entry) this.#write(dropCard(game, hole, player), null);
    else if (entry) this.#write(clearEntry(game, hole, player), null);
    else if (!this.strayed) this.undo(); // empty entry: undo the key before it
  }

  /** Sets the closer of the hole; null for no penalty. */
  closer(player: number | null): void {
    const { asked, game } = this;
    if (asked.is !== "closer") return;
    const key = closerKey(asked.hole);
    const changed = setCloser(game, asked.hole, player);
    this.back();
    this.latest = null;
    this.#write(player === null ? overrule(changed, key) : { ...changed, overruled: changed.overruled.filter((other) => other !== key) }, null);
  }

  /** Overrules a doubt. */
  overrule(key: string): void {
    const { place, game } = this;
    this.#write(overrule(game, key), place && isWhole(game, place) ? place : null);
  }

  undo(): void {
    this.back();
    this.latest = null;
    this.#set(undo(this.#sheet));
  }

  redo(): void {
    this.back();
    this.latest = null;
    this.#set(redo(this.#sheet));
  }

  /** Another change of the game: a new name, another dealer. */
  change(game: PadGame): void {
    this.#write(game, null);
  }

  /** Another window changed this game. */
  reread(sheet: Sheet): void {
    this.back();
    this.#sheet = begun(sheet);
  }

  /** Saves the game; `finished` is the entry this completes, and the next player follows. */
  #write(game: PadGame, finished: Place | null): void {
    if (finished) {
      const doubted = doubts(game).some(
        (one) => one.code !== "closer_missing" && one.hole === finished.hole && one.players.includes(finished.player),
      );
      this.back();
      if (doubted) this.#chosen = finished;
      else this.latest = finished;
    }
    this.#set(done(this.#sheet, settled(game)));
  }

  #set(sheet: Sheet): void {
    this.#sheet = sheet;
    this.#keep(sheet);
  }

  /** Whether a longer possible total begins with these digits. */
  #mayGrow(typed: string): boolean {
    const value = Math.abs(Number(typed));
    if (value === 0) return false;
    const below = typed.startsWith("-");
    return reachable(this.game.rules).some((total) => total < 0 === below && Math.floor(Math.abs(total) / 10) === value);
  }
}

/** Whether an entry is complete. */
function isWhole(game: PadGame, { hole, player }: Place): boolean {
  const entry = entryOf(game, hole, player);
  return !!entry && (!("layout" in entry) || score(game.rules, entry.layout).complete);
}

/** Adds the next hole if an imported game ends with a finished one. */
function begun(sheet: Sheet): Sheet {
  const game = settled(sheet.game);
  return game === sheet.game ? sheet : { ...sheet, game };
}

/** Adds the next hole; removes an empty one that is not played. */
function settled(game: PadGame): PadGame {
  const now = match(game);
  if (now.holes.at(-1)?.idle) {
    const without = dropEmptyHole(game);
    if (without !== game) return settled(without);
  }
  if (!now.next) return game;
  const last = game.holes.length - 1;
  return doubts(game).some((one) => one.hole === last) ? game : nextHole(game);
}
