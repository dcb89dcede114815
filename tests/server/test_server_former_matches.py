"""A log read without the play of former matches gives the same table and the same finished games."""

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_state import state_of
from tables import TableDriver, people, wish

from mulligan.server.table import finished, former_matches, shuffles
from mulligan.server.table.former_matches import present, until_match
from mulligan.server.table.log_entries import Skipped, decode, encode
from mulligan.server.table.rights import Refusal
from mulligan.server.table.table import REMEMBERED, Table
from mulligan.server.wire.commands import (
    Chat,
    GiveBack,
    Leave,
    Lend,
    NewLink,
    Remove,
    Say,
    SetOptions,
    Sit,
    TakeBack,
)
from mulligan.server.wire.tables import TableOptions
from mulligan.server.wire.view import Step

BESIDES = [  # what happens beside the game
    *((kind, {"seat": seat}) for kind in (TakeBack, Leave, Lend, GiveBack, Remove) for seat in range(3)),
    *((Say, {"seat": seat, "phrase": "nice"}) for seat in range(3)),
    *((Chat, {"seat": seat, "text": "well"}) for seat in range(3)),
    *((Sit, {"seat": seat, "name": "Ben"}) for seat in range(3)),
    *((SetOptions, {"options": TableOptions(chat=True, holes=holes)}) for holes in (1, 3)),
    (NewLink, {}),
]


def log_of(driver):
    return [encode(entry) for entry in driver.log]


def play_matches(driver, count):
    """Plays to the end of match number `count`."""
    for number in range(1, count + 1):
        while driver.table.phase != "over" or driver.table.match < number:
            driver.go_on()


@pytest.fixture(scope="module")
def evening():
    """A log of five short matches."""
    driver = TableDriver(seats=people(3), holes=1)
    play_matches(driver, 5)
    return driver


@settings(deadline=None, max_examples=20)
@given(game=st.sampled_from(["play_nine", "nine_card"]), seed=st.integers(0, 2**32))
def test_nothing_that_happens_in_a_former_match_changes_the_table_that_is_read(game, seed):
    dice = random.Random(seed)
    shown = dice.choice([0, 30])
    driver = TableDriver(game, [wish("me", "Ann"), wish("friend"), wish("computer", "Rob", "greedy")], seed, holes=1)
    driver.do(Sit, "ben", seat=1, name="Ben")
    for _ in range(1500):
        with suppress(Refusal):
            if dice.random() < 0.95:
                driver.go_on()
            else:
                kind, fields = dice.choice(BESIDES)
                driver.do(kind, dice.choice(["ann", "ben", "cyd"]), **fields)
        if driver.table.match == 4:
            break
    log = log_of(driver)
    whole, brief = Table(map(decode, log)), Table(present(log, shown))
    at_least = min(shown, len(whole.happened))
    assert [*brief.happened][-at_least:] == [*whole.happened][-at_least:] or not shown
    whole.happened.clear()
    brief.happened.clear()
    assert state_of(brief) == state_of(whole)


def test_a_client_that_returns_is_told_as_much_as_ever(evening):
    log = log_of(evening)
    assert state_of(Table(present(log, REMEMBERED))) == state_of(Table(map(decode, log)))


def test_the_play_of_former_matches_is_not_decoded(evening):
    log = log_of(evening)
    skipped = sum(isinstance(entry, Skipped) for entry in present(log, 0))
    steps = sum(entry.startswith(b'{"is":"Step"') for entry in log)
    latest = sum(entry.startswith(b'{"is":"Step"') for entry in log[-(len(log) // 5) :])
    assert steps - latest * 2 < skipped
    assert not any(isinstance(entry, Skipped) for entry in present(log, len(log)))
    assert not any(isinstance(entry, Step) for entry in until_match(log, 99))


@pytest.mark.parametrize("match", range(7))
def test_a_finished_game_is_the_same(evening, match):
    log = log_of(evening)

    def both(read, *more):
        assert read(until_match(log, match), *more) == read(map(decode, log), *more)

    both(finished.read, match)
    both(finished.replay, "id", match, 1)
    both(shuffles.read, match)


def test_every_kind_of_entry_begins_as_expected(evening):
    for entry in evening.log:
        (start,) = former_matches.starts_of(type(entry))
        assert encode(entry).startswith(start)
