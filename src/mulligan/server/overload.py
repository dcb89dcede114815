"""Load shedding: what a server refuses when it has too much to do, so that the games at its tables go on.

The delay is that of a move: the lag of the event loop and the age of the oldest commit. Only a lasting delay counts,
the median of the last second. A pause, such as for loading code, is no overload.
"""

from collections import deque
from statistics import median_low

# The delay in seconds from which each is refused. Moves come last: people who play should notice nothing.
FROM = {
    "refining": 0.12,
    "tables": 0.15,
    "spectators": 0.17,
    "reads": 0.19,
    "coach": 0.21,
    "replays": 0.23,
    "moves": 0.8,
}
FIRST = min(FROM.values())
RETRY = 5  # seconds after which a request should be repeated
LASTING = 1.0  # seconds
FEWEST = 3  # measurements in that time
SHORTEST, LONGEST = 0.05, 2.0  # seconds between two commands on one socket
GROWTH, DECLINE = 1.3, 0.95  # of that pause, from one measurement to the next


class Overload:
    """The delay, and what is refused because of it.

    Of the commands, those that follow the previous one on the same socket too soon are refused: programs that send many
    have to wait, and a person who thinks before a move does not. The pause between two commands adapts to the delay.
    """

    def __init__(self) -> None:
        self.measured: deque[tuple[float, float]] = deque()  # times and delays
        self.delay = 0.0  # seconds
        self.pause = 0.0  # seconds between two commands on one socket

    def see(self, now: float, delay: float) -> None:
        """Takes a measurement of the delay; called every `metrics.TICK` seconds if the event loop has time."""
        self.measured.append((now, delay))
        while len(self.measured) > FEWEST and self.measured[0][0] < now - LASTING:
            self.measured.popleft()
        delays = [delay for _, delay in self.measured] if len(self.measured) >= FEWEST else [0.0]
        self.delay = median_low(delays)
        if min(delays) >= FROM["moves"]:  # by the median, the pause would still grow when the delay is over
            self.pause = min(LONGEST, max(SHORTEST, self.pause * GROWTH))
        else:
            self.pause = self.pause * DECLINE if self.pause > SHORTEST else 0.0

    @property
    def is_busy(self) -> bool:
        """True if anything is refused now."""
        return self.delay >= FIRST

    def refuses(self, kind: str) -> bool:
        """True if requests of this kind are refused now; other kinds never are."""
        return kind in FROM and self.delay >= FROM[kind]

    def wait(self, now: float, last: float) -> float:
        """Returns the seconds until a command is taken on a socket whose last one was taken at `last`, or 0."""
        return max(0.0, last + self.pause - now) if self.pause else 0.0
