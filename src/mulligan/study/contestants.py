"""The players of an arena: ours by name, a Python function, or a program."""

import importlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH
from mulligan.game.hole import Hole
from mulligan.game.position_text import read_move
from mulligan.game.typed_text import one_of
from mulligan.game.variants import Variant, for_seats
from mulligan.players import net_files
from mulligan.players.roster import PLAYERS
from mulligan.players.values.brain import Brain

from .player_process import PlayerError, Program

NAMED = re.compile(r"([\w .-]+)[=\uff1d](.*)", re.S)
LONGEST_NAME = 40
PROGRAM = "program:"


class NoPlayer(ValueError):
    """There is no such player."""


class Contestant:
    """Someone who can be asked for moves. `is_ours`: several threads may ask at once."""

    name: str
    is_ours = False

    def choose(self, hole: Hole, dice: np.ndarray) -> int:
        """Returns the move of the seat whose turn it is. Raises PlayerError if there is none."""
        raise NotImplementedError

    def finish(self, points: list[int]) -> None:
        """Is told what a hole has cost everyone, the player first."""

    def end(self) -> None:
        """Frees what the player needed."""


class OwnPlayer(Contestant):
    """One of the package's players, or one with a net of its own."""

    is_ours = True

    def __init__(self, name: str, choose: Callable[..., Any], variant: Variant, brain: Brain | None) -> None:
        self.name, self.function, self.rules, self.brain = name, choose, variant.rules, brain
        self.match: Any = fresh(MATCH)  # without players: each hole is played by itself

    def choose(self, hole: Hole, dice: np.ndarray) -> int:
        return int(self.function(self.rules, self.match, hole.state, dice, self.brain))


class FunctionPlayer(Contestant):
    """A Python function from a copy of the hole to a legal move, as a number or by name."""

    def __init__(self, name: str, function: Callable[[Hole], int | str]) -> None:
        self.name, self.function = name, function

    def choose(self, hole: Hole, dice: np.ndarray) -> int:
        """Raises PlayerError where the function raises anything, or returns no legal move."""
        try:
            move = self.function(hole.copy())
        except Exception as error:
            raise PlayerError(f"failed: {type(error).__name__}: {error}") from None
        if isinstance(move, str):
            try:
                return read_move(hole, move)
            except ValueError as error:
                raise PlayerError(str(error)) from None
        if move not in hole.legal_moves():
            raise PlayerError(f"returned {move!r}, but the legal moves are {hole.legal_moves()}")
        return int(move)


class ProgramPlayer(Contestant):
    """A program that speaks the protocol."""

    def __init__(self, name: str, program: Program) -> None:
        self.name, self.program = name, program

    def choose(self, hole: Hole, dice: np.ndarray) -> int:
        return self.program.choose(hole)

    def finish(self, points: list[int]) -> None:
        self.program.finish(points)

    def end(self) -> None:
        self.program.end()


def contestants(
    players: Sequence[str | Callable[[Hole], int | str]], variant: Variant, seats: int, timeout: float
) -> list[Contestant]:
    """Returns the players; programs are already running. Raises NoPlayer.

    A player is a function, or a text: the name of one of our players, `module:function`, or `program:COMMAND`; `NAME=`
    may stand before it.
    """
    variant = for_seats(variant, seats)
    found: list[Contestant] = []
    try:
        for player in players:
            if not isinstance(player, str):
                name = getattr(player, "__name__", type(player).__name__)
                found.append(FunctionPlayer(not_taken(name, found), player))
                continue
            named = NAMED.fullmatch(player)
            name, what = (named[1].strip(), named[2].strip()) if named else ("", player.strip())
            name = name or what.removeprefix(PROGRAM).strip()
            found.append(contestant(not_taken(name, found), what, variant, seats, timeout))
    except ValueError:
        end_all(found)
        raise
    return found


def not_taken(name: str, others: list[Contestant]) -> str:
    """Returns the name, not too long, with a number if another player has it."""
    names, nth = {other.name for other in others}, 2
    name = shown = name[:LONGEST_NAME]
    while shown in names:
        shown, nth = f"{name} {nth}", nth + 1
    return shown


def end_all(players: list[Contestant]) -> None:
    for player in players:
        player.end()


def contestant(name: str, what: str, variant: Variant, seats: int, timeout: float) -> Contestant:
    """Raises NoPlayer."""
    if ours := one_of(what, PLAYERS):
        return OwnPlayer(name, PLAYERS[ours].choose, variant, net_files.brain_for([ours], variant.rules, seats))
    if what.startswith(PROGRAM):
        return ProgramPlayer(name, running(name, what.removeprefix(PROGRAM), variant, seats, timeout))
    if ":" in what:
        return FunctionPlayer(name, function_named(what))
    known = ", ".join(PLAYERS)
    raise NoPlayer(f"There is no player “{what}”; there are {known}, module:function and program:COMMAND.")


def running(name: str, command: str, variant: Variant, seats: int, timeout: float) -> Program:
    """Raises NoPlayer if the program does not start."""
    if not command.strip():
        raise NoPlayer("“program:” is followed by a command, such as program:./player.")
    try:
        program = Program(command, variant, seats, timeout)
    except ValueError:
        raise NoPlayer(f"The command of {name} has an open quotation mark.") from None
    try:
        program.start()
    except PlayerError as error:
        program.end()
        raise NoPlayer(f"{name} {error}.") from None
    return program


def function_named(what: str) -> Callable[[Hole], int | str]:
    """Imports `module:function`, also from the working folder. Raises NoPlayer if there is no such function."""
    module, _, name = what.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        function: Any = importlib.import_module(module)
        for part in name.split("."):
            function = getattr(function, part)
    except AttributeError:
        raise NoPlayer(f"The module {module} has no function {name}.") from None
    except Exception as error:
        raise NoPlayer(f"The module of “{what}” cannot be imported: {error}.") from None
    if not callable(function):
        raise NoPlayer(f"{what} is not a function.")
    return function
