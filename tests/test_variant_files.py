"""A wrong variant file is refused with the file, the key and what would be right."""

import re
from dataclasses import MISSING, replace
from pathlib import Path

import pytest
from minis import OWN_FILES

from mulligan.game import shipped, variants
from mulligan.game.facts import SHOWN, FaceFacts, GameFacts, entries, shape
from mulligan.game.rulebook import LANGUAGES
from mulligan.game.variants import VariantError, rules_of

GOOD = (shipped.FOLDER / "play_nine.toml").read_text(encoding="utf-8")
ROWS = (shipped.FOLDER / "nine_card.toml").read_text(encoding="utf-8")

# What is changed in the file of Play Nine, and what the refusal has to say.
WRONG = {
    "an unknown key": ("holes = 9 ", "may_peek = true\nholes = 9 ", "may_peek", "may_leave_last"),
    "an unknown key in a table": ("most = 6", "most = 6, best = 4", "seats.best", "least, most"),
    "an unknown key of a face": ("points = 12,", "points = 12, colour = 3,", "faces.12.colour", "copies, points, line"),
    "a missing key": ("closer_penalty = 0", "", "closer_penalty", "missing", "0 to 100"),
    "a missing key in a table": ("least = 2, ", "", "seats.least", "missing", "1 to 8"),
    "a missing key of a face": ("points = 12, ", "", "faces.12.points", "missing", "-100 to 100"),
    "no title": ('title = "Play Nine"', "", "title", "missing", "a text"),
    "an empty title": ('title = "Play Nine"', 'title = ""', "title", "a text"),
    "a title that is a number": ('title = "Play Nine"', "title = 9", "title", "a text", "9"),
    "an order that is a text": ("order = 1 ", 'order = "first" ', "order", "1 to 1000", "'first'"),
    "titles that are a text": ("titles = {", 'titles = "Play" # {', "titles", f" or {LANGUAGES[-1]}", "'Play'"),
    "a title in another language": ("titles = {", 'titles = { it = "Gioca",', "titles.it", ", ".join(LANGUAGES)),
    "a title that is too long": ("titles = {", f'titles = {{ fr = "{"x" * 61}",', "titles.fr", "61 letters"),
    "a hidden character": ("titles = {", 'titles = { fr = "a\\u202eb",', "titles.fr", "U+202E"),
    "a description that is a number": (
        '[descriptions]\nen = "',
        '[descriptions]\nen = 5 # "',
        "descriptions.en",
        "a text",
    ),
    "a number as text": ("holes = 9 ", 'holes = "9" ', "holes", "a whole number from 1 to 99", "'9'"),
    "a fraction": ("holes = 9 ", "holes = 9.0 ", "holes", "a whole number", "9.0"),
    "a truth for a number": ("holes = 9 ", "holes = true ", "holes", "a whole number", "True"),
    "a number for a truth": ("_drawn = true", "_drawn = 1", "may_discard_drawn", "true or false", "1"),
    "no holes": ("holes = 9 ", "holes = 0 ", "holes", "1 to 99"),
    "too many holes": ("holes = 9 ", "holes = 100 ", "holes", "1 to 99", "100"),
    "a huge number": ("holes = 9 ", f"holes = {10**30} ", "holes", "1 to 99"),
    "infinity": ("holes = 9 ", "holes = inf ", "holes", "1 to 99"),
    "a date": ("holes = 9 ", "holes = 1979-05-27 ", "holes", "1 to 99"),
    "a reward for closing": ("closer_penalty = 0", "closer_penalty = -1", "closer_penalty", "0 to 100", "-1"),
    "another way of levelling": ('level = "playoff"', 'level = "toss"', "level", "playoff", "share", "toss"),
    "other lines": ('lines = "columns"', 'lines = "diagonals"', "lines", "columns", "rows", "diagonals"),
    "lines that are a number": ('lines = "columns"', "lines = 1", "lines", "columns", "rows"),
    "lines that are a list": ('lines = "columns"', 'lines = ["columns"]', "lines", "columns", "rows"),
    "more seats than the engine has": ("most = 6", "most = 9", "seats.most", "1 to 8", "9"),
    "no seats": ("least = 2", "least = 0", "seats.least", "1 to 8", "0"),
    "seats the wrong way round": ("least = 2", "least = 7", "seats.least", "7", "seats.most", "6"),
    "seats that are a number": ("{ least = 2, most = 6 }", "4", "seats", "least, most"),
    "a layout that is a list": ("{ rows = 2, columns = 4 }", "[2, 4]", "layout", "rows, columns"),
    "a layout too large": ("rows = 2, columns = 4", "rows = 4, columns = 4", "layout", "16", "12"),
    "a layout too wide": ("rows = 2, columns = 4", "rows = 2, columns = 13", "layout.columns", "1 to 12", "13"),
    "a layout of one row": ("rows = 2, columns = 4", "rows = 1, columns = 8", "lines of columns", "2 cards or more"),
    "too many cards to tee off": ("cards = 2,", "cards = 8,", "tee_off.cards", "8", "less than"),
    "a negative tee-off": ("cards = 2,", "cards = -1,", "tee_off.cards", "0 to 11", "-1"),
    "a bonus table too short": ("[-10, -15, -20]", "[-10, -15]", "bonus.lines", "2", "needs 3"),
    "an empty bonus table": ("[-10, -15, -20]", "[]", "bonus.lines", "0", "needs 3"),
    "a bonus table too long": ("[-10, -15, -20]", "[-10, -15, -20, -25]", "bonus.lines", "4", "3 are the most"),
    "a bonus that is a number": ("[-10, -15, -20]", "-10", "bonus.lines", "a list"),
    "a bonus of text": ("[-10, -15, -20]", '[-10, "x", -20]', "bonus.lines", "entry 2", "'x'", "-100 to 100"),
    "a bonus too great": ("[-10, -15, -20]", "[-10, -15, -200]", "bonus.lines", "entry 3", "-100 to 100"),
    "a pack far too small": ("copies = 8", "copies = 1", "faces", "17 cards", "at least 50"),
    "packs that fall": ("holes = 9 ", "packs = [6, 4]\nholes = 9 ", "packs", "rise", "6 or more"),
    "packs for too few": ("holes = 9 ", "packs = [2, 4]\nholes = 9 ", "packs", "the last be 6 or more"),
    "more packs than count": ("holes = 9 ", f"packs = {[0] * 12 + [6]}\nholes = 9 ", "packs", "104 cards", "100"),
    "no copies": ("copies = 4", "copies = 0", "faces.H.copies", "1 to 100", "0"),
    "copies past counting": ("copies = 4", "copies = 101", "faces.H.copies", "1 to 100", "101"),
    "points past counting": ("points = -5", "points = -500", "faces.H.points", "-100 to 100", "-500"),
    "a face with a long name": ("H = {", "Hio = {", "faces.Hio", "capital letter"),
    "a face with a small letter": ("H = {", "h = {", "faces.h", "capital letter"),
    "a face with three digits": ("12 = {", "120 = {", "faces.120", "digits"),
    "a face that is a question mark": ("H = {", '"?" = {', "faces.?", "capital letter"),
    "a face without a name": ("H = {", '"" = {', "faces.", "capital letter"),
    "a face in Arabic digits": ("H = {", '"٣" = {', "faces.٣", "digits"),
    "a face that is a number": ("H = { copies = 4, points = -5, line = -10 }", "H = 4", "faces.H", "copies"),
    "a face twice": ("12 = {", "11 = {", "line 30", "named twice"),
    "faces that are a list": ("[faces]", "faces = []\n[more]", None),
    "a key twice": ("holes = 9 ", "holes = 9\nholes = 8 ", "named twice"),
    "no TOML": ("holes = 9 ", "holes: 9 ", "TOML"),
    "an unfinished text": ('"Play Nine"', '"Play Nine', "TOML"),
    "a number past reading": ("holes = 9 ", f"holes = {'9' * 5000} ", None),
    "deep nesting": ("holes = 9 ", f"holes = {'[' * 5000} ", None),
    "an impossible date": ("holes = 9 ", "holes = 1979-25-47 ", "TOML"),
}


def refusal(file: Path) -> str:
    with pytest.raises(VariantError) as caught:
        variants.load(str(file))
    sentence = str(caught.value)
    assert str(file) in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    listed = ", ".join(shape(GameFacts))  # as long as there are rules
    assert len(sentence.replace(listed, "")) < 400 + len(str(file))
    return sentence


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_file_is_refused_in_words(what, tmp_path):
    old, new, *words = WRONG[what]
    assert old in GOOD
    file = tmp_path / "mine.toml"
    file.write_text(GOOD.replace(old, new), encoding="utf-8")
    sentence = refusal(file)
    for word in words:
        assert word is None or word in sentence


def test_the_pack_must_leave_a_discard_and_a_stock(tmp_path):
    """Six times eight cards need fifty: with 49 there is no stock."""
    file = tmp_path / "mine.toml"
    head = GOOD.split("[faces]")[0]
    for cards, is_right in ((49, False), (50, True)):
        file.write_text(f"{head}[faces]\nA = {{ copies = {cards - 8}, points = 1, line = 0 }}\n"
                        "B = { copies = 8, points = 1, line = 0 }", encoding="utf-8")  # fmt: skip
        variants.load.cache_clear()
        if is_right:
            assert variants.load(str(file)).rules.faces == 2
        else:
            assert "50" in refusal(file)


@pytest.mark.parametrize("faces", [0, 1, 17, 26])
def test_a_pack_has_two_to_sixteen_faces(faces, tmp_path):
    file = tmp_path / "mine.toml"
    names = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:faces]
    rows = "\n".join(f"{name} = {{ copies = 90, points = 1, line = 0 }}" for name in names)
    file.write_text(f"{GOOD.split('[faces]')[0]}[faces]\n{rows}", encoding="utf-8")
    assert "2 to 16" in refusal(file)


REQUIRED = [key for key, one in shape(GameFacts).items() if isinstance(one, dict) or one.default is MISSING]


@pytest.mark.parametrize("key", [key for key in REQUIRED if key != "faces"])
def test_no_key_without_a_default_may_be_missing(key, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(re.sub(rf"^{key} = .*$", "", GOOD, count=1, flags=re.MULTILINE), encoding="utf-8")
    assert f"{key} is missing" in refusal(file)


def test_rows_of_one_card_are_no_lines(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(ROWS.replace("rows = 3, columns = 3", "rows = 9, columns = 1"), encoding="utf-8")
    assert "lines of rows" in refusal(file)


def test_files_that_cannot_be_read(tmp_path):
    assert "there is no such file" in refusal(tmp_path / "none.toml")
    assert refusal(tmp_path)
    assert refusal(tmp_path / ("x" * 5000 + ".toml"))[-60:]
    latin = tmp_path / "latin.toml"
    latin.write_bytes('title = "Café"'.encode("latin-1"))
    assert "UTF-8 text (byte 13)" in refusal(latin)
    empty = tmp_path / "empty.toml"
    empty.write_bytes(b"")
    assert "title is missing" in refusal(empty)
    noise = tmp_path / "noise.toml"
    noise.write_bytes(bytes(range(256)))
    assert "UTF-8" in refusal(noise)
    notepad = tmp_path / "notepad.toml"
    notepad.write_bytes(GOOD.encode("utf-16"))
    assert refusal(notepad) == f"{notepad}: This file is saved as UTF-16; save it as UTF-8."


def test_a_name_that_no_file_can_have():
    with pytest.raises(VariantError):
        variants.load("a\0b.toml")


@pytest.mark.parametrize("name", ["poker", "", "Play_Nine", "play nine", "play_nine ", "..", "\ud800"])
def test_an_unknown_game_is_told_the_known_ones(name):
    with pytest.raises(VariantError, match="play_nine") as caught:
        variants.load(name)
    assert "nine_card" in str(caught.value)


def test_a_file_may_be_named_as_well_as_a_game(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(GOOD, encoding="utf-8")
    assert variants.load(str(file)).rules == variants.load("play_nine").rules
    assert variants.load(str(file)).name == "mine"
    assert variants.games()[:4] == ["play_nine", "nine_card", "six_card", "eight_card"]


@pytest.mark.parametrize("text", [GOOD, ROWS], ids=["play_nine", "nine_card"])
def test_a_text_from_before_a_rule_has_the_rules_of_then(text):
    earlier = re.sub(r"may_decline_last_turn = .*\n", "", text)
    kept, now = (variants.parse(one, Path("kept.toml")) for one in (earlier, text))
    assert not kept.rules.may_decline_last_turn
    assert kept.facts == replace(now.facts, may_decline_last_turn=False)


def test_a_rule_of_the_facts_is_one_of_the_engine():
    """Each true or false has its own field in the engine's record, under the same name."""
    facts = variants.load("play_nine").facts
    flags = [entry.field for entry in entries(GameFacts).values() if entry.kind is bool]
    for flag in flags:
        turned = replace(facts, **{flag: not getattr(facts, flag)})
        assert rules_of(turned)[flag] == getattr(turned, flag)
        assert rules_of(turned)[flag] != rules_of(facts)[flag]


def test_the_games_of_the_package_are_titled_and_described_in_every_language():
    games = [variants.load(name).facts for name in variants.games()]
    assert [game.order for game in games] == list(range(1, len(games) + 1))
    for game in games:
        assert set(game.descriptions) == set(LANGUAGES)
        assert all(shipped.titles()[game.title_in(language)] == game.name for language in LANGUAGES)


def test_links_of_score_pads_keep_their_order():
    """The order of the rules is part of every link that was sent: new ones come after these."""
    sent = (
        "least most rows columns lines_are_columns tee_off tee_off_before_play may_discard_drawn may_leave_last bonus "
        "bonus_replaces closer_penalty holes playoff may_decline_last_turn"
    )
    rules = [entry.field for entry in entries(GameFacts).values() if entry.field not in (*SHOWN, "faces")]
    assert " ".join(rules).startswith(sent)
    for entry in entries(GameFacts).values():
        assert (
            entry.default is not MISSING or entry.field in f"title faces {sent}".split()
        )  # older files lack the others


@pytest.mark.parametrize("file", [*shipped.FOLDER.glob("*.toml"), *OWN_FILES], ids=lambda file: file.stem)
def test_facts_make_the_same_variant_without_the_file(file):
    variant = variants.load(str(file))
    made = variants.checked(variant.facts)
    assert (made.facts, made.faces, made.slots) == (variant.facts, variant.faces, variant.slots)
    assert made.rules.tobytes() == variant.rules.tobytes()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"holes": 100}, "holes must be a whole number from 1 to 99, not 100"),
        ({"most": 9}, "seats.most must be a whole number from 1 to 8, not 9"),
        ({"title": ""}, "title must be a text, not ''"),
        ({"bonus": [1000]}, "bonus.lines, entry 1, must be a whole number from -100 to 100, not 1000"),
        ({"faces": [FaceFacts(name="A", copies=60, points=1, line_points=0)] * 2}, "a face is named twice"),
        ({"faces": [FaceFacts(name="a", copies=60, points=1, line_points=0)]}, "faces.a is not a face's name"),
        ({"rows": 1}, "lines of columns would be single cards"),
    ],
)
def test_facts_that_no_file_could_say_are_refused(wrong, words):
    with pytest.raises(VariantError, match=re.escape(words)):
        variants.checked(replace(variants.load("play_nine").facts, **wrong))
