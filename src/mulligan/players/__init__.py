"""Computer players. Each is one function, `choose(rules, …) -> move`, in a file of its own.

A new player is its file, its name in NAMES, and its line in `choose`. Games tell players apart by
their place in NAMES.
"""

from ..engine.compiled import compiled
from . import book, eye, greedy, levels, linear, patient, plain_book, random, search, threshold

LEVELS = ("beginner", "weekend", "regular", "club", "pro", "search")  # for people to play against, the weakest first
NAMES = ("random", "greedy", "threshold", "patient", *LEVELS[:-1], "plain_book", "book", "linear", "eye", "search")
RANDOM, GREEDY, THRESHOLD, PATIENT, BEGINNER, WEEKEND, REGULAR, CLUB, PRO, *_ = range(len(NAMES))
PLAIN_BOOK, BOOK, LINEAR, EYE, SEARCH = range(PRO + 1, len(NAMES))
LOOKED_UP = {PRO: "book", PLAIN_BOOK: "plain", BOOK: "book", LINEAR: "linear", EYE: "net", SEARCH: "net"}
STAND_IN = "pro"  # plays for people who are away: the strongest that need not be waited for


@compiled
def choose(player, rules, match, state, dice, books):
    """The move of the player of that number, who is on turn.

    `match` is a MATCH, as it stands before this hole; with no players in it, the hole is played by itself.
    `books` is what `shelf.books` found for these rules and this number of seats. Without any, None, players from
    PRO on play as `greedy` does; nothing of theirs is compiled then, which takes minutes.
    """
    if player == RANDOM:
        return random.choose(rules, state, dice)
    if player == THRESHOLD:
        return threshold.choose(rules, state)
    if player == PATIENT:
        return patient.choose(rules, state, dice)
    if BEGINNER <= player < PRO:
        return levels.choose(player - BEGINNER, rules, state)
    if books is not None:
        return choose_with_books(player, rules, match, state, dice, books)
    return greedy.choose(rules, state, dice)


@compiled
def choose_with_books(player, rules, match, state, dice, books):
    if player == PRO:
        return levels.choose_as_pro(rules, state, books)
    if player == PLAIN_BOOK:
        return plain_book.choose(rules, state, books)
    if player == BOOK:
        return book.choose(rules, state, books)
    if player == LINEAR:
        return linear.choose(rules, state, dice, books)
    if player == EYE:
        return eye.choose(rules, state, dice, books)
    if player == SEARCH:
        return search.choose(rules, match, state, dice, books)
    return greedy.choose(rules, state, dice)
