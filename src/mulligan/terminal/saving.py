"""Games kept on disk: an unfinished one after every step, so that it can always be gone on with.

A saved game holds the dice too: whoever leaves and comes back gets the very cards that were to come.
"""

import contextlib
import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any

from ..folders import data_folder

FORMAT = 1
LARGEST = 20_000_000  # bytes; no game comes near it


class NoSavedGame(ValueError):
    """There is no game to go on with."""


class DamagedSave(NoSavedGame):
    """The saved game is not what was saved; the file has been put aside, and its name is in the message."""


def unfinished() -> list[Path]:
    """The files of the games not finished, the one played last first."""
    files = [(file.stat().st_mtime_ns, file) for file in (data_folder() / "unfinished").glob("*.json")]
    return [file for _, file in sorted(files, reverse=True)]


def new_file(variant_name: str) -> Path:
    """Where a new game is to be kept; no other game has that place."""
    folder = data_folder() / "unfinished"
    folder.mkdir(parents=True, exist_ok=True)
    stem = time.strftime(f"{variant_name}-%Y%m%d-%H%M%S")
    number = 1
    while True:
        file = folder / (f"{stem}.json" if number == 1 else f"{stem}-{number}.json")
        try:
            file.touch(exist_ok=False)
            return file
        except FileExistsError:
            number += 1


def write(file: Path, facts: dict[str, Any]) -> None:
    """Writes a game whole or not at all: whatever happens meanwhile, the file holds the old game or the new."""
    facts = {"format": FORMAT, **facts}
    aside = file.with_suffix(f".{os.getpid()}.tmp")
    try:
        aside.write_text(json.dumps({**facts, "check": digest(facts)}), encoding="utf-8")
        aside.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)
        raise


def read(file: Path) -> dict[str, Any]:
    """The facts of a saved game, as they were written. Raises DamagedSave."""
    try:
        with file.open("rb") as opened:
            text = opened.read(LARGEST + 1)
        facts = json.loads(text[:LARGEST].decode("utf-8"))
    except (ValueError, RecursionError):
        raise put_aside(file, "it is cut off or not what Mulligan wrote") from None
    if not isinstance(facts, dict):
        raise put_aside(file, "it is not what Mulligan wrote")
    if type(facts.get("format")) is not int:
        raise put_aside(file, "it does not say its format")
    if facts["format"] != FORMAT:
        raise put_aside(file, f"it is of format {facts['format']}, and this version of Mulligan reads format {FORMAT}")
    check = facts.pop("check", None)
    if check != digest(facts):
        raise put_aside(file, "it has been changed since Mulligan wrote it")
    return facts


def digest(facts: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


def put_aside(file: Path, reason: str) -> DamagedSave:
    """Keeps the file under another name, and says so."""
    kept = file.with_suffix(".damaged")
    number = 1
    while kept.exists():
        number += 1
        kept = file.with_suffix(f".damaged-{number}")
    file.replace(kept)
    return DamagedSave(f"The saved game cannot be continued: {reason}. It is kept as {kept}.")


def keep_record(file: Path, record: dict[str, Any]) -> Path:
    """Writes the record of a finished game, and returns where; the unfinished game is gone."""
    folder = data_folder() / "games"
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"{file.stem}.jsonl"
    kept.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
    file.unlink(missing_ok=True)
    return kept
