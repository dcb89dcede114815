"""Checks an order for a score card; each error is one sentence."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import get_args

from mulligan.game.characters import fault_in
from mulligan.game.error_sentences import Problem
from mulligan.game.referee import Fault, read_records, replay
from mulligan.game.safe_text import printable
from mulligan.game.typed_text import word
from mulligan.game.variants import Variant

from .card import LONGEST_NAME, Card, Paper, blank, of_game
from .card_words import LANGUAGES
from .court import COURTS, Court

PAPERS: tuple[Paper, ...] = get_args(Paper)
USUAL_PLAYERS = 4


class OrderError(Problem):
    """An invalid order."""


def order(
    variant: Variant,
    players: int | None,
    names: Sequence[str],
    language: str,
    paper: str,
    dealer: int | None = None,
    court: str = "",
) -> Card:
    """Returns a blank card for that number of players; without a number, for the names. Raises OrderError."""
    least, most = variant.seats[0], variant.seats[-1]
    count = players if players is not None else len(names) or max(least, min(USUAL_PLAYERS, most))
    if count not in variant.seats:
        raise OrderError("terminal_seats", game=variant.facts.title_in(language), least=least, most=most, count=count)
    if len(names) > count:
        raise OrderError("terminal_card_names", count=len(names), players=count)
    for name in names:
        if len(name) > LONGEST_NAME:
            raise OrderError("terminal_fault_name_long", most=LONGEST_NAME)
        if fault_in(name):
            raise OrderError("terminal_bad_name", name=printable(name))
    if dealer is not None and dealer >= count:
        raise OrderError("terminal_card_dealer", dealer=dealer + 1, count=count)
    return blank(variant, count, names, language_of(language), paper_of(paper), dealer, court_of(court))


def filled(file: Path, number: int, variant: Variant | None, language: str, paper: str, court: str = "") -> Card:
    """Returns the card of one game of a file of records. Raises OrderError, Fault for an invalid record, OSError."""
    tongue, sheet, letters = language_of(language), paper_of(paper), court_of(court)
    with file.open("rb") as opened:
        found = next(islice(read_records(opened), number - 1, None), None)
    if found is None:
        raise OrderError("terminal_card_no_match", file=str(file), number=number)
    line, record = found
    try:
        return of_game(replay(record, variant), tongue, sheet, letters)
    except Fault as fault:
        raise fault.at("terminal_at_game", number=number, line=line) from None


def language_of(language: str) -> str:
    """Returns the language of an order. Raises OrderError."""
    if language not in LANGUAGES:
        raise OrderError("terminal_no_language", language=printable(language), languages=", ".join(LANGUAGES))
    return language


def paper_of(paper: str) -> Paper:
    """Returns the paper size of an order. Raises OrderError."""
    for known in PAPERS:
        if word(paper) == known:
            return known
    raise OrderError("terminal_card_paper", paper=printable(paper), papers=", ".join(PAPERS))


def court_of(letters: str) -> Court | None:
    """Returns the court-card letters of an order. Raises OrderError."""
    for known in COURTS:
        if word(letters).upper() == known:
            return known
    if letters:
        raise OrderError("terminal_card_court", letters=printable(letters), decks=", ".join(COURTS))
    return None
