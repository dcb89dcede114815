"""Duplicate deals: the cards of a hole in an order fixed by a seed, the same for every seating."""

from mulligan.engine.chance import bag
from mulligan.engine.state import STOCK
from mulligan.game import shuffle
from mulligan.game.hole import Hole
from mulligan.game.variants import Variant


class Deck:
    """Every slot of every seat has its card, and the stock its order, before anyone moves."""

    def __init__(self, variant: Variant, seats: int, seed: bytes) -> None:
        self.seed, self.stocks = seed, 0
        pack = self.shuffled(variant.rules.copies)
        self.layouts, first_discard, stock = shuffle.dealt(pack, seats, int(variant.rules.slots))
        self.stock = [*stock[::-1], first_discard]  # the top card last

    def shuffled(self, copies: list[int]) -> list[int]:
        return shuffle.shuffled(shuffle.whole_pack(copies), self.seed, f"stock {self.stocks}")

    def turn_up(self, hole: Hole) -> None:
        """Turns up the card that the hole awaits."""
        awaited = hole.sight.awaited
        hole.turn_up(self.top(hole) if awaited == STOCK else self.layouts[hole.turn][awaited])

    def top(self, hole: Hole) -> int:
        """Takes the top card of the stock; an empty one is replaced by a new stock from the discards (2.6)."""
        if not self.stock:
            self.stocks += 1
            self.stock = self.shuffled(bag(hole.state).tolist())
        return self.stock.pop()
