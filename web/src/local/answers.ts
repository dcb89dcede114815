/** Answers what pages ask about tables and matches on this device, by the paths of the server. */
import type {
  Analysis, CardboardGame, CardboardKept, CardboardTable, CardLine, EngineSize, Event, FinishedGame, Hint, HintRequest, HoleReplay,
  Holes, MulliganRequest, Rated, ShuffleBook, TableNote, TableOpened, TableOptions,
} from "../lib/messages"; // prettier-ignore
import { Refusal, refusalOf } from "../lib/refusal";
import { advise, analyse, type PlayedHole as AnalysedHole } from "../engine/coach";
import type { Engine } from "../engine/engine";
import { LAYOUT, Rules, State } from "../engine/records";
import type { AnalyseHere, FollowHere, OpenHere, RateHere } from "../lib/workerMessages";
import { EngineData, type GameHere } from "./engineData";
import { begin, happen, step } from "./carryOut";
import { cardOf, type Finished, playAgain, practiceOf, recordOf, replayOf } from "./finishedMatch";
import { fromBase64, seatOf, type KeptTable } from "./keptTable";
import { LiveTable } from "./liveTable";
import { inBytes, LocalTable } from "./localTable";
import { newCode } from "./newCode";
import { Once } from "./once";
import { shuffleBookOf } from "./shuffleBook";
import { phaseName } from "./stepNames";
import { TableStore } from "./tableStore";
import { mayBeAdvised } from "./tableView";
import { asFinished, asShown, follow } from "./writtenGame";

const STRONGEST = "search";
const STAND_INS = ["pro", "club", "greedy"];

export class Answers {
  readonly #live = new Once<LiveTable>();
  #store: Promise<TableStore> | null = null;

  constructor(private readonly data: EngineData) {}

  /** Throws a Refusal. */
  async answer(path: string, body: unknown): Promise<unknown> {
    const [, kind, name = "", what = "", number = ""] = path.split("/");
    if (kind === "open") return this.open(body as OpenHere);
    if (kind === "rate") return this.rate(body as RateHere);
    if (kind === "analysis") return this.analyseOther(body as AnalyseHere);
    if (kind === "cardboard") return this.followReal(name, body as FollowHere);
    if (kind === "tables") return what === "hint" ? this.hint(name, body as HintRequest) : this.note(name);
    const finished = await this.finished(name);
    try {
      if (what === "holes") return replayOf(finished, Number(number)) satisfies HoleReplay;
      if (what === "record") return recordOf(finished);
      if (what === "shuffles") return shuffleBookOf(finished) satisfies ShuffleBook;
      if (what === "strongest") return await this.playStrongest(finished);
      if (what === "mulligan") return await this.practise(finished, body as MulliganRequest);
      if (what === "analysis" && !number) return await this.analyse(finished);
      if (!what) return cardOf(finished) satisfies FinishedGame;
    } finally {
      finished.table.end();
    }
    throw new Refusal("needs_server");
  }

  get store(): Promise<TableStore> {
    return (this.#store ??= TableStore.open());
  }

  /** Opens a table; the nets of its players are loaded first, so that it never waits for them. */
  async open({ wanted, facts, named }: OpenHere): Promise<TableOpened> {
    if (wanted.seats.some(({ kind }) => kind === "friend")) throw new Refusal("needs_server");
    const game = { facts, game: wanted.game, house_rules: wanted.house_rules ?? {} };
    const size = await this.data.size(game, wanted.seats.length);
    const seats = wanted.seats.map(({ kind, name = "", player = "" }) => (kind === "computer" ? seatOf("computer", name || player, player) : seatOf("person", name)));
    await Promise.all(seats.map(({ player }) => this.data.brainOf(player, size))).catch((problem: unknown) => {
      throw refusalOf(problem).error === "offline" ? new Refusal("no_net") : problem;
    });
    const options = { pace: "normal", chat: false, tempo: "family", holes: 0, ...wanted.options } as const;
    const kept: KeptTable = { version: 1, code: named ?? newCode(), opened: nowInSeconds(), ...game, size, seats, options, position: null };
    if (!named) return this.#keep(kept);
    void this.data.brainOf(STRONGEST, size).catch(() => {}); // for afterwards, when there may be no network
    return (await (await this.store).opening(named)) ? opened(named) : this.#keep({ ...kept, named: true });
  }

  async #keep(kept: KeptTable): Promise<TableOpened> {
    await (await this.store).keep(kept).catch(() => {
      throw new Refusal("not_kept");
    });
    return opened(kept.code);
  }

  /** A table in use. Throws a Refusal. */
  live(code: string): Promise<LiveTable> {
    return this.#live.get(code, () => this.#bring(code));
  }

  async #bring(code: string): Promise<LiveTable> {
    await this.#take(code);
    const [kept, parts] = await this.#kept(code);
    const engine = await this.data.engine;
    const events = parts.flat();
    const table = readTable(kept, engine, events);
    const live = new LiveTable(table, events, (await this.store).writer(code, parts), this.data.think, standInAt(kept));
    if (kept.position ? !table.dealt : kept.named && !table.match) await live.begin();
    return live;
  }

  /** Takes a table from other tabs: only the latest may write. */
  #take(code: string): Promise<void> {
    return new Promise((taken) => {
      const hold = () => new Promise<never>(() => taken());
      const lose = () => void this.#live.known(code)?.then((live) => (live.close(), this.#live.forget(code)), () => {});
      if (navigator.locks) navigator.locks.request(`mulligan ${code}`, { steal: true }, hold).catch(lose);
      else taken(); // over plain http
    });
  }

  async #kept(code: string): Promise<[KeptTable, Awaited<ReturnType<TableStore["parts"]>>]> {
    const store = await this.store;
    const kept = await store.opening(code);
    if (!kept) throw new Refusal("table_gone");
    return [kept, await store.parts(code)];
  }

  /** Looks at a table, and takes it from no tab. */
  async note(code: string): Promise<TableNote> {
    const [kept, parts] = await this.#kept(code);
    const table = readTable(kept, await this.data.engine, parts.flat());
    const seats = table.seats.map(({ name, kind }) => ({ name, kind }));
    const over = table.phase === "over";
    table.end();
    return { table: code, watch: code, link: "", watch_link: "", game: kept.game, seats, started: table.match > 0, over, seated: true };
  }

  async finished(id: string): Promise<Finished> {
    const [, code = "", match = ""] = /^(.*)-(\d+)$/.exec(id) ?? [];
    const [kept, parts] = await this.#kept(code);
    return playAgain(kept, await this.data.engine, parts.flat(), Number(match));
  }

  /** A named hole again, with the strongest computer player in the seats of people: the points of all. Throws a Refusal. */
  async playStrongest({ table: { kept, engine } }: Finished): Promise<(number | null)[]> {
    if (!kept.named) throw new Refusal("needs_server");
    await this.data.brainOf(STRONGEST, kept.size).catch(() => {
      throw new Refusal("no_net");
    });
    const seats = kept.seats.map((seat) => (seat.kind === "person" ? seatOf("computer", seat.name, STRONGEST) : seat));
    const table = new LocalTable({ ...kept, seats }, engine);
    happen(table, begin(table));
    while (table.computerOnTurn) {
      happen(table, step(table, (await this.data.think(table, table.computerOnTurn)).move));
      await new Promise((done) => setTimeout(done)); // others are answered meanwhile
    }
    const { points } = table.card[0]!;
    table.end();
    return points;
  }

  async practise(finished: Finished, wish: MulliganRequest): Promise<TableOpened> {
    const kept = practiceOf(finished, wish, standInAt(finished.table.kept), newCode());
    kept.size = await this.data.size(kept, kept.seats.length);
    return this.#keep(kept);
  }

  async hint(code: string, { seat }: HintRequest): Promise<Hint> {
    const { table } = await this.live(code);
    if (!table.isPlaying) throw new Refusal("not_now", { phase: table.phase });
    if (!mayBeAdvised(table)) throw new Refusal("no_hints");
    if (seat !== table.turn || table.computerOnTurn) throw new Refusal("not_your_turn", { seat: table.turn ?? -1 });
    return this.#hintAt(table, seat);
  }

  async #hintAt({ event, kept, dealt, state }: LocalTable, seat: number): Promise<Hint> {
    const now = new Uint8Array(state.memory.buffer, state.address, State.size).slice(); // the match may go on meanwhile
    return { event, seat, phase: phaseName(state.phase)!, moves: await this.#rated(kept, kept.size, dealt!.seats, now) };
  }

  /** Rates the moves of a position of a table on the server. */
  async rate(asked: RateHere): Promise<Rated[]> {
    const { seats, position } = asked;
    const size = await this.data.sizeInPlayOff(asked, seats, position?.seats.length ?? seats);
    if (position && position.layout !== LAYOUT) throw new Refusal("old_client");
    if (position) return this.#rated(asked, size, position.seats, fromBase64(position.state));
    await this.data.mustBeSmall(size);
    await this.data.judge(asked, seats);
    return [];
  }

  /** The moves of a position, a record of `State`, best first; `players` are those in the hole. */
  async #rated(game: GameHere, { rules }: EngineSize, players: number[], position: Uint8Array): Promise<Rated[]> {
    const engine = await this.data.engine;
    const { kept, brain } = await this.data.judge(game, players.length);
    const [rulesHere, state] = [engine.record(Rules, fromBase64(rules)), engine.record(State, position)];
    const rated = advise(engine, game.facts, kept, rulesHere, state, brain, players);
    engine.release(rulesHere.address, state.address);
    return rated;
  }

  /** What the coach finds in a finished match, without playing moves out. */
  async analyse({ table }: Finished): Promise<Analysis> {
    const { engine, facts, kept, holes, game, seats, matchId } = table;
    const played: AnalysedHole[] = [];
    for (const { dealer, seats: players, first, steps } of holes)
      played.push({ dealer, players, first, steps: inBytes(steps), ...(await this.data.judge(kept, players.length)) });
    return await analyse(engine, facts, game!.rules, matchId, seats.length, played);
  }

  /** The same in a match that was played on the server, if all is at hand. Throws a Refusal, also if it does not come out as there. */
  async analyseOther({ game, facts }: AnalyseHere): Promise<Analysis> {
    const here = { facts, game: game.game, house_rules: game.house_rules };
    const counts = new Set(game.card.map(({ points }) => points.filter((one) => one !== null).length));
    for (const players of counts) await this.data.mustBeAtHand(here, game.seats.length, players);
    const { holes } = await this.data.record(game.id);
    const table = await this.#tableOf(here, game.seats.map(({ name }) => name), game.length);
    try {
      follow(table, { game: game.game, players: [], dealer: game.card[0]!.dealer, holes });
      const points = (card: CardLine[]) => JSON.stringify(card.map((line) => line.points));
      if (points(table.card) !== points(game.card)) throw new Refusal("wrong_move"); // other rules than today's
      return { ...(await this.analyse({ table, events: [] })), id: game.id };
    } finally {
      table.end();
    }
  }

  /** A game with real cards after all moves, a hint to the next one, or a finished match made of it. Throws a Refusal. */
  async followReal(what: string, { entered, facts, atHand }: FollowHere): Promise<CardboardTable | Hint | CardboardKept> {
    const { game, house_rules = {}, players } = entered;
    if (atHand) await this.data.mustHaveEngine();
    const table = await this.#tableOf({ facts, game, house_rules }, players);
    try {
      if (what === "games") return await this.#keepReal(table, entered);
      const followed = follow(table, entered);
      if (what !== "hint") return asShown(table, followed);
      const { turn, dealt, legal } = table;
      if (turn === null || !legal.length) throw new Refusal("nothing_to_decide");
      if (atHand) await this.data.mustBeAtHand(table.kept, players.length, dealt!.seats.length);
      return await this.#hintAt(table, turn);
    } finally {
      table.end();
    }
  }

  async #keepReal({ engine, kept }: LocalTable, entered: CardboardGame): Promise<CardboardKept> {
    const match = asFinished(engine, kept, entered);
    const { table } = await this.#keep(match.kept);
    await (await this.store).writer(table, [])(match.events).catch(() => {
      throw new Refusal("not_kept");
    });
    return { game: `${table}-1` };
  }

  /** A table for a match that is written down already. */
  async #tableOf(game: GameHere, names: string[], holes = 0): Promise<LocalTable> {
    const [engine, size] = await Promise.all([this.data.engine, this.data.size(game, names.length)]);
    const options: TableOptions = { pace: "normal", chat: false, tempo: "family", holes: holes as Holes };
    const seats = names.map((name) => seatOf("person", name));
    return new LocalTable({ version: 1, code: newCode(), opened: nowInSeconds(), ...game, size, seats, options, position: null, real: { ended: 0 } }, engine);
  }
}

const opened = (code: string): TableOpened => ({ table: code, watch: code, link: "", watch_link: "" });

const nowInSeconds = () => Math.floor(Date.now() / 1000);

/** Who plays for people: the strongest that needs no net there. */
const standInAt = ({ size }: KeptTable): string => STAND_INS.find((player) => !size.needing.includes(player))!;

function readTable(kept: KeptTable, engine: Engine, events: Event[]): LocalTable {
  try {
    return new LocalTable(kept, engine, events);
  } catch (problem) {
    console.error(problem);
    throw new Refusal("table_unreadable");
  }
}
