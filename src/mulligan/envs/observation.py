"""What a player sees, as numbers: one observation for every environment (docs/environments.md).

The table is public, so everyone sees the same; only the order differs. Players are counted clockwise from the
observer, who is number 0.
"""

from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled
from mulligan.engine.state import HIDDEN, NO_CARD, NOBODY, Phase

PHASES = len(Phase)
LARGEST = 2**15 - 1  # of an int16; larger totals and numbers of turns are shown as this


class Part(NamedTuple):
    """One named array of the observation: its shape, its bounds, and where it starts in the flat one."""

    shape: tuple[int, ...]
    low: Any
    high: Any
    start: int

    @property
    def place(self) -> slice:
        return slice(self.start, self.start + prod(self.shape))


class Layout:
    """How the observation of a game at a table with so many players is arranged.

    `rules` is a RULES record. The flat observation is an int16 array of shape `(size,)`: the named arrays of `parts`,
    one after another.
    """

    def __init__(self, rules: Any, players: int) -> None:
        faces, slots = int(rules.faces), int(rules.slots)
        copies = rules.copies[:faces].astype(int)
        named: dict[str, tuple[tuple[int, ...], Any, Any]] = {
            "layouts": ((players, slots, faces + 1), 0, 1),
            "unseen": ((faces,), 0, copies),
            "stock": ((faces,), 0, copies),
            "discard": ((faces,), 0, 1),
            "held": ((faces,), 0, 1),
            "held_from_stock": ((1,), 0, 1),
            "stock_left": ((1,), 0, int(copies.sum())),
            "phase": ((PHASES,), 0, 1),
            "turn": ((players,), 0, 1),
            "closer": ((players,), 0, 1),
            "dealer": ((players,), 0, 1),
            "first": ((players,), 0, 1),
            "at_table": ((players,), 0, 1),
            "totals": ((players,), -LARGEST, LARGEST),
            "turns": ((1,), 0, LARGEST),
            "holes_left": ((1,), 0, int(rules.holes)),
            "playing_off": ((1,), 0, 1),
        }
        self.parts: dict[str, Part] = {}
        self.size = 0
        for name, (shape, low, high) in named.items():
            self.parts[name] = Part(shape, low, high, self.size)
            self.size += prod(shape)

    @cached_property
    def low(self) -> np.ndarray:
        return self._filled("low")

    @cached_property
    def high(self) -> np.ndarray:
        return self._filled("high")

    def _filled(self, bound: str) -> np.ndarray:
        flat = np.zeros(self.size, np.int16)
        for part in self.parts.values():
            flat[part.place] = getattr(part, bound)
        return flat

    def named(self, flat: np.ndarray) -> dict[str, np.ndarray]:
        """Returns the named arrays of flat observations of shape `(…, size)`, as views of shape `(…, *part.shape)`."""
        return {name: flat[..., part.place].reshape(*flat.shape[:-1], *part.shape) for name, part in self.parts.items()}


@compiled
def observe(rules, match, state, seated, observer, seen):
    """Fills `seen`, an int16 array of shape `(size,)`, with what the player `observer` sees.

    `match` is a MATCH, `seated` has the player in each seat of the hole.
    """
    players, faces, slots = match.players, rules.faces, rules.slots
    for place in range(len(seen)):
        seen[place] = 0
    for seat in range(state.seats):
        layout = state.players[seat].layout
        at = clockwise(players, observer, seated[seat]) * slots * (faces + 1)
        for slot in range(slots):
            face = layout[slot]
            seen[at + (faces if face == HIDDEN else face)] = 1
            at += faces + 1
    at = players * slots * (faces + 1)
    for face in range(faces):
        seen[at + face] = state.unseen[face]
    at += faces
    if state.renewed:
        for face in range(faces):
            seen[at + face] = state.stock[face]
    at += faces
    if state.discard != NO_CARD:
        seen[at + state.discard] = 1
    at += faces
    if state.held != NO_CARD:
        seen[at + state.held] = 1
        seen[at + faces] = state.held_from_stock
    at += faces
    seen[at + 1] = state.stock_left
    seen[at + 2 + state.phase] = 1
    at += 2 + PHASES
    for seat in (state.turn, state.closer, state.dealer, state.first):
        if seat != NOBODY:
            seen[at + clockwise(players, observer, seated[seat])] = 1
        at += players
    for player in range(players):
        place = at + clockwise(players, observer, player)
        seen[place] = match.at_table[player]
        seen[place + players] = max(-LARGEST, min(LARGEST, match.totals[player]))
    at += 2 * players
    seen[at] = min(LARGEST, state.turns)
    seen[at + 1] = max(0, rules.holes - match.holes)
    seen[at + 2] = match.playing_off


@compiled
def clockwise(players, observer, player):
    """How many places the player sits to the left of the observer."""
    return player - observer if player >= observer else player - observer + players
