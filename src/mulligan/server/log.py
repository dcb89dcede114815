"""What the server tells of itself: an event and its fields, in lines for people or as JSON for programs.

A table is named by its spectators' code. What could let somebody in, tell who was there, or tell a card
has no place here: no code of players, name, guest, key, seed, talk or address.
"""

import logging
import os
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

import structlog
from structlog.stdlib import BoundLogger, ProcessorFormatter

Form = Literal["json", "text"]

MOST_WAITING = 10_000  # lines; those after it are lost rather than that the games wait for who reads them
LAST_LINES = 1.0  # seconds for what still waits when the server ends
SELDOM = 60.0  # seconds between two lines about the same thing that may happen very often

STAMPED: list[Any] = [
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
]
log: BoundLogger = structlog.wrap_logger(
    logging.getLogger("mulligan"),
    processors=[structlog.stdlib.filter_by_level, *STAMPED, ProcessorFormatter.wrap_for_formatter],
    wrapper_class=BoundLogger,
)


class Seldom:
    """Says the same thing at most once a minute, and how often it has happened since."""

    def __init__(self) -> None:
        self.said: dict[str, tuple[float, int]] = {}

    def say(self, event: str, why: str, level: str = "warning") -> None:
        key, now = f"{event} {why}", time.monotonic()
        at, times = self.said.get(key, (-SELDOM, 0))
        if now - at < SELDOM:
            self.said[key] = (at, times + 1)
        else:
            self.said[key] = (now, 0)
            getattr(log, level)(event, why=why, times=times + 1)


seldom = Seldom().say


class Lines(logging.Handler):
    """Writes lines in a thread of its own, so that a terminal or pipe that is stuck holds up nobody."""

    def __init__(self, file: int) -> None:
        super().__init__()
        self.file = file
        self.waiting: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        self.writer = threading.Thread(target=self.write, name="log", daemon=True)
        self.writer.start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            with suppress(queue.Full):
                self.waiting.put_nowait(self.format(record))
        except Exception:  # a line that cannot be written is no reason to stop a game
            self.handleError(record)

    def close(self) -> None:
        with suppress(queue.Full):
            self.waiting.put_nowait(None)
        self.writer.join(LAST_LINES)
        super().close()

    def write(self) -> None:
        while (line := self.waiting.get()) is not None:
            left = f"{line}\n".encode(errors="backslashreplace")
            with suppress(OSError):  # nobody reads it any more
                while left:
                    left = left[os.write(self.file, left) :]


@contextmanager
def logging_to(file: int, form: Form) -> Iterator[None]:
    """Everything said meanwhile, by libraries too, becomes lines of that open file."""
    lines = Lines(file)
    lines.setFormatter(formatter(form, os.isatty(file)))
    root, own = logging.getLogger(), logging.getLogger("mulligan")
    before = root.handlers[:], root.level, own.level
    root.handlers[:] = [lines]
    root.setLevel(logging.WARNING)
    own.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.handlers[:], root.level, own.level = before
        lines.close()


def formatter(form: Form, colours: bool) -> ProcessorFormatter:
    """How a line looks. A traceback holds no values of variables, which might be somebody's secret."""
    if form == "json":
        last: list[Any] = [
            structlog.processors.format_exc_info,
            in_order,
            structlog.processors.JSONRenderer(default=repr),
        ]
    else:
        last = [structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=structlog.dev.plain_traceback)]
        last[0:0] = [short_time]
    return ProcessorFormatter(
        processors=[ProcessorFormatter.remove_processors_meta, *last],
        foreign_pre_chain=[*STAMPED, structlog.stdlib.PositionalArgumentsFormatter()],
    )


def in_order(_: Any, __: str, line: Any) -> dict[str, Any]:
    """When, how grave and what come first."""
    return {key: line[key] for key in ("time", "level", "event")} | line


def short_time(_: Any, __: str, line: Any) -> Any:
    """People know what day it is."""
    line["timestamp"] = time.strftime("%H:%M:%S")
    del line["time"]
    return line
