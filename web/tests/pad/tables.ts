/** Games for the stories of the pad. */
import type { FaceFacts } from "../../src/lib/messages";
import { newGame, nextHole, setCloser, setPoints } from "../../src/pad/edit";
import { match } from "../../src/pad/match";
import { readRules } from "../../src/pad/reading";
import type { PadGame } from "../../src/pad/types";

const face = (name: string, points: number, line_points = 0, copies = 8): FaceFacts => ({ name, copies, points, line_points });
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => face(String(from + n), from + n));

export const playNine = readRules({
  name: "play_nine", title: "Play Nine", least: 2, most: 6, rows: 2, columns: 4,
  faces: [...numbers(0, 12), face("H", -5, -10, 4)],
  lines_are_columns: true, tee_off: 2, tee_off_before_play: true, may_discard_drawn: true, may_leave_last: true,
  bonus: [-10, -15, -20], bonus_replaces: false, closer_penalty: 0, holes: 9, playoff: true,
}); // prettier-ignore

export const nineCard = readRules({
  name: "nine_card", title: "Nine-card golf", least: 2, most: 8, rows: 3, columns: 3,
  faces: [face("A", 1), ...numbers(2, 10), face("J", 11), face("Q", 12), face("K", 0, -10), face("*", -3, -20, 4)],
  lines_are_columns: false, tee_off: 3, tee_off_before_play: false, may_discard_drawn: false, may_leave_last: false,
  bonus: [-30], bonus_replaces: true, closer_penalty: 5, holes: 9, playoff: false,
  may_decline_last_turn: true,
}); // prettier-ignore

/** "7 3 1 2 / 4 6 8 5" as the cards row by row. */
export const cards = (layout: string) => layout.replaceAll("/", " ").split(/\s+/).filter(Boolean);

/** A game of Ann, Ben and Cleo; Cleo deals first, unless told otherwise. */
export const family = (rules = playNine, dealer = 2, players = ["Ann", "Ben", "Cleo"]): PadGame =>
  newGame(rules, players, dealer, 1_000, "family");

/** Goes on as the pad would: the points of each hole for those who play it; who closes, where that costs something. */
export function played(game: PadGame, holes: number[][], closer = 0): PadGame {
  return holes.reduce((before, points, number) => {
    const begun = number === 0 && match(before).current === before.holes.length - 1 ? before : nextHole(before);
    const hole = begun.holes.length - 1;
    const entered = begun.holes[hole]!.seats.reduce((now, player, seat) => setPoints(now, hole, player, points[seat]!), begun);
    return game.rules.closer_penalty ? setCloser(entered, hole, closer) : entered;
  }, game);
}

/** Nine holes that cost everyone the same. */
export const nineLevel = Array.from({ length: 9 }, () => [10, 10, 10]);
