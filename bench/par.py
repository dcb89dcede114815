"""Measures par: the points of a seat in a hole if everyone plays well.

    python bench/par.py [HOLES] [GAME-SEATS …]

It writes src/mulligan/coach/par.json, the reference of the analysis. Run it again whenever the nets
change; bench/analysis.py shows whether that was forgotten.
"""

import json
import sys

import numpy as np

from mulligan.coach.par import FILE, play
from mulligan.game import variants
from mulligan.players.net_files import edition


def main() -> None:
    holes = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    pars = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for variant in map(variants.load, variants.games()):
        for seats in variant.seats:
            if sys.argv[2:] and f"{variant.name}-{seats}" not in sys.argv[2:]:
                continue
            means = play(variant, seats, holes)
            error = means.std(ddof=1) / np.sqrt(holes)
            played = edition(variants.for_seats(variant, seats).rules)
            pars.setdefault(played, {})[str(seats)] = round(float(means.mean()), 3)
            print(f"{variant.name:10s} {seats} seats  par {means.mean():6.2f} ± {error:.2f}", flush=True)
            FILE.write_text(json.dumps(pars, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
