"""Writes the table of docs/benchmark.md from the entries in docs/benchmark.

python bench/benchmark_report.py
"""

import json
from pathlib import Path
from typing import Any

from marked_parts import replaced
from strength_report import heading

from mulligan.game import variants
from mulligan.game.words import minus
from mulligan.study.benchmark import GAMES, VERSION

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "benchmark.md"
NONE = "–"  # for a game that an entry leaves out
Entry = dict[str, Any]


def main() -> None:
    PAGE.write_text(page(entries()), encoding="utf-8")


def entries() -> list[Entry]:
    """The entries by this protocol, the best first and those that leave a game out last."""
    found = [json.loads(file.read_text(encoding="utf-8")) for file in sorted((DOCS / "benchmark").glob("*.json"))]
    ours = [entry for entry in found if entry["benchmark"] == VERSION]
    return sorted(ours, key=lambda entry: (len(entry["games"]) < len(GAMES), -over_games(entry, "adjusted")[0]))


def over_games(entry: Entry, part: str) -> tuple[float, float]:
    """The mean over the games, with half of its interval: as wide as if their luck, from the same seeds, were one."""
    means, halves = zip(*(game[part] for game in entry["games"].values()), strict=True)
    return sum(means) / len(means), sum(halves) / len(halves)


def page(found: list[Entry]) -> str:
    """The page with the table of these entries."""
    titles = [variants.load(game).title for game in GAMES]
    lines = heading("player", "all games, as played", "all games", *titles, "deals", "compute")
    lines += [f"| {' | '.join(row(entry))} |" for entry in found]
    return replaced(PAGE.read_text(encoding="utf-8"), "benchmark", "\n".join(lines))


def row(entry: Entry) -> list[str]:
    games = entry["games"]
    is_whole = len(games) == len(GAMES)
    over_all = [figure(*over_games(entry, part)) if is_whole else NONE for part in ("gained", "adjusted")]
    by_game = [figure(*games[game]["adjusted"]) if game in games else NONE for game in GAMES]
    name = f"[`{entry['name']}`](benchmark/{entry['name']}.json)"
    return [name, *over_all, *by_game, f"{entry['deals']:,}", entry["compute"]]


def figure(mean: float, half: float) -> str:
    return minus(f"{mean:+.2f} ± {half:.2f}")


if __name__ == "__main__":
    main()
