"""HTTP: the data to verify that shuffles were fair."""

from mulligan.game.facts import GameFacts

from .base import Thing


class SeedGiven(Thing):
    seat: int
    seed: str


class CardSeen(Thing):
    """A card of the pack when it was revealed; `place` is "layout", "discard", "stock", "stock 1", "draw 1"…"""

    place: str
    face: str
    seat: int | None = None
    slot: str = ""  # only for `place` "layout"


class Shuffle(Thing):
    """One shuffle of the whole pack: its commitment and seeds, and once the hole is over its revealed cards."""

    hole: int  # 0 for the draw for the deal (2.1)
    commitment: str
    seeds: list[SeedGiven]
    seed: str | None = None  # null until the hole is over
    seats: list[int] = []  # the players in dealing order
    cards: list[CardSeen] = []  # in the order they were revealed
    renewed: list[list[str]] = []  # the cards in each new stock before it was shuffled (2.6), sorted by face
    without_seed: list[int] = []  # seats of present players whose devices added no seed in time


class ShuffleBook(Thing):
    """All shuffles of a match so far."""

    id: str
    game: str
    names: list[str]
    finished: bool  # True if the match is finished and has a record
    shuffles: list[Shuffle]
    length: int  # number of holes in the match, without play-off holes
    facts: GameFacts | None = None  # with house rules; null for a named game


class CardCount(Thing):
    """How often a face was dealt; `deviation` is the standard deviation for a fair shuffle."""

    face: str
    dealt: int
    expected: float
    deviation: float


class Frequency(Thing):
    """The counts of cards dealt to layouts and as first discards, over all holes of a game with revealed seeds."""

    game: str
    holes: int
    cards: list[CardCount]
