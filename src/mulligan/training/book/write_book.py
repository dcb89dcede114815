"""Builds a book from the rules and writes the files that the players read."""

import zipfile
from collections.abc import Callable
from pathlib import Path

from mulligan.compute import pieces
from mulligan.compute.journal import Journal, alone_with
from mulligan.game.variants import Variant
from mulligan.players.book_files import edition, file_name, save
from mulligan.players.values.layout_table import Pages

from .build import ROUNDS
from .draft import Draft, read_draft, to_write, with_table
from .rounds import BOOKS, Rounds, stages_after

ALL_STAGES = stages_after(len(ROUNDS))


def press(
    variant: Variant,
    seats: int,
    folder: Path,
    seed: int = 1,
    threads: int = 0,
    whole: bool = False,
    tell: Callable[[int], None] = lambda done: None,
    on: str = pieces.LOCAL,
    journal: Path | None = None,
) -> dict[Path, float]:
    """Makes both books of a variant and writes them to the folder, condensed or `whole`.

    Each round is computed on one machine, `on` says where, as in `pieces.run`; the journal keeps the draft after the
    last one. Gives each file, and by how many strokes it is off (root mean square; 0 for a whole book).
    `tell` is called after each of ALL_STAGES stages. Raises ValueError where there are too many layouts, JournalError,
    ClusterError, OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = {rounds: folder / file_name(variant.name, seats, kind) for rounds, kind in BOOKS.items()}
    work = Rounds(variant.rules, seats, seed, threads)
    with alone_with(journal), pieces.connected(on):
        kept = Journal(journal, work.facts | {"whole": whole, "output": str(folder.resolve())}) if journal else None
        draft = read_draft(kept.read(max(kept.places))) if kept and kept.places else None
        if draft:
            tell(stages_after(draft.rounds) - (on == pieces.LOCAL))  # here the numbering is repeated
        while not draft or draft.rounds < len(ROUNDS):
            draft = work.one_more(draft, tell) if on == pieces.LOCAL else one_more_there(work, draft, tell, on)
            if kind := BOOKS.get(draft.rounds):
                draft = work.condense(draft, kind)
                tell(1)
                book: Pages = getattr(draft, kind)
                pages = with_table(book, draft.table) if whole else book
                # LZMA halves a condensed book, and is too slow for the counts of a whole one.
                compression = zipfile.ZIP_DEFLATED if whole else zipfile.ZIP_LZMA
                save(files[draft.rounds], edition(variant.rules), to_write(pages), compression)
            if kept:
                kept.add_last(draft.rounds, draft.as_bytes())
        if kept:
            kept.remove()
    return {file: 0.0 if whole else float(off) for file, off in zip(files.values(), draft.off, strict=True)}


def one_more_there(work: Rounds, draft: Draft | None, tell: Callable[[int], None], on: str) -> Draft:
    """The draft after one more round on a machine of the cluster. Raises as `pieces.run` does."""
    (result,) = pieces.run(work, [draft.as_bytes() if draft else b""], on)
    more = read_draft(result)
    tell(stages_after(more.rounds) - stages_after(draft.rounds if draft else 0) - (more.rounds in BOOKS))
    return more
