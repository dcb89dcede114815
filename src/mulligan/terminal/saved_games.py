"""Saves games on disk: an unfinished match after every step, so that it can be continued.

A saved match contains the state of the random generator: a continued game deals the same cards.
"""

import contextlib
import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any

from mulligan.folders import data_folder
from mulligan.game.words import Words

FORMAT = 1
LARGEST = 20_000_000  # bytes, far above any real game


class NoSavedGame(ValueError):
    """There is no game to continue."""


class DamagedSave(NoSavedGame):
    """The saved match is damaged. Its file has been renamed; the message contains the new name."""


def unfinished() -> list[Path]:
    """Returns the files of the unfinished matches, the one played last first."""
    files = [(file.stat().st_mtime_ns, file) for file in (data_folder() / "unfinished").glob("*.json")]
    return [file for _, file in sorted(files, reverse=True)]


def players_of_last() -> list[str]:
    """Returns the players of the unfinished match played last, as they were typed; none if it cannot be read."""
    with contextlib.suppress(IndexError, KeyError, OSError, RecursionError, TypeError, ValueError):
        return [str(typed) for typed in json.loads(unfinished()[0].read_bytes())["seats"]]
    return []


def new_file(variant_name: str) -> Path:
    """Returns an unused path for a new game."""
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
    """Writes a game atomically: after an interruption the file holds the old game or the new one."""
    facts = {"format": FORMAT, **facts}
    aside = file.with_suffix(f".{os.getpid()}.tmp")
    try:
        aside.write_text(json.dumps({**facts, "check": digest(facts)}), encoding="utf-8")
        aside.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)
        raise


def read(words: Words, file: Path) -> dict[str, Any]:
    """Reads the facts of a saved match. Raises DamagedSave."""
    try:
        with file.open("rb") as opened:
            text = opened.read(LARGEST + 1)
        facts = json.loads(text[:LARGEST].decode("utf-8"))
    except (ValueError, RecursionError):
        raise put_aside(words, file, words("terminal_damaged_file")) from None
    if not isinstance(facts, dict) or type(facts.get("format")) is not int:
        raise put_aside(words, file, words("terminal_damaged_file"))
    if facts["format"] != FORMAT:
        raise put_aside(words, file, words("terminal_damaged_format", format=facts["format"], ours=FORMAT))
    check = facts.pop("check", None)
    if check != digest(facts):
        raise put_aside(words, file, words("terminal_damaged_changed"))
    return facts


def digest(facts: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


def put_aside(words: Words, file: Path, why: str) -> DamagedSave:
    """Renames the file, and returns the error that says so."""
    kept = file.with_suffix(".damaged")
    number = 1
    while kept.exists():
        number += 1
        kept = file.with_suffix(f".damaged-{number}")
    file.replace(kept)
    return DamagedSave(words("terminal_damaged", why=why, file=str(kept)))


def keep_record(file: Path, record: dict[str, Any]) -> Path:
    """Writes the record of a finished match, deletes the unfinished match, and returns the record's path."""
    folder = data_folder() / "games"
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"{file.stem}.jsonl"
    kept.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
    file.unlink(missing_ok=True)
    return kept
