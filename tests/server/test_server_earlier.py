"""Games in which players sit that are gone open and go on.

tests/earlier/ holds what commit f8f3f9c wrote, with `book` and `plain_book`: a table, a saved match and a record.
"""

import asyncio
import json
import shutil
from pathlib import Path

from tables import TableDriver

from mulligan.engine.chance import many_dice
from mulligan.game import referee
from mulligan.game.notation import write_choice
from mulligan.game.words import Words
from mulligan.server.bot_processes import BotProcesses
from mulligan.server.table.log_entries import decode
from mulligan.server.table.table import Table
from mulligan.terminal import session

EARLIER = Path(__file__).parents[1] / "earlier"


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
