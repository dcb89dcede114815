"""No name and no title holds characters that nobody sees, or that turn the text around them."""

import json
from pathlib import Path

import pytest

from mulligan.game import variants
from mulligan.game.characters import HIDDEN, fault_in
from mulligan.game.words import Words
from mulligan.scorecard.order import OrderError, order
from mulligan.server.table.names import tidy
from mulligan.terminal.seats import SeatError, read_seats

VECTOR = json.loads((Path(__file__).parent / "vectors/characters.json").read_text(encoding="utf-8"))
RANGES = [(int(first, 16), int(last, 16)) for first, last in VECTOR["hidden"]]
PLAY_NINE = variants.load("play_nine")


def test_the_characters_are_those_the_browser_knows_too():
    hidden = {code for first, last in RANGES for code in range(first, last + 1)}
    assert {code for code in range(0x110000) if HIDDEN.match(chr(code))} == hidden


@pytest.mark.parametrize("name", VECTOR["fine"])
def test_names_of_all_peoples_are_fine(name):
    assert fault_in(name) is None


def test_no_name_at_a_table_of_the_server_holds_one():
    for first, last in RANGES:
        for code in range(first, last + 1):
            assert fault_in(tidy(f"A{chr(code)}n")) is None


@pytest.mark.parametrize("name", ["\x1b[31mAnn", "A\u202enn", "An\u200bn", "A" * 99])
def test_a_name_for_the_terminal_or_a_score_card_is_refused_with_what_is_wrong(name):
    too_long = len(name) == 99
    with pytest.raises(SeatError, match="24 characters at most" if too_long else "can’t be shown"):
        read_seats(Words("en"), PLAY_NINE, [f"you:{name}", "greedy"])
    with pytest.raises(OrderError, match="longer than 40 letters" if too_long else "can’t be shown"):
        order(PLAY_NINE, 2, [name], "en", "a4")


@pytest.mark.parametrize(
    ("title", "wrong"),
    [
        ("\\u001b[31mevil", "title has a character that cannot be shown (U+001B)."),
        ("x\\u202eabc", "title has a character that cannot be shown (U+202E)."),
        ("x" * 61, "title has 61 letters; 60 are the most."),
    ],
)
def test_the_title_of_a_variant_is_refused_with_what_is_wrong(tmp_path, title, wrong):
    file = tmp_path / "evil.toml"
    file.write_text(PLAY_NINE.text.replace('title = "Play Nine"', f'title = "{title}"'), encoding="utf-8")
    with pytest.raises(variants.VariantError) as caught:
        variants.load(str(file))
    assert str(caught.value) == f"{file}: {wrong}"
