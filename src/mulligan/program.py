"""Runs a program of ours: Ctrl-C at any moment ends it with status 130, without a traceback.

Loading a program takes a moment in which Ctrl-C may come, so little is imported here.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

STOPPED, TERMINATED = 130, 143  # exit statuses after Ctrl-C and SIGTERM
PATIENCE = 3.0  # seconds to tidy up after a signal


class Stopped(KeyboardInterrupt):
    """Ctrl-C, whose text says what became of the work. Python's own may have a text of its own, as from a codec."""


unfinished: set[str] = set()  # files that are being written; none of them stays
groups: set[int] = set()  # groups of processes that were started; none of them goes on
_starting = 0  # how many are being started
_held: list[int] = []  # signals that came meanwhile


def run(program: Callable[[], int]) -> None:
    """Runs a program that returns its exit status, and ends the process.

    After Ctrl-C it may tidy up, and raise Stopped.
    """
    try:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as after nohup
            signal.signal(signal.SIGINT, interrupt)
        signal.signal(signal.SIGTERM, terminate)
        sys.unraisablehook = pass_on
        end(program())
    except KeyboardInterrupt:
        end(STOPPED)


def interrupt(signum: int, frame: FrameType | None) -> None:
    """Stops the command, which tidies up; what still computes after a moment is ended. Raises KeyboardInterrupt.

    While a module is loading there is nothing to tidy up, and libraries in C++ abort at an exception.
    """
    if hold(signum):
        return
    while frame is not None:
        if "importlib" in frame.f_code.co_filename:
            end(STOPPED)
        frame = frame.f_back
    end_soon(STOPPED)
    raise KeyboardInterrupt


def terminate(signum: int, frame: FrameType | None) -> None:
    """Ends the command in an orderly way: what it has started ends with it."""
    if hold(signum):
        return
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_soon(TERMINATED)
    sys.exit(TERMINATED)


@contextmanager
def starting() -> Iterator[None]:
    """Signals wait meanwhile: a process that was started, and that nobody knows yet, would go on."""
    global _starting
    _starting += 1
    try:
        yield
    finally:
        _starting -= 1
        while _held and not _starting:
            signal.raise_signal(_held.pop())


def hold(signum: int) -> bool:
    if _starting:
        _held.append(signum)
    return _starting > 0


def end_soon(status: int) -> None:
    """Ends the process after a moment, whatever it still computes."""
    import threading

    waiting = threading.Timer(PATIENCE, leave, [status])
    waiting.daemon = True
    waiting.start()


def pass_on(broken: "sys.UnraisableHookArgs") -> None:
    """Ends the process after a Ctrl-C that came where Python drops exceptions, such as in a destructor."""
    if broken.exc_type is KeyboardInterrupt:
        end(STOPPED)
    sys.__unraisablehook__(broken)


def end(status: int) -> None:
    """Ends the process without waiting for its threads, which may compute for minutes, or for another Ctrl-C."""
    signal.signal(signal.SIGINT, lambda *_: leave(STOPPED))
    for stream in filter(None, (sys.stdout, sys.stderr)):  # None: closed from the start
        try:
            stream.flush()
        except (OSError, ValueError):
            status = status or 1
    leave(status)


def leave(status: int) -> None:
    """Ends the process at once, and the groups that it has started, and deletes the files that it was writing."""
    for group in [*groups]:
        with suppress(OSError):  # it has ended by itself
            os.killpg(group, signal.SIGKILL)
    for file in [*unfinished]:
        with suppress(OSError):  # it is in its place by now
            os.unlink(file)
    os._exit(status)
