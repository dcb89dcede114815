/** The names and levels of computer players, in the reader's language. */
import { m } from "../lib/i18n.svelte";

/** The names of computer players, in the language of the person who seats them. */
export function computerNames(): string[] {
  return m.player_names().split(" ");
}

/** What a level is called as a player and at a seat, and a sentence on how it plays. */
const LEVELS: Record<string, { skill: () => string; title: () => string; how: () => string }> = {
  beginner: { skill: m.player_skill_beginner, title: m.player_beginner, how: m.player_how_beginner },
  weekend: { skill: m.player_skill_weekend, title: m.player_weekend, how: m.player_how_weekend },
  regular: { skill: m.player_skill_regular, title: m.player_regular, how: m.player_how_regular },
  club: { skill: m.player_skill_club, title: m.player_club, how: m.player_how_club },
  pro: { skill: m.player_skill_pro, title: m.player_pro, how: m.player_how_pro },
  search: { skill: m.player_skill_search, title: m.player_search, how: m.player_how_search },
};
const OTHERS: Record<string, () => string> = { greedy: m.player_greedy, random: m.player_random }; // at older tables

/** "club player", for a computer player shown next to its name. */
export function playerSkill(player: string): string {
  return LEVELS[player]?.skill() ?? player;
}

/** A sentence on how a computer player plays; empty if there is none. */
export function playerHow(player: string): string {
  return LEVELS[player]?.how() ?? "";
}

/** A computer player's kind in the reader's language, for instance "Computer (club player)". */
export function playerTitle(player: string): string {
  return (LEVELS[player]?.title ?? OTHERS[player])?.() ?? player;
}
