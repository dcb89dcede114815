/** Asks about a game with real cards: what lies on its table now, a hint, or a finished match made of it. */
import { hereFirst } from "../coach/hereFirst";
import { lineToWorker } from "../lib/here";
import { ask } from "../lib/http";
import type { CardboardGame, CardboardKept, GameFacts } from "../lib/messages";
import { refusalOf } from "../lib/refusal";
import type { FollowHere } from "../lib/workerMessages";

/** This device first; the server says why a move is refused. `facts` is null for a game that is not known here. */
export function askReal<T>(path: "cardboard" | "cardboard/hint", entered: CardboardGame, facts: GameFacts | null): Promise<T> {
  const there = () => ask<T>(`api/${path}`, entered);
  if (!facts) return there();
  return hereFirst(`here/${path}`, { entered, facts, atHand: true } satisfies FollowHere, () => orHere(there, path, { entered, facts }));
}

/** The server first: there, others can see the match by its link. */
export function keepReal(entered: CardboardGame, facts: GameFacts): Promise<CardboardKept> {
  return orHere(() => ask("api/cardboard/games", entered), "cardboard/games", { entered, facts });
}

/** Where there is no server, this device does what it can. */
async function orHere<T>(there: () => Promise<T>, path: string, about: Omit<FollowHere, "atHand">): Promise<T> {
  try {
    return await there();
  } catch (problem) {
    if (!/^(offline|no_server)$/.test(refusalOf(problem).error)) throw problem;
    return (await lineToWorker()).askHere(`here/${path}`, { ...about, atHand: false } satisfies FollowHere);
  }
}
