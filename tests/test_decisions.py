"""Tables of decisions: what the analysis says, a row for each decision."""

import json
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import minis
import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from commands import mulligan

from mulligan import simulation
from mulligan.coach.analysis import analyse
from mulligan.engine.state import MOVES
from mulligan.study import decisions

pytestmark = pytest.mark.long

PAGE = Path(__file__).parents[1] / "docs/data.md"


def records_of(game: str, seats: int = 2, games: int = 1):
    return list(simulation.records(minis.load(game), seats, ["greedy", "random"], 5, games))


def written(file: Path, game: str, seats: int = 2, games: int = 1, threads: int = 1) -> pl.DataFrame:
    decisions.write_decisions(
        file, minis.load(game), records_of(game, seats, games), {"seats": seats, "seed": 5}, threads
    )
    return pl.read_parquet(file)


@pytest.mark.parametrize(("game", "seats"), [("play_nine", 2), ("mini_clear", 3), ("mini_knock", 3), ("four_card", 5)])
def test_a_row_says_what_the_analysis_says(game, seats, tmp_path):
    rows = written(tmp_path / "games.parquet", game, seats).to_dicts()
    told = analyse(records_of(game, seats)[0], minis.load(game))
    events = [
        (hole.hole, event.step, place, seat, event)
        for hole in told.holes
        for place, seat in enumerate(hole.seats)
        for event in seat.moves
    ]
    assert len(rows) == len(events) > 40
    for row, (hole, step, place, seat, event) in zip(rows, sorted(events, key=lambda told: told[:2]), strict=True):
        assert (row["hole"], row["step"], row["seat"]) == (hole, step, seat.player)
        assert row["phase"] == event.phase
        assert row["move"] == event.code
        assert row["loss"] == pytest.approx(event.worth - event.ranked[0].worth, abs=1e-4)
        assert row["value"] == pytest.approx(event.ranked[0].worth, abs=1e-4)
        assert {move for move in range(MOVES) if row["mask"][move]} == {other.code for other in event.ranked}
        shown = [card.luck[place] for card in seat.cards if card.step == step]
        assert row["luck"] == pytest.approx(sum(shown), abs=1e-4)


def test_the_player_who_decides_comes_first_in_every_list(tmp_path):
    rows = written(tmp_path / "games.parquet", "play_nine", 3).filter(pl.col("hole") == 1).to_dicts()
    shown = [[-1] * 8 for _ in range(3)]
    for row in rows:
        order = [(row["seat"] + nth) % 3 for nth in range(3)]
        assert row["layouts"][1:] == [shown[seat] for seat in order[1:]], "others change nothing of theirs meanwhile"
        assert row["totals"] == [0, 0, 0]
        assert len(row["unseen"]) == 14
        shown[row["seat"]] = row["layouts"][0]
        for later in rows:
            if later["step"] > row["step"] and later["seat"] != row["seat"]:
                own = (row["seat"] - later["seat"]) % 3
                shown[row["seat"]] = later["layouts"][own]
                break


def test_results_are_strokes_against_the_others(tmp_path):
    table = written(tmp_path / "games.parquet", "play_nine", 2, games=2)
    points = [[hole["points"] for hole in record["holes"]] for record in records_of("play_nine", games=2)]
    for game, hole, seat, result in table.select("game", "hole", "seat", "result").unique().iter_rows():
        mine, other = points[game][hole - 1][seat], points[game][hole - 1][1 - seat]
        assert result == mine - other


def test_the_same_games_give_the_same_file_whatever_the_threads_and_in_pieces(tmp_path, monkeypatch):
    files = [tmp_path / f"{threads}.parquet" for threads in (1, 3)]
    for file, threads in zip(files, (1, 3), strict=True):
        written(file, "mini_columns", games=20, threads=threads)
    assert files[0].read_bytes() == files[1].read_bytes()
    monkeypatch.setattr(decisions, "PIECE", 100)
    pieces = written(tmp_path / "pieces.parquet", "mini_columns", games=20)
    assert pq.read_metadata(tmp_path / "pieces.parquet").num_row_groups > 3
    assert pieces.equals(pl.read_parquet(files[0]))


def test_the_metadata_name_the_numbers(tmp_path):
    written(tmp_path / "games.parquet", "mini_columns")
    legend = json.loads(pq.read_schema(tmp_path / "games.parquet").metadata[b"mulligan"])
    assert legend["faces"] == ["0", "5", "H"]
    assert legend["moves"] == ["a1", "b1", "a2", "b2", *[None] * 8, "stock", "discard", "discard_drawn", "pass"]
    assert legend["evaluator"] == "reveal"
    assert legend["seed"] == 5


def test_a_stock_made_anew_is_told(tmp_path):
    table = written(tmp_path / "games.parquet", "mini_columns", games=20)
    assert 0 < table["stock"].null_count() < len(table)
    renewed = table.filter(pl.col("stock").is_not_null())
    sizes = np.array([sum(stock) for stock in renewed["stock"].to_list()])
    assert (sizes == renewed["stock_left"].to_numpy()).all()


def test_the_examples_of_the_page_run(tmp_path):
    text = PAGE.read_text(encoding="utf-8")
    command = re.search(r"\$ mulligan (simulate .*)", text)[1].replace("--games 100", "--games 2")
    mulligan(*command.split(), cwd=tmp_path)
    code = [*re.findall(r"```python\n(.*?)```", text, re.S)]
    query = re.search(r"```sql\n(.*?)```", text, re.S)[1].replace("games.parquet", str(tmp_path / "games.parquet"))
    assert {row[0] for row in duckdb.sql(query).fetchall()} == {"net", "greedy"}
    assert len(code) == 2
    for example in code:
        subprocess.run([sys.executable, "-c", example], cwd=tmp_path, check=True, capture_output=True)


def test_the_page_describes_every_column():
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index("### The columns") :]
    assert [name for name in decisions.DECISION.names if f"`{name}`" not in table] == []
