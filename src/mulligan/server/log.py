"""The server's structured log: text lines for people or JSON for programs.

Entries identify a table by its spectators' code. They never contain players' codes, names, guests, keys,
seeds, chat, network addresses or cards.
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

MOST_WAITING = 10_000  # lines; further lines are dropped so that a slow reader does not block games
LAST_LINES = 1.0  # seconds to write the remaining lines when the server ends
LOG_INTERVAL = 60.0  # seconds between two lines about the same frequent event

STAMPED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
]
log: BoundLogger = structlog.wrap_logger(
    logging.getLogger("mulligan"),
    processors=[structlog.stdlib.filter_by_level, *STAMPED, ProcessorFormatter.wrap_for_formatter],
    wrapper_class=BoundLogger,
)


class RareLog:
    """Logs the same event at most once a minute, with the number of times it occurred since."""

    def __init__(self) -> None:
        self.said: dict[str, tuple[float, int]] = {}

    def say(self, event: str, why: str, level: str = "warning", table: str = "", **more: Any) -> None:
        key, now = f"{event} {why} {table}", time.monotonic()
        if table:
            more["table"] = table
        at, times = self.said.get(key, (-LOG_INTERVAL, 0))
        if now - at < LOG_INTERVAL:
            self.said[key] = (at, times + 1)
        else:
            self.said[key] = (now, 0)
            getattr(log, level)(event, why=why, times=times + 1, **more)


log_rarely = RareLog().say


def reason(error: BaseException) -> str:
    """Returns why something failed, in one line; a timeout, for one, has no text but the name of its class."""
    return " ".join(str(error).split()) or type(error).__name__


class Lines(logging.Handler):
    """Writes lines in a separate thread, so that a blocked terminal or pipe does not block the server."""

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
        except Exception:  # a line that cannot be formatted must not stop a game
            self.handleError(record)

    def close(self) -> None:
        with suppress(queue.Full):
            self.waiting.put_nowait(None)
        self.writer.join(LAST_LINES)
        super().close()

    def write(self) -> None:
        while (line := self.waiting.get()) is not None:
            left = f"{line}\n".encode(errors="backslashreplace")
            with suppress(OSError):  # the reader has closed the file
                while left:
                    left = left[os.write(self.file, left) :]


@contextmanager
def logging_to(file: int, form: Form) -> Iterator[None]:
    """Sends all log messages in this block, including the libraries', to an open file descriptor."""
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
    """Returns the formatter of log lines. Tracebacks omit the values of variables, which may be secret."""
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
    """Puts the time, level and event first."""
    return {key: line[key] for key in ("time", "level", "event")} | line


def short_time(_: Any, __: str, line: Any) -> Any:
    """Shortens the time to hours, minutes and seconds."""
    line["timestamp"] = time.strftime("%H:%M:%S")
    del line["time"]
    return line
