"""What README and docs show is run, and must come out as shown."""

import json
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import pytest
from commands import mulligan

from mulligan import PUBLIC, __version__

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md"))]
SHOWN = [
    ROOT / "README.md",
    DOCS / "guide.md",
    DOCS / "club-evening.md",
    DOCS / "house-rules.md",
    DOCS / "analysis.md",
]  # every output on these pages is checked
# In tests/envs/test_openspiel.py and test_stable_baselines.py, and in tests/server/test_server_club_evening.py.
TESTED_ELSEWHERE = {"expectimax", "maskable_ppo", "ranking"}
EXAMPLES = [file for file in sorted((DOCS / "examples").glob("*.py")) if file.stem not in TESTED_ELSEWHERE]
SHORT = {
    "ppo": ["--minutes", "0", "--tables", "64", "--steps", "16", "--holes", "100"],
    "td": ["--holes", "100"],
}  # what makes an example that learns short


def blocks(page: Path, kind: str) -> list[str]:
    found = re.findall(rf"^ *```{kind}\n(.*?)^ *```", page.read_text(encoding="utf-8"), re.S | re.M)
    return [textwrap.dedent(block) for block in found]


def console_blocks() -> list[list[tuple[str, str]]]:
    """Each block's commands, with the output shown under each; only blocks that show output."""
    found = [
        re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M) for page in SHOWN for block in blocks(page, "console")
    ]
    return [block for block in found if any(output for _, output in block)]


@pytest.mark.parametrize("block", console_blocks(), ids=lambda block: block[0][0][:30])
def test_a_page_shows_what_commands_print(block: list[tuple[str, str]], tmp_path: Path) -> None:
    for command, output in block:
        program, *words = shlex.split(command)
        assert program == "mulligan"
        printed, shown = (text.replace("\u00a0", " ") for text in (mulligan(*words, cwd=tmp_path).stdout, output))
        if shown.endswith("…\n"):
            assert printed.startswith(shown.removesuffix("…\n"))
        elif shown:
            assert printed == shown


def test_there_are_such_blocks() -> None:
    assert len(console_blocks()) >= 5


@pytest.mark.parametrize("code", blocks(ROOT / "README.md", "python"), ids=lambda code: code[:20])
def test_the_readme_python_prints_what_its_comments_say(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    expected = re.findall(r"^print\(.*\)  # (.*)$", code, re.M)
    assert expected
    assert done.stdout.splitlines() == expected


@pytest.mark.parametrize("code", blocks(DOCS / "environments.md", "python"), ids=lambda code: code[:20])
def test_the_python_of_the_environments_runs(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_run(example: Path) -> None:
    subprocess.run([sys.executable, str(example), *SHORT.get(example.stem, [])], check=True, capture_output=True)


@pytest.mark.parametrize("example", sorted((DOCS / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_an_example_that_takes_options_explains_them(example: Path) -> None:
    source = example.read_text(encoding="utf-8")
    if "sys.argv" not in source and "argparse" not in source:
        return  # it takes none
    if "sb3_contrib" in source:
        pytest.importorskip("sb3_contrib")
    command = [sys.executable, str(example), "--help"]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.startswith("usage: ")


def test_what_is_said_to_install_mulligan_works_in_a_clone() -> None:
    """It is in no registry, where its name may belong to something else."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    folders = [ROOT / name for name in ("src", "docs", "deploy", "web/messages", "bench", "tests")]
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in (".md", ".py", ".json", "")]
    named: set[str] = set()
    for file in [*ROOT.glob("README*.md"), ROOT / "CONTRIBUTING.md", ROOT / "Makefile", *filter(Path.is_file, files)]:
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"pip install (-\S+ )*['\"]?mulligan", text), file
        for line in re.findall(r"pip install [^`\n]*?'\.\[([a-z,]+)\]'", text):
            named |= set(line.split(","))
    assert named == extras.keys()


READMES = sorted(ROOT.glob("README.*.md"))


@pytest.mark.parametrize("page", READMES, ids=lambda page: page.name)
def test_each_language_installs_with_the_same_commands(page: Path) -> None:
    english = blocks(ROOT / "README.md", "console")[:4]  # those that follow are for hosts and researchers
    assert "docker" in english[-1]
    assert blocks(page, "console") == english


@pytest.mark.parametrize("page", [ROOT / "README.md", *READMES], ids=lambda page: page.name)
def test_the_file_to_install_is_that_of_this_version(page: Path) -> None:
    named = set(re.findall(r"mulligan-[\w.-]+\.whl", page.read_text(encoding="utf-8")))
    assert named == {f"mulligan-{__version__}-py3-none-any.whl"}


LINKED = [*PAGES, *sorted((DOCS / "rulebook").glob("*.md")), *sorted((DOCS / "tutorials").glob("*.ipynb"))]


@pytest.mark.parametrize("page", LINKED, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_links_lead_somewhere(page: Path) -> None:
    """To files, and within Markdown to headings that exist, by the names that GitHub gives them."""
    for file, anchor in links_on(page):
        target = page.parent / file if file else page
        assert target.exists(), file
        if anchor and target.suffix == ".md":
            assert anchor in anchors_on(target), f"{file}#{anchor}"


def test_the_index_has_a_line_for_every_page() -> None:
    index = DOCS / "README.md"
    linked = {file for file, _ in links_on(index)}
    pages = [page.relative_to(DOCS).as_posix() for page in (*DOCS.glob("*.md"), *DOCS.glob("tutorials/*.ipynb"))]
    assert [page for page in pages if page not in linked | {index.name}] == []


def links_on(page: Path) -> list[tuple[str, str]]:
    """The file and the anchor of every link but those to other sites."""
    text = re.sub(r"`[^`\n]*`", "", without_code(page))
    targets = re.findall(r"\]\(<?([^)\s>]*)", text) + re.findall(r"^ {0,3}\[[^]]+\]: *<?([^\s>]+)", text, re.M)
    targets += re.findall(r"(?:href|src)=\"([^\"]+)\"", text)
    return [
        (unquote(file), unquote(anchor))
        for target in targets
        if not re.match(r"[a-z]+:", target)
        for file, _, anchor in [target.partition("#")]
    ]


def anchors_on(page: Path) -> set[str]:
    """The anchors of a page's headings: lower case, without punctuation, a hyphen for each space."""
    found: set[str] = set()
    text = without_code(page)
    for heading in re.findall(r"^ {0,3}#{1,6} +(.+?) *#*$", text, re.M):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"(?<!\w)_|_(?!\w)", "", words).strip().lower()).replace(" ", "-")
        number = next(count for count in range(1000) if (f"{slug}-{count}" if count else slug) not in found)
        found.add(f"{slug}-{number}" if number else slug)
    return found | set(re.findall(r"(?:id|name)=\"([^\"]+)\"", text))


def without_code(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        text = "\n".join(
            "".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"
        )
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.S | re.M)


def test_the_citation_is_of_this_version() -> None:
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["authors"] == [{"name": "The Mulligan developers"}]
    assert citation["version"] == __version__
    assert f"version {__version__}, the Mulligan developers" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_page_of_the_wire_names_every_command() -> None:
    pytest.importorskip("msgspec")
    from mulligan.server.wire.base import WIRE_VERSION
    from mulligan.server.wire.commands import ClientMessage
    from mulligan.server.wire.replies import ServerMessage

    page = (ROOT / "docs" / "wire.md").read_text(encoding="utf-8")
    kinds = [*ClientMessage.__args__, *ServerMessage.__args__]
    assert [kind.__name__ for kind in kinds if f"`{kind.__name__}`" not in page] == []
    assert f'"client_version": {WIRE_VERSION}' in page


TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
FILES = r"(?<=[` ])(?:web/|\./)?([a-z_]+(?:/[a-z_]+)*(?:\.py|\.ts|/))(?=[` ])"
MODULES = r"(?:python -m |from |import |`)(mulligan(?:\.\w+)+)"


@pytest.fixture(scope="module")
def tree() -> set[str]:
    """Every file and folder of the sources, as `/src/mulligan/` and `/src/mulligan/simulation.py`."""
    folders = ("src", "tests", "bench", "tools", "deploy", "docs", "web/src", "web/messages", "web/tests")
    roots = [ROOT / folder for folder in folders]
    paths = [path for root in roots for path in (root, *root.rglob("*"))]
    paths += ROOT.glob("*.*")
    return {f"/{path.relative_to(ROOT).as_posix()}" + "/" * path.is_dir() for path in paths}


@pytest.mark.parametrize("name", sorted({*re.findall(FILES, TEXT)}))
def test_a_file_that_a_page_names_exists(name: str, tree: set[str]) -> None:
    assert any(path.endswith(f"/{name}") for path in tree)


@pytest.mark.parametrize("name", sorted({*re.findall(MODULES, TEXT)}))
def test_a_module_that_a_page_names_exists(name: str) -> None:
    assert name.removeprefix("mulligan.") in PUBLIC or find_spec(name)
