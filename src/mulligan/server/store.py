"""Stores the logs of all tables in one SQLite file. This is the only module with SQL.

One thread writes everything and combines waiting work into one transaction. Entries passed to `append` are
on disk when its future is done.
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
        entry BLOB NOT NULL,      -- JSON, see log_entries.py
        PRIMARY KEY (code, number)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE tables ADD COLUMN touched REAL NOT NULL DEFAULT 0;  -- when the table was last used
    UPDATE tables SET touched = opened;
    CREATE TABLE dealt (          -- how often each face was dealt
        game TEXT NOT NULL,
        face TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (game, face)
    ) WITHOUT ROWID;
    CREATE TABLE holes (          -- how many holes had this number of cards
        game TEXT NOT NULL,
        cards INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (game, cards)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE life (           -- one row: the running time of the server
        hours INTEGER NOT NULL,   -- in total; the age of tables is measured in these
        clock REAL NOT NULL       -- the wall clock at the last hour, in seconds since 1970; it may be wrong
    );
    INSERT INTO life VALUES (0, 0);
    ALTER TABLE tables RENAME COLUMN touched TO seen;  -- running hours at the last use
    UPDATE tables SET seen = 0;
    ALTER TABLE tables ADD COLUMN marked INTEGER;  -- running hours when it was marked for deletion
    """,
    """
    CREATE TABLE links (          -- all codes of a table's links
        code TEXT PRIMARY KEY,
        table_code TEXT NOT NULL, -- the original code
        number INTEGER NOT NULL,  -- the current link has the highest
        UNIQUE (table_code, number)
    ) WITHOUT ROWID;
    INSERT INTO links SELECT code, code, 0 FROM tables;
    """,
    """
    ALTER TABLE holes RENAME TO former;
    CREATE TABLE holes (          -- how many holes had this number of cards, by the packs that they came from
        game TEXT NOT NULL,
        packs INTEGER NOT NULL,   -- 1 for holes from before this column
        cards INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (game, packs, cards)
    ) WITHOUT ROWID;
    INSERT INTO holes SELECT game, 1, cards, count FROM former;
    DROP TABLE former;
    """,
)
HOURS = "(SELECT hours FROM life)"
ADD_TABLE = f"INSERT INTO tables (code, watch, game, opened, seen) VALUES (?, ?, ?, ?, {HOURS})"
ADD_LINK = "INSERT INTO links (code, table_code, number) VALUES (?, ?, ?)"
ADD_ENTRY = "INSERT INTO entries (code, number, entry) VALUES (?, ?, ?)"
READ_LOG = """SELECT group_concat(CAST(entry AS TEXT), char(10)) FROM
    (SELECT entry FROM entries WHERE code = ? ORDER BY number)"""  # one row: see add_entries
PRESENT_LINK = "SELECT code FROM links WHERE table_code = ? ORDER BY number DESC LIMIT 1"
TOUCH = f"UPDATE tables SET seen = {HOURS}, marked = NULL WHERE code = ?"
MARK = f"UPDATE tables SET marked = {HOURS} WHERE marked IS NULL AND seen <= {HOURS} - ?"
COUNT_HOUR = "UPDATE life SET hours = hours + 1, clock = ?"
REMOVE = tuple(
    f"DELETE FROM {name}" for name in ("entries WHERE code = ?", "links WHERE table_code = ?", "tables WHERE code = ?")
)
ROWS = 200  # entries added per statement
COUNT_FACE = """INSERT INTO dealt (game, face, count) VALUES (?, ?, ?)
    ON CONFLICT (game, face) DO UPDATE SET count = count + excluded.count"""
COUNT_HOLE = """INSERT INTO holes (game, packs, cards, count) VALUES (?, ?, ?, 1)
    ON CONFLICT (game, packs, cards) DO UPDATE SET count = count + 1"""

CHECKED = 64_000_000  # bytes; larger files are not checked at every start
TRY_AGAIN = 1.0  # seconds between write attempts after a disk failure

Work = list[tuple[str, Sequence[Any]]]
Written = Future[None] | asyncio.Future[None]  # done once the data is on disk
Job = tuple[Work, "Future[None] | Promise"]


class StoreError(OSError):
    """The folder or its file cannot be used; the message gives the reason in one sentence."""


class Promise:
    """A result for an event loop; the writer thread sets it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.future: asyncio.Future[None] = loop.create_future()
        self.error: BaseException | None = None

    def set_result(self, result: None) -> None:
        """Records success, which is the default."""

    def set_exception(self, error: BaseException) -> None:
        self.error = error

    def keep(self) -> None:
        if self.future.done():  # the caller no longer waits
            return
        if self.error is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(self.error)
            self.future.exception()  # marks the error as seen: not every caller checks it


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


class Store:
    """The logs in one folder. Only one server may use it at a time."""

    def __init__(self, folder: Path, must_exist: bool = False) -> None:
        """Opens the store in a folder. Raises StoreError."""
        self.path = folder / FILE
        self.is_well = True  # the last write succeeded
        if must_exist and not size_of(self.path):
            raise StoreError(f"There are no games in {folder}, but --must-exist requires some; is the disk mounted?")
        must_be_whole(self.path)
        self.lock = claim(folder)
        try:
            with closing(connect(self.path)) as connection:
                migrate(connection, self.path)
                check(connection, self.path)
        except sqlite3.Error as error:
            os.close(self.lock)
            if isinstance(error, sqlite3.OperationalError):  # for example, the disk is full
                raise StoreError(f"The games in {self.path} cannot be opened ({error}).") from None
            raise StoreError(f"{self.path} is not a database of Mulligan ({error}).") from None
        except OSError:
            os.close(self.lock)
            raise
        self.waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.writer = threading.Thread(target=self.write, name="store", daemon=True)
        self.writer.start()

    def open_table(self, code: str, watch: str, game: str, opened: float, entries: Sequence[bytes]) -> Written:
        """Adds a table and the first entries of its log. The future fails if the code is taken."""
        work: Work = [(ADD_TABLE, (code, watch, game, opened)), (ADD_LINK, (code, code, 0))]
        return self.put(work + log_work(code, 1, entries))

    def append(
        self,
        code: str,
        first: int,
        entries: Sequence[bytes],
        dealt: Dealing | None = None,
        link: str = "",
    ) -> Written:
        """Adds entries to a table's log, numbered from `first`; either all of them or none.

        `dealt` counts the cards of the hole that ends with these entries, in the same transaction. `link` is the code
        of a new link made by these entries; the future fails if it is taken.
        """
        work = log_work(code, first, entries)
        if dealt is not None:
            game, packs, faces = dealt
            work += [(COUNT_FACE, (game, face, count)) for face, count in faces.items()]
            work.append((COUNT_HOLE, (game, packs, sum(faces.values()))))
        if link:
            work.append((ADD_LINK, (link, code, first)))
        return self.put(work)

    def touch(self, code: str) -> Written:
        """Records that the table is in use, which postpones its deletion."""
        return self.put([(TOUCH, (code,))])

    def mark(self, hours: int) -> Written:
        """Marks the tables unused for a number of running hours, to be deleted later."""
        return self.put([(MARK, (hours,))])

    def count_hour(self, clock: float) -> Written:
        """Records another hour of running time, and the time of the wall clock."""
        return self.put([(COUNT_HOUR, (clock,))])

    def remove(self, code: str) -> Written:
        """Deletes a table and its log. The counts of its cards remain."""
        return self.put([(statement, (code,)) for statement in REMOVE])

    def entries(self, code: str) -> list[bytes]:
        """Returns a table's log, or an empty list if there is no such table."""
        with self.reading() as connection:
            connection.text_factory = bytes  # damaged text may not be valid UTF-8
            (lines,) = connection.execute(READ_LOG, (code,)).fetchone()
            connection.text_factory = str
            return lines.split(b"\n") if lines else []

    def table_of(self, link: str) -> str | None:
        """Returns a table's original code for the code of any of its links, or None."""
        with self.reading() as connection:
            row = connection.execute("SELECT table_code FROM links WHERE code = ?", (link,)).fetchone()
            return row[0] if row else None

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

    def count_tables(self) -> int:
        with self.reading() as connection:
            return int(connection.execute("SELECT count(*) FROM tables").fetchone()[0])

    def unseen(self, hours: int) -> list[str]:
        """Returns the codes of the tables unused for a number of running hours, longest unused first."""
        return self.codes(f"seen <= {HOURS} - ? ORDER BY seen, code", hours)

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

    def close(self) -> None:
        """Writes all pending work, then closes the file."""
        self.waiting.put(None)
        self.writer.join()
        os.close(self.lock)

    def put(self, work: Work) -> Written:
        """Queues work and returns its future; the work is written even if no caller waits.

        In an event loop, the future belongs to that loop.
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
        """Opens a connection for reading. Raises StoreError if the file is damaged or cannot be read."""
        try:
            with closing(connect(self.path)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise StoreError(f"The games in {self.path} cannot be read ({error}).") from None

    def write(self) -> None:
        """The main loop of the writer thread: writes all waiting work together."""
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
    """Writes all jobs in one transaction; if that fails, each in its own, so that one failure affects one job.

    Returns True if everything was written.
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
    """Resolves all promises of a commit with one call per event loop: each call into a busy loop is slow."""
    with suppress(RuntimeError):  # the loop has ended
        for loop, group in groupby(promises, attrgetter("loop")):
            loop.call_soon_threadsafe(lambda kept: [promise.keep() for promise in kept], [*group])


def can_write(connection: sqlite3.Connection) -> bool:
    """True if the disk accepts a write; it rewrites the unchanged format number."""
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
    """Adds many rows per statement.

    Each statement releases Python's lock, and waiting for it again is slow while the server is busy.
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
    connection.execute("PRAGMA secure_delete = ON")  # deleted data must not remain in the file
    return connection


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Upgrades an older file step by step after copying it. Raises StoreError."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise StoreError(f"{path} was written by a newer version of Mulligan; install it, or use another folder.")
    if not version and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise StoreError(f"{path} does not contain games; use another folder.")
    if 0 < version < len(MIGRATIONS):
        copy(connection, path.with_name(f"{FILE}.v{version}"))
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        connection.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {number}; COMMIT;")


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Checks for damage if the file is small enough. Raises StoreError."""
    if path.stat().st_size <= CHECKED:
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise StoreError(f"{path} is damaged; restore a backup ({' '.join(verdict.split())[:120]}).")


class Backup(NamedTuple):
    """The number of tables in a backup and its size."""

    tables: int
    size: int  # bytes


def back_up(folder: Path, file: Path, overwrite: bool = False) -> Backup:
    """Copies the games of a folder into one file; a server may be running meanwhile. Raises StoreError."""
    path = folder / FILE
    must_be_whole(path)
    if not path.is_file():
        raise StoreError(f"There are no games in {folder}; give the folder with --data.")
    if file.is_dir():
        raise StoreError(f"{file} is a folder; give a file for the copy.")
    if file.exists() and not file.is_file():
        raise StoreError(f"{file} is a device; give a file for the copy.")
    if file.exists() and not overwrite:
        raise StoreError(f"{file} already exists; give another file, or use --overwrite.")
    if file.exists() and file.samefile(path):
        raise StoreError(f"{file} is the database itself; give another file for the copy.")
    try:
        with closing(sqlite3.connect(path, timeout=10, isolation_level=None)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if not 0 < version <= len(MIGRATIONS):
                raise StoreError(f"{path} is not a database of this version of Mulligan.")
            return copy(connection, file)
    except sqlite3.Error as error:
        raise StoreError(f"The games in {folder} cannot be copied to {file} ({error}).") from None


def copy(connection: sqlite3.Connection, file: Path) -> Backup:
    """Writes a verified copy of all committed data; renames it once it is complete on disk. Raises StoreError."""
    part = file.with_name(f".{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # it contains players' names
        with closing(sqlite3.connect(part, isolation_level=None)) as target:
            connection.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")  # a single file, without a separate log
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
    """Writes a folder's new file names to disk, if the system supports it."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def must_be_whole(path: Path) -> None:
    """Raises StoreError if the file is empty but has a write-ahead log, which SQLite would delete."""
    waiting = path.with_name(f"{path.name}-wal")
    if not size_of(path) and size_of(waiting):
        raise StoreError(
            f"{path} is missing or empty, but {waiting.name} beside it contains games; restore the file or a "
            f"backup, or move {waiting.name} away to start without games."
        )


def size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def claim(folder: Path) -> int:
    """Locks the folder for this process, so that no second server writes to it. Raises StoreError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        os.close(os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600))  # it contains the seeds of running holes
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
        raise StoreError(f"Another Mulligan server already uses {folder}; stop it, or use another folder.") from None
    return lock
