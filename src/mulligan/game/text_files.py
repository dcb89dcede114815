"""Reads text files that people edit: UTF-8, with a byte order mark or without."""

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from .error_sentences import Problem

LARGEST = 1_000_000  # bytes; the rule book is far shorter
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class NotText(Problem):
    """A file in another encoding, or far too large."""


def read_text(file: Path) -> str:
    """Returns the text of a file. Raises NotText, OSError."""
    with file.open("rb") as opened:
        return decode(must_end(opened.read(LARGEST + 1))).replace("\r\n", "\n").replace("\r", "\n")


def lines_of(file: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yields the lines of an open file with their numbers. Raises NotText, which names the line, and OSError."""
    number = 0
    while line := file.readline(LARGEST + 1):
        number += 1
        try:
            text = decode(must_end(line))
        except NotText as error:
            raise error.at("terminal_at_line", line=number) from None
        yield number, text


def must_end(content: bytes) -> bytes:
    """Returns the content. Raises NotText if it is more than that of a text."""
    if len(content) > LARGEST:
        raise NotText("too_long", "fault", most=LARGEST)
    return content


def decode(content: bytes) -> str:
    """Returns the text in UTF-8, without its byte order mark. Raises NotText."""
    if content.startswith(UTF_16):
        raise NotText("utf16", "fault")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotText("not_utf8", "fault", byte=error.start + 1) from None
