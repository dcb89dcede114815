"""What a move really costs: the loss that the net sees, corrected by the net's measured error, with an interval.

The net errs, and mostly overrates the moves that it likes best, so that mistakes seem larger than they are.
`bench/calibration.py` plays many of them out, and writes by how much (`calibration.json`) for each net, number of seats
and stage. docs/analysis.md tells how.
"""

import json
from collections.abc import Mapping
from functools import cache
from math import copysign, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from mulligan.compute.digests import digest_of, leaves
from mulligan.engine.state import NOBODY, Phase
from mulligan.game.close_calls import CLOSE_CALL
from mulligan.players.net_files import edition
from mulligan.players.values.brain import Brain

FILE = Path(__file__).parent / "calibration.json"  # by edition of the rules, number of seats and stage
SURE = 1.96  # standard deviations on either side of an interval
LAST = "last"  # the stage of turns after someone has closed


class Correction(NamedTuple):
    """How the losses of a stage are corrected."""

    scale: float  # above 1 where the net understates them
    excess: float  # strokes by which a large loss is overstated
    spread: float = 0.0  # strokes: the standard deviation of what is left
    bias: float = 0.0  # strokes by which truncated rollouts overstate a loss
    rest: float = 0.0  # strokes: the standard deviation of what is left of their errors, without their noise


class Loss(NamedTuple):
    """What a move costs against the best one, in strokes: the posterior mean, and its 95 % interval if it is known."""

    loss: float
    low: float | None = None
    high: float | None = None

    @property
    def is_equal(self) -> bool:
        """True if the move cannot be told apart from the best one."""
        return self.loss <= CLOSE_CALL or (self.low is not None and self.low <= 0)

    def as_dict(self, digits: int) -> dict[str, Any]:
        """Returns the fields for JSON, rounded to so many decimals; `equal` as in `is_equal`."""
        told = {key: None if value is None else round(float(value), digits) for key, value in self._asdict().items()}
        return told | {"equal": self.is_equal}


def stage_of(state: Any) -> str:
    """Returns the stage of a decision: its phase, or LAST."""
    return LAST if state["closer"] != NOBODY else Phase(int(state["phase"])).name.lower()


def corrections(rules: Any, brain: Brain, seats: int) -> Mapping[str, Correction]:
    """Returns the corrections by stage, from the nearest number of seats at which this net was measured; else none."""
    of_net = [entry for entry in measured().get(edition(rules), []) if entry["net"] == digest_of_net(brain)]
    if not of_net:
        return {}
    nearest = min(of_net, key=lambda entry: abs(entry["seats"] - seats))
    return {stage: Correction(*figures) for stage, figures in nearest["stages"].items()}


def digest_of_net(brain: Brain) -> str:
    return digest_of(*leaves(brain.net))


@cache
def measured() -> dict[str, list[dict[str, Any]]]:
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def corrected(stated: float, correction: Correction | None) -> Loss:
    """Corrects the loss that the net states: nearly all of a small one may be error, and at most `excess` of any."""
    if correction is None or stated <= 0:
        return Loss(max(0.0, stated))
    scale, excess, spread, *_ = correction
    loss = scale * stated * stated / (stated + excess)
    return Loss(loss, loss - SURE * spread, loss + SURE * spread)


def refined(loss: Loss, mean: float, low: float, high: float) -> Loss:
    """Combines a loss with rollouts, their mean and 95 % interval: each counts by its precision.

    The result stays within one standard error of the rollouts: now and then the net errs by much more than usual, and
    then only they know (a limited translation estimator, Efron and Morris 1971).
    """
    if loss.low is None or loss.high is None:
        return Loss(max(0.0, mean), low, high)
    error = max(high - low, 1e-9) / (2 * SURE)
    prior, found = (2 * SURE / max(loss.high - loss.low, 1e-9)) ** 2, 1 / error**2
    both, half = (prior * loss.loss + found * mean) / (prior + found), SURE / sqrt(prior + found)
    if abs(both - mean) > error:
        both, half = mean + copysign(error, both - mean), SURE * error
    return Loss(max(0.0, both), both - half, both + half)
