"""Ranks the legal moves of a position by expected strokes, each with a reason, and finds what makes one worse."""

from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays, record
from mulligan.engine.moves import play
from mulligan.engine.state import DISCARD, MOVES, NOTHING, STATE, STOCK, Phase, is_last_turn
from mulligan.game.hole import Hole
from mulligan.game.notation import name_of_move
from mulligan.game.variants import Variant
from mulligan.players import net_files
from mulligan.players.exact_turn import weigh
from mulligan.players.positions import copy_state
from mulligan.players.values.brain import Brain
from mulligan.players.values.expected_reveal import expected_points

from .calibration import correct, corrections, counts_as_equal, stage, table_of
from .findings import CLOSE_CALL, RankedMove, Rated, only
from .reasons import REASON, completes_line, explain, explains, in_notation, next_player

RATING = record(
    [
        ("worth", "f8"),  # the strokes against the field after the move, as the net judges it
        ("loss", "f8"),  # what it costs against the best one, and the 95 % interval: nan if that is not known
        ("low", "f8"),
        ("high", "f8"),
        ("why", REASON),
        ("move", "i1"),
        ("place", "i1"),  # for taking the top discard: the best slot for it; else NOTHING
        ("equal", "i1"),  # whether it cannot be told apart from the best one
    ]
)


class Costs(NamedTuple):
    """What the moves of a position come to besides their values, by move; nan until `rate` needs it."""

    of_discard: np.ndarray
    points_after: np.ndarray
    after: np.ndarray  # [1] STATE: work space. An array whose record alone is passed on would be freed too early


def advise(hole: Hole, brain: Brain | None = None) -> list[Rated]:
    """Returns the legal moves of the player to move, best first; empty while a card is awaited or after the end.

    A move comes with the strokes that it loses against the best one and the reason (`Rated`), in which `player` is a
    seat. Values are by the installed net for these rules and so many seats, or the net given; without one, by expected
    points: see docs/analysis.md.
    """
    variant, state = hole.variant, hole.state
    brain = brain or net_files.coach_brain(variant.rules, int(state.seats))
    ratings, known = np.zeros(MOVES, RATING), table_of(corrections(variant.rules, brain, int(state.seats)))
    values, refined = np.zeros(MOVES), np.full(3, np.nan)
    count = rate(variant.rules, brain.net, state, NOTHING, CLOSE_CALL, values, known, refined, ratings)
    phase, closer = int(state.phase), int(state.closer)
    return [
        only(
            Rated, ranked(variant, one, phase, closer),
            place=place_of(variant, one), why=in_notation(variant, one["why"], phase, closer),
        )
        for one in ratings[:count]
    ]  # fmt: skip


def ranked(variant: Variant, rating: Any, phase: int, closer: int) -> RankedMove:
    """Returns a RATING record without its reason; `phase` and `closer` are those of its position."""
    code, low, high = int(rating["move"]), float(rating["low"]), float(rating["high"])
    return RankedMove(
        float(rating["loss"]),
        low if low == low else None,
        high if high == high else None,
        move=name_of_move(variant, code, phase, closer),
        code=code,
        worth=float(rating["worth"]),
        equal=bool(rating["equal"]),
    )


def place_of(variant: Variant, rating: Any) -> str | None:
    return None if rating["place"] == NOTHING else variant.slots[rating["place"]]


@compiled_with_arrays
def rate(rules, net, state, played, close_call, move_values, corrections, refined, ratings):
    """Fills `ratings` (MOVES RATING) with the legal moves, best first, and returns how many there are.

    If `played` is NOTHING, all get reasons, and `move_values` (float64, by move) are filled as by `weigh`. Else it is
    the move of a finished match, and they are known: only that move and the best one get reasons, if it was worse.
    `refined`: its loss and interval as playouts found them, or nothing but nan. `corrections`: `calibration.table_of`.
    """
    if state.awaited != NOTHING or state.phase == Phase.OVER:
        return 0
    if played == NOTHING:
        weigh(rules, net, state, move_values)
    count = rank(move_values, corrections[stage(state)], close_call, ratings)
    own = place_in(ratings, played, count)
    if own < count and refined[0] == refined[0]:
        note_loss(ratings[own], refined[0], refined[1], refined[2], close_call)
    if own == count or not ratings[own].equal:
        give_reasons(rules, net, state, played, ratings, count)
        if own < count:
            ratings[0].why.part = not explains(ratings[0].why, ratings[own].loss, 0.0)
    return count


@compiled
def rank(move_values, correction, close_call, ratings):
    """Puts the legal moves in the order of their values, equal ones by number, and returns how many there are."""
    count = 0
    for move in range(MOVES):
        if move_values[move] < np.inf:
            nth = count
            while nth and move_values[move] < move_values[ratings[nth - 1].move]:
                ratings[nth].move = ratings[nth - 1].move
                nth -= 1
            ratings[nth].move = move
            count += 1
    for nth in range(count):
        ratings[nth].place = NOTHING
        ratings[nth].worth = move_values[ratings[nth].move]
        loss, low, high = correct(ratings[nth].worth - ratings[0].worth, correction)
        note_loss(ratings[nth], loss, low, high, close_call)
    return count


@compiled
def note_loss(rating, loss, low, high, close_call):
    rating.loss, rating.low, rating.high = loss, low, high
    rating.equal = counts_as_equal(loss, low, close_call)


@compiled
def place_in(ratings, move, count):
    """Where the move stands among so many; `count` if it does not."""
    nth = 0
    while nth < count and ratings[nth].move != move:
        nth += 1
    return nth


@compiled_with_arrays
def give_reasons(rules, net, state, played, ratings, count):
    """Gives each move its reason, or only the move `played` and the best one."""
    costs, points = Costs(np.full(MOVES, np.nan), np.full(MOVES, np.nan), np.zeros(1, STATE)), np.zeros(state.seats)
    place, best = best_place(rules, net, state, costs), ratings[0].move
    expected_points(rules, state, points)
    for nth in range(count):
        one = ratings[nth]
        if one.move == DISCARD:
            one.place = place
        if nth == 0 or played == NOTHING or played == one.move:
            loss = left = more = 0.0
            if not one.equal:
                loss = one.loss
                left = cost_of_discard(rules, net, state, costs, one.move)
                left = loss / (one.worth - ratings[0].worth) * (left - cost_of_discard(rules, net, state, costs, best))
                more = more_points(rules, state, costs, place, one.move, best)
            explain(rules, state, points, one.move, loss, best, place, left, more, one.why)


@compiled_with_arrays
def best_place(rules, net, state, costs):
    """The best slot for the top discard while it may be taken, else NOTHING."""
    if state.phase != Phase.TAKE:
        return NOTHING
    after, move_values = costs.after[0], np.zeros(MOVES)
    copy_state(state, after)
    play(rules, after, DISCARD)
    weigh(rules, net, after, move_values)
    place = 0
    for slot in range(rules.slots):
        if move_values[slot] < move_values[place]:
            place = slot
    return place


@compiled_with_arrays
def cost_of_discard(rules, net, state, costs, move):
    """The strokes that a move's discard costs the player to move, against a card that nobody wants.

    It is 0 but for a move that places a card or discards it, while nobody has closed, and the card discarded is known.
    """
    given = costs.of_discard[move]
    if given == given:
        return given
    after, move_values, given = costs.after[0], np.zeros(MOVES), 0.0
    copy_state(state, after)
    play(rules, after, move)
    if state.phase == Phase.PLACE and after.awaited == NOTHING and not is_last_turn(after):
        for sign in (1.0, -1.0):
            weigh(rules, net, after, move_values)
            given += sign * least_of(move_values)
            after.discard = useless_face(rules, state)
        if after.turn != state.turn:  # what the next player gains is shared by the others as their loss
            given = -given / (state.seats - 1)
    costs.of_discard[move] = given
    return given


@compiled_with_arrays
def more_points(rules, state, costs, place, move, best):
    """By how many strokes the player's cards cost more after a move than after the best one, on average.

    0 if one of them draws from the stock, because where that card goes is not known.
    """
    if state.phase == Phase.TAKE and (move == STOCK or best == STOCK):
        return 0.0
    return points_after(rules, state, costs, place, move) - points_after(rules, state, costs, place, best)


@compiled
def least_of(move_values):
    least = np.inf
    for move in range(MOVES):
        least = min(least, move_values[move])
    return least


@compiled
def useless_face(rules, state):
    """The face that the next player wants least: it completes no line, and is dear."""
    useless, layout = 0, next_player(state).layout
    for face in range(1, rules.faces):
        completes, before = completes_line(rules, layout, face), completes_line(rules, layout, useless)
        if completes < before or (completes == before and rules.points[face] > rules.points[useless]):
            useless = face
    return useless


@compiled_with_arrays
def points_after(rules, state, costs, place, move):
    """The expected points of the player to move, if all hidden cards were revealed after the move."""
    known = costs.points_after[move]
    if known == known:
        return known
    after, points = costs.after[0], np.zeros(state.seats)
    copy_state(state, after)
    play(rules, after, move)
    if move == DISCARD and place != NOTHING:
        play(rules, after, place)
    expected_points(rules, after, points)
    costs.points_after[move] = points[state.turn]
    return points[state.turn]
