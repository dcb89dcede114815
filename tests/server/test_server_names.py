"""What people call themselves and say is displayed as it is, and can do nothing but be read."""

import json
import subprocess
import sys
import unicodedata
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import Evening, people, wish

from mulligan.server.messages import Chat, FillSeat, SetOptions, Sit, TableOptions
from mulligan.server.names import FORMULA, MOST_MARKS, check_name, free_name, is_taken, tidy
from mulligan.server.rights import Refusal
from mulligan.server.view import view


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "花子",
        "Zoë",
        "Nguyễn Văn",
        "Владимир",
        "Ελένη",
        "שָׁלוֹם",
        "محمد",
        "می‌خواهم",
        "क्‍ष",
        "ภาษาที่นี่",
        "한국어",
        "葛󠄀城",
        "O’Neil-Smith",
        "<b>Bob</b>",
        "Bob [red]",
        "R2-D2",
        "🦊",
        "👨‍👩‍👧‍👦",
        "👩🏽‍🚀 Mae",
        "❤️ Ann",
        "1️⃣ 🏳️‍🌈",
    ],
)
def test_names_of_all_the_world_stay_as_they_are(name):
    name = unicodedata.normalize("NFC", name)
    assert check_name(name, []) == name


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("  Ann \n\t the\r\nGreat ", "Ann the Great"),
        ("A\u200bn\u2060n\ufeff", "Ann"),
        ("\u202eevil\u202c \u2066x\u2069", "evil x"),  # nobody turns the line about
        ("a\u061cb\u200ec\u200fd", "abcd"),
        ("Ann\u0000\u0007\u001b[31m", "Ann [31m"),
        ("Ann\u2028Ben\u2029\u0085Cyd", "Ann Ben Cyd"),
        ("A\u200dn\u200cn", "Ann"),
        ("\u0301Ann", "Ann"),
        ("Ann\ud800\udfff", "Ann"),
        ("Ann\ue000\U000f0000\uffff\ufdd0", "Ann"),
        ("A\u115fn\u3164n\u2800\uffa0\u034f", "Ann"),
        ("A\ufe0fnn", "Ann"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f3f4"),
        ("=1+1", "1+1"),
        ("@SUM(A1)", "SUM(A1)"),
        ("-+=@Ann", "Ann"),
        ("＝Ann", "Ann"),
        ("\u00a0\u3000Ann\u2003B", "Ann B"),
    ],
)
def test_what_is_not_seen_or_turns_others_about_is_left_out(written, shown):
    assert check_name(written, []) == shown


def test_no_letter_carries_a_tower_of_marks():
    tower = "Z" + "\u0334\u0300\u0316\u0489" * 20 + "a" + "\u0301" * 50
    shown = tidy(tower)
    assert len(shown) <= 2 * (1 + MOST_MARKS)
    assert check_name(tower, []) == shown


@pytest.mark.parametrize(
    "name", ["", " ", "\u200b", "\u3164\u3164", "\u2800", "...", "=", "\u0301", "\u202e\u202c", "\ue000"]
)
def test_a_name_has_something_to_see(name):
    with pytest.raises(Refusal, match="name_empty"):
        check_name(name, [])


@pytest.mark.parametrize("name", ["x" * 21, "\ufdfa" * 2, "花" * 21, "x" * 5000])
def test_a_name_is_short(name):
    with pytest.raises(Refusal, match="name_too_long"):
        check_name(name, [])


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("ANN", "ann"),
        ("Straße", "STRASSE"),
        ("Аnn", "Ann"),  # a Cyrillic letter
        ("Αnn", "Ann"),  # a Greek one
        ("сосо", "coco"),
        ("Ｂｅｎ", "Ben"),
        ("𝐁𝐞𝐧", "Ben"),
        ("Ida", "lda"),
        ("B0b", "BOb"),
        ("Wi1l", "Will"),
        ("葛󠄀城", "葛城"),
    ],
)
def test_nobody_takes_a_name_that_looks_like_anothers(name, other):
    assert is_taken(name, [other])
    assert is_taken(other, [name])
    with pytest.raises(Refusal, match="name_taken"):
        check_name(name, ["Cyd", other])


@pytest.mark.parametrize(
    ("name", "other"), [("Anne", "Ann"), ("Zoë", "Zoe"), ("Иван", "Ann"), ("Ann 2", "Ann"), ("花子", "花")]
)
def test_names_that_differ_are_two(name, other):
    assert check_name(name, [other]) == name


def test_a_computer_player_is_given_another_name():
    assert free_name("Greedy", ["GREEDY", "Greedy 2"]) == "Greedy 3"
    assert free_name("Rob", ["Ann"]) == "Rob"


@settings(max_examples=300, deadline=None)
@given(
    st.text(st.characters(), max_size=60)
    | st.text("aé\u0301\u200d\u200c\u202e\u2066 \n\x00👩\ufe0f\ud800", max_size=60)
)
def test_tidied_text_is_inert(text):
    shown = tidy(text)
    assert tidy(shown) == shown, "tidying twice changes nothing more"
    assert shown == shown.strip()
    assert "  " not in shown
    shown.encode()  # no half of a letter
    for letter in shown:
        kind = unicodedata.category(letter)
        assert kind not in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp"), hex(ord(letter))
        assert kind != "Cf" or letter in "\u200c\u200d"
    marks = 0
    for letter in shown:
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") and not is_selector(letter) else 0
        assert marks <= MOST_MARKS
    with suppress(Refusal):
        name = check_name(text, [])
        assert len(name) <= 20
        assert name[0] not in FORMULA


def is_selector(letter):
    return "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"


def test_names_and_chat_are_tidied_wherever_they_come_in():
    evening = Evening(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
    evening.do(Sit, "ben", seat=1, name="\u202eB\u200ben\n")
    evening.do(FillSeat, seat=2, player="greedy", name="=R\u0000ob")
    evening.do(SetOptions, options=TableOptions(chat=True))
    evening.do(Chat, seat=0, text="\u202e<script>alert(1)</script>\u2066\n\x1b[2J  ok " + "\u0301" * 99)
    assert [seat.name for seat in view(evening.table).seats] == ["Ann", "Ben", "R ob"]
    assert evening.table.talk[-1].text == "<script>alert(1)</script> [2J ok"


def test_a_name_in_a_record_does_nothing_in_the_terminal(tmp_path):
    """Not even one that never went through a server."""
    evening = Evening(seats=people(3))
    evening.play_to("over")
    record = evening.table.record() | {"players": ["[bold]x[/]", "\x1b]0;pwned\x07\x1b[2J", "\u202eevil[/nope]"]}
    file = tmp_path / "game.jsonl"
    file.write_text(json.dumps(record) + "\n", encoding="utf-8")
    shown = ""
    for command in (["referee", str(file)], ["replay", str(file)]):
        words = [sys.executable, "-m", "mulligan", *command]
        done = subprocess.run(words, input="q\n", capture_output=True, text=True, encoding="utf-8", check=True)
        shown += done.stdout + done.stderr
    assert "[bold]x[/]" in shown
    assert "evil[/nope]" in shown
    assert not any(letter in shown for letter in "\x1b\x07\u202e")
