"""Defines the content of a score card: players, holes played, and the scoring rules in pictures."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Literal, TypeAlias

from mulligan.game.hole import Game
from mulligan.game.variants import Variant

from .card_words import signed, words
from .court import Court, lettered
from .glyphs import is_rare
from .pictures import pictures

Paper: TypeAlias = Literal["a4", "letter"]
LONGEST_NAME = 40
MOST_PLAYOFFS = 4  # columns; of more play-off holes, only the last ones are printed


@dataclass(frozen=True)
class PlayedHole:
    """A finished hole; points by player, None for a player not in the play-off; the dealer if known."""

    points: tuple[int | None, ...]
    dealer: int | None = None


@dataclass(frozen=True)
class Card:
    """A score card. Names may be empty, to write in. `dealer` deals the first hole; None if not known yet.

    Additional holes after those of the match are play-off holes.
    """

    variant: Variant
    names: tuple[str, ...]
    language: str
    paper: Paper
    dealer: int | None = None
    holes: tuple[PlayedHole, ...] = ()
    winners: tuple[int, ...] = ()
    court: Court | None = None  # the letters on jack, queen and king; None: the language's usual ones


def blank(
    variant: Variant,
    players: int,
    names: Sequence[str],
    language: str,
    paper: Paper,
    dealer: int | None = None,
    court: Court | None = None,
) -> Card:
    """Returns a card to write on. Without names, the first line is the first dealer's, so dealers can be printed."""
    given = [tidy(name) for name in names]
    if not any(given) and dealer is None:
        dealer = 0
    return Card(variant, tuple([*given, *[""] * players][:players]), language, paper, dealer, court=court)


def of_game(game: Game, language: str, paper: Paper, court: Court | None = None) -> Card:
    """Returns the card of a finished match."""
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
    return Card(game.variant, names, language, paper, holes[0].dealer, holes, tuple(game.winners), court)


def tidy(name: str, longest: int = LONGEST_NAME) -> str:
    """Puts a name on one line: composed letters, single spaces, printable characters only."""
    composed = unicodedata.normalize("NFC", name)
    printable = "".join(letter if letter.isprintable() else " " for letter in composed)
    line = " ".join(printable.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def contents(card: Card) -> dict[str, Any]:
    """Returns all printed data in the form of the template (card.typ)."""
    text, rules = words(card.language), card.variant.rules
    match = int(rules.holes)
    filled = bool(card.holes)
    return {
        "paper": {"a4": "a4", "letter": "us-letter"}[card.paper],
        "language": card.language,
        "title": card.variant.facts.title_in(card.language),
        "words": text,
        "names": [{"text": name, "rare": is_rare(name)} for name in card.names],
        "is_blank": not any(card.names),
        "filled": filled,
        "columns": [column(card, number) for number in range(match)],
        "playoffs": playoffs(card),
        "totals": totals(card) if filled else None,
        "winners": list(card.winners),
        "knows_dealer": card.dealer is not None,
        "pictures": pictures(lettered(card.variant, card.language, card.court), card.language),
    }


def column(card: Card, number: int) -> dict[str, Any]:
    """Returns one hole of the match: points, running totals and dealer."""
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
    """Returns the dealer of a hole of the match: the deal passes to the left after each hole (6.1)."""
    if number < len(card.holes) and card.holes[number].dealer is not None:
        return card.holes[number].dealer
    return None if card.dealer is None else (card.dealer + number) % len(card.names)


def playoffs(card: Card) -> list[dict[str, Any]]:
    """Returns the play-off holes; an empty one to write in if the game allows one and none was played (6.3)."""
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
    """Returns the players with the fewest points in a hole; empty if all are level."""
    played = {player: points for player, points in enumerate(hole.points) if points is not None}
    lowest = [player for player, points in played.items() if points == min(played.values())]
    return lowest if len(lowest) < len(played) else []


def totals(card: Card) -> list[str]:
    """Returns each player's total of the match; play-off holes do not count (6.3)."""
    match = card.holes[: int(card.variant.rules.holes)]
    return [signed(sum(hole.points[player] or 0 for hole in match)) for player in range(len(card.names))]
