"""What is published, tested from its files: it installs and plays where there is no Node, compiler or network."""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_string
from pathlib import Path
from shutil import which

import httpx
import pytest
from postgres import free_port
from release import release

from mulligan import __version__

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[1]
STEM = f"mulligan-{__version__}"

PLAY = """
from random import Random
import mulligan
player, dice = Random(1), mulligan.new_dice(1)
game = mulligan.Game(mulligan.load_game("play_nine", {"holes": 1}), ["Ann", "Ben"], dealer=0)
while not game.is_over:
    hole = game.deal()
    hole.play_out(lambda: player.choice(hole.legal_moves()), dice)
    game.finish_hole()
print(mulligan.replay(game.record()).winners == game.winners, len(mulligan.games()))
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    if not which("git") or not (ROOT / ".git").exists():
        pytest.skip("A release is made of a commit; this is no clone with git.")
    folder = tmp_path_factory.mktemp("release")
    return {file.name: file for file in release(folder)}


@pytest.fixture(scope="module")
def wheel(files: dict[str, Path]) -> Path:
    return files[f"{STEM}-py3-none-any.whl"]


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of a new environment with the wheel. Its libraries are those of this one."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, symlinks=os.name != "nt")
    folder = sysconfig.get_path("purelib", vars={"base": str(place)})
    Path(folder, "libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\n")  # but not what is editable there
    pip = ["pip", "--python", str(place), "install", "--quiet", "--no-index", "--no-deps", str(wheel)]
    subprocess.run([sys.executable, "-m", *pip], check=True)
    return Path(sysconfig.get_path("scripts", vars={"base": str(place)}))


def environment(folder: Path) -> dict[str, str]:
    """Without Node and with an empty cache; uncompiled, since nothing is as slow as compiling everything."""
    return {"PATH": "", "HOME": str(folder), "MULLIGAN_CACHE": str(folder), "MULLIGAN_PLAIN": "1", "LC_ALL": "C.UTF-8"}


@contextmanager
def serving(programs: Path, folder: Path) -> Iterator[httpx.Client]:
    port = free_port()
    command = [str(programs / "mulligan"), "serve", "--port", str(port), "--data", str(folder / "data")]
    with subprocess.Popen(command, env=environment(folder), stderr=subprocess.DEVNULL) as server:
        try:
            transport = httpx.HTTPTransport(retries=30)  # until it listens
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", transport=transport, timeout=60) as people:
                yield people
        finally:
            server.terminate()
            server.wait()


def test_the_wheel_plays_a_match(installed: Path, tmp_path: Path) -> None:
    command = [str(installed / "python"), "-c", PLAY]
    assert subprocess.check_output(command, env=environment(tmp_path), cwd=tmp_path, text=True) == "True 8\n"


def test_the_wheel_serves_the_pages_and_the_engine_that_plays_on_the_device(installed: Path, tmp_path: Path) -> None:
    with serving(installed, tmp_path) as people:
        assert "<title>Mulligan" in people.get("/").text
        facts = people.get("/api/facts").json()
        assert facts["version"] == __version__
        assert "Mulligan" in people.get("/docs/", follow_redirects=True).text
        assert people.get("/licenses.md").text.count("\n## ") >= 5


def test_the_wheel_brings_the_engine_for_browsers_and_no_machine_code(wheel: Path) -> None:
    brought = [name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("mulligan/prepared/")]
    assert [Path(name).suffix for name in brought] == [".wasm"]


def test_nothing_but_the_build_system_is_asked_for_to_install_the_archive(
    files: dict[str, Path], tmp_path: Path
) -> None:
    """What it asks for besides would come from the network: Node, to build the client."""
    with tarfile.open(files[f"{STEM}.tar.gz"]) as archive:
        archive.extractall(tmp_path, filter="data")
    ask = "from hatchling.build import get_requires_for_build_wheel as ask; print(ask())"
    assert subprocess.check_output([sys.executable, "-c", ask], cwd=tmp_path / STEM, text=True) == "[]\n"


def test_the_same_commit_gives_the_same_bytes(files: dict[str, Path], tmp_path: Path) -> None:
    again = release(tmp_path)
    assert {file.name: file.read_bytes() for file in again} == {name: file.read_bytes() for name, file in files.items()}


def test_the_bill_names_every_part_that_others_made_and_the_wheel_brings_it_and_the_licenses(
    files: dict[str, Path], wheel: Path
) -> None:
    bill = json.loads(files[f"{STEM}.cdx.json"].read_text(encoding="utf-8"))
    parts = {part["name"] for part in bill["components"]}
    assert parts >= {"svelte", "qr", "@noble/hashes", "@inlang/paraglide-js", "Noto Sans CJK JP"}
    assert all(part["licenses"] and part["version"] for part in bill["components"])
    with zipfile.ZipFile(wheel) as archive:
        told = archive.read(f"mulligan-{__version__}.dist-info/METADATA").decode()
        named = {Path(name).name for name in archive.namelist() if ".dist-info/licenses/" in name}
        assert json.loads(archive.read(f"mulligan-{__version__}.dist-info/sboms/mulligan.cdx.json")) == bill
    assert named == {"LICENSE", "OFL.txt", "licenses.md"}
    assert message_from_string(told)["Version"] == __version__
