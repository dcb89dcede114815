"""Implements the fair shuffle, which fixes the pack before the deal and can be repeated by anyone (2.2).

Before a hole the server publishes the SHA-256 of a secret seed. Players add seeds that the server could not
know. After the hole the server publishes the secret. See docs/fairness.md.
"""

import hashlib
import hmac
import re
import struct
from collections.abc import Iterator, Sequence

SEED_BYTES = 32
EIGHT_NUMBERS = struct.Struct(">8I")  # of 32 bits each, together a digest
ADDED = re.compile(r"[0-9a-f]{32}")  # the seed that a player's device adds


def commitment(seed: bytes) -> str:
    """Returns the SHA-256 of the seed in hex: published before the deal, it fixes the seed without revealing it."""
    return hashlib.sha256(seed).hexdigest()


def label(game: str, hole: int, added: Sequence[str]) -> str:
    """Returns the label of a shuffle: the match, the hole (0 for the draw of 2.1) and the added seeds, in order."""
    return f"{game}/{hole}/{','.join(added)}"


def whole_pack(copies: Sequence[int]) -> list[int]:
    """Returns the face numbers in order, each as often as the pack has that card (1.2)."""
    return [face for face, count in enumerate(copies) for _ in range(count)]


def shuffled(cards: Sequence[int], seed: bytes, purpose: str) -> list[int]:
    """Shuffles by Fisher-Yates with numbers from the seed's stream; the first card is on top.

    `purpose` is the label and the thing shuffled: `/pack`, `/draw 1`, `/stock 1`.
    """
    cards = list(cards)
    numbers = stream(seed, purpose)
    for last in range(len(cards) - 1, 0, -1):
        chosen = below(last + 1, numbers)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def stream(seed: bytes, purpose: str) -> Iterator[int]:
    """Yields 32-bit numbers: HMAC-SHA256 with the seed as key of `purpose/0`, `purpose/1`, …, read big-endian."""
    counter = 0
    while True:
        block = hmac.digest(seed, f"{purpose}/{counter}".encode(), "sha256")
        yield from EIGHT_NUMBERS.unpack(block)
        counter += 1


def below(sides: int, numbers: Iterator[int]) -> int:
    """Returns a number from 0 to `sides` - 1; skips the numbers that would make low ones more likely."""
    limit = 2**32 - 2**32 % sides
    number = next(numbers)
    while number >= limit:
        number = next(numbers)
    return number % sides


def dealt(cards: Sequence[int], players: int, slots: int) -> tuple[list[list[int]], int, list[int]]:
    """Returns the layouts in dealing order, the first discard, and the stock, top card first (2.2, 2.3).

    Cards are dealt one at a time: first every player's first slot, then every player's second.
    """
    layouts = [list(cards[player : players * slots : players]) for player in range(players)]
    return layouts, cards[players * slots], list(cards[players * slots + 1 :])
