/** Enters the matches that have ended at a table where the reader sits. */
import { ask } from "../lib/http";
import type { FinishedGame, View } from "../lib/messages";
import { isNew, keepMatch } from "./matches";

/** Those of before only where the reader sat in the same seat by the same name. What cannot be asked now is asked next time. */
export async function enterMatches(view: View, seat: number): Promise<void> {
  for (const id of view.finished.filter(isNew)) {
    const game = await ask<FinishedGame>(`api/games/${id}`).catch(() => null);
    const then = game?.seats[seat];
    if (game && then?.kind === "person" && then.name === view.seats[seat]?.name) keepMatch(game, seat);
  }
}
