"""What the compiler refuses, because it would use more and more memory, and how often it compiles a function."""

import os
import subprocess
import sys
from contextlib import ExitStack

import numpy as np
import pytest

from mulligan.engine.compiled import PATIENCE, PLAIN, compiled, compiled_with_arrays
from mulligan.file_locks import lock


@compiled
def unmarked_maker():
    return len(np.zeros(2))


@compiled_with_arrays
def zeros():
    return np.zeros(2)


@compiled_with_arrays
def zeros_and_size():
    return zeros(), 2


@compiled
def keeps_zeros():
    return len(zeros())


@compiled
def keeps_zeros_and_size():
    return len(zeros_and_size())


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (unmarked_maker, "array"),
        (keeps_zeros, "A caller of zeros must be marked"),
        (keeps_zeros_and_size, "A caller of zeros_and_size must be marked"),
    ],
)
def test_a_function_that_makes_or_gets_arrays_has_to_be_marked(function, reason) -> None:
    with pytest.raises(Exception, match=reason):
        function()


def rolling(folder):
    """Starts a process that keeps compiled code in a folder and prints how often it compiled the roll of a die."""
    use = "from mulligan.engine.chance import many_dice, roll; roll(many_dice(1, 1)[0], 6)"
    command = [sys.executable, "-c", f"{use}; print(sum(roll.stats.cache_misses.values()))"]
    environment = os.environ | {"MULLIGAN_CACHE": str(folder)}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
def test_processes_that_start_together_compile_a_function_once(tmp_path) -> None:
    processes = [rolling(tmp_path) for _ in range(3)]
    assert sorted(process.communicate()[0].strip() for process in processes) == ["0", "0", "1"]


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
def test_what_is_compiled_is_loaded_while_another_process_compiles_the_same_function_again(tmp_path) -> None:
    assert rolling(tmp_path).communicate()[0].strip() == "1"
    with ExitStack() as stack:
        locks = [stack.enter_context(file.open("wb")) for file in tmp_path.rglob("*.lock")]
        assert locks
        assert all(lock(file.fileno()) for file in locks)
        assert rolling(tmp_path).communicate(timeout=PATIENCE / 3)[0].strip() == "0"
