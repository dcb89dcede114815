"""Reads what people type or write by hand: every keyboard's characters as those of the notation.

Full width, dashes and minus signs of all kinds, no-break spaces, invisible marks. What we write ourselves has the plain
characters alone (docs/notation.md), or the minus sign of a text for people, which is read as well. The browser has the
same table in web/src/lib/typedText.ts; tests/vectors/typed_text.json checks both.
"""

import re
import unicodedata
from collections.abc import Container

from .safe_text import printable

LOOKALIKES = {  # besides all dashes, spaces and invisible characters
    "-": "\u00ad\u02d7\u2043\u2212\u2500\u2501\u2796\u30fc",  # minus; the last is a Japanese keyboard’s
    "/": "\u2044\u2215\u29f8\u30fb",  # the last is on a Japanese keyboard’s key for it
    "x": "\u00d7\u2573\u2715\u2716\u274c\u2a2f",
    ">": "\u203a\u00bb\u2192\u21d2\u25b6\u25ba\u2794\u27a1\u27f6\u3009\u300b\u276f",
    "=": "\u2550\uff1d",
    "*": "\u2217\u204e\u2731\u2605\u2606\U0001f0cf\U0001f0bf\U0001f0df",  # stars, and the jokers of Unicode's pack
    ",": "\u3001",
    ".": "\u3002",
}
PLAIN = {ord(alike): plain for plain, alikes in LOOKALIKES.items() for alike in alikes}
UNSEEN = ("Cf", "Mn", "Me")  # byte order marks, marks of direction, variation selectors, the frame of a keycap 7️⃣
OTHER_NUMBERS = ("No", "Nl")  # 10², ½, Ⅷ: NFKC would read them as 102, 1/2 and VIII
NUMBER = re.compile(r"[+-]?[0-9]{1,4}")
SPACES = re.compile(r"(?<![0-9])\s+|\s+(?![0-9])")  # but those between two numbers
ARROW = re.compile("[-=]+>")  # of two characters
BETWEEN = re.compile("[-_ ]+")  # the words of a name
QUOTES = ("“”„«»", "‘’‚‹›", "「」『』")  # of a word processor
IN_QUOTES = "|".join(f'[{marks}][^{marks}"\\n]*[{marks}]' for marks in QUOTES)
QUOTED = re.compile(rf"""\"(?:[^"\\\n]|\\.)*\"|'[^'\n]*'|{IN_QUOTES}|[^"'{"".join(QUOTES)}]+|.""", re.DOTALL)


def plain(text: str) -> str:
    """Returns the text in the characters of the notation."""
    if text.isascii():
        return text
    normal = unicodedata.normalize("NFC", "".join(map(normalized, text.translate(PLAIN))))
    return "".join(map(plain_letter, normal.translate(PLAIN)))


def normalized(letter: str) -> str:
    return letter if unicodedata.category(letter) in OTHER_NUMBERS else unicodedata.normalize("NFKC", letter)


def plain_letter(letter: str) -> str:
    kind = unicodedata.category(letter)
    return "-" if kind == "Pd" else " " if kind[0] == "Z" else "" if kind in UNSEEN else letter


def word(text: str) -> str:
    """Returns typed text in the characters of the notation and in lower case."""
    low = plain(plain(text).lower())  # twice for a Turkish İ, whose small letter keeps a dot of its own
    return ARROW.sub(">", low).strip()


def one_of(text: str, names: Container[str]) -> str | None:
    """Returns which of our names is typed, such as `may_flip` for “May flip”; None if it is none of them."""
    name = BETWEEN.sub("_", word(text))
    return name if name in names else None


def joined(text: str) -> str:
    """Returns a typed move in the characters of the notation, in lower case and without spaces."""
    return SPACES.sub("", word(text))


def number_in(text: str) -> int | None:
    """Returns the typed number, or None if the text is something else."""
    typed = joined(text)
    return int(typed) if NUMBER.fullmatch(typed) else None


def parts(text: str) -> list[str]:
    """Returns the parts of a list separated by commas, as typed; names keep their characters."""
    return [part.strip() for part in split(text, ",")]


def split(text: str, mark: str, most: int = -1) -> list[str]:
    """Returns the parts between the characters that are read as the mark, as typed; `most` splits at the first ones."""
    return "".join(mark if plain(letter) == mark else letter for letter in text).split(mark, most)


def unquoted(text: str) -> str:
    """Returns the text without quotation marks around it: some shells pass them on."""
    marks = "\"'" + "".join(QUOTES)
    return text[1:-1].strip() if len(text) > 1 and text[0] in marks and text[-1] in marks else text


def plain_syntax(text: str) -> str:
    """Returns the text of a TOML or JSON file with plain characters outside quotation marks, which become plain too."""
    return "".join(plain_piece(found[0]) for found in QUOTED.finditer(text))


def plain_piece(piece: str) -> str:
    if piece[0] in "\"'":
        return piece
    return f'"{piece[1:-1].strip()}"' if piece[0] in "".join(QUOTES) and len(piece) > 1 else plain(piece)


def shown(text: str, longest: int = 20) -> str:
    """Returns typed text for a sentence, safe to print, with the code of a letter that only looks like a plain one."""
    strange = next((letter for letter in plain(text[:longest]) if letter.isalnum() and not letter.isascii()), None)
    return printable(text, longest) + (f" ({strange} = U+{ord(strange):04X})" if strange else "")
