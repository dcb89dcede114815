"""Finds the Chromium that tests, measurements and pictures use."""

import os
import shutil
import sys

# The headless shell is the same browser without windows of its own: it needs half the processor time.
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser")
INSTALL = f"apt-get install {SHELL} fonts-noto-cjk (or name one in CHROMIUM)"
SLOW = f"{{}} is slower than the headless shell, and may be too slow for this machine: {INSTALL}."


def find() -> str | None:
    """Returns the path of the browser named by CHROMIUM, of the headless shell, or of another Chromium; or None."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def warning(path: str) -> str:
    """Returns what to say about a browser that nobody chose and that is not the headless shell, or ""."""
    return "" if os.environ.get("CHROMIUM") or path.endswith(SHELL) else SLOW.format(path)


def must_find() -> str:
    """Returns the path of the browser, for a program; warns of a slow one, and ends without any."""
    path = find()
    if not path:
        sys.exit(f"No Chromium here: {INSTALL}.")
    if said := warning(path):
        print(said, file=sys.stderr)
    return path
