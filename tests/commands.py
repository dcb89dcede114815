"""Runs a command of `mulligan` as a user types it, but in this process: starting Python takes longer than most of them.

A test that is about the process (its signals, its streams, uncompiled code) starts one of its own.
"""

import io
import os
import sys
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess

import pytest
import typer

from mulligan.cli.command_line import run

made = cache(typer.main.get_command)  # Typer makes all commands at each call, which takes longer than many of them


def mulligan(
    *words: str | Path, code: int | None = 0, typed: str | bytes = "", cwd: Path | None = None, **variables: str
) -> CompletedProcess[str]:
    """Returns what the command printed; it has to end with the status `code`, or with any if that is None.

    It reads what is `typed`, runs in the folder `cwd`, and has these `variables` in its environment.
    """
    stdin, stdout, stderr = stream(typed), stream(), stream()
    with pytest.MonkeyPatch.context() as here:
        here.setattr(typer.main, "get_command", made)
        for name, replacement in {"stdin": stdin, "stdout": stdout, "stderr": stderr}.items():
            here.setattr(sys, name, replacement)
        here.setattr(sys, "argv", ["mulligan", *map(str, words)])
        here.setenv("MULLIGAN_PLAIN", os.environ.get("MULLIGAN_PLAIN", "0"))  # some commands set it
        for name, value in variables.items():
            here.setenv(name, value)
        if cwd:
            here.chdir(cwd)
        status = run()
    done = CompletedProcess(words, status, text_of(stdout), text_of(stderr))
    assert code in (None, status), done.stdout + done.stderr
    return done


def stream(text: str | bytes = "") -> io.TextIOWrapper:
    content = text.encode() if isinstance(text, str) else text
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", write_through=True)


def text_of(printed: io.TextIOWrapper) -> str:
    printed.flush()
    return printed.buffer.getvalue().decode()  # type: ignore[attr-defined]
