"""Text for slots, faces, layouts and moves, and back again: see docs/notation.md."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from .engine.replay import STEP
from .engine.rules import MAX_SLOTS
from .engine.state import DISCARD, HIDDEN, NOBODY, PASS, STOCK, THROW_AWAY, Phase
from .inert import inert
from .variants import Variant

SLOT = r"[a-z][0-9]{1,2}"
FACE = r"[0-9]{1,2}|[A-Z]|\*"
TEE_OFF = re.compile(rf"({SLOT})=({FACE})")
TURN = re.compile(rf"([SD])({FACE})(?:>({SLOT})x({FACE})|(-)(?:({SLOT})=({FACE}))?)")


class NotationError(ValueError):
    """Text that is not in the notation, or names what the game does not have; `key` and `params` say it to programs."""

    def __init__(self, sentence: str, key: str = "", **params: str | int) -> None:
        super().__init__(sentence)
        self.key = key
        self.params = params


class Step(NamedTuple):
    """One choice and the card it showed, as the engine counts them (see engine.replay.STEP)."""

    seat: int
    phase: int
    move: int
    face: int


def write_slot(variant: Variant, slot: int) -> str:
    return variant.slots[slot]


def read_slot(variant: Variant, text: str) -> int:
    """The number of a slot. Raises NotationError where the layout has no such slot."""
    if text not in variant.slots:
        raise NotationError(
            f"There is no slot {inert(text)}; in {variant.title} slots go from a1 to {variant.slots[-1]} (1.3).",
            "no_slot",
            slot=inert(text, 20),
            last=variant.slots[-1],
        )
    return variant.slots.index(text)


def write_face(variant: Variant, face: int) -> str:
    return "?" if face == HIDDEN else variant.faces[face]


def read_face(variant: Variant, text: str) -> int:
    """The number of a face. Raises NotationError where the pack has no such card."""
    if text not in variant.faces:
        raise NotationError(
            f"There is no card {inert(text)}; {variant.title} has {' '.join(variant.faces)} (1.2).",
            "no_card",
            face=inert(text, 20),
        )
    return variant.faces.index(text)


def write_layout(variant: Variant, layout: Any) -> str:
    """`7 ? 1 ? / 7 ? ? 5` for faces in slot order."""
    faces = [write_face(variant, layout[slot]) for slot in range(variant.rules.slots)]
    columns = int(variant.rules.columns)
    return " / ".join(" ".join(faces[row : row + columns]) for row in range(0, len(faces), columns))


def read_layout(variant: Variant, text: str) -> np.ndarray:
    """The faces of a layout in slot order, HIDDEN for `?`: an int8 array of 12, unused ones HIDDEN.

    Raises NotationError for a wrong shape, an unknown card, or more of one than the pack has.
    """
    rules = variant.rules
    rows = [row.split() for row in text.split("/")]
    if len(rows) != rules.rows or any(len(row) != rules.columns for row in rows):
        raise NotationError(
            f"A layout of {variant.title} has {rules.rows} rows of {rules.columns} cards, "
            f"written like {write_layout(variant, [HIDDEN] * rules.slots)} (1.3).",
            "shape",
            rows=int(rules.rows),
            columns=int(rules.columns),
        )
    layout = np.full(MAX_SLOTS, HIDDEN, np.int8)
    cards = [card for row in rows for card in row]
    for slot, card in enumerate(cards):
        layout[slot] = HIDDEN if card == "?" else read_face(variant, card)
    for face, copies in enumerate(rules.copies[: rules.faces]):
        if np.count_nonzero(layout == face) > copies:
            raise NotationError(
                f"The pack has only {copies} cards {variant.faces[face]} (1.2).",
                "too_many",
                face=variant.faces[face],
                copies=int(copies),
                count=int(np.count_nonzero(layout == face)),
            )
    return layout


def read_move(variant: Variant, text: str) -> list[Step]:
    """The steps of one written move; whose they are the table knows. Raises NotationError.

    `S11-` is two steps: whether a third, passing, follows (3.4), the table knows too.
    """
    if match := TEE_OFF.fullmatch(text):
        return [Step(NOBODY, Phase.TEE_OFF, read_slot(variant, match[1]), read_face(variant, match[2]))]
    match = TURN.fullmatch(text)
    if not match:
        raise NotationError(
            f"“{inert(text)}” is not a move; moves are a1=4, S7>b2x9, D3>c1x12, S11-a2=5 or S11-.",
            "no_move",
            move=inert(text, 20),
        )
    held = read_face(variant, match[2])
    steps = [Step(NOBODY, Phase.TAKE, STOCK if match[1] == "S" else DISCARD, held)]
    if match[3]:
        steps.append(Step(NOBODY, Phase.PLACE, read_slot(variant, match[3]), read_face(variant, match[4])))
    else:
        steps.append(Step(NOBODY, Phase.PLACE, THROW_AWAY, held))
    if match[6]:
        steps.append(Step(NOBODY, Phase.FLIP, read_slot(variant, match[6]), read_face(variant, match[7])))
    return steps


def write_moves(variant: Variant, steps: Iterable[Step]) -> list[str]:
    """The written moves of a hole's steps; the last may be half a move, such as `S7`."""
    moves: list[str] = []
    for _, phase, move, face in steps:
        if phase == Phase.TEE_OFF:
            moves.append(f"{write_slot(variant, move)}={write_face(variant, face)}")
        elif phase == Phase.TAKE:
            moves.append(("S" if move == STOCK else "D") + write_face(variant, face))
        elif phase == Phase.PLACE and move == THROW_AWAY:
            moves[-1] += "-"
        elif phase == Phase.PLACE:
            moves[-1] += f">{write_slot(variant, move)}x{write_face(variant, face)}"
        elif phase == Phase.FLIP and move != PASS:
            moves[-1] += f"{write_slot(variant, move)}={write_face(variant, face)}"
    return moves


def write_reveal(variant: Variant, steps: Iterable[Step]) -> dict[int, list[str]]:
    """The cards turned up after the last turns (4.3), by seat."""
    cards: dict[int, list[str]] = {}
    for seat, phase, slot, face in steps:
        if phase == Phase.REVEAL:
            cards.setdefault(seat, []).append(f"{write_slot(variant, slot)}={write_face(variant, face)}")
    return cards


def as_array(steps: Iterable[Step]) -> np.ndarray:
    """Steps as the engine's array of STEP records."""
    return np.array([tuple(step) for step in steps], STEP)
