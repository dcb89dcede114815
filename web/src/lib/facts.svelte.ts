/** What the server knows of its games and computer players: asked once. */
import { ask, Refusal } from "./http";
import { m } from "./i18n.svelte";
import type { Facts, GameFacts } from "./messages";

let facts = $state.raw<Facts | null>(null);
let refusal = $state.raw<Refusal | null>(null);
let asked: Promise<void> | null = null;

async function fetchFacts(): Promise<void> {
  try {
    facts = await ask<Facts>("/api/facts");
    refusal = null;
  } catch (problem) {
    refusal = problem instanceof Refusal ? problem : new Refusal("server_fault");
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

/** The game in the reader's language; a game of the house's own keeps its title. */
export function gameTitle(name: string): string {
  const titles: Record<string, () => string> = { play_nine: m.game_play_nine, nine_card: m.game_nine_card };
  return titles[name]?.() ?? gameFacts(name)?.title ?? name;
}

/** What computer players are called, in the language of whoever seats them. */
export function computerNames(): string[] {
  return m.player_names().split(" ");
}

/** "club player", for a computer player whose name stands beside it. */
export function playerSkill(player: string): string {
  const skills: Record<string, () => string> = {
    beginner: m.player_skill_beginner,
    weekend: m.player_skill_weekend,
    regular: m.player_skill_regular,
    club: m.player_skill_club,
    pro: m.player_skill_pro,
    search: m.player_skill_search,
  };
  return skills[player]?.() ?? player;
}

/** How a computer player plays, in a sentence; empty where there is none. */
export function playerHow(player: string): string {
  const ways: Record<string, () => string> = {
    beginner: m.player_how_beginner,
    weekend: m.player_how_weekend,
    regular: m.player_how_regular,
    club: m.player_how_club,
    pro: m.player_how_pro,
    search: m.player_how_search,
  };
  return ways[player]?.() ?? "";
}

/** A computer player's kind in the reader's language, for instance "Computer, club player". */
export function playerTitle(player: string): string {
  const titles: Record<string, () => string> = {
    beginner: m.player_beginner,
    weekend: m.player_weekend,
    regular: m.player_regular,
    club: m.player_club,
    pro: m.player_pro,
    search: m.player_search,
    greedy: m.player_greedy, // this and the next sit at older tables
    random: m.player_random,
  };
  return titles[player]?.() ?? player;
}
