"""The hidden cards of a hole, which are read one at a time, when they are revealed (2.2)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mulligan.engine.state import HIDDEN
from mulligan.game import shuffle
from mulligan.server.wire.events import Unsealed
from mulligan.server.wire.shuffles import SeedGiven


@dataclass
class Seal:
    """A pack whose seed is committed, and the seeds that players' devices added afterwards."""

    game: str
    hole: int
    seed: bytes
    added: list[SeedGiven] = field(default_factory=list)
    seed_givers: set[str] = field(default_factory=set)  # the guests who added a seed

    @property
    def commitment(self) -> str:
        return shuffle.commitment(self.seed)

    def is_of(self, shown: Unsealed) -> bool:
        return (self.game, self.hole) == (shown.game, shown.hole)

    @property
    def label(self) -> str:
        return shuffle.label(self.game, self.hole, [given.seed for given in self.added])

    def shuffled(self, copies: Sequence[int], what: str) -> list[int]:
        """Returns a shuffled list of faces, top card first. `copies[face]` is the number of cards of a face."""
        return shuffle.shuffled(shuffle.whole_pack(copies), self.seed, f"{self.label}/{what}")


class Cards(Protocol):
    """The interface of the hidden cards of a hole: the layouts and the stock."""

    @property
    def top(self) -> int:
        """The next card of the stock."""
        ...

    def face_down(self, seat: int, slot: int) -> int:
        """Returns the face-down card on a slot."""
        ...

    def draw(self, face: int) -> None:
        """Removes the top card of the stock. Raises ValueError if it is not the face in the log."""
        ...

    def turn_up(self, seat: int, slot: int, face: int) -> None:
        """Turns up the card on a slot. Raises ValueError if it is not the face in the log."""
        ...

    def renew(self, copies: Sequence[int]) -> None:
        """Shuffles the discards into a new stock (2.6). `copies[face]` is the number of cards of a face."""
        ...


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


class Deal(FixedOrder):
    """The pack as dealt to the players, starting on the dealer's left (2.2, 2.3)."""

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


class UnknownOrder:
    """Hidden cards in unknown order, before a practice reshuffle or with real cards: any revealed face fits."""

    def __init__(self, first_discard: int) -> None:
        self.first_discard = first_discard

    @property
    def top(self) -> int:
        raise AssertionError("nobody plays on before the cards are shuffled")

    def face_down(self, seat: int, slot: int) -> int:
        raise AssertionError("nobody plays on before the cards are shuffled")

    def draw(self, face: int) -> None:
        """Does nothing: any face can be the top card of the stock."""

    def turn_up(self, seat: int, slot: int, face: int) -> None:
        """Does nothing: any face can be on the slot."""

    def renew(self, copies: Sequence[int]) -> None:
        """Does nothing: the order of the stock is unknown."""


class NewOrder(FixedOrder):
    """The unseen cards of a position in a new random order; every order is equally likely (2.2)."""

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
    """Raises ValueError if the revealed card differs from the card in the pack."""
    if shown != face:
        raise ValueError("the card in the log is not the card of the pack")
