"""Reads the seats of a table: people at this keyboard and computer players."""

import unicodedata
from dataclasses import dataclass

from mulligan.game.characters import fault_in
from mulligan.game.safe_text import printable
from mulligan.game.typed_text import one_of, split, word
from mulligan.game.variants import Variant
from mulligan.game.words import Words
from mulligan.players.roster import FORMER, LEVELS, PLAYERS, now_called

LONGEST_NAME = 24
PERSON = ""  # instead of the name of a computer player in `PLAYERS`


class SeatError(ValueError):
    """An invalid list of seats."""


@dataclass(frozen=True)
class Seat:
    """A player: the displayed name, and for a computer player its name in `PLAYERS`."""

    name: str
    player: str = PERSON

    @property
    def is_person(self) -> bool:
        return self.player == PERSON


def read_seats(words: Words, variant: Variant, typed: list[str]) -> list[Seat]:
    """Reads the seats typed: `you`, `you:NAME`, or a computer player. Raises SeatError."""
    if len(typed) not in variant.seats:
        least, most = variant.seats[0], variant.seats[-1]
        game = words.game(variant.facts)
        raise SeatError(words("terminal_seats", game=game, least=least, most=most, count=len(typed)))
    people = [read_person(words, text, seat) if is_person(text) else None for seat, text in enumerate(typed, 1)]
    for name in people:
        if name is not None and people.count(name) > 1:
            raise SeatError(words("terminal_same_name", name=name, example="you:Ann,you:Ben"))
    free = [name for name in words("player_names").split() if name not in people]
    seats: list[Seat] = []
    for text, name in zip(typed, people, strict=True):
        if name is not None:
            seats.append(Seat(name))
        else:
            seats.append(Seat(free.pop(0), read_kind(words, text)))
    return seats


def is_person(text: str) -> bool:
    return word(split(text, ":")[0]) == "you"


def read_person(words: Words, text: str, seat: int) -> str:
    """Returns the name typed, or the number of the seat, the first being 1. Raises SeatError."""
    _, *named = split(text, ":", 1)
    name = unicodedata.normalize("NFC", " ".join("".join(named).split()))
    if not named:
        return words("start_player", seat=seat)
    if not name:
        raise SeatError(words("terminal_no_name", example="you:Ann"))
    if len(name) > LONGEST_NAME:
        raise SeatError(words("error_name_too_long", most=LONGEST_NAME))
    if fault_in(name):
        raise SeatError(words("terminal_bad_name", name=printable(name)))
    return name


def tell_kind(words: Words, player: str) -> str:
    """Returns the level of a computer player, or its name if it has no level."""
    return words(f"player_skill_{player}") if player in LEVELS else player


def read_kind(words: Words, text: str) -> str:
    """Returns the name of a computer player in `PLAYERS`. Raises SeatError."""
    kind = one_of(text, [*PLAYERS, *FORMER])
    if not kind:
        players = words.series(["you", "you:NAME", *LEVELS])
        raise SeatError(words("terminal_no_player", player=printable(text), players=players))
    return now_called(kind)
