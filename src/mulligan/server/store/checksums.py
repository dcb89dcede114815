"""A checksum of each entry, so that damage on the disk is noticed."""

from collections.abc import Iterable
from zlib import crc32

from .errors import DamagedEntry


def checksum(code: str, number: int, entry: bytes) -> int:
    """Returns the CRC-32 of a table's code, the number of an entry, and the entry."""
    return crc32(entry, crc32(b"%d" % number, crc32(code.encode())))


def intact(code: str, first: int, entries: list[bytes], checksums: Iterable[int | None]) -> list[bytes]:
    """Returns entries of a log, numbered from `first`, if they match their checksums. Raises DamagedEntry."""
    for number, (entry, expected) in enumerate(zip(entries, checksums, strict=False), first):
        if checksum(code, number, entry) != expected:
            raise DamagedEntry(f"Entry {number} is damaged.")
    return entries
