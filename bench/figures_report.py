"""Writes the parts of the pages that the results in docs/figures.json decide."""

import figures_play
import figures_servers
from figures_kept import ROOT, Results
from marked_parts import replaced, replaced_within

PARTS = figures_play.PARTS | figures_servers.PARTS


def pages(results: Results) -> dict[str, str]:
    """What each page says, by its path."""
    found: dict[str, str] = {}
    for page, parts in PARTS.items():
        text = (ROOT / page).read_text(encoding="utf-8")
        for part, write in parts.items():
            within = f"<!-- {part} -->\n" not in text
            text = (replaced_within if within else replaced)(text, part, write(results))
        found[page] = text
    return found
