"""The store: the logs of all tables in a database. SQLite and PostgreSQL share the SQL of this module.

One thread writes everything and combines waiting work into one transaction. Entries passed to `append` are
on disk when its future is done.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from itertools import chain, groupby
from operator import itemgetter
from os import urandom
from random import randrange
from typing import Any, NamedTuple, Protocol

from .checksums import checksum, intact
from .chunks import MOST, Chunk, pack, unpacked
from .errors import DamagedEntry, LeaseLost, StoreError
from .writer import Work, Writer, Written

HOURS = "(SELECT hours FROM life)"
ADD_TABLE = f"INSERT INTO tables (code, watch, game, opened, seen, hosted) VALUES (?, ?, ?, ?, {HOURS}, {HOURS})"
ADD_LINK = "INSERT INTO links (code, table_code, number) VALUES (?, ?, ?)"
ADD_WATCH = "INSERT INTO watches (code, table_code, number) VALUES (?, ?, ?)"
ADD_ENTRY = "INSERT INTO entries (code, number, entry, checksum) VALUES (?, ?, ?, ?)"
LINKED = "FROM links JOIN tables ON tables.code = table_code WHERE"  # links of deleted tables stay
PRESENT_LINK = f"SELECT links.code {LINKED} table_code = ? ORDER BY number DESC LIMIT 1"
LATEST_WATCH = "SELECT code FROM watches WHERE table_code = ? ORDER BY number DESC LIMIT 1"
TOUCH = f"UPDATE tables SET seen = {HOURS}, marked = NULL WHERE code = ?"
TOUCH_BY_HOST = f"UPDATE tables SET seen = {HOURS}, hosted = {HOURS}, marked = NULL WHERE code = ?"
MARK = f"UPDATE tables SET marked = {HOURS} WHERE marked IS NULL AND seen <= {HOURS} - ?"
COUNT_HOUR = "UPDATE life SET hours = hours + 1, clock = ?"
REMOVE_LOG = tuple(f"DELETE FROM {name} WHERE code = ?" for name in ("chunks", "entries", "starts"))
REMOVE = (  # the table's own row first, which other processes must lock before they add anything
    "DELETE FROM tables WHERE code = ?",
    *REMOVE_LOG,
    "DELETE FROM sittings WHERE code = ?",
    "DELETE FROM played WHERE code = ?",
    "DELETE FROM watches WHERE table_code = ?",
    "DELETE FROM outbox WHERE code = ?",
    "DELETE FROM turns WHERE code = ?",
    "DELETE FROM knocks WHERE code = ?",
)
LOCK_TABLE = "UPDATE tables SET seen = seen WHERE code = ?"
ADD_CHUNK = "INSERT INTO chunks (code, first, last, entries, checksum) VALUES (?, ?, ?, ?, ?)"
REMOVE_CHUNKED = "DELETE FROM entries WHERE code = ? AND number BETWEEN ? AND ?"
CHUNKED = "SELECT code, max(last) FROM chunks WHERE code IN (?{more}) GROUP BY code"
UNCOMPRESSED = f"""SELECT code FROM tables WHERE seen <= {HOURS} - ? AND EXISTS
    (SELECT 1 FROM entries WHERE entries.code = tables.code) ORDER BY seen, code"""
READ_CHUNKS = "SELECT first, last, entries, checksum FROM chunks WHERE code = ? AND last > ? AND first <= ? UNION ALL "
READ_LOG = f"""{READ_CHUNKS}
    SELECT NULL, number, entry, checksum FROM entries WHERE code = ? AND number > ? AND number <= ? ORDER BY 2"""
ADD_START = """INSERT INTO starts (code, game_number, number, state, version, checksum)
    SELECT code, ?, ?, ?, ?, ? FROM tables WHERE code = ?
    ON CONFLICT (code, game_number) DO UPDATE SET
    number = excluded.number, version = excluded.version, state = excluded.state, checksum = excluded.checksum"""
READ_START = """SELECT game_number, number, state, version, checksum FROM starts
    WHERE code = ? AND version = ? AND game_number BETWEEN ? AND ? ORDER BY number DESC LIMIT 1"""
FORGET_HOLE = "DELETE FROM starts WHERE code = ? AND game_number = 0"
COUNT_FACE = """INSERT INTO dealt (game, face, count) VALUES (?, ?, ?)
    ON CONFLICT (game, face) DO UPDATE SET count = dealt.count + excluded.count"""
COUNT_HOLE = """INSERT INTO holes (game, packs, cards, count) VALUES (?, ?, ?, 1)
    ON CONFLICT (game, packs, cards) DO UPDATE SET count = holes.count + 1"""
ADD_BAN = """INSERT INTO bans (guest, since, reason) VALUES (?, ?, ?)
    ON CONFLICT (guest) DO UPDATE SET since = excluded.since, reason = excluded.reason"""
REMOVE_BAN = "DELETE FROM bans WHERE guest = ?"
KNOCK_NOWHERE = "DELETE FROM knocks WHERE guest = ?"  # for one who may come in no more, or is someone else now
ANNOUNCE = "UPDATE life SET announcement = ?"
TAKE_LEASE = "UPDATE tables SET owner = ?, epoch = epoch + 1 WHERE code = ? RETURNING epoch"
HOLD_LEASE = "SELECT code FROM tables WHERE (code, owner, epoch) IN (VALUES (?, ?, ?){more}){lock}"
RELEASE = "UPDATE tables SET owner = '' WHERE code = ? AND owner = ? AND epoch = ?"
END_LEASES = "UPDATE tables SET owner = '' WHERE owner = ?"
READ_ANEW = "UPDATE tables SET owner = '', epoch = epoch + 1 WHERE code = ?"
BEAT = """INSERT INTO processes (name, beats) VALUES (?, 1)
    ON CONFLICT (name) DO UPDATE SET beats = processes.beats + 1"""
CHECKS = (HOLD_LEASE, CHUNKED)
FORGET_PROBES = "DELETE FROM entries WHERE code = ''"

ROWS = 200  # entries added per statement
PROBE = 16_000  # bytes, more than the entries of any move and the start of a hole
END = 2**31 - 1  # after the last entry of any log
NOTHING: Work = []


class Connection(Protocol):
    """A database connection, which takes `?` for a value in SQL."""

    def execute(self, statement: str, values: Sequence[Any] = ..., /) -> Any: ...


class Lease(NamedTuple):
    """The right of a process to write to a table. A process that takes it over raises the epoch."""

    owner: str  # the name of the process
    epoch: int


class Start(NamedTuple):
    """Where a match or hole starts, and the table at that time, which only the same version of the code reads."""

    match: int  # 0 for a hole; of each table, only the latest one is kept
    after: int  # the number of entries before
    state: bytes
    version: str = ""


class Dealing(NamedTuple):
    """The cards dealt in a hole: the game's name, its packs, and the count of each face."""

    game: str
    packs: int
    faces: Mapping[str, int]


class Frequencies(NamedTuple):
    """The cards dealt in all holes of a game: the holes by packs and number of cards, and the count of each face."""

    game: str
    holes: dict[tuple[int, int], int]
    faces: dict[str, int]


class Store(ABC):
    """The logs of all tables."""

    is_shared = False  # several processes may use it at once, so each table needs a lease

    writer: Writer

    @property
    def is_well(self) -> bool:
        """True unless a write failed since the store last took a move."""
        return self.writer.is_well

    def put(self, work: Work) -> Written:
        """Queues work and returns its future; the work is written even if no caller waits."""
        return self.writer.put(work)

    def doubt(self) -> None:
        """Finds out whether anything can be written, because something else failed."""
        self.put([])

    @abstractmethod
    def reading(self) -> AbstractContextManager[Connection]:
        """Opens a connection for reading. Raises StoreError if the database is damaged or cannot be read."""

    @abstractmethod
    def close(self) -> None:
        """Writes all pending work, then closes the database."""

    # Writing

    def open_table(
        self,
        code: str,
        watch: str,
        game: str,
        opened: float,
        entries: Sequence[bytes],
        is_complete: bool = False,
        also: Work = NOTHING,
    ) -> Written:
        """Adds a table and the first entries of its log, compressed if it is complete, and writes more with it.

        The future fails if the code is taken.
        """
        work: Work = [(ADD_TABLE, (code, watch, game, opened)), (ADD_LINK, (code, code, 0)), *also]
        return self.put(work + (packed_work if is_complete else log_work)(code, 1, entries))

    def append(
        self,
        code: str,
        first: int,
        entries: Sequence[bytes],
        dealt: Dealing | None = None,
        link: str = "",
        lease: Lease | None = None,
        start: Start | None = None,
        also: Work = NOTHING,
        watch: str = "",
    ) -> Written:
        """Adds entries to a table's log, numbered from `first`; either all of them or none.

        `dealt` counts the cards of the hole that ends with these entries, in the same transaction. `link` and `watch`
        are the codes of new links made by these entries; the future fails if one is taken. It also fails if the lease
        was taken over. `start` belongs to the match or hole that begins with these entries. `also` is
        written with them.
        """
        work: Work = [(HOLD_LEASE, (code, *lease)) if lease else (CHUNKED, (code, first))]
        work += log_work(code, first, entries)
        if dealt is not None:
            game, packs, faces = dealt
            work += [(COUNT_FACE, (game, face, count)) for face, count in faces.items()]
            work.append((COUNT_HOLE, (game, packs, sum(faces.values()))))
        if link:
            work.append((ADD_LINK, (link, code, first)))
        if watch:
            work.append((ADD_WATCH, (watch, code, first)))
        if start:
            work.append(start_work(code, start))
        return self.put([*work, *also] if also else work)

    def replace_log(self, code: str, entries: Sequence[bytes], lease: Lease | None) -> Work:
        """Returns what replaces a table's log, unless the lease was taken over.

        It ends the lease: every process that shows the table has to read the new log.
        """
        work: Work = [(HOLD_LEASE, (code, *lease))] if lease else []
        work += [(statement, (code,)) for statement in (*REMOVE_LOG, READ_ANEW)]
        return work + packed_work(code, 1, entries)

    def keep_start(self, code: str, start: Start, lease: Lease | None) -> Written:
        """Keeps where a match or hole starts, for later reads. The future fails if the lease was taken over."""
        held: Work = [(HOLD_LEASE, (code, *lease))] if lease else []
        return self.put([*held, start_work(code, start)])

    def touch(self, code: str, is_host_there: bool = False) -> Written:
        """Records that the table is in use, which postpones its deletion, and perhaps that its owner is there."""
        return self.put([(TOUCH_BY_HOST if is_host_there else TOUCH, (code,))])

    def mark(self, hours: int) -> Written:
        """Marks the tables unused for a number of running hours, to be deleted later."""
        return self.put([(MARK, (hours,))])

    def count_hour(self, clock: float) -> Written:
        """Records another hour of running time, and the time of the wall clock."""
        return self.put([(COUNT_HOUR, (clock,))])

    def remove(self, code: str) -> Written:
        """Deletes a table and its log. The counts of its cards remain, and the codes of its links: it was not lost."""
        return self.put([(statement, (code,)) for statement in REMOVE])

    def compress(self, code: str) -> Written | None:
        """Replaces the oldest uncompressed entries of a log by a chunk. Returns None if there are none.

        Readers see either the one or the other. Raises DamagedEntry, as does the future.
        """
        with self.reading() as connection:
            lasts = dict(connection.execute(CHUNKED.format(more=""), (code,)).fetchall())
        first = lasts.get(code, 0) + 1
        entries = self.entries(code, first - 1)[:MOST]
        if not entries:
            return None
        chunk = pack(code, first, entries)
        return self.put(
            [
                (LOCK_TABLE, (code,)),
                (ADD_CHUNK, (code, *chunk)),
                (REMOVE_CHUNKED, (code, chunk.first, chunk.last)),
                (FORGET_HOLE, (code,)),
            ]
        )

    def tend(self) -> Written | None:
        """Does a little upkeep of the database. Returns None if nothing is left to do."""
        return None

    def purge(self) -> None:
        """Removes what was deleted from the files of the database, if it is still there."""
        return

    def ban(self, guest: str, since: float, reason: str) -> Written:
        """Records that a guest may not take part."""
        return self.put([(ADD_BAN, (guest, since, reason)), (KNOCK_NOWHERE, (guest,))])

    def knock_nowhere(self, guest: str) -> Written:
        return self.put([(KNOCK_NOWHERE, (guest,))])

    def unban(self, guest: str) -> Written:
        return self.put([(REMOVE_BAN, (guest,))])

    def announce(self, text: str) -> Written:
        """Records the announcement to all visitors, or "" if there is none any more."""
        return self.put([(ANNOUNCE, (text,))])

    # Leases, if the store is shared

    def take_lease(self, code: str, owner: str) -> Lease | None:
        """Makes a process the owner of a table, in place of any other. Returns None if there is no such table."""
        with self.reading() as connection:
            row = connection.execute(TAKE_LEASE, (owner, code)).fetchone()
            return Lease(owner, row[0]) if row else None

    def holds(self, code: str, lease: Lease) -> bool:
        """True if nobody has taken a table over since."""
        with self.reading() as connection:
            question = "SELECT 1 FROM tables WHERE code = ? AND owner = ? AND epoch = ?"
            return connection.execute(question, (code, *lease)).fetchone() is not None

    def lease_of(self, code: str) -> Lease:
        """Returns the latest lease of a table; its owner is "" if it has ended."""
        with self.reading() as connection:
            row = connection.execute("SELECT owner, epoch FROM tables WHERE code = ?", (code,)).fetchone()
            return Lease(*row) if row else Lease("", 0)

    def release(self, code: str, lease: Lease) -> Written:
        """Ends a lease, unless another process has taken the table over."""
        return self.put([(RELEASE, (code, *lease))])

    def beat(self, owner: str) -> tuple[dict[str, int], set[str]]:
        """Counts a heartbeat of a process. Returns the beats of all processes, and the codes of its tables."""
        with self.reading() as connection:
            connection.execute(BEAT, (owner,))
            beats = dict(connection.execute("SELECT name, beats FROM processes").fetchall())
            owned = connection.execute("SELECT code FROM tables WHERE owner = ?", (owner,)).fetchall()
            return beats, {code for (code,) in owned}

    def end_leases(self, owner: str) -> None:
        """Ends all leases of a process that closes or has died."""
        with self.reading() as connection:
            connection.execute(END_LEASES, (owner,))
            connection.execute("DELETE FROM processes WHERE name = ?", (owner,))

    def leads(self) -> bool:
        """True if this process does the housekeeping of the store."""
        return True

    # Reading

    def start(self, code: str, version: str, match: int | None = None) -> Start | None:
        """Returns the latest start of a table, or that of a match, that is known to this version of the code.

        If the match's own start is not known, the latest earlier one of a match.
        """
        which = (0, END) if match is None else (1, match)
        with self.reading() as connection:
            row = connection.execute(READ_START, (code, version, *which)).fetchone()
        return Start(*row[:-1]) if row and checksum(code, row[1], row[2]) == row[-1] else None

    def entries(self, code: str, after: int = 0, until: int = END) -> list[bytes]:
        """Returns a table's log after a number of entries, or an empty list if there is no such table.

        Raises DamagedEntry.
        """
        with self.reading() as connection:
            rows = connection.execute(READ_LOG, (code, after, until) * 2).fetchall()
        found = unpacked(code, after, [Chunk(*row) for row in rows if row[0] is not None])[: until - after]
        rest = [row for row in rows if row[0] is None]
        return found + intact(code, after + len(found) + 1, [row[2] for row in rest], [row[3] for row in rest])

    def table_of(self, link: str) -> str | None:
        """Returns a table's original code for the code of any of its links, or None."""
        with self.reading() as connection:
            row = connection.execute(f"SELECT table_code {LINKED} links.code = ?", (link,)).fetchone()
            return row[0] if row else None

    def was_link(self, link: str) -> bool:
        """True if a table has or had a link with that code, also one that was deleted."""
        with self.reading() as connection:
            return connection.execute("SELECT 1 FROM links WHERE code = ?", (link,)).fetchone() is not None

    def link_of(self, code: str) -> str:
        """Returns the code in a table's current link for its original code, or "" if there is no such table."""
        with self.reading() as connection:
            row = connection.execute(PRESENT_LINK, (code,)).fetchone()
            return row[0] if row else ""

    def code_of(self, watch: str) -> str | None:
        """Returns the original code of the table with a spectators' code, or None."""
        with self.reading() as connection:
            row = connection.execute("SELECT code FROM tables WHERE watch = ?", (watch,)).fetchone()
            return row[0] if row else None

    def watched(self, link: str) -> str | None:
        """Returns the original code of the table whose current link for spectators has a code, or None."""
        with self.reading() as connection:
            row = connection.execute("SELECT table_code FROM watches WHERE code = ?", (link,)).fetchone()
            row = row or connection.execute("SELECT code FROM tables WHERE watch = ?", (link,)).fetchone()
            latest = connection.execute(LATEST_WATCH, row).fetchone() if row else None
            return row[0] if row and latest in (None, (link,)) else None

    def opened(self, watch: str) -> float:
        """Returns when the table with a spectators' code was opened, in seconds since 1970; 0 if there is none."""
        with self.reading() as connection:
            row = connection.execute("SELECT opened FROM tables WHERE watch = ?", (watch,)).fetchone()
            return float(row[0]) if row else 0.0

    def watch_of(self, code: str) -> str | None:
        """Returns a table's spectators' code, which may appear in logs, or None."""
        with self.reading() as connection:
            row = connection.execute("SELECT watch FROM tables WHERE code = ?", (code,)).fetchone()
            return row[0] if row else None

    def hours_without_host(self, code: str) -> int:
        """Returns how many running hours at least have passed since a table's owner was last there.

        A visit is recorded once an hour, and an hour counts when it is complete.
        """
        with self.reading() as connection:
            row = connection.execute(f"SELECT {HOURS} - hosted FROM tables WHERE code = ?", (code,)).fetchone()
            return max(0, int(row[0]) - 2) if row else 0

    def bans(self) -> list[tuple[str, float, str]]:
        """Returns the banned guests, since when, and why; the latest first."""
        with self.reading() as connection:
            rows = connection.execute("SELECT guest, since, reason FROM bans ORDER BY since DESC, guest").fetchall()
            return [(guest, float(since), reason) for guest, since, reason in rows]

    def announcement(self) -> str:
        """Returns the announcement to all visitors, or ""."""
        with self.reading() as connection:
            return str(connection.execute("SELECT announcement FROM life").fetchone()[0])

    def openings(self) -> dict[str, float]:
        """Returns when each table was opened, by spectators' code, in seconds since 1970."""
        with self.reading() as connection:
            return dict(connection.execute("SELECT watch, opened FROM tables").fetchall())

    def count_tables(self) -> int:
        with self.reading() as connection:
            return int(connection.execute("SELECT count(*) FROM tables").fetchone()[0])

    def unseen(self, hours: int) -> list[str]:
        """Returns the codes of the tables unused for a number of running hours, longest unused first."""
        return self.codes(f"seen <= {HOURS} - ? ORDER BY seen, code", hours)

    def uncompressed(self, hours: int) -> list[str]:
        """Returns the codes of the tables unused for a number of running hours whose logs can be compressed."""
        with self.reading() as connection:
            return [code for (code,) in connection.execute(UNCOMPRESSED, (hours,))]

    def marked(self, hours: int) -> list[str]:
        """Returns the codes of the tables marked at least a number of running hours ago, earliest first."""
        return self.codes(f"marked <= {HOURS} - ? ORDER BY marked, code", hours)

    def codes(self, which: str, hours: int) -> list[str]:
        with self.reading() as connection:
            return [code for (code,) in connection.execute(f"SELECT code FROM tables WHERE {which}", (hours,))]

    def clock_noted(self) -> float:
        """Returns the last recorded time of the wall clock in seconds since 1970, or 0."""
        with self.reading() as connection:
            return float(connection.execute("SELECT clock FROM life").fetchone()[0])

    def frequencies(self) -> list[Frequencies]:
        """Returns the counts of the cards dealt in every game played on this server."""
        found: dict[str, Frequencies] = {}
        with self.reading() as connection:
            for game, packs, cards, count in connection.execute("SELECT * FROM holes ORDER BY game, packs, cards"):
                found.setdefault(game, Frequencies(game, {}, {})).holes[packs, cards] = count
            for game, face, count in connection.execute("SELECT game, face, count FROM dealt"):
                found.setdefault(game, Frequencies(game, {}, {})).faces[face] = count
        return list(found.values())


def log_work(code: str, first: int, entries: Sequence[bytes]) -> Work:
    return [(ADD_ENTRY, (code, first + place, entry)) for place, entry in enumerate(entries)]


def packed_work(code: str, first: int, entries: Sequence[bytes]) -> Work:
    """Returns what adds entries in compressed form."""
    places = range(0, len(entries), MOST)
    return [(ADD_CHUNK, (code, *pack(code, first + place, entries[place : place + MOST]))) for place in places]


def start_work(code: str, start: Start) -> tuple[str, Sequence[Any]]:
    """Returns what keeps the start of a match or hole, if there still is such a table."""
    return ADD_START, (*start, checksum(code, start.after, start.state), code)


def commit(connection: Connection, work: Work, begin: str = "BEGIN", lock: str = "") -> None:
    """Writes all work in one transaction. `lock` keeps rows from other processes until its end.

    Raises LeaseLost, and whatever the database raises; then nothing is written, unless the connection was lost.
    """
    connection.execute(begin)
    try:
        hold_leases(connection, [values for statement, values in work if statement == HOLD_LEASE], lock)
        for statement, group in groupby((job for job in work if job[0] not in CHECKS), itemgetter(0)):
            rows = [values for _, values in group]
            if statement == ADD_ENTRY:
                add_entries(connection, rows)
            elif statement == REMOVE_CHUNKED:
                remove_chunked(connection, rows)
            else:
                for values in rows:
                    connection.execute(statement, values)
        keep_chunks(connection, [values for statement, values in work if statement == CHUNKED])
        connection.execute("COMMIT")
    except BaseException:
        with suppress(Exception):
            connection.execute("ROLLBACK")
        raise


def can_write(commit: Callable[[Work], None]) -> bool:
    """True if a move can be written: an entry without a table is, and is deleted again.

    A full disk still takes smaller writes, for which it has room. `commit` raises any error if it fails.
    """
    try:
        commit([(ADD_ENTRY, ("", randrange(END), urandom(PROBE)))])
        commit([(FORGET_PROBES, ())])
    except Exception:
        return False
    return True


def hold_leases(connection: Connection, leases: list[Sequence[Any]], lock: str) -> None:
    """Checks leases, and keeps others from taking them over until the transaction ends. Raises LeaseLost."""
    needed = {*map(tuple, leases)}
    held = 0
    for some in pieces([*needed]):
        question = HOLD_LEASE.format(more=", (?, ?, ?)" * (len(some) - 1), lock=lock)
        held += len(connection.execute(question, [*chain.from_iterable(some)]).fetchall())
    if held < len(needed):
        raise LeaseLost("Another process has taken over the table.")


def remove_chunked(connection: Connection, rows: list[Sequence[Any]]) -> None:
    """Deletes entries that are in chunks now. Raises DamagedEntry unless all of them were there."""
    for code, first, last in rows:
        if connection.execute(REMOVE_CHUNKED, (code, first, last)).rowcount != last - first + 1:
            raise DamagedEntry(f"Entries {first} to {last} are not all there.")


def keep_chunks(connection: Connection, appended: list[Sequence[Any]]) -> None:
    """Checks that no entry was added under the number of a compressed one. Raises StoreError."""
    for some in pieces(appended):
        question = CHUNKED.format(more=", ?" * (len(some) - 1))
        lasts = dict(connection.execute(question, [code for code, _ in some]).fetchall())
        if any(first <= lasts.get(code, 0) for code, first in some):
            raise StoreError("The log has such an entry already.")


def add_entries(connection: Connection, rows: list[Sequence[Any]]) -> None:
    """Adds many rows per statement.

    Each statement releases Python's lock, and waiting for it again is slow while the server is busy.
    """
    for some in pieces(rows):
        values = [(*row, checksum(*row)) for row in some]
        connection.execute(ADD_ENTRY + ", (?, ?, ?, ?)" * (len(values) - 1), [*chain.from_iterable(values)])


def pieces(rows: list[Sequence[Any]]) -> list[list[Sequence[Any]]]:
    return [rows[start : start + ROWS] for start in range(0, len(rows), ROWS)]
