/** What a card for a real table is printed with: the game, who plays, the language, the paper. */
import { court, usualCourt } from "../golf/court";
import { known } from "../lib/facts.svelte";
import { written } from "../lib/houseRulesReader";
import { lastPick, picks, type Pick } from "../lib/houseRulesKept";
import { language, regional, type Locale } from "../lib/i18n.svelte";
import type { GameFacts } from "../lib/messages";
import { cardAddress, emptyCardAddress, usualPaper, type Paper } from "../lib/paper";
import type { Court } from "../lib/settings.svelte";
import { recall, remember } from "../lib/stored";

const MOST = 8; // lines kept while another game is chosen

export class PrintCardForm {
  /** Undefined until the games are known. */
  picked: Pick | undefined = $state.raw();
  /** As many lines as were asked for; the game may have room for fewer. */
  count: number = $state(recall("card-players", 4));
  names: string[] = $state(Array.from({ length: MOST }, (_, line) => recall<string[]>("card-names", [])[line] ?? ""));
  /** A line; null leaves open who deals. */
  dealer: number | null = $state(null);
  #language: Locale | null = $state(null);
  paper: Paper = $state(recall("paper", usualPaper()));
  #court: Court | null = $state(null);

  readonly language: Locale = $derived(this.#language ?? language.now);
  readonly facts: GameFacts | undefined = $derived(this.picked?.facts);
  readonly players: number = $derived(this.facts ? Math.min(Math.max(this.count, this.facts.least), this.facts.most) : this.count);
  readonly lines: string[] = $derived(this.names.slice(0, this.players));
  readonly isNamed: boolean = $derived(this.lines.some((name) => name.trim()));
  readonly court: Court = $derived(
    this.#court ?? (this.language === language.now ? court() : usualCourt(regional(this.language, navigator.languages))),
  );
  readonly hasCourt: boolean = $derived(!!this.facts?.faces.some(({ name }) => /^[JQK]$/.test(name)));
  /** There are only cards with empty lines, one for each game, language and paper. */
  readonly isEmpty: boolean = $derived(known.facts?.serverless ?? false);
  /** Where the card is, and its picture; empty where there is none, and until the games are known. */
  readonly address: string = $derived(this.#address(false));
  readonly picture: string = $derived(this.#address(true));

  /** The server's games are known: the choice is that of last time. */
  offer(): void {
    this.picked = lastPick(picks(known.facts?.games ?? []), recall("picked", recall("game", "")));
  }

  chooseLanguage(language: Locale): void {
    this.#language = language;
  }

  chooseCourt(court: Court): void {
    this.#court = court;
  }

  remember(): void {
    remember("card-players", this.count);
    remember("card-names", this.names);
    remember("paper", this.paper);
  }

  #address(isPicture: boolean): string {
    if (!this.picked) return "";
    const { facts, house_rules } = this.picked;
    if (this.isEmpty) return Object.keys(house_rules).length ? "" : emptyCardAddress(this.picked.game.name, this.language, this.paper);
    const dealer = this.isNamed && this.dealer !== null && this.dealer < this.players ? this.dealer : null;
    return cardAddress(facts.name, this.lines, dealer, this.language, this.paper, this.court, isPicture, written(house_rules));
  }
}
