"""On a narrow terminal nothing is cut: piles and sentences are wrapped, in every game and language."""

import io
from functools import cache

import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from mulligan.engine.chance import many_dice
from mulligan.engine.state import HIDDEN
from mulligan.game import variants
from mulligan.game.hole import Game, Hole
from mulligan.game.rulebook import LANGUAGES
from mulligan.game.score_parts import explain_hole
from mulligan.game.score_words import tell_parts
from mulligan.game.words import Words
from mulligan.players.roster import PLAYERS
from mulligan.terminal.history import tell
from mulligan.terminal.score_tables import heading, score_card, show_hole_result
from mulligan.terminal.screen import Screen
from mulligan.terminal.table_view import Table, draw_table
from mulligan.terminal.typed_moves import question
from mulligan.terminal.wrapping import wrap

NAMES = ["Ann", "Grandmother Hildegard", "花子おばあちゃん"]
WIDTHS = list(range(30, 81, tries(6, 1)))
SOME = WIDTHS[::4]  # the narrowest, of course
few_and_many = pytest.mark.parametrize(
    "widths", [pytest.param(SOME, id="some"), pytest.param([*{*WIDTHS} - {*SOME}], id="others", marks=pytest.mark.long)]
)


class Paper(Screen):
    """A screen that keeps what is printed."""

    def __init__(self, words: Words, width: int) -> None:
        super().__init__(words)
        self.console = Console(width=width, height=25, force_terminal=True, color_system=None, file=io.StringIO())

    @property
    def printed(self) -> str:
        assert isinstance(self.console.file, io.StringIO)
        return self.console.file.getvalue()


def match_of(game: str) -> Game:
    variant = variants.load(game)
    match = Game(variants.for_seats(variant, 3), NAMES, 0)
    match.deal()
    return match


@cache
def hole_of(game: str, ends: bool) -> Hole:
    """A hole with a card in hand, or played to its end."""
    dice, hole = many_dice(3, 1)[0], match_of(game).hole
    assert hole is not None
    while not hole.is_over and (ends or len(hole.steps) < 20 or hole.sight.held == HIDDEN or hole.awaits_card):
        if hole.awaits_card:
            hole.draw_card(dice)
        else:
            hole.play(int(PLAYERS["greedy"].choose(hole.variant.rules, None, hole.state, dice, None)))
    return hole


def is_whole(sentence: str, shown: str, language: str) -> bool:
    """Whether all words of a sentence are there in order; Japanese may be broken between two letters."""
    at = 0
    for piece in "".join(sentence.split()) if language == "ja" else sentence.split(" "):
        at = shown.find(piece, at) + 1
        if not at:
            return False
    return True


@few_and_many
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", variants.games())
def test_the_table_has_every_sentence_and_pile_whole(game: str, language: str, widths: list[int]) -> None:
    hole, words = hole_of(game, ends=False), Words(language)
    for width in widths:
        page = Paper(words, width)
        events = tell(words, hole, NAMES)[-4:]
        table = Table(hole.variant, hole.state, NAMES, [-12, 130, 0], heading(words, hole.variant, 0), 0, events)
        drawn = draw_table(table, page, 2)
        assert max(line.cell_len for line in drawn) <= width
        assert not any(line.plain.split("  ")[-1].startswith("[") for line in drawn), "a card without its pile"
        page.draw(drawn)
        page.show(Text(question(words, hole, NAMES[1]), "bold"))
        assert max(map(cell_len, page.printed.splitlines())) <= width
        said = [event.words for event in events] + [words(pile) for pile in ("table_stock", "table_discard")]
        assert [sentence for sentence in said if not is_whole(sentence, page.printed, language)] == [], width


@few_and_many
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", variants.games())
def test_the_score_is_told_in_whole_sentences(game: str, language: str, widths: list[int]) -> None:
    hole, words, match = hole_of(game, ends=True), Words(language), match_of(game)
    match.hole = hole
    parts = tell_parts(words, hole.variant, hole.state.players[0].layout, explain_hole(hole.variant, hole.state, 0), [])
    for width in widths:
        page = Paper(words, width)
        show_hole_result(page, "hole", hole, NAMES, [-12, 130, 0])
        page.show(*score_card(match, page))
        assert max(map(cell_len, page.printed.splitlines())) <= width
        assert [
            text for part, text in parts if part.rule != "5.6" and not is_whole(text, page.printed, language)
        ] == [], width


@given(st.text("ab -–「」、。カードを引く\u00a0", max_size=60), st.integers(4, 30))
def test_lines_lose_no_letter_and_are_no_wider(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert max(map(cell_len, lines)) <= width
    assert "".join("".join(lines).split(" ")) == "".join(text.split(" "))
