"""What the docs say of calibration, and the corrections of the coach, from the rows in docs/calibration.jsonl."""

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from calibration_chart import Bin, Panel, chart
from marked_parts import replaced

from mulligan.coach.calibration import FILE, LAST, SURE, Correction, corrected, is_equal, refined, unbiased
from mulligan.coach.findings import CLOSE_CALL, Loss, Rollouts
from mulligan.coach.rollouts import POLICY
from mulligan.game import variants

DOCS = Path(__file__).parents[1] / "docs"
KEPT = DOCS / "calibration.jsonl"
PAGE, TABLES = DOCS / "analysis.md", DOCS / "calibration-tables.md"
CHART = DOCS / "pictures" / "calibration.svg"
STAGES = {"tee_off": "teeing off", "take": "taking", "place": "placing", "flip": "turning up", LAST: "last turn"}
MOST_EXCESS = 20.0  # strokes
LEAST_SPREAD = 0.02  # strokes
FEWEST = 20  # mistakes, below which a stage is not corrected
BINS = 4

Group = dict[str, Any]


class Rows(NamedTuple):
    """Rows as arrays, in strokes: what the net says, what it cost when played out, and in truncated rollouts."""

    stated: np.ndarray
    played: np.ndarray
    error: np.ndarray  # the standard error of what it cost
    truncated: np.ndarray
    truncated_error: np.ndarray

    def take(self, which: Any) -> "Rows":
        return Rows(*(part[which] for part in self))

    @classmethod
    def joined(cls, several: "Sequence[Rows]") -> "Rows":
        return cls(*(np.concatenate(parts) for parts in zip(*several, strict=True)))


class Predictions(NamedTuple):
    """Rows with the losses that the coach predicts for them. Its corrections come from other rows."""

    rows: Rows
    coach: np.ndarray  # strokes: the corrected loss
    refined: np.ndarray  # strokes: the same after truncated rollouts, as the page shows it
    differences: np.ndarray  # strokes: the same, but below 0 if the move seems to be better than the net's best one
    shown: np.ndarray  # whether the coach calls it a mistake


class Stage(NamedTuple):
    """A group, with predictions for its mistakes and its moves near the best."""

    group: Group
    mistakes: Predictions
    near: Predictions


def read_groups() -> list[Group]:
    return [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()] if KEPT.exists() else []


def write_all() -> None:
    groups = read_groups()
    for file, text in {**pages(groups), FILE: figures(groups)}.items():
        file.write_text(text, encoding="utf-8")


def pages(groups: list[Group]) -> dict[Path, str]:
    """What the pages and the chart say."""
    stages = [Stage(group, *predictions_of(group)) for group in measured_enough(groups)]
    return {
        PAGE: replaced(PAGE.read_text(encoding="utf-8"), "near", summary(stages)),
        TABLES: replaced(TABLES.read_text(encoding="utf-8"), "calibration", table(stages)),
        CHART: chart(list(panels(stages))),
    }


def figures(groups: list[Group]) -> str:
    """The corrections of every net, as coach/calibration.py reads them."""
    found: dict[str, dict[tuple[int, str], dict[str, list[float]]]] = {}
    for group in measured_enough(groups):
        of_net = found.setdefault(group["edition"], {}).setdefault((group["seats"], group["net"]), {})
        of_net[group["stage"]] = [round(figure, 3) for figure in fit(*rows_of(group))]
    told = {
        edition: [{"seats": seats, "net": net, "stages": stages} for (seats, net), stages in sorted(nets.items())]
        for edition, nets in found.items()
    }
    return json.dumps(told, indent=1, sort_keys=True) + "\n"


def rows_of(group: Group) -> tuple[Rows, Rows]:
    """The mistakes, and the moves near the best."""
    width = len(Rows._fields)
    mistakes, near = (Rows(*np.array(group[kind], float).reshape(-1, width).T) for kind in ("mistakes", "near"))
    return mistakes, near


def fit(mistakes: Rows, near: Rows) -> Correction:
    """The correction by which the mistakes cost in sum what they cost when played out, and what is then left."""
    scale, low, high = max(1.0, float(mistakes.played.sum() / mistakes.stated.sum())), 0.0, MOST_EXCESS
    while high - low > 1e-4:
        middle = (low + high) / 2
        if means(mistakes, Correction(scale, middle)).sum() > mistakes.played.sum():
            low = middle
        else:
            high = middle
    quick, bias = Correction(scale, low), float((mistakes.truncated - mistakes.played).mean())
    every = Rows.joined([mistakes, near])
    return quick._replace(
        spread=deviation(square_errors(every, means(every, quick))),
        bias=bias,
        rest=deviation(square_errors(every, every.truncated - bias) - every.truncated_error**2),
    )


def deviation(squares: np.ndarray) -> float:
    """The standard deviation of errors with these squares, or what may hide in the noise of the playouts."""
    hidden = squares.std() / math.sqrt(len(squares))
    return max(LEAST_SPREAD, math.sqrt(max(hidden, squares.mean())))


def means(rows: Rows, correction: Correction) -> np.ndarray:
    return np.array([corrected(float(stated), correction).loss for stated in rows.stated])


def square_errors(rows: Rows, told: np.ndarray) -> np.ndarray:
    """The squares of what was told, against what was played out, without the noise of the playouts in the mean."""
    return (rows.played - told) ** 2 - rows.error**2


def predictions_of(group: Group) -> tuple[Predictions, Predictions]:
    """For the mistakes and the moves near the best: each half of the rows is corrected by the other half."""
    mistakes, near = rows_of(group)
    by_half = [fit(*(rows.take(slice(1 - half, None, 2)) for rows in (mistakes, near))) for half in range(2)]
    return predict(mistakes, by_half), predict(near, by_half)


def predict(rows: Rows, by_half: list[Correction]) -> Predictions:
    """`by_half` are the corrections for rows with even and with odd numbers."""
    quick, better = [], []
    for nth, (stated, _, _, mean, error) in enumerate(zip(*rows, strict=True)):
        correction = by_half[nth % 2]
        loss = corrected(float(stated), correction)
        found = Rollouts(0, POLICY, mean, mean - SURE * error, mean + SURE * error)
        quick.append(loss)
        better.append(refined(loss, unbiased(found, correction)) if stated > CLOSE_CALL else loss)
    coach, after = (np.array([loss.loss for loss in losses]) for losses in (quick, better))
    differences = np.array([difference(loss) for loss in better])
    return Predictions(rows, coach, after, differences, np.array([not is_equal(loss) for loss in quick], bool))


def difference(loss: Loss) -> float:
    """The mean of a loss before it was cut at 0: the interval is not."""
    return loss.loss if loss.low is None or loss.high is None else (loss.low + loss.high) / 2


def table(stages: list[Stage]) -> str:
    lines = [
        "| game | seats | stage | moves | net | coach | refined | played out | called mistakes: coach, played out "
        "| near the best | net errs | coach errs | refined errs |",
        "|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for group, mistakes, near in stages:
        played, coach, shown = mistakes.rows.played, mistakes.coach, mistakes.shown
        cells = [
            title_of(group["game"]), str(group["seats"]), STAGES[group["stage"]], str(len(played)),
            f"{mistakes.rows.stated.mean():.2f}", f"{coach.mean():.2f}", f"{mistakes.refined.mean():.2f}",
            with_interval(played),
            f"{shown.sum()}: {coach[shown].mean():.2f}, {with_interval(played[shown])}" if shown.any() else "0",
            str(len(near.coach)),
            *(error_of(near.rows, loss) for loss in (near.rows.stated, near.coach, near.differences)),
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def summary(stages: list[Stage]) -> str:
    """The errors near the best in all stages together, except last turns, which are exact."""
    parts = []
    for seats in sorted({stage.group["seats"] for stage in stages}):
        near = [stage.near for stage in stages if stage.group["seats"] == seats and stage.group["stage"] != LAST]
        rows = Rows.joined([one.rows for one in near])
        coach = error_of(rows, np.concatenate([one.coach for one in near]))
        after = error_of(rows, np.concatenate([one.differences for one in near]))
        parts.append(f"by {coach} strokes at {seats} seats (refined: {after})")
    return f"Near the best, in all games and in all stages but last turns, the coach errs {' and '.join(parts)}."


def panels(stages: list[Stage]) -> Iterator[Panel]:
    """One for each game and number of seats: the mistakes of each stage in bins."""
    by_table: dict[tuple[str, int], list[Bin]] = {}
    for group, (mistakes, coach, *_), _ in stages:
        order = np.argsort(mistakes.stated, kind="stable")
        bins = by_table.setdefault((group["game"], group["seats"]), [])
        for part in np.array_split(order, min(BINS, len(order))):
            played = mistakes.played[part]
            half = SURE * played.std(ddof=1) / math.sqrt(len(part)) if len(part) > 1 else 0.0
            bins.append(Bin(float(mistakes.stated[part].mean()), float(coach[part].mean()), float(played.mean()), half))
    for (game, seats), bins in by_table.items():
        yield Panel(f"{title_of(game)}, {seats} seats", bins)


def measured_enough(groups: list[Group]) -> list[Group]:
    """The groups that can be corrected, in the order of the table."""
    order = list(STAGES)
    enough = [group for group in groups if len(group["mistakes"]) >= FEWEST]
    return sorted(enough, key=lambda group: (group["game"], group["seats"], order.index(group["stage"])))


def title_of(game: str) -> str:
    return variants.load(game).title


def with_interval(values: np.ndarray) -> str:
    if len(values) < 2:
        return f"{values.mean():.2f}"
    return f"{values.mean():.2f} ± {SURE * values.std(ddof=1) / math.sqrt(len(values)):.2f}"


def error_of(rows: Rows, told: np.ndarray) -> str:
    return f"{math.sqrt(max(0.0, square_errors(rows, told).mean())):.2f}" if len(told) else "–"
