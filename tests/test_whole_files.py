"""A file that a command writes holds all or what it held before."""

import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from commands import mulligan

from mulligan.whole_files import replacing


def test_after_an_error_a_file_is_as_before(tmp_path):
    file = tmp_path / "points.txt"
    for former in (None, "former"):
        if former:
            file.write_text(former)
        with suppress(ValueError), replacing(file) as new:
            new.write_text("half")
            raise ValueError
        assert [each.read_text() for each in tmp_path.iterdir()] == ([former] if former else [])


@pytest.mark.skipif(os.name == "nt", reason="needs links and permissions")
def test_a_link_and_permissions_stay(tmp_path):
    file, link = tmp_path / "points.txt", tmp_path / "link"
    file.write_text("former")
    file.chmod(0o600)
    link.symlink_to(file)
    with replacing(link) as new:
        new.write_text("whole")
    assert (link.is_symlink(), file.read_text(), stat.S_IMODE(file.stat().st_mode)) == (True, "whole", 0o600)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk")
@pytest.mark.parametrize(
    "command",
    [
        ("card", "-o"),
        ("rules", "-g", "six_card", "--option", "jokers=-5", "--save"),
        ("simulate", "--games", "1", "--players", "random", "--record"),
    ],
    ids=lambda command: command[0],
)
def test_a_file_that_cannot_be_written_is_named(command, tmp_path):
    for file, why in [
        ("/dev/full", "no space is left on the disk"),
        (tmp_path, "this is a folder"),
        (tmp_path / "missing/file", "there is no such file or folder"),
    ]:
        assert mulligan(*command, file, code=1).stderr == f"{file}: {why}.\n"
    mulligan(*command, tmp_path / "new.pdf")
    assert [file.name for file in tmp_path.iterdir()] == ["new.pdf"]
