"""A reference opponent: plays by a book that knows its own layout and the number of its turn, and nothing else.

It neither looks at the others nor counts cards. While no book is written it plays as `greedy` does.
"""

import numpy as np

from ..engine.compiled import compiled
from ..engine.state import Phase, is_last_turn
from .greedy import choose as choose_greedily
from .one_turn import SIGHT, choose_seen, choose_tee, count_on_pack, lose_patience, see_places
from .pages import SIGNS, is_written


@compiled
def choose(rules, state, books):
    pages = books.plain
    if not is_written(pages):
        return choose_greedily(rules, state, np.zeros(1, np.int64))
    return choose_seen_by(rules, state, pages, np.zeros(1, SIGHT))


@compiled
def choose_seen_by(rules, state, pages, sights):
    """The move, with room for what is seen: compiled, a record lives only as long as the array it is in."""
    sight = sights[0]
    count_on_pack(rules, sight)
    if state.phase == Phase.TEE_OFF:
        return choose_tee(rules, state, pages, sight.under)
    sign = min(turn_number(rules, state), SIGNS - 1)
    see_places(rules, pages, sign, state.players[state.turn], is_last_turn(state), mean_of_pack(rules, sight), sight)
    lose_patience(rules, state, sight)
    for face in range(rules.faces):
        sight.closing[face] = -pages.facts[0].closing[sign]
    return choose_seen(rules, state, sight)


@compiled
def turn_number(rules, state):
    """Which turn of his it is for the player who is on turn, from 0."""
    return state.turns // state.seats - rules.tee_off_before_play


@compiled
def mean_of_pack(rules, sight):
    mean = 0.0
    for face in range(rules.faces):
        mean += sight.under[face] * rules.points[face]
    return mean
