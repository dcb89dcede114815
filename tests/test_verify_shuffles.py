"""`mulligan verify`: records of served games come off their packs, and whatever is changed in them is found."""

import copy
import hashlib
import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from commands import mulligan

sys.path.append(str(Path(__file__).parent / "server"))

from tables import TableDriver, people

from mulligan.game import shuffle, variants
from mulligan.game.referee import Fault, replay
from mulligan.game.verify_shuffles import verify
from mulligan.game.words import Words
from mulligan.server.table import finished
from mulligan.server.wire.commands import AddSeed

GAMES = ("play_nine", "nine_card")
WORDS = Words("en")


def played(game, players=3, seed=5, dawdling=False):
    """The record of a game at a server's table, where two of the players added seeds of their own."""
    driver = TableDriver(game, people(players), seed)
    while driver.table.phase != "over":
        sealed = driver.table.sealed
        if sealed and not sealed.added:
            driver.do(AddSeed, seat=1, seed=f"{sealed.hole:032x}")
        if dawdling and driver.table.phase == "place" and not driver.table.hidden_cards.stocks:
            open_slots = [
                slot for slot, face in zip(driver.table.variant.slots, shown(driver), strict=True) if face >= 0
            ]
            driver.move(open_slots[0])
        elif dawdling and driver.table.phase == "take" and not driver.table.hidden_cards.stocks:
            driver.move("S")
        else:
            driver.go_on()
    return json.loads(json.dumps(finished.read(driver.log, 1)[1]))


def shown(driver):
    hole = driver.table.playing
    return [int(face) for face in hole.state.players[hole.turn].layout[: len(driver.table.variant.slots)]]


@pytest.fixture(scope="module", params=GAMES)
def record(request):
    return played(request.param)


def fault(record):
    with pytest.raises(Fault) as caught:
        verify(record)
    return str(caught.value)


def test_every_card_of_a_served_game_comes_off_its_pack(record):
    verdict = verify(record)
    assert verdict.holes == len(record["holes"])
    slots = len(variants.load(record["game"]).slots)
    from_layouts = sum(len(hole["seats"]) * slots + 1 for hole in record["holes"])
    from_stock = sum(move.startswith("S") for hole in record["holes"] for move in hole["moves"])
    drawn = sum(len(cards) for cards in record["shuffles"][0]["drawn"])
    assert verdict.cards == from_layouts + from_stock + drawn
    assert any(entry["seeds"] for entry in record["shuffles"])


def test_a_stock_made_anew_is_checked_too(monkeypatch):
    record = played("nine_card", 8, seed=2, dawdling=True)
    verify(record)
    shuffled = shuffle.shuffled

    def otherwise(cards, seed, purpose):
        return shuffled(cards, seed, purpose + "!" if purpose.endswith("/stock 1") else purpose)

    monkeypatch.setattr(shuffle, "shuffled", otherwise)
    assert re.match(r"hole 1, card \d+ of new stock 1: The pack says ", fault(record))


def test_one_card_that_made_no_difference_is_caught(record):
    """A face-down card that was replaced, and covered at once: by the rules it could have been another."""
    for number, hole in enumerate(record["holes"], 1):
        for place, (move, following) in enumerate(pairwise(hole["moves"])):
            went = re.fullmatch(r"(.+>(\w\d)x)(.+)", move)
            if not went or not following.startswith("S"):
                continue
            other = copy.deepcopy(record)
            face = next(face for face in variants.load(record["game"]).faces if face != went[3])
            other["holes"][number - 1]["moves"][place] = went[1] + face
            try:
                replay(other)
            except Fault:
                continue  # the card lay open
            said = rf"hole {number}, \w+, {went[2]}: The pack says (.+); the record says (.+)\."
            assert re.fullmatch(said, fault(other)).groups() == (went[3], face)
            return
    raise AssertionError("no such card")


@pytest.mark.parametrize("number", [0, 1, 9])
def test_another_seed_than_the_one_fixed_is_named(record, number):
    other = copy.deepcopy(record)
    other["shuffles"][number]["seed"] = "00" * 32
    assert WORDS("terminal_fault_commitment", hash="").rpartition(":")[0] in fault(other)
    assert fault(other).startswith(f"hole {number}: " if number else "the draw for the deal: ")


@pytest.mark.parametrize("number", [0, 1, 9])
def test_another_pack_than_the_one_played_is_named_with_hole_and_card(record, number):
    other = copy.deepcopy(record)
    seed = bytes(32)
    other["shuffles"][number] |= {"seed": seed.hex(), "commitment": hashlib.sha256(seed).hexdigest()}
    said = fault(other)
    assert said.startswith(f"hole {number}, " if number else "the draw for the deal, ")
    assert "The pack says" in said


def test_a_seed_left_out_or_added_is_another_pack(record):
    for change in (list.clear, lambda seeds: seeds.append("f" * 32), lambda seeds: seeds.insert(0, "0" * 32)):
        other = copy.deepcopy(record)
        change(other["shuffles"][4]["seeds"])
        assert fault(other).startswith("hole 4, ")
        assert "The pack says" in fault(other)


def test_another_draw_or_another_first_dealer_is_named(record):
    other = copy.deepcopy(record)
    other["shuffles"][0]["drawn"].append({"0": "7", "1": "7"})
    assert "the record goes on (2.1)" in fault(other)
    other["shuffles"][0]["drawn"] = []
    assert "the record says – (2.1)" in fault(other)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda record: record.pop("shuffles"), WORDS("terminal_fault_no_seeds")),
        (lambda record: record.pop("id"), "id is missing"),
        (lambda record: record.update(id="OTHERXYZ-1"), "The pack says"),
        (lambda record: record["shuffles"].pop(), "shuffles must hold the draw (hole 0) and then holes 1 to "),
        (lambda record: record["shuffles"].reverse(), "shuffles must hold the draw"),
        (lambda record: record.update(shuffles="none"), "shuffles must be a list"),
        (lambda record: record["shuffles"].__setitem__(3, None), "shuffles must hold the draw"),
        (lambda record: record["shuffles"][2].pop("seed"), "hole 2: seed is missing"),
        (lambda record: record["shuffles"][2].update(seed=None), "hole 2: seed must be a text"),
        (lambda record: record["shuffles"][2].update(seed="0" * 63), "seed must be 64 digits from 0 to f"),
        (lambda record: record["shuffles"][2].update(seed="A" * 64), "seed must be 64 digits from 0 to f"),
        (lambda record: record["shuffles"][2].update(seeds=["0"]), "a player’s seed has 32 digits"),
        (lambda record: record["shuffles"][2].update(seeds=[7]), "seeds must be a list of texts"),
        (lambda record: record["shuffles"][2].update(commitment="x"), "its SHA-256 is"),
        (lambda record: record["shuffles"][0].update(drawn={}), "drawn must be a list"),
        (lambda record: record["shuffles"][0].update(drawn=[1]), "the record says 1 (2.1)"),
        (lambda record: record.update(winners=[]), "winners should be"),
    ],
)
def test_whatever_does_not_fit_is_one_sentence(record, change, words):
    other = copy.deepcopy(record)
    change(other)
    said = fault(other)
    assert words in said
    assert said.endswith(".")
    assert "\n" not in said


def test_the_command_says_a_line_a_game_and_ends_with_1_where_something_does_not_fit(tmp_path, record):
    good, bad, plain = tmp_path / "good.jsonl", tmp_path / "bad.jsonl", tmp_path / "plain.jsonl"
    good.write_text(2 * (json.dumps(record) + "\n"), encoding="utf-8")
    other = copy.deepcopy(record)
    other["shuffles"][7]["seeds"].append("0" * 32)
    bad.write_text(json.dumps(record) + "\n" + json.dumps(other) + "\n", encoding="utf-8")
    other.pop("shuffles")
    plain.write_text(json.dumps(other) + "\n", encoding="utf-8")

    done = mulligan("verify", good)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 2
    assert f"{good}: WATCHWXZ-1: {len(record['holes'])} holes, " in done.stdout
    assert "cards, all from the packs that were fixed before the deal." in done.stdout

    done = mulligan("verify", good, bad, plain, code=1)
    assert len(done.stdout.splitlines()) == 3
    first, second = done.stderr.splitlines()
    assert first.startswith(f"{bad}: match 2 (line 2), hole 7, ")
    assert second == f"{plain}: match 1 (line 1): {WORDS('terminal_fault_no_seeds')}"


# The page about it


PAGE = (Path(__file__).parents[1] / "docs" / "fairness.md").read_text(encoding="utf-8")


def test_the_plain_python_of_the_page_finds_the_packs_and_what_is_wrong(tmp_path, record):
    (snippet,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    assert "mulligan" not in snippet

    def run(game):
        (tmp_path / "game.jsonl").write_text(json.dumps(game) + "\n", encoding="utf-8")
        command = [sys.executable, "-I", "-c", snippet]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60)

    done = run(record)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == len(record["holes"])
    words = done.stdout.splitlines()[0].split()
    assert words[words.index("discard") + 1] == record["holes"][0]["first_discard"]
    assert len(words) == 1 + 3 + 108
    other = copy.deepcopy(record)
    other["shuffles"][1]["commitment"] = "0" * 64
    assert "another seed was fixed" in run(other).stderr
    other = copy.deepcopy(record)
    for entry in other["shuffles"]:
        entry["seeds"].append("0" * 32)
    assert "from another pack" in run(other).stderr


def test_the_page_shows_what_the_command_says(record):
    (shown,) = re.findall(r"^game\.jsonl: (.*)$", PAGE, re.M)
    assert re.sub(r"\d+", "9", shown) == re.sub(r"\d+", "9", verify(record).in_words(WORDS))
