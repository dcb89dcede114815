"""The parts that all messages share: base classes, limits, error codes and named types."""

from typing import Literal

import msgspec

from mulligan.coach.findings import CLOSE_CALL as CLOSE_CALL  # the client lights up these moves
from mulligan.coach.findings import MovePhase as MovePhase
from mulligan.game import house_options

WIRE_VERSION = 5  # increased when an old client would misread a message

NAME_LENGTH = 20  # characters in a player's name
CHAT_LENGTH = 200
AWAY_SECONDS, LONG_AWAY_SECONDS = 600, 24 * 3600  # after which others may take over: between matches, and at any time
VARIANT_LENGTH = 8000  # characters in a variant file; the shipped files have far fewer
# How long computer players pause; at a pace, so many times as long.
PACE = {"slow": 1.8, "normal": 1.0, "fast": 0.4, "instant": 0.0}
PACES = tuple(PACE)
STEP_SECONDS = {"tee_off": 0.8, "take": 1.1, "place": 1.1, "flip": 0.9}
DRAW_SECONDS = 5.0  # to show the cards drawn for the deal, at any pace
ROUND_SECONDS = 2.0  # added for each tied round of the draw
RESULT_SECONDS = 8.0  # if no person is there to continue
STILL_SECONDS = 120.0  # the player to move does nothing for so long, and the others may play on without them
PHRASES = (
    "hello",
    "good_luck",
    "have_fun",
    "nice",
    "well_played",
    "lucky",
    "bad_luck",
    "oh_no",
    "your_turn",
    "thinking",
    "sorry",
    "thanks",
    "one_more",
    "back_soon",
    "good_game",
    "bye",
)
OPTION_RULES = {name: option.rule for name, option in house_options.OPTIONS.items()}  # the rule that each is about
REACTIONS = ("clap", "laugh", "wow", "sad", "love", "fire", "flag", "ball")
ERRORS = (  # every code of an ErrorNote or a Refused message
    "bad_house_rules",
    "bad_request",
    "bad_seed",
    "bad_variant",
    "bad_way",
    "banned",
    "by_turns",
    "chat_empty",
    "chat_off",
    "chat_too_long",
    "claim_too_early",
    "coach_busy",
    "game_gone",
    "game_too_long",
    "garbage",
    "hello_first",
    "hole_gone",
    "host_not_gone",
    "id_too_long",
    "impossible_table",
    "knocked_enough",
    "match_full",
    "name_empty",
    "name_taken",
    "name_too_long",
    "no_hints",
    "no_hole_over",
    "no_lesson",
    "no_passkeys",
    "no_push",
    "no_such_game",
    "no_such_knock",
    "no_such_language",
    "no_such_offer",
    "no_such_phrase",
    "no_such_player",
    "no_such_position",
    "no_such_reaction",
    "no_such_seat",
    "not_absent",
    "not_long_absent",
    "not_found",
    "not_legal",
    "not_now",
    "not_owner",
    "not_seated",
    "not_your_seat",
    "not_your_turn",
    "nothing_to_decide",
    "nothing_to_take_back",
    "old_client",
    "overloaded",
    "practice_only",
    "real_cards",
    "removed",
    "restarting",
    "seat_taken",
    "seats_open",
    "server_fault",
    "shown_out",
    "starting",
    "table_closed",
    "table_full",
    "table_gone",
    "table_unreadable",
    "too_fast",
    "too_many",
    "too_many_links",
    "too_many_passkeys",
    "too_many_ways",
    "too_much_talk",
    "variant_too_long",
    "watching",
    "wrong_code",
    "wrong_host",
    "wrong_move",
    "wrong_passkey",
    "wrong_seat_count",
    "wrong_words",
)

Pace = Literal["slow", "normal", "fast", "instant"]
Holes = Literal[0, 1, 3, 9, 18]  # in a match; 0 means the number in the game's rules
Tempo = Literal["family", "quick", "day", "three_days", "week"]  # the timeouts of a table, see time_limits.py
TURN_HOURS: dict[Tempo, int] = {"day": 24, "three_days": 72, "week": 168}  # at tables by turns, in running hours
Phase = Literal["lobby", "draw", "tee_off", "take", "place", "flip", "reveal", "hole_over", "over"]
SeatKind = Literal["person", "computer", "open"]
WishKind = Literal["me", "here", "friend", "computer"]
Where = Literal["here", "elsewhere", "away"]  # elsewhere: connected, but all pages are hidden
LentWhy = Literal["asked", "absent", "clock", "agreed"]
ClockWhy = Literal["absent", "left", "turn", "days", "hole", "match", ""]  # days: a turn at a table by turns
KnockState = Literal["waiting", "no", "unanswered"]
PartKind = Literal["cards", "line", "bonus", "penalty"]
Phrase = str  # one of PHRASES
Reaction = str  # one of REACTIONS
Params = dict[str, str | int | list[str | int]]


class Message(msgspec.Struct, tag_field="is", tag=True, gc=False):
    """A WebSocket message; the field `is` contains the name of its struct."""


class Thing(msgspec.Struct, gc=False):
    """A part of messages, or the body of an HTTP request or response."""


# HTTP: the error response --------------------------------------------------------------------------


class ErrorNote(Thing):
    """An error response: an error code and its parameters, which the client translates."""

    error: str
    params: Params = {}
