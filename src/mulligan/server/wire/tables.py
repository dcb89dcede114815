"""HTTP: opening a table and looking at one."""

import msgspec

from .base import Holes, Pace, SeatKind, Tempo, Thing, WishKind


class SeatRequest(Thing):
    """A seat's intended player: me, another person on my device, a friend by link, or a computer player."""

    kind: WishKind
    name: str = ""  # empty for a friend; the server names a computer player if it is empty
    player: str = ""  # which computer player


class TableOptions(Thing):
    pace: Pace = "normal"  # of the computer players
    chat: bool = False  # allows free text
    tempo: Tempo = "family"
    holes: Holes = 0  # changes apply only before a match begins


class NewTable(Thing):
    game: str
    seats: list[SeatRequest]
    options: TableOptions = msgspec.field(default_factory=TableOptions)
    language: str = ""  # of the person who opens it, such as "fr": for link previews that request no language
    house_rules: dict[str, int | str] = {}  # the options that differ from the named game, for all its matches


class TableOpened(Thing):
    """The new table's codes: /t/{table} to play, /w/{watch} to watch; and full links to share."""

    table: str
    watch: str
    link: str
    watch_link: str


class SeatNote(Thing):
    name: str
    kind: SeatKind


class TableNote(Thing):
    """A table as shown on the join page; `seated` is true if this guest has a seat there."""

    table: str
    watch: str
    link: str
    watch_link: str
    game: str
    seats: list[SeatNote]
    started: bool
    over: bool
    seated: bool
