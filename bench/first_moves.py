"""How soon a fresh installation plays: installs a wheel into a new environment with an empty cache and lets all move.

    python bench/first_moves.py dist/mulligan-0.1.0-py3-none-any.whl

Prints the seconds from the end of the installation until each computer player has moved and the coach has given a hint,
one after the other in one process. The status is 1 if anything was compiled meanwhile. The libraries are those of
the environment that runs this.
"""

import argparse
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from pathlib import Path

PLAY = """
import sys, time
from mulligan.coach.advice import advise
from mulligan.engine.chance import many_dice
from mulligan.game.hole import Game
from mulligan.game.variants import load, games
from mulligan.players import net_files
from mulligan.players.roster import PLAYERS
from mulligan.server import bots

def say(what):
    print(f"{time.time() - float(sys.argv[1]):5.1f} s  {what}", flush=True)

say("everything is imported")
variant, dice = load(games()[0]), many_dice(1, 1)[0]
game = Game(variant, ["", ""], 0)
hole = game.deal()

def let_everyone_move():
    for player in PLAYERS:
        bots.think(player, variant.rules, game.match.copy(), hole.state.copy(), dice)
        say(f"{player} has moved")
    advise(hole)
    say("the coach has given a hint")
    sys.exit()

hole.play_out(let_everyone_move, dice)
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("wheel", type=Path)
    wheel = arguments.parse_args().wheel
    with tempfile.TemporaryDirectory() as place:
        venv.create(place, symlinks=os.name != "nt")
        folder = sysconfig.get_path("purelib", vars={"base": place})
        Path(folder, "libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\n")  # but not what is editable there
        install = ["pip", "--python", place, "install", "--quiet", "--no-index", "--no-deps", str(wheel)]
        subprocess.run([sys.executable, "-m", *install], check=True)
        python = Path(sysconfig.get_path("scripts", vars={"base": place}), "python")
        empty = os.environ | {"MULLIGAN_CACHE": str(Path(place, "cache"))}
        command = [str(python), "-c", PLAY, str(time.time())]
        logged = subprocess.run(command, env=empty, stderr=subprocess.PIPE, text=True, check=True).stderr
    if logged:
        sys.exit(logged)


if __name__ == "__main__":
    main()
