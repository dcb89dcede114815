"""The wing for a GPU: what can be tested without one, in Numba's simulator of CUDA, and what needs one.

The simulator runs the kernels in Python, with plain functions. `bench/gpu.py` compares much more.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import mulligan

from mulligan.engine.compiled import call
from mulligan.envs.many import move_at
from mulligan.gpu import DeviceTables, device
from mulligan.gpu.copies import Copies, globals_of, is_compiled, plain_of
from mulligan.players import greedy, random
from mulligan.simulation import play_games

BENCH = Path(__file__).parents[1] / "bench"
needs_gpu = pytest.mark.skipif(bool(device.missing()), reason=device.missing())


def copied(*functions):
    """Plain copies of functions and all that they call, by name."""
    made = {}

    def make(copy):
        made[copy.__name__] = copy
        return copy

    copies = Copies(make)
    copies.replace(call, call_first := lambda player, arguments: copies(random.choose)(*arguments))
    for function in functions:
        copies(function)
    return made, call_first


def test_a_copy_calls_nothing_but_copies():
    made, call_first = copied(play_games, move_at, greedy.choose)
    assert {"play", "turn_up", "settle", "bag", "play_hole", "make_move", "choose_by", "expected_cost"} <= made.keys()
    for function in made.values():
        for name in globals_of(function.__code__) & function.__globals__.keys():
            value = function.__globals__[name]
            assert value is call_first or not is_compiled(value) or any(value is copy for copy in made.values()), name
            assert value is not call


def test_a_copy_leaves_the_function_itself_as_it_was():
    before = dict(plain_of(play_games).__globals__)
    copied(play_games)
    assert plain_of(play_games).__globals__ == before
    assert before["call"] is call


def test_each_player_is_found_by_their_number():
    choose = device.choosing([lambda *told: ("first", *told), lambda *told: ("second", *told)], lambda made: made)
    assert choose(1, (1, 2, 3, 4, 5)) == ("first", 1, 2, 3, 4, 5)
    assert choose(2, (1, 2, 3, 4, 5)) == ("second", 1, 2, 3, 4, 5)
    assert device.numbers_of(["greedy", "random", "greedy"]) == {"greedy": 1, "random": 2}


@pytest.mark.parametrize("name", ["club", "net", "nobody"])
def test_a_player_who_needs_a_net_stays_on_the_processor(name):
    with pytest.raises(ValueError, match=f"On a GPU play random, greedy.*, not “{name}”."):
        device.numbers_of([name])


@pytest.mark.long
@pytest.mark.skipif(not device.missing(), reason="Here is a GPU.")
def test_without_a_gpu_one_sentence_says_so():
    done = mulligan("simulate", "--players", "random", "--holes", "5", "--on", "gpu", code=2)
    assert done.stderr == f"{device.missing()}\n"
    bench = subprocess.run([sys.executable, BENCH / "gpu.py"], capture_output=True, text=True)
    assert (bench.returncode, bench.stderr) == (1, f"{device.missing()}\n")


def test_a_gpu_keeps_no_records():
    with pytest.raises(ValueError, match="No records are kept on a GPU"):
        DeviceTables(4, "play_nine", recorded=True)


def test_a_gpu_keeps_no_journal(tmp_path):
    done = mulligan("simulate", "--holes", "5", "--on", "gpu", "--journal", tmp_path / "journal", code=2)
    assert done.stderr == "--journal is for pieces of work; a GPU plays everything at once.\n"


SIMULATED = """
import sys
import numpy
sys.modules["cupy"] = numpy
sys.path.insert(0, {folder!r})
import gpu
assert gpu.{comparison}
"""


@pytest.mark.long
@pytest.mark.parametrize(
    "comparison",
    [
        'same_games("four_card", 3, ["random", "greedy"], 2, 3)',
        'same_steps(5, 30, "four_card", autoreset_mode="NextStep", opponents=["random"], seats=3, turn_limit=6)',
        'same_steps(5, 30, "four_card", autoreset_mode="SameStep", opponents=[None, "random"], seats=3, turn_limit=6)',
    ],
)
def test_the_kernels_play_the_same_in_the_simulator(comparison):
    """With NumPy's arrays in place of CuPy's."""
    plain = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "MULLIGAN_PLAIN": "1"}
    program = SIMULATED.format(folder=str(BENCH), comparison=comparison)
    run = subprocess.run([sys.executable, "-c", program], env=plain, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@needs_gpu
@pytest.mark.long
def test_a_gpu_plays_the_same_games_and_steps():
    from gpu import same_games, same_steps

    assert same_games("play_nine", 4, ["random"], 20, 500)
    assert same_steps(64, 300, "nine_card", autoreset_mode="SameStep", opponents=["random"])
