"""The games of `simulate` on a GPU, one game a thread: the same results from the same seed."""

import time
from collections.abc import Callable, Sequence

import numpy as np

from mulligan import simulation
from mulligan.engine.chance import many_dice
from mulligan.game.variants import Variant, for_seats
from mulligan.simulation import play_games

from .device import check_device, cuda, kernel, numba_cuda, numbers_of

THREADS = 128  # in a block
AT_ONCE = 1 << 18  # games that the device plays at a time, so that their results fit beside everything else


def play_games_here(rules, chairs, first, dice, turn_limit, sheets):
    """Each thread plays one game."""
    game = cuda.grid(1)
    if game < len(dice):
        points, winners, moves, holes, counted, abandoned = sheets
        one = slice(game, game + 1)
        own = (points[one], winners[one], moves[one], holes[one], counted[one], abandoned[one])
        play_games(rules[0], chairs, first + game, dice[one], turn_limit, None, own, None)


def simulate_on_gpu(
    variant: Variant,
    seats: int,
    players: Sequence[str],
    seed: int,
    games: int = 0,
    holes: int = 0,
    progress: Callable[[int], None] = lambda done: None,
) -> simulation.Results:
    """The results of `simulation.simulate` with the same arguments; its seconds leave out compiling.

    Raises ValueError if there is no GPU, or for a player who needs a net.
    """
    numbers = numbers_of(players)
    check_device()
    variant = for_seats(variant, seats)
    rules = variant.rules if games else simulation.single_hole(variant.rules)
    count = games or holes
    dice, sheets = many_dice(seed, count), simulation.blank_sheets(rules, count, seats)
    play, to_device = kernel(play_games_here, tuple(numbers)), numba_cuda().to_device
    chairs = to_device(np.array([numbers[players[chair % len(players)]] for chair in range(seats)], np.int64))
    rules_there = to_device(np.array([rules]))

    def play_piece(start: int, stop: int) -> None:
        """Plays these games. The kernel works on copies of the sheets, which then come back."""
        parts = [sheet[start:stop] for sheet in sheets]
        held = tuple(map(to_device, parts))
        blocks = max(1, -(-(stop - start) // THREADS))
        own_dice = to_device(dice[start:stop])
        play[blocks, THREADS](rules_there, chairs, start, own_dice, simulation.TURN_LIMIT, held)
        for part, copy in zip(parts, held, strict=True):
            part[...] = copy.copy_to_host()

    play_piece(0, 1)  # compiles
    for sheet in sheets:
        sheet[:1] = 0
    started = time.perf_counter()
    for start in range(0, count, AT_ONCE):
        stop = min(start + AT_ONCE, count)
        play_piece(start, stop)
        progress(stop - start)
    return simulation.results_of(variant, players, sheets, time.perf_counter() - started)
