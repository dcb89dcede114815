/** Answers what pages ask about tables and matches on this device, by the paths of the server. */
import type { Analysis, Event, FinishedGame, Hint, HintRequest, HoleReplay, MulliganRequest, Rated, TableNote, TableOpened } from "../lib/messages";
import { Refusal, refusalOf } from "../lib/refusal";
import { advise, analyse, type PlayedHole as AnalysedHole } from "../engine/coach";
import type { Engine } from "../engine/engine";
import { LAYOUT, Rules, State } from "../engine/records";
import type { OpenHere, RateHere } from "../lib/workerMessages";
import { EngineData } from "./engineData";
import { cardOf, type Finished, playAgain, practiceOf, recordOf, replayOf } from "./finishedMatch";
import { fromBase64, seatOf, type KeptTable } from "./keptTable";
import { LiveTable } from "./liveTable";
import { inBytes, LocalTable } from "./localTable";
import { newCode } from "./newCode";
import { phaseName } from "./stepNames";
import { TableStore } from "./tableStore";
import { mayBeAdvised } from "./tableView";

const STAND_INS = ["pro", "club", "greedy"]; // who plays for people: the strongest that needs nothing more

export class Answers {
  readonly #live = new Map<string, Promise<LiveTable>>();
  #store: Promise<TableStore> | null = null;

  constructor(private readonly data: EngineData) {}

  /** Throws a Refusal. */
  async answer(path: string, body: unknown): Promise<unknown> {
    const [, kind, name = "", what = "", number = ""] = path.split("/");
    if (kind === "open") return this.open(body as OpenHere);
    if (kind === "rate") return this.rate(body as RateHere);
    if (kind === "tables") return what === "hint" ? this.hint(name, body as HintRequest) : this.note(name);
    const finished = await this.finished(name);
    try {
      if (what === "holes") return replayOf(finished, Number(number)) satisfies HoleReplay;
      if (what === "record") return recordOf(finished);
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
  async open({ wanted, facts }: OpenHere): Promise<TableOpened> {
    if (wanted.seats.some(({ kind }) => kind === "friend")) throw new Refusal("needs_server");
    const house_rules = wanted.house_rules ?? {};
    const size = await this.data.size(facts, wanted.game, house_rules, wanted.seats.length);
    const seats = wanted.seats.map(({ kind, name = "", player = "" }) => (kind === "computer" ? seatOf("computer", name || player, player) : seatOf("person", name)));
    await Promise.all(seats.map(({ player }) => this.data.brainOf(player, size))).catch((problem: unknown) => {
      throw refusalOf(problem).error === "offline" ? new Refusal("no_net") : problem;
    });
    const options = { pace: "normal", chat: false, tempo: "family", holes: 0, ...wanted.options } as const;
    return this.#keep({ version: 1, code: newCode(), opened: Math.floor(Date.now() / 1000), game: wanted.game, house_rules, facts, size, seats, options, position: null });
  }

  async #keep(kept: KeptTable): Promise<TableOpened> {
    await (await this.store).keep(kept).catch(() => {
      throw new Refusal("not_kept");
    });
    return { table: kept.code, watch: kept.code, link: "", watch_link: "" };
  }

  /** A table in use. Throws a Refusal. */
  live(code: string): Promise<LiveTable> {
    const known = this.#live.get(code);
    if (known) return known;
    const opened = this.#bring(code);
    this.#live.set(code, opened);
    opened.catch(() => this.#live.delete(code));
    return opened;
  }

  async #bring(code: string): Promise<LiveTable> {
    await this.#take(code);
    const [kept, parts] = await this.#kept(code);
    const engine = await this.data.engine;
    const table = readTable(kept, engine, parts.flat());
    const standIn = STAND_INS.find((player) => !kept.size.needing.includes(player))!;
    const live = new LiveTable(table, parts.flat(), (await this.store).writer(code, parts), this.data.think, standIn);
    if (kept.position && !table.dealt) await live.begin();
    return live;
  }

  /** Takes a table from other tabs: only the latest may write. */
  #take(code: string): Promise<void> {
    return new Promise((taken) => {
      const hold = () => new Promise<never>(() => taken());
      const lose = () => void this.#live.get(code)?.then((live) => (live.close(), this.#live.delete(code)), () => {});
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

  async note(code: string): Promise<TableNote> {
    const { table } = await this.live(code);
    const seats = table.seats.map(({ name, kind }) => ({ name, kind }));
    return { table: code, watch: code, link: "", watch_link: "", game: table.kept.game, seats, started: table.match > 0, over: table.phase === "over", seated: true };
  }

  async finished(id: string): Promise<Finished> {
    const [, code = "", match = ""] = /^(.*)-(\d+)$/.exec(id) ?? [];
    const [kept, parts] = await this.#kept(code);
    return playAgain(kept, await this.data.engine, parts.flat(), Number(match));
  }

  async practise(finished: Finished, wish: MulliganRequest): Promise<TableOpened> {
    const standIn = STAND_INS.find((player) => !finished.table.kept.size.needing.includes(player))!;
    const kept = practiceOf(finished, wish, standIn, newCode());
    kept.size = await this.data.size(kept.facts, kept.game, kept.house_rules, kept.seats.length);
    return this.#keep(kept);
  }

  async hint(code: string, { seat }: HintRequest): Promise<Hint> {
    const { table } = await this.live(code);
    if (!table.isPlaying) throw new Refusal("not_now", { phase: table.phase });
    if (!mayBeAdvised(table)) throw new Refusal("no_hints");
    if (seat !== table.turn || table.computerOnTurn) throw new Refusal("not_your_turn", { seat: table.turn ?? -1 });
    return { event: table.event, seat, phase: phaseName(table.state.phase)!, moves: await this.#advise(table) };
  }

  async #advise({ kept, facts, dealt, state, game, engine }: LocalTable): Promise<Rated[]> {
    const players = dealt!.seats;
    const position = engine.record(State, new Uint8Array(engine.memory.buffer, state.address, State.size).slice()); // it goes on meanwhile
    const judge = await this.data.judge(kept, players.length);
    const rated = advise(engine, facts, judge.kept, game!.rules, position, judge.brain, players);
    engine.release(position.address);
    return rated;
  }

  /** Rates the moves of a position of a table on the server. */
  async rate({ game, house_rules, facts, seats, position }: RateHere): Promise<Rated[]> {
    const engine = await this.data.engine;
    const players = position?.seats ?? [...Array(seats).keys()];
    const size = await this.data.size(facts, game, house_rules, seats);
    if (!position) await this.data.mustBeSmall(size);
    const judge = await this.data.judge({ facts, game, house_rules }, players.length);
    if (!position) return [];
    if (position.layout !== LAYOUT) throw new Refusal("old_client");
    const [rules, state] = [engine.record(Rules, fromBase64(size.rules)), engine.record(State, fromBase64(position.state))];
    const rated = advise(engine, facts, judge.kept, rules, state, judge.brain, players);
    engine.release(rules.address, state.address);
    return rated;
  }

  /** What the coach finds in a finished match, without playing moves out. */
  async analyse({ table }: Finished): Promise<Analysis> {
    const { engine, facts, kept, holes, game, seats, matchId } = table;
    const played: AnalysedHole[] = [];
    for (const { dealer, seats: players, first, steps } of holes)
      played.push({ dealer, players, first, steps: inBytes(steps), ...(await this.data.judge(kept, players.length)) });
    return analyse(engine, facts, game!.rules, matchId, seats.length, played);
  }
}

function readTable(kept: KeptTable, engine: Engine, events: Event[]): LocalTable {
  try {
    return new LocalTable(kept, engine, events);
  } catch (problem) {
    console.error(problem);
    throw new Refusal("table_unreadable");
  }
}
