"""Whole servers in virtual time, each from one seed: storms, kills, lies, nights, and a calm in which all must end.

`MULLIGAN_SEEDS=5000 pytest tests/worlds` plays that many worlds instead of a few dozen, and
`MULLIGAN_FIRST_SEED` says where to begin. A seed that fails is named with the command that plays it again.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from timeline import Process, Stuck, Timeline
from worlds import World

pytestmark = pytest.mark.long
HERE = Path(__file__).parent
SEEDS = int(os.environ.get("MULLIGAN_SEEDS", "80"))
FIRST = int(os.environ.get("MULLIGAN_FIRST_SEED", "0"))
TOGETHER = 20  # worlds in one test, so that many processes can share the work


@pytest.mark.parametrize("first", range(FIRST, FIRST + SEEDS, TOGETHER))
def test_nothing_is_lost_and_nobody_waits_for_ever(first):
    for seed in range(first, min(first + TOGETHER, FIRST + SEEDS)):
        play(seed)


def play(seed):
    world = World(seed)
    try:
        world.play()
    except Exception as error:
        again = f"python tests/worlds/worlds.py {seed}"
        pytest.fail(
            f"{world.told_of_itself()}\n{type(error).__name__}: {error}\nReplay it with: {again}", pytrace=False
        )


@pytest.mark.parametrize(("seed", "hashing"), [(3, "0"), (11, "4711")])
def test_a_world_is_its_seed_alone(seed, hashing):
    here = World(seed).play()
    assert World(seed).play() == here
    assert World(seed + 1).play() != here
    assert in_a_process_of_its_own(seed, hashing) == here


def in_a_process_of_its_own(seed, hashing):
    paths = os.pathsep.join([str(HERE), str(HERE.parent)])
    ran = subprocess.run(
        [sys.executable, "-c", f"from worlds import World; print(World({seed}).play())"],
        env=os.environ
        | {"PYTHONHASHSEED": hashing, "PYTHONPATH": paths + os.pathsep + os.environ.get("PYTHONPATH", "")},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return ran.stdout.strip()


def test_a_killed_process_does_not_run_another_line():
    timeline = Timeline(0.0)
    process = Process(timeline, World(0).dice)
    done = []
    for number in range(5):
        process.call_later(number, done.append, number)
    timeline.run_until(1.5)
    process.die_after(1, lambda: done.append("killed"))
    timeline.run_until(100)
    assert done == [0, 1, 2, "killed"]


def test_what_goes_on_for_ever_is_found_out():
    timeline = Timeline(0.0)

    def again():
        timeline.after(0.0, again)

    again()
    with pytest.raises(Stuck):
        timeline.run_until(1.0)
