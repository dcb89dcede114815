/** Why a table cannot lie like that, or a move cannot be, in the reader's words; and how seats are called. */
import { visible } from "../lib/characters";
import { errorText } from "../lib/errors";
import { refusalOf } from "../lib/http";
import { m } from "../lib/i18n.svelte";
import type { Params } from "../lib/messages";
import { faceName } from "../golf/words";

type Words = (filled: Filled) => string;

/** What the sentences name; cards and players in the reader's words. */
interface Filled {
  name: string;
  player: string;
  face: string;
  lying: string;
  slot: string;
  last: string;
  move: string;
  count: string;
  copies: string;
}

const TABLE: Record<string, Words> = {
  too_many: (filled) => m.cardboard_table_too_many(filled),
  no_stock: () => m.cardboard_table_no_stock(),
  closer_hidden: (filled) => m.cardboard_table_closer_hidden(filled),
  who_closed: () => m.cardboard_table_who_closed(),
  closer_on_turn: (filled) => m.cardboard_table_closer_on_turn(filled),
  had_last_turn: (filled) => m.cardboard_table_had_last_turn(filled),
  open_before_last_turn: (filled) => m.cardboard_table_open_before_last_turn(filled),
  tee_off_no_card: (filled) => m.cardboard_table_tee_off_no_card(filled),
  tee_off_no_closer: (filled) => m.cardboard_table_tee_off_no_closer(filled),
  all_tee_off: (filled) => m.cardboard_table_all_tee_off(filled),
  must_place: () => m.cardboard_table_must_place(),
  last_turn_over: () => m.cardboard_table_last_turn_over(),
  discard_ends_turn: () => m.cardboard_table_discard_ends_turn(),
  no_last_turns: (filled) => m.cardboard_table_no_last_turns(filled),
  no_turn: (filled) => m.cardboard_table_no_turn(filled),
};

const MOVE: Record<string, Words> = {
  hole_over: () => m.cardboard_wrong_hole_over(),
  reveal: () => m.cardboard_wrong_reveal(),
  tee_off_first: (filled) => m.cardboard_wrong_tee_off_first(filled),
  tee_off_open: (filled) => m.cardboard_wrong_tee_off_open(filled),
  teed_off: (filled) => m.cardboard_wrong_teed_off(filled),
  last_turn_over: () => m.cardboard_wrong_last_turn_over(),
  discard_ends_turn: () => m.cardboard_wrong_discard_ends_turn(),
  only_last_turn: (filled) => m.cardboard_wrong_only_last_turn(filled),
  must_play: (filled) => m.cardboard_wrong_must_play(filled),
  tee_off_one_column: (filled) => m.cardboard_wrong_tee_off_one_column(filled),
  tee_off_different_columns: (filled) => m.cardboard_wrong_tee_off_different_columns(filled),
  tee_off_each_row: (filled) => m.cardboard_wrong_tee_off_each_row(filled),
  knock_later: (filled) => m.cardboard_wrong_knock_later(filled),
  cleared: (filled) => m.cardboard_wrong_cleared(filled),
  take_first: (filled) => m.cardboard_wrong_take_first(filled),
  must_place: () => m.cardboard_wrong_must_place(),
  discard_must_place: () => m.cardboard_wrong_discard_must_place(),
  place_first: (filled) => m.cardboard_wrong_place_first(filled),
  must_turn_up: () => m.cardboard_wrong_must_turn_up(),
  must_turn_up_all: (filled) => m.cardboard_wrong_turn_up_now(filled),
  turned_up: (filled) => m.cardboard_wrong_turned_up(filled),
  turn_up_now: (filled) => m.cardboard_wrong_turn_up_now(filled),
  other_discard: (filled) => m.cardboard_wrong_other_discard(filled),
  other_held: (filled) => m.cardboard_wrong_other_held(filled),
  other_card: (filled) => m.cardboard_wrong_other_card(filled),
  not_in_stock: (filled) => m.cardboard_wrong_not_in_stock(filled),
  all_seen: (filled) => m.cardboard_wrong_all_seen(filled),
  no_move: (filled) => m.cardboard_wrong_no_move(filled),
  no_slot: (filled) => m.cardboard_wrong_no_slot(filled),
  no_card: (filled) => m.cardboard_wrong_no_card(filled),
  not_first_discard: () => m.cardboard_wrong_not_first_discard(),
  hole_unfinished: () => m.cardboard_wrong_hole_unfinished(),
  match_over: () => m.cardboard_wrong_match_over(),
};

export const TABLE_FAULTS = Object.keys(TABLE);
export const MOVE_FAULTS = Object.keys(MOVE);

/** What went wrong; `where` says which move of a whole game it was. */
export function troubleText(problem: unknown, names: string[], where = false): string {
  const { error, params } = refusalOf(problem);
  const known = error === "impossible_table" ? TABLE : error === "wrong_move" ? MOVE : {};
  const words = known[String(params.why)];
  if (!words) return errorText({ error, params });
  const why = words(fill(params, names));
  const number = Number(params.number ?? 0);
  if (!where || error !== "wrong_move") return why;
  return m.cardboard_wrong_at({ hole: Number(params.hole), number, text: String(params.text ?? ""), why });
}

function fill(params: Params, names: string[]): Filled {
  const text = (key: string) => String(params[key] ?? "");
  const card = (key: string) => (key in params && params.why !== "no_card" ? faceName(text(key)) : text(key));
  const player = text("player");
  return {
    name: names[Number(player)] ?? player,
    player,
    face: card("face"),
    lying: card("lying"),
    slot: text("slot"),
    last: text("last"),
    move: text("move"),
    count: text("count"),
    copies: text("copies"),
  };
}

/** The names sent to the server: none is empty. */
export function calledNames(names: string[]): string[] {
  return names.map((name, seat) => visible(name).trim() || m.start_player({ seat: seat + 1 }));
}

/** What a key of the pack says: the card, and how many of it can still come. */
export function keyOf(left: Record<string, number>): (face: string) => string {
  return (face) => m.cardboard_key_left({ face: faceName(face), count: left[face] ?? 0 });
}
