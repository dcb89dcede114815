"""How fast the environments are, beside other games in the same libraries and in the same run.

    python bench/envs.py

Random legal play on one core, with observations and masks unless it says otherwise. A peer that is not installed is
left out: `pip install rlcard pygame` brings PettingZoo's card games.
"""

import json
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import gymnasium
import numpy as np
from yardstick import play_holes

import mulligan.envs  # noqa: F401
from mulligan.engine.chance import many_dice, roll
from mulligan.engine.compiled import compiled

SECONDS = 0.5  # a round
ROUNDS = 7
TABLES = 2048
GAME = "play_nine"
Round = Callable[[], float]  # moves per second


def main() -> None:
    warnings.simplefilter("ignore")
    groups = {
        f"{TABLES:,} tables": many_tables(),
        "Gymnasium": gymnasium_tables(),
        "PettingZoo": pettingzoo_tables(),
        "OpenSpiel, chance nodes included, no observation": openspiel_games(),
    }
    medians: dict[str, float] = {}
    as_json = "--json" in sys.argv  # for bench/figures.py
    out = sys.stderr if as_json else sys.stdout
    for title, makers in groups.items():
        print(f"\n{title}: thousand moves per second, median of {ROUNDS} rounds (least to most)", file=out)
        rounds = {}
        for name, make in makers:
            try:
                rounds[name] = make()
            except ImportError as problem:
                print(f"  {name:42} not installed ({problem.name})", file=out)
        speeds: dict[str, list[float]] = {name: [] for name in rounds}
        for _ in range(ROUNDS):  # in turn, so that a busy moment affects all equally
            for name, play in rounds.items():
                speeds[name].append(play() / 1000)
        for name, found in speeds.items():
            medians[name] = statistics.median(found)
            print(f"  {name:42} {medians[name]:10,.0f}  ({min(found):,.0f} to {max(found):,.0f})", file=out)
    if as_json:
        print(json.dumps({**{name: round(speed, 1) for name, speed in medians.items()}, "versions": dict(versions())}))


def versions() -> Iterator[tuple[str, str]]:
    for package in ("gymnasium", "pettingzoo", "rlcard", "open_spiel"):
        with suppress(PackageNotFoundError):
            yield package, version(package)


def timed(play: Callable[[], int]) -> Round:
    """Makes a round of a function that plays some moves and returns how many."""
    play()

    def once() -> float:
        moves, start = 0, time.perf_counter()
        while time.perf_counter() < start + SECONDS:
            moves += play()
        return moves / (time.perf_counter() - start)

    return once


@compiled
def pick_moves(masks, moves, dice):
    """A random legal move at each table; 0 where the game is over."""
    for place in range(len(masks)):
        legal = 0
        for move in range(len(masks[place])):
            legal += masks[place, move]
        nth = roll(dice, max(1, legal))
        moves[place] = 0
        for move in range(len(masks[place])):
            if masks[place, move]:
                if nth == 0:
                    moves[place] = move
                nth -= 1


def many_tables() -> Iterator[tuple[str, Callable[[], Round]]]:
    yield "yardstick, no observation (bench/yardstick.py)", lambda: timed(lambda: play_holes(1, 2_000)[0])
    settings: dict[str, dict[str, Any]] = {
        "every seat": {},
        "every seat, no copies": {"copy": False},
        "every seat, SAME_STEP": {"autoreset_mode": "SameStep"},
        "every seat, named arrays": {"named": True},
        "against random": {"opponents": ["random"]},
        "against greedy": {"opponents": ["greedy"]},
    }
    for text, options in settings.items():
        yield f"make_vec, {text}", partial(vector, **options)


def vector(**options: Any) -> Round:
    """Measures the steps alone, without choosing moves."""
    tables = gymnasium.make_vec(f"mulligan/{GAME}-v0", TABLES, **options)
    dice, moves = many_dice(1, 1)[0], np.zeros(TABLES, np.int64)
    masks = tables.reset(seed=1)[1]["action_mask"]

    def once() -> float:
        nonlocal masks
        steps, passed = 0, 0.0
        while passed < SECONDS:
            pick_moves(masks, moves, dice)
            start = time.perf_counter()
            *_, info = tables.step(moves)
            passed += time.perf_counter() - start
            steps, masks = steps + 1, info["action_mask"]
        return steps * TABLES / passed

    once()
    return once


def gymnasium_tables() -> Iterator[tuple[str, Callable[[], Round]]]:
    yield "GolfEnv", lambda: timed(single(gymnasium.make(f"mulligan/{GAME}-v0").unwrapped))
    yield "gymnasium.make", lambda: timed(single(gymnasium.make(f"mulligan/{GAME}-v0")))
    yield (
        "gymnasium.make, against greedy",
        lambda: timed(single(gymnasium.make(f"mulligan/{GAME}-v0", opponents=["greedy"]))),
    )


def single(env: gymnasium.Env) -> Callable[[], int]:
    chance = np.random.default_rng(1)

    def play() -> int:
        _, info = env.reset()
        moves, over = 0, False
        while not over:
            legal = info["action_mask"].nonzero()[0]
            _, _, terminated, truncated, info = env.step(legal[int(chance.random() * len(legal))])
            moves, over = moves + 1, terminated or truncated
        return moves

    env.reset(seed=1)
    return play


def pettingzoo_tables() -> Iterator[tuple[str, Callable[[], Round]]]:
    yield "raw_env", lambda: timed(turns(import_module("mulligan.envs.aec").raw_env(GAME)))
    yield "env", lambda: timed(turns(import_module("mulligan.envs.aec").env(GAME)))
    for peer in ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "tictactoe_v3"):
        for kind in ("raw_env", "env"):
            yield f"{peer}, {kind}", partial(peer_turns, peer, kind)


def peer_turns(peer: str, kind: str) -> Round:
    return timed(turns(getattr(import_module(f"pettingzoo.classic.{peer}"), kind)()))


def turns(env: Any) -> Callable[[], int]:
    chance = np.random.default_rng(1)

    def play() -> int:
        env.reset()
        moves = 0
        for _ in env.agent_iter():
            seen, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
            legal = mask.nonzero()[0]
            env.step(legal[int(chance.random() * len(legal))])
            moves += 1
        return moves

    env.reset(seed=1)
    return play


def openspiel_games() -> Iterator[tuple[str, Callable[[], Round]]]:
    for game in (
        f"mulligan_{GAME}",
        "python_kuhn_poker",
        "python_liars_poker",
        "python_tic_tac_toe",
        "python_block_dominoes",
    ):
        yield game, partial(playout, game)


def playout(name: str) -> Round:
    import_module("open_spiel.python.games")
    game, chance = import_module("pyspiel").load_game(name), random.Random(1)

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, odds)[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
            moves += 1
        return moves

    return timed(play)


if __name__ == "__main__":
    main()
