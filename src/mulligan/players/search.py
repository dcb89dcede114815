"""The strongest player: rollouts of the most promising moves, or whole playouts where there is no net (playouts.py).

The net player plays for everyone. Its own search gives the luck of each turn, which is subtracted, so that a
rollout measures little but the net's errors and few rollouts suffice. Near the end of a match rollouts go to the
end of the hole, and the value is the chance to win the match (`values.match_equity`).
"""

from math import sqrt

import numpy as np

from mulligan.engine.chance import next_face, roll
from mulligan.engine.compiled import compiled_with_arrays
from mulligan.engine.moves import advance, play, turn_up
from mulligan.engine.state import MOVES, NOTHING, STATE, STOCK, Phase, is_last_turn
from mulligan.players.values.match_equity import chance_to_win, stakes_of
from mulligan.players.values.net import is_trained
from mulligan.players.values.value import value_by_net

from .card_luck import luck_for
from .net_turn import NEVER, best_of, weigh, weigh_draws
from .playouts import search_by_playouts
from .positions import copy_state

MARGIN = 1.5  # strokes; a move that looks worse by more is not played out
MOST_MOVES = 5
DEPTH = 6  # turns of a playout
ROUNDS = 8  # playouts of each move before moves that fall behind are dropped
SURE = 2.5  # standard errors
DOUBT = 0.4  # strokes by which the net is wrong about one move against another: playouts are believed accordingly
AT_STAKE = 3.0  # so many times as much where the match counts, of which the net knows nothing
TO_THE_END = 200  # turns per seat that it takes at least to play moves out to the end of the hole


@compiled_with_arrays
def choose(rules, match, state, dice, brain):
    """The best move found within the budget, counted in searched turns."""
    if not is_trained(brain.net, state.seats):
        return search_by_playouts(rules, state, dice, brain.budget[0])
    move_values = np.zeros(MOVES)
    value, budget = weigh(rules, brain.net, state, move_values), brain.budget[0]
    stakes = stakes_of(rules, match, state, value, budget >= TO_THE_END * state.seats)
    if stakes.stroke or not is_last_turn(state):  # 4.2 the strokes of a last turn have been reckoned exactly
        depth = budget if stakes.stroke else DEPTH
        think(rules, brain.net, state, dice, budget, depth, stakes, move_values)
    return best_of(move_values)


@compiled_with_arrays
def think(rules, net, state, dice, budget, depth, stakes, move_values):
    """Corrects the values of the most promising moves by rollouts; the others become NEVER.

    Returns how many turns were searched.
    """
    doubt = AT_STAKE if stakes.stroke else 1.0
    moves = contenders(move_values, MARGIN * doubt)
    looked = move_values[moves]
    move_values[:] = NEVER
    move_values[moves] = looked
    count, played, spent = len(moves), 0, 0
    found, sums, squares = np.zeros(count), np.zeros(count), np.zeros((count, count))
    seed, trial = np.zeros(1, np.int64), np.zeros(1, np.int64)
    tables, values, scratch = np.zeros(1, STATE), np.zeros(state.seats), np.zeros(MOVES)
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
                found[nth], turns = playout(rules, net, table, me, trial, depth, stakes, values, scratch)
                spent += turns + 1
            for nth in range(count):
                sums[nth] += found[nth]
                for other in range(count):
                    squares[nth, other] += (found[nth] - found[other]) ** 2
            played += 1
        if played < ROUNDS:  # too little to say anything
            return spent
        count = drop(moves, looked, sums, squares, played, count, DOUBT * doubt, move_values)
    return spent


@compiled_with_arrays
def contenders(move_values, margin):
    """The most promising moves, the best first."""
    moves = np.argsort(move_values)[:MOST_MOVES]
    count = 1
    while count < len(moves) and move_values[moves[count]] < move_values[moves[0]] + margin:
        count += 1
    return moves[:count]


@compiled_with_arrays
def drop(moves, looked, sums, squares, played, count, doubt, move_values):
    """Updates the values and drops moves that are certainly worse. Returns how many are left, in front."""
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
            move_values[moves[nth]] = NEVER
        else:
            trust = doubt**2 / (doubt**2 + error**2)
            move_values[moves[nth]] = looked[nth] - ahead + trust * mean
            stays[kept] = nth
            kept += 1
    for nth in range(kept):
        old = stays[nth]
        moves[nth], looked[nth], sums[nth] = moves[old], looked[old], sums[old]
        for other in range(kept):
            squares[nth, other] = squares[old, stays[other]]
    return kept


@compiled_with_arrays
def playout(rules, net, state, me, dice, depth, stakes, values, move_values):
    """One rollout of so many turns by the net player, after the move in question.

    Returns how much the value for `me` rose against the net's first estimate, with known luck subtracted, and how many
    turns were searched. With two players all luck is known: the search of a turn says what to expect of it. With more,
    the luck of the reveal is known, and that of a card that ends a turn. The luck of a drawn card is known for the
    player to move, and costs the others equal parts on average. Near the end of a match strokes count by their effect
    on winning it.
    """
    rise, before, expected, luck, share = 0.0, 0.0, 0.0, 0.0, 0.0
    turns, draws, tables = 0, np.zeros(rules.faces), np.zeros(1, STATE)
    while True:
        if state.awaited != NOTHING and state.phase != Phase.REVEAL:
            face = next_face(rules, state, dice)
            if turns and state.seats > 2:
                if state.awaited == STOCK:
                    luck += share * (draws[face] - move_values[STOCK])
                else:
                    luck += luck_for(rules, net, state, face, me, tables[0], values)
            turn_up(rules, state, face)
            continue
        if state.phase in (Phase.PLACE, Phase.FLIP):
            weigh(rules, net, state, move_values)
        else:
            now, is_over = value_by_net(rules, net, state, me, values), state.phase in (Phase.REVEAL, Phase.OVER)
            if turns:
                rise += (expected if state.seats == 2 else now - luck) - before
            if is_over and stakes.stroke:
                rise += beyond_strokes(rules, net, state, me, dice, stakes, values)
            if is_over or turns == depth:
                return rise, turns
            share = 1.0 if state.turn == me else -1.0 / (state.seats - 1)
            before, luck, expected = now, 0.0, share * weigh_draws(rules, net, state, move_values, draws)
            turns += 1
        play(rules, state, best_of(move_values))


@compiled_with_arrays
def beyond_strokes(rules, net, state, me, dice, stakes, values):
    """Reveals the cards. Returns what the hole means for winning the match, in strokes, beyond its strokes."""
    advance(rules, state, dice, state.turns)
    points = np.zeros(state.seats)
    for seat in range(state.seats):
        points[seat] = state.players[seat].points
    return -chance_to_win(stakes, points, me) / stakes.stroke - value_by_net(rules, net, state, me, values)
