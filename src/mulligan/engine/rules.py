"""The rules in which two variants differ, one line each, under their numbers in the rule book."""

from .compiled import compiled, record

MAX_SEATS = 8
MAX_SLOTS = 12
MAX_FACES = 16
MAX_LINES = 12

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
        ("tee_off_before_play", "i1"),  # 2.4 by everybody before any turn, or by each in their first turn
        ("may_discard_drawn", "i1"),  # 3.3 a card from the stock need not be placed
        ("discard_ends_turn", "i1"),  # 3.3 nothing is turned up after discarding the drawn card
        ("may_leave_last", "i1"),  # 3.4 the last card may stay face down
        ("has_last_turns", "i1"),  # 4.2 each of the others has one more turn
        ("may_decline_last_turn", "i1"),  # 4.2 a last turn is a right, not a duty
        ("points", "i1", MAX_FACES),  # 5.1 what a card costs
        ("lines_are_columns", "i1"),  # 5.2 columns match, or rows
        ("lines", "i1"),
        ("line_length", "i1"),
        ("line_points", "i1", MAX_FACES),  # 5.2, 5.3 what a matched line of a face costs
        ("bonus", "i1", MAX_LINES + 1),  # 5.4, 5.5 what so many matched lines of one face earn
        ("bonus_replaces", "i1"),  # 5.4 in place of what the lines cost, or on top of it
        ("closer_penalty", "i1"),  # 5.6 for each player who beats the closer
        ("holes", "i1"),  # 6.1 holes in a match
        ("playoff", "i1"),  # 6.3 those level play on, or share the win
    ]
)


@compiled
def slot_in_line(rules, line, place):
    """Slots are counted row by row, from the top left."""
    if rules.lines_are_columns:
        return line + place * rules.columns
    return line * rules.columns + place


@compiled
def line_of(rules, slot):
    return slot % rules.columns if rules.lines_are_columns else slot // rules.columns
