"""Builds a book from the rules and writes the files that the players read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from mulligan.game.variants import Variant
from mulligan.players.book_files import edition, file_name
from mulligan.players.values.bundle import UNWRITTEN
from mulligan.players.values.layout_table import Pages

from .build import STAGES, Maker
from .compress import condense

ALL_STAGES = STAGES + 2  # one for each book condensed


def press(
    variant: Variant,
    seats: int,
    folder: Path,
    seed: int = 1,
    threads: int = 0,
    whole: bool = False,
    tell: Callable[[int], None] = lambda done: None,
) -> dict[Path, float]:
    """Makes both books of a variant and writes them to the folder, condensed or `whole`.

    Gives each file, and by how many strokes it is off (root mean square; 0 for a whole book).
    `tell` hears of ALL_STAGES stages. Raises ValueError where there are too many layouts, OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    maker = Maker(variant.rules, seats, seed, threads, tell=tell)
    written = {}
    condensed = UNWRITTEN.plain
    for kind in ("plain", "book"):
        pages = maker.make_plain() if kind == "plain" else maker.make_book(plain=condensed)
        condensed, off = condense(maker.ground, pages, seed)
        tell(1)
        file = folder / file_name(variant.name, seats, kind)
        write(file, variant.rules, pages if whole else condensed)
        written[file] = 0.0 if whole else off
    return written


def write(file: Path, rules: Any, pages: Pages) -> None:
    """First under another name, so that nobody reads half a book."""
    half = file.with_suffix(".part.npz")
    np.savez_compressed(half, edition=np.array(edition(rules)), **pages._asdict())
    half.replace(file)
