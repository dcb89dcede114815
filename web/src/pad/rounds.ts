/** The holes as the score sheet shows them: those played, and the empty ones still to come. */
import { m } from "../lib/i18n.svelte";
import { holeName } from "../golf/words";
import type { Match } from "./match";
import type { PadGame } from "./types";

export interface Round {
  /** The head of the column, and the same in words. */
  name: string;
  words: string;
  /** This entry may be written. */
  begun: boolean;
  seats: number[];
  /** By player; only the cards until the penalty is known. */
  points: (number | null)[];
  /** By player: whether there are cards, but not all. */
  partly: boolean[];
  best: number[];
  closer: number | null;
  /** A play-off hole that no longer counts. */
  idle: boolean;
}

export function roundsOf(game: PadGame, match: Match): Round[] {
  const { rules, players } = game;
  const everybody = players.map((_, player) => player);
  const played = match.holes.map((hole): Round => {
    const entries = game.holes[hole.index]?.entries ?? [];
    const number = hole.index - rules.holes + 1;
    return {
      name: hole.index < rules.holes ? String(hole.index + 1) : m.table_sc_playoff({ number }),
      words: hole.index < rules.holes ? holeName(hole.index + 1, 0) : holeName(0, number),
      begun: true,
      seats: hole.seats,
      points: everybody.map((player) => hole.points[player] ?? hole.cards[player] ?? null),
      partly: everybody.map((player) => {
        const entry = entries[hole.seats.indexOf(player)];
        return !!entry && "layout" in entry && entry.layout.some(Boolean);
      }),
      best: hole.best,
      closer: hole.closer,
      idle: hole.idle,
    };
  });
  const empty = Array.from({ length: Math.max(0, rules.holes - played.length) }, (_, more): Round => {
    const hole = played.length + more + 1;
    const nobody = everybody.map(() => null);
    return { name: String(hole), words: holeName(hole, 0), begun: false, seats: everybody, points: nobody, partly: everybody.map(() => false), best: [], closer: null, idle: false };
  });
  return [...played, ...empty];
}
