"""Who sits at the table: people at this keyboard, and computer players."""

from dataclasses import dataclass

from ..players import LEVELS, NAMES
from ..variants import Variant

ANIMALS = ("Fox", "Owl", "Bear", "Hare", "Mole", "Toad", "Lynx", "Crow")
LONGEST_NAME = 24
PERSON = -1  # in place of a computer player's number


class SeatError(ValueError):
    """Seats nobody can sit down to play on."""


@dataclass(frozen=True)
class Seat:
    """A player: the name shown, and for a computer player its number in `players.NAMES`."""

    name: str
    player: int = PERSON

    @property
    def is_person(self) -> bool:
        return self.player == PERSON


def read_seats(variant: Variant, typed: list[str]) -> list[Seat]:
    """The seats as typed: `you`, `you:NAME`, or a computer player. Raises SeatError."""
    if len(typed) not in variant.seats:
        least, most = variant.seats[0], variant.seats[-1]
        raise SeatError(f"{variant.title} is for {least} to {most} players (1.1), and {len(typed)} are named.")
    people = [read_person(text) if is_person(text) else None for text in typed]
    for name in people:
        if name is not None and people.count(name) > 1:
            raise SeatError(f"Two people are called {name}; name them apart, such as you:Ann,you:Ben.")
    animals = [animal for animal in ANIMALS if not any(name and name.endswith(animal) for name in people)]
    seats: list[Seat] = []
    for text, name in zip(typed, people, strict=True):
        if name is not None:
            seats.append(Seat(name))
        else:
            kind = read_kind(text)
            seats.append(Seat(f"{kind.title()} {animals.pop(0)}", NAMES.index(kind)))
    return seats


def is_person(text: str) -> bool:
    return text.partition(":")[0].strip().lower() == "you"


def read_person(text: str) -> str:
    _, colon, name = text.partition(":")
    name = " ".join(name.split())
    if not colon:
        return "You"
    if not name:
        raise SeatError("A name is missing after “you:”; write it like you:Ann.")
    if not name.isprintable():
        raise SeatError("A name has characters that cannot be shown.")
    if len(name) > LONGEST_NAME:
        raise SeatError(f"The name {name[:LONGEST_NAME]}… is too long; {LONGEST_NAME} letters are the most.")
    return name


def read_kind(text: str) -> str:
    kind = text.strip().lower()
    if kind not in NAMES:
        shown = "".join(letter for letter in text if letter.isprintable())[:40]
        raise SeatError(f"There is no player “{shown}”; there are you, you:NAME, {', '.join(LEVELS)}.")
    return kind
