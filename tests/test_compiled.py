"""What the compiler refuses, because it would use more and more memory, and how often it compiles a function."""

import os
import subprocess
import sys

import numpy as np
import pytest

from mulligan.engine.compiled import PLAIN, compiled, compiled_with_arrays


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


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
def test_processes_that_start_together_compile_a_function_once(tmp_path) -> None:
    use = "from mulligan.engine.chance import many_dice, roll; roll(many_dice(1, 1)[0], 6)"
    command = [sys.executable, "-c", f"{use}; print(sum(roll.stats.cache_misses.values()))"]
    environment = os.environ | {"MULLIGAN_CACHE": str(tmp_path)}
    processes = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert sorted(process.communicate()[0].strip() for process in processes) == ["0", "0", "1"]
