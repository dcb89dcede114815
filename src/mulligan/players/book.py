"""Plays by a book of layout values, looked up by the own layout and the state of the others.

It counts cards, considers what a discard gives the next player, and calculates the others' last turns
before it closes. Without a book it plays like `greedy`.
"""

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.scoring import cost
from mulligan.engine.state import NOBODY, Phase, is_last_turn, left_of
from mulligan.players.values.expected_reveal import mean_unseen
from mulligan.players.values.layout_table import MOST_EDGES, STEPS, is_written

from .book_turn import (
    SIGHT,
    best_place,
    choose_seen,
    choose_tee,
    count_cards,
    lose_patience,
    see_places,
    see_unknown,
    value_of_stock,
)
from .greedy import GREEDY
from .look_ahead import choose_by as choose_by_traits


@compiled
def choose(rules, match, state, dice, books):
    return choose_by(rules, state, books.book)


@compiled_with_arrays
def choose_by(rules, state, pages):
    if not is_written(pages):
        return choose_by_traits(GREEDY, rules, state)
    return choose_seen_by(rules, state, pages, np.zeros(2, SIGHT))


@compiled
def choose_seen_by(rules, state, pages, sights):
    """The move; `sights` has room for what this player sees and what the next player will see.

    Compiled, a record lives only as long as the array it is in: so the array comes from the caller.
    """
    sight, theirs = sights[0], sights[1]
    count_cards(rules, state, sight)
    if state.phase == Phase.TEE_OFF:
        return choose_tee(rules, state, pages, sight.under)
    sign = sign_of(rules, state, int(state.turn), pages.facts[0])
    hidden_points = mean_unseen(rules, state)
    see_places(rules, pages, sign, state.players[state.turn], is_last_turn(state), hidden_points, sight)
    lose_patience(rules, state, sight)
    if is_last_turn(state):
        see_closer_pay(rules, state, sight)
    see_discards(rules, state, pages, hidden_points, sight, theirs)
    return choose_seen(rules, state, sight)


@compiled
def sign_of(rules, state, seat, facts):
    """The column of the book for a seat: how many face-down cards the fastest opponent has, and the best points."""
    fewest, best = others_show(rules, state, seat)
    step = max(0, min(fewest, STEPS) - 1)
    sign = facts.first_sign[step]
    for nth in range(MOST_EDGES):
        sign += best > facts.edges[step, nth]
    return sign


@compiled
def others_show(rules, state, seat):
    """How many cards the fastest of the others has face down, and the points of the best as they lie."""
    fewest, best = rules.slots, 1e9
    hidden_points = mean_unseen(rules, state)
    for other in range(state.seats):
        if other != seat:
            fewest = min(fewest, state.players[other].hidden)
            best = min(best, cost(rules, state.players[other].layout, hidden_points))
    return fewest, best


@compiled
def see_closer_pay(rules, state, sight):
    """Adds the penalty of the closer for each player who ends lower, as the others' mean sees it (5.6)."""
    points = cost(rules, state.players[state.closer].layout, 0)
    pays = rules.closer_penalty / (state.seats - 1)
    sight.as_is -= pays * (sight.as_is < points)
    for slot in range(rules.slots):
        for face in range(rules.faces):
            sight.placed[slot, face] -= pays * (sight.placed[slot, face] < points)


@compiled
def see_discards(rules, state, pages, hidden_points, sight, theirs):
    """Fills `left` and `closing`: what each discard gives the next player, as a part of the others' mean.

    Before the hole is closed only what it gains on the usual card counts, the book knows the rest.
    """
    if state.phase == Phase.FLIP and state.players[state.turn].hidden > 1:
        return  # the card lies there already
    others = state.seats - 1
    following = int(left_of(state, state.turn))
    if is_last_turn(state):
        if following != state.closer:
            see_last_turn(rules, state, following, hidden_points, sight, theirs)
            for face in range(rules.faces):
                sight.left[face] = -theirs.left[face] / others
        return
    sign = sign_of(rules, state, following, pages.facts[0])
    see_places(rules, pages, sign, state.players[following], is_last_turn(state), hidden_points, theirs)
    see_gains(rules, state, following, pages.facts[0], sign, sight, theirs)
    for face in range(rules.faces):
        sight.left[face] = -theirs.left[face] / others
    if state.players[state.turn].hidden == 1:
        rest = 0.0
        for seat in range(state.seats):
            if seat != state.turn and seat != following:
                rest += see_last_turn(rules, state, seat, hidden_points, sight, theirs)
        see_last_turn(rules, state, following, hidden_points, sight, theirs)
        for face in range(rules.faces):
            sight.closing[face] = -(theirs.left[face] + rest) / others


@compiled
def see_last_turn(rules, state, seat, hidden_points, sight, theirs):
    """What a seat will score if this is its last turn: for each card on the discard pile, and on average."""
    player = state.players[seat]
    as_is = cost(rules, player.layout, hidden_points)
    stock = 0.0
    for face in range(rules.faces):
        best = 1e9
        for slot in range(rules.slots):
            old_face = player.layout[slot]
            player.layout[slot] = face
            best = min(best, cost(rules, player.layout, hidden_points))
            player.layout[slot] = old_face
        theirs.left[face] = best
        stock += sight.stock[face] * (min(best, as_is) if rules.may_discard_drawn else best)
    otherwise = min(stock, as_is) if rules.may_decline_last_turn else stock  # 4.2
    mean = 0.0
    for face in range(rules.faces):
        theirs.left[face] = min(theirs.left[face], otherwise)
        mean += sight.stock[face] * theirs.left[face]
    return mean


@compiled_with_arrays
def see_gains(rules, state, seat, facts, sign, sight, theirs):
    """What each card on the discard pile changes for the next player, against the cards that usually lie there."""
    turn, closer = state.turn, state.closer
    state.turn, state.closer = seat, NOBODY
    for face in range(rules.faces):
        theirs.stock[face], theirs.under[face] = sight.stock[face], sight.under[face]
        theirs.left[face], theirs.closing[face] = 0.0, -facts.closing[sign]
    see_unknown(rules, state.players[seat], theirs)
    stock = value_of_stock(rules, state, theirs)
    usual = 0.0
    gains = np.zeros(rules.faces)
    for face in range(rules.faces):
        gains[face] = min(stock, best_place(rules, state, theirs, face)[0])
        usual += facts.discards[sign, face] * gains[face]
    for face in range(rules.faces):
        theirs.left[face] = gains[face] - usual
    state.turn, state.closer = turn, closer
