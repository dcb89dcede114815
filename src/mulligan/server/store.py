"""The one file that sees SQL: the logs of all tables, kept in one SQLite file.

Everything is written by one thread, which puts all that has gathered meanwhile into one transaction:
what `append` promises is on disk once its future is done.
"""

import asyncio
import os
import queue
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from itertools import chain, groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any, NamedTuple

FILE = "games.sqlite"
MIGRATIONS = (
    """
    CREATE TABLE tables (
        code TEXT PRIMARY KEY,
        watch TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        opened REAL NOT NULL      -- seconds since 1970
    ) WITHOUT ROWID;
    CREATE TABLE entries (
        code TEXT NOT NULL,
        number INTEGER NOT NULL,  -- from 1, without a gap
        entry BLOB NOT NULL,      -- JSON, see entries.py
        PRIMARY KEY (code, number)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE tables ADD COLUMN touched REAL NOT NULL DEFAULT 0;  -- when somebody was last there
    UPDATE tables SET touched = opened;
    CREATE TABLE dealt (          -- how often each face was dealt, for the page of frequencies
        game TEXT NOT NULL,
        face TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (game, face)
    ) WITHOUT ROWID;
    CREATE TABLE holes (          -- how many holes were dealt with so many cards
        game TEXT NOT NULL,
        cards INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (game, cards)
    ) WITHOUT ROWID;
    """,
)
ADD_TABLE = "INSERT INTO tables (code, watch, game, opened, touched) VALUES (?, ?, ?, ?, ?)"
ADD_ENTRY = "INSERT INTO entries (code, number, entry) VALUES (?, ?, ?)"
READ_LOG = """SELECT group_concat(CAST(entry AS TEXT), char(10)) FROM
    (SELECT entry FROM entries WHERE code = ? ORDER BY number)"""  # one row: see add_entries
TOUCH = "UPDATE tables SET touched = ? WHERE code = ?"
REMOVE = ("DELETE FROM entries WHERE code = ?", "DELETE FROM tables WHERE code = ?")
ROWS = 200  # entries added at a time
COUNT_FACE = """INSERT INTO dealt (game, face, count) VALUES (?, ?, ?)
    ON CONFLICT (game, face) DO UPDATE SET count = count + excluded.count"""
COUNT_HOLE = """INSERT INTO holes (game, cards, count) VALUES (?, ?, 1)
    ON CONFLICT (game, cards) DO UPDATE SET count = count + 1"""

CHECKED = 64_000_000  # bytes; a larger file is not read through at every start
TRY_AGAIN = 1.0  # seconds between two looks whether a disk that failed can be written to again

Work = list[tuple[str, Sequence[Any]]]
Written = Future[None] | asyncio.Future[None]  # done once it is on disk
Job = tuple[Work, "Future[None] | Promise"]


class StoreError(OSError):
    """The folder cannot be used, or the file in it; the message says why in one sentence."""


class Promise:
    """What somebody in an event loop waits for; the writer notes here how it went."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.future: asyncio.Future[None] = loop.create_future()
        self.error: BaseException | None = None

    def set_result(self, result: None) -> None:
        """Nothing went wrong."""

    def set_exception(self, error: BaseException) -> None:
        self.error = error

    def keep(self) -> None:
        if self.future.done():  # nobody waits any more
            return
        if self.error is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(self.error)
            self.future.exception()  # not all who put something ask how it went


class Dealing(NamedTuple):
    """The cards dealt in a hole: a game's name, and how often each face came."""

    game: str
    faces: Mapping[str, int]


class Frequencies(NamedTuple):
    """The cards dealt in all holes of a game: how many holes with so many cards, and how often each face came."""

    game: str
    holes: dict[int, int]
    faces: dict[str, int]


class Store:
    """The logs in one folder, for one server alone."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.is_well = True  # the last thing put was written
        self.lock = claim(folder)
        try:
            with self.reading() as connection:
                migrate(connection, self.path)
                check(connection, self.path)
        except sqlite3.Error as error:
            os.close(self.lock)
            if isinstance(error, sqlite3.OperationalError):  # the disk is full, say
                raise StoreError(f"The games in {self.path} cannot be opened ({error}).") from None
            raise StoreError(f"{self.path} is not a file Mulligan can keep games in ({error}).") from None
        except OSError:
            os.close(self.lock)
            raise
        self.waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.writer = threading.Thread(target=self.write, name="store", daemon=True)
        self.writer.start()

    def open_table(self, code: str, watch: str, game: str, opened: float, entries: Sequence[bytes]) -> Written:
        """Adds a table and the first entries of its log. The future fails where the code is taken."""
        work: Work = [(ADD_TABLE, (code, watch, game, opened, opened))]
        return self.put(work + log_work(code, 1, entries))

    def append(
        self,
        code: str,
        first: int,
        entries: Sequence[bytes],
        dealt: Dealing | tuple[str, Mapping[str, int]] | None = None,
    ) -> Written:
        """Adds entries to a table's log; the first has that number. All of them are kept, or none.

        Where they end a hole, `dealt` counts its cards, so that no hole is counted twice or left out.
        """
        work = log_work(code, first, entries)
        if dealt is not None:
            game, faces = dealt
            work += [(COUNT_FACE, (game, face, count)) for face, count in faces.items()]
            work.append((COUNT_HOLE, (game, sum(faces.values()))))
        return self.put(work)

    def touch(self, code: str, when: float) -> Written:
        """Notes that somebody was at the table then."""
        return self.put([(TOUCH, (when, code))])

    def remove(self, code: str) -> Written:
        """Deletes a table and its log. What was counted of its cards stays."""
        return self.put([(statement, (code,)) for statement in REMOVE])

    def entries(self, code: str) -> list[bytes]:
        """A table's log, or an empty list where there is no such table."""
        with self.reading() as connection:
            (lines,) = connection.execute(READ_LOG, (code,)).fetchone()
            return lines.encode().split(b"\n") if lines else []

    def length(self, code: str) -> int:
        """The number of entries in a table's log."""
        with self.reading() as connection:
            return int(connection.execute("SELECT max(number) FROM entries WHERE code = ?", (code,)).fetchone()[0] or 0)

    def code_of(self, watch: str) -> str | None:
        """The code of the table that spectators know by that one."""
        with self.reading() as connection:
            row = connection.execute("SELECT code FROM tables WHERE watch = ?", (watch,)).fetchone()
            return row[0] if row else None

    def watch_of(self, code: str) -> str | None:
        """The code that spectators know the table by, which may stand in a log."""
        with self.reading() as connection:
            row = connection.execute("SELECT watch FROM tables WHERE code = ?", (code,)).fetchone()
            return row[0] if row else None

    def untouched(self, before: float) -> list[str]:
        """The codes of the tables where nobody has been since then, the longest forgotten first."""
        with self.reading() as connection:
            rows = connection.execute("SELECT code FROM tables WHERE touched < ? ORDER BY touched, code", (before,))
            return [row[0] for row in rows]

    def frequencies(self) -> list[Frequencies]:
        """The cards dealt in all holes of every game that has been played here."""
        found: dict[str, Frequencies] = {}
        with self.reading() as connection:
            for game, cards, count in connection.execute("SELECT game, cards, count FROM holes ORDER BY game, cards"):
                found.setdefault(game, Frequencies(game, {}, {})).holes[cards] = count
            for game, face, count in connection.execute("SELECT game, face, count FROM dealt"):
                found.setdefault(game, Frequencies(game, {}, {})).faces[face] = count
        return list(found.values())

    def close(self) -> None:
        """Everything put is written, and then the file is closed."""
        self.waiting.put(None)
        self.writer.join()
        os.close(self.lock)

    def put(self, work: Work) -> Written:
        """What has been put will be written, even where nobody waits for it any more.

        In an event loop the future is one of that loop.
        """
        try:
            promise = Promise(asyncio.get_running_loop())
        except RuntimeError:
            future: Future[None] = Future()
            future.set_running_or_notify_cancel()
            self.waiting.put((work, future))
            return future
        self.waiting.put((work, promise))
        return promise.future

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with closing(connect(self.path)) as connection:
            yield connection

    def write(self) -> None:
        """The writer thread: everything that waits goes to disk together."""
        connection = connect(self.path)
        is_open = True
        while is_open:
            try:
                jobs = [self.waiting.get(timeout=None if self.is_well else TRY_AGAIN)]
            except queue.Empty:
                self.is_well = can_write(connection)
                continue
            with suppress(queue.Empty):
                while True:
                    jobs.append(self.waiting.get_nowait())
            is_open = None not in jobs
            work = [job for job in jobs if job is not None]
            if work:
                self.is_well = write_together(connection, work) or can_write(connection)
                keep_promises([promise for _, promise in work if isinstance(promise, Promise)])
        connection.close()


def write_together(connection: sqlite3.Connection, jobs: list[Job]) -> bool:
    """One transaction for all; where that fails, one for each, so that nobody's fault is another's.

    Says whether everything was written.
    """
    try:
        commit(connection, [statement for work, _ in jobs for statement in work])
    except Exception as error:
        if len(jobs) > 1:
            return all([write_together(connection, [job]) for job in jobs])
        jobs[0][1].set_exception(StoreError(f"The games cannot be written ({error})."))
        return False
    for _, future in jobs:
        future.set_result(None)
    return True


def keep_promises(promises: Sequence[Promise]) -> None:
    """Tells all who waited for one commit together: each call into a busy loop costs its thread and this one."""
    with suppress(RuntimeError):  # the loop has ended
        for loop, group in groupby(promises, attrgetter("loop")):
            loop.call_soon_threadsafe(lambda kept: [promise.keep() for promise in kept], [*group])


def can_write(connection: sqlite3.Connection) -> bool:
    """Whether the disk takes something: the number of the file's format, which it has already."""
    try:
        commit(connection, [(f"PRAGMA user_version = {len(MIGRATIONS)}", ())])
    except sqlite3.Error:
        return False
    return True


def commit(connection: sqlite3.Connection, work: Work) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement, group in groupby(work, itemgetter(0)):
            rows = [values for _, values in group]
            if statement == ADD_ENTRY:
                add_entries(connection, rows)
            else:
                for values in rows:
                    connection.execute(statement, values)
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def add_entries(connection: sqlite3.Connection, rows: list[Sequence[Any]]) -> None:
    """Many rows with one statement.

    For each statement this thread lets go of Python's lock, and has to wait for it while the server is busy.
    """
    for start in range(0, len(rows), ROWS):
        some = rows[start : start + ROWS]
        connection.execute(ADD_ENTRY + ", (?, ?, ?)" * (len(some) - 1), [*chain.from_iterable(some)])


def log_work(code: str, first: int, entries: Sequence[bytes]) -> Work:
    return [(ADD_ENTRY, (code, first + place, entry)) for place, entry in enumerate(entries)]


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=10, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")  # what is removed is not to be found in the file any more
    return connection


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Brings an older file up to date, one numbered step after the other, and keeps a copy as it was."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise StoreError(f"{path} was written by a newer Mulligan; install that one, or name another folder.")
    if not version and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise StoreError(f"{path} holds something else than games; name another folder.")
    if 0 < version < len(MIGRATIONS):
        copy(connection, path.with_name(f"{FILE}.v{version}"))
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        connection.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {number}; COMMIT;")


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Looks for damage, where the file is small enough that nobody has to wait for it."""
    if path.stat().st_size <= CHECKED:
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise StoreError(f"{path} is damaged; put a backup in its place ({' '.join(verdict.split())[:120]}).")


class Backup(NamedTuple):
    """What a copy of the games holds."""

    tables: int
    size: int  # bytes


def back_up(folder: Path, file: Path, overwrite: bool = False) -> Backup:
    """Copies the games of a folder into one file, while a server may be writing them. Raises StoreError."""
    path = folder / FILE
    if not path.is_file():
        raise StoreError(f"There are no games in {folder}; name the folder with --data.")
    if file.is_dir():
        raise StoreError(f"{file} is a folder; name a file for the copy.")
    if file.exists() and not file.is_file():
        raise StoreError(f"{file} is no file but a device; name a file for the copy.")
    if file.exists() and not overwrite:
        raise StoreError(f"{file} is there already; name another file, or say --overwrite.")
    if file.exists() and file.samefile(path):
        raise StoreError(f"{file} is the file of the games itself; name another for the copy.")
    try:
        with closing(sqlite3.connect(path, timeout=10, isolation_level=None)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if not 0 < version <= len(MIGRATIONS):
                raise StoreError(f"{path} is not a file this Mulligan keeps games in.")
            return copy(connection, file)
    except sqlite3.Error as error:
        raise StoreError(f"The games in {folder} cannot be copied to {file} ({error}).") from None


def copy(connection: sqlite3.Connection, file: Path) -> Backup:
    """A copy of all that is committed, checked, which gets its name only when it is whole and on disk."""
    part = file.with_name(f".{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # it holds people's names
        with closing(sqlite3.connect(part, isolation_level=None)) as target:
            connection.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
            (verdict,) = target.execute("PRAGMA integrity_check(1)").fetchone()
            if verdict != "ok":
                raise StoreError(f"The copy would be damaged ({verdict}); {file} was not written.")
            (tables,) = target.execute("SELECT count(*) FROM tables").fetchone()
        os.replace(part, file)
        settle(file.parent)
    except OSError as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{file} cannot be written ({error.strerror}).") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return Backup(tables, file.stat().st_size)


def settle(folder: Path) -> None:
    """The new name in a folder is on disk too, where the system lets us ask for that."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def claim(folder: Path) -> int:
    """Holds the folder for this process alone: two servers would tell two stories of one table."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        os.close(os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600))  # it holds the seeds of running holes
    except OSError as error:
        raise StoreError(f"The folder {folder} cannot be written to ({error.strerror}).") from None
    try:
        import fcntl
    except ImportError:  # Windows has no such locks
        return lock
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise StoreError(
            f"Another Mulligan keeps its games in {folder} already; close it, or name another folder."
        ) from None
    return lock
