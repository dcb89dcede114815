"""The codes that identify tables in links."""

LETTERS = "BCDFGHJKLMNPQRSTVWXZ23456789"  # no vowels, so no words; no characters that look alike
CODE_LENGTH, WATCH_LENGTH = 9, 8  # different lengths, so that a code shows its kind
ROUTE = 3  # letters that all links of a table share; a proxy chooses the server process by them


def is_code(text: str, *lengths: int) -> bool:
    return len(text) in lengths and all(letter in LETTERS for letter in text)


def code_of_seed(seed: bytes) -> str:
    """Returns a code for players, made from random bytes."""
    number, letters = int.from_bytes(seed), ""
    while len(letters) < CODE_LENGTH:
        number, letter = divmod(number, len(LETTERS))
        letters += LETTERS[letter]
    return letters
