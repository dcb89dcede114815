/** The names and levels of computer players, in the reader's language. */
import { m } from "../lib/i18n.svelte";

/** The names of computer players, in the language of the person who seats them. */
export function computerNames(): string[] {
  return m.player_names().split(" ");
}

/** "club player", for a computer player shown next to its name. */
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

/** A sentence on how a computer player plays; empty if there is none. */
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

/** A computer player's kind in the reader's language, for instance "Computer (club player)". */
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
