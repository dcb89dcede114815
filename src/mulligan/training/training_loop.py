"""The training loop: rounds of self-play, and gradient steps on what was played in the latest rounds."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mulligan.compute import pieces
from mulligan.compute.digests import digest_of, leaves, program
from mulligan.compute.journal import alone_with
from mulligan.players.values.net import Net

from . import checkpoint, gpu_steps
from .checkpoint import Learned
from .course import Course
from .gradient_steps import study
from .parameters import Plan, net_of
from .rival import Rival
from .samples import columns
from .self_play import SelfPlay

PIECES = 16  # that a round is played in
PIECE = 1250  # positions of a piece, at most
ROUND = PIECES * PIECE  # between two lots of learning
KEPT_ROUNDS = 15  # rounds from which is learned again
BATCH = 256
SMOOTH = 0.02  # how much each round adds to the running mean, which ships; the first rounds count equally
CHECKPOINT = 60.0  # seconds


@dataclass(frozen=True)
class Where:
    """Where self-play (see `pieces.run`) and the gradient steps (see `device_named`) are computed.

    `journal` is the file from which an interrupted run continues.
    """

    on: str = pieces.LOCAL
    threads: int = 0
    journal: Path | None = None
    device: str = "auto"


HERE = Where()


def train(
    rules: Any,
    lay: Plan,
    numbers: np.ndarray,
    rival: Rival,
    course: Course,
    hear: Callable[[float], None] = lambda done: None,
    where: Where = HERE,
) -> np.ndarray:
    """Returns the numbers after a training run that began with these: their mean over the last rounds.

    `hear` is called after each round with the share that is done. While a round is learned, the net as it was
    before plays the next one. Raises what `pieces.run` and `device_named` do, and JournalError if the journal is of
    another run.
    """
    on_gpu = device_named(where.device) == "gpu"
    take_steps = partial(gpu_steps.study, threads=where.threads) if on_gpu else study
    tables = net_of(rules, lay, numbers)
    learned = Learned.nothing(numbers, KEPT_ROUNDS * ROUND, columns(lay))
    facts = facts_of(rules, lay, numbers, rival, course)

    def play(number: int) -> tuple[np.ndarray, np.ndarray]:
        net = net_of(rules, lay, learned.player)
        work = SelfPlay(rules, lay, net, rival, course, [course.seed, number], PIECE)
        results = [work.read(result) for result in pieces.run(work, range(PIECES), where.on, where.threads)]
        return np.concatenate([one for one, _ in results]), np.concatenate([other for _, other in results])

    with alone_with(where.journal), pieces.connected(where.on), ThreadPoolExecutor(1) as background:
        if where.journal:
            checkpoint.read(where.journal, facts, learned)
        started = kept = time.monotonic()
        done = learned.rounds / course.rounds if course.rounds else 0.0
        coming = background.submit(play, learned.rounds)
        while done < 1.0:
            keep(learned, *coming.result())
            learned.player = learned.numbers.copy()
            coming = background.submit(play, learned.rounds + 1)
            learn_round(take_steps, rules, tables, lay, learned, course, done)
            now = time.monotonic()
            done = learned.rounds / course.rounds if course.rounds else (now - started) / 60 / course.minutes
            hear(min(1.0, done))
            if where.journal and now > kept + CHECKPOINT and done < 1.0:
                checkpoint.write(where.journal, facts, learned)
                kept = now
        if where.journal:
            where.journal.unlink(missing_ok=True)
    return learned.smooth.astype(np.float32)


def keep(learned: Learned, positions: np.ndarray, targets: np.ndarray) -> None:
    """Keeps the positions of a round in place of the oldest; if there are too few, some are kept twice."""
    first = learned.rounds % KEPT_ROUNDS * ROUND
    learned.positions[first : first + ROUND] = np.resize(positions, (ROUND, positions.shape[1]))
    learned.targets[first : first + ROUND] = np.resize(targets, ROUND)


def device_named(device: str) -> str:
    """Returns `cpu` or `gpu`; `auto` is a GPU where JAX finds one. Raises ValueError if it is unknown or missing."""
    if device not in ("auto", "cpu", "gpu"):
        raise ValueError(f"--device {device}: the devices are auto, cpu and gpu.")
    missing = gpu_steps.missing() if device != "cpu" else ""
    if device == "gpu" and missing:
        raise ValueError(
            f"--device gpu needs {missing}; pip install 'jax[cuda13]' installs JAX for a GPU from NVIDIA, "
            "and --device cpu learns without one."
        )
    return "cpu" if device == "cpu" or missing else "gpu"


def learn_round(
    take_steps: Callable[..., float], rules: Any, tables: Net, lay: Plan, learned: Learned, course: Course, done: float
) -> None:
    """Takes the gradient steps of a round; `done` is the share of the training that is over.

    Of the net `tables` only the tables of lines and of features are used.
    """
    dice = np.random.default_rng([course.seed, learned.rounds])
    filled = min(KEPT_ROUNDS, learned.rounds + 1) * ROUND
    order = dice.integers(filled, size=course.passes * ROUND)
    steps = learned.rounds * (len(order) // BATCH)
    rate = course.rate * 0.05**done
    take_steps(
        rules, tables, lay, learned.numbers, learned.means, learned.squares,
        learned.positions, learned.targets, order, BATCH, rate, steps,
    )  # fmt: skip
    learned.rounds += 1
    learned.smooth += (learned.numbers - learned.smooth) * max(SMOOTH, 1 / learned.rounds)


def facts_of(rules: Any, lay: Plan, numbers: np.ndarray, rival: Rival, course: Course) -> dict[str, Any]:
    """What decides the result of a training run."""
    return asdict(course) | {
        "seats": lay.seats,
        "rules": digest_of(rules),
        "first net": digest_of(numbers),
        "rival": rival.name,
        "rival's nets": digest_of(*leaves(rival.brain)),
        "Mulligan": program(),
    }
