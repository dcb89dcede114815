/** One connection to one table: its state, its events and the commands. It reconnects after network failures. */
import {
  AWAY_SECONDS,
  LONG_AWAY_SECONDS,
  WIRE_VERSION,
  type Chatted,
  type ClientMessage,
  type ClockWhy,
  type Event,
  type GameFacts,
  type Holes,
  type Knocking,
  type KnockState,
  type Params,
  type Refused,
  type Said,
  type Sealed,
  type SeatView,
  type ServerMessage,
  type TableOptions,
  type View,
} from "./messages";
import { isLocal } from "./here";
import { LocalSocket } from "./localSocket";
import { announce } from "./announcement.svelte";
import { isOffline } from "./reach";
import { m } from "./i18n.svelte";
import { keepSeenShuffle, seenShuffleOf } from "./seenShuffles";
import { toJson } from "./json";
import { socketUrl, url } from "./urls";
import { isByTurns } from "./turns";

const SILENCE = 4_000; // on either side: then ping the server, which counts a page in front as away after 10 seconds
const SLOW = 2_500; // without an answer to the ping: then the page says so
const DEAD = 5_000; // … and then the socket is replaced
const UNGREETED = 20_000; // a server that answers but never sends Welcome
const HURRY = 2_000; // for an answer, when the page returns to the foreground
const STEADY = 5_000; // after a connection of this length, the next wait is the shortest again
const FLAPPING = 2; // step of the wait while connections open but do not last: about a second
const LONGEST_WAIT = 4_000; // at most 1.5 times this, with jitter
const RESTART = 6; // tries; then it is not a restart
const TOO_FAST = 5; // times a command is repeated automatically
const MOST_TALK = 30; // as the server tells who comes
const MOST_PENDING = 40; // more than anyone taps during an interruption

// Why the server closes a socket.
const OLD_CLIENT = 4002;
const WRONG_HOST = 4007;
const RESTARTING = 1012;

/** connecting: for the first time; open; quiet: no answer for a while; lost: reconnecting; restarting: the server
 *  announced a restart; over: no more tries. */
export type Link = "connecting" | "open" | "quiet" | "lost" | "restarting" | "over";

export interface Problem {
  error: string;
  params: Params;
}

/** Something said, and the name at that time of who said it. */
export interface Talk {
  name: string;
  who: string; // as in the view
  what: Said | Chatted;
}

/** What the table waits for, and until when by `performance.now()`: a device's clock may be set anew meanwhile. */
export interface Countdown {
  seat: number | null;
  why: ClockWhy;
  seconds: number; // at the time of the message
  until: number;
}

/** An event and the table after it; `late` if it happened while we were disconnected. */
export type Listener = (what: Event[], view: View, late: boolean) => void;

type Command = Exclude<ClientMessage, { is: "Hello" | "Ping" | "Hurry" | "Here" }>;
type Unsigned<T> = T extends Command ? Omit<T, "id"> : never;

/** A command the server has not answered yet. */
interface Pending {
  command: Command;
  answer: (refused: Refused | null) => void;
  quiet: boolean; // automatic, or the page shows its result itself
  place: string; // the state of the table at that time
  times: number; // refused as too fast or in an overload
}

// Commands that depend on the state: after an interruption they are repeated only if it is unchanged.
const OF_THE_MOMENT = new Set<Command["is"]>(["Start", "Play", "TakeBack", "NextHole", "Rematch", "GiveUp"]);

export class Session {
  #told = $state.raw<View | null>(null); // as the server tells it
  readonly view: View | null = $derived(this.#told && named(this.#told));
  you = $state.raw<number[]>([]); // the seats I hold
  owner = $state(false);
  talk = $state.raw<Talk[]>([]); // the latest phrases and chat messages, also those from before we joined
  watchers = $state(0);
  knocks = $state.raw<Knocking[]>([]); // who would like to play, if I may answer
  knocking = $state<KnockState | "">(""); // what became of my own knock
  hostLeft = $state<number | null>(null); // when the host went away, by `performance.now()`; null if the host is here
  barred = $state(false); // I was removed, and may not sit down until the match is over
  moved = $state(false); // another device has the seat that I had
  watch = $state(""); // the spectators' code in the current link
  removed = $state(0); // guests I removed; they may not sit down until the match is over
  clock = $state.raw<Countdown | null>(null);
  link = $state<Link>("connecting");
  problem = $state.raw<Problem | null>(null); // why it is over
  busy = $state(false); // the server had too much to do to let us in, and is asked again
  starting = $state(false); // the server shows the table, and plays commands as soon as it has started
  wentBack = $state(false); // the server lost events already shown here; until dismissed
  refused = $state.raw<Problem | null>(null); // the latest refused command; until dismissed
  tries = $state(0); // to connect, since the last message of the server
  waiting = $state(0); // commands the server has not answered yet

  /** The seat I may move for now, or null. */
  readonly myTurn = $derived.by(() => {
    const turn = this.view?.turn ?? null;
    return turn !== null && this.you.includes(turn) && !this.view?.seats[turn]?.lent ? turn : null;
  });
  /** Whether I manage the table: as its owner, or seated while the owner is away, unless nobody needs to be there. */
  readonly inCharge = $derived(this.owner || (this.you.length > 0 && this.hostLeft !== null && !isByTurns(this.view?.options.tempo ?? "family")));
  facts = $state.raw<GameFacts | null>(null); // of the game with the table's house rules; null for a named game
  readonly watching: boolean;
  /** Whether the table is on this device: no other one reaches it, and it needs no server. */
  readonly isHere: boolean;
  code = $state(""); // of the table, in its current link

  #event = 0;
  #knock = 0; // the number of my own knock
  #socket: WebSocket | null = null;
  #welcomed = false; // on this socket
  #announced = false; // before the welcome on this socket
  #since = 0; // when this socket was opened, and since its welcome that
  #heard = 0; // time of the server's last message
  #said = 0; // time of my last message
  #asked = 0; // time of an unanswered ping, or 0
  #step = 0; // how long to wait before the next try
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;
  #pings = 0;
  #listeners = new Set<Listener>();
  #pending = new Map<string, Pending>();
  #seededPack = ""; // the sealed pack we added our seed to
  #tab = randomHex(12);

  /** `kind` is "t" for a table I may sit at and "w" for one I watch. */
  constructor(
    readonly kind: "t" | "w",
    code: string,
    private readonly dial: (url: string) => WebSocket = dialed,
  ) {
    this.watching = kind === "w";
    this.code = code.toUpperCase(); // a proxy may choose the server by it
    this.isHere = isLocal(code);
  }

  open(): void {
    if (!this.isHere && !this.watching && globalThis.navigator?.cookieEnabled === false) return this.#end({ error: "no_cookies", params: {} });
    this.#connect();
    this.#watch = setInterval(() => this.#listen(), 500);
    globalThis.document?.addEventListener("visibilitychange", this.#seen);
    for (const event of CALLS) globalThis.addEventListener?.(event, this.#back);
  }

  close(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    globalThis.document?.removeEventListener("visibilitychange", this.#seen);
    for (const event of CALLS) globalThis.removeEventListener?.(event, this.#back);
    this.#drop();
    this.link = "over";
    for (const id of [...this.#pending.keys()]) this.#answered(id, null);
  }

  /** Calls the listener after every change of `view`; returns a function that ends this. */
  onHappened(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // The commands. Each promise brings null when it happened, or the refusal.
  sit = (seat: number, name: string) => this.#command({ is: "Sit", seat, name }, true);
  leave = (seat: number) => this.#command({ is: "Leave", seat });
  start = (fill = "") => this.#command({ is: "Start", fill });
  play = (move: string) => this.#command({ is: "Play", seat: this.view?.turn ?? 0, move });
  takeBack = () => this.#command({ is: "TakeBack", seat: this.view?.turn ?? 0 });
  nextHole = () => this.#command({ is: "NextHole" });
  say = (phrase: string, seat = this.you[0] ?? 0) => this.#command({ is: "Say", seat, phrase });
  react = (reaction: string, seat = this.you[0] ?? 0) => this.#command({ is: "React", seat, reaction });
  chat = (text: string, seat = this.you[0] ?? 0) => this.#command({ is: "Chat", seat, text });
  lend = (seat: number, player = "") => this.#command({ is: "Lend", seat, player });
  playOn = (seat: number) => this.#command({ is: "PlayOn", seat });
  giveBack = (seat: number) => this.#command({ is: "GiveBack", seat });
  readmit = () => this.#command({ is: "Readmit" }).then((refused) => (refused || (this.removed = 0), refused));
  remove = (seat: number, renew = false) => {
    const person = this.view?.seats[seat]?.kind === "person";
    return this.#command({ is: "Remove", seat, renew }).then((refused) => (refused || (this.removed += Number(person)), refused));
  };
  newLink = (watch: boolean) => this.#command({ is: "NewLink", watch });
  fillSeat = (seat: number, player: string, name = "") => this.#command({ is: "FillSeat", seat, player, name });
  setOptions = (options: TableOptions) => this.#command({ is: "SetOptions", options });
  rematch = () => this.#command({ is: "Rematch" });
  /** No pauses of the computer players until it is a person's turn. */
  hurry = () => this.#send({ is: "Hurry" });
  giveUp = () => this.#command({ is: "GiveUp" });
  offer = (key: string) => this.#command({ is: "Offer", key });
  moveHere = (key: string) => this.#command({ is: "MoveHere", key });
  handOver = (seat: number) => this.#command({ is: "HandOver", seat });
  openSeat = (seat: number) => this.#command({ is: "OpenSeat", seat });
  changeName = (seat: number, name: string) => this.#command({ is: "Rename", seat, name }, true);
  chooseGame = (game: string, house_rules: View["house_rules"], holes: Holes) => this.#command({ is: "Next", game, house_rules, holes }, true);
  knock = (name: string, seat: number | null = null) => this.#command({ is: "Knock", name, seat }, true);
  answerKnock = (knock: number, yes: boolean) => this.#command({ is: "AnswerKnock", knock, yes });
  takeKnockBack = () => this.#command({ is: "AnswerKnock", knock: this.#knock, yes: false }).then((refused) => (refused || (this.knocking = ""), refused));
  takeOver = () => this.#command({ is: "TakeOver" });

  /** Whether I may become the host now, since the host is gone (server/table/rights.py). */
  mayTakeOver(): boolean {
    const { view, hostLeft } = this;
    if (!view || hostLeft === null || this.owner || !this.you.length) return false;
    const seconds = (performance.now() - hostLeft) / 1_000;
    const isNeeded = view.seats.some(({ owner }) => owner) && view.phase !== "lobby" && view.phase !== "over";
    return seconds >= (isNeeded ? LONG_AWAY_SECONDS : AWAY_SECONDS);
  }

  #command(unsigned: Unsigned<Command>, quiet = false): Promise<Refused | null> {
    const command = { ...unsigned, id: randomHex(12) } as Command;
    return new Promise((answer) => {
      if (this.link === "over") return answer(null);
      if (this.#pending.size >= MOST_PENDING) return answer({ is: "Refused", id: command.id, error: "too_fast", params: {} });
      this.#pending.set(command.id, { command, answer, quiet, place: this.#place(), times: 0 });
      this.#count();
      if (this.#welcomed) this.#send(command); // else it goes after the welcome
    });
  }

  /** All that a move depends on: if it changed, an earlier move has happened or is obsolete. */
  #place(): string {
    const { match, hole, phase, turn, stock_left, discard, held } = this.view ?? ({} as View);
    return JSON.stringify([match, hole, phase, turn, stock_left, discard, held]);
  }

  #answered(id: string, refused: Refused | null): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    this.#count();
    pending?.answer(refused);
  }

  #count(): void {
    this.waiting = [...this.#pending.values()].filter(({ quiet }) => !quiet).length;
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState !== 1) return;
    this.#said = performance.now();
    this.#socket.send(toJson(message));
  }

  #connect(): void {
    if (isOffline() && !this.isHere) return this.#lost(); // a hopeless call would log an error in the browser's console
    this.#drop();
    const socket = this.dial(socketUrl(`ws/${this.kind}/${this.code}`));
    this.#socket = socket;
    this.#heard = this.#since = performance.now();
    socket.onopen = () => {
      if (socket === this.#socket)
        this.#send({ is: "Hello", client_version: WIRE_VERSION, last_event: this.#event, tab: this.#tab, visible: isVisible() });
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#hear(JSON.parse(data as string) as ServerMessage);
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return;
      if (code === OLD_CLIENT) this.#end({ error: "old_client", params: {} });
      else if (code === WRONG_HOST) this.#end({ error: "wrong_host", params: {} });
      else this.#lost(code === RESTARTING);
    };
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = this.#announced = false;
    this.#asked = 0;
    socket?.close();
  }

  #lost(restarting = false): void {
    if (this.#welcomed && performance.now() - this.#since > STEADY) this.#step = 0;
    this.#drop();
    if (this.link === "over") return;
    this.clock = null; // unknown until the next message
    if (restarting) [this.link, this.#step] = ["restarting", 0];
    else if (this.link !== "connecting" && (this.link !== "restarting" || this.#step > RESTART)) this.link = "lost";
    if (this.tries > 0 && !this.view && !isOffline()) void this.#askWhy();
    this.tries++;
    // All clients lost the server together: they must not return at the same moment.
    const wait = restarting
      ? 300 + 1_200 * Math.random()
      : Math.min(LONGEST_WAIT, 300 * 2 ** this.#step++) * (0.5 + Math.random());
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  /** A socket that never opens cannot say why; the table's page can. */
  async #askWhy(): Promise<void> {
    if (this.watching || this.isHere) return;
    const answer = await fetch(url(`api/tables/${this.code}`)).catch(() => null);
    if (answer && answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
      const problem = (await answer.json().catch(() => null)) as Problem | null;
      if (problem?.error) this.#end(problem);
    }
  }

  #end(problem: Problem): void {
    this.problem = problem;
    this.close();
  }

  #hear(message: ServerMessage): void {
    this.#heard = performance.now();
    this.#asked = 0;
    this.tries = 0;
    if (message.is === "Announced") {
      this.#announced = true;
      announce(message.text);
    } else if (message.is === "Welcome") {
      const again = !this.#welcomed;
      if (again && !this.#announced) announce(""); // withdrawn meanwhile
      if (again) [this.knocks, this.knocking] = [[], ""]; // most knocks end with their socket; of others we hear again
      if (again) [this.#welcomed, this.#since, this.#step] = [true, performance.now(), Math.min(this.#step, FLAPPING)];
      this.you = message.you;
      this.owner = message.owner;
      this.watchers = message.watchers;
      this.hostLeft = leftAt(message.host_away);
      this.facts = message.facts;
      this.removed = message.removed;
      this.barred = message.barred;
      this.moved = message.moved;
      this.watch = message.watch || (this.watching ? this.code : message.view.watch);
      if (message.link) this.code = message.link;
      this.clock = null; // if one runs, the next message has it
      this.starting = message.starting;
      if (message.event < this.#event) this.wentBack = true;
      const newer = message.event !== this.#event || !this.view; // lower: the server is right nevertheless
      this.#show(message.starting ? this.#event : message.event, message.view); // the next message has what was missed
      this.#keepTalk(message.talk.length ? message.talk : message.missed, message.talk.length > 0);
      this.link = "open";
      if (newer) this.#tell(message.missed, true);
      this.#ownSeedsIn(message.missed);
      if (again) this.#giveAgain();
      if (message.sealed) this.#giveSeed(message.sealed);
      return;
    }
    if (this.#welcomed) this.link = "open";
    if (message.is === "Happened") {
      if (message.event <= this.#event) return; // already in a Welcome
      this.#show(message.event, message.view);
      this.#keepTalk(message.what);
      this.#tell(message.what, false);
      this.#ownSeedsIn(message.what);
      if (message.what.some((event) => event.is === "MatchOver" || event.is === "GivenUp")) [this.removed, this.barred] = [0, false];
      const sealed = openSeal(message.what);
      if (sealed) this.#giveSeed(sealed);
    } else if (message.is === "Presence") {
      this.watchers = message.watchers;
      this.hostLeft = leftAt(message.host_away);
      if (this.#told)
        this.#told = {
          ...this.#told,
          seats: this.#told.seats.map((seat, at) => ({ ...seat, present: message.present[at] ?? seat.present })),
        };
    } else if (message.is === "Clock") {
      const { seat, why, seconds } = message;
      this.clock = why ? { seat, why, seconds, until: performance.now() + 1_000 * seconds } : null;
    } else if (message.is === "AtDoor") {
      this.knocks = message.knocks;
    } else if (message.is === "YourKnock") {
      [this.knocking, this.#knock] = [message.state, message.knock];
    } else if (message.is === "Accepted") {
      this.#answered(message.id, null);
    } else if (message.is === "Refused") {
      this.#hearNo(message);
    } else if (message.is !== "Announced" && message.is !== "Pong") {
      message satisfies never; // no kind of message is forgotten
    }
  }

  #hearNo(refused: Refused): void {
    const pending = this.#pending.get(refused.id);
    if (FATAL.has(refused.error)) return this.#end(refused);
    if (AGAIN.has(refused.error) && pending && pending.times < TOO_FAST) {
      // Fast taps are intended, and overloads pass: the command is repeated in a moment, with the same id.
      const wait = Math.max(1_000 * Number(refused.params.seconds ?? 0), Math.min(1_500, 250 * 2 ** pending.times++)) * (1 + Math.random());
      setTimeout(() => {
        if (this.#welcomed && this.#pending.get(refused.id) === pending) this.#send(pending.command);
      }, wait);
      return;
    }
    if (!this.#welcomed && BUSY.has(refused.error)) this.busy = true;
    else if (!pending?.quiet) this.refused = refused;
    this.#answered(refused.id, refused);
  }

  /** Repeats unanswered commands after an interruption: the server knows their ids and does nothing twice. */
  #giveAgain(): void {
    const place = this.#place();
    for (const [id, pending] of [...this.#pending]) {
      if (OF_THE_MOMENT.has(pending.command.is) && pending.place !== place) this.#answered(id, null);
      else this.#send(pending.command);
    }
  }

  /** A first Welcome has all that was said; later messages have what came since. */
  #keepTalk(events: Event[], isAll = false): void {
    const seats = this.view?.seats ?? [];
    const said = events.filter((event) => event.is === "Said" || event.is === "Chatted");
    if (!said.length && !isAll) return;
    const named = said.map((what) => ({ name: seats[what.seat]?.name ?? "", who: seats[what.seat]?.who ?? "", what }));
    this.talk = [...(isAll ? [] : this.talk), ...named].slice(-MOST_TALK);
  }

  #show(event: number, view: View): void {
    this.#event = event;
    this.#told = view;
  }

  #tell(what: Event[], late: boolean): void {
    for (const listener of this.#listeners) listener(what, this.view!, late);
  }

  // The fair shuffle: this device stores the commitment seen before the deal, and adds a seed.

  #giveSeed(sealed: Sealed): void {
    const { game, hole, commitment } = sealed;
    const known = seenShuffleOf(game, hole);
    const seat = this.you[0];
    const seen = known ?? { game, hole, commitment, seed: "", in: false };
    if (!known) keepSeenShuffle(seen);
    if (seat === undefined || seen.in || this.#seededPack === `${game}/${hole}`) return;
    this.#seededPack = `${game}/${hole}`;
    const seed = seen.seed || randomHex(16);
    keepSeenShuffle({ ...seen, seed });
    void this.#command({ is: "AddSeed", seat, seed, commitment }, true);
  }

  #ownSeedsIn(what: Event[]): void {
    const [game = "", hole = ""] = this.#seededPack.split("/");
    const seen = this.#seededPack ? seenShuffleOf(game, Number(hole)) : null;
    if (seen && !seen.in && what.some((event) => event.is === "SeedAdded" && event.seed === seen.seed))
      keepSeenShuffle({ ...seen, in: true });
  }

  /** Every half second: pings a silent server. Pages in the background are slower, so only an answer counts. */
  #listen(): void {
    if (!this.#socket) return;
    const now = performance.now();
    if (!this.#asked) {
      if (now - Math.min(this.#heard, this.watching ? now : this.#said) > SILENCE) this.#ping(); // nobody asks where a spectator is
    } else if (now - this.#asked > DEAD) return this.#lost();
    else if (now - this.#asked > SLOW && this.link === "open") this.link = "quiet";
    if (!this.#welcomed && now - this.#since > UNGREETED) this.#lost();
  }

  #ping(): void {
    this.#asked ||= performance.now();
    this.#send({ is: "Ping", n: ++this.#pings });
  }

  /** The page is hidden or shown, and the others at the table learn it at once. */
  #seen = (event: globalThis.Event): void => {
    this.#send({ is: "Here", visible: isVisible() });
    this.#back(event);
  };

  /** The page returns to the foreground, or the network changes: after sleep, a phone's socket is often dead. */
  #back = (event: globalThis.Event): void => {
    if (this.link === "over" || !isVisible()) return;
    if (event.type === "pageshow" && !(event as PageTransitionEvent).persisted) return; // it is only being loaded
    const socket = this.#socket;
    if (socket?.readyState !== 1) {
      if (socket && performance.now() - this.#since < HURRY) return; // on its way
      this.#step = 0;
      clearTimeout(this.#timer);
      this.#connect();
      return;
    }
    const heard = this.#heard;
    this.#ping();
    setTimeout(() => {
      if (socket === this.#socket && this.#heard === heard) this.#lost();
    }, HURRY);
  };
}

const isVisible = () => globalThis.document?.visibilityState !== "hidden";

/** The server, or this device for its own tables. */
function dialed(url: string): WebSocket {
  return isLocal(url) ? (new LocalSocket(url.split("/").at(-1)!) as unknown as WebSocket) : new WebSocket(url);
}

const CALLS = ["online", "offline", "pageshow"];
const AGAIN = new Set(["too_fast", "overloaded"]);
const BUSY = new Set(["too_many", "overloaded"]);
const FATAL = new Set(["table_gone", "table_closed", "banned", "shown_out", "table_unreadable", "old_client", "wrong_host", "elsewhere", "no_engine"]);

/** Marks the names of players who left for good, until another person sits down, and of those for whom a computer plays the match. */
function named(view: View): View {
  if (!view.seats.some(({ left, substitute }) => left || substitute)) return view;
  const name = ({ name, left, substitute }: SeatView) => (left ? m.seat_left({ name: left }) : substitute ? m.seat_substitute({ name }) : name);
  return { ...view, seats: view.seats.map((seat) => ({ ...seat, name: name(seat) })) };
}

/** When someone went away who has been away for so many seconds; null for 0. */
const leftAt = (seconds: number) => (seconds ? performance.now() - 1_000 * seconds : null);

/** The commitment that still accepts seeds after these events: a deal closes it. */
function openSeal(what: Event[]): Sealed | null {
  let open: Sealed | null = null;
  for (const event of what) {
    if (event.is === "Sealed") open = event;
    else if (event.is === "Dealt" || event.is === "Drew") open = null;
  }
  return open;
}

/** Returns random bytes in hex; crypto.randomUUID is missing if a home server uses plain http. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
