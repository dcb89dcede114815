"""Reads what people type or write by hand: every keyboard's characters as those of the notation.

Full width, dashes and minus signs of all kinds, no-break spaces, invisible marks. What we write ourselves has the plain
characters alone (docs/notation.md), or the minus sign of a text for people, which is read as well. The browser has the
same table in web/src/lib/typedText.ts; tests/vectors/typed_text.json checks both.
"""

import re
import unicodedata

from .safe_text import printable

LOOKALIKES = {  # besides all dashes, spaces and invisible characters
    "-": "\u00ad\u02d7\u2043\u2212\u2500\u2501\u2796\u30fc",  # minus; the last is a Japanese keyboard’s
    "/": "\u2044\u2215\u29f8",
    "x": "\u00d7\u2715\u2716\u2a2f",
    ">": "\u203a\u00bb\u2192\u2794\u27a1\u3009\u300b\u276f",
    "=": "\u2550\uff1d",
    "*": "\u2217\u204e\u2731\u2605\u2606\U0001f0cf\U0001f0bf\U0001f0df",  # stars, and the jokers of Unicode's pack
    ",": "\u3001",
}
PLAIN = {ord(alike): plain for plain, alikes in LOOKALIKES.items() for alike in alikes}
UNSEEN = ("Cf", "Mn")  # byte order marks, marks of direction, variation selectors
OTHER_NUMBERS = ("No", "Nl")  # 10², ½, Ⅷ: NFKC would read them as 102, 1/2 and VIII
NUMBER = re.compile(r"[+-]?[0-9]{1,4}")
SPACES = re.compile(r"(?<![0-9])\s+|\s+(?![0-9])")  # but those between two numbers
QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[“”„«»][^“”„«»"\n]*[“”„«»]|[^"\'“”„«»]+|.', re.DOTALL)


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
    """Returns a typed name in the characters of the notation and in lower case."""
    return plain(text).strip().lower()


def joined(text: str) -> str:
    """Returns a typed move in the characters of the notation, in lower case and without spaces."""
    return SPACES.sub("", word(text))


def number_in(text: str) -> int | None:
    """Returns the typed number, or None if the text is something else."""
    typed = joined(text)
    return int(typed) if NUMBER.fullmatch(typed) else None


def parts(text: str) -> list[str]:
    """Returns the parts of a list separated by commas, as typed; names keep their characters."""
    return [part.strip() for part in re.split("[,\uff0c\u3001]", text)]


def plain_syntax(text: str) -> str:
    """Returns the text of a TOML or JSON file with plain characters outside quotation marks, which become plain too."""
    return "".join(plain_piece(found[0]) for found in QUOTED.finditer(text))


def plain_piece(piece: str) -> str:
    if piece[0] in "\"'":
        return piece
    return f'"{piece[1:-1].strip()}"' if piece[0] in "“”„«»" and len(piece) > 1 else plain(piece)


def shown(text: str, longest: int = 20) -> str:
    """Returns typed text for a sentence, safe to print, with the code of a letter that only looks like a plain one."""
    strange = next((letter for letter in plain(text[:longest]) if letter.isalnum() and not letter.isascii()), None)
    return printable(text, longest) + (f" ({strange} = U+{ord(strange):04X})" if strange else "")
