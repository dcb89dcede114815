"""The command `mulligan`. Loading the commands takes a moment, and Ctrl-C may come within it, so little is imported here."""

import os
import signal
import sys
from contextlib import suppress
from types import FrameType

STOPPED, TERMINATED = 130, 143  # exit statuses after Ctrl-C and SIGTERM


def main() -> None:
    """Runs the command line and ends the process; after Ctrl-C with status 130, at any moment and without a traceback."""
    sys.unraisablehook = pass_on
    signal.signal(signal.SIGTERM, terminate)
    try:
        from .commands import run

        status = run()
    except KeyboardInterrupt:
        status = STOPPED
    signal.signal(signal.SIGINT, end_at_once)
    if status in (STOPPED, TERMINATED):
        end(status)
    sys.exit(status)


def terminate(signum: int, frame: FrameType | None) -> None:
    """Ends the command in an orderly way: what it has started ends with it."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.exit(TERMINATED)


def end_at_once(signum: int, frame: FrameType | None) -> None:
    os._exit(STOPPED)


def pass_on(broken: "sys.UnraisableHookArgs") -> None:
    """Ends the process after a Ctrl-C that came where Python drops exceptions, such as in a destructor."""
    if broken.exc_type is KeyboardInterrupt:
        end(STOPPED)
    sys.__unraisablehook__(broken)


def end(status: int) -> None:
    """Ends the process without waiting for its threads, which may compute for minutes."""
    signal.signal(signal.SIGINT, end_at_once)
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(status)
