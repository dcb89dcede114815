"""Measures what README and docs say about speed, time and the examples there, and writes it into the pages.

    python bench/figures.py [NAME …]        measures all (make figures; half an hour on an idle machine), or those named
    python bench/figures.py --report        only writes the pages again

Results are kept in docs/figures.json, each with the machine, the commit and the command. tests/test_figures.py compares
the pages with them, and refuses a figure on a page that no result holds. Figures from before results were kept are in
docs/earlier_figures.json, with the commit that published them: a page may keep them, and no new ones come in there.
"""

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
from pathlib import Path
from typing import Any

from marked_parts import replaced, replaced_within
from strength_report import Pairs, read_pieces, strokes

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "docs/figures.json"
BIN = Path(sys.executable).parent
Result = dict[str, Any]  # `figures`, and the `machine`, `commit` and `command` that gave them


def main() -> None:
    names = sys.argv[1:]
    for name in [] if "--report" in names else names or MEASURES:
        print(MEASURES[name], flush=True)
        keep(name, MEASURES[name], SPECIAL[name]() if name in SPECIAL else told_by(MEASURES[name]))
    for page, text in pages(kept()).items():
        (ROOT / page).write_text(text, encoding="utf-8")


def kept() -> dict[str, Result]:
    found: dict[str, Result] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def keep(name: str, command: str, figures: dict[str, Any]) -> None:
    result = {"machine": machine(), "commit": commit(), "command": command, "figures": figures}
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


def commit() -> str:
    return run("git", "rev-parse", "--short", "HEAD")


def run(*command: str, **settings: str) -> str:
    environment = os.environ | settings
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout.strip()


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
        file, before = f"{folder}/games.parquet", seconds_of_children()
        run(*f"{BIN}/mulligan simulate --players net,greedy --seats 2 --games 100 --record {file}".split())
        seconds = seconds_of_children() - before
        rows = pl.read_parquet(file).with_columns(pl.col("player").cast(pl.String), pl.col("phase").cast(pl.String))
    lost = rows.group_by("player", "phase").agg(pl.len(), pl.col("loss").mean()).sort("player", "phase")
    dear = rows.filter(pl.col("loss") > 5).group_by("player", "phase").len().sort("len", descending=True)
    by_phase = [[player, phase, count, round(loss, 2)] for player, phase, count, loss in lost.rows()]
    return {"rows": len(rows), "CPU seconds": seconds, "lost": by_phase, "dear": [list(row) for row in dear.rows()]}


def dataset() -> dict[str, Any]:
    """The processor time of a position, by the difference of two sizes: each run loads and compiles a little."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for positions in ("200", "2200"):
            before = seconds_of_children()
            run(f"{BIN}/mulligan", "dataset", f"{folder}/{positions}.parquet", "--positions", positions)
            found.append(seconds_of_children() - before)
    return {"CPU ms": (found[1] - found[0]) / 2}


def seconds_of_children() -> float:
    """Processor time of the programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def td() -> dict[str, Any]:
    """After how many holes of learning, over whom, and by how many strokes per hole with half of the interval."""
    line = re.compile(r"(?:after +([\d,]+) holes: )?([+-][\d.]+) ± ([\d.]+) strokes per hole over (\w+)")
    found = line.findall(run(sys.executable, *MEASURES["td"].split()[1:]))
    return {"rows": [[holes, over, float(mean), float(half)] for holes, mean, half, over in found]}


def prepare() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        run(str(BIN / "mulligan"), "prepare", MULLIGAN_CACHE=folder)
        return {"seconds": round(time.perf_counter() - started)}


MEASURES = {
    "engine": "python bench/engine.py",
    "environments": "python bench/envs.py",
    "arena": "mulligan arena net greedy --deals 200",
    "exploit": "mulligan exploit club --rounds 40 --deals 300",
    "decisions": "mulligan simulate --players net,greedy --seats 2 --games 100 --record games.parquet",
    "dataset": "mulligan dataset positions.parquet --positions 2200",
    "prepare": "mulligan prepare",
    "luck": "python bench/analysis.py --luck --only play_nine --holes 20000",
    "study": "python bench/study.py",
    "td": "python docs/examples/td.py --others random beginner weekend regular club pro",
    "moves": "python bench/load.py moves --tables 400 --rate 1500 --seconds 4 --runs 2",
    "overload": "python bench/load.py overload --tables 1000 --rate 3000 --flood 500 --seconds 3 --runs 1",
    "idle": "python bench/load.py idle --tables 1000",
    "start": "python bench/load.py start --runs 5",
    "restart": "python bench/load.py restart --tables 300",
    "logs": "python bench/logs.py",
    "stores": "python bench/stores.py",
    "spectators": "python bench/spectators.py --spectators 4000 --tables 200 --rate 200 --seconds 5",
}
SPECIAL: dict[str, Callable[[], dict[str, Any]]] = {  # those that tell nothing in JSON, or too much
    "arena": arena, "exploit": exploit, "decisions": decisions, "dataset": dataset, "prepare": prepare, "td": td,
}  # fmt: skip


def pages(results: dict[str, Result]) -> dict[str, str]:
    """What each page says, by its path."""
    found: dict[str, str] = {}
    for page, part, write in PARTS:
        text = found.get(page) or (ROOT / page).read_text(encoding="utf-8")
        found[page] = (replaced_within if part in WITHIN else replaced)(text, part, write(results))
    return found


def search_over_greedy(_: dict[str, Result]) -> str:
    over = Pairs(read_pieces(), "play_nine").over("search", "greedy", "strokes")
    assert over
    return strokes(over).removeprefix("+")


def speed(results: dict[str, Result]) -> str:
    """The sentence in README."""
    result = results["engine"]
    fast, slow = result["figures"]["play_nine, random"], result["figures"]["play_nine, greedy"]
    return f"{fast:.0f} million random moves per second, {1000 * slow:,.0f} thousand by `greedy` ({of(result)})"


def of(result: Result) -> str:
    return f"{result['machine']}, commit {result['commit']}, `{result['command']}`"


def engine_shares(results: dict[str, Result]) -> str:
    rows = ["| processor | commit | share of the yardstick's moves |", "|---|---|---|"]
    for result in (result for name, result in results.items() if name.startswith("share")):
        least, most = result["figures"]["least"], result["figures"]["most"]
        rows.append(f"| {result['machine']} | {result['commit']} | {least:g} to {most:g} |")
    one = results["engine"]
    return "\n".join([*rows, f"| {one['machine']} | {one['commit']} | {one['figures']['share']:.2f} |"])


ROWS = {  # what the table of docs/environments.md calls the rounds of bench/envs.py
    "`make_vec`, 2,048 tables, `copy=False`": "make_vec, every seat, no copies",
    "the same with copies": "make_vec, every seat",
    "the same in `SameStep` mode": "make_vec, every seat, SAME_STEP",
    "the same against `greedy`": "make_vec, against greedy",
    "`gymnasium.make`": "gymnasium.make",
    "PettingZoo `raw_env`": "raw_env",
    "PettingZoo `env`": "env",
    "beside it, Leduc hold'em, `raw_env`": "leduc_holdem_v4, raw_env",
    "beside it, Leduc hold'em, `env`": "leduc_holdem_v4, env",
    "OpenSpiel": "mulligan_play_nine",
    "beside it, its fastest game in Python, Kuhn poker": "python_kuhn_poker",
}


def environment_speeds(results: dict[str, Result]) -> str:
    result = results["environments"]
    found = {row: result["figures"][name] for row, name in ROWS.items() if name in result["figures"]}
    rows = [f"| {row} | {speed:,.0f} |" for row, speed in found.items()]
    return "\n".join(["| thousand moves per second | |", "|---|--:|", *rows, "", f"On {of(result)}."])


def arena_table(results: dict[str, Result]) -> str:
    rows = ["| player | points | strokes | luck-adjusted | rating |", "|---|---|---|---|---|"]
    for player in results["arena"]["figures"]["players"]:
        both = (strokes([player[name], player[f"{name}_interval"]]) for name in ("strokes", "adjusted"))
        rating = f"{player['rating']['mu']:.1f} ± {player['rating']['sigma']:.1f}"
        rows.append(f"| {player['player']} | {player['points']:.2f} | {' | '.join(both)} | {rating} |")
    return "\n".join(rows)


def narrower(results: dict[str, Result]) -> str:
    return f"{results['arena']['figures']['narrower']['by_luck_adjustment']:.1f} times"


def lost_by_phase(results: dict[str, Result]) -> str:
    rows = [f"| {' | '.join(map(str, row))} |" for row in results["decisions"]["figures"]["lost"]]
    return "\n".join(["| player | phase | decisions | lost |", "|---|---|---|---|", *rows])


def dear_moves(results: dict[str, Result]) -> str:
    return ", ".join(
        f"`{player}` {moves} at `{phase}`" for player, phase, moves in results["decisions"]["figures"]["dear"]
    )


def time_to_prepare(results: dict[str, Result]) -> str:
    return f"{results['prepare']['figures']['seconds']} seconds on {results['prepare']['machine']}"


PARTS: list[tuple[str, str, Callable[[dict[str, Result]], str]]] = [
    ("README.md", "search", search_over_greedy),
    ("README.md", "speed", speed),
    ("README.md", "narrower", narrower),
    ("docs/environments.md", "engine", engine_shares),
    ("docs/environments.md", "environments", environment_speeds),
    ("docs/arena.md", "arena", arena_table),
    ("docs/arena.md", "narrower", narrower),
    ("docs/data.md", "lost", lost_by_phase),
    ("docs/data.md", "dear", dear_moves),
    ("docs/operations.md", "prepare", time_to_prepare),
]
WITHIN = {"search", "speed", "narrower", "dear", "prepare"}  # parts of a sentence


if __name__ == "__main__":
    main()
