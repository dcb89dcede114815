"""The tables of the database, as the steps that lead from each version to the next. Both databases run them."""

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
    CREATE TABLE links (          -- all codes of a table's links; they stay when it is deleted
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
    """
    ALTER TABLE tables ADD COLUMN owner TEXT NOT NULL DEFAULT '';   -- the process that writes to it, if several may
    ALTER TABLE tables ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0; -- how often it was taken over
    CREATE INDEX owners ON tables (owner);
    CREATE TABLE processes (
        name TEXT PRIMARY KEY,
        beats INTEGER NOT NULL    -- a process that lives counts on
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE bans (           -- guests who may not take part
        guest TEXT PRIMARY KEY,   -- the hash of their token
        since REAL NOT NULL,      -- seconds since 1970
        reason TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE entries ADD COLUMN checksum INTEGER;  -- CRC-32, see checksums.py; none in older entries
    """,
    """
    CREATE TABLE chunks (         -- compressed entries of tables that nobody uses, see chunks.py
        code TEXT NOT NULL,
        last INTEGER NOT NULL,    -- the number of the last entry
        first INTEGER NOT NULL,   -- the number of the first entry
        entries BLOB NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (code, last)
    );
    """,
    """
    CREATE TABLE starts (         -- where matches and holes start, so that a read need not begin with the log; a cache
        code TEXT NOT NULL,
        game_number INTEGER NOT NULL, -- of the match, or 0 for the table's latest hole
        number INTEGER NOT NULL,  -- of entries before
        version TEXT NOT NULL,    -- of the code that wrote the state, see log_parts.py
        state BLOB NOT NULL,      -- JSON
        checksum INTEGER NOT NULL,
        PRIMARY KEY (code, game_number)
    );
    """,
    """
    ALTER TABLE life ADD COLUMN announcement TEXT NOT NULL DEFAULT '';  -- to all visitors
    """,
)
