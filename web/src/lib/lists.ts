// Written by `python -m mulligan.server.wire.typescript` from server/wire, game/facts.py and coach/findings.py.
// Change them, not this file.

export const PACE = {"slow": 1.8, "normal": 1.0, "fast": 0.4, "instant": 0.0} as const;
export const PACES = ["slow", "normal", "fast", "instant"] as const;
export const STEP_SECONDS = {"tee_off": 0.8, "take": 1.1, "place": 1.1, "flip": 0.9} as const;
export const PHRASES = ["hello", "good_luck", "have_fun", "nice", "well_played", "lucky", "bad_luck", "oh_no", "your_turn", "thinking", "sorry", "thanks", "one_more", "back_soon", "good_game", "bye"] as const;
export const OPTION_RULES = {"pack": "1.2", "packs": "1.2", "jokers": "5.1", "tee_off": "2.4", "tee_off_place": "2.4", "discarding": "3.3", "knock": "3.8", "last_turns": "4.2", "kings": "5.1", "twos": "5.1", "lines": "5.2", "negative_lines": "5.3", "bonus": "5.4", "block": "5.4", "penalty": "5.6", "holes": "6.1", "until": "6.1", "level": "6.3"} as const;
export const REACTIONS = ["clap", "laugh", "wow", "sad", "love", "fire", "flag", "ball"] as const;
export const ERRORS = ["bad_house_rules", "bad_request", "bad_seed", "bad_variant", "bad_way", "banned", "by_turns", "chat_empty", "chat_off", "chat_too_long", "claim_too_early", "coach_busy", "game_gone", "game_too_long", "garbage", "hello_first", "hole_gone", "host_not_gone", "id_too_long", "impossible_table", "knocked_enough", "match_full", "name_empty", "name_taken", "name_too_long", "no_hints", "no_hole_over", "no_lesson", "no_passkeys", "no_push", "no_such_game", "no_such_knock", "no_such_language", "no_such_offer", "no_such_phrase", "no_such_player", "no_such_position", "no_such_reaction", "no_such_seat", "not_absent", "not_long_absent", "not_found", "not_legal", "not_now", "not_owner", "not_seated", "not_your_seat", "not_your_turn", "nothing_to_decide", "nothing_to_take_back", "old_client", "overloaded", "practice_only", "real_cards", "removed", "restarting", "seat_taken", "seats_open", "server_fault", "shown_out", "starting", "table_closed", "table_full", "table_gone", "table_unreadable", "too_fast", "too_many", "too_many_links", "too_many_passkeys", "too_many_ways", "too_much_talk", "variant_too_long", "watching", "wrong_code", "wrong_host", "wrong_move", "wrong_passkey", "wrong_seat_count", "wrong_words"] as const;
export const TURN_HOURS = {"day": 24, "three_days": 72, "week": 168} as const;

/** The rules of a game but its cards, in the order of links. `otherwise`: what earlier games mean. */
export const RULE_FIELDS = {
  least: { is: "number", least: 1, most: 8 },
  most: { is: "number", least: 1, most: 8 },
  rows: { is: "number", least: 1, most: 12 },
  columns: { is: "number", least: 1, most: 12 },
  lines_are_columns: { is: "boolean" },
  tee_off: { is: "number", least: 0, most: 11 },
  tee_off_before_play: { is: "boolean" },
  may_discard_drawn: { is: "boolean" },
  may_leave_last: { is: "boolean" },
  bonus: { is: "number[]", least: -100, most: 100 },
  bonus_replaces: { is: "boolean" },
  closer_penalty: { is: "number", least: 0, most: 100 },
  holes: { is: "number", least: 1, most: 99 },
  playoff: { is: "boolean" },
  may_decline_last_turn: { is: "boolean", otherwise: false },
  discard_ends_turn: { is: "boolean", otherwise: false },
  has_last_turns: { is: "boolean", otherwise: true },
  packs: { is: "number[]", least: 0, most: 8, otherwise: [] },
  tee_off_place: { is: "number", least: 0, most: 3, otherwise: 0 },
  closer_starts: { is: "boolean", otherwise: false },
  may_leave_any: { is: "boolean", otherwise: false },
  lines_clear: { is: "boolean", otherwise: false },
  knock: { is: "number", least: 0, most: 12, otherwise: 0 },
  other_lines: { is: "number", least: 0, most: 2, otherwise: 0 },
  block_points: { is: "number", least: -100, most: 0, otherwise: 0 },
  penalty_once: { is: "boolean", otherwise: false },
  penalty_factor: { is: "number", least: 1, most: 10, otherwise: 1 },
  ties_beat_closer: { is: "boolean", otherwise: false },
  until: { is: "number", least: 0, most: 1000, otherwise: 0 },
} as const;
