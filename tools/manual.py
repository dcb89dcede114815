"""Builds the manual, all pages in Markdown as a site that asks no other host for anything: `make docs`.

It is served at /docs (server/web/static_files.py). The pages are those that one reads in the repository: docs/README.md
says in which group each belongs, and a link to a file that is no page leads to a page with its content, or to the file.
Each language is a site of its own, with its own search; English is the first, the others lie in folders.
"""

import hashlib
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BUILT = ROOT / "dist" / "docs"
STAMP = ".stamp"  # in the built folder: the digest of what it was built from
LOOK, SCRIPT = (Path(__file__).with_suffix(suffix) for suffix in (".css", ".js"))
APP = ROOT / "web" / "src" / "app.css"
ICON = ROOT / "web" / "public" / "icon.svg"
LIBRARY = DOCS / "library.md"
NOT_SEARCHED = {DOCS / "decisions.md", ROOT / "CHANGELOG.md"}  # they name everything, before the pages that explain it
UNSEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"  # as the generator's documentation has it

LANGUAGES = {"en": "English", "fr": "Français", "de": "Deutsch", "ja": "日本語"}
SWITCH = {  # what the button for the colours turns to next: those of the device, light, dark
    "en": ("Colours of the device", "Light", "Dark"),
    "fr": ("Couleurs de l’appareil", "Clair", "Sombre"),
    "de": ("Farben des Geräts", "Hell", "Dunkel"),
    "ja": ("端末の設定に合わせる", "ライト", "ダーク"),
}
FEATURES = ["navigation.footer", "navigation.top", "content.code.copy"]
CODE = {".py": "python", ".pl": "perl", ".toml": "toml"}  # files of which the manual makes pages
NOTEBOOK = ".ipynb"  # and of these, with the file beside the page
GROUP = re.compile(r"^## (.+)$", re.M)
HEADING = re.compile(r"^# (.+)$", re.M)
OF_LANGUAGES = re.compile(r"\A.*\]\(README\.\w+\.md\).*\n+")  # the first line of a README
PARTS = re.compile(
    r"(?P<code>^ *```.*?^ *```$|`[^`\n]+`)|(?P<comment><!--.*?-->)|"
    r"\[(?P<words>[^][]*)\]\((?P<target>[^)\s]+)\)|\b(?P<attribute>src|srcset|href)=\"(?P<place>[^\"]+)\"",
    re.S | re.M,
)
ROWS = re.compile(r"^\| `([\w.]+)` \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", re.M)  # a table whose head names a module
BETWEEN_QUOTES = re.compile(r"(?<=\n)(>.*\n)\n(?=>)")
NAME = re.compile(r"^\| `(\w+)` \|", re.M)
NO_ADDRESSES = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" />'  # the scripts ask for a list of them
SEARCH_STYLE = re.compile(r'(\w+)\.appendChild\(\w+\("style",\{\},(\w+\.toString\(\))\)\)')
READABLE = (  # the search's small print is too pale
    "dialog[aria-modal]{--alpha-lighter:.75}dialog[aria-modal] li li{color:rgb(var(--color-foreground)/.75)}"
)
INLINE = re.compile(r"<script>(.*?)</script>", re.S)
ASSETS = re.compile(r'(?<=")(?:\.{1,2}/)*assets/')  # the same for each language
IN_HEAD = re.compile(r' *<link rel="alternate"[^>]*>\n')  # the scripts would ask for a list of pages for each
ALTERNATE = re.compile(r'href="[^"]*"(?= hreflang="(\w+)")')


class Place(NamedTuple):
    """Where a file is in the manual: in which language, and its path there."""

    language: str
    path: str

    @property
    def url(self) -> str:
        """The path in the whole manual."""
        return self.path if self.language == "en" else f"{self.language}/{self.path}"

    def link(self, other: "Place") -> str:
        return posixpath.relpath(other.url, posixpath.dirname(self.url))


def place_of(file: Path) -> Place:
    """Returns where a file of the repository is; a page's path ends with `.html`."""
    inside = file.relative_to(DOCS if file.is_relative_to(DOCS) else ROOT)
    path = PurePosixPath(inside.as_posix())
    if file.suffix != ".md":
        return Place("en", f"{path}.html" if file.suffix in {*CODE, NOTEBOOK} else str(path))
    name, _, language = path.stem.rpartition(".")
    if path.stem in LANGUAGES:  # docs/rulebook/en.md
        return Place(path.stem, f"{path.parent}.html")
    if language not in LANGUAGES:
        name, language = path.stem, "en"
    if name == "README":
        name = "pages" if file.is_relative_to(DOCS) else "index"
    return Place(language, str(path.with_name(f"{name if file.is_relative_to(DOCS) else name.lower()}.html")))


def pages() -> list[Path]:
    books = sorted(
        DOCS.glob("rulebook/*.md"), key=lambda book: (book.stem not in LANGUAGES, book.name)
    )  # all games first
    return [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md")), *books]


def files_linked_on(page: Path) -> Iterator[Path]:
    """Yields the files of the repository to which a page links, and its pictures."""
    for part in PARTS.finditer(page.read_text(encoding="utf-8")):
        target = (part["target"] or part["place"] or "").partition("#")[0]
        if target and not re.match(r"\w+:", target):
            yield (page.parent / target).resolve()


def others() -> list[Path]:
    """Returns the files that are no pages and to which pages link."""
    found = {file for page in pages() for file in files_linked_on(page)}
    return sorted(file for file in found - set(pages()) if file.is_file())


def digest() -> str:
    """Returns a hash of all that the manual is made of; the library's page has the docstrings of the package."""
    whole = hashlib.sha256()
    package = sorted((ROOT / "src" / "mulligan").rglob("*.py"))
    for file in [Path(__file__), LOOK, SCRIPT, APP, ICON, *pages(), *others(), *package]:
        name = file.relative_to(ROOT).as_posix()
        whole.update(name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def markdown_of(page: Path) -> str:
    """Returns a page as it is in the repository; of a notebook, its cells one after another."""
    text = page.read_text(encoding="utf-8")
    if page.suffix != NOTEBOOK:
        return text
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(text)["cells"]]
    return "\n\n".join(words if kind == "markdown" else f"```python\n{words}\n```" for kind, words in cells) + "\n"


def text_of(page: Path) -> str:
    """Returns a page as the generator shall read it: with links to what is in the manual, without comments."""
    here = place_of(page)

    def changed(part: re.Match[str]) -> str:
        if part["code"]:
            return part[0]
        if part["comment"]:
            return ""
        file, hash_sign, anchor = (part["target"] or part["place"]).partition("#")
        if not file or re.match(r"\w+:", file):
            return part[0]
        found = (page.parent / file).resolve()
        if found.is_dir():  # a folder of the sources
            return part["words"]
        target = here.link(place_of(found)) + hash_sign + anchor
        return f'{part["attribute"]}="{target}"' if part["attribute"] else f"[{part['words']}]({target})"

    text = PARTS.sub(changed, OF_LANGUAGES.sub("", markdown_of(page)))
    text = with_deep_lists(text)
    text = BETWEEN_QUOTES.sub(r"\1\n<!-- -->\n\n", text)  # else the generator makes one of them
    return ROWS.sub(with_details, text) if page == LIBRARY else text


def with_deep_lists(text: str) -> str:
    """Returns a page whose items of lists have their further lines four spaces in, where the generator wants them."""
    lines, deeper, is_code = [], 0, False
    for line in text.splitlines(keepends=True):
        if line.startswith("```"):
            is_code, deeper = not is_code, 0
        elif not is_code and (item := re.match(r"(?:-|\d+\.) ", line)):
            deeper = max(4 - len(item[0]), 0)
        elif not is_code and line[0] not in " \n":
            deeper = 0
        lines.append(" " * deeper + line if line[0] == " " else line)
    return "".join(lines)


def with_details(table: re.Match[str]) -> str:
    """Returns a table of names with what their docstrings say under it, for those that the module has."""
    place = ROOT.joinpath("src", *table[1].split("."))
    module = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    has = re.compile(r"^(?:class|def) (\w+)|\bas (\w+)$", re.M).findall(module.read_text(encoding="utf-8"))
    names = [name for name in NAME.findall(table[2]) if name in {defined or taken for defined, taken in has}]
    return "\n".join([table[0], *(f"::: {table[1]}.{name}\n" for name in names)])


def code_page(file: Path) -> str:
    return f"# {file.name}\n\n~~~~~~ {CODE[file.suffix]}\n{file.read_text(encoding='utf-8')}~~~~~~\n"


def title_of(page: Path) -> str:
    return page.name if page.suffix in CODE else HEADING.findall(markdown_of(page))[0]


def navigation(language: str) -> list[dict[str, object]]:
    """Returns the navigation: for English the groups of docs/README.md, for others their pages."""
    mine = [page for page in pages() if place_of(page).language == language]
    books = [page for page in mine if page.parent.name == "rulebook"]
    home, index = entry(next(page for page in mine if place_of(page).path == "index.html")), DOCS / "README.md"
    if language != "en":
        return [home, *(entry(page) for page in mine if place_of(page).path != "index.html")]
    _, *groups = GROUP.split(index.read_text(encoding="utf-8"))
    linked = {title: linked_in(text, index) for title, text in zip(groups[::2], groups[1::2], strict=True)}
    found: list[dict[str, object]] = [home]
    for title, files in linked.items():
        listed: list[dict[str, object]] = [entry(file) for file in files if file.suffix in {".md", NOTEBOOK}]
        if title == "Play":
            listed += [entry(books[0])] if len(books) == 1 else [{"Rule books": [entry(book) for book in books]}]
        if examples := [entry(file) for file in files if file.suffix in CODE]:
            listed.append({"Examples": examples})
        found.append({title: listed})
    return found


def linked_in(text: str, page: Path) -> list[Path]:
    return [(page.parent / part["target"]).resolve() for part in PARTS.finditer(text) if part["target"]]


def entry(page: Path) -> dict[str, object]:
    return {title_of(page): str(source_of(page))}


def source_of(page: Path) -> PurePosixPath:
    """Returns the path of a page for the generator."""
    return PurePosixPath(place_of(page).path).with_suffix(".md")


def settings(language: str) -> dict[str, object]:
    """Returns the generator's settings, as in a mkdocs.yml."""
    device, light, dark = SWITCH[language]
    scheme = "(prefers-color-scheme"
    return {
        "site_name": "Mulligan",
        "use_directory_urls": False,
        "nav": navigation(language),
        "extra_css": [LOOK.name],
        "extra_javascript": [SCRIPT.name],
        "extra": {"alternate": [{"name": name, "link": ".", "lang": lang} for lang, name in LANGUAGES.items()]},
        "theme": {
            "language": language,
            "font": False,
            "logo": "icon.svg",
            "favicon": "icon.svg",
            "features": [*FEATURES, *(["navigation.tabs"] if language == "en" else [])],  # for its groups
            "palette": [
                {"media": scheme + ")", "toggle": {"icon": "lucide/sun-moon", "name": light}},
                {"media": scheme + ": light)", "scheme": "default", "toggle": {"icon": "lucide/sun", "name": dark}},
                {"media": scheme + ": dark)", "scheme": "slate", "toggle": {"icon": "lucide/moon", "name": device}},
            ],
        },
        "markdown_extensions": [
            "attr_list",
            "md_in_html",
            "sane_lists",
            {"pymdownx.betterem": {"smart_enable": "all"}},
            {"pymdownx.highlight": {"pygments_lang_class": True}},
            "pymdownx.superfences",
            {"pymdownx.tilde": {"subscript": False}},
            {"toc": {"permalink": True, "slugify": {"object": "pymdownx.slugs.slugify", "kwds": {"case": "lower"}}}},
        ],
        "plugins": [
            "search",
            {
                "mkdocstrings": {
                    "handlers": {
                        "python": {
                            "paths": [str(ROOT / "src")],
                            "options": {
                                "heading_level": 3,
                                "merge_init_into_class": True,
                                "members_order": "source",
                                "separate_signature": True,
                                "show_root_heading": True,
                                "show_root_full_path": False,
                                "show_source": False,
                                "show_signature_annotations": True,
                            },
                        }
                    }
                }
            },
        ],
    }


def stage(language: str, folder: Path) -> None:
    """Writes what the generator reads for a language."""
    sources = folder / "docs"
    for page in pages():
        if place_of(page).language == language:
            write(sources / source_of(page), UNSEARCHED * (page in NOT_SEARCHED) + text_of(page))
    for file in others() if language == "en" else []:
        if file.suffix in CODE:
            write(sources / source_of(file), code_page(file))
        else:
            if file.suffix == NOTEBOOK:
                write(sources / source_of(file), f"{text_of(file)}\n[{file.name}]({file.name})\n")
            (sources / place_of(file).path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, sources / Path(place_of(file).path).with_name(file.name))
    for file in (ICON, SCRIPT):
        shutil.copyfile(file, sources / file.name)
    write(sources / LOOK.name, colours() + LOOK.read_text(encoding="utf-8"))
    write(folder / "mkdocs.yml", json.dumps(settings(language)))


def colours() -> str:
    """Returns the names of the app's colours, as a style sheet."""
    root = APP.read_text(encoding="utf-8").partition(":root {")[2].partition("}")[0]
    return ":root {" + "".join(re.findall(r"\n  --[\w-]+: (?:light-dark\(#|#)[^;]+;", root)) + "\n}\n\n"


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def generate(language: str, folder: Path) -> Path:
    """Returns the folder of the built site of a language. Raises SystemExit with what the generator says."""
    stage(language, folder)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--config-file", "mkdocs.yml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"})
    if done.returncode or "Warning" in done.stdout + done.stderr:
        raise SystemExit(f"{done.stdout}{done.stderr}\nThe manual could not be built in {LANGUAGES[language]}.")
    (folder / "site" / "404.html").unlink()  # it would have to know its place on the host
    write(folder / "site" / "sitemap.xml", NO_ADDRESSES)
    for name in ("images", "stylesheets/classic"):  # the generator's own icon, and another look
        shutil.rmtree(folder / "site" / "assets" / name)
    return folder / "site"


def finish(folder: Path) -> None:
    """Makes the pages keep our Content-Security-Policy, and joins the languages."""
    there = {file.relative_to(folder).as_posix() for file in folder.rglob("*.html")}
    script, new_script = allow_search_its_style(folder)
    for url in there:
        language, _, path = url.partition("/") if url[:3] in {f"{lang}/" for lang in LANGUAGES} else ("en", "", url)
        here = Place(language, path)

        def in_file(inline: re.Match[str], here: Place = here) -> str:
            name = f"assets/javascripts/{hashlib.sha256(inline[1].encode()).hexdigest()[:12]}.js"
            write(folder / name, inline[1])
            return f'<script src="{here.link(Place("en", name))}"></script>'

        def counterpart(link: re.Match[str], here: Place = here) -> str:
            other = Place(link[1], here.path)
            return f'href="{here.link(other if other.url in there else Place(link[1], "index.html"))}"'

        text = INLINE.sub(in_file, (folder / url).read_text(encoding="utf-8")).replace(script, new_script)
        text = IN_HEAD.sub("", text)
        text = ASSETS.sub(here.link(Place("en", "assets/")) + "/", text)
        write(folder / url, ALTERNATE.sub(counterpart, text))
    for language in LANGUAGES.keys() - {"en"}:
        shutil.rmtree(folder / language / "assets")


def allow_search_its_style(folder: Path) -> tuple[str, str]:
    """Lets the search have its style sheet as an object, which our policy allows, instead of an element.

    Returns the old name of the script and the new one, since browsers keep it for ever. Raises SystemExit.
    """
    (file,) = (folder / "assets" / "javascripts").glob("bundle.*.js")
    as_object = rf"(s=>{{s.replaceSync(\2+'{READABLE}');\1.adoptedStyleSheets=[s]}})(new CSSStyleSheet)"
    text, found = SEARCH_STYLE.subn(as_object, file.read_text(encoding="utf-8"))
    if found != 1:
        raise SystemExit("The search of this generator gets its style in another way; see SEARCH_STYLE.")
    new = file.with_name(f"bundle.{hashlib.sha256(text.encode()).hexdigest()[:8]}.min.js")
    write(new, text)
    file.unlink()
    return file.name, new.name


def build(folder: Path = BUILT) -> None:
    """Builds the manual in the place of an earlier one."""
    with tempfile.TemporaryDirectory() as temporary:
        whole = Path(temporary, "whole")
        for language in LANGUAGES:
            work = Path(temporary, language)
            work.mkdir()
            shutil.copytree(generate(language, work), whole / Place(language, "").url, dirs_exist_ok=True)
        finish(whole)
        write(whole / STAMP, digest())
        new = folder.with_name(f".{folder.name}.new")  # on the same disk, so that no server reads half a manual
        shutil.rmtree(new, ignore_errors=True)
        shutil.copytree(whole, new)
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)


if __name__ == "__main__":
    build(*map(Path, sys.argv[1:]))
