/** A small table for the tests. */
import type { GameFacts, SeatView, View } from "../../src/lib/messages";

export const PLAY_NINE: GameFacts = {
  name: "play_nine",
  title: "Play Nine",
  least: 2,
  most: 6,
  rows: 2,
  columns: 4,
  faces: [
    ...Array.from({ length: 13 }, (_, n) => ({ name: String(n), copies: 8, points: n, line_points: 0 })),
    { name: "H", copies: 4, points: -5, line_points: -10 },
  ],
  lines_are_columns: true,
  tee_off: 2,
  tee_off_before_play: true,
  may_throw_away: true,
  may_leave_last: true,
  bonus: [-10, -15, -20],
  bonus_replaces: false,
  closer_penalty: 0,
  holes: 9,
  playoff: true,
};

export function seat(name: string, layout: (string | null)[], more: Partial<SeatView> = {}): SeatView {
  return {
    name,
    kind: "person",
    player: "",
    here: false,
    owner: false,
    present: true,
    lent: false,
    at_table: true,
    layout,
    hidden: layout.filter((face) => face === null).length,
    points: null,
    total: 0,
    wins: 0,
    reckoning: null,
    ...more,
  };
}

export const HIDDEN = Array<null>(8).fill(null);

export function table(more: Partial<View> = {}): View {
  return {
    watch: "w",
    game: "play_nine",
    match: 1,
    phase: "take",
    hole: 1,
    playoff: 0,
    dealer: 1,
    turn: 0,
    closer: null,
    last_turns: false,
    stock_left: 80,
    discard: "7",
    discard_below: "5",
    held: null,
    may_take_back: false,
    legal: ["S", "D"],
    latest: null,
    seats: [seat("Ann", HIDDEN), seat("Ben", HIDDEN)],
    draws: [],
    card: [],
    winners: [],
    given_up: false,
    finished: [],
    options: { pace: "normal", chat: false, tempo: "family" },
    hints: false,
    practice: null,
    ...more,
  };
}
