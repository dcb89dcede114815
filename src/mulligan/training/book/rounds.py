"""The rounds in which both books are made, each from what is known after the one before, on any machine."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mulligan.compute.digests import digest_of, program
from mulligan.players.values.bundle import UNWRITTEN

from .build import HOLES, PLAIN_SWEEPS, ROUNDS, Ground, Maker
from .compress import condense
from .draft import Draft, read_draft, with_table, without_counts
from .opponent_model import PLAIN

BOOKS = {len(PLAIN_SWEEPS): "plain", len(ROUNDS): "book"}  # which one is complete after so many rounds


def stages_after(rounds: int) -> int:
    """How many stages `tell` has heard of: the numbering, each self-play, each sweep, and each book condensed."""
    books = sum(complete <= rounds for complete in BOOKS)
    return 1 + sum(1 + sweeps for _, sweeps in ROUNDS[:rounds]) + books if rounds else 0


class Rounds:
    """Computes one more round: a piece is a draft as bytes, empty at first, and its result the next draft."""

    def __init__(self, rules: Any, seats: int, seed: int, threads: int = 0, holes: int = HOLES) -> None:
        self.rules, self.seats, self.seed, self.threads, self.holes = rules, seats, seed, threads, holes
        self.facts = {"rules": digest_of(rules), "seats": seats, "seed": seed, "Mulligan": program()}
        self.maker: Maker | None = None

    def __call__(self, piece: bytes) -> bytes:
        return self.one_more(read_draft(piece) if piece else None).as_bytes()

    def one_more(self, draft: Draft | None, tell: Callable[[int], None] = lambda done: None) -> Draft:
        if not self.maker or not draft:
            self.maker = Maker(self.rules, self.seats, self.seed, self.threads, self.holes, tell)
        maker, off = self.maker, draft.off if draft else np.zeros(len(BOOKS))
        if draft:
            resume(maker, draft)
        maker.next_round()
        assert maker.tally is not None
        pages = without_counts(maker.books.plain), without_counts(maker.books.book)
        return Draft(maker.rounds, maker.table, maker.tally, *pages, off)

    def condense(self, draft: Draft, kind: str) -> Draft:
        """Condenses the book that is complete: here, as the last digits depend on the cores that NumPy uses."""
        ground = self.maker.ground if self.maker else Ground(self.rules, self.threads)
        pages, miss = condense(ground, with_table(getattr(draft, kind), draft.table), self.seed)
        condensed: dict[str, Any] = {kind: pages}
        off = np.where(np.array(list(BOOKS.values())) == kind, miss, draft.off)
        return draft._replace(**condensed, off=off)


def resume(maker: Maker, draft: Draft) -> None:
    """Continues from a draft, also from another machine; the last plain round's book is condensed by then."""
    maker.rounds, maker.table, maker.tally = draft.rounds, draft.table, draft.tally
    player, _ = ROUNDS[draft.rounds - 1]
    if player == PLAIN:
        maker.books = UNWRITTEN._replace(plain=with_table(draft.plain, draft.table))
    else:
        maker.books = UNWRITTEN._replace(plain=draft.plain, book=with_table(draft.book, draft.table))
    if draft.rounds == len(PLAIN_SWEEPS):
        maker.begin_book(draft.plain)
