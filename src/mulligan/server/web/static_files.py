"""Serves the files of the client and of the manual from memory, and reads them again when they are rebuilt."""

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from mulligan.machine_code import browser_engine, browser_layout

INDEX = "index.html"
ENGINE = f"engine-{browser_layout()}.wasm"  # lies elsewhere, and may come later
LINK = re.compile(rb'\b(href|src|content)="/')
HASHED = "assets/"  # the build puts content hashes into these files' names
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
TYPES = {
    ".cff": "text/plain",
    ".js": "text/javascript",
    ".jsonl": "text/plain",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}


def not_built(what: str, how: str) -> bytes:
    """Returns the page shown in place of one that is not built yet."""
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Mulligan: the {what} is not built</title>
<h1>The {what} is not built yet</h1>
{how}
</html>
""".encode()


NOT_BUILT = not_built(
    "client",
    """<p>The server runs, but the pages it should show are missing. In the folder of the source code, run</p>
<pre>make client</pre>
<p>or, with Node.js at hand, <code>npm ci</code> and <code>npm run build</code> in the folder <code>web</code>.
Then load this page again.</p>""",
)
NO_MANUAL = not_built(
    "manual", "<p>In the folder of the source code, run <code>make docs</code>, then load this page again.</p>"
)


@dataclass
class Item:
    """A file in memory."""

    content: bytes
    kind: str
    tag: str
    caching: str

    @cached_property
    def zipped(self) -> bytes:
        """The content as gzip, compressed when it is first requested; empty if that saves little."""
        zipped = gzip.compress(self.content, 6)
        return zipped if len(zipped) < 0.9 * len(self.content) else b""


class StaticFiles:
    """The files of a folder by path, such as `assets/index-1a2b3c.js`. The page's links begin with the base path."""

    def __init__(self, folder: Path, base_path: str = "") -> None:
        self.folder = folder
        self.base_path = base_path
        self.stamp = 0
        self.items: dict[str, Item] = {}
        self.refresh()  # not only in the event loop, with the first request

    def find(self, path: str) -> Item | None:
        """Returns the file with that path, or None."""
        self.refresh()
        if path == ENGINE:
            file = browser_engine()
            return read_engine(file) if file else None
        return self.items.get(path)

    def index(self) -> Item:
        """Returns the client's page, or instructions for building it if it is missing."""
        return self.find(INDEX) or Item(NOT_BUILT, "text/html", '"not-built"', ASK_AGAIN)

    def refresh(self) -> None:
        try:
            stamp = (self.folder / INDEX).stat().st_mtime_ns
        except OSError:
            stamp = 0
        if stamp != self.stamp:
            files = (
                sorted(file for file in self.folder.rglob("*") if file.is_file() and file.name[0] != ".")
                if stamp
                else []
            )
            self.items = {file.relative_to(self.folder).as_posix(): read_item(self.folder, file) for file in files}
            if INDEX in self.items:
                self.items[INDEX] = below(self.base_path, self.items[INDEX])
            self.stamp = stamp


@lru_cache(1)
def read_engine(file: Path) -> Item:
    return read_item(file.parent, file)


def read_item(folder: Path, file: Path) -> Item:
    content = file.read_bytes()
    kind = TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    is_hashed = file.relative_to(folder).as_posix().startswith(HASHED)
    return Item(content, kind, tag_of(content), FOR_EVER if is_hashed else ASK_AGAIN)


def below(base_path: str, page: Item) -> Item:
    """Returns the page with the base path in all its links."""
    content = LINK.sub(rb"\g<0>" + base_path.encode()[1:] + b"/", page.content) if base_path else page.content
    return Item(content, page.kind, tag_of(content), page.caching)


def tag_of(content: bytes) -> str:
    """Returns the ETag of a file, with which browsers check their copies."""
    return f'"{hashlib.sha256(content).hexdigest()[:20]}"'
