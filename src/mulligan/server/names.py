"""What people call themselves and say to one another: tidied, so that it can do nothing but be read."""

import unicodedata
from collections.abc import Collection

from .messages import NAME_LENGTH
from .rights import Refusal

MOST_MARKS = 3  # upon one letter: Hebrew and Thai need as many, and nobody's more
JOINER, NON_JOINER = "\u200d", "\u200c"
EMPTY_LETTERS = "\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5"  # they count as letters or marks, and show nothing
FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20"  # a sheet of figures would reckon with a name that begins so

# Letters of other scripts, and figures, which look like Latin ones.
LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԚԜаеѕіјорсухԁԛԝһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧνοιIı1|0",
    "ABESlJKMHOPCTYXQWaesljopcyxdqwhlABEZHlKMNOPTYXvolllllO",
)


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, or where somebody has it already, the name with a number."""
    number, free = 1, name
    while is_taken(free, taken):
        number += 1
        free = f"{name} {number}"
    return free


def check_name(name: str, taken: Collection[str]) -> str:
    """A name tidied up. Raises Refusal where it is empty, too long, or looks like somebody else's here."""
    name = tidy(name).lstrip(FORMULA + " ")
    if not any(letter.isalnum() or unicodedata.category(letter) == "So" for letter in name):
        raise Refusal("name_empty")
    if max(len(name), len(unicodedata.normalize("NFKC", name))) > NAME_LENGTH:  # one sign may stand for 18 letters
        raise Refusal("name_too_long", most=NAME_LENGTH)
    if is_taken(name, taken):
        raise Refusal("name_taken", name=name)
    return name


def is_taken(name: str, taken: Collection[str]) -> bool:
    return any(looks(name) & looks(other) for other in taken)


def looks(name: str) -> set[str]:
    """What a name may be taken for: itself in small letters, and itself in the Latin letters it looks like."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKC", name) if is_seen(letter))
    return {plain.casefold(), plain.translate(LOOK_ALIKES)}


def is_seen(letter: str) -> bool:
    return unicodedata.category(letter) not in ("Cf", "Cc") and not is_selector(letter)


def is_selector(letter: str) -> bool:
    """Whether it only chooses the form of the letter before it."""
    return "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"


def tidy(text: str) -> str:
    """The same text without what cannot be seen or turns others about, with single spaces and few marks on a letter."""
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
    """Whether a joiner has work to do there: emoji of several people, or Persian and Indian letters."""
    if joiner == JOINER and (is_sign(before) or is_selector(before)):
        return bool(after) and is_sign(after)
    is_letter_there = bool(after) and unicodedata.category(after) == "Lo"
    return (
        joiner in (JOINER, NON_JOINER)
        and is_letter_there
        and (unicodedata.combining(before) == 9 or unicodedata.bidirectional(before) == "AL")
    )


def is_sign(letter: str) -> bool:
    """Whether it is a picture, or the colour of one."""
    return unicodedata.category(letter) in ("So", "Sk")
