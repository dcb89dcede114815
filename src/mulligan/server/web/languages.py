"""The server's own translated texts: refusals shown without the client, and link previews."""

import json
import re
from functools import cache
from html import escape
from pathlib import Path

FOLDER = Path(__file__).parent / "words"
USUAL = "en"
LANGUAGES = (USUAL, *sorted({file.stem for file in FOLDER.glob("*.json")} - {USUAL}))
WISH = re.compile(
    r"\s*([a-z]{1,8}|\*)(-[a-z0-9]{1,8})*\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?", re.IGNORECASE
)
LONGEST = 1000  # characters of a header that are read

PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Mulligan</title>
<body style="max-width: 32rem; margin: 4rem auto; padding: 0 1rem; font: 1.125rem/1.5 system-ui">
<h1>Mulligan</h1>
{paragraphs}
</html>
"""


def preferred(header: str, usual: str = USUAL) -> str:
    """Returns the supported language that an Accept-Language header prefers, or `usual` if there is none."""
    wishes = [found.groups() for wish in header[:LONGEST].split(",") if (found := WISH.fullmatch(wish))]
    weighed = [(float(weight or 1), language.lower(), region) for language, region, weight in wishes]
    refused = {language for weight, language, region in weighed if weight == 0 and not region}
    for weight, language, _ in sorted(weighed, key=lambda wish: -wish[0]):
        if weight and language == "*":
            return next((one for one in (usual, *LANGUAGES) if one not in refused), usual)
        if weight and language in LANGUAGES:
            return language
    return usual


@cache
def words(language: str) -> dict[str, str]:
    """Returns all texts of the server in one of LANGUAGES, by key."""
    read: dict[str, str] = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return read


def small_page(language: str, texts: list[str]) -> bytes:
    """Returns a page without scripts, for when the client is not available."""
    paragraphs = "\n".join(f"<p>{escape(text)}</p>" for text in texts)
    return PAGE.format(language=language, paragraphs=paragraphs).encode()
