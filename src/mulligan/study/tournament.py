"""A whole tournament in one call, from the names of its players to their standings."""

from collections.abc import Callable, Sequence
from typing import Any

from mulligan.game.hole import Hole
from mulligan.game.variants import Variant
from mulligan.players import net_files

from .arena import Arena
from .contestants import contestants, end_all
from .standings import standings

Player = str | Callable[[Hole], int | str]


def tournament(
    variant: Variant,
    seats: int,
    players: Sequence[Player],
    seed: int = 1,
    deals: int = 100,
    timeout: float = 10.0,
    threads: int = 0,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> dict[str, Any]:
    """Plays a tournament with duplicate deals and returns its standings: see `standings` and docs/arena.md.

    players: functions from a copy of the hole to a legal move, as its number or its name, and what the command
        `mulligan arena` takes: names of our players, `module:function` and `program:COMMAND`, each after `NAME=` if it
        is to have another name. At least as many as seats; every group of that many is a table.
    deals: how many deals are played, each in all seatings, and at least two, since the intervals are between deals.
    timeout: the seconds that a program has for a move.
    progress: called after each hole, with 1 and with the number of all holes.

    The same seed gives the same cards. The standings do not depend on `threads` (0: one for each core). Raises
    ValueError for a player that there is not (NoPlayer), for too few or too many of them, and when one has failed too
    often.
    """
    if deals < 2:
        raise ValueError(f"A tournament has at least 2 deals, not {deals}.")
    playing = contestants(players, variant, seats, timeout)
    try:
        arena = Arena(variant, seats, playing, deals, seed)
        brain = net_files.brain(arena.variant.rules, seats)
        scores = arena.play(brain, threads, lambda done: progress(done, arena.holes))
    finally:
        end_all(playing)
    return standings(arena, scores)
