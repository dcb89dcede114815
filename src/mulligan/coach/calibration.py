"""What a move really costs: the loss that the net sees, corrected by the net's measured error, with an interval.

The net errs, and mostly overrates the moves that it likes best, so that mistakes seem larger than they are.
`bench/calibration.py` plays many of them out, and writes by how much (`calibration.json`) for each net, number of seats
and stage. docs/analysis.md tells how.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import copysign, hypot, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mulligan.compute.digests import digest_of
from mulligan.engine.compiled import compiled
from mulligan.engine.state import Phase, is_last_turn
from mulligan.players.net_files import edition
from mulligan.players.values.brain import Brain

from .findings import CLOSE_CALL, Loss, Rollouts

FILE = Path(__file__).parent / "calibration.json"  # by edition of the rules, number of seats and stage
SURE = 1.96  # standard deviations on either side of an interval
LAST = "last"  # the stage of turns after someone has closed
STAGES = (*(phase.name.lower() for phase in Phase if phase < Phase.OVER), LAST)  # of decisions, by number
LAST_STAGE = len(STAGES) - 1


class Correction(NamedTuple):
    """How the losses of a stage are corrected."""

    scale: float  # above 1 where the net understates them
    excess: float  # strokes by which a large loss is overstated
    spread: float = 0.0  # strokes: the standard deviation of what is left
    bias: float = 0.0  # strokes by which truncated rollouts overstate a loss
    rest: float = 0.0  # strokes: the standard deviation of what is left of their errors, without their noise


def stage_of(state: Any) -> str:
    """Returns the stage of a decision: its phase, or LAST."""
    return STAGES[stage(state)]


@compiled
def stage(state):
    """The number of the stage."""
    return LAST_STAGE if is_last_turn(state) else state.phase


def corrections(rules: Any, brain: Brain, seats: int) -> Mapping[str, Correction]:
    """Returns the corrections by stage, from the nearest number of seats at which this net was measured; else none."""
    return corrections_of(digest_of_net(brain), rules, seats)


def corrections_of(digest: str, rules: Any, seats: int) -> Mapping[str, Correction]:
    """The same, given the digest of the net."""
    of_net = [entry for entry in measured().get(edition(rules), []) if entry["net"] == digest]
    if not of_net:
        return {}
    nearest = min(of_net, key=lambda entry: abs(entry["seats"] - seats))
    return {stage: Correction(*figures) for stage, figures in nearest["stages"].items()}


def digest_of_net(brain: Brain) -> str:
    """Tells a net from others by what it learned: a feature that it does not know changes nothing."""
    rows = brain.net.rows
    if id(rows) not in digests:
        digests[id(rows)] = rows, digest_of(rows)
    return digests[id(rows)][1]


digests: dict[int, tuple[np.ndarray, str]] = {}  # by the number of the object, which is its own as long as it is here


@cache
def measured() -> dict[str, list[dict[str, Any]]]:
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def table_of(corrections: Mapping[str, Correction]) -> np.ndarray:
    """Returns the corrections as compiled code takes them: float64 [stage, 3] with scale, excess and spread.

    A stage that was not measured has a scale of 0.
    """
    return np.array([corrections[stage][:3] if stage in corrections else (0.0, 0.0, 0.0) for stage in STAGES])


def corrected(stated: float, correction: Correction | None) -> Loss:
    """Corrects the loss that the net states: nearly all of a small one may be error, and at most `excess` of any."""
    loss, low, high = correct(float(stated), np.array(correction[:3] if correction else (0.0, 0.0, 0.0)))
    return Loss(loss, None, None) if low != low else Loss(loss, low, high)


@compiled
def correct(stated, correction):
    """The loss and its interval, by a row of `table_of`; nan if there is none."""
    scale, excess, spread = correction[0], correction[1], correction[2]
    if scale == 0 or stated <= 0:
        return max(0.0, stated), np.nan, np.nan
    loss = scale * stated * stated / (stated + excess)
    return loss, loss - SURE * spread, loss + SURE * spread


def is_equal(loss: Loss) -> bool:
    """Returns whether the move cannot be told apart from the best one."""
    return bool(counts_as_equal(loss.loss, np.nan if loss.low is None else loss.low, CLOSE_CALL))


@compiled
def counts_as_equal(loss, low, close_call):
    """The same by the lower end of the interval, or nan. So small a loss is always a close call."""
    return loss <= close_call or low <= 0


def unbiased(found: Rollouts, correction: Correction) -> Rollouts:
    """Takes what truncated rollouts overstate off their result; what is left of their errors widens the interval."""
    loss, half = found.loss - correction.bias, hypot((found.high - found.low) / 2, SURE * correction.rest)
    return replace(found, loss=loss, low=loss - half, high=loss + half)


def refined(loss: Loss, found: Rollouts) -> Loss:
    """Combines a loss with rollouts: each counts by its precision.

    The result stays within one standard error of the rollouts: now and then the net errs by much more than usual, and
    then only they know (a limited translation estimator, Efron and Morris 1971).
    """
    if loss.low is None or loss.high is None:
        return Loss(max(0.0, found.loss), found.low, found.high)
    error = max(found.high - found.low, 1e-9) / (2 * SURE)
    prior, precision = (2 * SURE / max(loss.high - loss.low, 1e-9)) ** 2, 1 / error**2
    both, half = (prior * loss.loss + precision * found.loss) / (prior + precision), SURE / sqrt(prior + precision)
    if abs(both - found.loss) > error:
        both, half = found.loss + copysign(error, both - found.loss), SURE * error
    return Loss(max(0.0, both), both - half, both + half)
