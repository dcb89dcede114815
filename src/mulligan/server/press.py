"""The process that prints score cards: an order a line, a card a line."""

import os

if __name__ == "__main__":  # before the engine is imported: the few sums of a card need no compiling
    os.environ["MULLIGAN_PLAIN"] = "1"

from base64 import b64encode

from ..scorecard.press import NoPressError, press
from .printing import card_of, read_order
from .processes import answer_all

CARDS = 6  # typst remembers some 50 MB of each for a while; the next is printed by a fresh process

printed = 0


def answer(line: bytes) -> bytes:
    """A card as one line of text, or why there is none after a mark."""
    global printed
    if printed >= CARDS:
        os._exit(0)  # whoever asked finds nobody there, and starts another
    printed += 1
    try:
        order = read_order(line)
        return b64encode(press(card_of(order), order.form))
    except (ValueError, RuntimeError, NoPressError) as error:  # RuntimeError: what typst raises
        return b"!" + " ".join(str(error).split()).encode()


if __name__ == "__main__":
    answer_all(answer)
