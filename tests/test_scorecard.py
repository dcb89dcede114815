"""The printed score card: what stands on it, that it is one sheet, and that every letter is there to be seen."""

import io
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any

import independent
import pytest
from commands import mulligan
from effort import THOROUGH
from minis import OWN_FILES, load
from pypdf import PdfReader
from test_house_rules import patched, points_of, table_of

from mulligan.game import house_rules, variants
from mulligan.game.hole import Game
from mulligan.game.referee import replay
from mulligan.scorecard.card import LONGEST_NAME, Card, PlayedHole, blank, contents, of_game, tidy
from mulligan.scorecard.card_words import FOLDER, LANGUAGES, signed, words
from mulligan.scorecard.court import lettered
from mulligan.scorecard.glyphs import FONTS
from mulligan.scorecard.order import OrderError, order
from mulligan.scorecard.pictures import pictures
from mulligan.scorecard.typeset import typeset

pytestmark = pytest.mark.long

GAMES = variants.games()
RECORDS = Path(__file__).parent / "games"
ALL_GAMES = [*GAMES, *(file.stem for file in OWN_FILES)]
POINTS = {game: independent.GAMES[game].points for game in GAMES}
SINGLE = (("1", "0"), ("A", "3"), ("A", "2", "3"))  # lines that match nothing, of the games' cards and lengths


def record(game: str, number: int) -> dict:
    return json.loads((RECORDS / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()[number - 1])


def played(game: str, number: int) -> Game:
    return replay(record(game, number))


def sheet(card: Card) -> PdfReader:
    """The printed card, which is one sheet, laid across."""
    printed = PdfReader(io.BytesIO(typeset(card)))
    (page,) = printed.pages
    assert page.mediabox.width > page.mediabox.height
    return printed


def text_of(card: Card) -> str:
    return sheet(card).pages[0].extract_text()


def told(text: str) -> str:
    """Without what broke it into lines."""
    return re.sub(r"\s|\u200b", "", text)


def fonts_of(printed: PdfReader) -> dict[str, bool]:
    """The fonts of the sheet, and whether they lie in the file."""
    fonts = {}
    for font in printed.pages[0]["/Resources"]["/Font"].values():
        (inner,) = font.get_object()["/DescendantFonts"]
        descriptor = inner.get_object()["/FontDescriptor"]
        fonts[font.get_object()["/BaseFont"].split("+")[-1]] = any(
            f"/FontFile{kind}" in descriptor for kind in ("", "2", "3")
        )
    return fonts


def empty_boxes(printed: PdfReader) -> int:
    """How many letters no font had: a font draws glyph 0 for them."""
    shown = 0
    for operands, operator in printed.pages[0].get_contents().operations:
        for text in operands[0] if operator == b"TJ" else operands if operator == b"Tj" else ():
            if isinstance(text, str | bytes):
                raw = getattr(text, "original_bytes", text)
                shown += sum(raw[at : at + 2] == b"\0\0" for at in range(0, len(raw), 2))
    return shown


# The words


def test_every_language_has_every_word_with_the_same_places_to_fill():
    places = {key: set(re.findall(r"{\w+}", text)) for key, text in words("en").items()}
    for language in LANGUAGES:
        assert {key: set(re.findall(r"{\w+}", text)) for key, text in words(language).items()} == places, language
        assert all(text.strip() for text in words(language).values())


def test_no_word_is_left_over():
    sources = [file.read_text(encoding="utf-8") for file in FOLDER.parent.glob("*.*")]
    for key in words("en"):
        kind = re.sub(r"^(column|row)(?=_)", "{kind}", key)
        named = {f"word.{key}\n", f"word.{key},", f"word.{key})", f"word.{key} ", f'"{key}"', f'f"{kind}"'}
        assert key.startswith(("game_", "face_")) or any(name in text for text in sources for name in named), key


# One sheet, whatever is asked for


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_card_is_one_sheet_with_all_its_words_in_fonts_of_its_own(game, language):
    """In each language half of the games are for few players and half for many; in `make torture` all are for both."""
    variant = variants.load(game)
    sizes = [(variant.seats[0], "letter"), (variant.seats[-1], "a4")]
    nth = GAMES.index(game) + LANGUAGES.index(language)
    for players, paper in sizes if THOROUGH else [sizes[nth % 2]]:
        card = blank(variant, players, [], language, paper)
        printed = sheet(card)
        assert fonts_of(printed) == {"MulliganCard-Regular-Identity-H": True, "MulliganCard-Bold-Identity-H": True}
        assert empty_boxes(printed) == 0
        text = told(printed.pages[0].extract_text())
        shown = contents(card)
        text_words = shown["words"]
        for said in (shown["title"], text_words["score_card"], text_words["first_line"], text_words["total"]):
            assert told(said) in text
        for said in (shown["pictures"]["heading"], shown["pictures"]["closer"], *shown["pictures"]["winning"]):
            assert told(said or "") in text
        for board in shown["pictures"]["boards"]:
            assert told(board["points"] + board["words"]) in text
        assert (text_words["playoff"] in text) == bool(variant.rules.playoff)
        assert printed.trailer["/Root"]["/Lang"] == language


@pytest.mark.long
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game", GAMES)
def test_a_line_is_high_enough_to_write_in(game, paper):
    """The rules in pictures make room for it; a match of many holes stands in as many bands as leave most room."""
    variant = variants.load(game)
    for players in {4, variant.seats[-1]}:
        lines = heights_of_lines(sheet(blank(variant, players, [], "en", paper)))
        assert lines[0] - lines[1] > 8.5, players


def heights_of_lines(printed: PdfReader) -> list[float]:
    """How high each line's number stands on the sheet, from the bottom, in millimetres."""
    found: list[float] = []

    def look(text: str, matrix: list[float], *_: Any) -> None:
        if text.strip().isdigit() and matrix[4] < 48:  # points of print from the left edge
            found.append(matrix[5] * 25.4 / 72)

    printed.pages[0].extract_text(visitor_text=look)
    return found


@pytest.mark.parametrize(
    ("language", "court", "letters"),
    [("en", None, "JQK"), ("fr", None, "VDR"), ("de", None, "BDK"), ("ja", None, "JQK"), ("fr", "BDK", "BDK")],
)
def test_jack_queen_and_king_have_the_letters_of_the_country(language, court, letters):
    variant = variants.load("nine_card")
    shown = contents(blank(variant, 2, [], language, "a4", court=court))["pictures"]
    named = [told["card"]["name"] for told in shown["cards"] if "card" in told]
    assert named == ["A", *letters, "*"]
    assert any(letters[2] in board["words"] for board in shown["boards"])
    assert variant.faces[-4:] == ("J", "Q", "K", "*")


def test_a_face_that_is_already_called_so_keeps_all_names():
    variant = replace(variants.load("nine_card"), faces=("V", *variants.load("nine_card").faces[1:]))
    assert lettered(variant, "fr", None) == variant
    assert "K" in lettered(variant, "de", None).faces


@pytest.mark.long
@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_variant_has_a_card_for_few_and_for_many(game):
    variant = load(game)
    for players in (variant.seats[0], variant.seats[-1]):
        text = text_of(blank(variant, players, ["Ann"], "en", "a4"))
        assert "Ann" in text
        assert all(str(hole) in text for hole in range(1, variant.rules.holes + 1))


@pytest.mark.parametrize(("paper", "size"), [("a4", (842, 595)), ("letter", (792, 612))])
def test_the_paper_is_the_one_asked_for(paper, size):
    page = sheet(blank(load("play_nine"), 4, [], "en", paper)).pages[0]
    assert (round(page.mediabox.width), round(page.mediabox.height)) == size


@pytest.mark.long
def test_even_ninety_nine_holes_for_eight_fit_on_one_sheet():
    text = load("largest").text.replace("holes = 2", "holes = 99")
    variant = variants.parse(text, Path("marathon.toml"))
    shown = text_of(blank(variant, 8, ["Ann"], "de", "letter"))
    assert {str(number) for number in range(1, 100)} <= set(shown.split())


# The rules in pictures


@pytest.mark.parametrize("game", GAMES)
def test_the_boards_cost_what_an_independent_scorer_says(game):
    variant = variants.load(game)
    columns, by_columns = int(variant.rules.columns), bool(variant.rules.lines_are_columns)
    if variant.rules.other_lines:
        for board in pictures(variant, "en")["boards"]:
            beside = iter(["A", "2", "3", "4", "5", "6"])  # no two of them match
            slots = [card["name"] if card else next(beside) for card in board["slots"]]
            rows = [slots[at : at + columns] for at in range(0, len(slots), columns)]
            assert board["points"] == signed(POINTS[game](rows) - (1 + 2 + 3 + 4 + 5 + 6))
        return
    length = int(variant.rules.line_length)
    single = next(list(line) for line in SINGLE if len(line) == length and {*line} <= {*variant.faces})
    worth = sum(int(variant.rules.points[variant.faces.index(card)]) for card in single)
    for board in pictures(variant, "en")["boards"]:
        slots = [card and card["name"] for card in board["slots"]]
        rows = [slots[at : at + columns] for at in range(0, len(slots), columns)]
        lines = [list(line) for line in zip(*rows, strict=True)] if by_columns else rows
        filled = [single if None in line else line for line in lines]
        layout = [list(row) for row in zip(*filled, strict=True)] if by_columns else filled
        assert board["points"] == signed(POINTS[game](layout) - worth * sum(None in line for line in lines))


def test_each_game_shows_the_lines_it_has():
    shown = {game: [board["points"] for board in pictures(variants.load(game), "en")["boards"]] for game in GAMES}
    assert shown == {
        "play_nine": ["0", "−10", "−10", "−15", "−20", "−30"],
        "nine_card": ["0", "−10", "−20", "−30"],
        "six_card": ["0"],
        "eight_card": ["0", "−10", "−10", "−15", "−20", "−30"],
        "ten_card": ["0"],
        "four_card": ["0"],
        "nine_card_square": ["0", "0", "0"],
        "twelve_card": ["0"],
    }


@pytest.mark.parametrize("game", GAMES)
def test_the_example_is_added_up_rightly(game):
    variant = variants.load(game)
    example, columns = pictures(variant, "en")["example"], int(variant.rules.columns)
    names = [card["name"] for card in example["slots"]]
    rows = [names[at : at + columns] for at in range(0, len(names), columns)]
    whole = signed(POINTS[game](rows))
    assert example["points"] == whole
    assert signed(eval(example["sum"].replace("−", "-"))) == whole


def test_what_cards_cost_is_said_of_every_card():
    nine_card = [
        (one["card"]["name"], one["points"]) if "card" in one else (one["from"]["name"], one["to"]["name"])
        for one in pictures(variants.load("nine_card"), "en")["cards"]
    ]
    assert nine_card == [("A", "1"), ("2", "10"), ("J", "11"), ("Q", "12"), ("K", "0"), ("*", "−3")]


def test_only_a_game_with_a_penalty_speaks_of_closing():
    assert "doubled" in pictures(variants.load("twelve_card"), "en")["closer"]
    assert pictures(variants.load("twelve_card"), "en")["penalty"]["sum"] == "10 × 2 = 20"
    assert pictures(variants.load("play_nine"), "en")["closer"] is None
    assert "10" in pictures(load("brisk_six"), "en")["closer"]


def with_options(game: str, *options: str) -> variants.Variant:
    return house_rules.with_options(variants.load(game), options)


def test_the_card_says_how_the_house_rules_end_a_hole_and_a_match():
    told = pictures(with_options("nine_card", "penalty=10"), "en")
    assert told["closer"] == "The player who closes adds 10 if anyone has fewer points."
    assert told["penalty"]["sum"] == "10 + 10 = 20"
    assert "for every player" in pictures(with_options("six_card", "penalty=5_each"), "en")["closer"]
    assert "doubled if above 0" in pictures(with_options("six_card", "penalty=double"), "en")["closer"]
    told = pictures(with_options("six_card", "until=50", "holes=18"), "en")
    assert told["winning"][0].startswith("The match ends once someone has 50\u00a0points, or after hole 18.")


@pytest.mark.parametrize("game", [game for game in GAMES if variants.load(game).facts.options])
def test_the_example_and_the_boards_are_scored_by_the_house_rules(game):
    """Each option of the game alone, by a second reading of its file."""
    single = [{option: value} for option, values in variants.load(game).facts.options.items() for value in values[1:]]
    for patch in [*single, *({"block": -25, "lines": value} for value in ["columns"] if game == "nine_card_square")]:
        variant, table = variants.for_match(variants.load(game), patch), patched(table_of(game), patch)
        shown, wide = pictures(variant, "en"), int(variant.rules.columns)
        names = [card["name"] for card in shown["example"]["slots"]]
        assert shown["example"]["points"] == signed(points_of(table, in_rows(names, wide))), patch
        for board in shown["boards"]:
            beside = beside_of(variant, board)
            slots = [card["name"] if card else next(beside) for card in board["slots"]]
            own = sum(
                table["faces"][name]["points"] for name, card in zip(slots, board["slots"], strict=True) if not card
            )
            assert board["points"] == signed(points_of(table, in_rows(slots, wide)) - own), (patch, board)
        assert any("square" in board["words"] for board in shown["boards"]) == bool(variant.rules.block_points), patch


def in_rows(names: list[str], wide: int) -> list[list[str]]:
    return [names[at : at + wide] for at in range(0, len(names), wide)]


def beside_of(variant: variants.Variant, board: dict[str, Any]) -> Iterator[str]:
    """Cards that are in no line with each other or with those of the board."""
    taken = {card["name"] for card in board["slots"] if card}
    return cycle([face for face in variant.faces if face not in taken])


def test_two_players_and_any_other_variant_show_no_bonus_that_is_none():
    variant = variants.parse(load("mini_columns").text.replace("[-10]", "[0]"), Path("plain.toml"))
    assert [board["points"] for board in pictures(variant, "en")["boards"]] == ["0", "−10"]


# Filled in


@pytest.mark.long
@pytest.mark.parametrize(("game", "number"), [("play_nine", 2), ("play_nine", 4), ("nine_card", 4)])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_recorded_game_stands_on_its_card_row_by_row(game, number, language):
    finished, kept = played(game, number), record(game, number)
    text = text_of(of_game(finished, language, "a4")).split("\n" + words(language)["cards"])[0]
    match = int(finished.variant.rules.holes)
    ends = [text.index(f"\n{line + 1} {name} ") for line, name in enumerate(kept["players"])] + [len(text)]
    for player, (start, end) in enumerate(pairwise(ends)):
        row = text[start:end].removeprefix(f"\n{player + 1} {kept['players'][player]} ").split()
        expected, so_far = [], 0
        for hole in kept["holes"][:match]:
            points = hole["points"][hole["seats"].index(player)]
            so_far += points
            expected += [signed(points), signed(so_far)]
        for hole in kept["holes"][match:]:
            seats = hole["seats"]
            expected.append(signed(hole["points"][seats.index(player)]) if player in seats else "–")
        expected.append(signed(kept["totals"][player]))
        assert row[: len(expected)] == expected


def test_the_deal_the_best_of_each_hole_and_the_winner_are_marked():
    finished = played("play_nine", 2)
    shown = contents(of_game(finished, "en", "a4"))
    assert [column["dealer"] for column in shown["columns"]] == [hole["dealer"] for hole in finished.holes[:9]]
    assert shown["playoffs"][0]["dealer"] == finished.holes[9]["dealer"]
    for column, hole in zip(shown["columns"], finished.holes, strict=False):
        assert column["best"] == [seat for seat in range(3) if hole["points"][seat] == min(hole["points"])]
    assert shown["winners"] == finished.winners


def test_a_game_that_is_not_over_yet_leaves_its_other_holes_to_write_in():
    card = Card(load("play_nine"), ("Ann", "Ben"), "en", "a4", 1, (PlayedHole((7, -3), 1), PlayedHole((0, 5), 0)))
    shown = contents(card)
    assert [column["points"] for column in shown["columns"]] == [["7", "−3"], ["0", "5"], *[None] * 7]
    assert shown["totals"] == ["7", "2"]
    assert [column["dealer"] for column in shown["columns"]] == [1, 0] * 4 + [1]
    assert "−3" in text_of(card)


def test_of_many_play_off_holes_the_last_four_stand_on_the_card():
    holes = tuple(PlayedHole((hole, hole)) for hole in range(9)) + tuple(PlayedHole((20 + n, 20 + n)) for n in range(8))
    shown = contents(Card(load("play_nine"), ("Ann", "Ben"), "en", "a4", 0, holes))
    assert [(column["label"], column["points"]) for column in shown["playoffs"]] == [
        (f"P{number}", [str(19 + number)] * 2) for number in (5, 6, 7, 8)
    ]


# Who deals


def test_without_names_the_first_line_deals_first_and_the_deal_goes_round():
    shown = contents(order(load("play_nine"), 4, [], "en", "a4"))
    assert [column["dealer"] for column in shown["columns"]] == [0, 1, 2, 3, 0, 1, 2, 3, 0]


def test_with_names_it_is_left_open_unless_it_is_said():
    assert contents(order(load("play_nine"), None, ["Ann", "Ben"], "en", "a4"))["columns"][0]["dealer"] is None
    shown = contents(order(load("play_nine"), None, ["Ann", "Ben"], "en", "a4", 1))
    assert [column["dealer"] for column in shown["columns"]][:3] == [1, 0, 1]


# Names


HOSTILE = ["#[panic()] \\ $x$", '"; #eval("1")', "<b>&amp;</b> @a `c`", "//* _x_ ~ ---", "{{7*7}} = - + /"]


def test_names_print_as_they_are_typed():
    text = told(text_of(order(load("play_nine"), None, HOSTILE, "en", "a4")))
    for name in HOSTILE:
        assert told(name) in text


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["佐藤花子", "森鷗外", "髙橋﨑", "𠮷田", "Zoë Größe", "Çà œuvre", "Жанна", "ヴィクトリア", "ｱﾝﾝ"]
)
def test_names_of_many_languages_are_in_our_own_fonts(name):
    printed = sheet(order(load("nine_card"), 2, [name], "fr", "a4"))
    assert set(fonts_of(printed)) == {"MulliganCard-Regular-Identity-H", "MulliganCard-Bold-Identity-H"}
    assert empty_boxes(printed) == 0
    assert name in printed.pages[0].extract_text()


@pytest.mark.long
@pytest.mark.parametrize("name", ["Łucja Żółć", "Šárka", "İpek Işık", "Ελένη", "Ğülşen"])
def test_other_names_of_europe_are_whole_in_a_font_of_typst(name):
    printed = sheet(order(load("nine_card"), 2, [name], "fr", "a4"))
    assert any("Libertinus" in font for font in fonts_of(printed))
    assert all(fonts_of(printed).values())
    assert empty_boxes(printed) == 0
    assert name in printed.pages[0].extract_text()


def test_a_letter_that_is_nowhere_is_an_empty_box_and_nothing_worse(monkeypatch):
    monkeypatch.setattr("mulligan.scorecard.typeset.is_rare", lambda text: False)
    assert empty_boxes(sheet(order(load("nine_card"), 2, ["Łx"], "en", "a4"))) == 1


def test_a_name_is_one_line_without_what_cannot_be_printed():
    assert tidy("  Ann\n\tMarie\u202e \x00X\ud800 ") == "Ann Marie X"
    assert tidy("か\u3099") == "が"
    assert len(tidy("x" * 1000)) == LONGEST_NAME


def test_the_longest_names_stay_whole():
    long = "Wilhelmine Annegret von der Tannenbergen"
    assert len(long) == LONGEST_NAME
    assert told(long) in told(text_of(order(load("nine_card"), 8, [long] * 8, "de", "letter")))


def test_a_variant_may_be_called_anything():
    title = "#panic() $ " + "very " * 9
    variant = variants.parse(load("mini_rows").text.replace("Mini rows", title), Path("odd.toml"))
    assert "#panic()$" in told(text_of(blank(variant, 2, [], "en", "a4")))


# What there is no card for


@pytest.mark.parametrize(
    ("players", "names", "language", "paper", "dealer", "why"),
    [
        (7, [], "en", "a4", None, "2 to 6 players"),
        (0, [], "en", "a4", None, "2 to 6 players"),
        (2, ["a", "b", "c"], "en", "a4", None, "3 names are given, but only 2 play"),
        (None, ["x" * 41], "en", "a4", None, "2 to 6"),
        (2, ["x" * 41], "en", "a4", None, "longer than 40 letters"),
        (2, [], "eo", "a4", None, f"choose from {', '.join(LANGUAGES)}"),
        (2, [], "en", "a5", None, "a4, letter"),
        (2, [], "en", "a4", 2, "only 2 play"),
    ],
)
def test_what_cannot_be_printed_is_said_in_a_sentence(players, names, language, paper, dealer, why):
    with pytest.raises(OrderError, match=why):
        order(load("play_nine"), players, names, language, paper, dealer)


def test_letters_of_no_deck_are_said_in_a_sentence():
    with pytest.raises(OrderError, match="choose from JQK, VDR, BDK"):
        order(load("nine_card"), 2, [], "en", "a4", court="XYZ")
    assert order(load("nine_card"), 2, [], "en", "a4", court="bdk").court == "BDK"


# The command


def test_the_command_prints_a_blank_card(tmp_path):
    file = tmp_path / "card.pdf"
    words = ["--game", "nine_card", "--players", "5", "--names", "Ann, Ben", "-l", "ja", "--paper", "letter"]
    done = mulligan("card", *words, "-o", file)
    assert "card.pdf" in done.stdout
    text = PdfReader(file).pages[0].extract_text()
    assert "ナインカードゴルフ" in text
    assert "1 Ann" in text
    assert "2 Ben" in text


def test_the_command_fills_in_a_recorded_game(tmp_path):
    file = tmp_path / "card.pdf"
    mulligan("card", "--record", str(RECORDS / "play_nine.jsonl"), "--number", "3", "-o", str(file))
    text = PdfReader(file).pages[0].extract_text()
    assert "1 Ann" in text
    assert all(signed(total) in text.split() for total in record("play_nine", 3)["totals"])


def test_a_record_that_breaks_a_rule_is_not_printed(tmp_path):
    broken = record("play_nine", 3)
    broken["holes"][4]["points"][0] += 1
    file = tmp_path / "broken.jsonl"
    file.write_text(json.dumps(broken) + "\n", encoding="utf-8")
    done = mulligan("card", "--record", str(file), "-o", str(tmp_path / "card.pdf"), code=1)
    assert "hole 5" in done.stderr
    assert not (tmp_path / "card.pdf").exists()


def test_without_typst_the_command_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    done = mulligan("card", "-o", tmp_path / "card.pdf", code=2)
    assert done.stderr == "Printing needs the package typst: pip install 'typst>=0.15'\n"


# The fonts


def test_the_fonts_are_small_and_come_with_their_licence():
    files = {file.name: file.stat().st_size for file in FONTS.iterdir()}
    assert set(files) == {"card-regular.otf", "card-bold.otf", "letters.txt", "OFL.txt"}
    assert sum(files.values()) < 3_500_000
    licence = (FONTS / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "Copyright 2014-2021 Adobe" in licence


def test_the_bold_font_has_the_letters_of_every_word_of_the_card():
    """Headings are bold: a word with a new letter needs the fonts made again (tools/card_fonts.py)."""
    fonts = pytest.importorskip("fontTools.ttLib")
    known = set(map(chr, fonts.TTFont(FONTS / "card-bold.otf").getBestCmap()))
    for language in LANGUAGES:
        assert {letter for text in words(language).values() for letter in text} <= known, language
