"""What Gymnasium and PettingZoo share: the observation and the moves as spaces, and the check of render modes."""

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space

from mulligan.engine.state import MOVES

from .observation import Layout


def observation_space(layout: Layout, named: bool) -> Space:
    """Returns the space of flat observations, or of dicts of the named arrays."""
    if not named:
        return Box(layout.low, layout.high, dtype=np.int16)
    low, high = layout.named(layout.low), layout.named(layout.high)
    return Dict({name: Box(low[name], high[name], dtype=np.int16) for name in layout.parts})


def action_space() -> Discrete:
    return Discrete(MOVES)


def check_render_mode(mode: str | None, modes: list[str]) -> None:
    """Raises ValueError if there is no such mode."""
    if mode not in (None, *modes):
        raise ValueError(f"There is no render mode “{mode}”; there are {', '.join(modes)}.")
