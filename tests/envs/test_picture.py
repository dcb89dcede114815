"""A table is shown in characters and as a picture."""

import sys

import numpy as np
import pytest

from mulligan.engine.state import Phase
from mulligan.envs import picture
from mulligan.envs.learning_table import Table
from mulligan.envs.setup import Setup


def play(table: Table, seed: int, moves: int) -> None:
    chance = np.random.default_rng(seed)
    table.reset(seed)
    for _ in range(moves):
        if table.match.playing_off:
            break
        moved = table.step(chance.choice(np.flatnonzero(table.observe(table.player)[1])))
        if moved.terminated or moved.truncated:
            break


def test_the_text_shows_layouts_piles_and_who_is_on_turn():
    table = Table(Setup("nine_card", seats=3))
    play(table, 1, 20)
    lines = picture.text(table).splitlines()
    assert lines[0].startswith("Nine-card golf · turn ")
    assert f"▶ player_{table.player}" in lines[2]
    assert lines[3].count("Total 0") == 3
    assert "Dealer" in lines[3]
    assert all(len(line.split()) == 9 for line in lines[4:7])
    assert "Stock (" in lines[8]
    assert max(map(len, lines)) <= 100


def test_the_text_tells_who_closed_and_the_hole_of_a_match():
    table = Table(Setup("six_card"))
    play(table, 1, 10_000)
    assert table.state.phase == Phase.OVER
    assert "· Closed" in picture.text(table)
    match = Table(Setup("six_card", whole_match=True))
    play(match, 1, 200)
    assert f"hole {int(match.match.holes) + 1} · turn" in picture.text(match)


@pytest.mark.parametrize(
    ("game", "seats"), [("play_nine", 2), ("nine_card", 4), ("six_card", 8), ("four_card", 3), ("twelve_card", 2)]
)
def test_the_picture_keeps_its_size_and_changes_with_each_move(game, seats):
    table = Table(Setup(game, seats=seats))
    play(table, 2, 0)
    before = picture.draw(table)
    assert before.dtype == np.uint8
    assert before.shape[2] == 3
    for moves in (5, 10_000):
        play(table, 2, moves)
        now = picture.draw(table)
        assert now.shape == before.shape
        assert (now != before).any()
        before = now


def test_a_player_who_is_not_in_the_play_off_has_no_cards():
    table = Table(Setup("play_nine", ["random", "random"], whole_match=True))
    for seed in range(1000):
        play(table, seed, 600)
        if table.match.playing_off and not table.match.over:
            break
    (away,) = {0, 1, 2} - {*table.seated}
    assert "hole 10, a play-off" in picture.text(table)
    assert f"player_{away}" not in picture.text(table)
    assert picture.draw(table).ndim == 3


def test_without_pillow_one_sentence_says_how_to_get_it(monkeypatch):
    table = Table(Setup("play_nine"))
    table.reset(1)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(
        ImportError, match=r"This needs Pillow; install it with: pip install '.\[envs\]' in a clone of Mulligan"
    ):
        picture.draw(table)
