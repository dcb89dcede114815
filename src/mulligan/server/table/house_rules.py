"""Finds the game of a request, with its house rules."""

from collections.abc import Mapping

from mulligan.game.rulebook import LANGUAGES
from mulligan.game.variants import OptionError, Variant, for_match, load, names
from mulligan.game.words import Words

from .rights import Refusal


def variant_with(game: str, house_rules: Mapping[str, int | str], language: str = "") -> Variant:
    """Returns a game with house rules. Raises Refusal, whose detail is in the language."""
    if game not in names():
        raise Refusal("no_such_game", game=game[:20], games=names())
    try:
        return for_match(load(game), house_rules)
    except OptionError as error:
        words = Words(language if language in LANGUAGES else "en")
        raise Refusal("bad_house_rules", detail=error.in_words(words)) from None
