# /// script
# requires-python = ">=3.11"
# dependencies = ["mulligan[envs]", "jax", "optax"]
#
# [tool.uv.sources]
# mulligan = { path = "../.." }
# ///
"""PPO with action masks in one file: a net learns to beat a computer player, then plays holes that it has not seen.

    python docs/examples/ppo.py [--game play_nine] [--opponent greedy] [--minutes 10] [--seed 1] [--on gpu]

With `--opponent itself` it plays both seats. On a GPU the tables, too, stay there; `--beat greedy,club` says how long
it takes to play better than each of these.

Proximal policy optimisation (Schulman et al. 2017) with generalised advantage estimation (Schulman et al. 2016). The
only reward comes at the end of a hole: how many strokes fewer than the opponent's.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # else JAX takes most of a GPU's memory at once

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import optax

from mulligan.envs import Setup

MAX_SLOTS, OTHER_MOVES = 12, 4  # the moves: slots, then stock, discard, discard the drawn card, pass
WIDTH = 128  # of the net
STROKES = 10.0  # rewards are learned in tens of strokes
RATE, LAMBDA, CLIP, ENTROPY, VALUE_WEIGHT = 1e-3, 0.85, 0.2, 0.06, 0.5
EPOCHS, MINIBATCHES = 2, 16

Policy = Callable[[np.ndarray, np.ndarray], np.ndarray]  # from observations and masks to moves

OPTIMISER = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(RATE, eps=1e-5))


class Net:
    """Reads all slots alike and rates all slots alike, so that what it learns of one slot holds for all.

    A slot is its card and the other cards of its lines. The table is the sum of each side's slots, and the rest of the
    observation.
    """

    def __init__(self, setup: Setup) -> None:
        self.layout, rules = setup.layout, setup.rules[0]
        self.slots, self.faces = int(rules.slots), int(rules.faces)
        lines = rules.line_slots[: rules.lines, : rules.line_length]
        same_line = np.zeros((self.slots, self.slots), np.float32)
        for line in lines:
            same_line[np.ix_(line, line)] = 1
        self.beside = same_line * (1 - np.eye(self.slots, dtype=np.float32))
        self.rest = self.layout.size - self.layout.parts["layouts"].place.stop
        self.scale = 1 / np.clip(self.layout.high, 1, 50).astype(np.float32)

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
def advantages(values: Any, players: Any, rewards: Any, over: Any, last: Any) -> jax.Array:
    """Generalised advantage estimation; arrays of shape (steps, tables).

    What is good for one of two players is as bad for the other, so where the next move is the other's, what comes
    counts negated.
    """

    def back(after: Any, now: Any) -> Any:
        (advantage, next_value, next_player), (value, player, reward, over) = after, now
        ours = jnp.where(next_player == player, 1, -1)
        advantage = reward + (1 - over) * ours * (next_value + LAMBDA * advantage) - value
        return (advantage, value, player), advantage

    end = (jnp.zeros_like(last[0]), *last)
    return jax.lax.scan(back, end, (values, players, rewards, over), reverse=True)[1]


def loss(weights: Any, net: Net, seen: Any, mask: Any, move: Any, old_log: Any, advantage: Any, goal: Any) -> jax.Array:
    logs, value = net(weights, seen, mask)
    ratio = jnp.exp(jnp.take_along_axis(logs, move[:, None], 1)[:, 0] - old_log)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage).mean()
    entropy = -(jnp.exp(logs) * jnp.where(mask, logs, 0)).sum(1).mean()
    return VALUE_WEIGHT * ((value - goal) ** 2).mean() - gain - ENTROPY * entropy


@partial(jax.jit, static_argnums=0)
def learn(net: Net, weights: Any, state: Any, batch: Any, key: Any) -> Any:
    """Goes over the batch some times, a minibatch at a time. Returns the new weights and state of the optimiser."""
    size = len(batch[0])
    order = jnp.concatenate([jax.random.permutation(epoch, size) for epoch in jax.random.split(key, EPOCHS)])

    def step(now: Any, chosen: Any) -> Any:
        weights, state = now
        slope = jax.grad(loss)(weights, net, *(part[chosen] for part in batch))
        change, state = OPTIMISER.update(slope, state)
        return (optax.apply_updates(weights, change), state), None

    return jax.lax.scan(step, (weights, state), order.reshape(EPOCHS * MINIBATCHES, -1))[0]


def tables_on(on: str, tables: int, game: str, opponents: list[str]) -> Any:
    """Many tables, on the processor or on a GPU, where a new game starts in the step in which one ends."""
    if on == "gpu":
        from mulligan.gpu import DeviceTables

        return DeviceTables(tables, game, opponents=opponents, autoreset_mode="SameStep")
    return gymnasium.make_vec(f"mulligan/{game}-v0", tables, opponents=opponents, autoreset_mode="SameStep")


def train(told: argparse.Namespace) -> Iterator[tuple[int, float, Policy]]:
    """Learns without end. Yields after each round the moves so far, the mean reward in strokes, and the policy."""
    opponents = [] if told.opponent == "itself" else [told.opponent]
    env = tables_on(told.on, told.tables, told.game, opponents)
    take = jnp.from_dlpack if told.on == "gpu" else jnp.asarray
    net = Net(env.setup if told.on == "gpu" else env.unwrapped.setup)
    key, own = jax.random.split(jax.random.key(told.seed))
    weights = net.start(own)
    state, rounds = OPTIMISER.init(weights), 0
    best = jax.jit(lambda weights, seen, mask: net(weights, seen, mask)[0].argmax(1))
    seen, info = env.reset(seed=told.seed)
    seen, mask, player = take(seen), take(info["action_mask"]).astype(bool), take(info["player"])
    while True:
        story = []
        for _ in range(told.steps):
            key, own = jax.random.split(key)
            move, log, value = choose(net, weights, seen, mask, own)
            before = seen, mask, move, log, value, player
            seen, reward, terminated, truncated, info = env.step(move if told.on == "gpu" else np.asarray(move))
            seen, mask, player = take(seen), take(info["action_mask"]).astype(bool), take(info["player"])
            story.append((*before, take(reward) / STROKES, take(terminated) | take(truncated)))
        *decisions, values, players, rewards, overs = map(jnp.stack, zip(*story, strict=True))
        key, own, last = jax.random.split(key, 3)
        gained = advantages(values, players, rewards, overs, (choose(net, weights, seen, mask, last)[2], player))
        batch = [part.reshape(-1, *part.shape[2:]) for part in (*decisions, gained, gained + values)]
        weights, state = learn(net, weights, state, batch, own)
        rounds += 1
        recent = float((rewards * overs).sum() / jnp.maximum(1, overs.sum())) * STROKES
        yield (
            rounds * told.steps * told.tables,
            recent,
            lambda seen, mask, now=weights: np.asarray(best(now, seen, mask)),
        )


def measure(policy: Policy, game: str, opponent: str, holes: int, seed: int) -> tuple[float, float]:
    """Returns the strokes per hole by which it beats the opponent, and half of the 95 % interval; on the processor."""
    env = tables_on("cpu", holes, game, [opponent])
    won, going = np.zeros(holes), np.ones(holes, bool)
    seen, info = env.reset(seed=seed)
    while going.any():
        seen, reward, terminated, truncated, info = env.step(policy(seen, info["action_mask"].astype(bool)))
        won += reward * going
        going &= ~(terminated | truncated)
    return float(won.mean()), 1.96 * float(won.std()) / holes**0.5


def time_to_beat(told: argparse.Namespace, rivals: list[str]) -> dict[str, float | None]:
    """The seconds after which it is surely better than each rival; None if it is not by the end.

    Compiling and measuring do not count.
    """
    found: dict[str, float | None] = dict.fromkeys(rivals)
    passed, step = 0.0, 5.0
    rounds, mark = train(told), step
    next(rounds)  # compiles
    while passed < 60 * told.minutes and None in found.values():
        started = time.time()
        moves, _, policy = next(rounds)
        passed += time.time() - started
        if passed >= mark:
            mark = passed + step
            for rival in [rival for rival, seconds in found.items() if seconds is None]:
                strokes, sure = measure(policy, told.game, rival, told.holes, told.seed + 10**6)
                print(f"{passed:5.0f} s  {moves:14,} moves  {strokes:+7.2f} ± {sure:.2f} over {rival}", flush=True)
                if strokes > sure:
                    found[rival] = passed
    return found


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="play_nine")
    parser.add_argument("--opponent", default="greedy", help="a computer player, or itself")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--tables", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=64, help="moves at each table before it learns")
    parser.add_argument("--holes", type=int, default=10_000, help="of the test at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--on", default="cpu", choices=["cpu", "gpu"], help="where the tables are")
    parser.add_argument("--beat", default="", help="stop once it is better than each of these, such as greedy,club")
    return parser.parse_args(words)


def main() -> None:
    told = arguments()
    if told.beat:
        print(time_to_beat(told, told.beat.split(",")))
        return
    start, recent = time.time(), []
    for number, (moves, strokes, learned) in enumerate(train(told), 1):
        passed, policy = time.time() - start, learned
        recent.append(strokes)
        if number % 20 == 0:
            print(f"{passed:5.0f} s  {moves:12,} moves  {np.mean(recent):+7.2f} strokes per hole", flush=True)
            recent.clear()
        if passed >= 60 * told.minutes:
            break
    rival = "greedy" if told.opponent == "itself" else told.opponent
    better, sure = measure(policy, told.game, rival, told.holes, told.seed + 10**6)
    print(f"{told.holes:,} new holes: {better:+.2f} ± {sure:.2f} strokes per hole better than {rival}")


if __name__ == "__main__":
    main()
