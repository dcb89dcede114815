/** A new game of the pad: which rules, who sits where, who deals. */
import { ourRules, type OurRules, type Patch } from "../lib/houseRulesKept";
import { m } from "../lib/i18n.svelte";
import type { GameFacts } from "../lib/messages";
import { hideNotice, tell } from "../lib/shell.svelte";
import { nameTroubles, plainName } from "./checks";
import { newGame, newId } from "./edit";
import { allRules, houseGame, ownTitle, readVariant, rulesTitle } from "./rulesets";
import { askToPersist, type PadStore } from "./store";
import { problemInWords } from "./troubles";
import type { House } from "./types";

const FIRST_TIME = 4;
const MOST_NAMES = 12;

/** The game of last time, and who would deal now. */
export interface LastGame {
  rules: GameFacts;
  house?: House | undefined;
  players: string[];
  dealer: number;
}

interface Seat {
  key: number;
  name: string;
}

/** What a game with house rules comes from. */
interface Origin extends House {
  ours: OurRules | null;
}

export class NewPadGameForm {
  seats: Seat[] = $state([]);
  #dealer = $state(0); // the key of a seat
  rules: GameFacts[] = $state.raw([]);
  #chosen: string | null = $state.raw(null);
  /** The names of those read from files. */
  own: string[] = $state.raw([]);
  /** By the name that a game with house rules has here. */
  #origins: Record<string, Origin> = $state.raw({});
  #forgotten: string[] = $state.raw([]);
  /** Why there are no games to choose from. */
  missing = $state("");
  loaded = $state(false);
  tried = $state(false);
  beginning = $state(false);

  readonly #first: GameFacts | undefined = $derived(this.rules.find(({ name }) => !this.originOf(name)) ?? this.rules[0]);
  readonly game: GameFacts | undefined = $derived(this.rules.find(({ name }) => name === this.#chosen) ?? this.#first);
  readonly origin: Origin | undefined = $derived(this.game && this.originOf(this.game.name));
  /** The game without house rules. */
  readonly base: GameFacts | undefined = $derived(this.rules.find(({ name }) => name === this.origin?.game) ?? this.game);
  /** A player without a name is named after the seat. */
  readonly called: string[] = $derived(this.seats.map(({ name }, at) => name.trim() || m.start_player({ seat: at + 1 })));
  readonly troubles: ReturnType<typeof nameTroubles> = $derived(nameTroubles(this.called));
  /** The seat that deals first. */
  readonly dealer: number = $derived(Math.max(0, this.seats.findIndex(({ key }) => key === this.#dealer)));
  readonly isFull: boolean = $derived(!!this.game && this.seats.length >= this.game.most);
  readonly isWrongCount: boolean = $derived(!!this.game && (this.seats.length < this.game.least || this.seats.length > this.game.most));

  constructor(
    readonly store: PadStore,
    /** Names used on this device, those of last time first. */
    readonly known: () => string[],
    readonly last: LastGame | null,
  ) {
    const players = last?.players ?? Array.from({ length: FIRST_TIME }, () => "");
    this.seats = players.map((name, key) => ({ key, name }));
    this.#dealer = last?.dealer ?? 0;
    this.#chosen = last?.rules.name ?? null;
  }

  /** Names of this device that no seat has. */
  get free(): string[] {
    const taken = this.seats.map(({ name }) => plainName(name));
    return this.known().filter((name) => !this.#forgotten.includes(name) && !taken.includes(plainName(name))).slice(0, MOST_NAMES);
  }

  originOf(name: string): Origin | undefined {
    return this.#origins[name];
  }

  /** Reads which games there are. */
  async load(): Promise<void> {
    const { last } = this;
    try {
      const [all, mine] = await Promise.all([allRules(this.store), this.store.ownRules()]);
      this.own = mine.map(({ name }) => name);
      const kept = ourRules().filter((ours) => all.some(({ name }) => name === ours.game)).map((ours) => this.#ours(ours));
      const known = [...kept, ...all];
      // A game kept from a link may have rules that this device does not know otherwise.
      this.rules = last && !known.some(({ name }) => name === last.rules.name) ? [...known, last.rules] : known;
      if (last?.house && !this.originOf(last.rules.name)) this.#origins = { ...this.#origins, [last.rules.name]: { ...last.house, ours: null } };
    } catch (problem) {
      if (last) this.rules = [last.rules];
      else this.missing = problemInWords(problem);
    } finally {
      this.loaded = true;
    }
  }

  choose(rules: GameFacts): void {
    this.#chosen = rules.name;
  }

  /** Plays the chosen game by other rules; without `facts`, as it is. */
  changeRules(patch: Patch, facts: GameFacts | undefined): void {
    const { base } = this;
    if (!base) return;
    if (facts) this.#offer(this.#withOrigin(facts, "house", m.pad_house({ game: rulesTitle(base) }), { game: facts.name, patch, ours: null }));
    else this.choose(base);
  }

  offerKept(ours: OurRules): void {
    this.#offer(this.#ours(ours));
  }

  /** Reads rules from a file and chooses them. */
  async readFile(file: File): Promise<void> {
    hideNotice(); // about the file before
    try {
      const read = ownTitle(await readVariant(file), this.rules);
      await this.store.keepRules(read);
      this.rules = [...this.rules.filter(({ name }) => name !== read.name), read];
      this.own = [...this.own, read.name];
      this.choose(read);
      this.missing = "";
    } catch (problem) {
      tell(problemInWords(problem), true);
    }
  }

  /** Games that were begun with these rules keep them. */
  async forget(rules: GameFacts): Promise<void> {
    await this.store.forgetRules(rules.name).catch(() => {});
    this.rules = this.rules.filter((one) => one !== rules);
    this.#chosen = null;
  }

  add(name = ""): void {
    const empty = name ? this.seats.find((seat) => !seat.name.trim()) : undefined;
    if (empty) empty.name = name;
    else this.seats.push({ key: Math.max(-1, ...this.seats.map(({ key }) => key)) + 1, name });
  }

  /** Whether there is a seat for one more name. */
  get hasRoom(): boolean {
    return !this.isFull || this.seats.some(({ name }) => !name.trim());
  }

  remove(at: number): void {
    const [gone] = this.seats.splice(at, 1);
    if (gone?.key === this.#dealer) this.deal(at % this.seats.length);
  }

  /** Changes places with the seat above; the first one goes to the end. */
  up(at: number): void {
    const [one] = this.seats.splice(at, 1);
    this.seats.splice(at === 0 ? this.seats.length : at - 1, 0, one!);
  }

  deal(at: number): void {
    this.#dealer = this.seats[at]!.key;
  }

  /** Games and averages keep the name; it is only not offered any more. */
  async forgetName(name: string): Promise<void> {
    this.#forgotten = [...this.#forgotten, name];
    await this.store.forgetName(name).catch((problem: unknown) => tell(problemInWords(problem), true));
  }

  /** The id of the new game; null where it does not begin, and the page says why. */
  async begin(): Promise<string | null> {
    this.tried = true;
    const { game, origin } = this;
    if (!game || this.beginning || this.isWrongCount || this.troubles.some(Boolean)) return null;
    this.beginning = true;
    const house = origin && { game: origin.game, patch: origin.patch };
    try {
      const begun = await this.store.begin(newGame(game, this.called, this.dealer, Date.now(), newId(), house));
      void askToPersist();
      return begun.game.id;
    } catch (problem) {
      tell(problemInWords(problem), true);
      this.beginning = false;
      return null;
    }
  }

  #ours(ours: OurRules): GameFacts {
    return this.#withOrigin(ours.facts, ours.id, ours.name, { game: ours.facts.name, patch: ours.house_rules, ours });
  }

  #withOrigin(facts: GameFacts, id: string, title: string, origin: Origin): GameFacts {
    const found = houseGame(facts, id, title);
    this.#origins = { ...this.#origins, [found.name]: origin };
    return found;
  }

  #offer(rules: GameFacts): void {
    this.rules = [rules, ...this.rules.filter(({ name }) => name !== rules.name)];
    this.choose(rules);
  }
}
