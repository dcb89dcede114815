"""What the compiler refuses, because it would use more and more memory, how often it compiles a function, and that
nothing depends on how Numba is made inside.
"""

import ast
import inspect
import os
import subprocess
import sys
from contextlib import ExitStack
from pkgutil import resolve_name

import numba
import numpy as np
import pytest

from mulligan.engine import compiled as compiling
from mulligan.engine.compiled import HOOKS, PATIENCE, PLAIN, compiled, compiled_with_arrays, merged
from mulligan.engine.moves import play
from mulligan.engine.scoring import settle
from mulligan.engine.state import STATE
from mulligan.file_locks import lock
from mulligan.game.variants import load

pytestmark = pytest.mark.long


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


@compiled
def play_as_usual(rules, state):
    play(rules[0], state[0], 0)


@merged(settle)
@compiled
def play_merged(rules, state):
    play(rules[0], state[0], 0)


def compiled_within(function):
    """The functions that are left of all those that the compiled function calls."""
    rules, state = np.array([load("play_nine").rules]), np.zeros(1, STATE)
    kinds = numba.typeof(rules), numba.typeof(state)
    function.draft.compile(kinds)
    names = " ".join(left.name for left in function.draft.overloads[kinds].library.get_defined_functions())
    return {name for name in ("end_turn", "settle") if f"{len(name)}{name}" in names}


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
def test_a_merged_function_calls_only_what_is_kept_apart() -> None:
    assert compiled_within(play_as_usual) == {"end_turn", "settle"}
    assert compiled_within(play_merged) == {"settle"}


def rolling(folder, change=""):
    """Starts a process that keeps compiled code in a folder and prints how often it compiled the roll of a die."""
    use = f"{change}from mulligan.engine.chance import many_dice, roll; roll(many_dice(1, 1)[0], 6)"
    command = [sys.executable, "-c", f"{use}; print(sum(roll.stats.cache_misses.values()))"]
    environment = os.environ | {"MULLIGAN_CACHE": str(folder)}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
def test_processes_that_start_together_compile_a_function_once(tmp_path) -> None:
    processes = [rolling(tmp_path) for _ in range(3)]
    assert sorted(process.communicate()[0].strip() for process in processes) == ["0", "0", "1"]


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
def test_a_program_says_once_that_it_compiles_and_nothing_when_it_need_not(tmp_path) -> None:
    said = [rolling(tmp_path).communicate()[1] for _ in range(2)]
    assert said == ["Mulligan is compiling what this needs; that is done only once.\n", ""]


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
def test_what_is_compiled_is_loaded_while_another_process_compiles_the_same_function_again(tmp_path) -> None:
    assert rolling(tmp_path).communicate()[0].strip() == "1"
    with ExitStack() as stack:
        locks = [stack.enter_context(file.open("wb")) for file in tmp_path.rglob("*.lock")]
        assert locks
        assert all(lock(file.fileno()) for file in locks)
        assert rolling(tmp_path).communicate(timeout=PATIENCE / 3)[0].strip() == "0"


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
def test_a_process_that_has_waited_in_vain_keeps_nothing(tmp_path) -> None:
    assert rolling(tmp_path).communicate()[0].strip() == "1"
    for file in tmp_path.rglob("*.nb?"):
        file.unlink()
    with ExitStack() as stack:
        locks = [stack.enter_context(file.open("wb")) for file in tmp_path.rglob("*.lock")]
        assert all(lock(file.fileno()) for file in locks)
        impatient = "from mulligan.engine import compiled; compiled.PATIENCE = 0.0; "
        assert rolling(tmp_path, impatient).communicate()[0].strip() == "1"
    assert not [*tmp_path.rglob("*.nb?")]


ADDERS = """
import sys
from mulligan.engine.compiled import address, call, compiled

def adder(number):
    @compiled
    def add(to):
        return to + number
    return add

@compiled
def called(place, number):
    return call(place, (number,))

adders = [adder(int(number)) for number in sys.argv[1:]]
for _ in range(2):  # once both are loaded, the name of one finds the other if they share it
    places = [address(add, (0,)) for add in adders]
print(*(called(place, 0) for place in places))
print(*(sum(add.stats.cache_misses.values()) for add in adders))
"""


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
def test_functions_made_in_one_place_stay_apart_whichever_processes_compiled_them(tmp_path) -> None:
    file = tmp_path / "adders.py"
    file.write_text(ADDERS, "utf-8")

    def run(*numbers):
        command, environment = [sys.executable, file, *numbers], os.environ | {"MULLIGAN_CACHE": str(tmp_path)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()

    assert [run("1"), run("2")] == [["1", "1"], ["2", "1"]]
    assert run("1", "2") == ["1 2", "0 0"]


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
@pytest.mark.parametrize("hook", HOOKS)
def test_a_numba_without_a_hook_compiles_as_it_usually_does(hook, monkeypatch) -> None:
    assert compiling.numba_function() is not compiling.usual_function
    for home in homes_of(hook):
        monkeypatch.delattr(home, hook.replace(":", ".").rpartition(".")[2])
    with pytest.warns(RuntimeWarning, match="It plays the same, but compiling takes longer"):
        assert compiling.numba_function.__wrapped__() is compiling.usual_function


def homes_of(hook):
    """The module that has a hook, or the classes."""
    place, _, name = hook.replace(":", ".").rpartition(".")
    owner = resolve_name(place)
    return [owner] if inspect.ismodule(owner) else [base for base in owner.__mro__ if name in vars(base)]


def test_every_hook_is_in_the_list() -> None:
    """Whatever is imported from Numba's inside, but for what its manual describes for extensions."""
    tree = ast.parse(inspect.getsource(compiling))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    inside = {alias.name for node in imports if (node.module or "").startswith("numba.core") for alias in node.names}
    assert inside - {"types", "cgutils", "Listener", "register"} <= {
        hook.partition(":")[2].partition(".")[0] for hook in HOOKS
    }


PLAY = """
import warnings
warnings.simplefilter("ignore")
{change}
from random import Random
from mulligan.engine.chance import many_dice
from mulligan.game import variants
from mulligan.game.hole import Hole
player, hole = Random(1), Hole(variants.load("four_card"), 2, 0)
hole.play_out(lambda: player.choice(hole.legal_moves()), many_dice(1, 1)[0])
print(hole.steps, hole.points)
"""
WITHOUT_DRAFTS = "from numba.core import codegen; del codegen.CPUCodeLibrary.serialize_using_bitcode"


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
def test_a_hole_is_played_the_same_without_the_hooks(tmp_path) -> None:
    """With as little optimising as there can be, since only the results matter here."""
    quickly = {"NUMBA_OPT": "0", "NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0"}
    without = played(WITHOUT_DRAFTS, quickly | {"MULLIGAN_CACHE": str(tmp_path)})
    assert {folder.name for folder in tmp_path.glob("mulligan/*/*")} == {"usual"}
    assert without == played("", {"MULLIGAN_PLAIN": "1"})


def played(change, settings):
    command = [sys.executable, "-c", PLAY.format(change=change)]
    return subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, check=True).stdout
