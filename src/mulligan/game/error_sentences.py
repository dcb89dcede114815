"""Errors for people: a message's key and parameters, which each language puts into a sentence."""

import errno
from collections.abc import Mapping
from typing import Self

from .words import Words

Params = Mapping[str, str | int]
LISTS = ("games", "options", "values", "languages", "papers", "decks")  # parameters with names between commas
REASONS = {
    "missing": {errno.ENOENT},
    "denied": {errno.EACCES, errno.EPERM},
    "folder": {errno.EISDIR},
    "no_folder": {errno.ENOTDIR},
    "full": {errno.ENOSPC, errno.EDQUOT},
    "read_only": {errno.EROFS},
    "exists": {errno.EEXIST},
    "long": {errno.ENAMETOOLONG},
}


class Problem(ValueError):
    """An error in what a person wrote; programs read `key` and `params`.

    The message is `cardboard_GROUP_KEY` or `terminal_GROUP_KEY`, or the key itself. As text, it is in English.
    """

    def __init__(self, key: str, /, group: str = "wrong", **params: str | int) -> None:
        super().__init__(key)
        self.key, self.group, self.params = key, group, params
        self.places: list[tuple[str, Params]] = []

    def at(self, key: str, **params: str | int) -> Self:
        """Adds where it is, as a message; the outermost place comes last."""
        self.places.insert(0, (key, params))
        return self

    def in_words(self, words: Words) -> str:
        """Returns the places and the sentence in a language."""
        text = sentence(words, self.group, self.key, self.params)
        if not self.places:
            return text
        label, *others = [words(key, **params) for key, params in self.places]
        for other in others:
            label = words("terminal_comma", first=label, next=other)
        return words("terminal_label", label=label, text=text)

    def __str__(self) -> str:
        return self.in_words(Words("en"))


def reason(words: Words, error: OSError) -> str:
    """Returns why the system refused a file, as a phrase."""
    for kind, numbers in REASONS.items():
        if error.errno in numbers:
            return words(f"terminal_why_{kind}")
    return words("terminal_why_other", code=errno.errorcode.get(error.errno or 0, type(error).__name__))


def sentence(words: Words, group: str, key: str, params: Params) -> str:
    """Returns the message in a language; players of a position are numbered from 0."""
    filled = dict(params)
    filled |= {name: words.series(str(params[name]).split(", ")) for name in LISTS if name in params}
    if key != "no_card":  # there the face is not one of the game's
        filled |= {name: words.face(str(params[name])) for name in ("face", "lying") if name in params}
    if group == "table" and "player" in params:
        filled["name"] = words("start_player", seat=int(params["player"]) + 1)
    found = (name for name in (f"cardboard_{group}_{key}", f"terminal_{group}_{key}", key) if name in words.messages)
    return words(next(found), **filled)
