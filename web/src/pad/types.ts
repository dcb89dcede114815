/** A game kept on the score pad, as it lies on the device, in a link and in a file. */
import type { GameFacts } from "../lib/messages";

/**
 * What a player's hole came to: the cards row by row, or only their points without any penalty; null while nobody has said.
 * A layout may still be growing: missing cards stand at the end, or as "" where one was taken out again.
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

export interface PadGame {
  version: 1;
  id: string;
  /** Everything about the game that is played, so that the pad needs nobody to ask. */
  rules: GameFacts;
  /** In the order of the seats, clockwise. */
  players: string[];
  /** Who deals the first hole, as a number of a player. */
  dealer: number;
  /** The last one may be unfinished; play-off holes come after the others. */
  holes: PadHole[];
  /** What the pad called impossible and the table knows better, so that it is not said again: keys of Doubts. */
  overruled: string[];
  /** When it was begun and last written on, in milliseconds. */
  begun: number;
  changed: number;
}
