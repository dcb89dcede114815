/** What is chosen for a new match: the game, who sits where, and how it is played. */
import { computerNames, playerHow, playerTitle } from "../golf/players";
import { errorText } from "../lib/errors";
import { known } from "../lib/facts.svelte";
import { refusalOf } from "../lib/refusal";
import { m, withWords } from "../lib/i18n.svelte";
import type { GameFacts, Holes, HouseRules, Pace, Tempo } from "../lib/messages";
import { calledComputers, firstSeats, isAlone, newTable, resized, usual, type SeatChoice } from "../lib/newTable";
import { openTable } from "../lib/openTable";
import { lastPick, picks, type Patch, type Pick } from "../lib/houseRulesKept";
import { settings } from "../lib/settings.svelte";
import { recall, remember } from "../lib/stored";
import { isByTurns } from "../lib/turns";

const SEATS = 4;

export class NewTableForm {
  /** Undefined until the games are known. */
  picked: Pick | undefined = $state.raw();
  offered: Pick[] = $state.raw([]);
  seats: SeatChoice[] = $state([]);
  /** Null follows the seats; chosen once, it stays. */
  #paced: Pace | null = $state(recall("paced", null));
  tempo: Tempo = $state(recall("tempo", "family"));
  holes: Holes = $state(recall("holes", 0));
  chat = $state(false);
  /** Whether the table is to be on this device only, where it could also be on the server. */
  here = $state(false);
  opening = $state(false);
  /** Why no table was opened. */
  trouble = $state("");

  readonly game: GameFacts | undefined = $derived(this.picked?.game);
  readonly called: string[] = $derived(calledComputers(this.seats, computerNames()));
  /** The computer players at the table, each once. */
  readonly levels: string[] = $derived([...new Set(this.seats.filter(({ kind }) => kind === "computer").map(({ player }) => player))]);
  /** How each kind of computer player at the table plays, and whether it has yet to practise the game. */
  readonly strengths: string[] = $derived(
    this.levels.flatMap((level) => [
      playerHow(level),
      this.#isUntrained(level) ? m.player_untrained({ level, player: playerTitle(level) }) : "",
    ]).filter(Boolean),
  );
  readonly pace: Pace = $derived(this.#paced ?? (isAlone(this.seats) ? "fast" : "normal")); // no waiting for computers alone
  readonly friends: number = $derived(this.seats.filter(({ kind }) => kind === "friend").length);
  readonly isHere: boolean = $derived(!this.friends && (this.here || !!known.facts?.serverless));

  /** The server's games are known: the choices are those of last time. */
  offer(): void {
    this.offered = picks(known.facts?.games ?? []);
    this.picked = lastPick(this.offered, recall("picked", recall("game", "")));
    if (!known.facts || !this.game) return;
    this.seats = resized(firstSeats(SEATS, usual(known.facts.players, recall("player", ""))), recall("seats", SEATS), this.game);
    this.seats[0]!.name = settings.name;
  }

  choose(next: Pick): void {
    this.picked = next;
    if ("holes" in next.house_rules) this.holes = 0; // as many as they say
    this.resize(this.seats.length);
  }

  resize(count: number): void {
    this.seats = resized(this.seats, count, this.game!);
  }

  /** A match with a friend; more seats are for more friends. */
  inviteFriends(): void {
    this.seats = resized([this.seats[0]!, { kind: "friend", player: "", name: "" }], 2, this.game!);
  }

  setPace(pace: Pace): void {
    this.#paced = pace;
  }

  /** Plays the chosen game by other rules. */
  changeRules(house_rules: Patch, rules: HouseRules | null): void {
    const game = this.game!;
    this.choose({ key: game.name, game, house_rules, facts: rules?.facts ?? game, ours: null });
  }

  /** Our rules have changed: what was kept last comes first. */
  offerKept(): void {
    this.offered = picks(known.facts!.games);
    this.choose(this.offered[0]!);
  }

  /** The code of the new table; null where there is none, and `trouble` says why. */
  async open(): Promise<string | null> {
    const { picked, seats, pace, tempo, holes } = this;
    if (!picked || this.opening) return null;
    this.opening = true;
    this.trouble = "";
    this.#remember(picked);
    try {
      const together = this.friends || !isByTurns(tempo) ? tempo : "family"; // nobody is waited for where all are here
      const options = { pace, chat: this.chat && this.friends > 0, tempo: together, holes };
      const wanted = newTable(picked.game.name, seats, options, (seat) => m.start_player({ seat }), computerNames(), picked.house_rules);
      return await openTable(wanted, picked.facts, this.isHere);
    } catch (problem) {
      this.trouble = errorText(await withWords(Promise.resolve(refusalOf(problem)), "table")); // they have the words of this device
      return null;
    } finally {
      this.opening = false;
    }
  }

  #remember({ game, key }: Pick): void {
    settings.name = this.seats[0]!.name.trim();
    remember("game", game.name);
    remember("picked", key);
    remember("seats", this.seats.length);
    remember("pace", this.pace);
    remember("paced", this.#paced);
    remember("tempo", this.tempo);
    remember("holes", this.holes);
    remember("player", this.seats.findLast(({ kind }) => kind === "computer")?.player ?? recall("player", ""));
  }

  #isUntrained(level: string): boolean {
    return !!known.facts?.players.some(({ name, untrained }) => name === level && untrained?.includes(this.game!.name));
  }
}
