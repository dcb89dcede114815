"""The rules in which two variants differ, one line each, under their numbers in the rule book."""

from enum import IntEnum

from .compiled import compiled, record

MAX_SEATS = 8
MAX_SLOTS = 12
MAX_FACES = 16
MAX_LINES = 12


class TeeOff(IntEnum):
    """Where the cards turned up to begin with may lie (2.4)."""

    ANY = 0
    ONE_COLUMN = 1
    DIFFERENT_COLUMNS = 2
    EACH_ROW = 3


class OtherLines(IntEnum):
    """Which lines there are besides the columns or the rows (5.2)."""

    NONE = 0
    CROSSING = 1  # rows as well as columns
    DIAGONALS = 2  # these, and both diagonals


RULES = record(
    [
        ("least_seats", "i1"),  # 1.1 how many may play
        ("most_seats", "i1"),
        ("faces", "i1"),  # 1.2 how many different faces the pack has
        ("copies", "i1", MAX_FACES),  # 1.2 how many cards of each face
        ("rows", "i1"),  # 1.3 the layout
        ("columns", "i1"),
        ("slots", "i1"),
        ("tee_off", "i1"),  # 2.4 cards turned up to begin with
        ("tee_off_before_play", "i1"),  # 2.4 by everyone before any turn, or by each in their first turn
        ("tee_off_place", "i1"),  # 2.4 where these cards may lie: a TeeOff
        ("closer_starts", "i1"),  # 2.5 the player who closed the last hole has the first turn
        ("may_discard_drawn", "i1"),  # 3.3 a card from the stock need not be placed
        ("discard_ends_turn", "i1"),  # 3.3 nothing is turned up after discarding the drawn card
        ("may_leave_last", "i1"),  # 3.4 the last card may stay face down
        ("may_leave_any", "i1"),  # 3.4 any card may
        ("lines_clear", "i1"),  # 3.7 a matched line leaves the layout at once
        ("knock", "i1"),  # 3.8 with so many face-down cards or fewer, a player may close without taking
        ("has_last_turns", "i1"),  # 4.2 each of the others has one more turn
        ("may_decline_last_turn", "i1"),  # 4.2 a last turn is a right, not a duty
        ("points", "i1", MAX_FACES),  # 5.1 what a card costs
        ("lines_are_columns", "i1"),  # 5.2 columns match, or rows
        ("other_lines", "i1"),  # 5.2 further lines, which cross these: an OtherLines
        ("lines", "i1"),
        ("line_length", "i1"),
        ("line_slots", "i1", (MAX_LINES, MAX_SLOTS)),  # 5.2 the slots of each line
        ("line_points", "i1", MAX_FACES),  # 5.2, 5.3 what a matched line of a face costs
        ("bonus", "i1", MAX_LINES + 1),  # 5.4, 5.5 what so many matched lines of one face earn
        ("bonus_replaces", "i1"),  # 5.4 in place of what the lines cost, or on top of it
        ("block_points", "i2"),  # 5.4 what four equal cards in a square earn, once a layout; 0: there is no such rule
        ("closer_penalty", "i1"),  # 5.6 for each player who beats the closer
        ("penalty_once", "i1"),  # 5.6 not for each of them, but once
        ("penalty_factor", "i1"),  # 5.6 a beaten closer's points above 0 count so many times
        ("ties_beat_closer", "i1"),  # 5.6 as few points as the closer's are enough
        ("holes", "i1"),  # 6.1 holes in a match, at most
        ("until", "i2"),  # 6.1 the total that ends the match; 0: only `holes` does
        ("playoff", "i1"),  # 6.3 those level play on, or share the win
    ]
)


@compiled
def slot_in_line(rules, line, place):
    """Slots are counted row by row, from the top left."""
    return rules.line_slots[line, place]


@compiled
def line_of(rules, slot):
    """The only line of the slot; where lines cross, there are several (5.2)."""
    return slot % rules.columns if rules.lines_are_columns else slot // rules.columns


@compiled
def lines_cross(rules):
    """Whether a card may count in several lines or squares (5.2, 5.4)."""
    return rules.other_lines or rules.block_points
