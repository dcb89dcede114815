"""An exact search of one turn: every move and every card, by the engine's rules.

Positions after the turn are evaluated by `values.value`.
Values are expected strokes of each seat relative to the mean of the others: lower is better.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.chance import bag, bag_size
from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.moves import is_legal, play, turn_up
from mulligan.engine.rules import MAX_SLOTS, lines_cross
from mulligan.engine.state import MOVES, NOTHING, STATE, Phase
from mulligan.players.values.net import copy_numbers
from mulligan.players.values.turn_rows import TurnRows, blank_turn_rows
from mulligan.players.values.value import values_in_turn

from .positions import copy_state, first_twin, layout_code

TEE_OFF_CARDS = 3  # so many cards ahead when teeing off; a variant that turns up more is judged half-way
DEPTH = 8  # states in a row: two for a card, and a turn shows two and throws one away, or tees off with three
PLACES = 4093  # a prime; a turn of Play Nine ends in about 600 different positions
PROBES = 8  # places to look in before a position is judged again


class SearchStack(NamedTuple):
    """Work space of the search: a stack of states, the values at each level, and a table of evaluated positions."""

    states: np.ndarray  # [DEPTH] STATE: the position, and one step further each
    values: np.ndarray  # [DEPTH, seats]
    tried: np.ndarray  # [DEPTH] the last move or face that was tried in each
    cards: np.ndarray  # [DEPTH] how many cards the one awaited may be; 0 where a move is due
    after: np.ndarray  # [MOVES, seats] the values after each move of the position; inf if it is illegal
    keys: np.ndarray  # [PLACES, 2] the two numbers of an evaluated position, see `key_of`
    evaluated: np.ndarray  # [PLACES, seats] its values
    codes: np.ndarray  # [MAX_SLOTS] to sort lines in
    rows: TurnRows


@compiled_with_arrays
def values_of_turn(rules, net, state, values):
    """Fills `values` (float64, by seat) with the value of each seat if the player to move plays on optimally."""
    stack = blank_stack(rules, net, state)
    search_turn(rules, net, stack)
    values[:] = stack.values[0]


@compiled_with_arrays
def weigh(rules, net, state, move_values):
    """Fills `move_values` (float64, by move) with the mover's value after each move; inf if it is illegal."""
    stack = blank_stack(rules, net, state)
    search_turn(rules, net, stack)
    for move in range(MOVES):
        move_values[move] = stack.after[first_twin(rules, state, move), state.turn]


@compiled_with_arrays
def weigh_for_all(rules, net, state, table):
    """Fills `table` (float64, by move and seat) with the value of each seat after each move; inf if it is illegal."""
    stack = blank_stack(rules, net, state)
    search_turn(rules, net, stack)
    for move in range(MOVES):
        table[move] = stack.after[first_twin(rules, state, move)]


@compiled_with_arrays
def blank_stack(rules, net, state):
    seats = state.seats
    stack = SearchStack(
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
    copy_state(state, stack.states[0])
    return stack


@compiled
def search_turn(rules, net, stack):
    """Fills the values of the first level: the evaluation after the turn, the mean over cards, or the best move's.

    Works on a stack of levels. (Recursion would read better, but Numba cannot cache it.)
    """
    level = 0
    if is_leaf(rules, stack, level):
        evaluate(rules, net, stack, level)
        return
    enter(rules, stack, level)
    while level >= 0:
        if try_next(rules, stack, level):
            level += 1
            if not is_leaf(rules, stack, level):
                enter(rules, stack, level)
                continue
            evaluate(rules, net, stack, level)
        level -= 1
        if level >= 0:
            back_up(stack, level)


@compiled
def enter(rules, stack, level):
    """Starts a level: nothing has been tried yet."""
    state = stack.states[level]
    stack.tried[level] = -1
    stack.cards[level] = 0 if state.awaited == NOTHING else bag_size(rules, bag(state))
    stack.values[level] = 0.0 if stack.cards[level] else np.inf


@compiled
def try_next(rules, stack, level):
    """Tries the next move, or the next card that may come, on a copy one level further; False after the last."""
    state, further = stack.states[level], stack.states[level + 1]
    option = stack.tried[level] + 1
    while option < MOVES and not is_option(rules, state, option):
        option += 1
    stack.tried[level] = option
    if option == MOVES:
        return False
    copy_state(state, further)
    if state.awaited == NOTHING:
        play(rules, further, option)
    else:
        turn_up(rules, further, option)
    return True


@compiled
def is_option(rules, state, option):
    """Whether that move is legal and the first of its kind, or that face may come."""
    if state.awaited == NOTHING:
        return is_legal(rules, state, option) and first_twin(rules, state, option) == option
    return option < rules.faces and bag(state)[option] > 0


@compiled
def back_up(stack, level):
    """Adds the result of the last try: a card by its probability, a move if it is the best so far."""
    state, option = stack.states[level], stack.tried[level]
    values, beyond = stack.values[level], stack.values[level + 1]
    if stack.cards[level]:
        share = bag(state)[option] / stack.cards[level]
        for seat in range(len(values)):
            values[seat] += beyond[seat] * share
        return
    if beyond[state.turn] < values[state.turn]:
        copy_numbers(beyond, values)
    if level == 0:
        copy_numbers(beyond, stack.after[option])


@compiled
def is_leaf(rules, stack, level):
    """Whether to evaluate here: the turn or the hole is over, or enough cards have been turned up."""
    state = stack.states[level]
    if level == 0 or state.phase == Phase.OVER:
        return state.phase == Phase.OVER
    if state.turns != stack.states[0].turns or state.phase == Phase.REVEAL:
        return True
    if state.awaited != NOTHING:
        return False
    return state.phase == Phase.TAKE or (state.phase == Phase.TEE_OFF and level >= 2 * tee_off_cards(rules))


@compiled
def tee_off_cards(rules):
    """How many cards ahead to look when teeing off; without twins, three would lead to far too many positions."""
    return 1 if lines_cross(rules) else TEE_OFF_CARDS


@compiled
def evaluate(rules, net, stack, level):
    """Evaluates the position of a level, or takes the values from the table of evaluated positions."""
    layout_number, rest_code = key_of(rules, stack, level)
    place = (layout_number % PLACES * 31 + rest_code) % PLACES
    for _ in range(PROBES):
        if stack.keys[place, 0] == 0:
            break
        if stack.keys[place, 0] == layout_number and stack.keys[place, 1] == rest_code:
            copy_numbers(stack.evaluated[place], stack.values[level])
            return
        place = (place + 1) % PLACES
    me = np.int64(stack.states[0].turn)
    values_in_turn(rules, net, stack.states[level], me, stack.rows, stack.values[level])
    if stack.keys[place, 0] == 0:
        stack.keys[place, 0], stack.keys[place, 1] = layout_number, rest_code
        copy_numbers(stack.values[level], stack.evaluated[place])


@compiled
def key_of(rules, stack, level):
    """Two numbers that tell apart the positions one turn can lead to.

    Within a turn only the mover's layout, the discard, the closer and the cards drawn change. At most one
    card of a new stock (2.6) is drawn, so the sum of its faces says which.
    """
    state = stack.states[level]
    faces = 0
    for face in range(rules.faces):
        faces += face * state.stock[face]
    rest_code = ((faces * 512 + state.stock_left) * 32 + state.discard + 1) * 16 + state.closer + 1
    return layout_code(rules, state.players[stack.states[0].turn].layout, stack.codes), rest_code
