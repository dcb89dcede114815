"""The tutorial: a notebook without outputs, whose cells run in order."""

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[1] / "docs/tutorials/first_steps.ipynb"
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def cells() -> list[dict[str, Any]]:
    found = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert isinstance(found, list)
    return [cell for cell in found if cell["cell_type"] == "code"]


@pytest.fixture(scope="module")
def after(cells: list[dict[str, Any]]) -> dict[str, Any]:
    """What the cells leave behind when they run in one process, as in a notebook."""
    pytest.importorskip("matplotlib").use("Agg")
    pytest.importorskip("openskill")
    names: dict[str, Any] = {}
    for number, cell in enumerate(cells, 1):
        exec(compile("".join(cell["source"]), f"<cell {number}>", "exec"), names)
    return names


def test_it_is_kept_without_outputs(cells: list[dict[str, Any]]) -> None:
    assert [cell for cell in cells if cell["outputs"] or cell["execution_count"] is not None] == []


def test_the_hole_of_the_careful_player_ends(after: dict[str, Any]) -> None:
    assert after["match"].is_over
    assert after["hole"].is_over


def test_the_coach_explains_every_point(after: dict[str, Any]) -> None:
    for total in after["analysis"].totals:
        assert total.points == pytest.approx(total.at_deal + total.luck + total.mistakes)
    assert after["worst"].loss == max(mistake.loss for mistake in after["analysis"].mistakes)


def test_the_players_stand_in_the_plot_as_in_the_results(after: dict[str, Any]) -> None:
    axes = after["plt"].gca()
    lengths = [bar.get_width() for bar in axes.patches]
    assert [label.get_text() for label in axes.get_yticklabels()][-1] == after["results"]["players"][0]["player"]
    assert lengths == sorted(lengths, reverse=True)


def test_no_player_failed(after: dict[str, Any]) -> None:
    """The plot may hold only what was played, so a tutorial in which a move is refused would mislead."""
    assert {player["player"]: player["failures"] for player in after["results"]["players"]} == {
        "careful": 0, "beginner": 0, "weekend": 0, "greedy": 0
    }  # fmt: skip
