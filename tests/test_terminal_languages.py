"""The terminal in four languages: its messages, a game in each, and Japanese characters in columns."""

import re
from functools import cache
from pathlib import Path

import commands
import pytest
from rich.cells import cell_len
from translations import WEB
from typer.main import get_command

from mulligan.cli.command_line import app
from mulligan.cli.spoken import SpokenCommand, key_of
from mulligan.game.rulebook import LANGUAGES
from mulligan.game.words import LanguageError, Words, plural, speak, system_language
from mulligan.terminal.typed_moves import help_on
from mulligan.terminal.wrapping import wrap

SOURCES = [file for file in (Path(__file__).parents[1] / "src/mulligan").rglob("*.py")]
KEY = re.compile(r'(?:words|wait)\(\s*(f?)"([a-z_]+)')
SLOTS = [f"{column}{row}" for row in "12" for column in "abcd"]
MOVES = ["zz", "a1", "b1", "help", "?", "? 9.9", "card", "s", "s", "-", "undo", "c1", "d b2", *["s", "-", *SLOTS] * 12]


def keys_used() -> tuple[set[str], set[str]]:
    """The keys that the code names whole, and the beginnings of those that it puts together."""
    found = [match.groups() for file in SOURCES for match in KEY.finditer(file.read_text(encoding="utf-8"))]
    return {key for form, key in found if not form}, {key for form, key in found if form}


ERROR = re.compile(r'\b(?:Fault|fault|Objection|NotationError)\(\s*"([a-z_0-9]+)"')
NUMBERS = {"help_number", "help_number_least", "help_number_least_most"}
GROUPS = ("commands", "host_commands", "research_commands")
HEADINGS = {f"help_{title}" for title in ("arguments", "options_title", "levels", *GROUPS)}
OWN = re.compile(r"terminal_(?:fault|table|wrong|at)_(.+)")


def test_every_error_has_its_message_and_every_message_its_error() -> None:
    source, known = "\n".join(file.read_text(encoding="utf-8") for file in SOURCES), Words("en").messages
    raised = set(ERROR.findall(source))
    assert len(raised) > 60
    groups = [f"{room}_{group}_" for room in ("cardboard", "terminal") for group in ("wrong", "table", "fault")]
    assert [key for key in raised if not any(f"{start}{key}" in known for start in ("", *groups))] == []
    quoted = set(re.findall(r'"([a-z_0-9]+)"', source))
    assert [key for key in known if (own := OWN.fullmatch(key)) and not {key, own[1]} & quoted] == []


def test_every_option_of_the_players_has_its_help_and_every_help_its_option() -> None:
    keys, wanted = {key for key in Words("en").messages if key.startswith("help_")}, set()
    commands = get_command(app).commands.values()  # type: ignore[attr-defined]
    players = [command for command in commands if isinstance(command, SpokenCommand)]
    assert len(players) == 9
    for command in players:
        own = {f"help_{command.name}", *(key_of(Words("en"), command.name, param) for param in command.params)}
        assert own <= keys
        wanted |= own
    said = keys_used()[0] | NUMBERS | {"help_no_value", "help_mulligan", "help_version", "help_help", *HEADINGS}
    assert keys - wanted - said == set()


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize("command", ["play", "card", "advise"])
def test_help_is_in_the_language_and_fits_the_terminal(command: str, language: str, tmp_path: Path) -> None:
    shown = mulligan(tmp_path, command, "--help", "--language", language, COLUMNS="80")
    assert english_in(shown) == []
    assert Words(language)("help_options_title") in shown
    assert max(cell_len(line) for line in shown.splitlines()) <= 80


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cards_of_an_example_stand_in_one_line_of_the_help(language: str, tmp_path: Path) -> None:
    for columns in range(40, 90, 7):
        lines = mulligan(tmp_path, "advise", "-h", "-l", language, COLUMNS=str(columns)).splitlines()
        for cards in ("7 ? 1 ? / ? ? ? 5", "4 12 12"):
            assert any(cards in line.replace("\u00a0", " ") for line in lines), columns


WRONG_USAGE = {
    "an option": (["play", "--seeed", "3"], "help_no_option", {"option": "--seeed"}, "--seed"),
    "nearly several": (["play", "--player", "x"], "help_no_option", {"option": "--player"}, "--players, --day"),
    "no value": (["play", "--seed"], "help_no_value", {"option": "--seed"}, ""),
    "a value too many": (["play", "--resume=3"], "help_takes_no_value", {"option": "--resume"}, ""),
    "no number": (["play", "--seed", "x"], "help_number_least", {"name": "--seed", "kind": "whole", "least": 0}, ""),
    "a number too high": (
        ["train", "--share", "2"], "help_number_least_most",
        {"name": "--share", "kind": "any", "least": 0, "most": 1}, "",
    ),
    "no choice": (["serve", "--log", "x"], "help_bad_choice", {"name": "--log", "choices": "json,text"}, ""),
    "a word too few": (["replay"], "help_missing", {"name": "FILE"}, ""),
    "an option too few": (["card"], "help_missing", {"name": "-o, --output"}, ""),
    "words too many": (
        ["rules", "3", "4", "5"], "help_too_many", {"typed": "4 5", "help": "mulligan rules --help"}, ""
    ),
    "no command": (["dance"], "help_no_command", {"command": "dance", "help": "mulligan --help"}, ""),
    "nearly a command": (
        ["admin", "lst"], "help_no_command", {"command": "lst", "help": "mulligan admin --help"}, "list"
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", WRONG_USAGE)
def test_wrong_usage_is_told_with_what_would_be_right(case: str, language: str, tmp_path: Path) -> None:
    typed, key, filled, meant = WRONG_USAGE[case]
    words = Words(language)
    if "choices" in filled:
        filled = filled | {"choices": words.series(str(filled["choices"]).split(","))}
    told = words.sentences(
        words(key, **filled), *([words("help_guess", names=words.series(meant.split(", ")))] if meant else [])
    )
    assert mulligan(tmp_path, *typed, code=2, LC_ALL=language) == told + "\n"


def placeholders(message: object) -> set[str]:
    texts = [message] if isinstance(message, str) else [text for one in message for text in one["match"].values()]  # type: ignore[attr-defined]
    return {name for text in texts for name in re.findall(r"\{(\w+)\}", text)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_of_the_terminal_is_there_and_names_the_same(language: str) -> None:
    english, messages = Words("en").messages, Words(language).messages
    whole, beginnings = keys_used()
    assert len(whole) > 60
    assert whole <= messages.keys()
    begun = {key for key in messages if any(key.startswith(start) for start in beginnings)}
    assert all(any(key.startswith(start) for key in messages) for start in beginnings)
    for key in whole | begun:
        assert placeholders(messages[key]) <= placeholders(english[key]), key
    for key in (key for key in english if key.startswith("terminal_")):
        assert placeholders(messages[key]) == placeholders(english[key]), key


def test_every_message_of_the_terminal_is_used() -> None:
    whole, beginnings = keys_used()
    beginnings |= {"terminal_wrong_", "terminal_table_", "terminal_fault_", "terminal_at_"}  # named by the errors
    own = {key for key in Words("en").messages if key.startswith("terminal_")}
    assert {key for key in own - whole if not any(key.startswith(start) for start in beginnings)} == set()


def test_the_browser_does_not_load_the_messages_of_the_terminal() -> None:
    assert "terminal" not in (WEB / "project.inlang/settings.json").read_text(encoding="utf-8")


# A game in each language


def mulligan(data: Path, *words: str, typed: list[str] = [], code: int = 0, **more: str) -> str:  # noqa: B006
    entered = "".join(f"{line}\n" for line in typed)
    done = commands.mulligan(*words, code=code, typed=entered, **{"MULLIGAN_DATA": str(data), "COLUMNS": "100", **more})
    return done.stdout + done.stderr


@cache
def played(language: str, folder: Path) -> str:
    """All that a game of one hole shows, from the draw to the record, with a break and a replay."""
    seats = ["--players", "you,greedy,you:Ann", "--holes", "1", "--seed", "3"]
    data = folder / language
    shown = mulligan(data, "play", *seats, "--language", language, typed=[*MOVES[:14], "quit"])
    shown += mulligan(data, "play", "--resume", "--language", language, typed=MOVES * 3)
    (file,) = (data / "games").glob("*.jsonl")
    shown += mulligan(
        data, "replay", str(file), "--language", language, typed=["b", *["n"] * 60, "g x", "zz", "h", "q"]
    )
    return shown.replace(str(file), "FILE")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("games")


@cache
def phrases(language: str) -> set[str]:
    """Pieces of three words or more that only this language's messages have."""
    found: dict[str, set[str]] = {}
    for one in LANGUAGES:
        messages = [value for key, value in Words(one).messages.items() if key != "$schema"]
        texts = [
            text for value in messages for text in ([value] if isinstance(value, str) else value[0]["match"].values())
        ]
        pieces = {piece.strip() for text in texts for piece in re.split(r"\{\w+\}|[.,;:!?]", text)}
        found[one] = {piece for piece in pieces if len(piece.split()) > 2}
    return found[language] - set().union(*(found[one] for one in LANGUAGES if one != language))


def english_in(shown: str) -> list[str]:
    """The English phrases in a text, as whole words."""
    found = [phrase for phrase in phrases("en") if phrase in shown]
    return [phrase for phrase in found if re.search(rf"\b{re.escape(phrase)}\b", shown)]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_a_game_shows_no_english_sentence(language: str, folder: Path) -> None:
    shown = " ".join(played(language, folder).split())
    assert english_in(shown) == []
    assert Words(language)("table_sc_title") in shown
    assert " ".join(Words(language)("terminal_record").split()) in shown


def test_an_english_game_is_found_to_be_english(folder: Path) -> None:
    shown = " ".join(played("en", folder).split())
    assert sum(phrase in shown for phrase in phrases("en")) > 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_and_totals_stand_in_columns(language: str, folder: Path) -> None:
    lines = played(language, folder).splitlines()
    cards = 0
    for above, below in zip(lines, lines[2:], strict=False):
        if "┌" in above and re.search(r"└──┘", below):
            tops = [cell_len(above[: found.start()]) for found in re.finditer("[┌╔]", above)]
            bottoms = [cell_len(below[: found.start()]) for found in re.finditer("[└╚]", below)]
            assert tops == bottoms, above
            cards += len(tops)
    assert cards > 100
    title = next(number for number, line in enumerate(lines) if line.strip() == Words(language)("table_sc_title"))
    rows = lines[title + 4 : title + 7]
    assert len({cell_len(row.rstrip()) for row in rows}) == 1, rows


# Which language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_CH.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR"}, "fr"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "ja_JP.eucJP"}, "ja"),
        ({"LANG": "fr", "LC_ALL": ""}, "fr"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "deutsch"}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "en"),
    ],
)
def test_the_language_is_that_of_the_system(environment: dict[str, str], language: str) -> None:
    assert system_language(environment) == language


def test_the_system_is_asked_unless_a_language_is_named(tmp_path: Path) -> None:
    french = mulligan(tmp_path, "play", "--resume", code=1, LC_ALL="fr_FR.UTF-8")
    assert french.startswith(Words("fr")("terminal_no_saved", command="mulligan play"))
    german = mulligan(tmp_path, "play", "--resume", "--language", "de", code=1, LC_ALL="fr_FR.UTF-8")
    assert german.startswith(Words("de")("terminal_no_saved", command="mulligan play"))


LISTED = ", ".join(LANGUAGES)
UNKNOWN = {
    "fr": f"Il n’y a pas de langue « eo » ; au choix : {LISTED}.",
    "de": f"Eine Sprache „eo“ gibt es nicht; zur Wahl stehen {LISTED}.",
    "ja": f"「eo」という言語はありません。選べるのは {'、'.join(LANGUAGES)} です。",
}
MISSING = {
    "fr": "no.jsonl : lecture impossible (ce fichier ou ce dossier n’existe pas).",
    "de": "no.jsonl: nicht lesbar (diese Datei oder diesen Ordner gibt es nicht).",
    "ja": "no.jsonl：読み込めません（そのファイルまたはフォルダーはありません）。",
}


@pytest.mark.parametrize("language", UNKNOWN)
def test_what_is_not_there_is_told_in_the_language(tmp_path: Path, language: str) -> None:
    for told, typed, code in ((UNKNOWN, ["rules", "-l", "eo"], 2), (MISSING, ["referee", "no.jsonl"], 1)):
        said = mulligan(tmp_path, *typed, code=code, LC_ALL=language)
        assert said.replace("\u00a0", " ").replace("\u202f", " ") == told[language] + "\n"


def test_a_language_that_we_do_not_speak_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LanguageError, match=f"There is no language “eo”; choose from {LISTED}"):
        speak("eo")


# How messages are filled in


@pytest.mark.parametrize(
    ("language", "ones", "others"),
    [("en", [1], [0, 2, 1.5]), ("de", [1], [0, 2]), ("fr", [0, 1, 1.5], [2]), ("ja", [], [0, 1, 2])],
)
def test_plurals_are_those_of_the_language(language: str, ones: list[float], others: list[float]) -> None:
    assert {plural(language, count) for count in ones} <= {"one"}
    assert {plural(language, count) for count in others} == {"other"}


def test_a_decimal_is_no_singular() -> None:
    assert Words("en")("coach_strokes", count=1, strokes="1.0") == "1.0\u00a0strokes"
    assert Words("de")("coach_strokes", count=1, strokes="1,0") == "1,0\u00a0Schläge"
    assert Words("fr")("coach_strokes", count=1, strokes="1,0") == "1,0\u00a0coup"


def test_faces_lists_and_numbers_follow_the_language() -> None:
    four = [Words(language) for language in ("en", "fr", "de", "ja")]
    assert [words.the_face("K") for words in four] == ["the king", "le roi", "den König", "キング"]
    assert Words("en").the_face("*") == "the joker"
    assert [words.listed(["A", "B", "C"]) for words in four] == ["A, B and C", "A, B et C", "A, B und C", "A、B、C"]
    assert [words.series(["A", "B"]) for words in four] == ["A, B", "A, B", "A, B", "A、B"]
    assert [Words("en").listed(names) for names in ([], ["A"])] == ["", "A"]
    assert (Words("de").decimal(-2.13), Words("en").decimal(-0.01)) == ("−2,1", "0.0")
    assert Words("en").points(-1) == "−1\u00a0point"


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Row 1 matches: kings"),
        ("fr", "Rangée 1 complète : rois"),
        ("de", "Reihe 1 gleich: Könige"),
        ("ja", "1の行：キングがそろいました"),
    ],
)
def test_the_cards_of_a_matched_row_are_named_in_the_plural(language: str, line: str) -> None:
    told = commands.mulligan("score", "--game", "nine_card", "K K K / 4 J 3 / 9 9 2", "--language", language).stdout
    assert line in told.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_typed_move_stays_on_one_line_of_the_help(language: str) -> None:
    _, more = help_on(Words(language))
    lines = [line for width in range(40, 120) for line in wrap(more, width)]
    assert [line for line in lines if re.search(r"(?<!\w)[-d]$", line)] == []


# Lines


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("a line of words", 9, ["a line of", "words"]),
        ("", 9, [""]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("BDK\u00a0; sinon", 6, ["BDK\u00a0;", "sinon"]),
        ("めくったカード：d1は12（4.3）", 13, ["めくった", "カード：d1は", "12（4.3）"]),
        ("「はい」です。", 9, ["「はい」", "です。"]),
    ],
)
def test_lines_are_broken_where_the_language_allows_it(text: str, width: int, lines: list[str]) -> None:
    assert wrap(text, width) == lines
