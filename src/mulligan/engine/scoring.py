"""What a layout costs (5)."""

from .compiled import compiled
from .rules import slot_in_line
from .state import HIDDEN, NOBODY

NO_MATCH = -2  # in place of a face: the line does not match


@compiled
def cost(rules, layout, hidden_points):
    """What the cards cost together, if each card still face down costs `hidden_points`."""
    total = 0 * hidden_points
    for line in range(rules.lines):
        face = matched_face(rules, layout, line)
        if face == NO_MATCH:
            total += cards_cost(rules, layout, line, hidden_points)
        elif is_first_match(rules, layout, line, face):
            total += lines_cost(rules, face, count_lines(rules, layout, face))
    return total


@compiled
def matched_face(rules, layout, line):
    """The face that fills the line, or NO_MATCH (5.2)."""
    face = layout[slot_in_line(rules, line, 0)]
    if face == HIDDEN:
        return NO_MATCH
    for place in range(1, rules.line_length):
        if layout[slot_in_line(rules, line, place)] != face:
            return NO_MATCH
    return face


@compiled
def is_first_match(rules, layout, line, face):
    for earlier in range(line):
        if matched_face(rules, layout, earlier) == face:
            return False
    return True


@compiled
def count_lines(rules, layout, face):
    """How many lines match in that face; they need not be neighbours (5.4)."""
    lines = 0
    for line in range(rules.lines):
        if matched_face(rules, layout, line) == face:
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
