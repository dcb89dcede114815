"""The strongest player: plays the best few moves out, again and again, on cards that may really come.

The net's look-ahead plays for everybody. How lucky each turn was is known from that look-ahead and
taken off, so that a playout tells the net's errors and little else, and few playouts do. Near the end of a
match playouts go to the end of the hole, and what counts is the match (see `stakes`).
"""

from math import sqrt

import numpy as np

from ..engine.chance import bag, draw, roll
from ..engine.compiled import compiled
from ..engine.moves import play, turn_up
from ..engine.state import MOVES, NOTHING, STATE, Phase, is_last_turn
from .eye import NEVER, best_of, weigh
from .foresight import copy_state
from .greedy import choose as choose_greedily
from .net import is_trained
from .outlook import outlook_of
from .stakes import chance_to_win, stakes_of

MARGIN = 1.5  # strokes; a move that looks worse by more is not played out
MOST_MOVES = 5
DEPTH = 6  # turns of a playout
ROUNDS = 8  # playouts of each move before moves that fall behind are dropped
SURE = 2.5  # standard errors
DOUBT = 0.4  # strokes by which the net is wrong about one move against another: playouts are believed accordingly
AT_STAKE = 3.0  # so many times as much where the match counts, of which the net knows nothing
TO_THE_END = 200  # turns a seat that it takes at least to play moves out to the end of the hole


@compiled
def choose(rules, match, state, dice, books):
    """The best move found within the books' budget, the number of turns that may be looked through."""
    if not is_trained(books.net, state.seats):
        return choose_greedily(rules, state, dice)
    worths = np.zeros(MOVES)
    hope, budget = weigh(rules, books.net, state, worths), books.budget[0]
    stakes = stakes_of(rules, match, state, hope, budget >= TO_THE_END * state.seats)
    if stakes.stroke or not is_last_turn(state):  # 4.2 the strokes of a last turn have been reckoned exactly
        depth = budget if stakes.stroke else DEPTH
        think(rules, books.net, state, dice, budget, depth, stakes, worths)
    return best_of(worths)


@compiled
def think(rules, net, state, dice, budget, depth, stakes, worths):
    """Corrects the worths of the moves that look best by what playouts find; the others become NEVER.

    Returns how many turns were looked through.
    """
    doubt = AT_STAKE if stakes.stroke else 1.0
    moves = contenders(worths, MARGIN * doubt)
    looked = worths[moves]
    worths[:] = NEVER
    worths[moves] = looked
    count, played, spent = len(moves), 0, 0
    found, sums, squares = np.zeros(count), np.zeros(count), np.zeros((count, count))
    seed, trial = np.zeros(1, np.int64), np.zeros(1, np.int64)
    tables, hopes, scratch = np.zeros(1, STATE), np.zeros(state.seats), np.zeros(MOVES)
    me = np.int64(state.turn)
    while count > 1 and spent < budget:
        for _ in range(ROUNDS):
            if spent >= budget:
                break
            seed[0] = 1 + roll(dice, 1 << 30)
            for nth in range(count):
                trial[0] = seed[0]  # the same luck for every move
                table = tables[0]  # in here: a compiled record alone does not keep its memory from being used again
                copy_state(state, table)
                play(rules, table, moves[nth])
                found[nth], turns = playout(rules, net, table, me, trial, depth, stakes, hopes, scratch)
                spent += turns + 1
            for nth in range(count):
                sums[nth] += found[nth]
                for other in range(count):
                    squares[nth, other] += (found[nth] - found[other]) ** 2
            played += 1
        if played < ROUNDS:  # too little to say anything
            return spent
        count = drop(moves, looked, sums, squares, played, count, DOUBT * doubt, worths)
    return spent


@compiled
def contenders(worths, margin):
    """The moves that look best, the best first."""
    moves = np.argsort(worths)[:MOST_MOVES]
    count = 1
    while count < len(moves) and worths[moves[count]] < worths[moves[0]] + margin:
        count += 1
    return moves[:count]


@compiled
def drop(moves, looked, sums, squares, played, count, doubt, worths):
    """Sets the worths anew and drops the moves that are surely worse. Returns how many are left, in the front."""
    leader = np.argmin(looked[:count] + sums[:count] / played)
    ahead, lead_sum = looked[leader], sums[leader]
    kept = 0
    errors = squares[:count, leader].copy()
    stays = np.zeros(count, np.int64)
    for nth in range(count):
        mean = (sums[nth] - lead_sum) / played
        error = sqrt(max(0.0, errors[nth] / played - mean * mean) / played)
        behind = looked[nth] - ahead + mean
        if nth != leader and behind > SURE * error:
            worths[moves[nth]] = NEVER
        else:
            trust = doubt**2 / (doubt**2 + error**2)
            worths[moves[nth]] = looked[nth] - ahead + trust * mean
            stays[kept] = nth
            kept += 1
    for nth in range(kept):
        old = stays[nth]
        moves[nth], looked[nth], sums[nth] = moves[old], looked[old], sums[old]
        for other in range(kept):
            squares[nth, other] = squares[old, stays[other]]
    return kept


@compiled
def playout(rules, net, state, me, dice, depth, stakes, hopes, worths):
    """Plays on for so many turns, everybody by the look-ahead; the move in question has just been made.

    Returns how much worse for `me` the net found things than it had said before, luck taken off as far
    as it is known, and how many turns were looked through. With two players all luck is known; with
    more, that in the others' turns stays. Where the match is at stake, strokes are what they did for it.
    """
    correction, before = 0.0, 0.0
    turns, luck_is_known = 0, True
    while True:
        if state.awaited != NOTHING:
            turn_up(rules, state, draw(rules, bag(state), dice))
            continue
        if state.phase in (Phase.TAKE, Phase.TEE_OFF, Phase.OVER):
            if state.phase == Phase.OVER and luck_is_known and not stakes.stroke:
                return correction, turns
            outlook_of(rules, net, state, hopes)
            if not luck_is_known:
                correction += hopes[me] - before
            if state.phase == Phase.OVER and stakes.stroke:
                return correction + strokes_for_match(state, stakes, me) - hopes[me], turns
            if state.phase == Phase.OVER or turns == depth:
                return correction, turns
            least = weigh(rules, net, state, worths)
            turns += 1
            luck_is_known = state.seats == 2 or state.turn == me
            if state.turn == me:
                correction += least - hopes[me]
            elif luck_is_known:
                correction -= least - hopes[state.turn]
            before = hopes[me]
        else:
            weigh(rules, net, state, worths)
        play(rules, state, best_of(worths))


@compiled
def strokes_for_match(state, stakes, me):
    """The chance to win after this hole, in strokes of it."""
    points = np.zeros(state.seats)
    for seat in range(state.seats):
        points[seat] = state.players[seat].points
    return -chance_to_win(stakes, points, me) / stakes.stroke
