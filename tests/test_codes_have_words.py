"""Every code that the server tells has its words: they are found by the code alone."""

import re
from pathlib import Path

from translations import WEB, messages, reasons

from mulligan.coach.reasons import Why
from mulligan.game import referee
from mulligan.game.rulebook import LANGUAGES
from mulligan.players.roster import LEVELS
from mulligan.server.wire.base import PHRASES, REACTIONS


def test_every_fault_of_a_game_with_real_cards_has_its_words() -> None:
    """Those the browser cannot bring about are said in general."""
    said = messages("en").keys()
    source = {
        name: Path(referee.__file__).with_name(f"{name}.py").read_text() for name in ("position", "objections", "draft")
    }
    faults = set(re.findall(r'fault\("([a-z_]+)"', source["position"]))
    assert len(faults) > 10
    never = {"player_count", "no_player", "one_in_hand"}  # the page has so many layouts, and one card in hand
    assert {key for key in faults if f"cardboard_table_{key}" not in said} == never
    refusals = set(re.findall(r'Objection\("([a-z_]+)"', source["objections"]))
    refusals |= set(re.findall(r'Wrong\(number, .*, "([a-z_]+)", \{\}\)', source["draft"]))
    assert len(refusals) > 15
    missing = {key for key in refusals if f"cardboard_wrong_{key}" not in said}
    assert missing == {"card_awaited", "pass_shows"}  # nothing that is written can be that


def test_every_reason_of_the_coach_has_its_words() -> None:
    given = {why.name.lower() for why in Why} - {"none"}
    assert len(given) > 30
    assert given <= reasons()
    assert all({f"coach_why_{key}" for key in reasons()} <= messages(language).keys() for language in LANGUAGES)


def test_every_level_phrase_and_reaction_has_its_words() -> None:
    wanted = {f"player{what}_{level}" for what in ("", "_skill", "_how") for level in LEVELS}
    wanted |= {f"table_say_{phrase}" for phrase in PHRASES} | {f"table_react_{reaction}" for reaction in REACTIONS}
    for language in LANGUAGES:
        assert wanted - messages(language).keys() == set(), language


def test_the_guide_names_every_level() -> None:
    guide = (WEB.parent / "docs/guide.md").read_text(encoding="utf-8")
    assert [level for level in LEVELS if f"`{level}`" not in guide] == []
