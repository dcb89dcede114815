"""The gradient steps of `gradient_steps` with JAX, on a GPU."""

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from typing import Any

import numpy as np

from mulligan.compute.in_order import in_order
from mulligan.engine.compiled import compiled_with_arrays
from mulligan.players.values.features import WEIGHT
from mulligan.players.values.table_rows import most_rows

from .gradient_steps import MEAN_KEPT, SQUARE_KEPT, TINY
from .parameters import Plan
from .samples import blank_for, note_position, view_in

BATCHES = 6  # sent to the device together; a round has a multiple of it, and JAX compiles for each number anew
ROWS = 32  # a position's rows are filled up to a multiple of it, so that JAX compiles for few widths


def missing() -> str:
    """Returns what is missing for learning on a GPU, or an empty string."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # else JAX takes most of the GPU's memory at once
    try:
        import jax
    except ImportError:
        return "JAX"
    with suppress(RuntimeError, AssertionError):  # where JAX_PLATFORMS names what is not there
        if jax.default_backend() == "gpu":
            return ""
    return "a GPU that JAX can use"


def study(
    rules: Any, net: Any, lay: Plan, numbers: np.ndarray, means: np.ndarray, squares: np.ndarray,
    positions: np.ndarray, targets: np.ndarray, order: np.ndarray, batch: int, rate: float, steps: int,
    threads: int = 0,
) -> float:  # fmt: skip
    """Does what `gradient_steps.study` does, but adds in another order, so the last digits differ.

    The rows are looked up in so many threads (0: one for each core), while the device takes the steps before.
    """
    import jax.numpy as jnp

    count = len(order) // batch
    nth = np.arange(steps + 1, steps + count + 1)
    scales = (rate * np.sqrt(1.0 - 0.999**nth) / (1.0 - 0.9**nth)).astype(np.float32)

    def read(begin: int) -> list[np.ndarray]:
        """The inputs of the steps from one on: arrays [step, position of the batch, …]."""
        sizes = scales[begin : begin + BATCHES]
        chosen = order[begin * batch : (begin + len(sizes)) * batch]
        room = len(chosen), most_rows(rules, lay.seats) + ROWS
        rows, shares = np.zeros(room, np.int32), np.zeros(room, np.float32)
        weights = np.zeros(len(chosen), np.int32)
        most = read_rows(rules, net, lay, positions, chosen, rows, shares, weights)
        most += -most % ROWS
        samples = rows[:, :most], shares[:, :most], weights, targets[chosen]
        return [*(array.reshape(len(sizes), batch, *array.shape[1:]) for array in samples), sizes]

    memory = numbers, means, squares
    learned = tuple(jnp.array(array.reshape(-1, lay.width)) for array in memory)
    losses = []
    for inputs in in_order(read, range(0, count, BATCHES), threads):
        learned, some = steps_with_jax()(learned, inputs)
        losses.append(some)
    for array, found in zip(memory, learned, strict=True):
        array[:] = np.asarray(found).reshape(array.shape)
    return 2 * sum(float(some.sum()) for some in losses) / max(1, count)


@compiled_with_arrays
def read_rows(rules, net, lay, positions, order, rows, shares, weights):
    """Fills in the rows and shares of these positions, and where their weights are. Returns the most rows of one.

    The rows of all views are counted on.
    """
    table, most = blank_for(rules, lay), 0
    for nth in range(len(order)):
        position = positions[order[nth]].copy()  # reading a layout changes it for a moment, and others may read it
        count, first = note_position(rules, net, lay, position, table), view_in(position) * lay.begins[-1]
        for place in range(count):
            rows[nth, place], shares[nth, place] = first + table.rows[place], table.shares[place]
        weights[nth] = first + WEIGHT
        most = max(most, count)
    return most


@cache
def steps_with_jax() -> Callable[[Any, Any], Any]:
    """The function that takes one step for each batch, as `forward`, `backward` and `step` do.

    It multiplies no matrices, which JAX would do with fewer digits on some GPUs.
    """
    import jax
    import jax.numpy as jnp

    def loss(table: Any, rows: Any, shares: Any, weights: Any, targets: Any) -> Any:
        total = (table[rows] * shares[..., None]).sum(axis=1)
        values = total[:, 0] + (table[weights, 1:] * jax.nn.relu(total[:, 1:])).sum(axis=1)
        return ((values - targets) ** 2).mean() / 2

    def step(learned: Any, inputs: Any) -> Any:
        table, means, squares = learned
        *samples, scale = inputs
        lost, slope = jax.value_and_grad(loss)(table, *samples)
        means = MEAN_KEPT * means + (1 - MEAN_KEPT) * slope
        squares = SQUARE_KEPT * squares + (1 - SQUARE_KEPT) * slope * slope
        return (table - scale * means / (jnp.sqrt(squares) + TINY), means, squares), lost

    return jax.jit(partial(jax.lax.scan, step), donate_argnums=0)
