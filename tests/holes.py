"""Holes of any game, played with any moves and any cards."""

from collections.abc import Iterator
from random import Random

import minis

from mulligan.engine.chance import bag
from mulligan.engine.state import HIDDEN
from mulligan.game.hole import Hole

GAMES = ["play_nine", "nine_card", "mini_columns", "mini_rows", "mini_quiet", "brisk_six", "largest"]
AN_END = 150  # choices; after that the players hurry to close


def a_hole(game: str, seed: int) -> tuple[Hole, Random]:
    rng = Random(seed)
    variant = minis.load(game)
    seats = rng.choice(variant.seats)
    return Hole(variant, seats, rng.randrange(seats)), rng


def any_card(hole: Hole, rng: Random) -> int:
    """A card that may come, the rare ones as often as the others."""
    return rng.choice([face for face, count in enumerate(bag(hole.state).tolist()) if count > 0])


def any_move(hole: Hole, rng: Random) -> int:
    moves = hole.legal_moves()
    if len(hole.steps) > AN_END:
        layout = hole.state.players[hole.turn].layout
        return next((move for move in moves if move < len(layout) and layout[move] == HIDDEN), moves[0])
    return rng.choice(moves)


def go_on(hole: Hole, rng: Random) -> None:
    """Any card, or any move."""
    if hole.awaits_card:
        hole.turn_up(any_card(hole, rng))
    else:
        hole.play(any_move(hole, rng))


def begun(game: str, seats: int, rng: Random, steps: int, dealer: int = 0) -> Hole:
    """A hole after so many steps, or a few more until someone has to choose; it may be over before."""
    hole = Hole(minis.load(game), seats, dealer)
    while not hole.is_over and (len(hole.steps) < steps or hole.awaits_card):
        go_on(hole, rng)
    return hole


def choices(hole: Hole, rng: Random) -> Iterator[Hole]:
    """The hole before each choice in it, whatever is chosen."""
    while not hole.is_over:
        if not hole.awaits_card:
            yield hole
        go_on(hole, rng)


def positions(game: str, seed: int, holes: int) -> Iterator[Hole]:
    """Every choice there is in so many holes."""
    for number in range(holes):
        yield from choices(*a_hole(game, 1000 * seed + number))
