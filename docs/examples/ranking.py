"""Ranks everyone who played at several tables, by what they lost or won against their own table.

    python docs/examples/ranking.py FOLDER

In the folder are records of matches, as every finished match offers them, and score sheets of the score pad. A match
counts as the points of a player minus the mean of the others at the table: fewer are better. All matches should be of
one game and of the same length, and everyone should have the same name at every table.
"""

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", type=Path)
folder = parser.parse_args().folder
if not folder.is_dir():
    parser.error(f"there is no folder {folder}")

strokes: dict[str, list[float]] = defaultdict(list)
for file in sorted(filter(Path.is_file, folder.iterdir())):
    try:
        matches = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        played = [(match["players"], match["totals"], match["winners"], match.get("kinds")) for match in matches]
    except (ValueError, KeyError, TypeError, AttributeError):  # such as the hidden files of a system
        print(f"{file.name} holds no records, and does not count.", file=sys.stderr)
        continue
    for players, totals, winners, kinds in played:
        if not winners:
            print(f"{file.name}: this match is not over, and does not count.", file=sys.stderr)
            continue
        for name, kind, total in zip(players, kinds or ["person"] * len(players), totals, strict=True):
            if kind == "person":
                strokes[name].append(total - (sum(totals) - total) / (len(totals) - 1))

means = {name: sum(matches) / len(matches) for name, matches in strokes.items()}
for name in sorted(means, key=means.__getitem__):
    place = 1 + sum(mean < means[name] for mean in means.values())
    count = len(strokes[name])
    print(f"{place:3}  {name:20} {means[name]:+6.1f} strokes per match  {count} {'match' if count == 1 else 'matches'}")
