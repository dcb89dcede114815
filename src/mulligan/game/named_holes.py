"""Holes with the same cards for everyone: of a day, or of a word that people agree on (docs/fairness.md).

What the match is called fixes its cards. The browser has the same in web/src/golf/namedHoles.ts and
web/src/local/namedCards.ts; tests/vectors/named_holes.json checks both.
"""

import hashlib
from base64 import b32encode
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from typing import Any

from mulligan.engine.state import STOCK, Phase

from . import shuffle
from .dealt_pack import DealtPack
from .hole import Hole
from .notation import as_array, write_face
from .typed_text import word
from .variants import Variant

DAY, WORD = "HERE-DAY-", "HERE-WORD-"
MOST_BYTES = 32  # of a word, so that the match's name stays an address


def as_word(typed: str) -> str:
    """Returns typed text as the word of a hole; capitals make no difference, nor do spaces around it."""
    return " ".join(word(typed).split())


def match_of(name: str) -> str:
    """Returns the name of the match of a day, such as 2026-11-28, or of a word."""
    with suppress(ValueError):
        if date.fromisoformat(name).isoformat() == name:
            return f"{DAY}{name}-1"
    return f"{WORD}{b32encode(name.encode()).decode().rstrip('=')}-1"


def is_named(match: str) -> bool:
    return match.startswith((DAY, WORD))


def seed_of(match: str) -> bytes:
    """Returns the seed of all shuffles of a match: the SHA-256 of its name."""
    return hashlib.sha256(match.encode()).digest()


def shuffled(match: str, hole: int, copies: Sequence[int], what: str) -> list[int]:
    """Returns the cards of a shuffle, top card first. `what` is `pack`, `draw 1`, `stock 1`, …"""
    purpose = f"{shuffle.label(match, hole, [])}/{what}"
    return shuffle.shuffled(shuffle.whole_pack(copies), seed_of(match), purpose)


class NamedPack(DealtPack):
    """The cards of the hole of a match."""

    def __init__(self, match: str, rules: Any, seats: int, dealer: int) -> None:
        self.match = match
        super().__init__(rules, seats, dealer)

    def shuffled(self, copies: Sequence[int], what: str) -> list[int]:
        return shuffled(self.match, 1, copies, what)


def next_face(match: str, hole: Hole) -> int:
    """Returns the face of the card that the hole of a match waits for."""
    state = hole.state
    pack = NamedPack(match, hole.variant.rules, int(state.seats), int(state.dealer))
    if state.phase == Phase.DEAL:
        return pack.first_discard
    again = Hole(hole.variant, int(state.seats), int(state.dealer))
    for step in hole.steps:
        left = int(again.state.stock_left)
        again.take(as_array([step]))
        if step.move == STOCK and step.phase == Phase.TAKE:
            pack.draw(step.face)
        if again.state.stock_left > left:  # 2.6
            pack.renew(again.state.stock)
    return pack.top if state.awaited == STOCK else pack.face_down(int(state.turn), int(state.awaited))


def shuffles(match: str, variant: Variant, rounds: Sequence[dict[int, int]]) -> list[dict[str, Any]]:
    """Returns the shuffles of a match in the format of a record; `rounds` are the faces drawn, by player."""
    seed = seed_of(match)
    entry = {"commitment": shuffle.commitment(seed), "seeds": [], "seed": seed.hex()}
    drawn = [{str(player): write_face(variant, face) for player, face in faces.items()} for faces in rounds]
    return [{"hole": 0, **entry, "drawn": drawn}, {"hole": 1, **entry}]
