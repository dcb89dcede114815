"""The worker process for previews during the start: reads a part of a log per line and writes the table's preview.

It runs the engine uncompiled: that is fast enough for a log, while compiling takes a minute or more.
"""

import os

if __name__ == "__main__":  # before the engine is imported
    os.environ["MULLIGAN_PLAIN"] = "1"

import msgspec

from mulligan.server.processes import answer_all
from mulligan.server.table.log_entries import Entry, Opened
from mulligan.server.table.preview import preview
from mulligan.server.table.starts import State
from mulligan.server.table.table import Table

read_slice = msgspec.json.Decoder(tuple[list[Entry], Opened | None, State | None]).decode  # as in log_parts.py
write = msgspec.json.Encoder().encode


def answer(line: bytes) -> bytes:
    """Returns the preview, or an empty object if the log cannot be read."""
    try:
        entries, opened, state = read_slice(line)
        table = Table.at_start(opened, state) if opened and state else Table()
        table.go_on(entries)
        return write(preview(table))
    except Exception:  # a damaged log can cause any error; the server reports it when it reads the log itself
        return b"{}"


if __name__ == "__main__":
    answer_all(answer)
