/** A game of the score pad, as on the device, in a link and in a file. */
import type { GameFacts } from "../lib/messages";
import type { Patch } from "../lib/houseRulesKept";

/**
 * A player's hole: the cards row by row, or only their points without any penalty; null if not entered yet.
 * A layout may be incomplete: missing cards are at the end, or "" for a removed one.
 */
export type Entry = { layout: string[] } | { points: number } | null;

export interface PadHole {
  /** Who plays it, as numbers of players: all, but for play-off holes. */
  seats: number[];
  /** By seat of this hole. */
  entries: Entry[];
  /** The player who closed it; null while that is not known or does not matter. */
  closer: number | null;
}

export interface House {
  game: string;
  patch: Patch;
}

export interface PadGame {
  version: 1;
  id: string;
  /** All facts of the game played, so that the pad asks no server. */
  rules: GameFacts;
  /** The named game and what differs from it, if it is played by house rules. */
  house?: House;
  /** In the order of the seats, clockwise. */
  players: string[];
  /** Who deals the first hole, as a number of a player. */
  dealer: number;
  /** The last one may be unfinished; play-off holes come after the others. */
  holes: PadHole[];
  /** Doubts that the players overruled, as keys of Doubts; the pad does not repeat them. */
  overruled: string[];
  /** When it was begun and last written on, in milliseconds. */
  begun: number;
  changed: number;
}
