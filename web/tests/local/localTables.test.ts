/** Plays matches at tables on this device, and writes down what happened, for tests/test_local_tables.py. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Engine, type Brain, type PlayerName } from "../../src/engine/engine";
import type { CardboardGame, Event, HoleEntered, View } from "../../src/lib/messages";
import { Refusal } from "../../src/lib/refusal";
import { begin, carryOut, deal, happen, step } from "../../src/local/carryOut";
import { cardOf, playAgain, practiceOf, recordOf, replayOf, writtenHole } from "../../src/local/finishedMatch";
import { seatOf, type KeptTable } from "../../src/local/keptTable";
import { LocalTable } from "../../src/local/localTable";
import { piece } from "../../src/local/stepNames";
import { viewOf } from "../../src/local/tableView";
import { asFinished, asShown, follow } from "../../src/local/writtenGame";

const { MULLIGAN_ENGINE: file, MULLIGAN_TABLES: plan } = process.env;

/** Lets a table play until its match is over: each group of events, and the view after it. In the first of several holes seats are lent. */
function played(table: LocalTable, brain: Brain): { what: Event[]; view: View }[] {
  const scenes: { what: Event[]; view: View }[] = [];
  const let_ = (events: Iterable<Event>) => scenes.push({ what: happen(table, events), view: viewOf(table) });
  let_(begin(table));
  while (table.phase !== "over") {
    const lent = table.seats.findIndex((seat) => seat.lent);
    if (lent >= 0 && (table.phase === "hole_over" || Math.random() < 0.1)) let_(carryOut(table, { is: "GiveBack", id: "", seat: lent }, "greedy"));
    else if (table.phase === "draw" || table.phase === "hole_over") let_(deal(table));
    else if (table.computerOnTurn) let_(step(table, table.game!.choose(table.computerOnTurn as PlayerName, brain)));
    else if (table.length > 1 && !table.card.length && Math.random() < 0.05) let_(carryOut(table, { is: "Lend", id: "", seat: table.turn!, player: "greedy" }, "greedy"));
    else {
      const { legal } = table;
      let_(carryOut(table, { is: "Play", id: "", seat: table.turn!, move: legal[Math.floor(Math.random() * legal.length)]! }, "greedy"));
      if (table.mayTakeBack && Math.random() < 0.3) let_(carryOut(table, { is: "TakeBack", id: "", seat: table.turn! }, "greedy"));
    }
  }
  return scenes;
}

const ENTERED = 8; // of each match, how often a person enters it as far as it went

const any = (below: number) => Math.floor(Math.random() * below);

/** Moves that are none here, or hardly ever are. */
const FAULTS = ["S99", "a9=1", "z1=2", "-", ".", "a1=0", "Sx", "b1=2", ">a1x3", "D1", "S1-a1=3-", "−a2=5", "s 7 > b2 × 9", "S1>b1", "B２＝７"];

/** A match as a person might have entered it so far: holes as records have them or in pieces, and now and then a fault. */
function entered({ kept, holes, facts }: LocalTable, isWhole: boolean): CardboardGame {
  const count = isWhole ? holes.length : 1 + any(holes.length);
  const written = holes.slice(0, count).map((hole): HoleEntered => {
    const { first_discard, moves, reveal } = writtenHole(facts, hole);
    return Math.random() < 0.5 ? { first_discard, moves, reveal } : { first_discard, moves: hole.steps.slice(1).map((step) => piece(facts, step)) };
  });
  if (!isWhole) {
    const last = written.at(-1)!;
    last.moves = last.moves!.slice(0, any(last.moves!.length + 1));
    if (Math.random() < 0.4) last.moves.push(FAULTS[any(FAULTS.length)]!);
    if (Math.random() < 0.1) last.first_discard = [null, "99"][any(2)]!;
    if (Math.random() < 0.1) written.push({ first_discard: null, moves: [] });
  }
  return { game: kept.game, players: kept.seats.map(({ name }) => name), dealer: holes[0]!.dealer, holes: written, house_rules: kept.house_rules };
}

/** What this device makes of a game with real cards, or how it refuses it. */
function followed(kept: KeptTable, engine: Engine, game: CardboardGame) {
  const table = new LocalTable(kept, engine);
  try {
    return { shown: asShown(table, follow(table, game)) };
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    return { refused: { error: problem.error, ...problem.params } };
  } finally {
    table.end();
  }
}

/** What comes of a match if its finished holes are kept. */
function keptReal(kept: KeptTable, engine: Engine, game: CardboardGame) {
  const match = asFinished(engine, kept, game);
  const finished = playAgain(match.kept, engine, match.events, 1);
  const told = { card: cardOf(finished), record: recordOf(finished) };
  finished.table.end();
  return told;
}

it.skipIf(!file || !plan)("plays matches at tables on this device", async () => {
  const engine = await Engine.load(readFileSync(file!));
  const brain = engine.brain();
  const tables = JSON.parse(readFileSync(plan!, "utf-8")) as KeptTable[];
  const told = tables.map((kept) => {
    const table = new LocalTable(kept, engine);
    const scenes = played(table, brain);
    const events = scenes.flatMap(({ what }) => what);
    const finished = playAgain(kept, engine, events, 1);
    expect(viewOf(new LocalTable(kept, engine, events))).toEqual(viewOf(table));
    const hole = table.holes.length;
    const replay = replayOf(finished, hole);
    const turn = replay.frames.findIndex(({ view }) => view.phase === "take");
    const wish = { hole, step: turn, seat: replay.frames[turn]!.view.turn! };
    const again = practiceOf(finished, wish, "greedy", "HERE-AGAIN");
    const practice = again.seats.length === kept.seats.length ? played(new LocalTable(again, engine), brain) : [];
    const real: KeptTable = { ...kept, options: { ...kept.options, pace: "normal" }, seats: kept.seats.map(({ name }) => seatOf("person", name)), real: { ended: 0 } };
    const whole = entered(table, true);
    const read = new LocalTable(real, engine);
    follow(read, whole);
    expect(read.holes).toEqual(table.holes);
    const games = [whole, ...Array.from({ length: ENTERED }, () => entered(table, false))];
    const short = { ...whole, holes: whole.holes!.slice(0, 1) };
    const written = { games: games.map((game) => ({ game, ...followed(real, engine, game) })), short, ended: keptReal(real, engine, short) };
    return { kept, scenes, written, card: cardOf(finished), record: recordOf(finished), replay, again: { ...again, wish }, practice };
  });
  writeFileSync(plan!, JSON.stringify(told));
}, 300_000);
