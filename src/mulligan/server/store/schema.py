"""The tables of the database, and the steps to them from earlier versions. Both databases run them."""

from .errors import StoreError

SCRIPTS = {  # by the version that each leads to: the first from an empty database, the others from the version before
    11: """
    CREATE TABLE tables (
        code TEXT PRIMARY KEY,
        watch TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        opened REAL NOT NULL,     -- seconds since 1970
        seen REAL NOT NULL DEFAULT 0, -- running hours at the last use
        marked INTEGER,           -- running hours when it was marked for deletion
        owner TEXT NOT NULL DEFAULT '',  -- the process that writes to it, if several may
        epoch INTEGER NOT NULL DEFAULT 0 -- how often it was taken over
    ) WITHOUT ROWID;
    CREATE INDEX owners ON tables (owner);
    CREATE TABLE entries (
        code TEXT NOT NULL,
        number INTEGER NOT NULL,  -- from 1, without a gap
        entry BLOB NOT NULL,      -- JSON, see log_entries.py
        checksum INTEGER,         -- CRC-32, see checksums.py
        PRIMARY KEY (code, number)
    ) WITHOUT ROWID;
    CREATE TABLE chunks (         -- compressed entries of tables that nobody uses, see chunks.py
        code TEXT NOT NULL,
        last INTEGER NOT NULL,    -- the number of the last entry
        first INTEGER NOT NULL,   -- the number of the first entry
        entries BLOB NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (code, last)
    );
    CREATE TABLE starts (         -- where matches and holes start, so that a read need not begin with the log; a cache
        code TEXT NOT NULL,
        game_number INTEGER NOT NULL, -- of the match, or 0 for the table's latest hole
        number INTEGER NOT NULL,  -- of entries before
        version TEXT NOT NULL,    -- of the code that wrote the state, see log_parts.py
        state BLOB NOT NULL,      -- JSON
        checksum INTEGER NOT NULL,
        PRIMARY KEY (code, game_number)
    );
    CREATE TABLE links (          -- all codes of a table's links; they stay when it is deleted
        code TEXT PRIMARY KEY,
        table_code TEXT NOT NULL, -- the original code
        number INTEGER NOT NULL,  -- the current link has the highest
        UNIQUE (table_code, number)
    ) WITHOUT ROWID;
    CREATE TABLE dealt (          -- how often each face was dealt
        game TEXT NOT NULL,
        face TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (game, face)
    ) WITHOUT ROWID;
    CREATE TABLE holes (          -- how many holes had this number of cards, by the packs that they came from
        game TEXT NOT NULL,
        packs INTEGER NOT NULL,
        cards INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (game, packs, cards)
    ) WITHOUT ROWID;
    CREATE TABLE life (           -- one row
        hours INTEGER NOT NULL,   -- the running time of the server; the age of tables is measured in these
        clock REAL NOT NULL,      -- the wall clock at the last hour, in seconds since 1970; it may be wrong
        announcement TEXT NOT NULL DEFAULT ''  -- to all visitors
    );
    INSERT INTO life VALUES (0, 0, '');
    CREATE TABLE processes (
        name TEXT PRIMARY KEY,
        beats INTEGER NOT NULL    -- a process that lives counts on
    ) WITHOUT ROWID;
    CREATE TABLE bans (           -- guests who may not take part
        guest TEXT PRIMARY KEY,   -- the hash of their token
        since REAL NOT NULL,      -- seconds since 1970
        reason TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
}


def scripts_after(version: int) -> dict[int, str]:
    """Returns what brings a database of a version up to date, by the versions that the scripts lead to; 0 is empty."""
    return {number: script for number, script in SCRIPTS.items() if number > version}


def must_be_known(version: int, place: str) -> None:
    """Raises StoreError unless a database of a version can be read, perhaps after it was brought up to date."""
    if not version:
        raise StoreError(f"{place} does not contain games.")
    if version < min(SCRIPTS):
        raise StoreError(f"{place} was written by a version of Mulligan before 0.1.0, which this one cannot read.")
    if version > max(SCRIPTS):
        raise StoreError(f"{place} was written by a newer version of Mulligan; install it.")
