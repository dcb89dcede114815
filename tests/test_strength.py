"""The pages on strength are what the script writes from the stored results."""

import itertools
from pathlib import Path

import pytest
from strength import who
from strength_pieces import play_less_luck
from strength_report import LADDER, Pairs, pages, read_pieces

from mulligan.game import variants

ROOT = Path(__file__).parents[1]
PAGES = ("strength.md", "strength-tables.md", "study.md", "pictures/strength.svg")


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    return pages(read_pieces())


def test_these_are_all_the_pages(written: dict[str, str]) -> None:
    assert set(written) == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_script_writes(written: dict[str, str], name: str) -> None:
    stored = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert stored == written[name], "run python bench/strength.py --report"


def test_a_pair_is_kept_once_whichever_of_the_two_comes_first() -> None:
    kept = [who(piece) for piece in read_pieces()]
    assert len(kept) == len(set(kept))


@pytest.mark.parametrize("game", variants.games())
def test_every_level_was_measured_to_be_better_than_the_one_below(game: str) -> None:
    played = Pairs(read_pieces(), game)
    for lower, upper in itertools.pairwise(LADDER):
        result = played.over(upper, lower, "strokes")
        assert result is not None
        assert result[0] > result[1]


@pytest.mark.long
def test_the_luck_of_the_cards_can_be_taken_out_of_the_strokes() -> None:
    """The same mean, and much less scatter, so a slow player needs few holes."""
    mine, others, _, _, strokes = play_less_luck(variants.load("play_nine"), ["net", "greedy"], 60, 3, 0).T
    luck = others - mine - strokes
    assert abs(luck.mean()) < 4 * luck.std() / len(luck) ** 0.5
    assert strokes.std() < 0.7 * (others - mine).std()
