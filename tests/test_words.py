"""The words a reader meets: one word for one thing, as docs/glossary.md has it, and the typography of each language."""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from syntax import nodes_in

from mulligan.game import variants
from mulligan.game.rulebook import LANGUAGES

ROOT = Path(__file__).parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
STRUCK = re.compile(r"~~(.+?)~~")
CODE = re.compile(r"`[^`]*`|<!-- [^>]* -->")
# Blocks of code, the targets of links, the mark of a picture, tags but for what they say instead of one.
NOT_PROSE = re.compile(
    r"^( *)```.*?^\1```|(?<=\])\([^)]*\)|(?<!\S)!(?=\[)|</?\w(?:[^>]*? alt=\"(?P<alt>[^\"]*)\")?[^>]*>",
    re.DOTALL | re.MULTILINE,
)
NO_SENTENCE = re.compile(r"<\w+ [\w-]+=|\{ [\w-]+:|^\S*$")  # in a string: markup, or a single word
REMARK = re.compile(r"(?:^|(?<=\s))# .*(?:\n *# .*)*", re.MULTILINE)  # a comment in Python, over several lines
COMMENT = re.compile(r"/\*.*?\*/|<!--.*?-->|(?:^|(?<=\s))//.*?$", re.DOTALL | re.MULTILINE)  # one in the client
TECHNICAL = {"flip*", "level", "rulebook"}  # in documentation a phase, the levels of players and of the log, a folder
EVERYWHERE = {
    "ASCII quotation mark or apostrophe": r"[\"']",
    "three dots": r"\.\.\.",
    "hyphen as minus": r"(?<![\w\-/])-(?=\d)",
    "space at the end of a line": r"[ \u00a0]$",
    "two spaces": r"  ",
}
# What is filled in with a number or a card.
NUMBER = r"(?:amount|before|card|count|faces?|low|lying|number|points|rate|sum|total|went)"
UNITS = {
    "en": "points?|strokes?|minutes?|seconds?|bytes",
    "fr": "points?|coups?|minutes?|secondes?|octets|bits",
    "de": "Punkten?|Punkt|Schlag|Schläge|Minuten?|Sekunden?|Byte",
}
RATE = r"(?:\d|\b(?:strokes?|points?|turns|moves|decisions|rows|seconds|minutes|steps|kB|MB|ms|µs)) (?-i:an?)"
RATE += r" (?:hole|match|game|round|turn|move|seat|player|second)\b"
IZE = r"\b(?<!systemd-)(?!(?:re|cap|transfer)?siz|priz|seiz|maiz|unrecogniz)[a-z]+[iy]z(?:e[sd]?|ing|ations?)\b"
QUI = r"(?:^|[.;:,«(][ \u00a0])qui (?:[\w’]+ )+?"
QUI += r"(?:commence|paie|paye|ajoute|prend|perd|gagne|joue|donne|voit|doit|peut|marque|reçoit|compte)\b(?!.*\?)"
MOST = {  # nobody has counted people, as rule sheets can be counted
    "en": r"\b(?:most|nearly all|almost every) (?:people|players|family|families|tables) (?:play|have|do|use|count)",
    "fr": r"\b(?:la plupart des|presque (?:tous|toutes) les|presque chaque) (?:gens|joueurs|famille|table|groupe)",
    "de": r"\b(?:die|den|der) meisten (?:Leute|Menschen|Spielern?\b|Familie|Runde|\w*tisch|(?-i:spielen|zählen))",
    "ja": r"(?:多くの|たいていの|ほとんどの)(?:人|家|家庭|プレイヤー)[はがで]",
}
WORDING = {
    "en": {
        "“per hole”, “per second” …": RATE,
        "-ise": IZE,
    },
    "fr": {"“qui …” as a subject; write “celui qui …”": QUI, "“alignement”": r"^(?:une )?lignes?$"},
    "de": {},
    "ja": {"“n番ホール”": r"ホール(?:\{|\d)"},
}
TYPOGRAPHY = {
    "en": {"space before an ellipsis": r"(?<=\w)[ \u00a0]…", "space before a mark": r"[ \u00a0\u202f][:;?!]"},
    "fr": {
        "no U+00A0 before a mark": r"(?<![\u00a0\u202f?!])[;?!»]|(?<![\u00a0\u202f]):",
        "no U+00A0 after «": r"«(?![\u00a0\u202f])",
        "space before an ellipsis": r"(?<=\w)[ \u00a0]…",
    },
    "de": {"space before a mark": r"[ \u00a0\u202f][:;?!]", "no U+00A0 before an ellipsis": r"(?<=\w) …"},
    "ja": {"half-width mark": r"[:;?!](?![\w/])|(?<!\d),", "～ for 〜": "～"},
}


COUNTED = re.compile(  # a number and a noun in the plural
    r"\{\w+\}[ \u00a0](?:\w+ )?(?:points|cards|holes|players|matches|names|columns|rows|packs|strokes|copies|moves|"
    r"links|cartes|trous|joueurs|parties|noms|colonnes|rangées|jeux|coups|exemplaires|messages|"
    r"Punkten?|Karten|Löchern?|Spielern?|Partien|Namen|Spalten|Reihen|Kartenspielen?|Schlägen?|Zügen?)\b(?! \{)"
)
NEVER_ONE = {  # or written with one as a case of its own
    *("start_seats", "start_all_games", "error_wrong_seat_count", "terminal_seats", "terminal_table_player_count"),
    *("terminal_fault_player_count", "terminal_fault_many_games", "terminal_card_names", "error_too_many_links"),
    *("error_too_much_talk", "pad_doubt_cards", "coach_why_gathers", "coach_why_discards_to_match"),
    *(
        "coach_why_may_match",
        "house_options_value",
        "house_options_how",
        "house_options_wrong_cards",
        "house_options_wrong_tee_off",
    ),
    *("table_rk_bonus_columns", "table_rk_bonus_rows", "table_pic_layout", "table_pic_layout_turn"),
    *("table_pic_layout_hidden", "table_pic_columns", "table_pic_rows", "table_pic_crossing", "table_pic_diagonals"),
    *("table_pic_clear", "table_pic_until", "pad_hole_until", "cardboard_so_far", "terminal_wrong_shape"),
}


def leaves(value: object) -> list[str]:
    """The texts of one message: itself, or all its plural forms."""
    if isinstance(value, str):
        return [value]
    assert isinstance(value, list)
    return [text for one in value for text in one["match"].values()]


def messages(language: str) -> list[tuple[str, str]]:
    """The messages of the interface, the printed card and the server's pages in a language, with where they are."""
    folders = [
        ROOT / "web" / "messages",
        *sorted((ROOT / "web" / "messages").glob("*/")),
        ROOT / "src/mulligan/scorecard/words",
        ROOT / "src/mulligan/server/web/words",
    ]
    found = []
    for folder in folders:
        file = folder / f"{language}.json"
        for key, value in json.loads(file.read_text(encoding="utf-8")).items():
            if key != "$schema":
                found += [(f"{file.relative_to(ROOT)} {key}", text) for text in leaves(value)]
    return found


@cache
def texts(language: str) -> list[tuple[str, str]]:
    """Every text a user reads in a language, with where it is; without pieces of code."""
    found = messages(language)
    for name in variants.games():
        facts = variants.load(name).facts
        found += [(f"title of {name}", facts.title_in(language)), (f"of {name}", facts.descriptions[language])]
    readme = ROOT / ("README.md" if language == "en" else f"README.{language}.md")
    books = (ROOT / "docs" / "rulebook").glob(f"*{language}.md")  # of all games, and of each one
    return [*found, *(text for page in (*sorted(books), readme) for text in paragraphs(page))]


def paragraphs(file: Path) -> Iterator[tuple[str, str]]:
    """The paragraphs, list items and table rows of a page, each on one line and without pieces of code."""
    text = file.read_text(encoding="utf-8")
    prose = CODE.sub("`", NOT_PROSE.sub(lambda found: (found["alt"] or "") + "\n" * found[0].count("\n"), text))
    for found in re.finditer(r"\S.*(?:\n(?! *(?:[-*|#>]|\d+\.) ) *\S.*)*", prose):
        yield f"{file.relative_to(ROOT)}:{line_of(prose, found)}", re.sub(r"(?<=\S) *\n *", " ", found[0])


def written() -> list[tuple[str, str]]:
    """What programmers, researchers and operators read: documentation, docstrings, comments, messages, in tests too."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    found = [text for page in pages if page != GLOSSARY for text in paragraphs(page)]
    for folder in ("src", "bench", "tools", "docs/examples", "tests"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            if file != Path(__file__):  # which quotes the wrong ones
                found += in_python(file)
    for file in [*(ROOT / "web" / "src").rglob("*.*"), *(ROOT / "web" / "tests").rglob("*.*")]:
        if file.suffix in (".ts", ".svelte", ".css", ".js") and "paraglide" not in file.parts:
            found += in_client(file)
    return found


def in_python(file: Path) -> Iterator[tuple[str, str]]:
    """The docstrings, messages and comments in a Python file."""
    source, place = file.read_text(encoding="utf-8"), file.relative_to(ROOT)
    for node in nodes_in(source):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not NO_SENTENCE.search(node.value):
            yield placed(place, node.lineno, node.value)
    for one in REMARK.finditer(source):
        yield placed(place, line_of(source, one), one[0])


def in_client(file: Path) -> Iterator[tuple[str, str]]:
    """The comments in a file of the client."""
    source, place = file.read_text(encoding="utf-8"), file.relative_to(ROOT)
    return (placed(place, line_of(source, one), one[0]) for one in COMMENT.finditer(source))


def line_of(source: str, found: re.Match[str]) -> int:
    return source.count("\n", 0, found.start()) + 1


def placed(place: Path, line: int, text: str) -> tuple[str, str]:
    """A text on one line and without pieces of code, with where it is."""
    words = [word for word in text.split() if word.strip("/*#<!->")]
    return f"{place}:{line}", CODE.sub("`", " ".join(words))


def glossary() -> dict[str, list[str]]:
    """The words no text may have, by language: those struck out in the first table."""
    table = GLOSSARY.read_text(encoding="utf-8").split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| ")]
    heads = {head.split(":")[0].strip(): column for column, head in enumerate(rows[0])}
    return {language: [word for row in rows for word in STRUCK.findall(row[heads[language]])] for language in LANGUAGES}


def pattern(word: str) -> str:
    """Finds a word of the glossary; a Japanese one also inside a longer run of characters."""
    found = re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"[\s-]")
    return found if re.search(r"[\u3040-\u9fff]", word) else rf"(?<!\w){found}(?!\w)"


def faults(where_and_text: list[tuple[str, str]], patterns: dict[str, str], struck: Iterable[str] = ()) -> list[str]:
    """What is found of the patterns and of the words struck out. These are looked for only where they begin."""
    wrong = [("", what, re.compile(one, re.IGNORECASE)) for what, one in patterns.items()]
    wrong += [(beginning(word), f"not “{word}”", re.compile(pattern(word), re.IGNORECASE)) for word in struck]
    return [
        f"{where}: {what}: {text[max(0, hit.start() - 20) : hit.end() + 20]}"
        for where, text in where_and_text
        for small in [text.lower()]
        for start, what, one in wrong
        if start in small and (hit := one.search(text))
    ]


def beginning(word: str) -> str:
    return re.split(r"[* ]", word)[0].lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_thing_has_one_word(language: str) -> None:
    patterns = WORDING[language] | {"counted people": MOST[language]}
    assert faults(texts(language), patterns, glossary()[language]) == []


def test_documentation_and_docstrings_have_the_same_words() -> None:
    words = [word for word in glossary()["en"] if word not in TECHNICAL]
    assert faults(written(), WORDING["en"], words) == []


def test_the_glossary_strikes_words_out() -> None:
    assert len(glossary()["en"]) > 3


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_what_is_counted_has_a_form_for_one(language: str) -> None:
    """A noun after a number is plural in every language that has one, unless the number is never one."""
    found = set()
    for file in (ROOT / "web" / "messages").rglob(f"{language}.json"):
        for key, value in json.loads(file.read_text(encoding="utf-8")).items():
            has_forms = not isinstance(value, str) and any(": plural" in said for said in value[0]["declarations"])
            if not has_forms and any(COUNTED.search(text) for text in leaves(value)):
                found.add(key)
    assert found <= NEVER_ONE


@pytest.mark.parametrize("language", UNITS)
def test_a_number_stays_with_its_unit_and_with_the_colon_before_it(language: str) -> None:
    patterns = {
        "no U+00A0 before a unit": rf"(?<=[\d}}]) (?:{UNITS[language]})\b",
        "no U+00A0 before a number": rf"(?<=:) (?:\{{{NUMBER}\}}|[\d−])",
    }
    assert faults(messages(language), patterns) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_typography_is_that_of_the_language(language: str) -> None:
    assert faults(texts(language), EVERYWHERE | TYPOGRAPHY[language]) == []


def test_a_struck_word_is_found_with_its_endings() -> None:
    assert re.search(pattern("throw* away"), "She throws away a 7")
    assert not re.search(pattern("thrown"), "overthrown")
    assert re.search(pattern("手札"), "その手札を")
    assert re.search(pattern("on turn"), "the on-turn player")


def test_a_rate_and_a_lone_qui_are_found() -> None:
    assert re.search(RATE, "2.1 strokes a hole")
    assert re.search(RATE, "it gains 7.2 a hole")
    assert not re.search(RATE, "for so many turns a card lies there")
    assert not re.search(RATE, "3 A turn")
    assert re.search(QUI, "Ensuite, qui a bouclé commence le trou.", re.IGNORECASE)
    assert not re.search(QUI, "Ensuite, celui qui a bouclé commence.", re.IGNORECASE)
    assert not re.search(QUI, "Qui commence ?", re.IGNORECASE)


def test_a_page_is_read_by_paragraphs_without_code_and_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(
        "# Head\n\nOne\ntwo [three](four.md).\n- `five` six\n\n```console\n$ seven\n```\n\n"
        '<img src="8.png" alt="Nine">\n',
        encoding="utf-8",
    )
    assert list(paragraphs(page)) == [
        ("page.md:1", "# Head"),
        ("page.md:3", "One two [three]."),
        ("page.md:5", "- ` six"),
        ("page.md:11", "Nine"),
    ]


def test_comments_and_messages_in_code_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    python, client = tmp_path / "one.py", tmp_path / "one.svelte"
    python.write_text(
        '"""The head."""\nseats = 2  # of\n# the `table`\nraise ValueError("No  seat.")\n', encoding="utf-8"
    )
    client.write_text("<!-- Head. -->\n/** The\n * seat. */\nconst url = 'http://x'; // of it\n", encoding="utf-8")
    assert sorted(in_python(python)) == [("one.py:1", "The head."), ("one.py:2", "of the `"), ("one.py:4", "No seat.")]
    assert list(in_client(client)) == [
        ("one.svelte:1", "Head."),
        ("one.svelte:2", "The seat."),
        ("one.svelte:4", "of it"),
    ]
