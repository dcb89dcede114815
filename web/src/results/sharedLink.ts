/** The link by which anyone can look at a finished match. One on this device goes to the server first, if there is one. */
import { ask } from "../lib/http";
import type { CardboardGame, CardboardKept, FinishedGame } from "../lib/messages";
import { recall, remember } from "../lib/stored";
import { isLocal } from "../lib/here";
import { linkOf } from "./game";

/** What of a record goes to the server. */
interface Recorded {
  game: string;
  players: string[];
  holes: { dealer: number; first_discard: string; moves: string[]; reveal: Record<string, string[]> }[];
  match?: Record<string, number | string>;
}

/** Null if the match is on this device and the server cannot be reached, or does not take it. */
export async function sharedLink(game: FinishedGame): Promise<string | null> {
  if (!isLocal(game.id)) return linkOf(game);
  const key = `shared/${game.id}`;
  const known = recall<string>(key, "");
  const id = known || (await upload(game).catch(() => ""));
  if (id && !known) remember(key, id);
  return id ? linkOf({ ...game, id }) : null;
}

async function upload({ id, seats }: FinishedGame): Promise<string> {
  const { game, players, holes, match = {} } = await ask<Recorded>(`api/games/${id}/record`);
  const entered: CardboardGame = {
    game,
    players,
    dealer: holes[0]!.dealer,
    house_rules: match,
    computers: seats.map(({ kind, player }) => (kind === "computer" ? player : "")),
    holes: holes.map(({ first_discard, moves, reveal }) => ({ first_discard, moves, reveal })),
  };
  return (await ask<CardboardKept>("api/cardboard/games", entered)).game;
}
