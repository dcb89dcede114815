"""A reference opponent: plays by a book that knows only the own layout and the number of the turn.

It neither looks at the others nor counts cards. Without a book it plays like `greedy`.
"""

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.moves import may_decline
from mulligan.engine.state import PASS, Phase, is_last_turn
from mulligan.players.values.layout_table import SIGNS, is_written

from .book_turn import SIGHT, choose_seen, choose_tee, count_on_pack, lose_patience, see_places
from .declining import can_only_cost
from .greedy import GREEDY
from .look_ahead import choose_by as choose_by_traits


@compiled
def choose(rules, match, state, dice, books):
    return choose_by(rules, state, books.plain)


@compiled_with_arrays
def choose_by(rules, state, pages):
    if not is_written(pages):
        return choose_by_traits(GREEDY, rules, state)
    return choose_seen_by(rules, state, pages, np.zeros(1, SIGHT))


@compiled
def choose_seen_by(rules, state, pages, sights):
    """The move; `sights` is an array because a compiled record lives only as long as its array."""
    sight = sights[0]
    count_on_pack(rules, sight)
    if state.phase == Phase.TEE_OFF:
        return choose_tee(rules, state, pages, sight.under)
    sign = min(turn_number(rules, state), SIGNS - 1)
    see_places(rules, pages, sign, state.players[state.turn], is_last_turn(state), mean_of_pack(rules, sight), sight)
    lose_patience(rules, state, sight)
    if state.phase == Phase.TAKE and may_decline(rules, state) and can_only_cost(rules, state):
        return PASS
    for face in range(rules.faces):
        sight.closing[face] = -pages.facts[0].closing[sign]
    return choose_seen(rules, state, sight)


@compiled
def turn_number(rules, state):
    """The number of the current turn among those of its player, from 0."""
    return state.turns // state.seats - rules.tee_off_before_play


@compiled
def mean_of_pack(rules, sight):
    mean = 0.0
    for face in range(rules.faces):
        mean += sight.under[face] * rules.points[face]
    return mean
