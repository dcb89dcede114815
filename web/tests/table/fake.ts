/** A small table for the tests. */
import type { SeatView, View } from "../../src/lib/messages";
import { playNine } from "../pad/tables";

export const PLAY_NINE = playNine;

export function seat(name: string, layout: (string | null)[], more: Partial<SeatView> = {}): SeatView {
  return {
    name,
    kind: "person",
    player: "",
    here: false,
    owner: false,
    present: "here",
    lent: false,
    left: "",
    ready: false,
    at_table: true,
    layout,
    hidden: layout.filter((face) => face === null).length,
    so_far: 0,
    points: null,
    total: 0,
    wins: 0,
    score_parts: null,
    who: `who of ${name}`,
    substitute: false,
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
    length: 9,
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
    options: { pace: "normal", chat: false, tempo: "family", holes: 0 },
    hints: false,
    practice: null,
    stood_in: {},
    agreed: {},
    house_rules: {},
    ...more,
  };
}
