"""The search for games without a net: each move is played out to the end of the hole many times.

A `pro` without a net plays for everyone. All moves get the same luck, so that few playouts tell them apart, and
moves that fall behind are dropped. The pro's own move stays unless another is clearly better.
"""

from math import sqrt

import numpy as np

from mulligan.engine.chance import roll
from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.moves import advance, is_legal, play
from mulligan.engine.scoring import against_the_field
from mulligan.engine.state import MOVES, STATE

from .levels import PRO
from .look_ahead import choose_by
from .positions import copy_state, first_twin

POLICY = PRO.traits._replace(optimism=0.3)  # of everyone in a playout: a pro without a taste, in every game the same
TURNS = 8  # of a playout, in the time in which the net looks through one turn
ROUNDS = 16  # playouts of each move before moves that fall behind are dropped
SURE = 2.0  # standard errors
LIMIT = 60  # turns per seat after which a playout is over


@compiled_with_arrays
def search_by_playouts(rules, state, dice, budget):
    """The best move found within a budget, counted in turns that a net could look through."""
    usual = choose_by(POLICY, rules, state)
    moves = moves_to_try(rules, state, usual)
    count, played, turns = len(moves), 0, 0
    sums, squares = np.zeros(count), np.zeros(count)  # of each move, by how much it costs more than the usual one
    found, points = np.zeros(count), np.zeros(state.seats)
    seed, luck, tables = np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, STATE)
    while count > 1 and turns < TURNS * budget:
        for _ in range(ROUNDS):
            seed[0] = 1 + roll(dice, 1 << 30)
            for nth in range(count):
                luck[0] = seed[0]
                table = tables[0]  # in here: a compiled record alone does not keep its memory from being used again
                copy_state(state, table)
                play(rules, table, moves[nth])
                found[nth] = play_out(rules, table, np.int64(state.turn), luck, points)
                turns += table.turns - state.turns + 1
            for nth in range(count):
                gap = found[nth] - found[0]
                sums[nth] += gap
                squares[nth] += gap * gap
        played += ROUNDS
        count = drop(moves, sums, squares, played, count)
    best = 0
    for nth in range(1, count):
        if sums[nth] < sums[best] and sums[nth] / played < -SURE * standard_error(sums[nth], squares[nth], played):
            best = nth
    return moves[best]


@compiled_with_arrays
def moves_to_try(rules, state, usual):
    """The legal moves that differ in effect, the usual one first."""
    moves = np.zeros(MOVES, np.int64)
    moves[0] = usual
    twin = first_twin(rules, state, usual)
    count = 1
    for move in range(MOVES):
        if move != twin and is_legal(rules, state, move) and first_twin(rules, state, move) == move:
            moves[count] = move
            count += 1
    return moves[:count]


@compiled
def drop(moves, sums, squares, played, count):
    """Drops moves that are surely worse than the usual one, which stays. Returns how many are left, in front."""
    kept = 1
    for nth in range(1, count):
        if sums[nth] / played < SURE * standard_error(sums[nth], squares[nth], played):
            moves[kept], sums[kept], squares[kept] = moves[nth], sums[nth], squares[nth]
            kept += 1
    return kept


@compiled
def standard_error(total, squares, played):
    mean = total / played
    return sqrt(max(0.0, squares / played - mean * mean) / played)


@compiled
def play_out(rules, state, me, dice, points):
    """Plays the hole to its end and returns what it costs `me`, less the mean of the others."""
    last_turn = state.turns + LIMIT * state.seats
    while advance(rules, state, dice, last_turn):
        play(rules, state, choose_by(POLICY, rules, state))
    for seat in range(state.seats):
        points[seat] = state.players[seat].points
    against_the_field(points)
    return points[me]
