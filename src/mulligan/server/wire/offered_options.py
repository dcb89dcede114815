"""HTTP: the house rules that a game offers, and what a choice of them makes of it."""

from mulligan.game.facts import GameFacts

from .base import Thing


class Choice(Thing):
    """A value of an option: its short name, and the sentence that says how it changes play."""

    value: int | str
    name: str
    sentence: str


class HouseOption(Thing):
    """An option of a game; its first choice is the game's own rule."""

    option: str
    name: str
    rules: list[str]  # the numbers of the rules that it changes
    choices: list[Choice]
    chosen: int | str


class HouseRules(Thing):
    """A game with house rules, in one language. Tables, links and records store `house_rules` alone."""

    game: str
    house_rules: dict[str, int | str]  # what differs from the named game
    text: str  # the same as in links: "jokers=-5,twos=2"
    file: str  # the same as a file for --game
    facts: GameFacts  # with the house rules
    options: list[HouseOption]
    untrained: list[str]  # computer players that play these rules without having learned them
