/** Personal bests, told from the kept matches alone: they stay, whether the reader plays on or not. */
import { dayOfMatch, daysOf, longestRow } from "../golf/calendar";
import type { KeptMatch } from "./matches";
import { byLength, hasWon, totalOf } from "./statistics";

export interface Best {
  match: KeptMatch;
  value: number;
  /** The hole of the match, from 1; 0 for the whole match. */
  hole: number;
}

export interface Bests {
  /** The hole with the fewest points, and the one with the most cards of one face. */
  hole: Best | null;
  equal: Best | null;
  /** The match with the fewest points, by its length in holes, the longest first. */
  matches: [holes: number, Best][];
  /** The match that was won from farthest behind, in points; and against the strongest computer player, by its place in the list of levels. */
  comeback: Best | null;
  level: Best | null;
  /** Of the holes of the day: the fewest points, and the most days in a row. */
  day: Best | null;
  days: number;
}

const FEW = 3; // cards of one face: fewer are not worth telling

/** Of the matches of one game, the oldest first; `levels`, the weakest first. What a computer player did for the reader counts for nothing. */
export function bestsOf(matches: readonly KeptMatch[], levels: readonly string[]): Bests {
  const own = matches.filter(({ standIns }) => !standIns.length);
  const won = own.filter(hasWon);
  const strongest = (match: KeptMatch) => Math.max(...match.levels.map((level) => levels.indexOf(level)));
  const days = own.filter(({ id }) => dayOfMatch(id));
  return {
    hole: least(matches.flatMap((match) => holesOf(match, match.points))),
    equal: most(matches.flatMap((match) => holesOf(match, match.equal)).filter(({ value }) => value >= FEW)),
    matches: byLength(own).map(([holes, some]) => [holes, least(some.map((match) => whole(match, totalOf(match))))!]),
    comeback: most(won.flatMap((match) => (match.behind ? [whole(match, match.behind)] : []))),
    level: most(won.map((match) => whole(match, strongest(match))).filter(({ value }) => value >= 0)),
    day: least(days.map((match) => whole(match, totalOf(match)))),
    days: longestRow(daysOf(days)),
  };
}

/** What is known of the holes that the reader played without help. */
function holesOf(match: KeptMatch, values: readonly number[]): Best[] {
  return values.map((value, at) => ({ match, value, hole: at + 1 })).filter(({ hole }) => !match.standIns.includes(hole));
}

const whole = (match: KeptMatch, value: number): Best => ({ match, value, hole: 0 });

/** Of equal ones the first. */
function least(some: Best[]): Best | null {
  return some.reduce<Best | null>((best, one) => (best && best.value <= one.value ? best : one), null);
}

function most(some: Best[]): Best | null {
  return some.reduce<Best | null>((best, one) => (best && best.value >= one.value ? best : one), null);
}
