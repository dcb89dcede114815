"""HTTP: all that the server holds of a guest, to take along. The client only saves it as a file."""

from .base import Thing
from .persons import Me, MyMatch


class MySaying(Thing):
    """What I wrote at a table."""

    seat: int
    text: str


class MyVisit(Thing):
    """A table at which I have or had a seat, or that I opened."""

    watch: str
    opened: float  # seconds since 1970
    names: list[str]  # mine there
    said: list[MySaying]


class MyKnock(Thing):
    """A table at which I ask to play, or was refused a short time ago."""

    watch: str
    name: str  # that I gave


class MyWay(Thing):
    """How I am told that it is my turn."""

    kind: str  # push, or the name of a channel
    address: str
    since: float  # seconds since 1970
    language: str
    zone: str  # of the quiet hours
    quiet_from: int  # hours of the day
    quiet_until: int


class Everything(Thing):
    """All that the server holds of me. `records` are the matches as in docs/notation.md."""

    me: Me
    tables: list[MyVisit]
    matches: list[MyMatch]
    records: list[dict[str, object]]
    ways: list[MyWay]
    knocks: list[MyKnock]
