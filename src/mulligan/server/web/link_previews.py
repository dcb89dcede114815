"""Adds the tags for link previews in messengers to the client's page."""

import json
import re
from html import escape

from mulligan.game import variants
from mulligan.server.table.preview import Preview

from .languages import words
from .safe_headers import SHARED
from .static_files import ASK_AGAIN, Item, StaticFiles, tag_of

PLACE = re.compile("<!-- preview -->.*?<!-- /preview -->", re.DOTALL)
IMAGE, WIDTH, HEIGHT = SHARED[1:], 1200, 630


def page(static_files: StaticFiles, language: str, base: str, seen: Preview | None) -> Item:
    """Returns the client's page with title, description and preview tags; `seen` is the linked table."""
    index = static_files.index()
    about = static_files.find(f"manifest.{language}.webmanifest")
    if about is None:
        return index
    app = json.loads(about.content)
    invited = invitation(seen, language) if seen else None
    title, text = invited or (app["name"], app["description"])
    named = {"description": app["description"], "twitter:card": "summary_large_image"}
    graph = {
        "site_name": "Mulligan",
        "type": "website",
        "title": title,
        "description": text,
        "locale": words(language)["locale"],
        "image": f"{base}/{IMAGE}",
        "image:width": str(WIDTH),
        "image:height": str(HEIGHT),
    }
    tags = [f"<title>{escape(title)}</title>"]
    tags += [f'<meta name="{name}" content="{escape(value)}" />' for name, value in named.items()]
    tags += [f'<meta property="og:{name}" content="{escape(value)}" />' for name, value in graph.items()]
    html = index.content.decode().replace('<html lang="en">', f'<html lang="{language}">', 1)
    content = PLACE.sub(lambda _: "\n    ".join(tags), html, count=1).encode()
    return Item(content, index.kind, tag_of(content), ASK_AGAIN)


def invitation(seen: Preview, language: str) -> tuple[str, str] | None:
    """Returns the title and text of an invitation, or None if no seat is open. Strangers see no more on the page."""
    view = seen.welcome.view
    if all(seat.kind != "open" for seat in view.seats):
        return None
    name = next((seat.name for seat in view.seats if seat.owner), "")
    texts, game = words(language), variants.load(view.game).facts.title_in(language)
    key = "invitation" if name else "invitation_unnamed"
    return texts[key].format(name=name, game=game), texts["invitation_text"]
