"""Files of older versions: they are brought up to date whole or not at all, and their games go on."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from tables import Evening

from mulligan import referee, variants
from mulligan.server import finished, store
from mulligan.server.commands import do, happen
from mulligan.server.entries import Opened, decode, encode
from mulligan.server.messages import FillSeat, NextHole, Play, Rematch, Start
from mulligan.server.play import step
from mulligan.server.rights import Asker
from mulligan.server.store import FILE, MIGRATIONS, Store, StoreError
from mulligan.server.table import Table
from mulligan.server.view import view

DATA = Path(__file__).parents[1] / "data"
SHOWN = json.loads((DATA / "games_v1.json").read_text(encoding="utf-8"))
ANN = "a1" * 4  # owns every table of that file


@pytest.fixture
def folder(tmp_path):
    shutil.copy(DATA / "games_v1.sqlite", tmp_path / FILE)
    return tmp_path


@pytest.fixture
def old(folder):
    store = Store(folder)
    yield store
    store.close()


def rows(file, statement):
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(statement).fetchall()


def version(file):
    return rows(file, "PRAGMA user_version")[0][0]


def holds(new, old):
    """Whether everything the older version said is still said; newer versions may say more."""
    if isinstance(old, dict):
        return isinstance(new, dict) and all(key in new and holds(new[key], old[key]) for key in old)
    if isinstance(old, list):
        return isinstance(new, list) and len(new) == len(old) and all(map(holds, new, old))
    return new == old


def plain(thing):
    return json.loads(msgspec.json.encode(thing))


def test_an_older_file_is_brought_up_to_date_and_kept_as_it_was(folder, old):
    assert version(folder / FILE) == len(MIGRATIONS)
    assert version(folder / f"{FILE}.v1") == 1
    entries = "SELECT code, number, entry FROM entries ORDER BY 1, 2"
    assert (
        rows(folder / f"{FILE}.v1", entries) == rows(DATA / "games_v1.sqlite", entries) == rows(folder / FILE, entries)
    )
    assert all(opened == touched for opened, touched in rows(folder / FILE, "SELECT opened, touched FROM tables"))
    assert old.untouched(1_790_000_000.0 + 3600.5) == ["222222", "333333"]
    assert old.frequencies() == []


@pytest.mark.parametrize("code", SHOWN)
def test_a_table_is_shown_as_the_older_version_showed_it(old, code):
    shown = SHOWN[code]
    log = [decode(entry) for entry in old.entries(code)]
    table = Table(log)
    assert holds(plain(view(table)), shown["view"])
    assert {guest: table.held_by(guest) for guest in shown["held"]} == shown["held"]
    assert plain(list(table.talk)) == shown["talk"]
    assert table.event == shown["event"]
    for match, (game, record) in enumerate(shown["records"].items(), 1):
        again = finished.read(log, match)[1]
        assert holds(again, record)
        assert referee.replay(again).totals == record["totals"]
        replay = finished.replay(log, game, match, 9)
        assert len(replay.frames) == shown["last_holes"][game]["frames"]
        assert holds(plain(replay.frames[-1].view), shown["last_holes"][game]["view"])


@pytest.mark.parametrize("code", SHOWN)
def test_a_game_of_an_older_version_goes_on_to_its_end_and_then_a_new_one_begins(old, code):
    evening = OldEvening([decode(entry) for entry in old.entries(code)])
    matches = len(evening.table.finished)
    evening.play_to_the_end(matches + 1)
    evening.do(Rematch)
    evening.play_to_the_end(matches + 2)
    log = [decode(encode(entry)) for entry in evening.log]
    assert view(Table(log)) == view(evening.table)
    for match in (matches + 1, matches + 2):
        record = finished.read(log, match)[1]
        assert referee.replay(json.loads(json.dumps(record))).totals == record["totals"]


class OldEvening(Evening):
    """A table of the file; whoever's turn it is plays, and open seats are filled."""

    def __init__(self, log):
        super().__init__()
        self.log, self.table = list(log), Table(log)
        self.present = {ANN}

    def do(self, kind, guest=ANN, **fields):
        self.commands += 1
        command = kind(id=f"later {self.commands}", **fields)
        self.log += do(self.table, Asker(guest, self.present, self.seed, self.now), command)

    def play_to_the_end(self, matches):
        while len(self.table.finished) < matches:
            table = self.table
            if table.phase == "lobby":
                self.do(FillSeat, seat=2, player="greedy")
                self.do(Start)
            elif table.phase in ("draw", "reckoning"):
                self.do(NextHole)
            elif table.computer_on_turn:
                move = table.read_move(self.choose())
                self.log += happen(table, step(table, move, self.seed))
            else:
                self.do(Play, table.seats[table.turn].guest, seat=table.turn, move=self.choose())

    def choose(self):
        """Places on slots that still lie face down, so that holes are short."""
        layout = view(self.table).seats[self.table.turn].layout
        slots = [slot for slot in self.table.legal() if slot not in "SD-."]
        hidden = [slot for slot in slots if layout[self.table.read_move(slot)] is None]
        return self.dice.choice(hidden or self.table.legal())


def test_a_table_keeps_the_rules_it_was_opened_under():
    evening = Evening("nine_card", seed=3)
    text = variants.load("nine_card").text
    harder = text.replace("closer_penalty = 5", "closer_penalty = 50")
    assert harder != text
    opened = evening.log[0]
    assert isinstance(opened, Opened)
    harder_log = [msgspec.structs.replace(opened, rules=harder), *evening.log[1:]]
    assert Table(harder_log).rules.closer_penalty == 50
    assert Table([decode(encode(entry)) for entry in harder_log]).rules.closer_penalty == 50
    assert Table(evening.log).rules.closer_penalty == 5


# Interrupted

KILLED = """
import os, signal, sys
from pathlib import Path
from mulligan.server import store

left = int(sys.argv[2])
connect = store.connect

def watched(path):
    connection = connect(path)
    connection.set_trace_callback(count)
    return connection

def count(statement):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

store.connect = watched
store.Store(Path(sys.argv[1])).close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed that way there")
def test_a_migration_killed_at_any_statement_leaves_a_file_that_can_be_used(tmp_path):
    entries = "SELECT code, number, entry FROM entries ORDER BY 1, 2"
    whole = rows(DATA / "games_v1.sqlite", entries)
    seen = set()
    for statement in range(1, 40):
        folder = tmp_path / str(statement)
        folder.mkdir()
        shutil.copy(DATA / "games_v1.sqlite", folder / FILE)
        done = subprocess.run([sys.executable, "-c", KILLED, str(folder), str(statement)], check=False, timeout=60)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
        seen.add(version(folder / FILE))
        assert rows(folder / FILE, entries) == whole
        Store(folder).close()
        assert version(folder / FILE) == len(MIGRATIONS)
        assert rows(folder / FILE, entries) == whole
        assert not list(folder.glob("*.part"))
    assert statement > 8, "the killing came too late"
    assert seen >= {1}


def test_a_step_that_fails_takes_the_whole_step_back(folder, monkeypatch):
    monkeypatch.setattr(store, "MIGRATIONS", (*MIGRATIONS, "CREATE TABLE more (a); INSERT INTO nowhere VALUES (1);"))
    with pytest.raises(StoreError, match=r"cannot be opened \(no such table: nowhere\)\.$"):
        Store(folder)
    assert version(folder / FILE) == len(MIGRATIONS)
    assert rows(folder / FILE, "SELECT name FROM sqlite_master WHERE name = 'more'") == []
    monkeypatch.undo()
    Store(folder).close()  # and the folder is free again


def test_a_newer_file_is_refused_in_one_sentence_and_not_touched(folder):
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = (folder / FILE).read_bytes()
    for _ in range(2):  # the folder is not held by who could not use it
        with pytest.raises(StoreError, match=r"newer Mulligan; install that one, or name another folder\.$"):
            Store(folder)
    assert (folder / FILE).read_bytes()[100:] == before[100:]
    assert version(folder / FILE) == 99
