"""The books half made: what is known after a round, as bytes, so that another process can go on from there."""

import io
from typing import Any, NamedTuple

import numpy as np

from mulligan.players.book_files import arrays_of
from mulligan.players.values.layout_table import SIGNS, Pages, blank_pages

from .opponent_model import Tally, blank_tally


class Draft(NamedTuple):
    """What is known after so many rounds. The pages leave out their counts, which are the table or none at all."""

    rounds: int
    table: np.ndarray  # [layout, sign] int16
    tally: Tally
    plain: Pages
    book: Pages
    off: np.ndarray  # by how many strokes each of the two is off when it is condensed

    def as_bytes(self) -> bytes:
        parts: dict[str, Any] = {"tally": self.tally, "plain": self.plain, "book": self.book}
        arrays = {f"{name}.{key}": array for name, part in parts.items() for key, array in to_write(part).items()}
        file = io.BytesIO()
        np.savez(file, rounds=np.array(self.rounds), table=self.table, off=self.off, **arrays)
        return file.getvalue()


def to_write(part: Any) -> dict[str, Any]:
    """The arrays by name, the same bytes for the same values: what NumPy has between a record's fields is cleared."""
    arrays = dict(part._asdict())
    for name, array in arrays.items():
        if array.dtype.names:
            arrays[name] = np.zeros(array.shape, array.dtype)
            for field in array.dtype.names:
                arrays[name][field] = array[field]
    return arrays


def read_draft(draft: bytes) -> Draft:
    with np.load(io.BytesIO(draft)) as kept:
        return Draft(
            rounds=int(kept["rounds"]),
            table=kept["table"],
            tally=arrays_of(kept, blank_tally(SIGNS, 0), "tally."),
            plain=arrays_of(kept, blank_pages(), "plain."),
            book=arrays_of(kept, blank_pages(), "book."),
            off=kept["off"],
        )


def without_counts(pages: Pages) -> Pages:
    return pages._replace(counts=blank_pages().counts)


def with_table(pages: Pages, table: np.ndarray) -> Pages:
    """The whole book, of which these are the pages without counts, condensed or not yet."""
    blank = blank_pages()
    return pages._replace(
        counts=table.reshape(-1), lines=np.zeros_like(pages.lines), factors=blank.factors, parts=blank.parts
    )
