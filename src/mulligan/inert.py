"""Text from outside, made safe to print."""


def inert(text: str, longest: int = 40) -> str:
    """The text cut to a length, without what a terminal would obey or an encoder would refuse."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in cut)
