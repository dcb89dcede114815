"""Games of trial servers open and go on, also those with players that are gone.

tests/earlier/ holds what commit f8f3f9c wrote, with `book` and `plain_book`: a table, a saved match and a record. In
games.sql is a database in which the store of commit b6fe89c kept that table, with a part of its log compressed.
"""

import asyncio
import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tables import TableDriver

from mulligan.engine.chance import many_dice
from mulligan.game import referee
from mulligan.game.notation import write_choice
from mulligan.game.words import Words
from mulligan.server.bot_processes import BotProcesses
from mulligan.server.store import moving
from mulligan.server.store.backup import back_up
from mulligan.server.store.folder import FILE
from mulligan.server.store.opening import open_to_move
from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.table.log_entries import decode
from mulligan.server.table.table import Table
from mulligan.terminal import session

EARLIER = Path(__file__).parents[1] / "earlier"


@pytest.fixture
def games(tmp_path):
    """A folder with that database."""
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.executescript((EARLIER / "games.sql").read_text(encoding="utf-8"))
    return tmp_path


def test_a_database_is_brought_up_to_date_used_and_copied(games, tmp_path):
    log = (EARLIER / "table.jsonl").read_bytes().splitlines()
    code = decode(log[0]).table
    with closing(SqliteStore(games)) as store:
        assert store.entries(code) == log
        store.append(code, len(log) + 1, [b"{}"]).result(10)
        store.compress(code).result(10)
        assert store.entries(code) == [*log, b"{}"]
    assert [copy.name for copy in games.glob(f"{FILE}.v*")] == [f"{FILE}.v11"]
    assert back_up(games, tmp_path / "copy.sqlite").tables == 1
    with closing(open_to_move(str(games))) as old, closing(open_to_move(str(tmp_path / "new"), is_new=True)) as new:
        assert moving.move(old, new, list, lambda *_: None).entries == len(log) + 1


def test_a_database_is_built_like_a_new_one(games, tmp_path):
    SqliteStore(games).close()
    SqliteStore(tmp_path / "new").close()
    assert built(games / FILE) == built(tmp_path / "new" / FILE)


def built(file):
    """How the tables and indices of a database were made, without comments and spaces."""
    with closing(sqlite3.connect(file)) as connection:
        found = connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master").fetchall()
    return {(*names, "".join(re.sub("--.*", "", made).split())) for *names, made in found}


def test_a_table_goes_on_with_players_that_are_here():
    driver = TableDriver()
    driver.log = [decode(line) for line in (EARLIER / "table.jsonl").read_bytes().splitlines()]
    driver.table = table = Table(driver.log)
    thinkers, dice, asked = BotProcesses(), many_dice(1, 1)[0], set()

    async def play_on() -> None:
        while table.is_playing:
            move = ""
            if player := table.computer_on_turn:
                asked.add(player)
                match, state = table.score.copy(), table.playing.state.copy()
                move = write_choice(table.variant, await thinkers.think(player, table.rules, match, state, dice))
            driver.move(move)
        await thinkers.close()

    asyncio.run(play_on())
    assert asked == {"book", "plain_book"}
    assert thinkers.processes.idle == []  # the players that play for them are quick, and need no process of their own
    assert len(table.card) == 1


def test_a_saved_match_goes_on_with_players_that_are_here(tmp_path, monkeypatch):
    monkeypatch.setenv("MULLIGAN_DATA", str(tmp_path))
    (tmp_path / "unfinished").mkdir()
    shutil.copy(EARLIER / "unfinished.json", tmp_path / "unfinished")
    match = session.go_on(Words("en"))
    assert [seat.player for seat in match.seats] == ["", "net", "pro"]
    assert len(match.hole.steps) > 7, "a turn of each of them was played"
    while not match.hole.is_over:
        if match.on_turn().is_person:
            match.play(match.hole.legal_moves()[0])
        else:
            match.play_computer()
    match.finish_hole()
    assert len(match.finished) == 1


def test_a_record_is_still_a_record():
    with (EARLIER / "record.jsonl").open("rb") as opened:
        ((_, record),) = referee.read_records(opened)
    assert record["kinds"] == ["book", "plain_book"]
    assert referee.replay(record).totals == json.loads((EARLIER / "record.jsonl").read_text())["totals"] == [1, 3]
