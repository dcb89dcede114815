"""Work in pieces, whose results come in the order of the pieces wherever they were computed."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Protocol

from .in_order import in_order
from .journal import Journal, alone_with

LOCAL = "local"


class Work(Protocol):
    """What can be sent to other machines (by pickle) and computes a piece there; the same bytes for the same piece."""

    facts: dict[str, Any]  # what decides the results, for the journal: JSON values

    def __call__(self, piece: Any, /) -> bytes: ...


def run(
    work: Work,
    pieces: Sequence[Any],
    on: str = LOCAL,
    threads: int = 0,
    journal: Path | None = None,
    progress: Callable[[Any], None] = lambda piece: None,
) -> Iterator[bytes]:
    """Yields the result of each piece, in their order.

    `on` is `local`, `ray` for the cluster that this machine is part of, or `ray://HOST:PORT`. `threads` (0: one for
    each core) are for `local`. A journal keeps finished pieces until all are done, and a later run goes on from there.
    `progress` is called after each piece. Raises ValueError for an unknown place, JournalError, ClusterError.
    """
    check_place(on)
    with alone_with(journal):
        kept = Journal(journal, work.facts | {"pieces": len(pieces)}) if journal else None
        yield from results(work, pieces, on, threads, kept, progress)
        if kept:
            kept.remove()


def results(
    work: Work, pieces: Sequence[Any], on: str, threads: int, kept: Journal | None, progress: Callable[[Any], None]
) -> Iterator[bytes]:
    """Yields the result of each piece, in their order; those in the journal are not computed again."""
    finished = set(kept.places) if kept else set()
    for number in sorted(finished):
        progress(pieces[number])
    todo = ((number, piece) for number, piece in enumerate(pieces) if number not in finished)
    computed = compute_here(work, todo, threads) if on == LOCAL else compute_on_ray(work, todo, on)
    early: dict[int, bytes] = {}
    for number in range(len(pieces)):
        while number not in finished and number not in early:
            other, result = next(computed)
            if kept:
                kept.add(other, result)
                finished.add(other)
            else:
                early[other] = result
            progress(pieces[other])
        yield kept.read(number) if kept else early.pop(number)
    computed.close()


def check_place(on: str, *more: str) -> None:
    """Raises ValueError for a place that is none of ours, and none of `more`."""
    places = (LOCAL, *more, "ray")
    if on not in places and not on.startswith("ray://"):
        raise ValueError(f"--on {on}: the places are {', '.join(places)} and ray://HOST:PORT.")


def connected(on: str) -> AbstractContextManager[Any]:
    """Stays connected to a cluster for all runs inside the block. Raises as `run` does."""
    check_place(on)
    if on == LOCAL:
        return nullcontext()
    from .ray_cluster import connected

    return connected(on)


def compute_here(work: Work, todo: Iterable[tuple[int, Any]], threads: int) -> Generator[tuple[int, bytes], None, None]:
    """Computes in threads: compiled code runs in all of them at the same time."""
    return in_order(lambda one: (one[0], work(one[1])), todo, threads)


def compute_on_ray(work: Work, todo: Iterable[tuple[int, Any]], on: str) -> Generator[tuple[int, bytes], None, None]:
    from .ray_cluster import compute

    return compute(work, todo, on)
