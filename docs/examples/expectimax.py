# /// script
# requires-python = ">=3.11"
# dependencies = ["mulligan[envs]"]
#
# [tool.uv.sources]
# mulligan = { path = "../.." }
# ///
"""Expectimax of OpenSpiel solves a tiny game move by move and card by card; our solver finds the same value."""

from pathlib import Path

import pyspiel
from open_spiel.python.algorithms.minimax import expectiminimax

import mulligan.envs  # registers the games

TINY = Path(__file__).with_name("tiny.toml")
TURNS = 2  # of each player, teeing off included; then the cards are revealed
DEALER = 0

game = pyspiel.load_game(f"mulligan(game={TINY},players=2,turn_limit={TURNS})")
state = game.new_initial_state()
state.apply_action(DEALER)
theirs, _ = expectiminimax(state, game.max_game_length(), None, DEALER)
ours = mulligan.exact_value(mulligan.load_game(str(TINY)), TURNS)
print(f"strokes by which the dealer wins if both play best: {theirs:.9f} (OpenSpiel), {ours:.9f} (Mulligan)")
