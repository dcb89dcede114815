"""Routes: the browser client's files, and its page."""

import asyncio
import re
from contextlib import suppress

from litestar import HttpMethod, Response, route
from litestar.params import FromPath

from mulligan.server.table.preview import Preview
from mulligan.server.table.rights import Refusal
from mulligan.server.web import link_previews
from mulligan.server.web.accounts import Guest
from mulligan.server.web.demands import NAME, PAGE
from mulligan.server.web.languages import USUAL, preferred
from mulligan.server.web.static_files import INDEX, Item, StaticFiles

from .shared import ZIPPED, Asked, base_of, cookie_of, guest_who_asks
from .tables import found_by, seen_by

LOOKING = [HttpMethod.GET, HttpMethod.HEAD]

PAGES = re.compile(
    r"(|rules(/[0-9.]+)?|cards-dealt|coach|card|stats|new|day|ours|me|pad(/[^/]+)?|learn(/[^/]+(/better)?)?|[twg]/[^/]+|g/[^/]+/check|"
    r"move/[^/]+)/?",
    re.IGNORECASE,
)  # the client's routes; other paths get its page with status 404

LINK = re.compile(r"([tw])/([^/]+)/?", re.IGNORECASE)
PAGES_AND_FILES = ZIPPED | {NAME: PAGE}
AT_ONCE = 2.0  # seconds to wait for the linked table


@route("/", http_method=LOOKING, include_in_schema=False, opt=PAGES_AND_FILES)
async def show_start(request: Asked) -> Response[bytes]:
    """The client's page."""
    return await page(request, "")


@route("/{path:path}", http_method=LOOKING, include_in_schema=False, opt=PAGES_AND_FILES)
async def show_page(request: Asked, path: FromPath[str]) -> Response[bytes]:
    """A file of the client, or its page for any other path; the client then shows the view for that path."""
    return await page(request, path.strip("/"))


async def page(request: Asked, path: str) -> Response[bytes]:
    """Returns a file of the client, or its page. Raises Refusal for a path that only a route could have."""
    static_files: StaticFiles = request.app.state.static_files
    if path.startswith(("api/", "schema/", "ws/")):
        raise Refusal("not_found", path=path[:80])
    if path != INDEX and (item := static_files.find(path)):
        return send(request, item, 200)
    link = LINK.fullmatch(path)
    guest, seen = await linked_by(request, link) if link else (None, None)
    language = preferred(request.headers.get("accept-language", ""), (seen and seen.language) or USUAL)
    item = link_previews.page(static_files, language, base_of(request), seen)
    response = send(request, item, 200 if PAGES.fullmatch(path) else 404, vary="accept-language, accept-encoding")
    if guest and guest.cookie:  # who came with a right link, so that the page's files are not refused
        response.headers |= cookie_of(guest) | {"cache-control": f"private, {item.caching}"}
    return response


async def linked_by(request: Asked, link: re.Match[str]) -> tuple[Guest | None, Preview | None]:
    """Returns the guest of a right link, and a player's table; None if it is wrong or the table not read in time."""
    with suppress(Refusal, TimeoutError):
        async with asyncio.timeout(AT_ONCE):
            guest = await guest_who_asks(request)
            if link[1] in "tT":
                return guest, await seen_by(request, link[2], guest)
            await found_by(request, link[2], guest, watching=True)
            return guest, None
    return None, None


def send(request: Asked, item: Item, status: int, vary: str = "accept-encoding") -> Response[bytes]:
    """Returns a file: compressed if the browser can read that, and without its content if the browser has it."""
    headers = {"etag": item.tag, "cache-control": item.caching, "vary": vary}
    if status == 200 and request.headers.get("if-none-match", "").removeprefix("W/") == item.tag:
        return Response(b"", status_code=304, headers=headers)
    zipped = item.zipped if "gzip" in request.headers.get("accept-encoding", "") else b""
    if zipped:
        headers["content-encoding"] = "gzip"
    return Response(zipped or item.content, status_code=status, media_type=item.kind, headers=headers)
