/**
 * A table on this device in use: it takes commands, lets computer players move, and tells the page what happened once that is
 * kept. The messages are those of the server (server/rooms/live_table.py and game_loop.py).
 */
import { refusalOf, Refusal } from "../lib/refusal";
import { PACE, STEP_SECONDS } from "../lib/lists";
import { DRAW_SECONDS, RESULT_SECONDS, ROUND_SECONDS, type ClientMessage, type Event, type ServerMessage } from "../lib/messages";
import { carryOut, type Command, begin, deal, happen, step } from "./carryOut";
import { computerOf, type LocalTable } from "./localTable";
import { viewOf } from "./tableView";

export type Tell = (message: ServerMessage) => void;
/** Chooses the move of a computer player at the table, and says whether it had to do without its net. */
export type Think = (table: LocalTable, player: string) => Promise<{ move: number; isNetLost: boolean }>;

const REMEMBERED = 400; // events kept for pages that come back

export class LiveTable {
  readonly #pages = new Set<Tell>();
  #events: Event[];
  #work: Promise<unknown> = Promise.resolve(); // one thing after another
  #pause: { done: () => void; timer: ReturnType<typeof setTimeout> } | null = null;
  #isHurried = false;
  #moving = false;
  #isLossTold = false;

  constructor(
    readonly table: LocalTable,
    events: Event[],
    private readonly keep: (events: Event[]) => Promise<void>,
    private readonly think: Think,
    private readonly standIn: string,
  ) {
    this.#events = events.slice(-REMEMBERED);
  }

  get isIdle(): boolean {
    return !this.#pages.size;
  }

  join(tell: Tell, lastEvent: number): void {
    this.#pages.add(tell);
    this.#welcome(tell, lastEvent);
    this.#goOn();
  }

  #welcome(tell: Tell, lastEvent: number): void {
    const { table } = this;
    const missed = lastEvent && table.event - lastEvent <= this.#events.length ? this.#events.slice(this.#events.length - table.event + lastEvent) : [];
    tell({
      is: "Welcome",
      you: table.people,
      owner: true,
      event: table.event,
      view: viewOf(table),
      missed,
      talk: [],
      watchers: 0,
      host_away: 0,
      sealed: null,
      removed: 0,
      link: "",
      watch: "",
      barred: false,
      moved: false,
      facts: Object.keys(table.kept.house_rules).length ? table.facts : null,
      starting: false,
    });
  }

  part(tell: Tell): void {
    this.#pages.delete(tell);
    if (this.isIdle) this.#hurry();
  }

  /** Another tab has the table now. */
  close(): void {
    for (const tell of this.#pages) tell({ is: "Refused", id: "", error: "elsewhere", params: {} });
    this.#pages.clear();
    this.#hurry();
  }

  /** Takes a message of a page that has joined. */
  hear(tell: Tell, message: Exclude<ClientMessage, { is: "Hello" }>): void {
    if (message.is === "Ping") tell({ is: "Pong", n: message.n });
    else if (message.is === "Hurry") {
      this.#isHurried = this.table.computerOnTurn !== "";
      if (this.#isHurried) this.#hurry();
    } else if (message.is !== "Here") void this.#inOrder(() => this.#carryOut(tell, message));
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }

  async #carryOut(tell: Tell, command: Command): Promise<void> {
    try {
      const trouble = await this.#happen(carryOut(this.table, command, this.standIn));
      if (trouble) throw trouble;
      tell({ is: "Accepted", id: command.id });
    } catch (problem) {
      const { error, params } = refusalOf(problem);
      tell({ is: "Refused", id: command.id, error, params });
    }
    this.#hurry();
    this.#goOn();
  }

  /** Lets events happen, keeps them, and tells the pages. Returns why they are not kept, such as a full device: the match goes on. */
  async #happen(events: Iterable<Event>): Promise<Refusal | null> {
    const what = happen(this.table, events);
    if (!what.length) return null;
    const trouble = await this.keep(what).then(() => null, () => new Refusal("not_kept"));
    this.#events = [...this.#events, ...what].slice(-REMEMBERED);
    const { event } = this.table;
    const view = viewOf(this.table);
    for (const tell of this.#pages) {
      tell({ is: "Happened", event, what, view });
      if (what.some(({ is }) => is === "Sat" || is === "Left")) this.#welcome(tell, event); // other seats are theirs now
    }
    return trouble;
  }

  /** Seconds until the table goes on by itself, or null if it waits for a person. */
  get #wait(): number | null {
    const { table } = this;
    if (this.isIdle) return null;
    const { phase } = table;
    const pace = PACE[table.options.pace];
    if (table.computerOnTurn) return this.#isHurried ? 0 : pace * STEP_SECONDS[phase as keyof typeof STEP_SECONDS];
    if (phase === "draw") return (DRAW_SECONDS + ROUND_SECONDS * (table.draws.length - 1)) * Math.max(pace, 0.4);
    if (phase === "hole_over" && table.seats.every(computerOf)) return RESULT_SECONDS * Math.max(pace, 0.1);
    return null;
  }

  /** Lets computer players move, and deals, for as long as no person is asked. */
  #goOn(): void {
    if (this.#moving || this.#wait === null) return;
    this.#moving = true;
    void this.#moveOn().finally(() => (this.#moving = false));
  }

  async #moveOn(): Promise<void> {
    for (let seconds; (seconds = this.#wait) !== null; ) {
      const { event } = this.table;
      await this.#sleep(seconds);
      await this.#inOrder(async () => {
        const player = this.table.computerOnTurn;
        if (this.table.event !== event || this.isIdle) return;
        if (player) await this.#move(player);
        else await this.#happen(deal(this.table));
      });
      if (!this.table.computerOnTurn) this.#isHurried = false;
    }
  }

  /** A computer player moves. The pages say once that it plays without its net. */
  async #move(player: string): Promise<void> {
    const { move, isNetLost } = await this.think(this.table, player);
    if (isNetLost && !this.#isLossTold) {
      this.#isLossTold = true;
      for (const tell of this.#pages) tell({ is: "Refused", id: "", error: "net_lost", params: {} });
    }
    await this.#happen(step(this.table, move));
  }

  #sleep(seconds: number): Promise<void> {
    return new Promise((done) => (this.#pause = { done, timer: setTimeout(done, 1000 * seconds) }));
  }

  #hurry(): void {
    clearTimeout(this.#pause?.timer);
    this.#pause?.done();
  }

  /** A practice table begins by itself. */
  begin(): Promise<unknown> {
    return this.#inOrder(() => this.#happen(begin(this.table)));
  }
}

