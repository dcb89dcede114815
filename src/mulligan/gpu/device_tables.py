"""Thousands of tables on a GPU, step by step the same as those of `envs.vector` (docs/environments.md)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mulligan.engine.chance import many_dice
from mulligan.envs.many import Results, Shown, look, move_at, new_results, new_shown, show, tell
from mulligan.envs.playing import TABLE, begin
from mulligan.envs.setup import Setup
from mulligan.simulation import LEARNER

from .device import check_device, cuda, cupy, kernel, numba_cuda, numbers_of

SHARED = 48 * 1024  # bytes that the threads of a block share on every device
NUMBER = np.dtype(np.int16)  # of an observation
THREADS = 64  # in a block
MODES = ("NextStep", "SameStep")


class DeviceTables:
    """Plays a move at every table in one call; each thread of the device plays at one.

    Arrays are CuPy's, by table: PyTorch and JAX read them in place (`torch.from_dlpack`, `jax.numpy.from_dlpack`).
    game, setup: as in `Setup`; opponents need no nets.
    autoreset_mode: "NextStep" or "SameStep", as in Gymnasium.
    copy: whether each step returns new arrays. If not, it overwrites those of the step before.
    """

    def __init__(
        self,
        num_envs: int,
        game: str,
        *,
        opponents: Sequence[str | None] = (),
        autoreset_mode: str = "NextStep",
        copy: bool = True,
        **setup: Any,
    ) -> None:
        """Raises ValueError if there is no GPU, or for anything that `Setup` refuses."""
        if autoreset_mode not in MODES:
            raise ValueError(f"autoreset_mode is one of {', '.join(MODES)}, not {autoreset_mode}.")
        if setup.get("recorded"):
            raise ValueError("No records are kept on a GPU: the same seed and moves give the same games with make_vec.")
        numbers = numbers_of([name for name in opponents if name is not None])
        check_device()
        self.setup = Setup(game, opponents, **setup)
        self.num_envs, self.copy, self._same_step = num_envs, copy, autoreset_mode == "SameStep"
        self._xp = cupy()
        row = shared_row(self.setup.layout.size)
        threads = threads_for(row)
        play = kernel(move_here, tuple(numbers))
        self._play_all = play[-(-num_envs // threads), threads, 0, NUMBER.itemsize * row * threads]
        to_device = numba_cuda().to_device
        self._told = (
            to_device(self.setup.rules),
            self.setup.kind,
            self.setup.limit,
            to_device(self._chairs(opponents, numbers)),
            to_device(np.zeros(num_envs, TABLE)),
        )
        self._dice = to_device(many_dice(None, num_envs))
        self._over, self._none = self._xp.ones(num_envs, bool), self._xp.zeros(num_envs, bool)
        self._held: Any = None

    def _chairs(self, opponents: Sequence[str | None], numbers: dict[str, int]) -> np.ndarray:
        """The numbers of the opponents on the device, in their chairs."""
        chairs = np.full(self.setup.seats, LEARNER, np.int64)
        for at in range(self.setup.seats - 1 if opponents else 0):
            name = opponents[at % len(opponents)]
            chairs[1 + at] = LEARNER if name is None else numbers[name]
        return chairs

    def reset(self, *, seed: int | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts a game at every table; table i gets the dice of `seed + i`, or keeps its own without a seed."""
        if seed is not None:
            dice = np.concatenate([many_dice(seed + place, 1) for place in range(self.num_envs)])
            self._dice = numba_cuda().to_device(dice)
        shown, _, _ = self._play(self._xp.zeros(self.num_envs, np.int64), self._xp.ones(self.num_envs, bool))
        self._over = self._none
        return shown.seen, info_of(shown)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Plays a move at every table: whole numbers of shape `(num_envs,)`, on the device or not.

        Returns what Gymnasium's vector environments return. In "SameStep" mode, where a game has just ended, the rows
        of `info["final_obs"]` and of the arrays in `info["final_info"]` show its end; `info["_final_obs"]` says which.
        Raises ValueError for other actions.
        """
        shown, results, last = self._play(self._moves(actions), self._over)
        over = results.terminated | results.truncated
        info = info_of(shown)
        if self._same_step:
            info |= {"final_obs": last.seen, "_final_obs": over, "final_info": info_of(last)}
        self._over = self._none if self._same_step else over
        return shown.seen, results.earned, results.terminated, results.truncated, info

    def _play(self, moves: Any, resting: Any) -> tuple[Shown, Results, Shown]:
        """Plays a move at every table, or starts a game there if it is `resting`."""
        arrays, given = self._arrays()
        self._play_all(*self._told, self._dice, as_given(moves), as_given(resting), *given, self._same_step)
        return arrays

    def _moves(self, actions: Any) -> Any:
        """Raises ValueError for anything but whole numbers, one for each table."""
        is_there = getattr(actions, "__dlpack_device__", lambda: None)() == self._over.__dlpack_device__()
        moves = self._xp.from_dlpack(actions) if is_there else self._xp.asarray(actions)
        if moves.shape != (self.num_envs,) or moves.dtype.kind not in "iu":
            raise ValueError(f"actions are {self.num_envs} whole numbers, not {moves.dtype} of shape {moves.shape}.")
        return self._xp.ascontiguousarray(moves, np.int64)

    def _arrays(self) -> tuple[tuple[Shown, Results, Shown], tuple[Any, ...]]:
        """Arrays for what a step shows, and the same as the kernel takes them."""
        if self._held and not self.copy:
            return self._held
        size, players = self.setup.layout.size, self.setup.seats
        shown = new_shown(self.num_envs, size, players, self._xp)
        last = new_shown(self.num_envs if self._same_step else 1, size, players, self._xp)
        arrays = shown, new_results(self.num_envs, self._xp), last
        self._held = arrays, as_given(arrays)
        return self._held


def shared_row(size: int) -> int:
    """The numbers of an observation, and a gap so that no two threads of a warp write to one bank of shared memory.

    Words of two numbers go to the banks in turn, so a row has an odd number of words.
    """
    return size + (2 - size) % 4


def threads_for(row: int) -> int:
    """How many threads a block has, so that it can hold the observations of its tables."""
    return min(THREADS, SHARED // (NUMBER.itemsize * row))


def as_given(value: Any) -> Any:
    """An array, or a tuple of arrays, as numba-cuda takes it, which is quicker than its own look at CuPy's."""
    if isinstance(value, tuple):
        return type(value)(*map(as_given, value)) if hasattr(value, "_fields") else tuple(map(as_given, value))
    return numba_cuda().as_cuda_array(value) if hasattr(value, "__cuda_array_interface__") else value


def info_of(shown: Shown) -> dict[str, Any]:
    _, masks, rewards, players, illegal = shown
    return {"action_mask": masks, "player": players, "illegal": illegal, "rewards": rewards}


def move_here(rules, kind, limit, chairs, tables, dice, moves, resting, shown, results, last, same_step):
    """Each thread plays a move at its table, and in the same step starts a game where one has ended.

    The threads of a block gather their observations in memory that they share, and write them out together: row by
    row, each number would be a write to memory of its own.
    """
    place, thread, threads, size = cuda.grid(1), cuda.threadIdx.x, cuda.blockDim.x, shown.seen.shape[1]
    rows, row = cuda.shared.array(0, NUMBER), shared_row(size)
    if place < len(tables):
        move_at(place, rules, kind, limit, chairs, None, tables, dice, moves, resting, results, None)
        if same_step and (results.terminated[place] or results.truncated[place]):
            show(rules[0], tables[place], place, last)
            begin(rules[0], kind, limit, chairs, None, tables[place], dice[place], None)
        tell(tables[place], place, shown)
        look(rules[0], tables[place], rows[thread * row : thread * row + size])
    cuda.syncthreads()
    first = place - thread
    for one in range(min(threads, len(tables) - first)):
        for at in range(thread, size, threads):
            shown.seen[first + one, at] = rows[one * row + at]
