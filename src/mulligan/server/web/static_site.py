"""Writes the game as files for any web space: all that needs no server, at any place of a host.

A page has a folder of its own with an `index.html`, whose links go up to the site's folder. So the files may lie
anywhere; only `404.html`, which hosts show at any other address, has to know where.
"""

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from html import escape
from itertools import product
from pathlib import Path, PurePosixPath

import msgspec

from mulligan.game import rulebook, variants
from mulligan.scorecard.card import Paper
from mulligan.scorecard.order import PAPERS, order
from mulligan.scorecard.typeset import typeset
from mulligan.server.services.engine_games import NETS, engine_game, net_named
from mulligan.server.services.lessons import lessons
from mulligan.server.table.rights import Refusal
from mulligan.server.wire.game_facts import facts
from mulligan.whole_files import replacing

from .languages import USUAL
from .routes.facts import read_rulebook
from .safe_headers import POLICY
from .static_files import ENGINE, INDEX, LINK, NO_MANUAL, Item, StaticFiles

LIST = "mulligan-site.json"  # the files of a site, which a later one may replace
# Beside the lessons of each game.
PAGES = ("", "new", "day", "rules", "learn", "pad", "coach", "card", "ours", "stats", "cards-dealt")
UNKNOWN = "404.html"
MANUAL = "docs"
HEAD = re.compile(rb'<meta charset="utf-8"(?: /)?>')
NOT_IN_PAGES = re.compile(r"; frame-ancestors [^;]*")  # browsers take this from a server only

Write = Callable[[], bytes]


class SiteError(ValueError):
    """A folder in which no site can be written, or nothing to write there."""


def files_of_site(client: Path, manual: Path, engine: Path, base_path: str = "") -> dict[str, Write]:
    """Returns the files of a site by path, each as a function that makes its content.

    `base_path` is where the site will lie on its host, such as /golf. Raises SiteError if the client is not built.
    """
    built = StaticFiles(client)
    if INDEX not in built.items:
        raise SiteError("The client is not built: run make client in the folder of the source code.")
    page = safe(built.items[INDEX].content)
    files: dict[str, Write] = {path: partial(bytes, item.content) for path, item in built.items.items()}
    for path in (*PAGES, *(f"learn/{game}{more}" for game in variants.games() for more in ("", "/better"))):
        files[f"{path}/{INDEX}".lstrip("/")] = partial(linked, page, way_up(path))
    files[UNKNOWN] = partial(linked, page, f"{base_path}/")
    files[ENGINE] = engine.read_bytes
    files["api/facts"] = partial(msgspec.json.encode, facts("", serverless=True))
    for language in rulebook.LANGUAGES:
        files[f"api/rulebook/{language}"] = partial(unzipped_book, language)
    for game in variants.games():
        files |= files_of_game(game)
    return files | files_of_manual(manual)


def files_of_manual(manual: Path) -> dict[str, Write]:
    """Returns the files of the manual, or in each language's place a page that says how to build it."""
    places = [INDEX, *(f"{language}/{INDEX}" for language in rulebook.LANGUAGES if language != USUAL)]
    items = StaticFiles(manual).items or dict.fromkeys(places, Item(NO_MANUAL, "text/html", "", ""))
    return {
        f"{MANUAL}/{path}": partial(with_policy if path.endswith(".html") else bytes, item.content)
        for path, item in items.items()
    }


def files_of_game(game: str) -> dict[str, Write]:
    """Returns the files of a game: its lessons, what the engine needs for it, and score cards to print."""
    variant, files = variants.load(game), dict[str, Write]()
    with suppress(Refusal):  # a game may have no lessons
        files[f"api/tutorial/{game}"] = partial(msgspec.json.encode, lessons(game))
    found = engine_game(variant)
    files[f"api/engine/{game}"] = partial(msgspec.json.encode, found)
    files |= {net: partial(read_net, net) for net in sorted({size.net for size in found.sizes} - {""})}
    for language, paper in product(rulebook.LANGUAGES, PAPERS):
        files[card_path(game, language, paper)] = partial(empty_card, variant, language, paper)
    return files


def unzipped_book(language: str) -> bytes:
    return gzip.decompress(read_rulebook(language, "", ""))


def read_net(path: str) -> bytes:
    """Returns the content of a net. Raises SiteError if the file has gone meanwhile."""
    content = net_named(path.removeprefix(NETS))
    if content is None:
        raise SiteError(f"{path} has gone.")
    return content


def empty_card(variant: variants.Variant, language: str, paper: Paper) -> bytes:
    """Returns a score card to write on, for the usual number of players, as PDF."""
    return typeset(order(variant, None, [], language, paper))


def card_path(game: str, language: str, paper: Paper) -> str:
    """Returns the path of a score card to write on. The client knows it too (web/src/lib/paper.ts)."""
    return f"cards/{game}-{language}-{paper}.pdf"


def way_up(path: str) -> str:
    """Returns the link from a page to the site's folder."""
    return "../" * len(PurePosixPath(path).parts) or "./"


def linked(page: bytes, start: str) -> bytes:
    """Returns the page with all its links beginning with `start`."""
    return LINK.sub(rb"\1=" + b'"' + start.encode(), page)


def safe(page: bytes) -> bytes:
    """Returns the client's page with its Content-Security-Policy: the engine may run as well. Raises SiteError."""
    return with_policy(page, "'wasm-unsafe-eval'")


def with_policy(page: bytes, also: str = "") -> bytes:
    """Returns a page with the server's Content-Security-Policy, and what scripts may do besides. Raises SiteError."""
    policy = NOT_IN_PAGES.sub("", POLICY).replace("script-src 'self'", f"script-src 'self' {also}".rstrip())
    meta = f'<meta http-equiv="Content-Security-Policy" content="{escape(policy, quote=False)}" />'
    place = HEAD.search(page)
    if not place:
        raise SiteError("A page has no place for its Content-Security-Policy.")
    return b"".join([page[: place.end()], b"\n    ", meta.encode(), page[place.end() :]])


def earlier_files(folder: Path) -> set[str]:
    """Returns the files of the site that is in a folder; none if that is missing or empty.

    Raises SiteError if it holds something else, and OSError.
    """
    with suppress(FileNotFoundError):
        if all(file.name.startswith(".") for file in folder.iterdir()):  # as of a version control system
            return set()
    else_there = SiteError(f"{folder} holds other files. Give a new folder, an empty one, or one with an earlier site.")
    try:
        listed = msgspec.json.decode((folder / LIST).read_bytes(), type=set[str])
    except FileNotFoundError:
        if folder.exists():
            raise else_there from None
        return set()
    except msgspec.DecodeError:
        raise else_there from None
    return {path for path in listed if not PurePosixPath(path).is_absolute() and ".." not in PurePosixPath(path).parts}


def write_site(folder: Path, files: Mapping[str, Write]) -> Iterator[int]:
    """Writes a site in the place of an earlier one, and yields the bytes of each file.

    Others' files are left alone. Raises SiteError, before anything is written, if one has the name of a file of the
    site, or if the folder holds no site but something else; and OSError.
    """
    earlier = earlier_files(folder)
    if taken := next((path for path in files if path not in earlier and (folder / path).exists()), None):
        raise SiteError(f"{folder / taken} is not from an earlier site; it is not replaced.")
    folder.mkdir(parents=True, exist_ok=True)
    keep_list(folder, earlier | set(files))  # first, so that the next try may replace what an interrupted one has left
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        made = content()
        with replacing(folder / path) as new:
            new.write_bytes(made)
        yield len(made)
    for path in earlier - set(files):
        remove(folder, path)
    keep_list(folder, set(files))


def keep_list(folder: Path, paths: set[str]) -> None:
    with replacing(folder / LIST) as new:
        new.write_text(json.dumps(sorted(paths), indent=0), "utf-8")


def remove(folder: Path, path: str) -> None:
    """Removes a file, and the folders that it leaves empty."""
    (folder / path).unlink(missing_ok=True)
    for above in list(PurePosixPath(path).parents)[:-1]:
        with suppress(OSError):
            (folder / above).rmdir()
