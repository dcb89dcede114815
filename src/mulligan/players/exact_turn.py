"""An exact search of one turn: every move and every card, by the engine's rules.

Positions after the turn are evaluated by `values.value`.
Values are expected strokes of each seat relative to the mean of the others: lower is better.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.chance import bag, bag_size
from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.moves import is_legal, play, turn_up
from mulligan.engine.rules import MAX_SLOTS, line_of, lines_cross, slot_in_line
from mulligan.engine.state import MOVES, NOBODY, NOTHING, STATE, Phase
from mulligan.players.values.turn_rows import TurnRows, blank_turn_rows
from mulligan.players.values.value import values_in_turn

TEE_OFF_CARDS = 3  # so many cards ahead when teeing off; a variant that turns up more is judged half-way
DEPTH = 8  # states in a row: two for a card, and a turn shows two and throws one away, or tees off with three
PLACES = 4093  # a prime; a turn of Play Nine ends in about 600 different positions
PROBES = 8  # places to look in before a position is judged again


class Desk(NamedTuple):
    """Work space of the search: a stack of states, the values at each level, and a table of evaluated positions."""

    states: np.ndarray  # [DEPTH] STATE: the position, and one step further each
    values: np.ndarray  # [DEPTH, seats]
    tried: np.ndarray  # [DEPTH] the last move or face that was tried in each
    cards: np.ndarray  # [DEPTH] how many cards the one awaited may be; 0 where a move is due
    after: np.ndarray  # [MOVES, seats] the values after each move of the position; inf if it is illegal
    known: np.ndarray  # [PLACES, 2] the position's two numbers, see `note_of`
    judged: np.ndarray  # [PLACES, seats] its values
    codes: np.ndarray  # [MAX_SLOTS] to sort lines in
    rows: TurnRows


@compiled_with_arrays
def values_of_turn(rules, state, net, values):
    """Fills `values` (float64, by seat) with the value of each seat if the player to move plays on optimally."""
    desk = lay_out(rules, state, net)
    look(rules, desk, net)
    values[:] = desk.values[0]


@compiled_with_arrays
def weigh(rules, state, net, move_values):
    """Fills `move_values` (float64, by move) with the mover's value after each move; inf if it is illegal."""
    desk = lay_out(rules, state, net)
    look(rules, desk, net)
    for move in range(MOVES):
        move_values[move] = desk.after[first_twin(rules, state, move), state.turn]


@compiled_with_arrays
def weigh_for_all(rules, state, net, table):
    """Fills `table` (float64, by move and seat) with the value of each seat after each move; inf if it is illegal."""
    desk = lay_out(rules, state, net)
    look(rules, desk, net)
    for move in range(MOVES):
        table[move] = desk.after[first_twin(rules, state, move)]


@compiled_with_arrays
def lay_out(rules, state, net):
    seats = state.seats
    desk = Desk(
        np.zeros(DEPTH, STATE),
        np.zeros((DEPTH, seats)),
        np.zeros(DEPTH, np.int64),
        np.zeros(DEPTH, np.int64),
        np.full((MOVES, seats), np.inf),
        np.zeros((PLACES, 2), np.int64),
        np.empty((PLACES, seats)),
        np.zeros(MAX_SLOTS, np.int64),
        blank_turn_rows(rules, net, state),
    )
    copy_state(state, desk.states[0])
    return desk


@compiled
def look(rules, desk, net):
    """Fills the values of the first level: the evaluation after the turn, the mean over cards, or the best move's.

    Works on a stack of levels. (Recursion would read better, but Numba cannot cache it.)
    """
    level = 0
    if is_far_enough(rules, desk, level):
        judge(rules, desk, level, net)
        return
    arrive(rules, desk, level)
    while level >= 0:
        if go_on(rules, desk, level):
            level += 1
            if not is_far_enough(rules, desk, level):
                arrive(rules, desk, level)
                continue
            judge(rules, desk, level, net)
        level -= 1
        if level >= 0:
            take_up(desk, level)


@compiled
def arrive(rules, desk, level):
    """Starts a level: nothing has been tried yet."""
    state = desk.states[level]
    desk.tried[level] = -1
    desk.cards[level] = 0 if state.awaited == NOTHING else bag_size(rules, bag(state))
    desk.values[level] = 0.0 if desk.cards[level] else np.inf


@compiled
def go_on(rules, desk, level):
    """Tries the next move, or the next card that may come, on a copy one level further; False after the last."""
    state, further = desk.states[level], desk.states[level + 1]
    option = desk.tried[level] + 1
    while option < MOVES and not is_open(rules, state, option):
        option += 1
    desk.tried[level] = option
    if option == MOVES:
        return False
    copy_state(state, further)
    if state.awaited == NOTHING:
        play(rules, further, option)
    else:
        turn_up(rules, further, option)
    return True


@compiled
def is_open(rules, state, option):
    """Whether that move is legal and the first of its kind, or that face may come."""
    if state.awaited == NOTHING:
        return is_legal(rules, state, option) and first_twin(rules, state, option) == option
    return option < rules.faces and bag(state)[option] > 0


@compiled_with_arrays
def take_up(desk, level):
    """Adds the result of the last try: a card by its probability, a move if it is the best so far."""
    state, option = desk.states[level], desk.tried[level]
    values, beyond = desk.values[level], desk.values[level + 1]
    if desk.cards[level]:
        values += beyond * (bag(state)[option] / desk.cards[level])
        return
    if beyond[state.turn] < values[state.turn]:
        values[:] = beyond
    if level == 0:
        desk.after[option] = beyond


@compiled
def is_far_enough(rules, desk, level):
    """Whether to evaluate here: the turn or the hole is over, or enough cards have been turned up."""
    state = desk.states[level]
    if level == 0 or state.phase == Phase.OVER:
        return state.phase == Phase.OVER
    if state.turns != desk.states[0].turns or state.phase == Phase.REVEAL:
        return True
    if state.awaited != NOTHING:
        return False
    return state.phase == Phase.TAKE or (state.phase == Phase.TEE_OFF and level >= 2 * tee_off_cards(rules))


@compiled
def tee_off_cards(rules):
    """How many cards ahead to look when teeing off; without twins, three would lead to far too many positions."""
    return 1 if lines_cross(rules) else TEE_OFF_CARDS


@compiled_with_arrays
def judge(rules, desk, level, net):
    """Evaluates the position of a level, or takes the values from the table of evaluated positions."""
    layout_number, rest_code = note_of(rules, desk, level)
    place = (layout_number % PLACES * 31 + rest_code) % PLACES
    for _ in range(PROBES):
        if desk.known[place, 0] == 0:
            break
        if desk.known[place, 0] == layout_number and desk.known[place, 1] == rest_code:
            desk.values[level] = desk.judged[place]
            return
        place = (place + 1) % PLACES
    me = np.int64(desk.states[0].turn)
    values_in_turn(rules, net, desk.states[level], me, desk.rows, desk.values[level])
    if desk.known[place, 0] == 0:
        desk.known[place, 0], desk.known[place, 1] = layout_number, rest_code
        desk.judged[place] = desk.values[level]


@compiled
def note_of(rules, desk, level):
    """Two numbers that tell apart the positions one turn can lead to.

    Within a turn only the mover's layout, the discard, the closer and the cards drawn change. At most one
    card of a new stock (2.6) is drawn, so the sum of its faces says which.
    """
    state = desk.states[level]
    faces = 0
    for face in range(rules.faces):
        faces += face * state.stock[face]
    rest_code = ((faces * 512 + state.stock_left) * 32 + state.discard + 1) * 16 + state.closer + 1
    return layout_code(rules, state.players[desk.states[0].turn].layout, desk.codes), rest_code


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
