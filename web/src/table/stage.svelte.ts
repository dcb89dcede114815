/** What the reader sees: scenes one after another, cards on their way, what was said.
 *  The server's word comes first; the stage only takes its time to show it. */
import { tick } from "svelte";
import { SvelteMap } from "svelte/reactivity";
import type { Event, GameFacts } from "../lib/messages";
import type { BoardSeat, BoardState } from "./boardState";
import { flourishesOf, type Flourish } from "./flourish";
import { scenesOf, uncounted, type Scene } from "./scenes";
import type { Sound } from "./sounds.svelte";
import { leaving, lookedAt, motionOf, type Cover, type Spot, type Travel } from "./spots";
import { eventsInWords, phraseInWords } from "./tableWords";

const TRAVEL = 420; // milliseconds a card is on its way
const DEAL_STEP = 70; // between two cards of a deal
const REST = 240; // after a move, before the next is shown
const LOOK = 1500; // milliseconds for the revealed cards, before the score covers them
const BUBBLE = 4500;
const LANDING = 260; // a card settles; as in flourish.css
const FLOURISH = 700; // the longest; nobody waits for it
const REMEMBERED = 60; // sentences kept

/** A card in the air. */
export interface Flight {
  id: number;
  from: DOMRect;
  to: DOMRect;
  face: string | null;
  turns: boolean;
  delay: number;
  duration: number;
  landed: () => void;
}

export interface Sentence {
  id: number;
  text: string;
  seat: number | null;
}

/** A player's message, shown beside their cards for a while. */
export interface Bubble {
  id: number;
  seat: number;
  text?: string;
  reaction?: string;
  /** It ends when someone goes on. */
  idle?: boolean;
}

export interface StageSetting {
  facts: GameFacts;
  /** The duration of something that takes that many milliseconds at normal speed; 0: no movement. */
  lasting: (milliseconds: number) => number;
  /** The same of something that stands still, to be read. */
  reading: (milliseconds: number) => number;
  /** Where a spot is on the screen. */
  find: (spot: Spot) => DOMRect | null;
  /** Whether the reader wants to hear that from a seat. */
  hears: (seat: number, kind: "Said" | "Reacted" | "Chatted") => boolean;
  /** A scene has been shown, before the result may cover the table. */
  shown?: ((what: Event[]) => void) | undefined;
  sound: (name: Sound) => void;
  /** The device may vibrate. */
  feel?: ((flourish: Flourish) => void) | undefined;
}

export class Stage<Table extends BoardState = BoardState> {
  /** The view on show; behind the server's while scenes are still to come. */
  view = $state.raw<Table>(undefined as unknown as Table);
  flights = $state.raw<Flight[]>([]);
  covers = new SvelteMap<Spot, string | null>();
  /** What a spot shows for a moment, over the game. */
  flourishes = new SvelteMap<Spot, Flourish["kind"] | "landed">();
  sentences = $state.raw<Sentence[]>([]);
  /** The sentences of the latest scene, for the line above the piles and for screen readers. */
  latest = $state.raw<string[]>([]);
  bubbles = $state.raw<Bubble[]>([]);
  /** Whether the server has said more than is shown yet. */
  behind = $state(false);
  /** Whether cards are on their way. */
  moving = $state(false);
  /** Whether the score or the result may cover the table. */
  counted = $state(false);

  #queue: Scene<Table>[] = [];
  #running = false;
  #ended = false;
  #number = 0;
  #goOn = () => {}; // ends a pause
  #scene: Scene<Table> | null = null; // on show

  constructor(
    view: Table,
    private readonly setting: StageSetting,
  ) {
    this.view = view;
    this.counted = isCounted(view);
  }

  /** Connections, and the words in names, change without an event at the table. */
  people(who: Pick<BoardSeat, "name" | "present">[]): void {
    const seats = this.view.seats.map((seat, number) => {
      const { name, present } = who[number] ?? seat;
      return name === seat.name && present === seat.present ? seat : { ...seat, name, present };
    });
    if (seats.some((seat, number) => seat !== this.view.seats[number])) this.view = { ...this.view, seats };
  }

  /** Shows what happened, after what is still being shown. */
  happened(what: Event[], view: Table): void {
    this.#talk(what);
    const scenes = scenesOf(what.filter(isAboutCards), view, this.setting.facts.columns);
    if (scenes.length > 0) this.#queue.push(...scenes);
    else this.#queue.push({ what: [], view });
    this.behind = true;
    void this.#run();
  }

  /** Shows a view at once: after an absence, or in a replay. */
  jump(view: Table, what: Event[] = []): void {
    this.#queue = [];
    this.#scene = null;
    this.hurry();
    this.covers.clear();
    this.moving = false;
    this.view = view;
    this.behind = false;
    this.counted = isCounted(view);
    if (what.length > 0) this.#tell(what, view);
  }

  /** Whether the cards that the player to move has to see are there. */
  get settled(): boolean {
    return !lookedAt(this.view).some((spot) => this.covers.has(spot));
  }

  /** Ends all card movements and pauses now: the reader wants to continue. */
  hurry(): void {
    this.#goOn();
    for (const flight of this.flights) flight.landed();
    this.flourishes.clear();
    if (this.bubbles.some(({ idle }) => idle)) this.bubbles = this.bubbles.filter(({ idle }) => !idle);
  }

  end(): void {
    this.#ended = true;
    this.#queue = [];
    this.hurry();
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    let scene: Scene<Table> | undefined;
    while (!this.#ended && (scene = this.#queue.shift())) await this.#perform(scene);
    this.#running = false;
  }

  async #perform(scene: Scene<Table>): Promise<void> {
    const { what, view } = scene;
    this.#scene = scene;
    const { lasting, reading, find, facts, sound } = this.setting;
    const late = this.#queue.length > 8;
    const hidden = document.visibilityState === "hidden" || late;
    const haste = hidden ? 0 : this.#queue.length > 2 ? 0.4 : 1;
    const last = (milliseconds: number) => lasting(milliseconds) * haste;
    const flourishes = late ? [] : flourishesOf(what, this.view, view, facts);
    const motions = what.map((event) => motionOf(event, this.view, view, facts.columns));
    const all = motions.flatMap((motion) => motion.travels);
    const travels = last(1) > 0 ? all : [];
    const starts = travels.map((travel) => find(travel.from));
    const leave = travels.length > 0 ? leaving(this.view, view, facts) : [];
    const stay: Cover = new Map(leave.map(({ from, face }) => [from, face]));
    if (leave.length > 0) stay.set("discard", travels.findLast(({ to }) => to === "discard")?.face ?? this.view.discard ?? "gone");
    this.#cover(stay);
    if (travels.length > 0) for (const { covers } of motions) this.#cover(covers);
    this.moving = travels.length > 0;
    if (!isCounted(view)) this.counted = false;
    const isLast = isCounted(view) && travels.length > 0; // nothing is counted before the last card is seen
    this.view = isLast ? uncounted(view, what) : view;
    this.behind = isLast || this.#queue.length > 0;
    if (!isLast) this.#tell(what, view);
    if (all.length > 0 && !hidden) sound(all.every(({ from, to }) => from === to) ? "flip" : "slide");
    if (travels.length > 0) {
      await tick();
      const step = what.some((event) => event.is === "Dealt") ? DEAL_STEP : TRAVEL * 0.5;
      await this.#fly(travels, starts, stay, last, step);
    }
    if (isLast && this.#scene === scene) {
      const { seats } = this.view;
      this.view = view;
      this.people(seats);
      this.behind = this.#queue.length > 0;
      this.#tell(what, view);
    }
    this.#flourish(flourishes);
    if (leave.length > 0) {
      await this.#pause(last(REST));
      sound("slide");
      const starts = leave.map(({ from }) => find(from));
      for (const { from } of leave) this.covers.delete(from);
      await this.#fly(leave, starts, new Map(), last, TRAVEL);
    }
    if (travels.length > 0) {
      this.covers.clear();
      if (isCounted(view)) for (const { to, face } of leave) this.covers.set(to, face); // the view's discard pile is that before the reveal
      this.moving = false;
    }
    this.setting.shown?.(what);
    if (isCounted(view) && !this.counted) {
      await this.#pause(what.some((event) => event.is === "Step" || event.is === "Revealed") ? reading(LOOK) * haste : 0);
      if (what.some((event) => event.is === "MatchOver")) sound("win");
      this.counted = isCounted(this.view);
    } else if (this.#queue.length > 0) await this.#pause(last(REST));
  }

  /** Waits for so many milliseconds, or until the reader wants to continue. */
  #pause(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return Promise.resolve();
    return new Promise((goOn) => {
      this.#goOn = goOn;
      setTimeout(goOn, milliseconds);
    });
  }

  #cover(covers: Cover): void {
    for (const [spot, face] of covers) this.covers.set(spot, face);
  }

  /** Begins the small moments, and does not wait for them. The greatest is heard. */
  #flourish(flourishes: Flourish[]): void {
    const [greatest] = flourishes;
    if (!greatest) return;
    this.setting.sound(greatest.kind);
    this.setting.feel?.(greatest);
    for (const { kind, spots } of flourishes.toReversed()) for (const spot of spots) this.#mark(spot, kind, FLOURISH);
  }

  #mark(spot: Spot, kind: Flourish["kind"] | "landed", longest: number): void {
    const duration = Math.min(longest, this.setting.lasting(longest));
    if (duration <= 0) return;
    this.flourishes.set(spot, kind);
    setTimeout(() => this.flourishes.get(spot) === kind && this.flourishes.delete(spot), duration);
  }

  /** Carries cards to their places. Where a card of `stay` lies, it covers the spot for longer. */
  async #fly(travels: Travel[], starts: (DOMRect | null)[], stay: Cover, last: (milliseconds: number) => number, step: number): Promise<void> {
    const { find } = this.setting;
    for (const { from, to } of travels) for (const spot of [from, to]) this.flourishes.delete(spot); // it ends when the card goes on
    const uncover = (spot: Spot) => (stay.has(spot) ? this.covers.set(spot, stay.get(spot)!) : this.covers.delete(spot));
    const landings = travels.map((travel, number) => {
      const from = starts[number] ?? find(travel.from);
      const to = find(travel.to);
      if (!from || !to) return uncover(travel.to);
      return new Promise<void>((resolve) => {
        const id = ++this.#number;
        const landed = () => {
          if (!this.flights.some((flight) => flight.id === id)) return;
          this.flights = this.flights.filter((flight) => flight.id !== id);
          uncover(travel.to);
          this.#mark(travel.to, "landed", LANDING);
          resolve();
        };
        const duration = last(travel.from === travel.to ? TRAVEL * 0.9 : TRAVEL);
        const delay = last(travel.after * step);
        this.flights = [...this.flights, { id, from, to, face: travel.face, turns: travel.turns, delay, duration, landed }];
        setTimeout(landed, delay + duration + 120); // a stopped animation must not stop the game
      });
    });
    await Promise.all(landings);
  }

  #tell(what: Event[], view: Table): void {
    const texts = eventsInWords(what, view);
    if (texts.length === 0) return;
    const actor = what.find((event) => "seat" in event);
    const seat = actor && "seat" in actor ? actor.seat : null;
    this.latest = texts;
    this.sentences = [...this.sentences, ...texts.map((text) => ({ id: ++this.#number, text, seat }))].slice(
      -REMEMBERED,
    );
  }

  #talk(what: Event[]): void {
    for (const event of what) {
      if (event.is !== "Said" && event.is !== "Reacted" && event.is !== "Chatted") continue;
      if (!this.setting.hears(event.seat, event.is)) continue;
      const { seat } = event;
      if (event.is === "Reacted") this.#say({ seat, reaction: event.reaction }, event);
      else this.#say({ seat, text: event.is === "Said" ? phraseInWords(event.phrase) : event.text }, event);
    }
  }

  /** A computer player says something in passing. */
  remark(seat: number, text: string): void {
    this.#say({ seat, text, idle: true }, { is: "Chatted", seat, text });
  }

  #say(bubble: Omit<Bubble, "id">, event: Event): void {
    const id = ++this.#number;
    this.bubbles = [...this.bubbles.filter(({ seat }) => seat !== bubble.seat), { id, ...bubble }];
    const texts = eventsInWords([event], this.view);
    this.sentences = [...this.sentences, ...texts.map((text) => ({ id: ++this.#number, text, seat: bubble.seat }))];
    setTimeout(() => (this.bubbles = this.bubbles.filter((other) => other.id !== id)), BUBBLE);
  }
}

const BESIDE = new Set<Event["is"]>(["Said", "Reacted", "Chatted", "Sealed", "SeedAdded", "Unsealed"]);

function isAboutCards(event: Event): boolean {
  return !BESIDE.has(event.is);
}

function isCounted(view: BoardState): boolean {
  return view.phase === "hole_over" || view.phase === "over";
}
