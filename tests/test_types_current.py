"""The client's types are those of server/wire."""

from pathlib import Path

from mulligan.server.wire.typescript import lists, typescript

LIB = Path(__file__).parents[1] / "web" / "src" / "lib"


def test_types_are_current() -> None:
    for name, text in (("messages.ts", typescript()), ("lists.ts", lists())):
        assert (LIB / name).read_text(encoding="utf-8") == text, "run `python -m mulligan.server.wire.typescript`"


def test_what_the_server_sends_has_every_field_and_what_the_client_sends_may_leave_defaults_out() -> None:
    written = typescript()
    assert 'export interface Hello {\n  is: "Hello";\n  client_version: number;\n  last_event?: number;' in written
    assert "  may_take_back: boolean;\n  legal: string[];\n  latest: Step | null;" in written
    assert "  layout: (string | null)[];" in written
