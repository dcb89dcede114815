"""Copies positions, and says which layouts and moves are equivalent."""

from mulligan.engine.compiled import compiled
from mulligan.engine.rules import MAX_SLOTS, line_of, lines_cross, slot_in_line
from mulligan.engine.state import NOBODY, Phase


@compiled
def layout_code(rules, layout, lines):
    """A number for the layout, five bits a card.

    The order of the lines and within a line means nothing (5.2), so different ways lead to the same number.
    """
    code = 0
    if lines_cross(rules):
        for slot in range(rules.slots):
            code = (code << 5) + layout[slot] + 2
        return code
    for line in range(rules.lines):
        lines[line] = line_code(rules, layout, line)
        place = line
        while place and lines[place] < lines[place - 1]:
            lines[place], lines[place - 1] = lines[place - 1], lines[place]
            place -= 1
    for line in range(rules.lines):
        code = (code << 5 * rules.line_length) + lines[line]
    return code


@compiled
def line_code(rules, layout, line):
    """The faces of a line in descending order as one number, five bits each; 1 is a hidden card."""
    code = 0
    for place in range(rules.line_length):
        face = layout[slot_in_line(rules, line, place)] + 2
        lower = code
        shift = 0
        while lower and lower & 31 < face:
            lower >>= 5
            shift += 5
        code = (lower << shift + 5) + (face << shift) + (code & (1 << shift) - 1)
    return code


@compiled
def first_twin(rules, state, move):
    """The first move with the same effect by the symmetry of the layout (5.2), or the move itself."""
    if move >= rules.slots or state.turn == NOBODY or lines_cross(rules):
        return move
    if state.phase == Phase.TEE_OFF and rules.tee_off_place:  # 2.4 what is equal for the points is not for this rule
        return move
    layout = state.players[state.turn].layout
    line = line_code(rules, layout, line_of(rules, move))
    for slot in range(move):
        if layout[slot] == layout[move] and line_code(rules, layout, line_of(rules, slot)) == line:
            return slot
    return move


@compiled
def copy_state(state, copy):
    """Field by field: whole records are copied much more slowly."""
    for seat in range(state.seats):
        player, other = state.players[seat], copy.players[seat]
        for slot in range(MAX_SLOTS):
            other.layout[slot] = player.layout[slot]
        other.hidden = player.hidden
        other.points = player.points
    for face in range(len(state.unseen)):
        copy.unseen[face] = state.unseen[face]
        copy.stock[face] = state.stock[face]
    copy.renewed = state.renewed
    copy.stock_left = state.stock_left
    copy.discard = state.discard
    copy.held = state.held
    copy.held_from_stock = state.held_from_stock
    copy.awaited = state.awaited
    copy.phase = state.phase
    copy.seats = state.seats
    copy.dealer = state.dealer
    copy.first = state.first
    copy.turn = state.turn
    copy.closer = state.closer
    copy.turns = state.turns
