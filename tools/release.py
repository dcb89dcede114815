"""Builds a release of the last commit: a source archive, a wheel made from it, and a bill of materials.

    python tools/release.py [FOLDER]

Both bring the browser client, the engine for browsers and the manual, so installing them needs neither Node nor a
compiler. Nothing is taken from the working tree but the client, if it is built from the same sources. The same commit
with the same tools gives the same bytes.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from bill_of_materials import bill_of
from twine.commands.check import check

import mulligan
from mulligan.machine_code import PREPARED
from mulligan.wasm.building import built

ROOT = Path(__file__).parents[1]
PACKAGE = Path("src", "mulligan")
BILL = "mulligan.cdx.json"
SUFFIXES = {"sdist": ".tar.gz", "wheel": "-py3-none-any.whl"}
MOST = 60_000_000  # bytes of the wheel


def release(folder: Path, commit: str = "HEAD") -> list[Path]:
    """Writes the files of a release into the folder and returns them.

    Raises SystemExit if a file is not fit to be published, and CalledProcessError if a step fails.
    """
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["SOURCE_DATE_EPOCH"] = told_by_git("show", "--no-patch", "--format=%ct", commit).strip()
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place, "tree")
        export(commit, tree)
        (tree / BILL).write_text(bill_of(tree / PACKAGE), encoding="utf-8")  # hatch_build.py puts it into the wheel
        bill = Path(shutil.copy(tree / BILL, folder / f"mulligan-{mulligan.__version__}.cdx.json"))
        archive = hatch("sdist", tree, folder)
        with tarfile.open(archive) as opened:
            opened.extractall(place, filter="data")
        source = Path(place, archive.name.removesuffix(".tar.gz"))
        wheel = hatch("wheel", source, folder)
    files = [archive, wheel]
    if check([str(file) for file in files], strict=True):
        raise SystemExit("These files are not fit to be published.")
    if wheel.stat().st_size > MOST:
        raise SystemExit(f"{wheel.name} has more than {MOST / 1e6:.0f} MB.")
    return [*files, bill]


def export(commit: str, tree: Path) -> None:
    """Writes the files of a commit, and what is built from them."""
    tree.mkdir()
    packed = tree.with_suffix(".tar")
    told_by_git("archive", "--output", str(packed), commit)
    with tarfile.open(packed) as opened:
        opened.extractall(tree, filter="data")
    shutil.copytree(ROOT / PACKAGE / "client", tree / PACKAGE / "client")
    prepared = tree / PACKAGE / PREPARED.name
    prepared.mkdir()
    shutil.copy(built(), prepared)
    subprocess.run([sys.executable, str(tree / "tools" / "manual.py")], check=True, stdout=subprocess.DEVNULL)


def hatch(target: str, tree: Path, folder: Path) -> Path:
    """Builds an archive of a tree. Returns its file."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    subprocess.run(command, cwd=tree, check=True, stderr=subprocess.PIPE)
    return folder / f"mulligan-{mulligan.__version__}{SUFFIXES[target]}"


def told_by_git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "dist" / "release")
    for file in release(parser.parse_args().folder):
        print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
