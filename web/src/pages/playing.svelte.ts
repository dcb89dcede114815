/** My part at a table in play: what is on show, what I may do now, and what I send to the server. */
import { untrack } from "svelte";
import { Hinting } from "../coach/hinting.svelte";
import { nameOf, theFace } from "../golf/words";
import { gameFacts } from "../lib/facts.svelte";
import { m, messageOf, withWords } from "../lib/i18n.svelte";
import type { Event, GameFacts, Phase, View } from "../lib/messages";
import { keepMuted, mutedAt, voiceOf } from "../lib/mutes";
import type { Session } from "../lib/session.svelte";
import { settings } from "../lib/settings.svelte";
import { hideNotice, shell, tell } from "../lib/shell.svelte";
import { recall, remember } from "../lib/stored";
import { answerTo, Banter, remarkOnResult, type Line } from "../table/banter";
import { Discarding } from "../table/discarding";
import { beganWithoutMe } from "../table/ready";
import { mySeat } from "../table/seating";
import type { Stage } from "../table/stage.svelte";
import { stageOn } from "../table/stageOn";
import { isVeryGood, phraseInWords, whatTheyDo, whatToDo } from "../table/tableWords";

/** The rule that tells what a phase is about. */
const RULES: Record<Phase, string> = {
  lobby: "1.1",
  draw: "2.1",
  tee_off: "2.4",
  take: "3.1",
  place: "3.2",
  flip: "3.3",
  reveal: "1.1",
  hole_over: "5.1",
  over: "6.2",
};

const BEFORE_ANSWER = 1_200; // milliseconds: a computer player has heard it

export class Playing {
  readonly facts: GameFacts;
  readonly stage: Stage<View>;
  readonly hinting: Hinting;
  /** The result of the last match stays until its reader joins the new one. */
  waiting = $state(false);
  /** The move that was sent last and is not answered yet. */
  pressed = $state<string | null>(null);
  /** Whether the player is asked to confirm a discard. */
  asking = $state(false);
  /** Whether a command that goes on is not answered yet. */
  busy = $state(false);
  #muted = $state.raw<string[]>([]);
  #before: number | null = null;
  readonly #banter = new Banter();
  readonly #discarding = new Discarding();

  /** The session has a view and its game's facts are known. `root` is the element with the table's spots. */
  constructor(
    readonly session: Session,
    root: () => HTMLElement | undefined,
  ) {
    const view = session.view as View;
    this.#muted = mutedAt(view.watch);
    this.facts = session.facts ?? (gameFacts(view.game) as GameFacts);
    const shown = (what: Event[]) => void this.#remark(this.#banter.remark(what, this.view, this.facts));
    const isMine = (seat: number) => session.you.includes(seat) && !this.view.seats[seat]?.lent;
    this.stage = stageOn(root, view, this.facts, (seat, kind) => this.hears(seat, kind), shown, isMine);
    this.hinting = new Hinting(session.code, this.facts);
  }

  /** Follows the table for as long as the component that calls this is there. */
  follow(): void {
    $effect(() => this.#show());
    $effect(() => {
      const stop = this.session.onHappened((what, view, late) => this.happened(what, view, late));
      return () => {
        stop();
        this.stage.end();
        this.hinting.close(); // later answers are ignored
      };
    });
    $effect(() => this.hinting.follow(this.view));
    $effect(() => {
      if (this.mayHint && this.pressed === null && !this.stage.moving) this.hinting.offer(this.view);
    });
    $effect(() => this.offerToAsk());
    $effect(() => {
      if (this.counted && untrack(() => shell.notice?.action)) hideNotice(); // it would cover the button that goes on
    });
  }

  /** Whether the reader wants to hear that from a seat. */
  hears(seat: number, kind: "Said" | "Reacted" | "Chatted"): boolean {
    return !this.mutes.has(seat) && this.#wants(kind);
  }

  #wants(kind: "Said" | "Reacted" | "Chatted"): boolean {
    return !(kind === "Said" && settings.mute_phrases) && !(kind === "Reacted" && settings.mute_reactions);
  }

  /** What was said lately, as the reader wants to hear it; the latest first. */
  get said(): string[] {
    const heard = this.session.talk.filter(({ who, what }) => !this.#muted.includes(who) && this.#wants(what.is));
    return heard.map(({ name, what }) => m.table_ev_says({ name, text: what.is === "Said" ? phraseInWords(what.phrase) : what.text })).reverse();
  }

  /** The view on show, which may be behind the server's. */
  get view(): View {
    return this.stage.view;
  }

  get seated(): boolean {
    return this.session.you.length > 0;
  }

  readonly mutes = $derived.by(
    () => new Set(this.session.view?.seats.flatMap((one, seat) => (this.#muted.includes(voiceOf(one)) ? [seat] : []))),
  );

  /** The seat with the large layout. On a shared device it changes after the last card has arrived. */
  readonly mine = $derived.by(() => {
    const stays = this.stage.moving && this.#before !== null && this.session.you.includes(this.#before);
    if (!stays) this.#before = mySeat(this.view, this.session.you, this.#before);
    return this.#before;
  });

  readonly #isMyTurn = $derived.by(() => {
    const turn = this.session.myTurn;
    return !this.stage.behind && turn !== null && this.view.turn === turn && !this.view.seats[turn]?.lent;
  });

  /** Whether it is my turn, and the cards are there that I have to see. */
  readonly mayPlay = $derived.by(() => this.#isMyTurn && this.stage.settled);

  /** The moves that light up. */
  readonly legal = $derived.by(
    () => new Set(this.mayPlay && this.view.turn === this.mine && this.pressed === null && !this.asking ? this.view.legal : []),
  );

  get mayTakeBack(): boolean {
    return this.mayPlay && this.view.may_take_back && this.pressed === null;
  }

  get mayHint(): boolean {
    return this.mayPlay && this.view.hints;
  }

  /** Whether the score or the result is on show instead of the table. */
  get counted(): boolean {
    return this.stage.counted && (this.view.phase === "hole_over" || this.view.phase === "over");
  }

  /** The match that is over and may be looked at. */
  get over(): string | undefined {
    return this.view.given_up ? undefined : this.view.finished.at(-1);
  }

  /** That it is my turn; empty if it is not. */
  get call(): string {
    if (!this.#isMyTurn) return "";
    return this.session.you.length > 1 ? m.table_name_your_turn({ name: nameOf(this.view, this.view.turn) }) : m.table_your_turn();
  }

  /** What I can do, or what the table waits for. */
  get sentence(): string {
    if (this.#isMyTurn) return whatToDo(this.view, this.facts);
    return whatTheyDo(this.view) || (this.view.turn === null ? m.table_wait_reveal() : "");
  }

  /** The rule to look up at this moment. */
  get rule(): string {
    return this.view.phase === "place" && this.view.held?.pile === "D" ? "3.5" : RULES[this.view.phase];
  }

  /** The server has told something; `late`: it is over already. */
  happened(what: Event[], view: View, late: boolean): void {
    if (view.phase === "lobby") return; // another game was chosen: the lobby is shown instead
    this.waiting ||= !late && beganWithoutMe(what, this.session.you);
    if (this.waiting) return;
    if (late) this.stage.jump(view, what);
    else this.stage.happened(what, view);
    if (late) return;
    for (const event of what) if (event.is === "Said" && this.hears(event.seat, event.is)) this.#answer(answerTo(event, view));
  }

  #answer(line: Line | null): void {
    if (line) setTimeout(() => void this.#remark(line), BEFORE_ANSWER);
  }

  #hearsComputer({ seat }: Line): boolean {
    return settings.computers_talk && this.hears(seat, "Said");
  }

  /** A computer player says a line, once its words are there. */
  async #remark(line: Line | null): Promise<void> {
    if (!line || !this.#hearsComputer(line)) return;
    const { hole, playoff } = this.view;
    await withWords(Promise.resolve(), "coach").catch(() => {}); // without them it is silent
    const text = messageOf(line.key);
    if (text && this.view.hole === hole && this.view.playoff === playoff) this.stage.remark(line.seat, text);
  }

  /** What a computer player says about the result on show. */
  get remark(): { seat: number; text: string } | undefined {
    const line = remarkOnResult(this.view);
    return line && this.#hearsComputer(line) ? { seat: line.seat, text: messageOf(line.key) } : undefined;
  }

  /** Shows the new match once a seat of mine is no longer lent, and who is there now. */
  #show(): void {
    const { view, you } = this.session;
    if (!view || view.phase === "lobby") return;
    if (this.waiting && !you.some((seat) => view.seats[seat]?.lent)) {
      this.waiting = false;
      this.stage.jump(view);
    }
    if (!this.waiting) this.stage.people(view.seats);
  }

  join = () => Promise.all(this.session.you.map((seat) => this.session.giveBack(seat)));

  async press(move: string): Promise<void> {
    if (!this.mayPlay || this.pressed !== null || !this.view.legal.includes(move)) return;
    if (move === "-" && settings.confirm_throw && !this.asking) {
      this.asking = true;
      return;
    }
    this.asking = false;
    this.pressed = move;
    this.stage.hurry();
    await this.session.play(move);
    this.pressed = null;
  }

  /** A player who touches a card of theirs plays again themselves. */
  touch(): void {
    const { session, mine } = this;
    if (mine !== null && session.you.includes(mine) && session.view?.seats[mine]?.lent) void session.giveBack(mine);
  }

  /** Answers whether to discard the card. */
  answer(yes: boolean): void {
    if (yes) void this.press("-");
    this.asking = false;
  }

  async takeBack(): Promise<void> {
    if (this.mayPlay && this.view.may_take_back) await this.session.takeBack();
  }

  hint(): void {
    if (this.hinting.open) return this.hinting.close();
    if (!this.#isMyTurn || !this.view.hints) return;
    this.stage.hurry(); // the coach looks at the card that is on its way
    void this.hinting.ask(this.view);
  }

  /** The computer players do not pause, and the cards land. */
  hurry(): void {
    if (!this.seated || this.counted || this.view.phase === "draw") return;
    this.stage.hurry();
    this.session.hurry();
  }

  /** Sends a command, unless another is on its way. */
  async goOn(command: () => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    await command();
    this.busy = false;
  }

  mute(seat: number): void {
    const one = this.view.seats[seat];
    const who = one && voiceOf(one);
    if (!who) return;
    this.#muted = this.#muted.includes(who) ? this.#muted.filter((other) => other !== who) : [...this.#muted, who];
    keepMuted(this.view.watch, this.#muted);
  }

  /** Offers, once, a confirmation to a player who has discarded one of the best cards. */
  offerToAsk(): void {
    const face = this.#discarding.follow(this.view, this.session.you);
    if (face === null || !isVeryGood(face, this.facts) || recall("asking-offered", false)) return;
    remember("asking-offered", true);
    if (untrack(() => settings.confirm_throw)) return;
    const act = () => void (settings.confirm_throw = true);
    tell(m.table_offer_ask({ card: theFace(face) }), false, { label: m.table_offer_ask_yes(), act });
  }
}
