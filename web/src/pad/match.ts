/** Computes a whole game from its entries: dealers, points, leaders, play-offs, winners (2.5, 5.6, 6). */
import type { Part } from "../lib/messages";
import { beats, hasPenalty, penaltyOf } from "../golf/penalty";
import { score, type Sum } from "./scoring";
import type { Entry, PadGame, PadHole } from "./types";

/** One hole, computed. "By player": one place for each player; null if they sit out, or if not known yet. */
export interface HoleResult {
  /** Its index in game.holes. */
  index: number;
  /** 0 for the holes of the match; play-off holes count 1, 2, … (6.3). */
  playoff: number;
  /** The dealer and the first player (2.5), as numbers of players; null if the cards at the table decide who starts. */
  dealer: number;
  starter: number | null;
  seats: number[];
  closer: number | null;
  /** By player: the points of the entry, without any penalty. */
  cards: (number | null)[];
  /** By player: the penalty (5.6), mostly 0. */
  penalties: number[];
  /** By player: the points of the hole with the penalty; null while a missing entry may change them. */
  points: (number | null)[];
  /** By player: the total after this hole; null from the first unknown hole on. A play-off does not change it. */
  totals: (number | null)[];
  /** Every entry is there, and the closer if that matters. */
  complete: boolean;
  /** All points are entered, but the closer is unknown and a player gets a penalty. */
  asksCloser: boolean;
  /** Once complete: the players with the fewest points. */
  best: number[];
  /** A play-off hole that a correction made unnecessary: it is kept, but does not count. */
  idle: boolean;
}

/** A hole to begin. */
export interface NextHole {
  playoff: number;
  dealer: number;
  starter: number | null;
  seats: number[];
}

export interface Match {
  holes: HoleResult[];
  /** By player: all points known so far, play-off holes left out (6.1). */
  totals: number[];
  /** How many holes of the match are complete. */
  complete: number;
  /** The players with the lowest total of the complete holes; at first empty; in a play-off, those still in it. */
  leaders: number[];
  /** The index in game.holes of the first incomplete hole (idle ones left out); null if all are complete. */
  current: number | null;
  /** The next hole to begin; null while one is unfinished, or after the end. */
  next: NextHole | null;
  /** The players of the current or next play-off hole (6.3); empty otherwise. */
  level: number[];
  over: boolean;
  /** Once over (6.2, 6.3). */
  winners: number[];
}

/** The key in game.overruled that leaves out the penalty of a hole. */
export function closerKey(hole: number): string {
  return `closer:${hole}`;
}

/** The points of an entry without penalty; null while they are not known. */
export function entryPoints(game: PadGame, entry: Entry | undefined): number | null {
  if (!entry) return null;
  if ("points" in entry) return entry.points;
  const sum = score(game.rules, entry.layout);
  return sum.complete ? sum.points : null;
}

/** The parts of a player's score, penalty included; null if only points or nothing were entered. */
export function scoreOf(game: PadGame, hole: HoleResult, player: number): Sum | null {
  const entry = entryOf(game, hole.index, player);
  if (!entry || !("layout" in entry)) return null;
  const sum = score(game.rules, entry.layout);
  const points = hole.penalties[player] ?? 0;
  if (points === 0) return sum;
  const beaten = hole.seats.filter((other) => other !== player && beats(game.rules, hole.cards[other]!, hole.cards[player]!));
  const penalty: Part = { kind: "penalty", rule: "5.6", points, slots: [], faces: [], lines: 0, beaten_by: beaten };
  return { ...sum, points: sum.points + points, parts: [...sum.parts, penalty] };
}

export function entryOf(game: PadGame, index: number, player: number): Entry {
  const hole = game.holes[index];
  return hole?.entries[hole.seats.indexOf(player)] ?? null;
}

/** The next player to the left among those who play (2.5, 6.1, 6.3). */
export function toTheLeft(player: number, seats: readonly number[], players: number): number {
  let next = (player + 1) % players;
  while (!seats.includes(next)) next = (next + 1) % players;
  return next;
}

/** Computes the whole game again: fast enough for every tap. */
export function match(game: PadGame): Match {
  const { rules, players } = game;
  const everybody = players.map((_, player) => player);
  const holes: HoleResult[] = [];
  const sums: (number | null)[] = everybody.map(() => 0);
  const totals = everybody.map(() => 0);
  const standing = everybody.map(() => 0);
  let dealer = game.dealer;
  let complete = 0;
  let counted = rules.holes;
  let closer: number | null = null;
  for (const [index, hole] of game.holes.slice(0, rules.holes).entries()) {
    if (index >= counted) break; // 6.1 the match is over
    const result = holeResult(game, hole, index, 0, dealer, closer);
    closer = result.closer;
    for (const player of everybody) {
      const points = result.points[player] ?? null;
      sums[player] = sums[player] === null || points === null ? null : sums[player]! + points;
      totals[player]! += points ?? 0;
      if (result.complete) standing[player]! += points ?? 0;
    }
    holes.push({ ...result, totals: [...sums] });
    if (result.complete) complete += 1;
    if (rules.until && result.complete && complete === index + 1 && Math.max(...standing) >= rules.until) counted = complete;
    dealer = toTheLeft(dealer, everybody, players.length);
  }
  const all = complete === counted;
  let leaders = complete === 0 ? [] : lowest(everybody, standing);
  let over = all && (leaders.length === 1 || !rules.playoff);
  let playoff = 0;
  let waiting = !all;
  if (all && !over) dealer = toTheLeft(game.dealer + rules.holes - 1, leaders, players.length);
  for (const [place, hole] of game.holes.slice(rules.holes).entries()) {
    const counts = !waiting && !over && same(hole.seats, leaders);
    const idle = !waiting && !counts;
    const begins = counts ? dealer : toTheLeft(dealer - 1 + players.length, hole.seats, players.length);
    const result = holeResult(game, hole, rules.holes + place, idle ? place + 1 : ++playoff, begins, closer);
    holes.push({ ...result, totals: [...sums], idle });
    if (!counts) continue;
    closer = result.closer;
    if (!result.complete) {
      waiting = true;
      continue;
    }
    leaders = result.best;
    over = leaders.length === 1;
    dealer = toTheLeft(dealer, leaders, players.length);
  }
  const current = holes.find((hole) => !hole.idle && !hole.complete)?.index ?? null;
  const level = all && !over ? leaders : [];
  const seats = all ? level : everybody;
  const next =
    over || current !== null || seats.length === 0
      ? null
      : { playoff: all ? playoff + 1 : 0, dealer, starter: starterOf(game, dealer, seats, closer), seats };
  return { holes, totals, complete, leaders, current, next, level, over, winners: over ? leaders : [] };
}

/** The dealer's left; in some games who closed the hole before, or who turns up the most (2.5). */
function starterOf(game: PadGame, dealer: number, seats: readonly number[], closer: number | null): number | null {
  if (game.rules.closer_starts && closer !== null && seats.includes(closer)) return closer;
  const highestStarts = game.rules.closer_starts && game.rules.tee_off > 0;
  return highestStarts ? null : toTheLeft(dealer, seats, game.players.length);
}

function holeResult(
  game: PadGame,
  hole: PadHole,
  index: number,
  playoff: number,
  dealer: number,
  closedBefore: number | null,
): Omit<HoleResult, "totals"> {
  const { rules, players } = game;
  const cards = players.map((_, player) => entryPoints(game, hole.entries[hole.seats.indexOf(player)]));
  const known = hole.seats.every((player) => cards[player] !== null);
  const closer = hole.closer;
  const matters = (hasPenalty(rules) || rules.closer_starts) && (closer !== null || !game.overruled.includes(closerKey(index)));
  const others = (player: number) => hole.seats.filter((other) => other !== player).map((other) => cards[other]!);
  const costs = (player: number) => penaltyOf(rules, cards[player]!, others(player));
  const decides = known && (rules.closer_starts || hole.seats.some((player) => costs(player) !== 0));
  const asksCloser = matters && closer === null && decides;
  const complete = known && !asksCloser;
  const penalties = players.map((_, player) =>
    complete && matters && player === closer ? costs(player) : 0,
  );
  const settled = (player: number) => !matters || complete || (closer !== null && player !== closer);
  const points = players.map((_, player) => {
    const own = cards[player] ?? null;
    return own === null || !settled(player) ? null : own + penalties[player]!;
  });
  const best = complete ? lowest(hole.seats, points) : [];
  const starter = starterOf(game, dealer, hole.seats, closedBefore);
  return { index, playoff, dealer, starter, seats: hole.seats, closer, cards, penalties, points, complete, asksCloser, best, idle: false };
}

/** Those with the fewest points. */
function lowest(among: readonly number[], points: readonly (number | null)[]): number[] {
  const least = Math.min(...among.map((player) => points[player] ?? Infinity));
  return among.filter((player) => points[player] === least);
}

function same(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((player, place) => player === other[place]);
}
