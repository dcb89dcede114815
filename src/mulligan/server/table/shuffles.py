"""Collects the seeds and revealed cards of each pack, so that anyone can verify the shuffles."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from mulligan.game.variants import Variant
from mulligan.server.wire.events import Dealt, Drew, GivenUp, Revealed, Sealed, SeedAdded, Started, Unsealed
from mulligan.server.wire.shuffles import CardCount, CardSeen, Frequency, SeedGiven, Shuffle, ShuffleBook
from mulligan.server.wire.view import Step

from .log_entries import Entry
from .table import Table, match_id


class Notes:
    """Collects the shuffles of a table while its log is read, from its beginning or from the start of a match."""

    def __init__(self, table: Table) -> None:
        self.shuffles: dict[tuple[str, int], Shuffle] = {}
        if sealed := table.sealed:
            shuffle = Shuffle(sealed.hole, sealed.commitment, seeds=[*sealed.added])
            self.shuffles[sealed.game, sealed.hole] = shuffle
        self.seen: list[CardSeen] = []
        self.seats: list[int] = []
        self.renewed: list[list[str]] = []

    def take(self, table: Table, entry: Entry) -> None:
        """Records what an entry, just applied to the table, reveals about the pack."""
        match entry:
            case Sealed():
                self.shuffles[entry.game, entry.hole] = Shuffle(entry.hole, entry.commitment, seeds=[])
                if entry.hole == 0:
                    self.clear()
            case SeedAdded():
                latest = next(reversed(self.shuffles.values()))
                latest.seeds.append(SeedGiven(entry.seat, entry.seed))
            case Started():
                self.note_without_seed(entry)
            case Drew():
                self.seen.append(CardSeen(f"draw {entry.round}", entry.face, entry.seat))
            case Dealt():
                self.clear()
                self.note_without_seed(entry)
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

    def note_without_seed(self, entry: Started | Dealt) -> None:
        if entry.without_seed:
            next(reversed(self.shuffles.values())).without_seed = entry.without_seed

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


def read(entries: Iterable[Entry], match: int, start: Table | None = None) -> ShuffleBook | None:
    """Returns the shuffles of a match so far, or None if there was no such match."""
    table = start or Table()
    notes = Notes(table)
    names: dict[int, str] = {}  # the last name at each seat, also of players who left
    length = 0
    for entry in entries:
        if isinstance(entry, Sealed) and entry.hole == 0 and table.match >= match:
            break
        table.apply(entry)
        notes.take(table, entry)
        if table.match == match:
            names |= {number: seat.name for number, seat in enumerate(table.seats) if seat.name}
            length = int(table.rules.holes)
    if not 0 < match <= table.match:
        return None
    game = match_id(table.watch, match)
    all_names = [names.get(number, "") for number in range(len(table.seats))]
    return ShuffleBook(game, table.variant.name, all_names, game in table.finished, notes.of(game), length, table.facts)


def record_of(notes: Notes, game: str) -> list[dict[str, Any]]:
    """Returns the shuffles in the format of a record (docs/notation.md)."""
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
    """Returns the cards of each round of the draw, by seat (2.1)."""
    rounds: dict[str, dict[str, str]] = {}
    for card in cards:
        rounds.setdefault(card.place, {})[str(card.seat)] = card.face
    return list(rounds.values())


def frequency(variant: Variant, holes: Mapping[tuple[int, int], int], counts: Mapping[str, int]) -> Frequency:
    """Returns how often each face was dealt, with the expected count and standard deviation of a fair shuffle.

    `holes` maps the packs and the number of cards dealt from them to the number of holes. The cards of one hole are
    drawn without replacement, so a face's count is hypergeometric; holes are independent.
    """
    copies = {face: int(variant.rules.copies[number]) for number, face in enumerate(variant.faces)}
    pack = sum(copies.values())
    cards = []
    for face, own in copies.items():
        share = own / pack
        expected = sum(number * dealt * share for (_, dealt), number in holes.items())
        variance = sum(
            number * dealt * share * (1 - share) * (packs * pack - dealt) / (packs * pack - 1)
            for (packs, dealt), number in holes.items()
        )
        cards.append(CardCount(face, counts.get(face, 0), round(expected, 2), round(math.sqrt(variance), 2)))
    return Frequency(game=variant.name, holes=sum(holes.values()), cards=cards)
