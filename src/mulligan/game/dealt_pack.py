"""A pack in a fixed order: where each card lies, and which one comes next (2.2)."""

from collections.abc import Sequence
from typing import Any

from . import shuffle


class FixedOrder:
    """Base class of hidden cards with a fixed order, set before any player chooses a card."""

    layouts: list[list[int]]
    stock: list[int]  # the top card last
    stocks = 0

    def shuffled(self, copies: Sequence[int], what: str) -> list[int]:
        """Returns shuffled cards as a list of faces, top card first."""
        raise NotImplementedError

    @property
    def top(self) -> int:
        return self.stock[-1]

    def face_down(self, seat: int, slot: int) -> int:
        return self.layouts[seat][slot]

    def draw(self, face: int) -> None:
        must_be(self.stock.pop(), face)

    def turn_up(self, seat: int, slot: int, face: int) -> None:
        must_be(self.layouts[seat][slot], face)

    def renew(self, copies: Sequence[int]) -> None:
        self.stocks += 1
        self.stock = self.shuffled(copies, f"stock {self.stocks}")[::-1]


class DealtPack(FixedOrder):
    """The pack as dealt to the players, starting on the dealer's left (2.2, 2.3)."""

    def __init__(self, rules: Any, seats: int, dealer: int) -> None:
        self.pack = self.shuffled(rules.copies, "pack")
        self.order = [(dealer + 1 + place) % seats for place in range(seats)]
        layouts, self.first_discard, stock = shuffle.dealt(self.pack, seats, int(rules.slots))
        self.layouts = [layouts[self.order.index(seat)] for seat in range(seats)]
        self.stock = stock[::-1]

    @property
    def dealt(self) -> list[int]:
        """The cards of the layouts and the first discard."""
        return self.pack[: len(self.layouts) * len(self.layouts[0]) + 1]


def must_be(shown: int, face: int) -> None:
    """Raises ValueError if the revealed card differs from the card in the pack."""
    if shown != face:
        raise ValueError("the card in the log is not the card of the pack")
