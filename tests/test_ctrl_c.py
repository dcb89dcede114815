"""Ctrl-C at any moment: status 130, one sentence or none, and nothing goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest
from effort import tries

ROOT = Path(__file__).parents[1]

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.name == "nt", reason="needs the signals of a terminal")]

SIGNALS = pytest.mark.parametrize(("sign", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])

# Python has begun when it says so; until main listens, Ctrl-C is not ours to hear.
START = """
import os, signal
from mulligan import program
from mulligan.cli import main
signal.signal(signal.SIGINT, lambda *_: os._exit(130))
program.PATIENCE = float(os.environ.get("TEST_PATIENCE", program.PATIENCE))
print("begun", flush=True)
main()
"""
STUBBORN = """
import sys, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from mulligan import program
from mulligan.compute.journal import alone_with
from mulligan.whole_files import replacing
def compute() -> int:
    result = Path(sys.argv[1])
    with replacing(result), alone_with(result), ThreadPoolExecutor() as threads:
        threads.submit(time.sleep, 3600)
        print("begun", flush=True)
        time.sleep(3600)
    return 0
program.PATIENCE = 0.1
program.run(compute)
"""
DEAF_PLAYER = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
open(sys.argv[1], "w").close()
for line in sys.stdin:
    if line == "begin\\n":
        print("ready", flush=True)
    elif line == "go\\n":
        time.sleep(3600)
"""


@contextmanager
def begun(data: Path, *words: str, **settings: str) -> Iterator[subprocess.Popen[str]]:
    """A command in a process group of its own, as a terminal starts it."""
    environment = {**os.environ, "MULLIGAN_DATA": str(data), "LC_ALL": "fr_FR.UTF-8", **settings}
    with running([sys.executable, "-c", START, *words], env=environment) as process:
        assert first(process.stdout) == "begun\n"
        yield process


@contextmanager
def running(command: list[str | Path], **where: Any) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, **where,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a suite in the background is deaf
    )  # fmt: skip
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def press_ctrl_c(process: "subprocess.Popen[str]", status: int = 130) -> str:
    """Interrupts the whole group, and returns what the command said to standard error."""
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == status, said
    return said


def games(file: Path, count: int) -> None:
    """Writes a record that takes long to referee."""
    from mulligan import simulation
    from mulligan.game import variants

    record = next(simulation.records(variants.load("play_nine"), 2, ["random"], 1, 1))
    file.write_text(f"{json.dumps(record)}\n" * count, encoding="utf-8")


def waits_for(path: Path) -> None:
    until = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.parametrize("hundredths", range(0, 60, tries(8, 1)))
def test_however_early(hundredths: int, tmp_path: Path) -> None:
    with begun(tmp_path, "score", "-") as process:
        time.sleep(hundredths / 100)  # any moment will do: the answer is the same
        assert press_ctrl_c(process) in ("", "Interrompu.\n")


def test_in_a_referee_it_is_no_broken_rule(tmp_path: Path) -> None:
    games(tmp_path / "one.jsonl", 1)
    games(tmp_path / "many.jsonl", 300)
    with begun(tmp_path, "referee", str(tmp_path / "one.jsonl"), str(tmp_path / "many.jsonl")) as process:
        first(process.stdout)
        assert press_ctrl_c(process) == "Interrompu.\n"


def first(printed: IO[str] | None) -> str:
    assert printed is not None
    return printed.readline()


@SIGNALS
def test_the_threads_of_a_simulation_end_with_it_and_no_file_is_half_written(
    sign: signal.Signals, status: int, tmp_path: Path
) -> None:
    record = tmp_path / "games.jsonl"
    record.write_text("former\n", encoding="utf-8")
    with begun(tmp_path, "simulate", "--games", "300000", "--players", "random", "--record", str(record)) as process:
        waits_for(tmp_path / "games.part.jsonl")
        os.killpg(process.pid, sign)
        said = process.communicate(timeout=60)[1]
        assert (process.returncode, said in ("", "Stopped.\n")) == (status, True), said
    assert [(file.name, file.read_text(encoding="utf-8")) for file in tmp_path.iterdir()] == [(record.name, "former\n")]


@SIGNALS
def test_a_thread_that_computes_for_hours_holds_nothing_up(sign: signal.Signals, status: int, tmp_path: Path) -> None:
    with running([sys.executable, "-c", STUBBORN, tmp_path / "result"]) as process:
        assert first(process.stdout) == "begun\n"
        os.killpg(process.pid, sign)
        assert process.communicate(timeout=60) == ("", "")
        assert (process.returncode, [*tmp_path.iterdir()]) == (status, [])


@pytest.mark.parametrize("patience", ["60", "0"], ids=["asked to", "by force"])
@SIGNALS
def test_the_programs_of_an_arena_end_with_it(sign: signal.Signals, status: int, patience: str, tmp_path: Path) -> None:
    player, plays = tmp_path / "player.py", tmp_path / "plays"
    player.write_text(DEAF_PLAYER, encoding="utf-8")
    command = f"program:{sys.executable} {player} {plays}"
    with begun(tmp_path, "arena", command, "greedy", "--timeout", "3600", TEST_PATIENCE=patience) as process:
        waits_for(plays)
        os.killpg(process.pid, sign)
        said = process.communicate(timeout=60)[1]
        assert (process.returncode, said.count("\n") < 2) == (status, True), said
        assert str(player) not in commands_running()


def test_make_play_ends_without_an_error_of_make(tmp_path: Path) -> None:
    plays, program = tmp_path / "plays", tmp_path / "mulligan"
    for name in ("requirements.txt", "pyproject.toml", "ready"):
        (tmp_path / name).touch()
    program.write_text(
        f"#!/bin/sh\ntrap 'exit 130' INT\ntouch {plays}\nwhile :; do sleep 0.1; done\n", encoding="utf-8"
    )
    program.chmod(0o755)
    command = ["make", "--no-print-directory", "-f", ROOT / "Makefile", f"BIN={tmp_path}", "READY=ready", "play"]
    with running(command, cwd=tmp_path) as process:
        waits_for(plays)
        os.killpg(process.pid, signal.SIGINT)
        assert process.communicate(timeout=60) == ("", "")


def commands_running() -> str:
    return subprocess.run(["ps", "-A", "-o", "args"], capture_output=True, text=True, check=True).stdout
