"""Compressed parts of logs, which replace the entries of tables that nobody uses."""

import zlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .checksums import checksum
from .errors import DamagedEntry

MOST = 2000  # entries in a chunk, so that nothing has to read or delete a long log at once
LEVEL = 9  # smaller than at level 6, and still quick (bench/logs.py); each entry is compressed once
SEPARATOR = b"\n"  # which JSON never contains


class Chunk(NamedTuple):
    """Consecutive entries of a log, compressed with zlib."""

    first: int  # the number of the first entry
    last: int  # the number of the last entry
    entries: bytes
    checksum: int


def pack(code: str, first: int, entries: Sequence[bytes]) -> Chunk:
    """Compresses entries of a table's log, numbered from `first`. Raises DamagedEntry if one is not a line of text."""
    last = first + len(entries) - 1
    packed = zlib.compress(SEPARATOR.join(entries), LEVEL)
    chunk = Chunk(first, last, packed, checksum(code, last, packed))
    if unpack(code, chunk) != entries:
        raise DamagedEntry(f"One of the entries {first} to {last} is not a line of text.")
    return chunk


def unpack(code: str, chunk: Chunk) -> list[bytes]:
    """Returns the entries of a chunk. Raises DamagedEntry."""
    if checksum(code, chunk.last, chunk.entries) == chunk.checksum:
        entries = zlib.decompress(chunk.entries).split(SEPARATOR)
        if len(entries) == chunk.last - chunk.first + 1:
            return entries
    raise DamagedEntry(f"Entries {chunk.first} to {chunk.last} are damaged.")


def unpacked(code: str, after: int, chunks: Iterable[Chunk]) -> list[bytes]:
    """Returns the entries after a number from consecutive chunks. Raises DamagedEntry."""
    found: list[bytes] = []
    for chunk in chunks:
        skipped = after + len(found) - chunk.first + 1
        if skipped < 0:
            raise DamagedEntry(f"Entry {after + len(found) + 1} is missing.")
        found += unpack(code, chunk)[skipped:]
    return found
