"""Those who knock at tables by turns, and wait for days, in hours of the server's running time."""

from typing import NamedTuple

from .shared_sql import HOURS, Store
from .writer import Work

KNOCK_HOURS = 72  # until a knock without an answer ends, and a refused guest may knock again
KNOCK = f"""INSERT INTO knocks (code, guest, number, name, person, since) VALUES (?, ?, ?, ?, ?, {HOURS})
    ON CONFLICT (code, guest) DO UPDATE SET number = excluded.number, name = excluded.name, person = excluded.person,
    since = excluded.since"""
REFUSE = f"UPDATE knocks SET refused = 1, since = {HOURS} WHERE code = ? AND guest = ?"
END = "DELETE FROM knocks WHERE code = ? AND guest = ?"
LAPSE = f"{END} AND number = ?"  # unless the guest has knocked anew
READ = "SELECT code, guest, number, name, person, refused FROM knocks"


class NotedKnock(NamedTuple):
    """Someone who knocks, or was refused a short time ago."""

    code: str  # of the table
    guest: str
    number: int  # later knocks at the table have higher ones
    name: str
    person: str  # the guest whose seat they say is theirs, or ""
    refused: int = 0


def knocks(knock: NotedKnock) -> Work:
    """Someone knocks, in place of what they asked before at this table."""
    return [(KNOCK, knock[:5])]


def is_refused(code: str, guest: str) -> Work:
    return [(REFUSE, (code, guest))]


def knock_ends(code: str, guest: str) -> Work:
    return [(END, (code, guest))]


def knock_lapses(knock: NotedKnock) -> Work:
    return [(LAPSE, knock[:3])]


# Reading. Every function raises StoreError.


def knocks_noted(store: Store, code: str) -> list[NotedKnock]:
    """Returns the knocks at a table, the earliest first."""
    return read(store, "code = ? ORDER BY number", code)


def knocks_of(store: Store, guest: str) -> list[NotedKnock]:
    """Returns the knocks of a guest."""
    return read(store, "guest = ? ORDER BY code", guest)


def knocks_to_end(store: Store) -> list[NotedKnock]:
    """Returns the knocks whose time is over."""
    return read(store, f"{HOURS} - since > ? ORDER BY code, number", KNOCK_HOURS)


def read(store: Store, which: str, *values: str | int) -> list[NotedKnock]:
    with store.reading() as connection:
        return [NotedKnock(*row) for row in connection.execute(f"{READ} WHERE {which}", values).fetchall()]


def asking(store: Store, guest: str) -> dict[str, int]:
    """Returns how many knock at the tables where a guest has a seat, or which they opened, by spectators' code."""
    with store.reading() as connection:
        question = """SELECT watch, count(*) FROM knocks JOIN tables USING (code) JOIN sittings USING (code)
            WHERE sittings.guest = ? AND refused = 0 GROUP BY watch"""
        return dict(connection.execute(question, (guest,)).fetchall())
