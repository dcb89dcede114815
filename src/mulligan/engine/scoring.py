"""What a layout costs (5)."""

from .compiled import compiled
from .rules import line_of, lines_cross, slot_in_line
from .state import ANY_FACE, HIDDEN, NO_MATCH, NOBODY


@compiled
def cost(rules, layout, hidden_points):
    """What the cards cost together, if each card still face down costs `hidden_points`."""
    if lines_cross(rules):
        return cost_where_lines_cross(rules, layout, hidden_points)
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
    face = layout[slot_in_line(rules, line, 0)]
    for place in range(1, rules.line_length):
        if layout[slot_in_line(rules, line, place)] != face:
            return NO_MATCH
    return NO_MATCH if face == HIDDEN else face


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
def missing_face(rules, layout, line, slot):
    """The face that a card on the slot needs to complete the line, or NO_MATCH (5.2)."""
    face = layout[slot]
    layout[slot] = HIDDEN
    wanted, hidden = wanted_face(rules, layout, line)
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

    There are at most twelve lines of cards: counting them again is cheaper than a table.
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
        total += card_cost(rules, layout[slot_in_line(rules, line, place)], hidden_points)
    return total


@compiled
def card_cost(rules, face, hidden_points):
    """What a card costs by itself (5.1)."""
    return hidden_points if face == HIDDEN else rules.points[face]


@compiled
def is_matched(rules, layout, slot):
    """Whether the card on the slot is part of a matched line or square (5.2, 5.4)."""
    if lines_cross(rules):
        return bool(matched_slots(rules, layout) >> slot & 1)
    return line_face(rules, layout, line_of(rules, slot)) != NO_MATCH


@compiled
def cost_where_lines_cross(rules, layout, hidden_points):
    """A card in several lines counts once, and costs nothing (5.2). One square of equal cards earns more (5.4)."""
    total = 0 * hidden_points
    matched = matched_slots(rules, layout)
    for slot in range(rules.slots):
        if not matched >> slot & 1:
            total += card_cost(rules, layout[slot], hidden_points)
    return total + rules.block_points * has_block(rules, layout)


@compiled
def matched_slots(rules, layout):
    """The slots of the matched lines and squares, as a set of bits (5.2, 5.4)."""
    slots = 0
    for line in range(rules.lines):
        if line_face(rules, layout, line) != NO_MATCH:
            slots |= slots_of_line(rules, line)
    if rules.block_points:
        for block in range(blocks(rules)):
            if is_block(rules, layout, block):
                slots |= slots_of_block(rules, block)
    return slots


@compiled
def slots_of_line(rules, line):
    """The slots of the line as a set of bits."""
    slots = 0
    for place in range(rules.line_length):
        slots |= 1 << slot_in_line(rules, line, place)
    return slots


@compiled
def blocks(rules):
    """How many squares of four slots the layout has (5.4)."""
    return (rules.rows - 1) * (rules.columns - 1)


@compiled
def first_of_block(rules, block):
    """The top left slot of the square (5.4)."""
    return block // (rules.columns - 1) * rules.columns + block % (rules.columns - 1)


@compiled
def slots_of_block(rules, block):
    """The four slots of the square as a set of bits (5.4)."""
    return (0b11 << rules.columns | 0b11) << first_of_block(rules, block)


@compiled
def is_block(rules, layout, block):
    """Whether the four cards of the square are equal (5.4)."""
    first = first_of_block(rules, block)
    below = first + rules.columns
    face = layout[first]
    return face != HIDDEN and face == layout[first + 1] == layout[below] == layout[below + 1]


@compiled
def has_block(rules, layout):
    """Whether there is a square of four equal cards; more than one earn no more (5.4)."""
    if rules.block_points:
        for block in range(blocks(rules)):
            if is_block(rules, layout, block):
                return True
    return False


@compiled
def is_cleared(rules, player, slot):
    """Whether the card on the slot has left the layout with its line (3.7).

    The layout keeps its face, which no longer counts (5.2).
    """
    return rules.lines_clear and is_matched(rules, player.layout, slot)


@compiled
def settle(rules, state):
    """Writes down what the hole cost each player, the closer's penalty last (5.6)."""
    for seat in range(state.seats):
        player = state.players[seat]
        player.points = cost(rules, player.layout, 0)
    if state.closer != NOBODY:
        points = state.players[state.closer].points
        state.players[state.closer].points += penalty(rules, points, count_beating(rules, state, points))


@compiled
def against_the_field(points):
    """From everyone's points, by seat, to everyone's distance from the mean of the others."""
    total = 0.0
    for seat in range(len(points)):
        total += points[seat]
    for seat in range(len(points)):
        points[seat] = beyond_others(points[seat], total, len(points))


@compiled
def beyond_others(points, total, seats):
    """By how much these points are more than the mean of the others, if so many seats have `total` together."""
    return points - (total - points) / (seats - 1)


@compiled
def count_beating(rules, state, points):
    """How many players beat a closer with so many points, before any penalty (5.6)."""
    count = 0
    for seat in range(state.seats):
        if seat != state.closer:
            count += beats(rules, state.players[seat].points, points)
    return count


@compiled
def beats(rules, points, closer_points):
    """Whether a player with these points beats the closer (5.6)."""
    return points < closer_points or (rules.ties_beat_closer and points == closer_points)


@compiled
def penalty(rules, points, beaten_by):
    """What a closer with these points pays if so many players beat them (5.6)."""
    if not beaten_by:
        return 0 * points
    times = 1 if rules.penalty_once else beaten_by
    return rules.closer_penalty * times + (rules.penalty_factor - 1) * max(0 * points, points)


@compiled
def has_penalty(rules):
    """Whether closing may cost anything (5.6)."""
    return rules.closer_penalty != 0 or rules.penalty_factor != 1
