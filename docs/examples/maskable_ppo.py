"""MaskablePPO of sb3-contrib learns against a computer player, then plays holes that it has not seen.

    pip install '.[envs]' stable-baselines3 sb3-contrib     in a clone; brings PyTorch
    python docs/examples/maskable_ppo.py [--game play_nine] [--opponent greedy] [--steps 2000000]

`--record` writes a hole of the test, which `mulligan analyse` explains.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from mulligan.envs import GolfVecEnv


def play(model: MaskablePPO, tables: GolfVecEnv, holes: int, seed: int) -> np.ndarray:
    """Plays at least so many new holes, always the best move, and returns the strokes gained in each.

    Every table plays equally many: those that end first are the short ones.
    """
    tables.seed(seed)
    seen, each = tables.reset(), -(-holes // tables.num_envs)
    gained: list[list[float]] = [[] for _ in range(tables.num_envs)]
    while min(map(len, gained)) < each:
        moves, _ = model.predict(seen, action_masks=tables.action_masks(), deterministic=True)
        seen, rewards, over, _ = tables.step(moves)
        for place in np.flatnonzero(over):
            gained[place].append(float(rewards[place]))
    return np.array([rewards[:each] for rewards in gained]).ravel()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="play_nine")
    parser.add_argument("--opponent", default="greedy")
    parser.add_argument("--steps", type=int, default=2_000_000)
    parser.add_argument("--tables", type=int, default=256)
    parser.add_argument("--length", type=int, default=64, help="Steps at each table between two updates.")
    parser.add_argument("--holes", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path, help="Write a hole of the last test into this file, .jsonl.")
    told = parser.parse_args()
    tables = GolfVecEnv(told.tables, told.game, opponents=[told.opponent])
    model = MaskablePPO(
        "MlpPolicy",
        VecNormalize(VecMonitor(tables), norm_obs=False, gamma=1.0),  # else the large rewards drown the policy's part
        seed=told.seed,
        n_steps=told.length,
        batch_size=told.tables * told.length // 8,
        n_epochs=2,
        gamma=1.0,
        ent_coef=0.02,
        learning_rate=1e-3,
        policy_kwargs={"net_arch": [256, 256]},
        verbose=1,
    )
    model.learn(told.steps)
    tests = GolfVecEnv(min(told.tables, told.holes), told.game, opponents=[told.opponent], recorded=True)
    gained = play(model, tests, told.holes, seed=10**6)
    half = 1.96 * gained.std() / len(gained) ** 0.5
    print(f"{gained.mean():+.2f} ± {half:.2f} strokes per hole over {told.opponent}, {len(gained):,} holes")
    if told.record:
        told.record.write_text(json.dumps(tests.record(0)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
