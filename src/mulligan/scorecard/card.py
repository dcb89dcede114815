"""What stands on a score card: who plays, what was played, and the rules in pictures."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Literal, TypeAlias

from ..game import Game
from ..variants import Variant
from .letters import is_rare
from .pictures import pictures
from .words import signed, title, words

Paper: TypeAlias = Literal["a4", "letter"]
LONGEST_NAME = 40
MOST_PLAYOFFS = 4  # columns; of more play-off holes the last ones stand on the card


@dataclass(frozen=True)
class PlayedHole:
    """A hole that is over; points by player, None for who sat out a play-off; the dealer where he is known."""

    points: tuple[int | None, ...]
    dealer: int | None = None


@dataclass(frozen=True)
class Card:
    """A score card. Names may be empty, for writing them in; `dealer` deals the first hole, None: nobody knows yet.

    Holes beyond those of the match are play-off holes.
    """

    variant: Variant
    names: tuple[str, ...]
    language: str
    paper: Paper
    dealer: int | None = None
    holes: tuple[PlayedHole, ...] = ()
    winners: tuple[int, ...] = ()


def blank(
    variant: Variant,
    players: int,
    names: Sequence[str],
    language: str,
    paper: Paper,
    dealer: int | None = None,
) -> Card:
    """A card to write on. Without names the first line is the first dealer's, so that the deal can be printed."""
    given = [tidy(name) for name in names]
    if not any(given) and dealer is None:
        dealer = 0
    return Card(variant, tuple([*given, *[""] * players][:players]), language, paper, dealer)


def of_game(game: Game, language: str, paper: Paper) -> Card:
    """The card of a finished game."""
    players = range(len(game.players))
    holes = tuple(
        PlayedHole(
            tuple(by_seat.get(player) for player in players),
            hole["dealer"],
        )
        for hole in game.holes
        for by_seat in [dict(zip(hole["seats"], hole["points"], strict=True))]
    )
    names = tuple(tidy(name) for name in game.players)
    return Card(game.variant, names, language, paper, holes[0].dealer, holes, tuple(game.winners))


def tidy(name: str, longest: int = LONGEST_NAME) -> str:
    """A name in one line: composed letters, single spaces, nothing that cannot be printed."""
    composed = unicodedata.normalize("NFC", name)
    printable = "".join(letter if letter.isprintable() else " " for letter in composed)
    line = " ".join(printable.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def contents(card: Card) -> dict[str, Any]:
    """All that is printed, as the template (card.typ) takes it."""
    text, rules = words(card.language), card.variant.rules
    match = int(rules.holes)
    filled = bool(card.holes)
    return {
        "paper": {"a4": "a4", "letter": "us-letter"}[card.paper],
        "language": card.language,
        "title": title(card.variant, card.language),
        "words": text,
        "names": [{"text": name, "rare": is_rare(name)} for name in card.names],
        "is_blank": not any(card.names),
        "filled": filled,
        "columns": [column(card, number) for number in range(match)],
        "playoffs": playoffs(card),
        "totals": totals(card) if filled else None,
        "winners": list(card.winners),
        "knows_dealer": card.dealer is not None,
        "pictures": pictures(card.variant, card.language),
    }


def column(card: Card, number: int) -> dict[str, Any]:
    """One hole of the match: what it cost each, what it came to, and who dealt."""
    players = range(len(card.names))
    if number >= len(card.holes):
        return {"label": str(number + 1), "dealer": dealer_of(card, number), "points": None, "best": []}
    hole = card.holes[number]
    sums = [list(accumulate(played.points[player] or 0 for played in card.holes[: number + 1])) for player in players]
    return {
        "label": str(number + 1),
        "dealer": dealer_of(card, number),
        "points": [write(points) for points in hole.points],
        "running": [signed(row[-1]) for row in sums],
        "best": best(hole),
    }


def dealer_of(card: Card, number: int) -> int | None:
    """Who deals a hole of the match: the deal passes to the left after each (6.1)."""
    if number < len(card.holes) and card.holes[number].dealer is not None:
        return card.holes[number].dealer
    return None if card.dealer is None else (card.dealer + number) % len(card.names)


def playoffs(card: Card) -> list[dict[str, Any]]:
    """The play-off holes; one to write in, where the game has any and none was played (6.3)."""
    text, match = words(card.language), int(card.variant.rules.holes)
    if not card.variant.rules.playoff:
        return []
    played = list(enumerate(card.holes[match:], 1))[-MOST_PLAYOFFS:]
    if not played:
        return [{"label": text["playoff"], "dealer": None, "points": None, "best": []}]
    return [
        {
            "label": text["playoff"] if played == [(1, hole)] else text["playoff_number"].format(number=number),
            "dealer": hole.dealer,
            "points": [write(points) for points in hole.points],
            "best": best(hole),
        }
        for number, hole in played
    ]


def write(points: int | None) -> str | None:
    return None if points is None else signed(points)


def best(hole: PlayedHole) -> list[int]:
    """Who had the fewest points of a hole, unless all had the same."""
    played = {player: points for player, points in enumerate(hole.points) if points is not None}
    lowest = [player for player, points in played.items() if points == min(played.values())]
    return lowest if len(lowest) < len(played) else []


def totals(card: Card) -> list[str]:
    """What the holes of the match came to for each; a play-off hole does not count (6.3)."""
    match = card.holes[: int(card.variant.rules.holes)]
    return [signed(sum(hole.points[player] or 0 for hole in match)) for player in range(len(card.names))]
