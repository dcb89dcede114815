"""Time and memory of each stage of making the books.

    python bench/solve.py [GAME] [SEATS]

Figures depend on the machine and its load. The first stage compiles, unless the cache has it.
"""

import resource
import sys
import time

from mulligan.game import variants
from mulligan.players.values.bundle import UNWRITTEN
from mulligan.training.book.build import BOOK_SWEEPS, PLAIN_SWEEPS, Maker
from mulligan.training.book.compress import condense
from mulligan.training.book.numbering import count_layouts


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else "play_nine"
    seats = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    rules = variants.load(game).rules
    clock = Clock()
    print(f"{game}, {seats} seats, {count_layouts(rules):,} layouts")
    maker = Maker(rules, seats, tell=lambda done: clock.lap())
    clock.say("numbering, F and L")
    condensed = UNWRITTEN.plain
    for name, rounds in (("plain", PLAIN_SWEEPS), ("book", BOOK_SWEEPS)):
        pages = maker.make_plain() if name == "plain" else maker.make_book(condensed)
        watching = [clock.laps[sum(rounds[:nth]) + nth] for nth in range(len(rounds))]
        clock.say(f"{name}: {len(rounds)} rounds, {sum(rounds)} sweeps")
        print(f"    of it self-play {sum(watching):6.1f} s")
        condensed, off = condense(maker.ground, pages, 1)
        clock.say(f"{name}: condensed, {off:.3f} strokes off")


class Clock:
    """Seconds since the last line, and the peak memory so far."""

    def __init__(self) -> None:
        self.started = self.lapped = time.perf_counter()
        self.laps: list[float] = []

    def lap(self) -> None:
        now = time.perf_counter()
        self.laps.append(now - self.lapped)
        self.lapped = now

    def say(self, stage: str) -> None:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(f"{time.perf_counter() - self.started:7.1f} s  {most:5.2f} GB  {stage}", flush=True)
        self.started = self.lapped = time.perf_counter()
        self.laps = []


if __name__ == "__main__":
    main()
