"""Reads and writes slots, faces, layouts and moves as text (docs/notation.md).

Reading takes what people type or write by hand (`typed_text`); writing is strict.
"""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.replay import STEP
from mulligan.engine.rules import MAX_SLOTS
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, NOBODY, PASS, STOCK, Phase

from .error_sentences import Problem
from .typed_text import joined, plain, shown, word
from .variants import Variant, packs_for

SLOT = r"[a-z][0-9]{1,2}"  # of joined text, as all patterns
FACE = r"-[1-9]|[0-9]{1,2}|[a-z]|\*"
TEE_OFF = re.compile(rf"({SLOT})=({FACE})")
DECLINED = "-"
MOVE_TEXT = {STOCK: "S", DISCARD: "D", DISCARD_DRAWN: "-", PASS: "."}  # choices other than slots
MOVE_NAMES = {STOCK: "stock", DISCARD: "discard", DISCARD_DRAWN: "discard_drawn", PASS: "pass"}  # for programs
CHOICES = {text.lower(): move for move, text in MOVE_TEXT.items()}
TURN = re.compile(rf"([sd])({FACE})(?:>({SLOT})x({FACE})|(-)(?:({SLOT})=({FACE}))?)")


class NotationError(Problem):
    """Text that is not in the notation, or a name the game does not have."""


class Step(NamedTuple):
    """One choice and the card it showed, as numbers of the engine (see engine.replay.STEP)."""

    seat: int
    phase: int
    move: int
    face: int


def write_slot(variant: Variant, slot: int) -> str:
    return variant.slots[slot]


def read_slot(variant: Variant, text: str) -> int:
    """Returns the number of a slot. Raises NotationError if the layout has no such slot."""
    slot = text if text in variant.slots else word(text)
    if slot not in variant.slots:
        raise NotationError("no_slot", slot=shown(text), last=variant.slots[-1])
    return variant.slots.index(slot)


def write_face(variant: Variant, face: int) -> str:
    """Writes a face by its name, and `?` for a face-down card."""
    return "?" if face == HIDDEN else variant.faces[face]


def read_face(variant: Variant, text: str) -> int:
    """Returns the number of a face. Raises NotationError if the pack has no such card."""
    face = text if text in variant.faces else word(text).upper()
    if face not in variant.faces:
        raise NotationError("no_card", face=shown(text.upper() if text.isascii() else text))
    return variant.faces.index(face)


def write_layout(variant: Variant, layout: Any) -> str:
    """Writes faces in slot order as `7 ? 1 ? / 7 ? ? 5`."""
    faces = [write_face(variant, layout[slot]) for slot in range(variant.rules.slots)]
    columns = int(variant.rules.columns)
    return " / ".join(" ".join(faces[row : row + columns]) for row in range(0, len(faces), columns))


def read_layout(variant: Variant, text: str) -> np.ndarray:
    """Returns the faces of a layout in slot order, HIDDEN for `?`: an int8 array of 12, unused slots HIDDEN.

    Raises NotationError for a wrong shape, an unknown card, or more copies of a card than the largest table uses (1.2).
    """
    rules = variant.rules
    rows = [row.split() for row in plain(text).split("/")]
    if len(rows) != rules.rows or any(len(row) != rules.columns for row in rows):
        example = write_layout(variant, [HIDDEN] * rules.slots)
        raise NotationError("shape", rows=int(rules.rows), columns=int(rules.columns), example=example)
    layout = np.full(MAX_SLOTS, HIDDEN, np.int8)
    cards = [card for row in rows for card in row]
    for slot, card in enumerate(cards):
        layout[slot] = HIDDEN if card == "?" else read_face(variant, card)
    counts = np.bincount(layout[layout != HIDDEN], minlength=rules.faces)
    copies = packs_for(variant.facts, variant.facts.most) * rules.copies[: rules.faces]
    for face in np.flatnonzero(counts > copies):
        count, most = int(counts[face]), int(copies[face])
        raise NotationError("too_many", "table", face=variant.faces[face], copies=most, count=count)
    return layout


def read_move(variant: Variant, text: str) -> list[Step]:
    """Returns the steps of one written move, without their seat. Raises NotationError.

    `S11-` gives two steps; only the position shows whether a third one, a pass, follows (3.4).
    """
    written = joined(text)
    if match := TEE_OFF.fullmatch(written):
        return [Step(NOBODY, Phase.TEE_OFF, read_slot(variant, match[1]), read_face(variant, match[2]))]
    if written == DECLINED:
        return [Step(NOBODY, Phase.TAKE, PASS, HIDDEN)]
    match = TURN.fullmatch(written)
    if not match:
        raise NotationError("no_move", move=shown(text))
    held = read_face(variant, match[2])
    steps = [Step(NOBODY, Phase.TAKE, CHOICES[match[1]], held)]
    if match[3]:
        steps.append(Step(NOBODY, Phase.PLACE, read_slot(variant, match[3]), read_face(variant, match[4])))
    else:
        steps.append(Step(NOBODY, Phase.PLACE, DISCARD_DRAWN, held))
    if match[6]:
        steps.append(Step(NOBODY, Phase.FLIP, read_slot(variant, match[6]), read_face(variant, match[7])))
    return steps


def write_choice(variant: Variant, move: int) -> str:
    """Writes a choice without the card it shows: a slot, or `S`, `D`, `-`, `.` (pass or decline)."""
    return MOVE_TEXT.get(move) or write_slot(variant, move)


def read_choice(variant: Variant, text: str) -> int:
    """Returns the number of a choice. Raises NotationError if it is neither a slot nor `S`, `D`, `-` or `.`."""
    choice = joined(text)
    return CHOICES[choice] if choice in CHOICES else read_slot(variant, choice)


def name_of_pass(closer: int) -> str:
    """Returns what it is to take no card: `knock` while nobody has closed (3.8), else `decline` (4.2)."""
    return "knock" if closer == NOBODY else "decline"


def name_of_move(variant: Variant, move: int, phase: int = Phase.OVER, closer: int = NOBODY) -> str:
    """Returns a slot, `stock`, `discard`, `discard_drawn` or `pass`; for PASS in the phase TAKE, as `name_of_pass`."""
    if move == PASS and phase == Phase.TAKE:
        return name_of_pass(closer)
    return MOVE_NAMES.get(move) or write_slot(variant, move)


def write_piece(variant: Variant, step: Step) -> str:
    """Writes a step as a piece of a move: `a1=4`, `S7`, `>b2x9`, `-`, `.`, or `-` for a declined turn."""
    _, phase, move, face = step
    if phase == Phase.TAKE:
        return DECLINED if move == PASS else MOVE_TEXT[move] + write_face(variant, face)
    if move in MOVE_TEXT:
        return MOVE_TEXT[move]
    if phase == Phase.PLACE:
        return f">{write_slot(variant, move)}x{write_face(variant, face)}"
    return f"{write_slot(variant, move)}={write_face(variant, face)}"


def write_moves(variant: Variant, steps: Iterable[Step]) -> list[str]:
    """Writes the steps of a hole as moves; the last may be half a move, such as `S7`."""
    moves: list[str] = []
    for step in steps:
        if step.phase in (Phase.TEE_OFF, Phase.TAKE):
            moves.append(write_piece(variant, step))
        elif step.phase in (Phase.PLACE, Phase.FLIP) and step.move != PASS:
            moves[-1] += write_piece(variant, step)
    return moves


def write_reveal(variant: Variant, steps: Iterable[Step]) -> dict[int, list[str]]:
    """Writes the cards turned up after the last turns (4.3), by seat."""
    cards: dict[int, list[str]] = {}
    for step in steps:
        if step.phase == Phase.REVEAL:
            cards.setdefault(step.seat, []).append(write_piece(variant, step))
    return cards


def as_array(steps: Iterable[Step]) -> np.ndarray:
    """Returns the steps as an array of STEP records, as the engine takes them."""
    return np.fromiter(steps, STEP)
