"""What fixed each pack of a match, and which of its cards were seen: for anybody who wants to check the shuffle."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from ..variants import Variant
from .entries import Entry
from .messages import (
    CardCount,
    CardSeen,
    Dealt,
    Drew,
    Frequency,
    GivenUp,
    Revealed,
    Sealed,
    SeedAdded,
    SeedGiven,
    Shuffle,
    ShuffleBook,
    Step,
    Unsealed,
)
from .table import Table, match_id


class Notes:
    """Written while a table's log is read, entry by entry."""

    def __init__(self) -> None:
        self.shuffles: dict[tuple[str, int], Shuffle] = {}
        self.seen: list[CardSeen] = []
        self.seats: list[int] = []
        self.renewed: list[list[str]] = []

    def take(self, table: Table, entry: Entry) -> None:
        """Notes what the entry, which has just happened at the table, tells of the pack."""
        match entry:
            case Sealed():
                self.shuffles[entry.game, entry.hole] = Shuffle(entry.hole, entry.commitment, seeds=[])
                if entry.hole == 0:
                    self.clear()
            case SeedAdded():
                latest = next(reversed(self.shuffles.values()))
                latest.seeds.append(SeedGiven(entry.seat, entry.seed))
            case Drew():
                self.seen.append(CardSeen(f"draw {entry.round}", entry.face, entry.seat))
            case Dealt():
                self.clear()
                first = entry.seats.index(entry.dealer) + 1
                self.seats = entry.seats[first:] + entry.seats[:first]
                self.seen.append(CardSeen("discard", entry.first_discard))
            case Step():
                self.take_step(entry)
                if entry.renewed:
                    self.renewed.append(table.stock_made_anew())
            case Revealed():
                self.seen.append(CardSeen("layout", entry.face, entry.seat, entry.slot))
            case GivenUp() if not table.hole or table.hole.is_over:
                self.clear()
            case Unsealed():
                shuffle = self.shuffles[entry.game, entry.hole]
                shuffle.seed = entry.seed
                shuffle.seats, shuffle.cards, shuffle.renewed = self.seats, self.seen, self.renewed
                self.clear()

    def take_step(self, step: Step) -> None:
        if step.move == "S":
            stock = f"stock {len(self.renewed)}" if self.renewed else "stock"
            self.seen.append(CardSeen(stock, str(step.face), step.seat))
        elif step.phase in ("tee_off", "flip") and step.face is not None:
            self.seen.append(CardSeen("layout", step.face, step.seat, step.move))
        elif step.from_hidden:
            self.seen.append(CardSeen("layout", str(step.went), step.seat, step.move))

    def clear(self) -> None:
        self.seen, self.seats, self.renewed = [], [], []

    def of(self, game: str) -> list[Shuffle]:
        return [shuffle for (match, _), shuffle in self.shuffles.items() if match == game]


def read(entries: Iterable[Entry], match: int) -> ShuffleBook | None:
    """The shuffles of a table's match so far, or None where there was no such match."""
    table, notes = Table([]), Notes()
    names: list[str] = []
    for entry in entries:
        table.apply(entry)
        notes.take(table, entry)
        if table.match == match:
            names = [seat.name for seat in table.seats]
    if not 0 < match <= table.match:
        return None
    game = match_id(table.watch, match)
    return ShuffleBook(game, table.variant.name, names, game in table.finished, notes.of(game))


def record_of(notes: Notes, game: str) -> list[dict[str, Any]]:
    """The shuffles as they stand in a record (docs/notation.md)."""
    return [
        {
            "hole": shuffle.hole,
            "commitment": shuffle.commitment,
            "seeds": [given.seed for given in shuffle.seeds],
            "seed": shuffle.seed,
        }
        | ({"drawn": drawn(shuffle.cards)} if shuffle.hole == 0 else {})
        for shuffle in notes.of(game)
    ]


def drawn(cards: list[CardSeen]) -> list[dict[str, str]]:
    """The cards of each round of the draw by player (2.1)."""
    rounds: dict[str, dict[str, str]] = {}
    for card in cards:
        rounds.setdefault(card.place, {})[str(card.seat)] = card.face
    return list(rounds.values())


def frequency(variant: Variant, holes: Mapping[int, int], counts: Mapping[str, int]) -> Frequency:
    """How often each face was dealt, beside what a fair shuffle would bring.

    `holes` counts the holes by the number of their cards dealt. Those cards of one hole are drawn without
    replacement from the pack, so a face's count is hypergeometric, and holes are independent.
    """
    copies = {face: int(variant.rules.copies[number]) for number, face in enumerate(variant.faces)}
    pack = sum(copies.values())
    cards = []
    for face, own in copies.items():
        share = own / pack
        expected = sum(number * dealt * share for dealt, number in holes.items())
        variance = sum(
            number * dealt * share * (1 - share) * (pack - dealt) / (pack - 1) for dealt, number in holes.items()
        )
        cards.append(CardCount(face, counts.get(face, 0), round(expected, 2), round(math.sqrt(variance), 2)))
    return Frequency(game=variant.name, holes=sum(holes.values()), cards=cards)
