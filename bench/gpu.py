"""What a GPU does: the same games and steps as the processor, how many a second, and how soon PPO plays well on it.

    PYTHONPATH=src python bench/gpu.py [--json FILE] [--minutes 3] [--short]

Needs NumPy, Numba, numba-cuda and CuPy; JAX for the learning. `--short` leaves the learning out.
"""

import argparse
import importlib.util
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mulligan import simulation
from mulligan.engine.chance import many_dice
from mulligan.envs.many import Results, Shown, move_all, new_results, new_shown, start_some
from mulligan.envs.playing import TABLE
from mulligan.envs.setup import Setup
from mulligan.game import shipped, variants
from mulligan.gpu import device
from mulligan.gpu.device_games import simulate_on_gpu
from mulligan.gpu.device_tables import MODES, DeviceTables

SEATS = range(2, 7)
PLAYERS = (["random"], ["greedy"])
TABLES = (1 << 14, 1 << 16, 1 << 18, 1 << 20)
GAME = "play_nine"
WARM_UP, MEASURED = 0.5, 0.5  # seconds of steps
PPO = Path(__file__).parents[1] / "docs/examples/ppo.py"
Told = Callable[[str, Any], None]


class SameTables:
    """The tables of `DeviceTables` on the processor, with the loops of `VectorGolfEnv` but without Gymnasium."""

    def __init__(self, num_envs: int, game: str, autoreset_mode: str, **setup: Any) -> None:
        self.setup, self.same_step = Setup(game, **setup), autoreset_mode == "SameStep"
        self.told = (*self.setup.told, np.zeros(num_envs, TABLE))
        self.shown = new_shown(num_envs, self.setup.layout.size, self.setup.seats)
        self.results, self.over = new_results(num_envs), np.zeros(num_envs, bool)

    def reset(self, seed: int) -> Shown:
        self.dice = np.concatenate([many_dice(seed + place, 1) for place in range(len(self.over))])
        start_some(*self.told, self.dice, ~self.over, self.shown, None)
        return self.shown

    def step(self, moves: np.ndarray) -> tuple[Shown, Results, Shown]:
        """What is shown, the results, and what the tables looked like whose game has ended."""
        move_all(*self.told, self.dice, moves.astype(np.int64), self.over, self.shown, self.results, None)
        over = self.results.terminated | self.results.truncated
        last = Shown(*(array.copy() for array in self.shown))
        if self.same_step:
            start_some(*self.told, self.dice, over, self.shown, None)
        else:
            self.over = over
        return self.shown, self.results, last


def host(array: Any) -> np.ndarray:
    """A copy of an array on the processor."""
    return np.array(array.get() if hasattr(array, "get") else array)


def same_games(game: str, seats: int, players: list[str], matches: int, holes: int) -> bool:
    """Whether the results of matches and of single holes are equal, to the last point."""
    variant = variants.load(game)
    for how in ((matches, 0), (0, holes)):
        one = simulate_on_gpu(variant, seats, players, 1, *how)
        other = simulation.simulate(variant, seats, players, 1, *how)
        sheets = all(
            np.array_equal(getattr(one, name), getattr(other, name)) for name in ("points", "counted", "winners")
        )
        counts = (one.moves, one.playoffs, one.abandoned) == (other.moves, other.playoffs, other.abandoned)
        if not (sheets and counts):
            return False
    return True


def same_steps(tables: int, steps: int, game: str, **options: Any) -> bool:
    """Whether every observation, mask, reward and end of so many steps is equal, with an illegal move now and then."""
    one, other = DeviceTables(tables, game, **options), SameTables(tables, game, **options)
    seen, info = one.reset(seed=1)
    shown, chance = other.reset(1), np.random.default_rng(1)
    for step in range(steps):
        if not same_view(seen, info, shown):
            return False
        moves = np.argmax(shown.masks * chance.random(shown.masks.shape), axis=1)
        if step % 7 == 6:
            moves[step % tables] = 15
        seen, *found, info = one.step(moves)
        shown, results, last = other.step(moves)
        if not all(np.array_equal(host(mine), its) for mine, its in zip(found, results, strict=True)):
            return False
        if "final_obs" in info:
            over = host(info["_final_obs"])
            ended = Shown(*(array[over] for array in last))
            final = {name: host(array)[over] for name, array in info["final_info"].items()}
            if not same_view(host(info["final_obs"])[over], final, ended):
                return False
    return True


def same_view(seen: Any, info: dict[str, Any], shown: Shown) -> bool:
    names = ("action_mask", "rewards", "player", "illegal")
    return all(
        np.array_equal(host(mine), its)
        for mine, its in zip((seen, *(info[name] for name in names)), shown, strict=True)
    )


def identity(tell: Told) -> None:
    """Compares the GPU with the processor, in every game at tables of two to six."""
    for players in PLAYERS:
        same = {
            f"{game}, {seats} seats": same_games(game, seats, players, 20, 500)
            for game in shipped.games()
            for seats in SEATS
            if seats in variants.load(game).seats
        }
        different = [table for table, is_same in same.items() if not is_same]
        tell(f"games of {players[0]} equal to the processor's", f"{len(same) - len(different)} of {len(same)} tables")
        tell(f"games of {players[0]} that differ", different)
    for mode in MODES:
        for opponents in ([], ["random"], ["greedy"]):
            options: dict[str, Any] = {"autoreset_mode": mode, "opponents": opponents, "turn_limit": 30}
            same = {game: same_steps(64, 300, game, **options) for game in shipped.games()}
            rivals = ", ".join(opponents) or "itself"
            tell(
                f"steps against {rivals} in {mode} that differ", [game for game, is_same in same.items() if not is_same]
            )
    whole = same_steps(64, 2000, "four_card", autoreset_mode="NextStep", whole_match=True, seats=3)
    tell("steps of whole matches equal", whole)


def speed_of_games(tell: Told) -> None:
    for players in PLAYERS:
        for tables in TABLES:
            results = simulate_on_gpu(variants.load(GAME), 4, players, 1, holes=tables)
            tell(
                f"million moves/s of {players[0]}, {tables:,} holes, copies included",
                results.moves / results.seconds / 1e6,
            )


def random_policy(tables: int) -> Callable[[Any], Any]:
    """Random legal moves, made on the device."""
    xp = device.cupy()

    def choose(masks: Any) -> Any:
        return xp.argmax(masks * (1 + xp.random.random(masks.shape, xp.float32)), axis=1)

    return choose


def speed_of_steps(tell: Told) -> None:
    """Steps with observations, masks, rewards and autoreset; the moves are chosen outside of what is timed."""
    for opponents in ([], ["random"], ["greedy"]):
        for tables in TABLES:
            env = DeviceTables(tables, GAME, opponents=opponents, autoreset_mode="SameStep", copy=False)
            speed = steps_a_second(env, random_policy(tables))
            tell(f"million steps/s against {', '.join(opponents) or 'itself'}, {tables:,} tables", speed / 1e6)


def steps_a_second(env: DeviceTables, choose: Callable[[Any], Any]) -> float:
    """Measured after as long a warm-up: the first step compiles, games all begin at once, and clocks rise slowly."""
    wait = device.cupy().cuda.Device().synchronize
    _, info = env.reset()
    env.step(choose(info["action_mask"]))
    for seconds in (WARM_UP, MEASURED):
        spent, steps = 0.0, 0
        while spent < seconds:
            moves = choose(info["action_mask"])
            wait()
            started = time.perf_counter()
            *_, info = env.step(moves)
            wait()
            spent, steps = spent + time.perf_counter() - started, steps + env.num_envs
    return steps / spent


def hand_over(tell: Told) -> None:
    """Whether PyTorch and JAX read the arrays in place."""
    env = DeviceTables(64, GAME)
    seen, _ = env.reset(seed=1)
    with_libraries: dict[str, Callable[[Any], Any]] = {}
    if importlib.util.find_spec("torch"):
        import torch

        with_libraries["PyTorch"] = lambda array: torch.from_dlpack(array).cpu().numpy()
    if importlib.util.find_spec("jax"):
        import jax

        with_libraries["JAX"] = lambda array: np.asarray(jax.numpy.from_dlpack(array))
    for name, read in with_libraries.items():
        tell(f"{name} reads the observations", bool(np.array_equal(read(seen), host(seen))))


def learning(minutes: float) -> Callable[[Told], None]:
    """How soon the example with PPO plays better than `greedy` and than `club`."""

    def learn(tell: Told) -> None:
        found = importlib.util.spec_from_file_location("ppo", PPO)
        assert found is not None
        assert found.loader is not None
        example = importlib.util.module_from_spec(found)
        found.loader.exec_module(example)
        words = f"--on gpu --opponent itself --tables 16384 --steps 32 --minutes {minutes} --game {GAME}"
        for rival, seconds in example.time_to_beat(example.arguments(words.split()), ["greedy", "club"]).items():
            tell(f"seconds until PPO beats {rival}", seconds)

    return learn


def parts(told: argparse.Namespace) -> Iterator[Callable[[Told], None]]:
    yield from (identity, hand_over, speed_of_steps, speed_of_games)
    if not told.short:
        yield learning(told.minutes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the results to this file, too")
    parser.add_argument("--minutes", type=float, default=3, help="of learning, at most")
    parser.add_argument("--short", action="store_true", help="without learning")
    told = parser.parse_args()
    if sentence := device.missing():
        sys.exit(sentence)
    name = device.cupy().cuda.runtime.getDeviceProperties(0)["name"].decode()
    results: dict[str, Any] = {"device": name}
    started = time.perf_counter()

    def tell(what: str, value: Any) -> None:
        results[what] = value
        shown = f"{value:,.1f}" if isinstance(value, float) else value if value != [] else "none"
        print(f"{time.perf_counter() - started:6.0f} s  {what:60} {shown}", flush=True)
        if told.json:  # at once: what comes later may fail
            told.json.write_text(json.dumps(results, indent=1))

    print(name)
    for part in parts(told):
        try:
            part(tell)
        except Exception as problem:  # the other parts still tell something
            tell(f"{part.__name__} failed", f"{type(problem).__name__}: {problem}"[:500])


if __name__ == "__main__":
    main()
