"""Data sets: the same bytes from the same seed, legal moves, and values that rollouts confirm."""

import json
from pathlib import Path

import minis
import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from commands import mulligan

from mulligan.study import dataset

pytestmark = pytest.mark.long

PAGE = Path(__file__).parents[1] / "docs/data.md"


def written(folder: Path, game: str, count: int, seed: int = 1, threads: int = 1, rollouts: int = 4) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / "positions.parquet"
    dataset.write_dataset(file, minis.load(game), 2, count, seed, think=10, rollouts=rollouts, threads=threads)
    return file


@pytest.mark.parametrize(("game", "count"), [("mini_columns", 60), ("play_nine", 20)])
def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(game, count, tmp_path, monkeypatch):
    monkeypatch.setattr(dataset, "PIECE", 8)
    one, again, three = (written(tmp_path / str(nth), game, count, 1, threads) for nth, threads in enumerate((1, 1, 3)))
    assert one.read_bytes() == again.read_bytes() == three.read_bytes()
    assert one.with_suffix(".md").read_bytes() == three.with_suffix(".md").read_bytes()
    other = written(tmp_path / "other", game, count, seed=2)
    assert one.read_bytes() != other.read_bytes()
    assert len(pl.read_parquet(one)) == count


@pytest.mark.parametrize("game", ["mini_knock", "play_nine"])
def test_moves_are_legal_and_positions_whole(game, tmp_path):
    variant = minis.load(game)
    for row in pl.read_parquet(written(tmp_path, game, 30)).to_dicts():
        assert row["mask"][row["move"]]
        assert len(row["layouts"]) == 2
        seen = [face for layout in row["layouts"] for face in layout if face >= 0]
        copies = variant.rules.copies[: variant.rules.faces]
        assert (np.bincount(seen, minlength=len(copies)) + row["unseen"] <= copies).all()
        assert np.isfinite(row["value"])
        assert row["error"] >= 0


def test_values_with_a_net_and_by_many_rollouts_agree(tmp_path):
    """Few rollouts of the same positions differ from many by no more than their errors say."""
    few, many = (
        pl.read_parquet(written(tmp_path / str(rollouts), "play_nine", 12, rollouts=rollouts)).to_dicts()
        for rollouts in (8, 64)
    )
    alike = [(one, other) for one, other in zip(few, many, strict=True) if one["move"] == other["move"]]
    assert len(alike) > 6
    for one, other in alike:
        assert one["layouts"] == other["layouts"]
        error = (one["error"] ** 2 + other["error"] ** 2) ** 0.5
        assert abs(one["value"] - other["value"]) < 5 * error + 0.01


def test_the_card_and_the_page_describe_the_file(tmp_path):
    file = written(tmp_path, "mini_columns", 20)
    card = file.with_suffix(".md").read_text()
    facts = json.loads(pq.read_schema(file).metadata[b"mulligan"])
    assert facts["positions"] == 20
    assert facts["faces"] == ["0", "5", "H"]
    assert "20 positions" in card
    assert "seed 1" in card
    table = PAGE.read_text(encoding="utf-8")
    assert [name for name in dataset.JUDGED.names if f"`{name}`" not in table] == []


def test_the_command_writes_file_and_card(tmp_path):
    (tmp_path / "mini.toml").write_text(minis.load("mini_columns").text)
    told = ["--positions", "5", "--game", "mini.toml", "--think", "5", "--rollouts", "2"]
    done = mulligan("dataset", "a.parquet", *told, cwd=tmp_path)
    assert done.stdout == "a.parquet: 5 positions; a.md describes them.\n"
