/** Opens a table: on the server, or on this device where that is wanted or the server cannot be reached. */
import { lineToWorker } from "./here";
import { ask } from "./http";
import type { GameFacts, NewTable, TableOpened } from "./messages";
import { refusalOf } from "./refusal";

/** The code of the table. `facts` are those of the game with its house rules. Throws a Refusal. */
export async function openTable(wanted: NewTable, facts: GameFacts, isHere = false): Promise<string> {
  const needsServer = wanted.seats.some(({ kind }) => kind === "friend");
  try {
    if (!isHere) return (await ask<TableOpened>("api/tables", wanted)).table;
  } catch (problem) {
    if (needsServer || !["offline", "no_server"].includes(refusalOf(problem).error)) throw problem;
  }
  return (await lineToWorker()).openHere(wanted, facts);
}
