"""Finds the files of books and nets: in the package, or in the user's folder where `mulligan solve` writes."""

import hashlib
import os
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from mulligan.folders import book_folder
from mulligan.game.facts import GameFacts, defaults
from mulligan.game.variants import write_rule
from mulligan.players.values.bundle import UNWRITTEN, Books
from mulligan.players.values.net import NO_NET, Net, is_trained
from mulligan.players.values.net_storage import hold_net, unpacked

from . import PLAYERS, Player
from .levels import has_regrets

PACKAGE = Path(__file__).parent / "books"
FOLDERS = [PACKAGE]  # besides the user's own
# Rules that change nothing about how a hole is played, or too little for books of their own (see docs/decisions.md).
BESIDES = ("least_seats", "most_seats", "closer_starts", "holes", "until", "playoff", "may_decline_last_turn")
DERIVED = ("line_slots",)  # follows from other rules
SHAPES = UNWRITTEN._asdict()  # an empty book of each kind
TURNS_A_SECOND = 15_000  # that `search` looks through on one core; MULLIGAN_THINK says for how long it may


def edition(rules: Any) -> str:
    """A digest of the rules that matter for play. A book fits only rules of its own edition.

    A rule with a default in GameFacts came after the first books, and its default is what was played before. There it
    counts for nothing, so that books of games without the rule stay valid.
    """
    return edition_of(rules.tobytes(), rules.dtype)


@lru_cache(1000)  # computer players need it for every move
def edition_of(content: bytes, kind: Any) -> str:
    rules, former, digest = np.frombuffer(content, kind)[0], np.zeros(1, kind)[0], hashlib.sha256()
    added = {rule: value for rule, value in defaults(GameFacts).items() if rule in kind.names}
    for rule, value in added.items():
        write_rule(former, rule, value)
    for field in kind.names:
        if field in BESIDES + DERIVED or (field in added and np.array_equal(rules[field], former[field])):
            continue
        if field in added:
            digest.update(field.encode())  # else two rules with the same value would be one edition
        digest.update(np.asarray(rules[field], np.int64).tobytes())
    return digest.hexdigest()[:16]


def books(rules: Any, seats: int, kinds: Iterable[str] = ("net",)) -> Books:
    """The books of these kinds for these rules. If there is none for this number of seats, the nearest is used."""
    found = {kind: read(kind, file) for kind, file in files(rules, seats, kinds)}
    if seconds := os.environ.get("MULLIGAN_THINK"):
        found["budget"] = np.full(1, max(0, int(float(seconds) * TURNS_A_SECOND)))
    return UNWRITTEN._replace(**found)


def coach_books(rules: Any, seats: int) -> Books:
    """The book by which the coach judges: the net, if there is one for so many seats."""
    found = books(rules, seats)
    return UNWRITTEN._replace(net=found.net if is_trained(found.net, seats) else NO_NET)


def books_for(players: Iterable[str], rules: Any, seats: int) -> Books | None:
    """The books that these players need, or None if they need none."""
    kinds = kinds_for(players)
    return books(rules, seats, kinds) if kinds else None


def are_read(players: Iterable[str], rules: Any, seats: int) -> bool:
    """False if `books_for` would have to read a file first, which takes up to a quarter of a second."""
    return all(one in have_read for one in files(rules, seats, kinds_for(players)))


def kinds_for(players: Iterable[str]) -> set[str]:
    return {kind for name in players if (kind := PLAYERS[name].book)}


def files(rules: Any, seats: int, kinds: Iterable[str]) -> Iterator[tuple[str, Path]]:
    """The kind and file of each book there is for these rules."""
    of_these_rules = edition(rules)
    return ((kind, file) for kind in kinds if (file := best(kind, of_these_rules, seats)))


def untrained(players: Iterable[str], rules_by_seats: Iterable[Any]) -> list[str]:
    """Those of the players that are weaker because these rules have no book for some number of seats."""
    written = {(of, kind) for of, _, kind, _ in catalogue()}

    def misses_a_book(player: Player, rules: Any) -> bool:
        needs_it = has_regrets(player.level, rules) if player.level else player.book
        return bool(needs_it) and (edition(rules), player.book) not in written

    all_rules = list(rules_by_seats)
    return [name for name in players if any(misses_a_book(PLAYERS[name], rules) for rules in all_rules)]


def read(kind: str, file: Path) -> Any:
    """The book in a file, kept in memory: tables of different sizes may share it."""
    if (kind, file) not in have_read:
        have_read[kind, file] = load(file, SHAPES[kind])
    return have_read[kind, file]


have_read: dict[tuple[str, Path], Any] = {}


def best(kind: str, rules_edition: str, seats: int) -> Path | None:
    """The best file: the user's before the package's, then the most seats that are not too many."""
    fit = [(of, file) for written, of, what, file in catalogue() if (written, what) == (rules_edition, kind)]
    return min(fit, key=lambda book: (book[0] > seats, abs(seats - book[0])))[1] if fit else None


@cache
def catalogue() -> list[tuple[str, int, str, Path]]:
    """Edition, seats, kind and file of every book there is."""
    return [entry for folder in (book_folder(), *FOLDERS) if folder for entry in entries(folder)]


def entries(folder: Path) -> Iterator[tuple[str, int, str, Path]]:
    """The books in a folder. Other files, and books of older versions, are skipped."""
    for file in sorted(folder.glob("*-*-*.npz")):
        with suppress(OSError, ValueError, KeyError, AttributeError, zipfile.BadZipFile), np.load(file) as book:
            _, seats, kind = file.stem.rsplit("-", 2)
            blank = SHAPES[kind]
            if hold_net(book.files) if isinstance(blank, Net) else {*blank._fields} <= {*book.files}:
                yield str(book["edition"]), int(seats), kind, file


def load(file: Path, blank: Any) -> Any:
    """The arrays of a book, in the shape of an empty one."""
    with np.load(file) as book:
        return unpacked(book) if isinstance(blank, Net) else arrays_of(book, blank)


def save(file: Path, rules_edition: str, arrays: dict[str, Any], compression: int = zipfile.ZIP_DEFLATED) -> None:
    """Writes a book as `np.load` reads it, first under another name: nobody reads half of one. Raises OSError."""
    half = file.with_suffix(".part.npz")
    with zipfile.ZipFile(half, "w", compression) as members:
        for name, array in {"edition": np.array(rules_edition), **arrays}.items():
            with members.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)
    half.replace(file)


def arrays_of(book: Any, blank: Any, prefix: str = "") -> Any:
    """The arrays with the names of those of an empty one, after a prefix."""
    arrays = (np.ascontiguousarray(book[prefix + name], array.dtype) for name, array in blank._asdict().items())
    return type(blank)(*arrays)


def file_name(game: str, seats: int, kind: str) -> str:
    """The file name of a book. The array `edition` in the file says which rules it is for."""
    return f"{game}-{seats}-{kind}.npz"
