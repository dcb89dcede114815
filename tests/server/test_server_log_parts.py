"""A log read from the start of a match or hole gives the same table and the same finished matches as the whole log."""

import asyncio
import random
from contextlib import closing, suppress

import postgres
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_state import state_of
from tables import TableDriver, people, wish

from mulligan.server.rooms.registry import Registry, replay
from mulligan.server.services.log_parts import latest, of_match, start_since, version
from mulligan.server.store.opening import open_store
from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.table import finished, shuffles
from mulligan.server.table.log_entries import decode, encode
from mulligan.server.table.rights import Refusal
from mulligan.server.table.table import Table
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

pytestmark = pytest.mark.long

BESIDES = [  # what happens beside the game
    *((kind, {"seat": seat}) for kind in (TakeBack, Leave, Lend, GiveBack, Remove) for seat in range(3)),
    *((Say, {"seat": seat, "phrase": "nice"}) for seat in range(3)),
    *((Chat, {"seat": seat, "text": "well"}) for seat in range(3)),
    *((Sit, {"seat": seat, "name": "Ben"}) for seat in range(3)),
    *((SetOptions, {"options": TableOptions(chat=True, holes=holes)}) for holes in (1, 3)),
    (NewLink, {}),
]


CODE, WATCH = "BCDFGHJKL", "WATCHWXZ"  # as in the log


def keep(store, log):
    """Writes a log as a server does, and returns the store."""
    store.open_table(CODE, WATCH, "play_nine", 0.0, [])
    table = Table()
    for number, entry in enumerate(log, 1):
        table.apply(entry)
        written = store.append(CODE, number, [encode(entry)], start=start_since(table, number - 1))
    written.result(60)
    return store


def whole(log):
    """The table after a whole log, as it was encoded."""
    return Table(decode(encode(entry)) for entry in log)


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


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def kept(request, tmp_path_factory, evening):
    """A store in which nothing changes."""
    with closing(new_store(request, tmp_path_factory)) as store:
        yield keep(store, evening.log)


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, tmp_path_factory, evening):
    with closing(new_store(request, tmp_path_factory)) as store:
        yield keep(store, evening.log)


def new_store(request, folders):
    return open_store(
        folders.mktemp("kept"), postgres.shared_cluster().database() if request.param == "postgres" else ""
    )


@settings(deadline=None, max_examples=20)
@given(game=st.sampled_from(["play_nine", "nine_card"]), seed=st.integers(0, 2**32))
def test_nothing_that_happens_in_a_former_hole_changes_the_table_that_is_read(tmp_path_factory, game, seed):
    dice = random.Random(seed)
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
    with closing(keep(SqliteStore(tmp_path_factory.mktemp("kept")), driver.log)) as store:
        known = latest(store, CODE)
        assert state_of(replay(known)) == state_of(whole(driver.log))


def test_only_the_latest_match_is_read(kept, evening):
    known = latest(kept, CODE)
    assert known.state.match == 5
    assert len(known.entries) < len(evening.log) / 4
    assert state_of(replay(known)) == state_of(whole(evening.log))


def test_a_hole_is_read_without_those_before(tmp_path):
    driver = TableDriver(seats=people(3), holes=9)
    while len(driver.table.card) < 8 or not driver.table.is_playing:
        driver.go_on()
    with closing(keep(SqliteStore(tmp_path), driver.log)) as store:
        known = latest(store, CODE)
        assert len(known.state.card) == 8
        assert decode(known.entries[0]) == driver.table.dealt
        assert state_of(replay(known)) == state_of(whole(driver.log))


@pytest.mark.parametrize("match", range(7))
def test_a_finished_game_is_the_same(kept, evening, match):
    def both(read, *more):
        known = of_match(kept, CODE, match)
        found = read(map(decode, known.entries), *more, known.table())
        assert found == read(evening.log, *more)
        return found

    assert (both(finished.read, match) is not None) == (1 <= match <= 5)
    both(finished.replay, "id", match, 1)
    both(shuffles.read, match)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE starts SET state = substr(state, 2)",
        "UPDATE starts SET version = 'another'",
        "UPDATE starts SET number = number - 1",
        "DELETE FROM starts",
    ],
)
def test_a_start_that_does_not_fit_is_ignored(store, evening, damage):
    store.put([(damage, ())]).result(60)
    known = latest(store, CODE)
    assert known.state is None
    assert state_of(replay(known)) == state_of(whole(evening.log))


def test_a_start_of_another_shape_is_ignored(store, evening):
    start = store.start(CODE, version())
    store.keep_start(CODE, start._replace(state=b'{"event": 1}'), None).result(60)
    assert state_of(replay(latest(store, CODE))) == state_of(whole(evening.log))


def test_a_table_without_a_start_gets_one_when_it_is_entered(store, evening):
    store.put([("DELETE FROM starts", ())]).result(60)

    async def enter():
        registry = Registry(store)
        registry.is_warm.set()
        await registry.live_table(CODE)

    asyncio.run(enter())
    store.touch(CODE).result(60)  # written after it
    known = latest(store, CODE)
    assert known.state.match == 5
    assert state_of(replay(known)) == state_of(whole(evening.log))


def test_a_deleted_table_leaves_no_starts(store):
    start = store.start(CODE, version())
    store.remove(CODE).result(60)
    store.keep_start(CODE, start, None).result(60)  # by someone who read the table before
    assert store.start(CODE, version()) is None


def test_a_compressed_log_is_read_in_slices_too(store, evening):
    store.compress(CODE).result(60)
    assert state_of(replay(latest(store, CODE))) == state_of(whole(evening.log))
    assert of_match(store, CODE, 2).entries == [encode(entry) for entry in evening.log][slice(*bounds(store, 2))]


def bounds(store, match):
    return [store.start(CODE, version(), number).after for number in (match, match + 1)]
