"""Tournaments: the same cards for every seating, results without luck, and players of every kind."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import minis
import numpy as np
import pytest
from commands import mulligan

from mulligan.engine.state import DISCARD_DRAWN, STOCK, Phase
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.game.position_text import game_lines, position_lines
from mulligan.players import net_files
from mulligan.study import arena as arenas
from mulligan.study.arena import Arena
from mulligan.study.contestants import contestants, end_all
from mulligan.study.deck import Deck
from mulligan.study.standings import standings

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[1]
PERL = shutil.which("perl")


def tournament(texts, game="mini_columns", seats=2, deals=10, seed=1, threads=2, timeout=20.0):
    variant = minis.load(game)
    players = contestants(texts, variant, seats, timeout)
    try:
        arena = Arena(variant, seats, players, deals, seed)
        return arena, arena.play(net_files.brain(arena.variant.rules, seats), threads)
    finally:
        end_all(players)


def results(*told, **how):
    return standings(*tournament(*told, **how))


# The deals


@pytest.mark.parametrize("game", ["play_nine", "mini_columns"])
def test_cards_are_the_same_in_every_seating(game):
    """Of two holes of a deal, the face under each slot, and the stock as far as both draw from it."""
    variant = minis.load(game)
    under, stocks = [], []
    for which in (min, max):
        hole, deck = Hole(variant, 2, 0), Deck(variant, 2, b"deal")
        shown, drawn = {}, []
        while not hole.is_over:
            sight = hole.sight
            if hole.awaits_card:
                deck.turn_up(hole)
                face = hole.steps[-1].face
                if sight.awaited == STOCK:
                    drawn.append(face)
                else:
                    shown[sight.turn, sight.awaited] = face
            else:
                moves = hole.legal_moves()
                slots = [move for move in moves if move < STOCK]
                hole.play(DISCARD_DRAWN if DISCARD_DRAWN in moves else which(slots, default=STOCK))
        under.append(shown)
        stocks.append(drawn)
    both = under[0].keys() & under[1].keys()
    assert len(both) == 2 * variant.rules.slots
    assert {place: under[0][place] for place in both} == {place: under[1][place] for place in both}
    least = min(map(len, stocks))
    if game == "play_nine":  # the small pack is used up
        assert stocks[0][:least] == stocks[1][:least]


def test_a_deck_deals_the_pack_and_nothing_else():
    variant = minis.load("mini_columns")
    deck = Deck(variant, 3, b"x")
    cards = [*deck.stock, *(face for layout in deck.layouts for face in layout)]
    assert np.bincount(cards).tolist() == variant.rules.copies[: variant.rules.faces].tolist()


def test_every_group_plays_every_deal_in_every_seating():
    arena, scores = tournament(["greedy", "random", "club", "beginner"], seats=3, deals=2)
    assert len(scores) == arena.holes == 2 * 4 * 3
    for player in range(4):
        seats = [score.task.players.index(player) for score in scores if player in score.task.players]
        assert np.bincount(seats).tolist() == [6, 6, 6]


def test_the_same_player_twice_draws_level_in_every_deal():
    told = results(["greedy", "greedy"], deals=6)
    assert [player["player"] for player in told["players"]] == ["greedy", "greedy 2"]
    for player in told["players"]:
        assert player["strokes"] == player["strokes_interval"] == 0
        assert player["adjusted"] == pytest.approx(0)


def test_the_same_seed_gives_the_same_results_on_any_number_of_threads():
    one, two, other = (
        results(["greedy", "random"], threads=threads, seed=seed) for threads, seed in ((1, 1), (3, 1), (1, 2))
    )
    assert one == two
    assert one != other


# The results


def test_the_luck_adjustment_changes_no_mean():
    """Over 400 deals the mean luck is within four standard errors of nothing."""
    for texts in (["greedy", "random"], ["beginner", "club"]):
        _, scores = tournament(texts, deals=400)
        luck = np.array([(score.strokes - score.adjusted)[0] for score in scores]).reshape(400, 2)
        deals = luck.mean(axis=1)
        assert abs(deals.mean()) < 4 * deals.std(ddof=1) / 20


def test_without_luck_the_interval_is_narrower():
    told = results(["net", "greedy"], "play_nine", deals=25)
    assert told["narrower"]["by_luck_adjustment"] > 1.5
    best, other = told["players"]
    assert best["player"] == "net"
    assert best["adjusted"] == pytest.approx(-other["adjusted"])
    assert best["rating"]["mu"] > other["rating"]["mu"]


def test_intervals_count_a_deal_once():
    arena, scores = tournament(["greedy", "random"], deals=8)
    told = standings(arena, scores)["tables"][0][1]
    seats = [score.task.players.index(1) for score in scores]
    mine = np.array([score.strokes[seat] for score, seat in zip(scores, seats, strict=True)]).reshape(8, 2)
    assert told["player"] == "random"
    assert told["holes"] == 16
    assert told["strokes"] == pytest.approx(mine.mean())
    assert told["strokes_interval"] == pytest.approx(1.96 * mine.mean(axis=1).std(ddof=1) / 8**0.5)


def test_a_hole_that_nobody_closes_ends(monkeypatch):
    monkeypatch.setattr(arenas, "TURN_LIMIT", 2)
    _, scores = tournament(["random", "random"], "nine_card", deals=3)
    assert all(np.isfinite(score.adjusted).all() and score.points.sum() > 50 for score in scores)


# Players


def first_move(hole):
    return hole.legal_moves()[0]


def by_name(hole):
    return "discard" if hole.sight.phase == Phase.TAKE else hole.variant.slots[hole.legal_moves()[0]]


def broken(hole):
    raise RuntimeError("out of ideas")


def wrong(hole):
    return 99


def trying(hole):
    move = hole.legal_moves()[-1]
    hole.play(move)
    return move


def test_a_python_function_plays():
    told = results(["test_arena:first_move", "name=test_arena:by_name", "greedy"], deals=3)
    assert {player["player"] for player in told["players"]} == {"test_arena:first_move", "name", "greedy"}
    assert all(player["failures"] == 0 for player in told["players"])


@pytest.mark.parametrize(
    ("function", "sentence"),
    [("broken", "failed: RuntimeError: out of ideas"), ("wrong", "returned 99, but the legal moves are [0, 1, 2, 3]")],
)
def test_a_function_that_fails_costs_its_hole(function, sentence):
    told = results([f"test_arena:{function}", "greedy"], deals=2)
    failed = told["players"][1]
    assert failed["failures"] == 4
    assert failed["failure"]["what"] == sentence


def test_a_function_may_try_moves_in_its_hole():
    told = results(["test_arena:trying", "greedy"], "four_card", deals=2)
    assert all(player["failures"] == 0 for player in told["players"])


def test_a_player_who_fails_again_and_again_ends_the_arena():
    with pytest.raises(ValueError, match=r"^test_arena:wrong failed 5 times; the last time it returned 99, but"):
        tournament(["test_arena:wrong", "greedy"], deals=9)


@pytest.mark.skipif(PERL is None, reason="there is no Perl here")
@pytest.mark.parametrize(("game", "seats"), [("play_nine", 2), ("mini_clear", 3), ("mini_knock", 2), ("six_card", 2)])
def test_the_program_of_the_page_plays_by_the_rules(game, seats):
    texts = [f"hunter=program:perl {ROOT}/docs/examples/hunter.pl", "random", "random"][:seats]
    told = results(texts, game, seats, deals=3)
    assert told["players"][0]["player"] == "hunter"
    assert told["players"][0]["failures"] == 0


READY = "import sys, os, time\nopen('pid', 'a').write(f'{os.getpid()} ')\nprint('ready')\n"
BAD = {
    "silent": ("time.sleep(99)", r"gave no “move” within 1 s"),
    "endless": ("while True: print('no')", r"gave no “move” within 1 s"),
    "gone": ("sys.stdin.readline(); sys.exit(3)", r"ended by itself \(exit status 3\)"),
    "wrong": ("print('move z9'); time.sleep(99)", r"played “z9”, but the legal moves are a1, b1"),
    "deaf": (
        "list(iter(sys.stdin.readline, 'begin\\n')); os.close(0); time.sleep(99)",
        r"(gave no “move” within 1 s|closed its input or output)",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_program_that_fails_costs_its_hole_and_is_ended(name, tmp_path, monkeypatch):
    code, sentence = BAD[name]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "player.py").write_text(READY + code)
    players = contestants([f"bad=program:{sys.executable} -u player.py", "greedy"], minis.load("mini_columns"), 2, 20.0)
    players[0].program.timeout = 1.0  # also to start again
    arena = Arena(minis.load("mini_columns"), 2, players, 2, 1)
    told = standings(arena, arena.play(net_files.brain(arena.variant.rules, 2), 1))
    end_all(players)
    bad = next(player for player in told["players"] if player["player"] == "bad")
    assert bad["failures"] == 4
    assert re.fullmatch(f"{sentence}.*", bad["failure"]["what"])
    pids = [int(pid) for pid in Path("pid").read_text().split()]
    assert len(pids) >= 4
    assert not any(is_running(pid) for pid in pids)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] not in "ZX"  # a zombie has ended
    except OSError:  # it has ended in between, or there is no such file on this system
        return True


@pytest.mark.skipif(os.name != "posix", reason="processes have groups there only")
def test_what_a_program_started_is_ended_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    child = "import subprocess\nopen('pid', 'a').write(str(subprocess.Popen(['sleep', '99']).pid))\n"
    (tmp_path / "player.py").write_text(READY.replace("open('pid'", "open('own'") + child + "sys.stdin.read()")
    players = contestants([f"program:{sys.executable} -u player.py"], minis.load("mini_columns"), 2, 20.0)
    while not Path("pid").exists() or not Path("pid").read_text():
        time.sleep(0.01)
    end_all(players)
    pid = int(Path("pid").read_text())
    end = time.monotonic() + 30  # a killed process needs a moment
    while is_running(pid):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_position_on_the_page_is_what_a_program_reads():
    variant = variants.load("play_nine")
    hole, deck = Hole(variant, 2, 0), Deck(variant, 2, b"docs")
    while hole.sight.turns < 9 or hole.sight.phase != Phase.PLACE:
        if hole.awaits_card:
            deck.turn_up(hole)
        else:
            hole.play(hole.legal_moves()[0])
    page = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
    assert "\n".join(position_lines(hole)) in page
    words = {line.split()[0] for line in game_lines(variant, 2)}
    assert [word for word in words if f"`{word}" not in page] == []


# The command


def test_the_command_prints_and_draws(tmp_path):
    words = ["arena", "greedy", "random", "--game", "four_card", "--deals", "3", "--json"]
    told = json.loads(mulligan(*words, "--chart", "a.svg", cwd=tmp_path).stdout)
    assert told["deals"] == 3
    assert told["holes"] == 6
    again = mulligan(*words[:-1], "--chart", "b.svg", cwd=tmp_path)
    assert "luck-adjusted" in again.stdout
    assert "Per hole, strokes" in again.stdout
    assert f"{told['players'][0]['strokes']:+.2f}".replace("-", "−") in again.stdout
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert b"greedy" not in again.stderr.encode()


def test_the_python_of_the_page_runs(tmp_path):
    page = (ROOT / "docs/arena.md").read_text(encoding="utf-8")
    policy, library = re.findall(r"```python\n(.*?)```", page, re.S)
    (tmp_path / "policy.py").write_text(policy)
    command = [sys.executable, "-m", "mulligan", "arena", "policy:choose", "random", "--deals", "2", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert json.loads(done.stdout)["players"][0]["failures"] == 0
    done = subprocess.run([sys.executable, "-c", library], capture_output=True, text=True, check=True)
    assert done.stdout == "greedy\n"
