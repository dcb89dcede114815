"""What a layout costs (5)."""

from .compiled import compiled
from .rules import line_of, slot_in_line
from .state import ANY_FACE, HIDDEN, NO_MATCH, NOBODY


@compiled
def cost(rules, layout, hidden_points):
    """What the cards cost together, if each card still face down costs `hidden_points`."""
    total = 0 * hidden_points  # a float if `hidden_points` is one: compiled sums keep one type
    for line in range(rules.lines):
        face = line_face(rules, layout, line)
        if face == NO_MATCH:
            total += cards_cost(rules, layout, line, hidden_points)
        elif is_first_match(rules, layout, line, face):
            total += lines_cost(rules, face, count_lines(rules, layout, face))
    return total


@compiled
def line_face(rules, layout, line):
    """The face that fills the line, or NO_MATCH (5.2)."""
    wanted, hidden = wanted_face(rules, layout, line)
    return NO_MATCH if hidden else wanted


@compiled
def wanted_face(rules, layout, line):
    """The face of all open cards of the line, and how many of its cards are face down (5.2).

    The face is ANY_FACE if every card is face down, and NO_MATCH if two open cards differ.
    """
    wanted, hidden = ANY_FACE, 0
    for place in range(rules.line_length):
        face = layout[slot_in_line(rules, line, place)]
        if face == HIDDEN:
            hidden += 1
        elif wanted == ANY_FACE:
            wanted = face
        elif wanted != face:
            wanted = NO_MATCH
    return wanted, hidden


@compiled
def missing_face(rules, layout, slot):
    """The face that a card on the slot needs to complete its line, or NO_MATCH (5.2)."""
    face = layout[slot]
    layout[slot] = HIDDEN
    wanted, hidden = wanted_face(rules, layout, line_of(rules, slot))
    layout[slot] = face
    return wanted if hidden == 1 else NO_MATCH


@compiled
def is_first_match(rules, layout, line, face):
    for earlier in range(line):
        if line_face(rules, layout, earlier) == face:
            return False
    return True


@compiled
def count_lines(rules, layout, face):
    """How many lines match in that face; they need not be neighbours (5.4).

    There are at most 12 lines: counting them again is cheaper than a table.
    """
    lines = 0
    for line in range(rules.lines):
        if line_face(rules, layout, line) == face:
            lines += 1
    return lines


@compiled
def lines_cost(rules, face, lines):
    """What so many matched lines of one face cost together."""
    if lines >= 2 and rules.bonus_replaces:  # 5.4 as written for nine-card golf
        return rules.bonus[lines]
    return lines * rules.line_points[face] + rules.bonus[lines]  # 5.2, 5.3; 5.4, 5.5


@compiled
def cards_cost(rules, layout, line, hidden_points):
    """The cards of a line that does not match, one by one (5.1)."""
    total = 0 * hidden_points
    for place in range(rules.line_length):
        face = layout[slot_in_line(rules, line, place)]
        total += hidden_points if face == HIDDEN else rules.points[face]
    return total


@compiled
def settle(rules, state):
    """Writes down what the hole cost each player, the closer's penalty last (5.6)."""
    for seat in range(state.seats):
        player = state.players[seat]
        player.points = cost(rules, player.layout, 0)
    if state.closer != NOBODY:
        state.players[state.closer].points += penalty(rules, state)


@compiled
def penalty(rules, state):
    """So much for every player with strictly fewer points than the closer, before any penalty (5.6)."""
    closer = state.players[state.closer]
    beaten_by = 0
    for seat in range(state.seats):
        if state.players[seat].points < closer.points:
            beaten_by += 1
    return rules.closer_penalty * beaten_by
