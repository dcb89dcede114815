"""The worker process that prints score cards: one order per line, one card per line."""

import os

if __name__ == "__main__":  # before the engine is imported: a score card needs no compiled code
    os.environ["MULLIGAN_PLAIN"] = "1"

from base64 import b64encode

from mulligan.scorecard.typeset import TypstMissing, typeset
from mulligan.server.processes import answer_all

from .printing import card_of, read_order

CARDS = 6  # typst keeps much memory per card for a while; a new process prints the next ones

printed = 0


def answer(line: bytes) -> bytes:
    """Returns a card as one line of Base64, or "!" and the error."""
    global printed
    if printed >= CARDS:
        os._exit(0)  # the server then starts another worker
    printed += 1
    try:
        order = read_order(line)
        return b64encode(typeset(card_of(order), order.form))
    except (ValueError, RuntimeError, TypstMissing) as error:  # typst raises RuntimeError
        return b"!" + " ".join(str(error).split()).encode()


if __name__ == "__main__":
    answer_all(answer)
