"""What README and docs show is run, and must come out as shown."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def console_blocks() -> list[list[tuple[str, str]]]:
    """Each block's commands, with the output shown under each."""
    blocks = re.findall(r"```console\n(.*?)```", README, re.S)
    return [re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M) for block in blocks]


SHOWN = [block for block in console_blocks() if any(output for _, output in block)]


@pytest.mark.parametrize("block", SHOWN, ids=lambda block: block[0][0][:30])
def test_the_readme_shows_what_commands_print(block: list[tuple[str, str]], tmp_path: Path) -> None:
    for command, output in block:
        words = [sys.executable, "-m", *shlex.split(command)]
        done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path)
        if output:
            assert done.stdout == output


def test_the_readme_has_such_blocks() -> None:
    assert len(SHOWN) >= 3


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.S), ids=lambda code: code[:20])
def test_the_readme_python_runs(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "(100, 9, 2)" in done.stdout


@pytest.mark.parametrize("example", sorted((ROOT / "docs" / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_the_examples_run(example: Path) -> None:
    subprocess.run([sys.executable, str(example)], check=True, capture_output=True)


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))])
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)[^):]*\)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


def test_the_page_of_the_wire_names_every_command() -> None:
    messages = pytest.importorskip("mulligan.server.messages")
    page = (ROOT / "docs" / "wire.md").read_text(encoding="utf-8")
    kinds = [*messages.ClientMessage.__args__, *messages.ServerMessage.__args__]
    assert [kind.__name__ for kind in kinds if f"`{kind.__name__}`" not in page] == []
    assert f'"client_version": {messages.WIRE_VERSION}' in page
