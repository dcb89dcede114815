"""Makes foreign text safe to print, and writes our texts with the characters a terminal has."""

import codecs
import unicodedata

NEAREST_ASCII = "mulligan.to_nearest_ascii"  # error handler for characters missing in an encoding
PLAIN = str.maketrans("−–’‘“”„«»…·→←", '--\'\'""""".-><')


def printable(text: str, longest: int = 40) -> str:
    """Returns the text cut to a length, without control characters and characters that cannot be encoded."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(letter if is_seen(letter) else "\N{REPLACEMENT CHARACTER}" for letter in cut)


def is_seen(letter: str) -> bool:
    """Returns whether a character can be printed; no-break spaces can."""
    return letter.isprintable() or unicodedata.category(letter) == "Zs"


def to_nearest_ascii(error: UnicodeError) -> tuple[str, int]:
    """Replaces a character by the nearest ASCII: a hyphen for a minus sign, a letter without its accent, or `?`.

    Raises the error itself where it is one of decoding.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end].translate(PLAIN)
    return "".join(nearest(letter) for letter in letters), error.end


def nearest(letter: str) -> str:
    return unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"


codecs.register_error(NEAREST_ASCII, to_nearest_ascii)
