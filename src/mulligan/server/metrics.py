"""What a server measures, for Prometheus. Each server has its own `Metrics`; a port of its own offers them."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, start_http_server

from .overload import Overload

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # the buckets of the histograms
FAULTS = ("server_fault", "table_unreadable")  # counted from 0, so that an alert sees the first one
TICK = 0.1  # seconds between two ticks of the event loop


class Committing:
    """Measures a commit, until the end of the block. Each move makes one, and a generator takes longer."""

    def __init__(self, metrics: "Metrics") -> None:
        self.metrics = metrics

    def __enter__(self) -> None:
        self.metrics.commits[self] = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self.metrics.commit.observe(time.monotonic() - self.metrics.commits.pop(self))


class Metrics:
    """The measurements of one server."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.moves = Counter("mulligan_moves", "Moves on disk, of people and computer players.", registry=registry)
        self.acknowledgement = Histogram(
            "mulligan_acknowledgement_seconds",
            "Seconds from a command to its answer, without waiting for seeds.",
            buckets=SECONDS,
            registry=registry,
        )
        self.commit = Histogram(
            "mulligan_commit_seconds",
            "Seconds until log entries are on disk.",
            buckets=SECONDS,
            registry=registry,
        )
        self.loop_lag = Histogram(
            "mulligan_loop_lag_seconds",
            "Seconds by which the event loop is late, ten times a second.",
            buckets=SECONDS,
            registry=registry,
        )
        self.sockets = Gauge("mulligan_sockets", "Open sockets: players and spectators.", ["kind"], registry=registry)
        self.tables = Gauge("mulligan_tables", "Tables in memory.", registry=registry)
        self.refused = Counter("mulligan_refused", "Refused requests and commands.", ["reason"], registry=registry)
        self.coach_waiting = Gauge("mulligan_coach_waiting", "Questions that the coach works on.", registry=registry)
        self.lost_entries = Counter(
            "mulligan_lost_entries", "Log entries that a player has seen and the log lacks.", registry=registry
        )
        self.messages = Counter(
            "mulligan_messages", "Messages to guests whose turn it is.", ["kind", "result"], registry=registry
        )
        self.failing: set[str] = set()  # codes of tables whose last move was not written, although others are
        failing = Gauge("mulligan_failing_tables", "Tables whose moves cannot be written.", registry=registry)
        failing.set_function(lambda: len(self.failing))
        for kind in ("player", "spectator"):
            self.sockets.labels(kind)
        for result in ("sent", "gone", "later", "given_up"):
            self.messages.labels("push", result)
        for reason in FAULTS:
            self.refused.labels(reason)
        self.delay = Gauge(
            "mulligan_delay_seconds", "The lasting delay, which decides what is refused.", registry=registry
        )
        self.overload = Overload()
        self.delay.set_function(lambda: self.overload.delay)
        self.ticked = 0.0
        self.commits: dict[Committing, float] = {}  # the waiting ones and when they began; the oldest comes first

    def refuse(self, reason: str) -> None:
        """Counts a refusal by its error code."""
        self.refused.labels(reason).inc()

    @contextmanager
    def connected(self, watching: bool) -> Iterator[None]:
        """Counts a socket until the end of the block."""
        with self.sockets.labels("spectator" if watching else "player").track_inprogress():
            yield

    def tick(self, now: float) -> None:
        """Measures the delays of the server; called every `TICK` seconds by the monotonic clock."""
        if self.ticked:
            lag = max(0.0, now - self.ticked - TICK)
            self.loop_lag.observe(lag)
            self.overload.see(now, lag + now - next(iter(self.commits.values()), now))
        self.ticked = now


@contextmanager
def offered(metrics: Metrics, host: str, port: int) -> Iterator[int]:
    """Offers the metrics over HTTP until the end of the block, and yields the port. Raises OSError."""
    server, thread = start_http_server(port, host, metrics.registry)
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
