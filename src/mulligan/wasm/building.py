"""Builds the engine for browsers and keeps it in the cache, under a name that says from what it was built.

From scratch that takes minutes. After an edit it takes much less: what has changed is compiled again, and LLVM
optimises the whole.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from mulligan.file_locks import lock
from mulligan.machine_code import browser_engine_name, cache_folder
from mulligan.whole_files import replacing

PAUSE = 0.1  # seconds between two looks whether another process has built it


def built() -> Path:
    """The file of the engine for browsers, built by the Numba that is installed here.

    Raises OSError if it cannot be kept, and ValueError if it cannot be built.
    """
    folder = cache_folder()
    if folder is None:
        raise OSError("There is no folder for compiled code.")
    file = folder.parent / browser_engine_name()
    with file.with_suffix(".lock").open("wb") as turn:
        while not lock(turn.fileno()):
            time.sleep(PAUSE)
        if not file.exists():
            # In a process of its own, in which Numba compiles for nothing else.
            compiles = os.environ | {"MULLIGAN_PLAIN": "0"}
            command = [sys.executable, "-m", __name__, str(file)]
            done = subprocess.run(command, env=compiles, stderr=subprocess.PIPE, text=True)
            if done.returncode:
                why = (done.stderr.splitlines() or [f"exit status {done.returncode}"])[-1]
                raise ValueError(f"The engine for browsers could not be built: {why}")
    return file


def build(file: Path) -> None:
    """Writes the file. Raises OSError; RuntimeError where this Numba is made differently inside."""
    from . import wasm32  # first of all, before anything compiled is imported
    from .finishing import module
    from .linking import object_file

    wasm32.check()
    made = module(*object_file())
    with replacing(file) as new:
        new.write_bytes(made)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
