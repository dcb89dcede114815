"""Holes with the same cards for everyone: the rule, the same in the terminal, and its check."""

import copy
import hashlib
import json
import re
from datetime import date
from pathlib import Path

import commands
import pytest

from mulligan.game import named_holes, shuffle, variants
from mulligan.game.referee import Fault
from mulligan.game.verify_shuffles import verify

ROOT = Path(__file__).parents[1]
VECTORS = json.loads((ROOT / "tests/vectors/named_holes.json").read_text(encoding="utf-8"))
PLAY_NINE = variants.load("play_nine")
ANYTHING = [entry for row in "12" for column in "abcd" for entry in ("s", "-", f"{column}{row}")]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["typed"] for vector in VECTORS])
def test_what_people_type_names_a_match_whose_cards_are_the_same_everywhere(vector: dict) -> None:
    name = named_holes.as_word(vector["typed"])
    match = named_holes.match_of(name)
    seed = hashlib.sha256(match.encode()).digest()
    assert (name, match) == (vector["name"], vector["match"])
    assert (named_holes.seed_of(match), shuffle.commitment(seed)) == (seed, vector["fingerprint"])
    pack = named_holes.shuffled(match, 1, [int(copies) for copies in PLAY_NINE.rules.copies], "pack")
    assert [PLAY_NINE.faces[face] for face in pack] == vector["pack"].split()


def test_only_a_day_of_the_calendar_is_a_day() -> None:
    assert named_holes.match_of("2028-02-29").startswith(named_holes.DAY)
    for other in ("2026-02-29", "2026-2-1", "20260201", "2026-W05-1"):
        assert named_holes.match_of(other).startswith(named_holes.WORD)


def played(data: Path, *options: str, typed: list[str] = ANYTHING * 40, code: int = 0) -> str:
    entered = "".join(f"{line}\n" for line in typed)
    return commands.mulligan("play", *options, code=code, typed=entered, MULLIGAN_DATA=str(data)).stdout


def record_in(data: Path) -> dict:
    (file,) = data.glob("games/*.jsonl")
    return json.loads(file.read_text(encoding="utf-8"))


def test_the_terminal_plays_the_hole_of_a_word_also_after_a_pause_and_it_can_be_checked(tmp_path: Path) -> None:
    played(tmp_path, "--word", " Apple  PIE ", typed=["", "a1", "b1", "s", "a1"])
    played(tmp_path, "--resume")
    record = record_in(tmp_path)
    assert record["id"] == named_holes.match_of("apple pie")
    assert [kind for kind in record["kinds"] if kind != "you"] == ["weekend", "regular", "club"]
    assert len(record["holes"]) == 1
    assert verify(record).cards > 4 * 8
    other = copy.deepcopy(record)
    other["id"] = named_holes.match_of("pear")
    with pytest.raises(Fault) as caught:
        verify(other)
    assert caught.value.key.endswith("named_seed")


def test_the_terminal_plays_the_hole_of_today(tmp_path: Path) -> None:
    played(tmp_path, "--day")
    record = record_in(tmp_path)
    assert record["id"] == named_holes.match_of(date.today().isoformat())  # not at midnight
    assert verify(record).holes == 1


def test_a_word_that_makes_no_address_is_too_long(tmp_path: Path) -> None:
    said = commands.mulligan("play", "--word", "x" * 33, code=2, MULLIGAN_DATA=str(tmp_path)).stderr
    assert said.strip() == "That’s too long. Take a shorter word."


def test_the_example_of_the_documentation_is_true() -> None:
    text = (ROOT / "docs/fairness.md").read_text(encoding="utf-8")
    match, seed, fingerprint = re.search(
        r"`(HERE-DAY-[\d-]+)`.*?`([0-9a-f]{64})`.*?`([0-9a-f]{64})`", text, re.DOTALL
    ).groups()
    assert named_holes.seed_of(match).hex() == seed
    assert shuffle.commitment(bytes.fromhex(seed)) == fingerprint
