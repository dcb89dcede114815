/** Over all kept games: how each player has done, for each set of rules by itself. */
import type { GameFacts } from "../lib/messages";
import { plainName } from "./checks";
import { match } from "./match";
import { rulesKey } from "./linkFormat";
import type { PadGame } from "./types";

/** Where something happened: a game, and a hole's place in it. */
export interface Best {
  points: number;
  game: string;
  hole: number;
}

export interface PlayerHistory {
  /** As it was spelt last. */
  name: string;
  /** Finished matches, and how many of them the player won, alone or shared. */
  games: number;
  wins: number;
  /** Complete holes of all games, without play-off holes; and those in which no player did better. */
  holes: number;
  bests: number;
  /** Averages; null without any. */
  perHole: number | null;
  perGame: number | null;
  bestHole: Best | null;
  /** `hole` is the last one. */
  bestGame: Best | null;
  /** Games won one after the other: up to the latest, and the most ever. */
  streak: number;
  longestStreak: number;
}

export interface History {
  rules: GameFacts;
  /** Those with the most games first. */
  players: PlayerHistory[];
}

/** A history for each set of rules, the one played latest first. */
export function histories(games: readonly PadGame[]): History[] {
  const sets = new Map<string, PadGame[]>();
  for (const game of [...games].sort((one, other) => other.begun - one.begun)) {
    const key = rulesKey(game.rules);
    sets.set(key, [game, ...(sets.get(key) ?? [])]);
  }
  return [...sets.values()].map((same) => ({ rules: same.at(-1)!.rules, players: playersOf(same) }));
}

/** `games` from the oldest to the latest, all of one set of rules. */
function playersOf(games: PadGame[]): PlayerHistory[] {
  const players = new Map<string, PlayerHistory & { holePoints: number; gamePoints: number }>();
  for (const game of games) {
    const { holes, totals, winners, over } = match(game);
    for (const [number, name] of game.players.entries()) {
      const known = players.get(plainName(name)) ?? { ...NOTHING, holePoints: 0, gamePoints: 0 };
      const own = { ...known, name };
      players.set(plainName(name), own);
      for (const hole of holes.filter((one) => one.complete && one.playoff === 0)) {
        const points = hole.points[number]!;
        own.holes += 1;
        own.holePoints += points;
        if (hole.best.includes(number)) own.bests += 1;
        own.bestHole = better(own.bestHole, { points, game: game.id, hole: hole.index });
      }
      if (!over) continue;
      own.games += 1;
      own.gamePoints += totals[number]!;
      own.bestGame = better(own.bestGame, { points: totals[number]!, game: game.id, hole: game.holes.length - 1 });
      const won = winners.includes(number);
      own.wins += won ? 1 : 0;
      own.streak = won ? own.streak + 1 : 0;
      own.longestStreak = Math.max(own.longestStreak, own.streak);
    }
  }
  return [...players.values()]
    .map(({ holePoints, gamePoints, ...own }) => ({
      ...own,
      perHole: own.holes ? holePoints / own.holes : null,
      perGame: own.games ? gamePoints / own.games : null,
    }))
    .filter((own) => own.holes > 0)
    .sort((one, other) => other.games - one.games || other.holes - one.holes);
}

function better(one: Best | null, other: Best): Best {
  return one && one.points <= other.points ? one : other;
}

const NOTHING: PlayerHistory = {
  name: "",
  games: 0,
  wins: 0,
  holes: 0,
  bests: 0,
  perHole: null,
  perGame: null,
  bestHole: null,
  bestGame: null,
  streak: 0,
  longestStreak: 0,
};
