"""Reads a log without decoding the play of former matches: nothing that comes after a match depends on its cards."""

from collections.abc import Iterator, Sequence
from itertools import count

import msgspec

from mulligan.server.wire.events import DealerDrawn, Dealt, Drew, HoleOver, Resumed, Revealed, Started, TookBack
from mulligan.server.wire.view import Step

from .log_entries import PRIVATE, Entry, Skipped, decode


def starts_of(*kinds: type[msgspec.Struct]) -> tuple[bytes, ...]:
    """Returns how entries of these kinds begin in the log."""
    return tuple(b'{"is":"%s"' % str(kind.__struct_config__.tag).encode() for kind in kinds)


PLAY = starts_of(Drew, DealerDrawn, Dealt, Resumed, Step, Revealed, TookBack, HoleOver)
STARTED = starts_of(Started)
HIDDEN = starts_of(*PRIVATE.__args__)  # from clients
SKIPPED = Skipped()


def present(log: Sequence[bytes], shown: int) -> Iterator[Entry | Skipped]:
    """Yields the entries with the play of the latest match, and of earlier ones until `shown` public entries follow."""
    for place in reversed(range(len(log))):
        shown -= not log[place].startswith(HIDDEN)
        if shown <= 0 and log[place].startswith(STARTED):
            return without_play(log, place)
    return without_play(log, 0)


def until_match(log: Sequence[bytes], match: int) -> Iterator[Entry | Skipped]:
    """Yields the entries with the play of a match (from 1) and of the later ones; without any if there is none."""
    numbers = count(1)
    begins = (place for place, entry in enumerate(log) if entry.startswith(STARTED) and next(numbers) == match)
    return without_play(log, next(begins, len(log)))


def without_play(log: Sequence[bytes], before: int) -> Iterator[Entry | Skipped]:
    for place, entry in enumerate(log):
        yield SKIPPED if place < before and entry.startswith(PLAY) else decode(entry)
