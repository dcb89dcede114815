"""The example of learning by temporal differences (docs/examples/td.py) learns."""

import sys
from pathlib import Path

import pytest

from mulligan.envs.learning_table import Table
from mulligan.envs.setup import Setup

sys.path.append(str(Path(__file__).parents[2] / "docs" / "examples"))


@pytest.mark.long
def test_after_six_hundred_holes_it_plays_ten_strokes_better():
    from td import Learner, measure, train

    table = Table(Setup("play_nine", ["greedy"]))
    before, _ = measure(Learner(table.setup), table, holes=100)
    table.reset(seed=1)
    *_, learner = train(table, holes=600)
    after, _ = measure(learner, table, holes=100)
    assert after > before + 10
