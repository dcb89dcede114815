"""Cleans and checks names and chat text: removes invisible characters and finds names that look alike."""

import unicodedata
from collections.abc import Collection

from mulligan.server.wire.base import NAME_LENGTH

from .look_alikes import LOOK_ALIKES
from .rights import Refusal

MOST_MARKS = 3  # per letter: Hebrew and Thai need this many, no script needs more
JOINER, NON_JOINER = "\u200d", "\u200c"
EMPTY_LETTERS = "\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5"  # letters or marks for Unicode, but invisible
FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20"  # a spreadsheet treats a text that begins with one of these as a formula

# Additions to Unicode's table: small Cyrillic and Greek letters whose capitals it contains, and letters that look
# like two others.
MORE_LOOK_ALIKES = {"b": "в", "h": "н", "k": "кκ", "m": "м", "n": "пη", "t": "тτ"}
CAPITAL_L = "\u029f"  # unlike the small l, it does not look like i or 1: Ilse and Lise differ
STROKES = str.maketrans(dict.fromkeys("Ii1|!", "l") | {"0": "O", "L": CAPITAL_L})
PAIRS = str.maketrans({"m": "rn", "w": "vv"})
LATIN = {ord(letter): latin for table in (LOOK_ALIKES, MORE_LOOK_ALIKES) for latin in table for letter in table[latin]}
MARKED = ("LATIN", "GREEK", "CYRILLIC")  # their marks are easily missed; on kana, marks make another letter


def free_name(name: str, taken: Collection[str]) -> str:
    """Returns the name, with a number appended if it is taken."""
    number, free = 1, name
    while is_taken(free, taken):
        number += 1
        free = f"{name} {number}"
    return free


def check_name(name: str, taken: Collection[str]) -> str:
    """Returns the cleaned name. Raises Refusal if it is empty, too long, or looks like a taken name."""
    name = tidy(name).lstrip(FORMULA + " ")
    if not any(letter.isalnum() or unicodedata.category(letter) == "So" for letter in name):
        raise Refusal("name_empty")
    if max(len(name), len(unicodedata.normalize("NFKC", name))) > NAME_LENGTH:  # one character may stand for 18 letters
        raise Refusal("name_too_long", most=NAME_LENGTH)
    if is_taken(name, taken):
        raise Refusal("name_taken", name=name)
    return name


def is_taken(name: str, taken: Collection[str]) -> bool:
    return any(looks(name) & looks(other) for other in taken)


def looks(name: str) -> set[str]:
    """Returns two normal forms of a name: lower case, and the shapes it looks like (a skeleton, UTS 39).

    Neither contains marks on Latin, Greek and Cyrillic letters, nor punctuation.
    """
    plain = without_marks("".join(letter for letter in unicodedata.normalize("NFKC", name) if is_seen(letter)))
    latin = without_marks(plain.translate(LATIN)).translate(STROKES).casefold().translate(PAIRS)
    return {without_punctuation(plain.casefold()), without_punctuation(latin)}


def without_marks(text: str) -> str:
    """Returns the text without the marks on Latin, Greek and Cyrillic letters."""
    kept: list[str] = []
    for letter in unicodedata.normalize("NFD", text):
        is_mark = unicodedata.combining(letter) > 0
        if not is_mark:
            has_loose_marks = unicodedata.name(letter, "").startswith(MARKED)
        if not (is_mark and has_loose_marks):
            kept.append(letter)
    return unicodedata.normalize("NFC", "".join(kept))


def without_punctuation(text: str) -> str:
    return "".join(letter for letter in text if not unicodedata.category(letter).startswith("P"))


def is_seen(letter: str) -> bool:
    return unicodedata.category(letter) not in ("Cf", "Cc") and not is_selector(letter)


def is_selector(letter: str) -> bool:
    """True for a variation selector, which changes the appearance of the previous character."""
    return "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"


def tidy(text: str) -> str:
    """Returns the text without invisible and direction characters, with single spaces and few marks per letter."""
    text = unicodedata.normalize("NFC", text)
    kept: list[str] = []
    marks = 0
    for place, letter in enumerate(text):
        kind = unicodedata.category(letter)
        before = kept[-1] if kept else " "
        if kind in ("Cc", "Zs", "Zl", "Zp"):
            kept.append(" ")
        elif letter in EMPTY_LETTERS or kind in ("Cn", "Co", "Cs"):
            continue
        elif kind == "Cf":
            if is_joining(before, letter, text[place + 1 : place + 2]):
                kept.append(letter)
        elif is_selector(letter):
            if before.isdigit() or unicodedata.category(before) in ("So", "Lo"):  # 1️⃣, ❤️, 葛󠄀
                kept.append(letter)
        elif kind in ("Mn", "Me"):
            marks += 1
            if marks <= MOST_MARKS and before != " ":
                kept.append(letter)
        else:
            marks = 0
            kept.append(letter)
    return unicodedata.normalize("NFC", " ".join("".join(kept).split()))


def is_joining(before: str, joiner: str, after: str) -> bool:
    """True if a joiner has an effect at this place: in emoji sequences, or in Persian and Indic scripts."""
    if joiner == JOINER and (is_sign(before) or is_selector(before)):
        return bool(after) and is_sign(after)
    is_letter_there = bool(after) and unicodedata.category(after) == "Lo"
    return (
        joiner in (JOINER, NON_JOINER)
        and is_letter_there
        and (unicodedata.combining(before) == 9 or unicodedata.bidirectional(before) == "AL")
    )


def is_sign(letter: str) -> bool:
    """True for a pictograph or a skin tone."""
    return unicodedata.category(letter) in ("So", "Sk")
