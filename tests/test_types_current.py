"""The client's types are those of server/wire, and its records those of the engine."""

import subprocess
import sys
from pathlib import Path

import pytest

from mulligan.engine.compiled import PLAIN
from mulligan.machine_code import browser_layout
from mulligan.server.wire.typescript import lists, typescript
from mulligan.wasm import record_types

LIB = Path(__file__).parents[1] / "web" / "src" / "lib"


def test_types_are_current() -> None:
    for name, text in (("messages.ts", typescript()), ("lists.ts", lists())):
        assert (LIB / name).read_text(encoding="utf-8") == text, "run `python -m mulligan.server.wire.typescript`"


@pytest.mark.skipif(PLAIN, reason="Where nothing is compiled, records are laid out differently.")
def test_the_records_of_the_engine_are_current() -> None:
    written = record_types.FILE.read_text(encoding="utf-8")
    now = "from mulligan.wasm.record_types import typescript; print(typescript(), end='')"
    # In a process of its own: other tests add players.
    typed = subprocess.run([sys.executable, "-X", "utf8", "-c", now], capture_output=True, check=True).stdout.decode()
    assert written == typed, "run `python -m mulligan.wasm.record_types`"
    assert browser_layout() == record_types.layout_in(written) != ""


def test_what_the_server_sends_has_every_field_and_what_the_client_sends_may_leave_defaults_out() -> None:
    written = typescript()
    assert 'export interface Hello {\n  is: "Hello";\n  client_version: number;\n  last_event?: number;' in written
    assert "  may_take_back: boolean;\n  legal: string[];\n  latest: Step | null;" in written
    assert "  layout: (string | null)[];" in written
