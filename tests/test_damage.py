"""A record damaged in one place is refused, or is itself a game by the rules: two referees agree."""

from copy import deepcopy
from functools import cache
from random import Random

import independent
import minis
import pytest
from damage import WAYS, damage, damage_again
from hypothesis import given
from hypothesis import strategies as st

from mulligan import simulation
from mulligan.game import referee

TABLES = [(game, seats) for game in ("mini_columns", "mini_rows") for seats in (2, 3)]
TABLES += [("play_nine", 2), ("play_nine", 3), ("nine_card", 2), ("nine_card", 3)]
PLAYERS = (["random"], ["greedy", "random"])


@cache
def some_records(game: str, seats: int, players: int, seed: int) -> list[dict]:
    return list(simulation.records(minis.load(game), seats, PLAYERS[players], seed, 8))


def both_judge(record: dict, game: str) -> tuple[independent.Wrong | None, referee.Fault | None]:
    wrong, fault = None, None
    try:
        independent.judge(record, minis.RULES)
    except independent.Wrong as found:
        wrong = found
    try:
        referee.replay(record, minis.load(game))
    except referee.Fault as found:
        fault = found
    return wrong, fault


def must_agree(record: dict, game: str) -> bool:
    """Whether the record stands; both referees say the same, of the same place, in one short sentence."""
    wrong, fault = both_judge(record, game)
    assert (wrong is None) == (fault is None), f"{wrong} against {fault}"
    if wrong is None or fault is None:
        return True
    sentence = str(fault)
    if wrong.move:
        assert sentence.startswith(f"hole {wrong.hole}, move {wrong.move} ("), f"{wrong} against {fault}"
    elif wrong.hole:
        places = (f"hole {wrong.hole}, ", f"hole {wrong.hole}: ", "hole 1, dealer")
        assert sentence.startswith(places), f"{wrong} against {fault}"
    must_be_a_sentence(sentence)
    return False


def must_be_a_sentence(text: str) -> None:
    """One line that any terminal can print, and not a long one."""
    assert text.encode()
    assert text.replace("\u00a0", " ").isprintable()
    assert text.endswith(".")
    assert len(text) < 400


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), TABLES)
@given(seed=st.integers(0, 2**32))
def test_both_referees_agree_on_damaged_records(game, seats, seed):
    rng = Random(seed)
    record = rng.choice(some_records(game, seats, rng.randrange(2), rng.randrange(4)))
    assert must_agree(record, game)
    for _ in range(3):
        must_agree(damage(record, rng), game)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_each_way_of_damage_is_tried_on_its_own(way):
    rng = Random(way.__name__)
    for game, seats in TABLES[:4]:
        for record in some_records(game, seats, 0, 5)[:6]:
            record = deepcopy(record)
            way(record, rng)
            must_agree(record, game)


@given(seed=st.integers(0, 2**32))
def test_both_agree_on_twice_damaged_records(seed):
    rng = Random(seed)
    game, seats = rng.choice(TABLES[:4])
    record = rng.choice(some_records(game, seats, 0, rng.randrange(4)))
    must_agree(damage_again(damage(record, rng), rng), game)


def test_some_damage_is_harmless_and_most_is_not():
    """Else the tests above would try one side alone."""
    rng = Random(1)
    record = some_records("mini_columns", 2, 0, 0)[0]
    stands = [must_agree(damage(record, rng), "mini_columns") for _ in range(400)]
    assert 10 < sum(stands) < 200
