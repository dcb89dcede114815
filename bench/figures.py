"""Measures what README and docs say about speed, time, memory and the examples there, and writes it into the pages.

    python bench/figures.py [NAME …]        measures all (make figures; an hour on an idle machine), or those named
    python bench/figures.py --report        only writes the pages again

Results are kept in docs/figures.json, each with the machine, the commit and the command. What each page says of them
is in figures_play.py and figures_servers.py. tests/test_figures.py compares the pages with the results, and refuses a
measured figure on a page that no result holds. The results on strength and on the coach have files of their own
(strength.py and calibration.py).
"""

import argparse
import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from figures_kept import KEPT, ROOT, kept
from figures_report import pages

BIN = Path(sys.executable).parent
LEARNED = r"(\d+) s +([\d,]+) moves +([+-][\d.]+) strokes per hole"  # a line of the PPO example


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MEASURES))
    parser.add_argument("--report", action="store_true", help="only write the pages again")
    wanted = parser.parse_args()
    for name in set(wanted.names) - set(MEASURES):
        parser.error(f"There is no measure {name!r}; there are {', '.join(MEASURES)}.")
    for name in [] if wanted.report else wanted.names or MEASURES:
        print(MEASURES[name], flush=True)
        keep(name, MEASURES[name], SPECIAL[name]() if name in SPECIAL else told_by(MEASURES[name]))
    for page, text in pages(kept()).items():
        (ROOT / page).write_text(text, encoding="utf-8")


def keep(name: str, command: str, figures: Any) -> None:
    """Stores the result, with four digits of each figure."""
    rounded = json.loads(json.dumps(figures), parse_float=lambda figure: float(f"{float(figure):.4g}"))
    result = {"machine": machine(), "commit": commit(), "command": command, "figures": rounded}
    KEPT.write_text(json.dumps(kept() | {name: result}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def machine() -> str:
    """The processor, its cores, and how busy it was."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    about = dict([part.strip() for part in line.split(":", 1)] for line in lines if ":" in line)
    name = about.get("model name") or platform.processor() or platform.machine()
    kind = f" (family {about['cpu family']}, model {about['model']})" if "cpu family" in about else ""
    load = f", load {os.getloadavg()[0]:.0f}" if hasattr(os, "getloadavg") else ""
    return f"{name}{kind}, {os.cpu_count()} cores{load}"


@cache
def commit() -> str:
    """The last commit, with a `+` after it where files had changed since when the first result was stored."""
    return run("git", "describe", "--always", "--exclude=*", "--dirty=+")


def run(*command: str, **settings: str) -> str:
    environment = os.environ | settings
    ended = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    if ended.returncode:
        sys.exit(f"{ended.stdout}\n{' '.join(command)} ended with status {ended.returncode}; nothing was stored.")
    return ended.stdout.strip()


def told_by(script: str) -> dict[str, Any]:
    """What a script tells with `--json`, in its last line."""
    found: dict[str, Any] = json.loads(run(sys.executable, *script.split()[1:], "--json").splitlines()[-1])
    return found


def arena() -> dict[str, Any]:
    told = json.loads(run(str(BIN / "mulligan"), "arena", "net", "greedy", "--deals", "200", "--json"))
    return {"players": told["players"], "narrower": told["narrower"]}


def exploit() -> dict[str, Any]:
    return {"printed": run(f"{BIN}/mulligan", *MEASURES["exploit"].split()[1:]).split("\n")}


def decisions() -> dict[str, Any]:
    """What docs/data.md asks of the games that it has played."""
    import polars as pl

    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/games.parquet"
        run(*f"{BIN}/mulligan simulate --players net,greedy --seats 2 --games 100 --record {file}".split())
        rows = pl.read_parquet(file).with_columns(pl.col("player").cast(pl.String), pl.col("phase").cast(pl.String))
    lost = rows.group_by("player", "phase").agg(pl.len(), pl.col("loss").mean()).sort("player", "phase")
    dear = rows.filter(pl.col("loss") > 5).group_by("player", "phase").len().sort("len", descending=True)
    by_phase = [[player, phase, count, round(loss, 2)] for player, phase, count, loss in lost.rows()]
    return {"rows": len(rows), "lost": by_phase, "dear": [list(row) for row in dear.rows()]}


def dataset() -> dict[str, Any]:
    """The processor time of a position, by the difference of two sizes: each run loads and compiles a little."""
    spent = [seconds_of_children()]
    with tempfile.TemporaryDirectory() as folder:
        for positions in ("200", "2200"):
            run(f"{BIN}/mulligan", "dataset", f"{folder}/{positions}.parquet", "--positions", positions)
            spent.append(seconds_of_children())
    start, few, many = spent
    return {"CPU ms": ((many - few) - (few - start)) / 2}


def seconds_of_children() -> float:
    """Processor time of the programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def failures() -> dict[str, Any]:
    """What the long test prints: how often what failed, and until when."""
    variable, *command = MEASURES["failures"].split()
    printed = run(str(BIN / command[0]), *command[1:], **dict([variable.split("=")]))
    return dict(re.findall(r"^ *(\S.*?)  +(\S.*)$", printed, re.M))


def td() -> dict[str, Any]:
    """After how many holes of learning, over whom, and by how many strokes per hole with half of the interval."""
    line = re.compile(r"(?:after +([\d,]+) holes: )?([+-][\d.]+) ± ([\d.]+) strokes per hole over (\w+)")
    found = line.findall(run(sys.executable, *MEASURES["td"].split()[1:]))
    return {"rows": [[holes, over, float(mean), float(half)] for holes, mean, half, over in found]}


def ppo() -> dict[str, Any]:
    """The strokes per hole over `greedy` after some minutes and in the test at the end, and how many moves it took."""
    printed = run(sys.executable, *MEASURES["ppo"].split()[1:])
    lines = [[float(part.replace(",", "")) for part in found] for found in re.findall(LEARNED, printed)]
    rows = [[minute, max(line for line in lines if line[0] <= 60 * minute)[2]] for minute in (1, 2, 3, 5, 10)]
    tested = re.search(r"holes: ([+-][\d.]+) ± ([\d.]+)", printed)
    assert tested
    return {"rows": rows, "tested": [float(part) for part in tested.groups()], "million moves": lines[-1][1] / 1e6}


def prepare() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        run(str(BIN / "mulligan"), "prepare", MULLIGAN_CACHE=folder)
        return {"seconds": round(time.perf_counter() - started)}


def site() -> dict[str, Any]:
    run(sys.executable, str(ROOT / "tools" / "manual.py"))  # else the site is without the manual, or has an older one
    with tempfile.TemporaryDirectory() as folder:
        told = run(str(BIN / "mulligan"), "site", folder).replace(",", "")
        manual = sum(file.stat().st_size for file in Path(folder, "docs").rglob("*") if file.is_file())
    found = re.search(r"(\d+) files ([\d.]+) MB", told)
    if not found:
        sys.exit(f"{told}\nThat tells no size.")
    return {"files": int(found[1]), "MB": float(found[2]), "manual_MB": round(manual / 1e6, 1)}


MEASURES = {
    "engine": "python bench/engine.py",
    "environments": "python bench/envs.py",
    "arena": "mulligan arena net greedy --deals 200",
    "exploit": "mulligan exploit club --minutes 3 --deals 300",
    "decisions": "mulligan simulate --players net,greedy --seats 2 --games 100 --record games.parquet",
    "dataset": "mulligan dataset positions.parquet --positions 2200",
    "prepare": "mulligan prepare",
    "site": "mulligan site FOLDER",
    "par": "python bench/analysis.py --only play_nine --holes 20000",
    "counted": "python bench/study.py --only counted",
    "played": "python bench/study.py --only played --holes 1000",
    "points": "python bench/study.py --only points",
    "luck": "python bench/study.py --only luck",
    "td": "python docs/examples/td.py --others random beginner weekend regular club pro",
    "ppo": "python docs/examples/ppo.py",
    "moves": "python bench/load.py moves --tables 800 --rate 2000 --seconds 4 --runs 2",
    "few moves": "python bench/load.py moves --tables 400 --rate 500 --seconds 4 --runs 2",
    "overload": "python bench/load.py overload --tables 2000 --rate 4500 --flood 500 --seconds 6",
    "idle": "python bench/load.py idle --tables 1000",
    "hints": "python bench/load.py hints --runs 5",
    "start": "python bench/load.py start --runs 5",
    "restart": "python bench/load.py restart --tables 300",
    "failures": "MULLIGAN_FAILURES=12 pytest -s tests/server/test_server_installation.py",
    "logs": "python bench/logs.py",
    "minutes": "python bench/minutes.py",
    "stores": "python bench/stores.py",
    "spectators": "python bench/spectators.py --spectators 4000 --tables 200 --rate 200 --seconds 5",
}
SPECIAL: dict[str, Callable[[], dict[str, Any]]] = {  # those that tell nothing in JSON, or too much
    "arena": arena, "exploit": exploit, "decisions": decisions, "dataset": dataset, "prepare": prepare, "site": site,
    "td": td, "ppo": ppo, "failures": failures,
}  # fmt: skip


if __name__ == "__main__":
    main()
