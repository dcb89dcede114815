"""The manual as `make docs` builds it: every page is there, says what it says on GitHub, and leads somewhere."""

import json
import posixpath
import re
import types
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import manual
import pytest
from manuals import built_manual
from test_machine_code import build  # noqa: F401  a fixture

import mulligan

pytestmark = pytest.mark.long
BLOCKS = {"li", "p", "td", "th", "pre", "h1", "h2", "h3", "h4"}
COUNTED = {"ol", "li", "table", "td", "th", "pre", "code", "blockquote", "em", "strong", "img", "h1", "h2", "h3", "h4"}
NOT_THE_PAGES = {"a": "headerlink", "button": None, "nav": None}  # what the generator adds to a page, by tag and class


class Reader(HTMLParser):
    """The words of a page, and how often it has each tag; the addresses that it asks for, and its anchors."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words, self.links, self.anchors, self.left_out = "", list[str](), set[str](), 0
        self.tags = dict.fromkeys(COUNTED, 0)
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = dict(attributes)
        self.links += [has[name] or "" for name in ("href", "src") if name in has]
        self.anchors |= {has[name] or "" for name in ("id", "name") if name in has}
        if self.left_out or (tag in NOT_THE_PAGES and NOT_THE_PAGES[tag] in (None, has.get("class"))):
            self.left_out += tag in NOT_THE_PAGES
        elif tag in COUNTED:
            self.tags[tag] += 1
        self.words += "\n" if tag in BLOCKS else ""

    def handle_endtag(self, tag: str) -> None:
        self.left_out -= bool(self.left_out) and tag in NOT_THE_PAGES

    def handle_data(self, data: str) -> None:
        self.words += "" if self.left_out else data


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_manual(tmp_path_factory)


@pytest.fixture(scope="module")
def read(built: Path) -> dict[str, Reader]:
    """Every page by its path."""
    files = sorted(built.rglob("*.html"))
    return {file.relative_to(built).as_posix(): Reader(file.read_text(encoding="utf-8")) for file in files}


def test_every_link_leads_to_a_file_of_the_manual_and_every_anchor_is_there(
    built: Path, read: dict[str, Reader]
) -> None:
    there = {file.relative_to(built).as_posix() for file in built.rglob("*") if file.is_file()}
    lost = []
    for url, page in read.items():
        for link in page.links:
            path, _, anchor = link.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(url), path)) if path else url
            if re.match(r"\w+:", link):
                continue
            if target not in there or (anchor and target in read and unquote(anchor) not in read[target].anchors):
                lost.append(f"{url}: {link}")
    assert lost == []


def test_nothing_is_loaded_from_elsewhere(built: Path, read: dict[str, Reader]) -> None:
    """The pages link to other sites, and load nothing from them; what they ask for later, tests/browser sees."""
    for url in read:
        html = (built / url).read_text(encoding="utf-8")
        assert re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"?\w+:", html) == [], url
        assert re.findall(r"<script>|<style|\son\w+=", html) == [], url  # the policy would forbid it
    for file in built.rglob("*.css"):
        assert not re.search(r"@import|url\([\"']?(?:\w+:)?//", file.read_text(encoding="utf-8")), file


def test_every_page_is_in_the_navigation_of_its_language(built: Path) -> None:
    for language in manual.LANGUAGES:
        listed = re.findall(r'"([^"]+\.md)"', json.dumps(manual.navigation(language)))
        pages = [page for page in manual.pages() if manual.place_of(page).language == language]
        wanted = {str(manual.source_of(page)) for page in pages} - NOT_LISTED
        assert wanted <= set(listed), language
        assert len(listed) == len(set(listed)), language


NOT_LISTED = {"pages.md", "changelog.md"}  # the navigation itself, and what the index links to
GROUPS = ["Mulligan", "Play", "Host", "Study", "Develop"]


def test_there_are_four_groups(read: dict[str, Reader]) -> None:
    assert [title for entry in manual.navigation("en") for title in entry] == GROUPS


@pytest.mark.parametrize("page", manual.pages(), ids=lambda page: page.name)
def test_a_page_shows_what_github_shows(page: Path, built: Path) -> None:
    """Their dialects of Markdown differ in lists, quotes and emphasis."""
    markdown_it = pytest.importorskip("markdown_it")
    if page == manual.LIBRARY:
        pytest.skip("It has more in the manual.")
    html = (built / manual.place_of(page).url).read_text(encoding="utf-8")
    article = html[html.index(">", html.index('<a id="__skip"')) + 1 : html.index("</article>")]
    github = markdown_it.MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    source = manual.OF_LANGUAGES.sub("", page.read_text(encoding="utf-8"))
    shown, wanted = Reader(article), Reader(github.render(source))
    assert shown.words.split() == wanted.words.split()
    assert shown.tags == wanted.tags


def test_a_notebook_is_a_page_and_a_file(built: Path, read: dict[str, Reader]) -> None:
    page = read["tutorials/first_steps.ipynb.html"]
    assert "import mulligan" in page.words
    assert {"../arena.html", "first_steps.ipynb"} <= set(page.links)
    notebook = manual.DOCS / "tutorials" / "first_steps.ipynb"
    assert (built / "tutorials" / "first_steps.ipynb").read_bytes() == notebook.read_bytes()


def test_a_page_leads_to_itself_in_other_languages(built: Path) -> None:
    html = (built / "fr" / "rulebook.html").read_text(encoding="utf-8")
    assert '<html lang="fr"' in html
    assert re.findall(r'href="([^"]+)" hreflang="(\w+)"', html) == [
        ("../rulebook.html", "en"),
        ("rulebook.html", "fr"),
        ("../de/rulebook.html", "de"),
        ("../ja/rulebook.html", "ja"),
    ]
    html = (built / "guide.html").read_text(encoding="utf-8")
    assert ("fr/index.html", "fr") in re.findall(r'href="([^"]+)" hreflang="(\w+)"', html)


@pytest.mark.skipif(not hasattr(mulligan, "__all__"), reason="The package has no public names yet.")
def test_the_library_has_every_public_name_with_its_docstring(read: dict[str, Reader]) -> None:
    tables = manual.ROWS.findall(manual.LIBRARY.read_text(encoding="utf-8"))
    listed = {f"{module}.{name}" for module, rows in tables for name in manual.NAME.findall(rows)}
    assert {f"mulligan.{name}" for name in mulligan.__all__} <= listed
    assert sorted(listed - read["library.html"].anchors) == []


def test_a_wheel_brings_the_manual_of_its_sources(tmp_path: Path, build: types.ModuleType) -> None:  # noqa: F811
    tool, data, warnings = manual.ROOT / "tools" / "manual.py", dict[str, dict](force_include={}), list[str]()
    build.add_manual(tool, tmp_path, data, warnings.append)
    (tmp_path / manual.STAMP).write_text("0123")
    build.add_manual(tool, tmp_path, data, warnings.append)
    assert (data, warnings) == (
        {"force_include": {}},
        [f"{tmp_path} is of other sources, and left out; make docs builds it again."],
    )
    (tmp_path / manual.STAMP).write_text(manual.digest())
    build.add_manual(tool, tmp_path, data, warnings.append)
    assert data["force_include"] == {str(tmp_path): "mulligan/manual"}
