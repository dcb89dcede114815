/** The rule book on its page: in which language, for which game, what is sought in it, and how much of it is drawn. */
import { flushSync } from "svelte";
import { changes, type Changed } from "../house/words";
import { gameFacts, known } from "../lib/facts.svelte";
import { bookPath, offeredIn, readWritten } from "../lib/houseRules";
import { written } from "../lib/houseRulesReader";
import type { Patch } from "../lib/houseRulesKept";
import { ask } from "../lib/http";
import { Refusal } from "../lib/refusal";
import { language, type Locale } from "../lib/i18n.svelte";
import type { GameFacts, RuleBook } from "../lib/messages";
import { first, found, wordsOf } from "../lib/rulebook";

export class RulesPage {
  book: RuleBook | null = $state.raw(null);
  refusal: Refusal | null = $state.raw(null);
  /** The game whose rules are shown; empty for all. */
  game = $state("");
  sought = $state("");
  /** What is printed is the whole of what was sought, every board drawn. */
  printing = $state(false);
  #drawn = $state(0); // headings
  #spoken: Locale | null = null; // the language of the book
  readonly #asked: URLSearchParams;

  /** The house rules of the table from which the book was opened. */
  readonly patch: Patch = $derived.by(() => {
    const { game } = this;
    return game === this.#asked.get("game") ? offeredIn(gameFacts(game), readWritten(this.#asked.get("house") ?? "")) : {};
  });
  readonly changed: Changed[] = $derived(changes(this.patch));
  /** Without a network there may be only the book without house rules: the sentences on them stand beside it. */
  readonly isPlain: boolean = $derived(!this.book?.facts);
  readonly words: string[] = $derived(wordsOf(this.sought));
  /** The games, the one of the book with its house rules. */
  readonly games: GameFacts[] = $derived((known.facts?.games ?? []).map((one) => (one.name === this.book?.facts?.name ? this.book.facts : one)));
  readonly #matching: RuleBook | null = $derived.by(() => {
    const names = this.games.map(({ name }) => name);
    return this.book && found(this.book, this.sought, names.includes(this.game) ? this.game : "", names);
  });
  /** How many rules were found. */
  readonly count: number = $derived(
    this.#matching?.chapters.reduce((sum, chapter) => sum + chapter.rules.length + (chapter.blocks.length ? 1 : 0), 0) ?? 0,
  );
  /** As much of what was found as is drawn. */
  readonly shown: RuleBook | null = $derived(this.#matching && first(this.#matching, this.#drawn));
  readonly #headings: number = $derived(this.book?.chapters.reduce((sum, chapter) => sum + 1 + chapter.rules.length, 0) ?? Infinity);
  readonly isWhole: boolean = $derived(this.#drawn >= this.#headings);

  /** `query` is that of the page's address: a game and its house rules. */
  constructor(query: string) {
    this.#asked = new URLSearchParams(query);
    this.game = this.#asked.get("game") ?? "";
  }

  /** Reads and draws the book for as long as the component that calls this is there. */
  follow(): void {
    $effect(() => void this.read());
    $effect(() => {
      if (!this.book || this.#drawn >= this.#headings) return;
      const timer = setTimeout(() => (this.#drawn += 1)); // rule by rule: the page answers while a long book is drawn
      return () => clearTimeout(timer);
    });
  }

  /** Before the page is printed. */
  prepare(): void {
    [this.printing, this.#drawn] = [true, this.#headings];
    flushSync();
  }

  /** Fetches the book in the language and by the rules of now. */
  async read(): Promise<void> {
    const [locale, chosen] = [language.now, written(this.patch)];
    if (this.game && !known.facts) return; // which options it has is not known yet
    const named = () => ask<RuleBook>(`api/rulebook/${locale}`);
    try {
      const read = await (chosen ? ask<RuleBook>(bookPath(locale, this.game, this.patch)).catch(named) : named());
      if (locale === language.now && chosen === written(this.patch)) [this.book, this.#spoken, this.refusal] = [read, locale, null];
    } catch (problem) {
      if (locale !== language.now) return;
      if (locale !== this.#spoken) this.book = null;
      this.refusal = problem instanceof Refusal ? problem : new Refusal("server_fault");
    }
  }
}
