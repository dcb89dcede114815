"""What people type or write by hand is read by one reader: any width, case, dash, minus and space."""

import json
import unicodedata
from functools import cache
from pathlib import Path

import pytest
from commands import mulligan
from hypothesis import given
from hypothesis import strategies as st

from mulligan import simulation
from mulligan.game import house_rules, referee, shipped, variants
from mulligan.game.draft import HoleWritten, follow
from mulligan.game.hole import Game
from mulligan.game.notation import (
    NotationError,
    read_choice,
    read_face,
    read_layout,
    read_move,
    read_slot,
    write_choice,
    write_layout,
)
from mulligan.game.rulebook import LANGUAGES
from mulligan.game.typed_text import LOOKALIKES, number_in, parts, plain, word
from mulligan.game.words import Words, minus
from mulligan.terminal.seats import SeatError, read_seats
from mulligan.terminal.typed_moves import read_entry

VECTORS = json.loads((Path(__file__).parent / "vectors/typed_text.json").read_text(encoding="utf-8"))
GAMES = [variants.load(name) for name in variants.games()]
NUMBERS = variants.for_match(variants.load("twelve_card"), {"pack": "numbers"})  # with cards below zero
DASHES = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Pd"]
SPACES = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Zs"]


@cache
def alikes(letter: str) -> list[str]:
    """The characters that people type for one of the notation's."""
    found = [letter, letter.upper(), letter.lower(), *LOOKALIKES.get(letter, "")]
    if "!" <= letter <= "~":
        found += [chr(ord(one) + 0xFEE0) for one in {letter.upper(), letter.lower()}]
    return found + (DASHES if letter == "-" else SPACES if letter == " " else [])


@st.composite
def disturbed(draw: st.DrawFn, text: str) -> str:
    """The same, as another keyboard or a word processor may have written it."""
    letters = [draw(st.sampled_from(alikes(letter))) for letter in text]
    invisible = draw(st.sampled_from(["", "\ufeff", "\u200b", "\u200e", " ", "\u00a0", "\u3000"]))
    return invisible + "".join(letters) + draw(st.sampled_from(["", "\u200f", "\ufe0f", " ", "\r\n"]))


def test_the_server_and_the_browser_know_the_same_characters() -> None:
    assert VECTORS["lookalikes"] == LOOKALIKES


@pytest.mark.parametrize(("typed", "read"), VECTORS["plain"], ids=ascii)
def test_every_character_is_read_as_the_one_it_looks_like(typed: str, read: str) -> None:
    assert plain(typed) == read


@pytest.mark.parametrize(("typed", "read"), VECTORS["word"], ids=ascii)
def test_case_and_arrows_do_not_matter(typed: str, read: str) -> None:
    assert word(typed) == read


@pytest.mark.parametrize(("typed", "read"), VECTORS["number"], ids=ascii)
def test_a_number_is_whole_or_none(typed: str, read: int | None) -> None:
    assert number_in(typed) == read


@given(st.data())
def test_a_face_and_a_slot_are_read_as_they_are_written_however_they_are_typed(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from([*GAMES, NUMBERS]))
    face = data.draw(st.integers(0, len(game.faces) - 1))
    assert read_face(game, data.draw(disturbed(minus(game.faces[face])))) == face
    slot = data.draw(st.integers(0, len(game.slots) - 1))
    assert read_slot(game, data.draw(disturbed(game.slots[slot]))) == slot
    assert read_choice(game, data.draw(disturbed(write_choice(game, slot)))) == slot


@given(st.data())
def test_a_layout_is_read_as_it_is_written_however_it_is_typed(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from([*GAMES, NUMBERS]))
    faces = data.draw(st.permutations(range(len(game.faces))))
    text = write_layout(game, [*faces, *faces][: len(game.slots)])
    assert list(read_layout(game, data.draw(disturbed(minus(text))))) == list(read_layout(game, text))


@given(number=st.integers(-999, 999), data=st.data())
def test_a_number_is_read_as_it_is_printed_however_it_is_typed(number: int, data: st.DataObject) -> None:
    assert number_in(data.draw(disturbed(minus(number)))) == number
    assert house_rules.read([data.draw(disturbed(f"jokers={minus(number)}"))]) == {"jokers": number}


@cache
def records() -> list[dict]:
    return [next(simulation.records(game, game.seats[0], ["greedy", "random"], 5, 1)) for game in [*GAMES, NUMBERS]]


@given(st.data())
def test_a_record_written_by_hand_is_refereed_and_written_as_the_strict_one(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from(records()))
    by_hand = json.loads(json.dumps(record))
    hole = by_hand["holes"][0]
    hole["first_discard"] = data.draw(disturbed(hole["first_discard"]))
    first = data.draw(st.integers(0, len(hole["moves"]) - 1))
    hole["moves"][first : first + 3] = [data.draw(disturbed(move)) for move in hole["moves"][first : first + 3]]
    hole["reveal"] = {
        seat: [data.draw(disturbed(card)) for card in cards[:1]] + cards[1:] for seat, cards in hole["reveal"].items()
    }
    again = referee.replay(by_hand).record()
    assert again["holes"] == referee.replay(record).record()["holes"]


def test_a_game_in_pieces_is_followed_as_it_is_written_by_hand() -> None:
    by_hand = HoleWritten("ｊ", ["ａ１＝ｋ", " A2 = 4", "c1=q", "C2=Q", "ｓ7", "＞b2×９", "s7 –"], {})
    written = HoleWritten("J", ["a1=K", "a2=4", "c1=Q", "c2=Q", "S7", ">b2x9", "S7-"], {})
    steps = [
        [moment.outcome.step for moment in follow(Game(variants.load("six_card"), ["Ann", "Ben"], 1), [hole])]
        for hole in (by_hand, written)
    ]
    assert steps[0] == steps[1]


@pytest.mark.parametrize("typed", ["Ｓ", "ｓ", " S\u00a0", "ｓｔｏｃｋ"])
def test_the_terminal_reads_every_keyboard_in_every_language(typed: str) -> None:
    game = variants.load("play_nine")
    for language in LANGUAGES:
        hole = Game(game, ["Ann", "Ben"], 1).deal()
        hole.turn_up(9)
        for slots in ("ａ１、Ｂ１", "Ａ２ ｂ２"):
            for slot in read_entry(Words(language), hole, "Ann", slots):
                hole.play(slot)
                hole.turn_up(3)
        assert read_entry(Words(language), hole, "Ann", typed) == read_entry(Words(language), hole, "Ann", "s")


@pytest.mark.parametrize("typed", ["1²", "①", "Ⅷ", "½", "٣", "๓", "+5", "5.0", "0x5"])
def test_other_numbers_are_not_taken_for_a_card(typed: str) -> None:
    with pytest.raises(NotationError):
        read_face(variants.load("play_nine"), typed)
    with pytest.raises(NotationError):
        read_layout(variants.load("six_card"), f"{typed} 3 4 / 5 6 7")


def test_a_letter_that_only_looks_like_one_of_ours_is_named() -> None:
    with pytest.raises(NotationError, match=r"а1=4 \(а = U\+0430\)"):
        read_move(variants.load("play_nine"), "а1=4")


# Commands

TOTAL = ["19", "Total"]


@pytest.mark.parametrize("two", ["-2", "−2", "–2", "－２", "ー2", "﹣2"])
def test_cards_below_zero_are_no_options(two: str) -> None:
    layout = f"{two} {two} 1 1 / {two} {two} 3 1 / 5 {two} 0 12"
    numbers = ["-g", "twelve_card", "--option", "pack=numbers"]
    for words in (["score", *numbers, layout], ["score", layout, *numbers]):
        assert mulligan(*words).stdout.splitlines()[-1].split() == TOTAL
    assert mulligan("score", *numbers, "–", typed=f"\ufeff{layout}\n").stdout.split()[0] == "19"
    hidden = ["--layout", f"{two} ? ? ? / ? ? ? ? / ? ? ? 12"] * 2
    assert mulligan("advise", *numbers, *hidden, "--discard", two, "--held", two, "--gone", f"{two}、4").stdout


def test_the_command_line_takes_the_dashes_and_numbers_of_a_word_processor() -> None:
    usual = mulligan("score", "--game", "nine_card", "--option", "jokers=-5", "* * 2 / 3 4 5 / 6 7 8").stdout
    for option in ("ｊｏｋｅｒｓ＝−５", 'jokers="-5"', "jokers=“−5”", "'jokers=-5'"):
        words = ["score", "—game", "Nine_Card", "–-option", option, "＊ 🃏 2／3 4 5／6 7 8"]
        assert mulligan(*words).stdout == usual
    assert mulligan("rules", "３．３", "–l", "FR").stdout == mulligan("rules", "3.3", "-l", "fr").stdout
    assert mulligan("play", "--holes", "１００", code=2).stderr == mulligan("play", "--holes", "100", code=2).stderr


@pytest.mark.parametrize("mark", ["\u202e", "\u200b", "\ufeff"], ids=ascii)
def test_an_invisible_first_letter_makes_no_option(mark: str, tmp_path: Path) -> None:
    layout = "7 3 1 2 / 4 6 8 5"
    assert mulligan("score", "-g", f"{mark}play_nine", layout).stdout == mulligan("score", layout).stdout
    said = mulligan("card", "-o", tmp_path / "card.pdf", "--names", f"{mark}Ann,Ben", code=2).stderr
    assert said == "The name �Ann has a character that can’t be shown.\n"


def test_names_of_ours_are_read_with_any_case_dash_and_space() -> None:
    strict = mulligan("rules", "3.3", "-g", "six_card", "--option", "discarding=may_flip", "-l", "de").stdout
    typed = ["-g", "Six‐Card", "--option", "Discarding＝May flip", "-l", "de_DE.UTF-8"]
    assert mulligan("rules", "3。3", *typed).stdout == strict
    assert mulligan("score", "--help", "-lDE").stdout == mulligan("score", "--help", "-l", "de").stdout
    players = ["--games", "1", "--seats", "2", "--holes", "0", "--json"]
    assert (
        '"players": ["greedy", "random"]' in mulligan("simulate", "--players", "Greedy､ＲＡＮＤＯＭ", *players).stdout
    )


@pytest.mark.parametrize(
    "typed", ["you：Zoe\u0308、Greedy", "YOU﹕Zoë﹐ｇｒｅｅｄｙ", "you\u200b:Zoë,greedy"], ids=ascii
)
def test_seats_are_read_from_every_keyboard(typed: str) -> None:
    seats = read_seats(Words("ja"), variants.load("play_nine"), parts(typed))
    assert (seats[0].name, seats[1].player) == ("Zoë", "greedy")


def test_two_ways_to_write_one_letter_are_one_name() -> None:
    with pytest.raises(SeatError, match="Zoë"):
        read_seats(Words("en"), variants.load("play_nine"), ["you:Zoe\u0308", "you:Zoë"])


# Files


def test_layouts_in_utf_16_are_named_as_such() -> None:
    said = mulligan("score", "-", typed="7 3 1 2 / 4 6 8 5\n".encode("utf-16"), code=1).stderr
    assert said == "line 1: This file is saved as UTF-16; save it as UTF-8.\n"


def test_a_record_by_hand_names_its_game_and_house_rules_as_people_do() -> None:
    variant = variants.for_match(variants.load("six_card"), {"jokers": -5, "holes": 1})
    record = next(simulation.records(variant, 2, ["random"], 1, 1))
    by_hand = record | {"game": "Six–card", "match": {"Jokers": "−5", "ｈｏｌｅｓ": "１"}}
    assert referee.replay(by_hand).record() == referee.replay(record).record()
    with pytest.raises(referee.Fault, match="jokers is given twice"):
        referee.replay(record | {"match": {"Jokers": -5, "jokers": -5}})
    with pytest.raises(referee.Fault, match="There is no game “ゴルフ”"):
        referee.replay(record | {"game": "ゴルフ"})


@pytest.mark.parametrize(("before", "after"), [("\ufeff", "\n"), ("\ufeff", "\r\n"), ("", "\r\n")], ids=ascii)
def test_files_are_read_as_an_editor_of_windows_saves_them(tmp_path: Path, before: str, after: str) -> None:
    record = before + json.dumps(records()[0], ensure_ascii=False) + after
    games = tmp_path / "games.jsonl"
    games.write_text(record + record, encoding="utf-8", newline="")  # two files, one behind the other
    assert ": 2 matches" in mulligan("referee", games).stdout
    text = (shipped.FOLDER / "six_card.toml").read_text(encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(before + text.replace("\n", after), encoding="utf-8", newline="")
    assert variants.load(str(own)).faces == variants.load("six_card").faces


UNREADABLE = {
    "UTF-16": ('{"format": 1}'.encode("utf-16"), "line 1: This file is saved as UTF-16; save it as UTF-8."),
    "Latin-1": ('{"a": "é"}'.encode("latin-1"), "line 1: This is not UTF-8 text (byte 8)."),
    "NUL": (b'{"format": \0}', "line 1: This is not JSON (character 12)."),
    "several lines": (
        b'{\n  "format": 1\n}\n',
        "line 1: The line ends before its record does; a record is one JSON object on one line.",
    ),
    "one long line": (b"x" * 10_000_000, "line 1: The line is longer than 4000000\u00a0bytes; no match is that long."),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_file_that_is_no_text_is_refused_in_one_sentence(tmp_path: Path, kind: str) -> None:
    content, sentence = UNREADABLE[kind]
    file = tmp_path / "games.jsonl"
    file.write_bytes(content)
    assert mulligan("referee", file, code=1).stderr == f"{file}: {sentence}\n"
