/** The names and levels of computer players, in the reader's language. */
import { m, messageOf } from "../lib/i18n.svelte";

/** The names of computer players, in the language of the person who seats them. */
export function computerNames(): string[] {
  return m.player_names().split(" ");
}

/** "club player", for a computer player shown next to its name. */
export function playerSkill(player: string): string {
  return messageOf(`player_skill_${player}`) || player;
}

/** A sentence on how a computer player plays; empty if there is none. */
export function playerHow(player: string): string {
  return messageOf(`player_how_${player}`);
}

/** A computer player's kind in the reader's language, for instance "Computer (club player)". */
export function playerTitle(player: string): string {
  return messageOf(`player_${player}`) || player;
}
