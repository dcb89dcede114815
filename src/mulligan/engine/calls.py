"""The engine's functions for calls from Python: rules and state are arrays of one record each.

Numba examines a single record anew at every call, which takes longer than the function; it knows arrays at once
(`bench/engine.py` measures both).
"""

from . import moves, replay, scoring
from .compiled import compiled


@compiled
def is_legal(rules, state, move):
    return moves.is_legal(rules[0], state[0], move)


@compiled
def legal_moves(rules, state):
    return moves.legal_moves(rules[0], state[0])


@compiled
def play(rules, state, move):
    moves.play(rules[0], state[0], move)


@compiled
def turn_up(rules, state, face):
    moves.turn_up(rules[0], state[0], face)


@compiled
def follow(rules, state, steps):
    return replay.replay(rules[0], state[0], steps)


@compiled
def face_shown(state, move):
    return replay.face_shown(state[0], move)


@compiled
def open_cost(rules, state, seat):
    """What the open cards of a seat cost (5.1 to 5.5)."""
    return scoring.cost(rules[0], state[0].players[seat].layout, 0)
