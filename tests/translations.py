"""The client's texts in each language, from the files that its Inlang project names."""

import json
from functools import cache
from pathlib import Path

WEB = Path(__file__).parents[1] / "web"


@cache
def messages(language: str) -> dict[str, object]:
    """Every text by its key; one with plural forms is a list."""
    found: dict[str, object] = {}
    project = json.loads((WEB / "project.inlang/settings.json").read_text(encoding="utf-8"))
    for pattern in project["plugin.inlang.messageFormat"]["pathPattern"]:
        found |= json.loads((WEB / pattern.format(locale=language)).read_text(encoding="utf-8"))
    return found


def reasons() -> set[str]:
    """The keys of the coach's reasons."""
    return {key.removeprefix("coach_why_") for key in messages("en") if key.startswith("coach_why_")} - {"but", "part"}
