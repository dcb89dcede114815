"""What the client has to know before any table is opened."""

import re
from pathlib import Path

from .. import __version__, rulebook, variants
from ..players import LEVELS
from ..variants import Variant
from .messages import (
    CHAT_LENGTH,
    NAME_LENGTH,
    PHRASES,
    REACTIONS,
    WIRE_VERSION,
    FaceFacts,
    Facts,
    GameFacts,
    PlayerFacts,
)

ORDER = ("play_nine", "nine_card")


def facts() -> Facts:
    """The games, the computer players and the limits."""
    return Facts(
        version=__version__,
        wire_version=WIRE_VERSION,
        languages=list(rulebook.LANGUAGES),
        games=[game_facts(variants.load(name)) for name in games()],
        players=[PlayerFacts(name=name) for name in LEVELS],
        phrases=list(PHRASES),
        reactions=list(REACTIONS),
        name_length=NAME_LENGTH,
        chat_length=CHAT_LENGTH,
    )


def games() -> list[str]:
    """The games that come with the package; those named first are shown first."""
    return sorted(variants.names(), key=lambda name: (name not in ORDER, ORDER.index(name) if name in ORDER else name))


def strange_facts(name: str, text: str) -> GameFacts:
    """The facts of a variant that somebody brings as the text of its file. Raises VariantError."""
    stem = re.sub(r"[^\w-]+", "_", name)[:40] or "own"
    if stem in variants.names() and text != variants.load(stem).text:
        stem += "_own"  # so that nobody takes it for the one of the package
    return game_facts(
        variants.parse.__wrapped__(text, Path(f"{stem}.toml"))
    )  # not kept: strangers would fill the memory


def game_facts(variant: Variant) -> GameFacts:
    rules = variant.rules
    most_lines = min(int(rules.lines), max(rules.copies) // int(rules.line_length))
    return GameFacts(
        name=variant.name,
        title=variant.title,
        least=int(rules.least_seats),
        most=int(rules.most_seats),
        rows=int(rules.rows),
        columns=int(rules.columns),
        faces=[
            FaceFacts(
                name=name,
                copies=int(rules.copies[face]),
                points=int(rules.points[face]),
                line_points=int(rules.line_points[face]),
            )
            for face, name in enumerate(variant.faces)
        ],
        lines_are_columns=bool(rules.lines_are_columns),
        tee_off=int(rules.tee_off),
        tee_off_before_play=bool(rules.tee_off_before_play),
        may_throw_away=bool(rules.may_throw_away),
        may_leave_last=bool(rules.may_leave_last),
        bonus=[int(bonus) for bonus in rules.bonus[2 : most_lines + 1]],
        bonus_replaces=bool(rules.bonus_replaces),
        closer_penalty=int(rules.closer_penalty),
        holes=int(rules.holes),
        playoff=bool(rules.playoff),
    )
