"""Writes tables in the middle of a match into the server's file, for a restart to read."""

import random
import secrets
import time
from pathlib import Path

from load_crowd import Crowd, Four

from mulligan.game.variants import load
from mulligan.server.rooms.registry import CODE_LENGTH, LETTERS, WATCH_LENGTH
from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.table.commands import do
from mulligan.server.table.log_entries import Entry, Opened, encode
from mulligan.server.table.match_flow import seal
from mulligan.server.table.rights import Asker
from mulligan.server.table.table import Table, match_id
from mulligan.server.web.accounts import COOKIE, name_of
from mulligan.server.wire.commands import NextHole, Play, Sit, Start
from mulligan.server.wire.tables import SeatRequest, TableOptions

HOLES = 5  # the one they are playing


def write_past(crowd: Crowd, folder: Path) -> int:
    """Plays every table of the crowd to its fifth hole. Returns the number of entries in all logs."""
    store = SqliteStore(folder)
    entries = 0
    for four in crowd.tables:
        log = play_on(four)
        entries += len(log)
        opened = log[0]
        assert isinstance(opened, Opened)
        four.code = opened.table
        store.open_table(
            opened.table, opened.watch, opened.game, time.time(), [encode(entry) for entry in log]
        ).result()
    store.close()
    return entries


def play_on(four: Four) -> list[Entry]:
    """The log of such a table."""
    guests = [name_of(player.cookie.removeprefix(f"{COOKIE}=")) for player in four.players]
    seats = [SeatRequest("me", "Player 1")] + [SeatRequest("friend")] * 3
    code, watch = ("".join(random.choices(LETTERS, k=length)) for length in (CODE_LENGTH, WATCH_LENGTH))
    rules = load("play_nine").text
    opened = Opened(code, watch, "play_nine", guests[0], seats, TableOptions(pace="normal"), rules)
    log: list[Entry] = [opened, *seal(match_id(watch, 1), 0, new_seed)]
    table = Table(log)
    askers = [Asker(guest, set(guests), new_seed, time.time()) for guest in guests]
    for seat in range(1, 4):
        log += do(table, askers[seat], Sit(f"sit {seat}", seat, f"Player {seat + 1}"))
    log += do(table, askers[0], Start("start"))
    turns = 0
    while len(table.card) < HOLES - 1 or turns < 40:
        number = f"move {table.event}"
        if table.turn is None:
            for seat, asker in enumerate(askers):  # the cards are dealt once all are ready
                if table.turn is None:
                    log += do(table, asker, NextHole(f"{number} {seat}"))
            turns = 0
        else:
            log += do(table, askers[table.turn], Play(number, table.turn, random.choice(table.legal())))
            turns += 1
    return log


def new_seed() -> bytes:
    return secrets.token_bytes(32)
