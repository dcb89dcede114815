/** Plays matches at tables on this device, and writes down what happened, for tests/test_local_tables.py. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Engine, type Brain, type PlayerName } from "../../src/engine/engine";
import type { Event, View } from "../../src/lib/messages";
import { begin, carryOut, deal, happen, step } from "../../src/local/carryOut";
import { cardOf, playAgain, practiceOf, recordOf, replayOf } from "../../src/local/finishedMatch";
import type { KeptTable } from "../../src/local/keptTable";
import { LocalTable } from "../../src/local/localTable";
import { viewOf } from "../../src/local/tableView";

const { MULLIGAN_ENGINE: file, MULLIGAN_TABLES: plan } = process.env;

/** Lets a table play until its match is over: each group of events, and the view after it. */
function played(table: LocalTable, brain: Brain): { what: Event[]; view: View }[] {
  const scenes: { what: Event[]; view: View }[] = [];
  const let_ = (events: Iterable<Event>) => scenes.push({ what: happen(table, events), view: viewOf(table) });
  let_(begin(table));
  while (table.phase !== "over") {
    if (table.phase === "draw" || table.phase === "hole_over") let_(deal(table));
    else if (table.computerOnTurn) let_(step(table, table.game!.choose(table.computerOnTurn as PlayerName, brain)));
    else {
      const { legal } = table;
      let_(carryOut(table, { is: "Play", id: "", seat: table.turn!, move: legal[Math.floor(Math.random() * legal.length)]! }, "greedy"));
      if (table.mayTakeBack && Math.random() < 0.3) let_(carryOut(table, { is: "TakeBack", id: "", seat: table.turn! }, "greedy"));
    }
  }
  return scenes;
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
    return { kept, scenes, card: cardOf(finished), record: recordOf(finished), replay, again: { ...again, wish }, practice };
  });
  writeFileSync(plan!, JSON.stringify(told));
}, 300_000);
