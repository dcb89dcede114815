"""The hidden cards of a hole, which are read one at a time, when they are revealed (2.2)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mulligan.engine.state import HIDDEN
from mulligan.game import shuffle
from mulligan.game.dealt_pack import DealtPack, FixedOrder
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


class Deal(DealtPack):
    """The pack as dealt to the players from a sealed pack (2.2, 2.3)."""

    def __init__(self, rules: Any, seal: Seal, seats: int, dealer: int) -> None:
        self.seal = seal
        super().__init__(rules, seats, dealer)

    def shuffled(self, copies: Sequence[int], what: str) -> list[int]:
        return self.seal.shuffled(copies, what)


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
