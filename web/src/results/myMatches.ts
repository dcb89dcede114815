/** The matches that the reader played on other devices: their statistics come here too. */
import { ask } from "../lib/http";
import type { FinishedGame, MyMatch } from "../lib/messages";
import { isNew, keepMatch } from "./matches";

/** Asks for the reader's matches and keeps those that are news to this device. Returns how many. Throws a Refusal. */
export async function fetchMatches(): Promise<number> {
  const matches = await ask<MyMatch[]>("api/me/matches");
  let kept = 0;
  for (const { game, seat, ended } of matches) {
    const isShared = matches.filter((match) => match.game === game).length > 1; // several players on one device
    if (isShared || !isNew(game)) continue;
    const finished = await ask<FinishedGame>(`api/games/${game}`).catch(() => null); // its table may be gone
    if (!finished) continue;
    keepMatch(finished, seat, ended * 1000);
    kept += 1;
  }
  return kept;
}
