"""The manual, built once for all tests of a run, where the packages that build it are installed."""

from importlib.util import find_spec
from pathlib import Path

import manual
import pytest
from made_once import made_once


def built_manual(folders: pytest.TempPathFactory) -> Path:
    """The folder of the manual."""
    if lacking := [name for name in ("zensical", "mkdocstrings") if not find_spec(name)]:
        pytest.skip(f"The manual needs {' and '.join(lacking)} to be built.")
    return made_once(folders, "manual", build)


def build(place: Path) -> Path:
    manual.build(place / "docs")
    return place / "docs"
