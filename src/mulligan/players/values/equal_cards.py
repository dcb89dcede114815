"""How likely it is that cards from the bag all have the same face."""

from mulligan.engine.compiled import compiled


@compiled
def chance_of_all(cards, count, size):
    """The probability that so many cards from the bag all have a face that is in it `count` times."""
    chance = 1.0
    for card in range(cards):
        chance *= max(0, count - card) / (size - card)
    return chance
