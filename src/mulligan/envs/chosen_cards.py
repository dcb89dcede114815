"""A hole whose cards are chosen from outside: for libraries in which chance is a player."""

from mulligan.engine.chance import bag, bag_size
from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.match import begin_match
from mulligan.engine.moves import abandon, is_too_long, play, turn_up
from mulligan.engine.state import NOTHING, Phase

from .playing import ask, begin_hole, clear, end_hole, may_play

CHANCE = -1  # who acts next, if it is no player
OVER = -4
IMPOSSIBLE = -9  # no such move, or no such card is left


@compiled
def deal_by(rules, kind, limit, tables, players, dealer):
    """Deals a hole. Returns who acts next."""
    table = tables[0]
    begin_match(rules[0], table.match, players)
    table.match.dealer = dealer
    clear(table)
    begin_hole(rules[0], table)
    return go_to_next(rules[0], kind, limit, table)


@compiled_with_arrays
def act(rules, kind, limit, tables, action):
    """Plays a move, or shows a card. Returns who acts next, or IMPOSSIBLE."""
    state = tables[0].state
    if state.awaited != NOTHING:
        if not (0 <= action < rules[0].faces and bag(state)[action]):
            return IMPOSSIBLE
        turn_up(rules[0], state, action)
    else:
        if not may_play(tables[0], action):
            return IMPOSSIBLE
        play(rules[0], state, action)
    return go_to_next(rules[0], kind, limit, tables[0])


@compiled
def go_to_next(rules, kind, limit, table):
    state = table.state
    table.legal = 0
    if is_too_long(state, limit):
        abandon(rules, state)
    if state.awaited != NOTHING:
        return CHANCE
    if state.phase == Phase.OVER:
        end_hole(rules, kind, table)
        return OVER
    ask(rules, table)
    return 1 * table.player


@compiled_with_arrays
def odds(rules, tables, chances):
    """Fills how likely each face is for the awaited card: a float64 array of shape `(faces,)`."""
    counts = bag(tables[0].state)
    size = bag_size(rules[0], counts)
    for face in range(rules[0].faces):
        chances[face] = counts[face] / size
