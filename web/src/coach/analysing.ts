/** Who analyses a finished match: the engine on this device, if it can, else the server. */
import { isLocal } from "../lib/here";
import { ask } from "../lib/http";
import type { Analysis, FinishedGame, GameFacts } from "../lib/messages";
import type { AnalyseHere } from "../lib/workerMessages";
import { hereFirst } from "./hereFirst";

/** The engine here reads the record, which a match of practice has not. Throws a Refusal. */
export function analysisOf(game: FinishedGame, facts: GameFacts): Promise<Analysis> {
  const there = () => ask<Analysis>(`api/games/${game.id}/analysis`);
  if (game.practice || isLocal(game.id)) return there();
  return hereFirst("here/analysis", { game, facts } satisfies AnalyseHere, there);
}
