"""The fair shuffle: a pack fixed before anybody could choose it, that anybody can shuffle again (2.2).

Before a hole the server shows the SHA-256 of a secret seed. Players add seeds of their own, which the
server could not know, and the secret is shown when the hole is over. See docs/fairness.md.
"""

import hashlib
import hmac
import re
import struct
from collections.abc import Iterator, Sequence

SEED_BYTES = 32
EIGHT_NUMBERS = struct.Struct(">8I")  # of 32 bits, in 32 bytes
ADDED = re.compile(r"[0-9a-f]{32}")  # what a player's device adds


def commitment(seed: bytes) -> str:
    """What is shown before the deal: it fixes the seed, and tells nothing of it."""
    return hashlib.sha256(seed).hexdigest()


def label(game: str, hole: int, added: Sequence[str]) -> str:
    """What a pack is shuffled for: the match, the hole (0 for the draw of 2.1), and the seeds added, in order."""
    return f"{game}/{hole}/{','.join(added)}"


def whole_pack(copies: Sequence[int]) -> list[int]:
    """The numbers of the faces, in order, each as often as the pack has it (1.2)."""
    return [face for face, count in enumerate(copies) for _ in range(count)]


def shuffled(cards: Sequence[int], seed: bytes, purpose: str) -> list[int]:
    """Fisher and Yates's shuffle, with numbers from the seed's stream; the first card is on top.

    `purpose` is the label and what is shuffled: `/pack`, `/draw 1`, `/stock 1`.
    """
    cards = list(cards)
    numbers = stream(seed, purpose)
    for last in range(len(cards) - 1, 0, -1):
        chosen = below(last + 1, numbers)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def stream(seed: bytes, purpose: str) -> Iterator[int]:
    """32-bit numbers: HMAC-SHA256 under the seed of `purpose/0`, `purpose/1`, …, read big-endian."""
    counter = 0
    while True:
        block = hmac.digest(seed, f"{purpose}/{counter}".encode(), "sha256")
        yield from EIGHT_NUMBERS.unpack(block)
        counter += 1


def below(sides: int, numbers: Iterator[int]) -> int:
    """A number from 0 to `sides` - 1; numbers that would favour the low ones are passed over."""
    limit = 2**32 - 2**32 % sides
    number = next(numbers)
    while number >= limit:
        number = next(numbers)
    return number % sides


def dealt(cards: Sequence[int], players: int, slots: int) -> tuple[list[list[int]], int, list[int]]:
    """The layouts in the order of dealing, the first discard, and the stock, its top card first (2.2, 2.3).

    The cards go round one at a time: first everybody's first slot, then everybody's second.
    """
    layouts = [list(cards[player : players * slots : players]) for player in range(players)]
    return layouts, cards[players * slots], list(cards[players * slots + 1 :])
