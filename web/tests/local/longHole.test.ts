/** Plays a named hole for so long that the stock is renewed twice (2.6), and writes down its record, for tests/test_local_tables.py. */
import { readFileSync, writeFileSync } from "node:fs";
import { it } from "vitest";
import { Engine } from "../../src/engine/engine";
import { HIDDEN } from "../../src/engine/records";
import { begin, carryOut, happen } from "../../src/local/carryOut";
import { playAgain, recordOf } from "../../src/local/finishedMatch";
import type { KeptTable } from "../../src/local/keptTable";
import { LocalTable } from "../../src/local/localTable";
import { moveNumber } from "../../src/local/stepNames";

const { MULLIGAN_ENGINE: file, MULLIGAN_LONG_HOLE: plan } = process.env;
const STOCKS = 2; // new ones

it.skipIf(!file || !plan)("plays a long hole", async () => {
  const engine = await Engine.load(readFileSync(file!));
  const kept = JSON.parse(readFileSync(plan!, "utf-8")) as KeptTable;
  const table = new LocalTable(kept, engine);
  const events = happen(table, begin(table));
  let renewed = 0;
  while (table.phase !== "over") {
    const { legal, facts, state } = table;
    const { layout } = state.players(state.turn);
    const faceDown = legal.find((move) => layout[moveNumber(facts, move)] === HIDDEN);
    const first = renewed < STOCKS ? ["S", "-", "."] : ["S"]; // then all close
    const move = first.find((one) => legal.includes(one)) ?? faceDown ?? legal[0]!;
    const what = happen(table, carryOut(table, { is: "Play", id: "", seat: table.turn!, move }, ""));
    renewed += what.filter((event) => event.is === "Step" && event.renewed).length;
    events.push(...what);
  }
  writeFileSync(plan!, JSON.stringify(recordOf(playAgain(kept, engine, events, 1))));
});
