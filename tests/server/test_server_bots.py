"""Computer players that think long: in processes of their own, so that nobody else has to wait."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from served import COMPUTER, HERE, ME, PATIENCE, Browser, served

from mulligan.engine.chance import many_dice
from mulligan.game.hole import Game
from mulligan.game.variants import load
from mulligan.players import net_files
from mulligan.players.roster import STAND_IN
from mulligan.server import bots
from mulligan.server.bot_processes import BotProcesses

pytestmark = pytest.mark.long

# Thinks until the file it is given exists, and says by another one that it has begun.
SLOW = """
import pathlib, sys, time
from mulligan.server import bot_processes, bots

def slowly(*question):
    pathlib.Path(sys.argv[1] + ".begun").touch()
    while not pathlib.Path(sys.argv[1]).exists():
        time.sleep(0.01)
    return bots.think(*question)

bot_processes.answer_all(slowly)
"""

# Dies over the first question of its life, as often as the file has characters; so early that it costs little.
MORTAL = """
import pathlib, sys
lives = pathlib.Path(sys.argv[1])
if left := lives.read_text():
    sys.stdin.readline()
    lives.write_text(left[1:])
    raise MemoryError
from mulligan.server import bot_processes, bots
bot_processes.answer_all(bots.think)
"""


def position():
    """It is someone’s turn, with dice of their own."""
    variant = load("play_nine")
    game = Game(variant, ["Ann", "Ben"], 0)
    hole = game.deal()
    hole.turn_up(3)
    return variant.rules, game.match, hole.state.copy(), many_dice(5, 1)[0]


def asked(thinkers, player="greedy"):
    """The move that is thought of, and how the dice lie afterwards."""
    rules, match, state, dice = position()

    async def ask():
        try:
            return await thinkers.think(player, rules, match, state, dice)
        finally:
            await thinkers.close()

    return asyncio.run(ask()), int(dice[0])


def test_a_process_thinks_of_the_same_move_from_the_same_dice():
    rules, match, state, dice = position()
    move = bots.think("random", rules, match, state, dice)
    assert asked(BotProcesses(quick=()), "random") == (move, int(dice[0]))


def test_a_process_that_dies_is_replaced_and_the_move_asked_again(tmp_path):
    (tmp_path / "lives").write_text("xx")
    thinkers = BotProcesses(quick=(), command=(sys.executable, "-c", MORTAL, str(tmp_path / "lives")))
    assert asked(thinkers) == asked(BotProcesses())
    assert (tmp_path / "lives").read_text() == ""


def test_where_no_process_lives_to_answer_somebody_else_moves(tmp_path):
    (tmp_path / "lives").write_text("x" * 9)
    thinkers = BotProcesses(quick=(), command=(sys.executable, "-c", MORTAL, str(tmp_path / "lives")))
    assert asked(thinkers) == asked(BotProcesses(), STAND_IN)
    assert (tmp_path / "lives").read_text() == "x" * 6


def test_who_is_no_longer_waited_for_answers_nobody_else(tmp_path):
    """A thought that was broken off must not be taken for the answer to the next question."""
    rules, match, state, dice = position()
    done = tmp_path / "done"

    async def ask_twice():
        thinkers = BotProcesses(most=1, quick=(), command=(sys.executable, "-c", SLOW, str(done)))
        asking = asyncio.create_task(thinkers.think("random", rules, match, state, dice.copy()))
        while not (tmp_path / "done.begun").exists():
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert thinkers.processes.idle == []
        done.touch()
        move = await thinkers.think("random", rules, match, state, dice)
        await thinkers.close()
        return move

    before = dice.copy()
    assert asyncio.run(ask_twice()) == bots.think("random", rules, match, state, before)


def test_a_net_is_read_while_the_server_does_other_things(monkeypatch):
    monkeypatch.setattr(net_files, "have_read", {})
    begun, others_had_their_turn = threading.Event(), threading.Event()
    load_net = net_files.load

    def load_slowly(file):
        begun.set()
        assert others_had_their_turn.wait(PATIENCE)
        return load_net(file)

    monkeypatch.setattr(net_files, "load", load_slowly)

    async def ask():
        thinking = asyncio.create_task(BotProcesses().think("pro", *position()))
        while not begun.is_set():
            await asyncio.sleep(0.01)
        others_had_their_turn.set()
        return await thinking

    assert asyncio.run(ask()) == bots.think("pro", *position())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_nobody_goes_on_thinking_for_a_server_that_was_killed(tmp_path):
    server = f"""
import asyncio, sys
from mulligan.engine.chance import many_dice
from mulligan.game.hole import Game
from mulligan.server.bot_processes import BotProcesses
from mulligan.game.variants import load

async def main():
    thinkers = BotProcesses(quick=(), command=(sys.executable, "-c", {SLOW!r}, {str(tmp_path / "done")!r}))
    variant = load("play_nine")
    game = Game(variant, ["", ""], 0)
    question = (variant.rules, game.match, game.deal().state, many_dice(1, 1)[0])
    asking = asyncio.create_task(thinkers.think("greedy", *question))
    while not thinkers.processes.started:
        await asyncio.sleep(0.01)
    print(thinkers.processes.started[0].pid, flush=True)
    await asking

asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", server], stdout=subprocess.PIPE, text=True) as process:
        thinker = int(process.stdout.readline())
        while not (tmp_path / "done.begun").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    ended = time.monotonic() + 20
    while is_alive(thinker):
        assert time.monotonic() < ended, "still thinking"
        time.sleep(0.05)


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_long_thoughts_hold_up_neither_another_table_nor_the_talk_at_their_own(tmp_path, client_folder):
    done = tmp_path / "done"
    slow = BotProcesses(most=1, quick=(), command=(sys.executable, "-c", SLOW, str(done)))
    with served(tmp_path, client_folder, thinkers=slow) as config:
        ann, ben = Browser(config), Browser(config)
        with ann.at(ann.open(ME, COMPUTER)["table"]) as slow_table, ben.at(ben.open(ME, HERE)["table"]) as table:
            table.do("Start")
            table.do("NextHole")
            slow_table.do("Start")
            slow_table.do("NextHole")
            while slow_table.view["turn"] != 1:
                slow_table.do("Play", seat=0, move=slow_table.view["legal"][0])
            for _ in range(40):
                view = table.view
                assert table.do("Play", seat=view["turn"], move=view["legal"][0])["is"] == "Accepted"
            assert slow_table.do("Say", seat=0, phrase="thinking")["is"] == "Accepted"
            assert slow_table.view["turn"] == 1, "it was not slow at all"
            done.touch()
            slow_table.wait_for(lambda view: view["turn"] != 1 or view["phase"] == "place")


FIRST_MOVE = """
from mulligan.server import bot_processes, bots
bots.warm_up = lambda *_: 1 / 0
bot_processes.answer_all()
"""


def test_for_the_first_move_a_worker_loads_nothing_that_the_move_does_not_need():
    """A friend goes away, and the strongest player goes on at once: it does not load seven other games first."""
    game = Game(load("play_nine"), ["", ""], 0)
    dice = many_dice(1, 1)[0]

    async def think():
        thinkers = BotProcesses(command=[sys.executable, "-c", FIRST_MOVE])
        try:
            state = game.deal().state.copy()
            return await thinkers.think("search", game.variant.rules, game.match.copy(), state, dice)
        finally:
            await thinkers.close()

    assert asyncio.run(think()) >= 0
