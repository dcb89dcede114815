"""What guests are told when it is their turn, in their language, and what became of it. No names, and no cards."""

import json
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

FOLDER = Path(__file__).parent / "letter_words"
USUAL = "en"

Result = Literal["sent", "gone", "later", "given_up"]
SENT: Result = "sent"
GONE: Result = "gone"  # there is no such address any more
LATER: Result = "later"
GIVEN_UP: Result = "given_up"  # it would fail again


class Outcome(NamedTuple):
    """What became of a message, why, and after how many seconds at least to try again."""

    result: Result
    why: str = ""
    wait: float = 0.0


@cache
def words(language: str) -> dict[str, str]:
    """Returns all texts in a language, or in English if there are none in that one."""
    file = FOLDER / f"{language}.json"
    if not language.isalpha() or not file.is_file():
        return words(USUAL)
    read: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return read
