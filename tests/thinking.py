"""What the computer players choose at a table."""

import numpy as np
from table import Table

from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, MOVES, PASS, STOCK
from mulligan.game.hole import Hole
from mulligan.game.notation import write_slot
from mulligan.players import net_files, net_turn
from mulligan.players.roster import PLAYERS
from mulligan.players.values.net import Net


def think(player: str, hole: Hole, dice) -> int:
    """The move of a player in a hole that is played by itself."""
    rules, state = hole.variant.rules, hole.state
    brain = net_files.brain_for([player], rules, int(state.seats))
    return int(PLAYERS[player].choose(rules, fresh(MATCH), state, dice, brain))


def chosen(told: Table, player: str, seed: int = 1) -> str:
    """The same, as it is written."""
    return written(told, think(player, told.hole, many_dice(seed, 1)[0]))


def weighed(hole: Hole, net: Net) -> np.ndarray:
    """The value of each move by a net. As training asks for it: all tests share what is compiled for that."""
    move_values = np.zeros(MOVES)
    net_turn.weigh_draws(hole.variant.rules, net, hole.state, move_values, np.zeros(hole.variant.rules.faces))
    return move_values


def written(told: Table, move: int) -> str:
    names = {STOCK: "stock", DISCARD: "discard", DISCARD_DRAWN: "-", PASS: "pass"}
    return names.get(move) or write_slot(told.variant, move)


def holding(told: Table, card: str) -> Table:
    """The same table, with a card just taken from the stock."""
    told.hole.play(STOCK)
    told.hole.turn_up(told.variant.faces.index(card))
    return told
