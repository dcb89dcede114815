"""The turns of tables by turns, in hours of the server's running time: who has to move, and since when."""

from typing import NamedTuple

from .shared_sql import HOURS, Store
from .writer import Work

BEGIN = f"""INSERT INTO turns (code, number, guest, since, hours) VALUES (?, ?, ?, {HOURS}, ?)
    ON CONFLICT (code) DO UPDATE SET number = excluded.number, guest = excluded.guest, since = excluded.since,
    hours = excluded.hours, reminded = 0"""
END = "DELETE FROM turns WHERE code = ?"
REMIND = "UPDATE turns SET reminded = 1 WHERE code = ? AND number = ?"
READ = f"SELECT code, number, guest, {HOURS} - since, hours, reminded FROM turns"
# An hour counts when it is complete, and the first one may have been nearly over when the turn began.
TO_SEE_TO = f"""{READ} WHERE guest = '' OR {HOURS} - since > hours
    OR (reminded = 0 AND 2 * ({HOURS} - since) > hours) ORDER BY since, code"""


class NotedTurn(NamedTuple):
    """A turn: the number of the log's entry with which it began, whose it is, and running hours."""

    code: str  # of the table
    number: int
    guest: str  # "" if the table goes on by itself
    passed: int
    hours: int  # for how many it may last
    reminded: int

    @property
    def is_over(self) -> bool:
        return self.passed > self.hours


# What is written together with a table's log


def begins(code: str, number: int, guest: str, hours: int) -> Work:
    return [(BEGIN, (code, number, guest, hours))]


def ends(code: str) -> Work:
    return [(END, (code,))]


def is_reminded(turn: NotedTurn) -> Work:
    return [(REMIND, (turn.code, turn.number))]


# Reading. Every function raises StoreError.


def turn_noted(store: Store, code: str) -> NotedTurn | None:
    """Returns the turn of a table, or None if it waits for nothing."""
    with store.reading() as connection:
        row = connection.execute(f"{READ} WHERE code = ?", (code,)).fetchone()
        return NotedTurn(*row) if row else None


def hours_left(store: Store, guest: str) -> dict[str, int]:
    """Returns how many hours a guest has for their turns, rounded up, by the spectators' code of the table."""
    with store.reading() as connection:
        question = f"SELECT watch, hours - ({HOURS} - since) FROM turns JOIN tables USING (code) WHERE guest = ?"
        rows = connection.execute(question, (guest,)).fetchall()
        return {watch: max(1, hours) for watch, hours in rows}


def turns_to_see_to(store: Store) -> list[NotedTurn]:
    """Returns the turns that are over, those of which half is over and nobody was reminded, and those of nobody."""
    with store.reading() as connection:
        return [NotedTurn(*row) for row in connection.execute(TO_SEE_TO).fetchall()]
