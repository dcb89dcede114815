"""The finished pieces of a run, in a file, so that an interrupted run can go on.

A line of JSON says what is computed. Then come the pieces as they were finished: number, length and checksum, and the
bytes of the result. A piece that was cut off while it was written is left out and computed again.
"""

import json
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mulligan import program
from mulligan.file_locks import lock
from mulligan.whole_files import replacing

ENTRY = struct.Struct("<QQI")  # number of the piece, length and CRC-32 of the result
LONGEST_HEAD = 100_000  # bytes in the first line


class JournalError(ValueError):
    pass


@contextmanager
def alone_with(path: Path | None) -> Iterator[None]:
    """Keeps other processes from a journal inside the block. Raises JournalError if one uses it, OSError."""
    if path is None:
        yield
        return
    beside = path.with_name(path.name + ".lock")
    with beside.open("wb") as file:
        if not lock(file.fileno()):
            raise JournalError(f"Another process uses {path}; wait until it is done, or name another file.")
        program.unfinished.add(str(beside))
        try:
            yield
        finally:
            file.close()
            beside.unlink(missing_ok=True)
            program.unfinished.discard(str(beside))


def compare(file: Path, what: str, told: dict[str, Any], facts: dict[str, Any]) -> None:
    """Raises JournalError, which names the first difference, if a file was written with other facts."""
    for name in sorted(told.keys() | facts.keys()):
        if told.get(name) != facts.get(name):
            raise JournalError(
                f"{file} is of another {what} ({name}: {told.get(name)}, not {facts.get(name)}); "
                "delete it to start anew, or repeat the command that began it."
            )


class Journal:
    """The file, and where in it the result of each finished piece is."""

    def __init__(self, path: Path, facts: dict[str, Any]) -> None:
        """Opens or creates the file. Raises JournalError if it is of a run with other facts, OSError."""
        self.path = path
        self.places: dict[int, tuple[int, int]] = {}  # by piece: where its result begins, and its length
        self.head = json.dumps(facts, sort_keys=True).encode() + b"\n"
        if not path.exists():
            self.write_anew()
        self.file = path.open("r+b")
        self.check(facts)
        self.read_entries()

    def write_anew(self) -> None:
        with replacing(self.path) as new:
            new.write_bytes(self.head)

    def check(self, facts: dict[str, Any]) -> None:
        """Compares the first line. Raises JournalError, which names the first difference."""
        try:
            told = dict(json.loads(self.file.readline(LONGEST_HEAD)))
        except ValueError:
            self.file.close()
            raise JournalError(f"{self.path} is not a journal; delete it, or name another file.") from None
        try:
            compare(self.path, "run", told, facts)
        except JournalError:
            self.file.close()
            raise

    def read_entries(self) -> None:
        """Finds the finished pieces, and cuts off what was not written to its end."""
        end = self.file.tell()
        while len(head := self.file.read(ENTRY.size)) == ENTRY.size:
            number, length, check = ENTRY.unpack(head)
            result = self.file.read(length)
            if len(result) < length or zlib.crc32(result) != check:
                break
            self.places[number] = (self.file.tell() - length, length)
            end = self.file.tell()
        self.file.seek(end)
        self.file.truncate()

    def add(self, number: int, result: bytes) -> None:
        self.file.seek(0, os.SEEK_END)
        self.file.write(ENTRY.pack(number, len(result), zlib.crc32(result)) + result)
        self.file.flush()
        self.places[number] = (self.file.tell() - len(result), len(result))

    def read(self, number: int) -> bytes:
        begin, length = self.places[number]
        self.file.seek(begin)
        return self.file.read(length)

    def remove(self) -> None:
        self.file.close()
        self.path.unlink(missing_ok=True)
