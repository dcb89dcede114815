"""Runs a function of a test file in a process of its own, in which nothing is compiled."""

import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROGRAM = """
import json, sys
sys.path[:0] = {folders}
import {module} as test
from mulligan.engine.compiled import PLAIN
assert PLAIN
print(json.dumps(test.{name}(*json.loads({arguments!r}))))
"""


def uncompiled(function: Callable[..., Any], *arguments: object, options: tuple[str, ...] = ()) -> Any:
    """What the function returns there, as JSON has it; with these options of Python."""
    folders = [str(Path(file).parent) for file in (__file__, inspect.getfile(function))]
    program = PROGRAM.format(
        folders=folders, module=function.__module__, name=function.__name__, arguments=json.dumps(arguments)
    )
    plain = os.environ | {"MULLIGAN_PLAIN": "1"}
    run = subprocess.run([sys.executable, *options, "-c", program], env=plain, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
