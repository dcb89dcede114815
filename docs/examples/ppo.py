# /// script
# requires-python = ">=3.11"
# dependencies = ["mulligan[envs]", "jax", "optax"]
#
# [tool.uv.sources]
# mulligan = { path = "../.." }
# ///
"""PPO with action masks in one file: a net learns to beat a computer player, then plays holes that it has not seen.

    python docs/examples/ppo.py [--game play_nine] [--opponent greedy] [--minutes 10] [--seed 1]

Proximal policy optimisation (Schulman et al. 2017) with generalised advantage estimation (Schulman et al. 2016). The
only reward comes at the end of a hole: how many strokes fewer than the opponent's.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import optax

import mulligan.envs  # noqa: F401  registers the games

MAX_SLOTS, OTHER_MOVES = 12, 4  # the moves: slots, then stock, discard, discard the drawn card, pass
WIDTH = 128  # of the net
STROKES = 10.0  # rewards are learned in tens of strokes
RATE, LAMBDA, CLIP, ENTROPY, VALUE_WEIGHT = 1e-3, 0.85, 0.2, 0.06, 0.5
EPOCHS, MINIBATCHES = 2, 16

Policy = Callable[[np.ndarray, np.ndarray], np.ndarray]  # from observations and masks to moves


class Net:
    """Reads all slots alike and rates all slots alike, so that what it learns of one slot holds for all.

    A slot is its card and the other cards of its lines. The table is the sum of each side's slots, and the rest of the
    observation.
    """

    def __init__(self, env: Any) -> None:
        self.layout, rules = env.setup.layout, env.setup.rules[0]
        self.slots, self.faces = int(rules.slots), int(rules.faces)
        lines = rules.line_slots[: rules.lines, : rules.line_length]
        same_line = np.zeros((self.slots, self.slots), np.float32)
        for line in lines:
            same_line[np.ix_(line, line)] = 1
        self.beside = same_line * (1 - np.eye(self.slots, dtype=np.float32))
        self.rest = self.layout.size - self.layout.parts["layouts"].place.stop
        self.scale = 1 / np.clip(env.single_observation_space.high, 1, 50).astype(np.float32)

    def start(self, key: jax.Array) -> dict[str, Any]:
        """Returns random weights."""
        sizes = {
            "slot": (2 * (self.faces + 1), WIDTH // 2),
            "table": (WIDTH + self.rest, WIDTH),
            "table again": (WIDTH, WIDTH),
            "table for slots": (WIDTH + 2 * self.faces, WIDTH // 2),
            "slot again": (WIDTH // 2, WIDTH // 2),
            "slot move": (WIDTH // 2, 1),
            "other moves and value": (WIDTH, OTHER_MOVES + 1),
        }
        keys = jax.random.split(key, len(sizes))
        return {
            name: (jax.nn.initializers.orthogonal(0.01 if "move" in name else 2**0.5)(own, size), jnp.zeros(size[1]))
            for own, (name, size) in zip(keys, sizes.items(), strict=True)
        }

    def __call__(self, weights: dict[str, Any], flat: jax.Array, mask: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Returns the logarithm of each move's probability, and the value of each table."""

        def layer(name: str, inputs: jax.Array) -> jax.Array:
            return inputs @ weights[name][0] + weights[name][1]

        flat = flat * self.scale
        seen = self.layout.named(flat)
        cards = seen["layouts"]  # (tables, players, slots, faces + 1)
        slots = jax.nn.relu(layer("slot", jnp.concatenate([cards, self.beside @ cards], -1)))
        sides = slots.sum(2)
        table = jnp.concatenate([sides[:, 0], sides[:, 1:].sum(1), flat[:, -self.rest :]], -1)
        table = jax.nn.relu(layer("table again", jax.nn.relu(layer("table", table))))
        in_sight = layer("table for slots", jnp.concatenate([table, seen["held"], seen["discard"]], -1))
        own = jax.nn.relu(layer("slot again", slots[:, 0]) + in_sight[:, None])
        slot_moves = jnp.pad(layer("slot move", own)[..., 0], ((0, 0), (0, MAX_SLOTS - self.slots)))
        others = layer("other moves and value", table)
        moves = jnp.concatenate([slot_moves, others[:, :OTHER_MOVES]], -1)
        return jax.nn.log_softmax(jnp.where(mask, moves, -1e9)), others[:, OTHER_MOVES]


@partial(jax.jit, static_argnums=0)
def choose(net: Net, weights: Any, seen: Any, mask: Any, key: Any) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns a random move by the policy, the logarithm of its probability, and the value."""
    logs, value = net(weights, seen, mask)
    move = jax.random.categorical(key, logs)
    return move, jnp.take_along_axis(logs, move[:, None], 1)[:, 0], value


@jax.jit
def advantages(values: Any, rewards: Any, over: Any, last_value: Any) -> jax.Array:
    """Generalised advantage estimation; arrays of shape (steps, tables)."""

    def back(after: Any, now: Any) -> Any:
        (advantage, next_value), (value, reward, over) = after, now
        advantage = reward + (1 - over) * (next_value + LAMBDA * advantage) - value
        return (advantage, value), advantage

    end = (jnp.zeros_like(last_value), last_value)
    return jax.lax.scan(back, end, (values, rewards, over), reverse=True)[1]


def loss(weights: Any, net: Net, seen: Any, mask: Any, move: Any, old_log: Any, advantage: Any, goal: Any) -> jax.Array:
    logs, value = net(weights, seen, mask)
    ratio = jnp.exp(jnp.take_along_axis(logs, move[:, None], 1)[:, 0] - old_log)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage).mean()
    entropy = -(jnp.exp(logs) * jnp.where(mask, logs, 0)).sum(1).mean()
    return VALUE_WEIGHT * ((value - goal) ** 2).mean() - gain - ENTROPY * entropy


@partial(jax.jit, static_argnums=(0, 1))
def learn(net: Net, optimiser: Any, weights: Any, state: Any, batch: Any, key: Any) -> Any:
    """Goes over the batch some times, a minibatch at a time. Returns the new weights and state of the optimiser."""
    size = len(batch[0])
    order = jnp.concatenate([jax.random.permutation(epoch, size) for epoch in jax.random.split(key, EPOCHS)])

    def step(now: Any, chosen: Any) -> Any:
        weights, state = now
        slope = jax.grad(loss)(weights, net, *(part[chosen] for part in batch))
        change, state = optimiser.update(slope, state)
        return (optax.apply_updates(weights, change), state), None

    return jax.lax.scan(step, (weights, state), order.reshape(EPOCHS * MINIBATCHES, -1))[0]


def train(game: str, opponent: str, minutes: float, tables: int, steps: int, seed: int) -> Policy:
    env = gymnasium.make_vec(f"mulligan/{game}-v0", tables, opponents=[opponent], autoreset_mode="SameStep")
    net = Net(env)
    key, own = jax.random.split(jax.random.key(seed))
    weights = net.start(own)
    optimiser = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(RATE, eps=1e-5))
    state = optimiser.init(weights)
    seen, info = env.reset(seed=seed)
    mask = info["action_mask"].astype(bool)
    start, rounds, recent = time.time(), 0, []
    while not rounds or time.time() - start < 60 * minutes:
        story = []
        for _ in range(steps):
            key, own = jax.random.split(key)
            move, log, value = choose(net, weights, seen, mask, own)
            before = seen, mask, move, log, value
            seen, reward, terminated, truncated, info = env.step(np.asarray(move))
            mask, over = info["action_mask"].astype(bool), terminated | truncated
            story.append((*before, reward / STROKES, over))
            recent += reward[over].tolist()
        *decisions, values, rewards, overs = map(jnp.stack, zip(*story, strict=True))
        key, own, last = jax.random.split(key, 3)
        gained = advantages(values, rewards, overs, choose(net, weights, seen, mask, last)[2])
        batch = [part.reshape(-1, *part.shape[2:]) for part in (*decisions, gained, gained + values)]
        weights, state = learn(net, optimiser, weights, state, batch, own)
        rounds += 1
        if rounds % 20 == 0:
            passed, moves = time.time() - start, rounds * steps * tables
            print(f"{passed:5.0f} s  {moves:12,} moves  {np.mean(recent):+7.2f} strokes per hole", flush=True)
            recent.clear()
    best = jax.jit(lambda seen, mask: net(weights, seen, mask)[0].argmax(1))
    return lambda seen, mask: np.asarray(best(seen, mask))


def measure(policy: Policy, game: str, opponent: str, holes: int, seed: int) -> tuple[float, float]:
    """Returns the strokes per hole by which it beats the opponent, and half of the 95 % interval."""
    env = gymnasium.make_vec(f"mulligan/{game}-v0", holes, opponents=[opponent])
    seen, info = env.reset(seed=seed)
    won, going = np.zeros(holes), np.ones(holes, bool)
    while going.any():
        seen, reward, terminated, truncated, info = env.step(policy(seen, info["action_mask"].astype(bool)))
        won += reward * going
        going &= ~(terminated | truncated)
    return float(won.mean()), 1.96 * float(won.std()) / holes**0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="play_nine")
    parser.add_argument("--opponent", default="greedy")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--tables", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=64, help="moves at each table before it learns")
    parser.add_argument("--holes", type=int, default=10_000, help="of the test at the end")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    policy = train(told.game, told.opponent, told.minutes, told.tables, told.steps, told.seed)
    strokes, sure = measure(policy, told.game, told.opponent, told.holes, told.seed + 10**6)
    print(f"{told.holes:,} new holes: {strokes:+.2f} ± {sure:.2f} strokes per hole better than {told.opponent}")


if __name__ == "__main__":
    main()
