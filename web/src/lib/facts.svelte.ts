/** The server's facts on its games and computer players: requested once. */
import { announce } from "./announcement.svelte";
import { ask, askFiles } from "./http";
import { refusalOf, type Refusal } from "./refusal";
import type { Facts, GameFacts } from "./messages";

let facts = $state.raw<Facts | null>(null);
let refusal = $state.raw<Refusal | null>(null);
let asked: Promise<void> | null = null;

async function fetchFacts(): Promise<void> {
  try {
    facts = await ask<Facts>("api/facts");
    announce(facts.announcement);
    askFiles(facts.serverless);
    refusal = null;
  } catch (problem) {
    refusal = refusalOf(problem);
    asked = null;
  }
}

/** Asks once; again only after a failure. */
export function learnFacts(): Promise<void> {
  return (asked ??= fetchFacts());
}

export const known = {
  /** null until the server has answered. */
  get facts(): Facts | null {
    return facts;
  },
  get refusal(): Refusal | null {
    return refusal;
  },
};

export function gameFacts(name: string): GameFacts | null {
  return facts?.games.find((game) => game.name === name) ?? null;
}
