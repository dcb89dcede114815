"""From the rules to the files that the players read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..players.books import UNWRITTEN
from ..players.pages import Pages
from ..shelf import edition, file_name
from ..variants import Variant
from .condense import condense
from .field import BOOK, PLAIN, turns_of
from .making import STAGES, Maker

CONDENSING = 20  # stages of `tell` for each net
ALL_STAGES = STAGES + 2 * CONDENSING


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

    Gives each file, and by how many strokes its net is off (root mean square; 0 for a whole book).
    `tell` is told of ALL_STAGES stages. Raises ValueError where there are too many layouts, OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    maker = Maker(variant.rules, seats, seed, threads, tell=tell)
    written = {}
    plain = UNWRITTEN.plain
    for kind, player in (("plain", PLAIN), ("book", BOOK)):
        pages = maker.make_plain() if player == PLAIN else maker.make_book(plain)
        off = 0.0
        if not whole:
            turns = turns_of(
                variant.rules, seats, player, maker.books, maker.holes // 4, seed * 1000 + 999, maker.ground.threads
            )
            pages, off = condense(maker.ground, pages, turns, seed, tell=in_stages(tell))
        if player == PLAIN:
            plain = pages._replace(counts=pages.counts.copy())
        file = folder / file_name(variant.name, seats, kind)
        write(file, variant.rules, pages)
        written[file] = off
    return written


def write(file: Path, rules: Any, pages: Pages) -> None:
    """First under another name, so that nobody reads half a book."""
    half = file.with_suffix(".part.npz")
    np.savez_compressed(half, edition=np.array(edition(rules)), **pages._asdict())
    half.replace(file)


def in_stages(tell: Callable[[int], None]) -> Callable[[float], None]:
    """Tells of a stage whenever another of the CONDENSING parts is done."""
    told = 0

    def tell_part(part: float) -> None:
        nonlocal told
        done = int(part * CONDENSING + 1e-9)
        tell(done - told)
        told = done

    return tell_part
