/** What went wrong, in the reader's language; the code says what, the params whom and where. */
import { list, m } from "./i18n.svelte";
import type { ERRORS } from "./lists";
import type { Params } from "./messages";

interface Trouble {
  error: string;
  params?: Params;
}

/** A seat as people count them, from 1. */
const seat = (params: Params) => Number(params.seat ?? 0) + 1;

const text = (value: Params[string] | undefined) => (Array.isArray(value) ? list(value.map(String)) : String(value ?? ""));

/** The server's codes, and those of a device without a server or without cookies. */
type Code = (typeof ERRORS)[number] | "offline" | "no_cookies";

const WORDS: Record<Code, (params: Params) => string> = {
  offline: () => m.error_offline(),
  table_gone: () => m.error_table_gone(),
  table_closed: () => m.error_table_closed(),
  table_unreadable: () => m.error_table_unreadable(),
  starting: () => m.error_starting(),
  table_full: () => m.error_table_full(),
  name_taken: ({ name }) => m.error_name_taken({ name: text(name) }),
  name_empty: () => m.error_name_empty(),
  name_too_long: ({ most }) => m.error_name_too_long({ most: Number(most) }),
  seat_taken: (params) => m.error_seat_taken({ seat: seat(params) }),
  no_such_seat: (params) => m.error_no_such_seat({ seat: seat(params) }),
  not_owner: () => m.error_not_owner(),
  not_seated: () => m.error_not_seated(),
  not_your_seat: (params) => m.error_not_your_seat({ seat: seat(params) }),
  not_your_turn: () => m.error_not_your_turn(),
  not_legal: ({ rule }) => (rule ? m.error_not_legal({ rule: text(rule) }) : m.error_not_now()),
  nothing_to_take_back: () => m.error_nothing_to_take_back(),
  not_now: () => m.error_not_now(),
  seats_open: () => m.error_seats_open(),
  no_such_player: ({ player }) => m.error_no_such_player({ player: text(player) }),
  no_such_game: ({ game }) => m.error_no_such_game({ game: text(game) }),
  wrong_seat_count: ({ least, most }) => m.error_wrong_seat_count({ least: Number(least), most: Number(most) }),
  not_absent: () => m.error_not_absent(),
  chat_off: () => m.error_chat_off(),
  chat_empty: () => m.error_chat_empty(),
  chat_too_long: ({ most }) => m.error_chat_too_long({ most: Number(most) }),
  no_such_phrase: () => m.error_no_such_phrase(),
  no_such_reaction: () => m.error_no_such_reaction(),
  watching: () => m.error_watching(),
  old_client: () => m.error_old_client(),
  no_cookies: () => m.error_no_cookies(),
  too_fast: () => m.error_too_fast(),
  garbage: () => m.error_garbage(),
  hello_first: () => m.error_garbage(),
  bad_request: () => m.error_garbage(),
  id_too_long: () => m.error_garbage(),
  game_gone: () => m.error_game_gone(),
  hole_gone: ({ hole }) => m.error_hole_gone({ hole: text(hole) }),
  no_such_language: ({ language }) => m.error_no_such_language({ language: text(language) }),
  not_found: () => m.error_not_found(),
  server_fault: () => m.error_server_fault(),
  restarting: () => m.error_restarting(),
  removed: () => m.error_removed(),
  banned: () => m.error_banned(),
  bad_seed: () => m.error_garbage(),
  no_such_offer: () => m.error_no_such_offer(),
  too_many: () => m.error_too_many(),
  overloaded: () => m.error_too_many(),
  too_many_links: ({ most }) => m.error_too_many_links({ most: Number(most) }),
  too_much_talk: ({ most }) => m.error_too_much_talk({ most: Number(most) }),
  match_full: () => m.error_match_full(),
  wrong_host: () => m.error_wrong_host(),
  coach_busy: () => m.error_coach_busy(),
  no_hints: () => m.error_no_hints(),
  no_such_position: () => m.error_no_such_position(),
  practice_only: () => m.error_practice_only(),
  impossible_table: () => m.error_impossible_table(), // the coach's page says why, cardboard/words.ts
  wrong_move: () => m.error_wrong_move(),
  real_cards: () => m.error_real_cards(),
  nothing_to_decide: () => m.error_nothing_to_decide(),
  no_hole_over: () => m.error_no_hole_over(),
  game_too_long: () => m.error_game_too_long(),
  no_lesson: () => m.learn_none(),
  bad_house_rules: ({ detail }) => text(detail),
  bad_variant: ({ detail }) => m.error_bad_variant({ detail: text(detail) }),
  variant_too_long: ({ most }) => m.error_variant_too_long({ most: Number(most) }),
};

export const ERROR_CODES = Object.keys(WORDS);

export function errorText(trouble: Trouble): string {
  return (WORDS[trouble.error as Code] ?? WORDS.server_fault)(trouble.params ?? {});
}
