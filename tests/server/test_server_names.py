"""What people call themselves and say is displayed as it is, and can do nothing but be read."""

import json
import subprocess
import sys
import unicodedata
from contextlib import suppress
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import TableDriver, people, wish

from mulligan.server.table.names import FORMULA, MOST_MARKS, check_name, free_name, is_taken, tidy
from mulligan.server.table.rights import Refusal
from mulligan.server.table.view import view
from mulligan.server.wire.commands import Chat, FillSeat, SetOptions, Sit
from mulligan.server.wire.tables import TableOptions


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
        ("Frıend", "Friend"),
        ("Frіend", "Friend"),  # a Cyrillic і
        ("Lіsa", "Lisa"),
        ("L1sa", "Lisa"),
        ("Llsa", "Lisa"),
        ("L|sa", "Lisa"),
        ("LISA", "Llsa"),
        ("Аппа", "Anna"),
        ("Niпo", "Nino"),
        ("Ѵova", "Vova"),
        ("Ovvner", "Owner"),
        ("Ernil", "Emil"),
        ("Anna\u0323", "Anna"),
        ("Ạnna", "Anna"),
        ("Anna.", "Anna"),
        ("Ann·a", "Anna"),
        ("Tím", "Tim"),
        ("Zoë", "Zoe"),
        ("Bjørn", "Bjorn"),
        ("Łukasz", "Lukasz"),
        ("Ægir", "Aegir"),
        ("Иван", "ИВАН"),
        ("Вова", "вова"),
        ("Елена", "Eлена"),  # a Latin E
        ("Γιάννης", "Γιαννης"),
        ("Gru\u00df", "Gruss"),
        ("ﾊﾅ", "ハナ"),
    ],
)
def test_nobody_takes_a_name_that_looks_like_anothers(name, other):
    assert is_taken(name, [other])
    assert is_taken(other, [name])
    with pytest.raises(Refusal, match="name_taken"):
        check_name(name, ["Cyd", other])


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Anne", "Ann"),
        ("Иван", "Ann"),
        ("Ann 2", "Ann"),
        ("Ann 2", "Ann 3"),
        ("花子", "花"),
        ("Mia", "Mio"),
        ("Ilse", "Lise"),
        ("Jan", "Ian"),
        ("Tim", "Tom"),
        ("Clara", "Dara"),
        ("Marie", "Maria"),
        ("Léa", "Léo"),
        ("Chloé", "Zoé"),
        ("Jörg", "Jürg"),
        ("Oma", "Opa"),
        ("Жанна", "Ганна"),
        ("Νίκος", "Νίκη"),
        ("ハナ", "バナ"),  # marks on kana make other letters
        ("バナ", "パナ"),
        ("はな", "ばな"),
        ("はな", "ハナ"),
        ("ゆうき", "ゆき"),
        ("ユキ", "ユーキ"),
        ("大介", "太介"),
        ("דן", "דָּנָה"),
        ("มานี", "มานะ"),
        ("किरण", "करण"),
        ("🦊", "🐻"),
    ],
)
def test_names_that_differ_are_two(name, other):
    assert check_name(name, [other]) == name
    assert check_name(other, [name]) == other


def test_common_first_names_are_seldom_taken_for_one_another():
    """German, English and French ones, each against each."""
    names = COMMON.split()
    pairs = {(one, other) for one, other in combinations(names, 2) if is_taken(one, [other])}
    assert pairs == {("Ella", "Elia"), ("Alia", "Alla")}, "small l looks like i"


COMMON = """
Emma Mia Hannah Emilia Sofia Lina Mila Ella Elia Klara Marie Leni Anna Lia Ida Frieda Leonie Luisa Lilly Nora Nele
Noah Matteo Elias Leon Paul Theo Luca Finn Liam Emil Henry Felix Louis Moritz Jonas Jakob Anton Oskar Karl Ben Jan Ian
Lise Ilse Uli Ulli Eli Lisa Tim Tom Till Tilo Max Jana Nina Nino Alia Alla Hanna Jule Julia Julie Juli Lili Lilli Lola
Olivia Amelia Isla Ava Ivy Freya Lily Florence George Oliver Arthur Muhammad Archie Charlie Alfie Bill Will Bob Rob
Gabriel Jules Adam Lucas Hugo Nathan Jade Louise Ambre Alba Rose Alice Romane Anne Ann Agathe Inès Zoé Chloé Léa Léo
Peter Petra Kai Kay Mae May Amy Andy Aron Arno Bernd Berna Warner Werner Oma Opa Mama Papa Dieter Klaus Claus Inge Inga
"""


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
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="\u202eB\u200ben\n")
    driver.do(FillSeat, seat=2, player="greedy", name="=R\u0000ob")
    driver.do(SetOptions, options=TableOptions(chat=True))
    driver.do(Chat, seat=0, text="\u202e<script>alert(1)</script>\u2066\n\x1b[2J  ok " + "\u0301" * 99)
    assert [seat.name for seat in view(driver.table).seats] == ["Ann", "Ben", "R ob"]
    assert driver.table.talk[-1].text == "<script>alert(1)</script> [2J ok"


@pytest.mark.long
@pytest.mark.parametrize("command", ["referee", "analyse", "card", "verify", "replay"])
def test_a_record_with_a_name_that_would_do_something_in_the_terminal_is_refused(tmp_path, command):
    driver = TableDriver(seats=people(3))
    driver.play_to("over")
    record = driver.table.record() | {"players": ["[bold]x[/]", "\x1b]0;pwned\x07\x1b[2J", "\u202eevil[/nope]"]}
    file = tmp_path / "game.jsonl"
    file.write_text(json.dumps(record) + "\n", encoding="utf-8")
    card = ["--output", str(tmp_path / "card.pdf"), "--record"]
    words = [sys.executable, "-m", "mulligan", command, *(card if command == "card" else []), str(file)]
    done = subprocess.run(words, input="q\n", capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 1
    assert "players, name 2: The name has a character that can’t be shown (U+001B)." in done.stderr
    assert not any(letter in done.stdout + done.stderr for letter in "\x1b\x07\u202e")
