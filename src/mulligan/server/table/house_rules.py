"""Finds the game of a request, with its house rules."""

from collections.abc import Callable, Mapping

from mulligan.game import house_rules as rules
from mulligan.game.rulebook import LANGUAGES
from mulligan.game.variants import OptionError, Variant, as_entered, for_match, games, load
from mulligan.game.words import Words

from .rights import Refusal

Reading = Callable[[Variant, Mapping[str, int | str]], Variant]


def variant_entered(game: str, house_rules: Mapping[str, int | str], language: str = "") -> Variant:
    """Returns a game with house rules that someone chooses now. Raises Refusal, whose detail is in the language."""
    return variant_with(game, house_rules, language, as_entered)


def variant_with(
    game: str, house_rules: Mapping[str, int | str], language: str = "", reading: Reading = for_match
) -> Variant:
    """Returns a game with house rules. Raises Refusal, whose detail is in the language."""
    if game not in games():
        raise Refusal("no_such_game", game=game[:20], games=games())
    try:
        return reading(load(game), house_rules)
    except OptionError as error:
        raise Refusal("bad_house_rules", detail=error.in_words(words_in(language))) from None


def variant_written(game: str, chosen: str, language: str = "", reading: Reading = for_match) -> Variant:
    """Returns a game with house rules as links write them: `jokers=-5,twos=2`. Raises Refusal."""
    try:
        wanted = rules.read([chosen] if chosen else [])
    except rules.FormError as error:
        raise Refusal("bad_house_rules", detail=error.in_words(words_in(language))) from None
    return variant_with(game, wanted, language, reading)


def words_in(language: str) -> Words:
    return Words(language if language in LANGUAGES else "en")
