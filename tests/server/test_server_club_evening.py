"""An evening of a club, as docs/club-evening.md tells it: several tables at once, and one ranking of their records."""

import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from served import FRIEND, Browser, play_on

pytestmark = pytest.mark.long
RANKING = Path(__file__).parents[2] / "docs/examples/ranking.py"
TABLES = (("Ann", "Ben"), ("Cyd", "Dee"))
ROUNDS = (TABLES, (("Ann", "Cyd"), ("Ben", "Dee")))  # they change tables in between
LENGTH = {"pace": "instant", "tempo": "quick", "holes": 1}


@pytest.fixture(scope="module")
def records(server, tmp_path_factory):
    """The folder into which the host downloads a file from each table in each round."""
    folder = tmp_path_factory.mktemp("evening")
    host, guests = Browser(server), {name: Browser(server) for table in TABLES for name in table}
    for number, tables in enumerate(ROUNDS, 1):
        for at, names in enumerate(tables, 1):
            file = folder / f"round-{number}-table-{at}.jsonl"
            file.write_bytes(play_one(host, {name: guests[name] for name in names}))
    return folder


def play_one(host, guests):
    """A match at a table whose host only hosts; returns its record."""
    wish = {"game": "six_card", "seats": [FRIEND] * len(guests), "options": LENGTH}
    code = host.http.post("/api/tables", json=wish).json()["table"]
    with ExitStack() as sockets:
        lead = sockets.enter_context(host.at(code))
        seated = []
        for name, guest in guests.items():
            table = sockets.enter_context(guest.at(code))
            assert table.do("Sit", seat=-1, name=name)["is"] == "Accepted"
            table.welcome = next(message for message in table.heard[::-1] if message["is"] == "Welcome")
            seated.append(table)
        assert lead.do("Start")["is"] == "Accepted"
        play_on(*seated)
        finished = seated[0].view["finished"][-1]
    return host.http.get(f"/api/games/{finished}/record").content


def ranked(folder):
    done = subprocess.run([sys.executable, RANKING, folder], capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()], done.stderr


def against_the_table(folder):
    """Of each name, its points minus those of the one other player at the table, a match at a time."""
    found = {}
    for file in folder.iterdir():
        match = json.loads(file.read_text(encoding="utf-8"))
        (one, other), (mine, theirs) = match["players"], match["totals"]
        found.setdefault(one, []).append(mine - theirs)
        found.setdefault(other, []).append(theirs - mine)
    return {name: sum(values) / len(values) for name, values in found.items()}


def one_of(folder):
    return json.loads((folder / "round-1-table-1.jsonl").read_text(encoding="utf-8"))


def test_everyone_stands_in_one_ranking_with_the_best_first(records):
    lines, _ = ranked(records)
    wanted = against_the_table(records)
    assert [float(line[2]) for line in lines] == sorted(float(f"{value:.1f}") for value in wanted.values())
    assert {line[1]: float(line[2]) for line in lines} == {
        name: float(f"{value:.1f}") for name, value in wanted.items()
    }
    assert {line[-2] for line in lines} == {"2"}


def test_who_is_level_shares_a_place(records, tmp_path):
    match = one_of(records) | {"totals": [7, 7], "winners": [0, 1]}
    (tmp_path / "level.jsonl").write_text(json.dumps(match), encoding="utf-8")
    assert [line[0] for line in ranked(tmp_path)[0]] == ["1", "1"]


def test_a_computer_player_is_an_opponent_and_has_no_place(records, tmp_path):
    match = one_of(records) | {"kinds": ["person", "computer"]}
    (tmp_path / "alone.jsonl").write_text(json.dumps(match), encoding="utf-8")
    assert [line[1] for line in ranked(tmp_path)[0]] == [match["players"][0]]


def test_a_score_sheet_counts_once_it_is_finished(tmp_path):
    sheet = {"format": "score sheet 1", "game": "six_card", "players": ["Eve", "Fay"], "totals": [5, 9], "winners": []}
    (tmp_path / "pad.json").write_text(json.dumps(sheet), encoding="utf-8")
    lines, said = ranked(tmp_path)
    assert lines == []
    assert "not over" in said
    (tmp_path / "pad.json").write_text(json.dumps(sheet | {"winners": [0]}), encoding="utf-8")
    assert [line[:3] for line in ranked(tmp_path)[0]] == [["1", "Eve", "-4.0"], ["2", "Fay", "+4.0"]]


def test_what_is_no_record_is_named_and_the_others_count(records, tmp_path):
    (tmp_path / "match.jsonl").write_text(json.dumps(one_of(records)), encoding="utf-8")
    for name, content in {".hidden": b"\x00\xff", "list.json": b"[1]", "other.json": b"{}", "text": b"hello"}.items():
        (tmp_path / name).write_bytes(content)
    lines, said = ranked(tmp_path)
    assert len(lines) == 2
    assert [line.split()[0] for line in said.splitlines()] == [".hidden", "list.json", "other.json", "text"]
