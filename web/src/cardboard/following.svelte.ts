/** A game with real cards, entered turn by turn: what was entered, what is asked next, and what the coach says to it. */
import { bestMoves } from "../coach/bestMoves";
import { facesFor } from "../golf/pack";
import { placeOf } from "../golf/slots";
import { holeName } from "../golf/words";
import { gameFacts } from "../lib/facts.svelte";
import { ask } from "../lib/http";
import { Refusal } from "../lib/refusal";
import { m } from "../lib/i18n.svelte";
import type { CardboardTable, FinishedGame, GameFacts, Hint, View } from "../lib/messages";
import { go } from "../lib/router.svelte";
import { save } from "../lib/save";
import { tell } from "../lib/shell.svelte";
import type { Stage } from "../table/stage.svelte";
import { stageOn } from "../table/stageOn";
import { whatToDo } from "../table/tableWords";
import { askReal, keepReal } from "./askReal";
import { troubleText } from "./faults";
import { asEntered, keep, keptGames, piecesIn, recordOf, undone, type KeptGame, type KeptHole } from "./kept";

/** Which card was it? `piece` is what its answer makes of it. */
export interface Question {
  text: () => string;
  left: Record<string, number>;
  piece: (face: string) => string;
  /** The move that needs it, if it was a choice. */
  move: string | null;
}

export class Following {
  /** Null if this device does not keep the game. */
  game = $state.raw<KeptGame | null>(null);
  table = $state.raw<CardboardTable | null>(null);
  stage = $state.raw<Stage<View> | null>(null);
  /** The card that the move tapped last needs. */
  asked = $state.raw<Question | null>(null);
  busy = $state(false);
  trouble = $state("");
  hinting = $state(false);
  hint = $state.raw<Hint | null>(null);
  /** What was taken back, the latest first; anything new forgets it. */
  undoneHoles = $state.raw<KeptHole[][]>([]);
  #left = false;

  /** `root` is the element with the table's spots. */
  constructor(
    id: string,
    private readonly root: () => HTMLElement | undefined,
  ) {
    this.game = keptGames().find((one) => one.id === id) ?? null;
  }

  readonly facts: GameFacts | null = $derived.by(() => (this.game ? (this.game.facts ?? gameFacts(this.game.game)) : null));
  readonly best: ReadonlySet<string> = $derived(bestMoves(this.hint));
  readonly legal: ReadonlySet<string> = $derived(new Set(this.busy || this.asked || !this.table ? [] : this.table.view.legal));
  readonly mine: number = $derived(this.table?.view.turn ?? this.stage?.view.turn ?? 0);
  /** Whether a hole is over and no other has begun. */
  readonly between: boolean = $derived(this.table?.view.phase === "hole_over" || this.table?.view.phase === "over");
  /** How many holes are over. */
  readonly over: number = $derived(this.table?.holes.filter(({ points }) => points !== null).length ?? 0);
  readonly question: Question | null = $derived.by(() => this.asked ?? this.needed);
  readonly mayUndo: boolean = $derived(this.asked !== null || (this.game !== null && undone(this.game.holes) !== null));

  /** A card has to be named before anything else can happen: the first discard, or one to be turned up at the end. */
  readonly needed: Question | null = $derived.by(() => {
    const { table, game, facts } = this;
    if (!table || !game || !facts) return null;
    if (table.awaited) {
      const { slot, seat } = table.awaited;
      const text = () => m.cardboard_reveal_which({ name: game.players[seat] ?? "", slot });
      return { text, left: table.unseen, piece: (face) => `${slot}=${face}`, move: slot };
    }
    if (game.holes.at(-1)?.first_discard !== null || table.view.phase === "over") return null;
    const left = Object.fromEntries(facesFor(facts, game.players.length).map(({ name, copies }) => [name, copies]));
    return { text: () => dealt(game, table, facts), left, piece: (face) => face, move: null };
  });

  readonly title: string = $derived.by(() => {
    const { hole = 0, playoff = 0 } = this.table?.view ?? {};
    return hole > 0 ? holeName(hole, playoff) : m.cardboard_follow();
  });

  /** Who has to do what; empty if nobody. */
  readonly say: string = $derived.by(() => {
    const { table, facts, game } = this;
    if (!table || !facts || !game || table.view.turn === null) return "";
    const words = whatToDo(table.view, facts);
    return words && m.cardboard_who_does({ name: game.players[table.view.turn] ?? "", text: words });
  });

  /** Shows the game for as long as the component that calls this is there. */
  follow(): void {
    void this.reload();
    $effect(() => () => {
      this.#left = true;
      this.stage?.end();
    });
  }

  async reload(): Promise<void> {
    if (this.game) await this.#load(this.game.holes);
  }

  /** Sends the changed game to the server; keeps it only if the server accepts it. */
  async #load(holes: KeptHole[], forward = false, again: KeptHole[][] = []): Promise<boolean> {
    const { game, facts } = this;
    if (!game || !facts || this.busy) return false;
    this.busy = true;
    this.trouble = "";
    try {
      const answer = await askReal<CardboardTable>("cardboard", asEntered(game, holes), facts);
      this.game = { ...game, holes, over: answer.view.phase === "over" };
      this.undoneHoles = again;
      if (this.table) this.#keep({ ...this.game, when: Date.now() }); // looking at it alone changes nothing
      this.table = answer;
      this.closeHint();
      this.asked = null;
      if (!this.stage) this.stage = stageOn(this.root, answer.view, facts);
      else if (forward) {
        this.stage.hurry();
        this.stage.happened(answer.what, answer.view);
      } else this.stage.jump(answer.view, answer.what);
      return true;
    } catch (problem) {
      this.trouble = troubleText(problem, game.players, !this.table);
      return false;
    } finally {
      this.busy = false;
    }
  }

  #keep(game: KeptGame): void {
    this.game = game;
    keep(game);
  }

  /** Adds a piece of a move, or the first discard of the hole. */
  async add(piece: string): Promise<void> {
    await this.#addAll([piece]);
  }

  async #addAll(pieces: string[]): Promise<boolean> {
    const last = this.game?.holes.at(-1);
    if (!this.game || !last) return false;
    const [first = null, ...rest] = pieces;
    const hole = last.first_discard === null ? { first_discard: first, moves: rest } : { ...last, moves: [...last.moves, ...pieces] };
    return this.#load([...this.game.holes.slice(0, -1), hole], true);
  }

  /** A move was tapped: asks for the card it shows, unless the card is face up. */
  press(move: string): void {
    const { table, game, facts } = this;
    if (!table || !game || !facts || this.busy) return;
    const { view, stock, unseen } = table;
    const seat = view.turn ?? 0;
    const name = game.players[seat] ?? "";
    if (move === "S") this.asked = { text: () => m.cardboard_drew_which({ name }), left: stock, piece: (face) => `S${face}`, move };
    else if (move === "D") void this.add(`D${view.discard}`);
    else if (move === "." && view.phase === "take") void this.add("-");
    else if (move === "-" || move === ".") void this.add(move);
    else if (view.phase !== "place")
      this.asked = { text: () => m.cardboard_turned_which({ name, slot: move }), left: unseen, piece: (face) => `${move}=${face}`, move };
    else {
      const there = view.seats[seat]?.layout[placeOf(move, facts.columns)] ?? null;
      const piece = (face: string) => `>${move}x${face}`;
      if (there !== null) void this.add(piece(there));
      else this.asked = { text: () => m.cardboard_under_which({ slot: move }), left: unseen, piece, move };
    }
  }

  /** Answers the question with a card. */
  answer(face: string): void {
    if (this.question) void this.add(this.question.piece(face));
  }

  undo(): void {
    this.trouble = "";
    if (this.asked) this.asked = null;
    else if (this.game) {
      const holes = undone(this.game.holes);
      if (holes) void this.#load(holes, false, [this.game.holes, ...this.undoneHoles]);
    }
  }

  redo(): void {
    this.trouble = "";
    const [holes, ...more] = this.undoneHoles;
    if (holes) void this.#load(holes, true, more);
  }

  /** Adds moves as they were typed; whether the server accepts them. */
  async write(text: string): Promise<boolean> {
    const pieces = piecesIn(text);
    if (!pieces.length || !(await this.#addAll(pieces))) return false;
    this.#settle();
    return true;
  }

  /** Replaces typed moves by the server's pieces, so that each can be taken back. */
  #settle(): void {
    const { game, table } = this;
    if (!game || !table) return;
    const waits = game.holes.length > table.holes.length ? game.holes.slice(-1) : [];
    const holes = table.holes.map(({ first_discard, pieces }) => ({ first_discard, moves: pieces }));
    this.#keep({ ...game, holes: [...holes, ...waits] });
  }

  nextHole(): void {
    if (this.game) void this.#load([...this.game.holes, { first_discard: null, moves: [] }]);
  }

  /** Asks for a hint, or closes the one that is open. */
  async advise(): Promise<void> {
    const { game, table, facts } = this;
    if (this.hinting) return this.closeHint();
    if (!game || !table || !facts) return;
    this.hinting = true;
    try {
      const answer = await askReal<Hint>("cardboard/hint", asEntered(game, game.holes), facts);
      if (this.table === table && this.hinting) this.hint = answer;
    } catch (problem) {
      if (this.table !== table || this.#left) return;
      this.closeHint();
      tell(troubleText(problem, game.players), true);
    }
  }

  closeHint(): void {
    this.hinting = false;
    this.hint = null;
  }

  /** Closes what is open over the table: the hint first. */
  escape(): void {
    if (this.hinting) this.closeHint();
    else this.asked = null;
  }

  /** Makes a finished match of the finished holes, once per change, and opens its analysis. */
  async openAnalysis(): Promise<void> {
    const { game, facts } = this;
    if (!game || !facts || !this.table) return;
    const finished = game.holes.slice(0, this.over);
    const holes = JSON.stringify(finished);
    this.busy = true;
    try {
      const known = game.story?.holes === holes && (await isKept(game.story.game)) ? game.story.game : null;
      const match = known ?? (await keepReal(asEntered(game, finished), facts)).game;
      this.#keep({ ...game, story: { game: match, holes } });
      if (!this.#left) go(`g/${match}#story`);
    } catch (problem) {
      if (!this.#left) tell(troubleText(problem, game.players), true);
    } finally {
      this.busy = false;
    }
  }

  saveRecord(): void {
    const { game, table } = this;
    if (!game || !table) return;
    const name = `mulligan-${game.game}-${new Date(game.when).toISOString().slice(0, 10)}.jsonl`;
    save(new Blob([recordOf(game, table)], { type: "application/jsonl" }), name);
  }
}

/** Who deals the next hole, and who starts. */
function dealt({ players }: KeptGame, { dealer, seats, holes }: CardboardTable, facts: GameFacts): string {
  const hole = holes.length + 1;
  const playoff = Math.max(0, hole - facts.holes);
  const starter = seats[(seats.indexOf(dealer) + 1) % seats.length] ?? 0;
  const words = { dealer: players[dealer] ?? "", starter: players[starter] ?? "" };
  return playoff > 0 ? m.cardboard_deal_playoff({ ...words, number: playoff }) : m.cardboard_deal({ ...words, hole });
}

/** Whether a finished match is still there. Throws a Refusal if the server cannot tell. */
async function isKept(match: string): Promise<boolean> {
  try {
    await ask<FinishedGame>(`api/games/${match}`);
    return true;
  } catch (problem) {
    if (problem instanceof Refusal && /^(game|table)_gone$/.test(problem.error)) return false;
    throw problem;
  }
}
