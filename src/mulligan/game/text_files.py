"""Reads text files that people edit: UTF-8, with a byte order mark or without."""

import codecs
from pathlib import Path

from .problems import Problem

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class NotText(Problem):
    """A file in another encoding."""


def read_text(file: Path) -> str:
    """Returns the text of a file. Raises NotText, OSError."""
    return decode(file.read_bytes()).replace("\r\n", "\n").replace("\r", "\n")


def decode(content: bytes) -> str:
    """Returns the text in UTF-8, without its byte order mark. Raises NotText."""
    if content.startswith(UTF_16):
        raise NotText("utf16", "fault")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotText("not_utf8", "fault", byte=error.start + 1) from None
