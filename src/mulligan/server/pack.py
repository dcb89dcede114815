"""The cards of a hole that nobody has seen yet. They leave one at a time, and only to be shown (2.2)."""

from collections.abc import Sequence
from typing import Any, Protocol

from .. import shuffle
from ..engine.state import HIDDEN
from .messages import SeedGiven, Unsealed


class Seal:
    """A pack fixed before anybody could choose it, and what players' devices added to it since."""

    def __init__(self, game: str, hole: int, seed: bytes) -> None:
        self.game = game
        self.hole = hole
        self.seed = seed
        self.added: list[SeedGiven] = []
        self.stirrers: set[str] = set()  # the guests who added

    @property
    def commitment(self) -> str:
        return shuffle.commitment(self.seed)

    def is_of(self, shown: Unsealed) -> bool:
        return (self.game, self.hole) == (shown.game, shown.hole)

    @property
    def label(self) -> str:
        return shuffle.label(self.game, self.hole, [given.seed for given in self.added])

    def shuffled(self, copies: Sequence[int], what: str) -> list[int]:
        """So many cards of each face, in the order of this seal; the first one is on top."""
        return shuffle.shuffled(shuffle.whole_pack(copies), self.seed, f"{self.label}/{what}")


class Cards(Protocol):
    """What lies face down in a hole: on the layouts, and in the stock."""

    @property
    def top(self) -> int:
        """The next card of the stock."""
        ...

    def lying(self, seat: int, slot: int) -> int:
        """The card face down on that slot."""
        ...

    def draw(self, face: int) -> None:
        """The top card of the stock is shown. Raises ValueError where it is another than the log says."""
        ...

    def turn_up(self, seat: int, slot: int, face: int) -> None:
        """The card on that slot is shown. Raises ValueError where it is another than the log says."""
        ...

    def renew(self, copies: Sequence[int]) -> None:
        """So many cards of each face are shuffled and are the stock (2.6)."""
        ...


class Lying:
    """Cards that lie where they lie, before anybody has chosen what to turn up."""

    layouts: list[list[int]]
    stock: list[int]  # the top card last
    stocks = 0

    def shuffled(self, copies: Sequence[int], what: str) -> list[int]:
        """So many cards of each face; the first one is on top."""
        raise NotImplementedError

    @property
    def top(self) -> int:
        return self.stock[-1]

    def lying(self, seat: int, slot: int) -> int:
        return self.layouts[seat][slot]

    def draw(self, face: int) -> None:
        must_be(self.stock.pop(), face)

    def turn_up(self, seat: int, slot: int, face: int) -> None:
        must_be(self.layouts[seat][slot], face)

    def renew(self, copies: Sequence[int]) -> None:
        self.stocks += 1
        self.stock = self.shuffled(copies, f"stock {self.stocks}")[::-1]


class Deal(Lying):
    """The pack as it was dealt round the table, beginning on the dealer's left (2.2, 2.3)."""

    def __init__(self, rules: Any, seal: Seal, seats: int, dealer: int) -> None:
        self.seal = seal
        self.pack = self.shuffled(rules.copies, "pack")
        self.order = [(dealer + 1 + place) % seats for place in range(seats)]
        layouts, self.first_discard, stock = shuffle.dealt(self.pack, seats, int(rules.slots))
        self.layouts = [layouts[self.order.index(seat)] for seat in range(seats)]
        self.stock = stock[::-1]

    def shuffled(self, copies: Sequence[int], what: str) -> list[int]:
        return self.seal.shuffled(copies, what)

    @property
    def dealt(self) -> list[int]:
        """The cards of the layouts and the first discard."""
        return self.pack[: len(self.layouts) * len(self.layouts[0]) + 1]


class OldDeal:
    """How logs of wire version 1 dealt: whatever is shown next, it is the next card of the pack."""

    def __init__(self, rules: Any, seed: bytes, label: str) -> None:
        self.seed = seed
        self.label = label
        self.pack = self.stock = self.shuffled(rules.copies, label)
        self.first_discard = self.pack.pop()
        self.stocks = 0

    def shuffled(self, copies: Sequence[int], label: str) -> list[int]:
        return shuffle.shuffled(shuffle.whole_pack(copies), self.seed, label)[::-1]

    @property
    def top(self) -> int:
        return self.stock[-1]

    def lying(self, seat: int, slot: int) -> int:
        return self.pack[-1]

    def draw(self, face: int) -> None:
        must_be(self.stock.pop(), face)

    def turn_up(self, seat: int, slot: int, face: int) -> None:
        must_be(self.pack.pop(), face)

    def renew(self, copies: Sequence[int]) -> None:
        self.stocks += 1
        self.stock = self.shuffled(copies, f"{self.label}/stock {self.stocks}")


class AsItWas:
    """Cards on the way to a position played on from, or on a real table: whatever is shown is what lay there."""

    def __init__(self, first_discard: int) -> None:
        self.first_discard = first_discard

    @property
    def top(self) -> int:
        raise AssertionError("nobody plays on before the cards are shuffled")

    def lying(self, seat: int, slot: int) -> int:
        raise AssertionError("nobody plays on before the cards are shuffled")

    def draw(self, face: int) -> None:
        """It was the top card of the stock."""

    def turn_up(self, seat: int, slot: int, face: int) -> None:
        """It lay on that slot."""

    def renew(self, copies: Sequence[int]) -> None:
        """The discards became a new stock."""


class Anew(Lying):
    """What nobody has seen in a position, shuffled anew: every order of it is as likely as it was (2.2)."""

    def __init__(self, rules: Any, state: Any, seed: bytes) -> None:
        self.seed = seed
        unseen = self.shuffled(state["unseen"], "unseen")[::-1]
        self.layouts = [
            [unseen.pop() if face == HIDDEN else face for face in player["layout"][: int(rules.slots)].tolist()]
            for player in state["players"][: int(state["seats"])]
        ]
        self.stock = self.shuffled(state["stock"], "stock 0")[::-1] if state["renewed"] else unseen

    def shuffled(self, copies: Sequence[int], what: str) -> list[int]:
        return shuffle.shuffled(shuffle.whole_pack(copies), self.seed, f"practice/{what}")


def must_be(shown: int, face: int) -> None:
    if shown != face:
        raise ValueError("the card in the log is not the card of the pack")
