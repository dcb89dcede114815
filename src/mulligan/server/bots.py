"""Computer players at a table: choosing moves, pauses between moves, and loading their code."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from mulligan.engine.chance import many_dice, roll
from mulligan.engine.compiled import PLAIN
from mulligan.engine.match import compare_draw
from mulligan.game.hole import Game
from mulligan.game.notation import as_array
from mulligan.game.score_parts import explain_hole
from mulligan.game.variants import Variant, games, load
from mulligan.players import net_files
from mulligan.players.roster import PLAYERS, now_called


def think(player: str, rules: Any, match: Any, state: Any, dice: np.ndarray) -> int:
    """Returns a computer player's move. `state` must be the caller's own copy; `dice` is updated."""
    name = now_called(player)
    brain = net_files.brain_for([name], rules, int(state.seats))
    return int(PLAYERS[name].choose(rules, match, state, dice, brain))


def are_nets_read(player: str, rules: Any, state: Any) -> bool:
    """False if `think` would have to read a net first."""
    return net_files.are_read([now_called(player)], rules, int(state.seats))


def read_nets(player: str, rules: Any, state: Any) -> None:
    """Reads the net that a player needs."""
    net_files.brain_for([now_called(player)], rules, int(state.seats))


def load_numba() -> None:
    """Triggers the imports that Numba delays to the first call, before several threads can run them at once."""
    roll(many_dice(1, 1)[0], 2)


def warm_up(players: Iterable[str] = PLAYERS) -> None:
    """Plays a hole of every game, so that its code is loaded or compiled beforehand.

    The players make a move in the first one: their code is the same for all games, and their nets are large.
    """
    if PLAIN:
        return
    for number, name in enumerate(games()):
        play_a_hole(load(name), () if number else players)


def play_a_hole(variant: Variant, players: Iterable[str] = PLAYERS) -> None:
    """Plays a hole as a table does. Each of the players makes a move, as each has compiled code of its own."""
    dice = many_dice(1, 1)[0]
    game = Game(variant, ["", ""], 0)
    hole = game.deal()
    movers = iter(players)

    def choose() -> int:
        hole.legal_moves()
        hole.open_cost(hole.state.turn)
        return think(next(movers, "greedy"), variant.rules, game.match.copy(), hole.state.copy(), dice)

    hole.play_out(choose, dice)
    again = game.deal()
    again.take(as_array(hole.steps))
    explain_hole(variant, again.state, 0)
    game.finish_hole()
    compare_draw(variant.rules, game.match)
