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
    12: """
    ALTER TABLE life ADD COLUMN salt TEXT NOT NULL DEFAULT '';  -- for the digests of come-back words
    CREATE TABLE persons (        -- who keeps their place: they come back on any device
        guest TEXT PRIMARY KEY,   -- the guest they were on their first device
        since REAL NOT NULL,      -- seconds since 1970
        words TEXT NOT NULL UNIQUE -- the digest of their come-back words
    ) WITHOUT ROWID;
    CREATE TABLE devices (        -- their devices
        device TEXT PRIMARY KEY,  -- the hash of its token
        guest TEXT NOT NULL,      -- whom it stands for
        name TEXT NOT NULL,
        since REAL NOT NULL,      -- seconds since 1970
        seen REAL NOT NULL        -- the same, to the day
    ) WITHOUT ROWID;
    CREATE INDEX devices_of ON devices (guest);
    CREATE TABLE sittings (       -- who has a seat at a table, or had one, or opened it
        guest TEXT NOT NULL,
        code TEXT NOT NULL,
        PRIMARY KEY (guest, code)
    ) WITHOUT ROWID;
    CREATE INDEX sitters ON sittings (code);
    CREATE TABLE played (         -- who played which finished match
        guest TEXT NOT NULL,
        code TEXT NOT NULL,
        game TEXT NOT NULL,       -- the id of the match
        seat INTEGER NOT NULL,
        ended REAL NOT NULL,      -- seconds since 1970
        PRIMARY KEY (guest, game, seat)
    ) WITHOUT ROWID;
    CREATE INDEX players_of ON played (code);
    ALTER TABLE tables ADD COLUMN hosted REAL NOT NULL DEFAULT 0; -- running hours when its owner was last there
    UPDATE tables SET hosted = seen;
    CREATE TABLE watches (        -- all codes of a table's links for spectators but the first one
        code TEXT PRIMARY KEY,
        table_code TEXT NOT NULL, -- the original code
        number INTEGER NOT NULL,  -- the current link has the highest
        UNIQUE (table_code, number)
    ) WITHOUT ROWID;
    """,
    13: """
    ALTER TABLE life ADD COLUMN vapid TEXT NOT NULL DEFAULT '';  -- the private key that signs messages to push services
    CREATE TABLE turns (          -- what the tables that play by turns wait for
        code TEXT PRIMARY KEY,
        number INTEGER NOT NULL,  -- of the log's entry with which the turn began
        guest TEXT NOT NULL,      -- whose turn it is, or '' if the table goes on by itself
        since INTEGER NOT NULL,   -- running hours when it began
        hours INTEGER NOT NULL,   -- how long it may last
        reminded INTEGER NOT NULL DEFAULT 0 -- 1 once half of them are over
    ) WITHOUT ROWID;
    CREATE TABLE ways (           -- how guests are told that it is their turn
        way TEXT PRIMARY KEY,     -- the address of a device at a push service, or a random name
        kind TEXT NOT NULL,       -- push, or the name of the channel
        guest TEXT NOT NULL,
        device TEXT NOT NULL,     -- the hash of the token of the device that asked for it
        keys TEXT NOT NULL,       -- JSON: the public key and the secret of a push subscription, or the address
        base TEXT NOT NULL,       -- the address of this server as the guest knows it
        language TEXT NOT NULL,
        since REAL NOT NULL,      -- seconds since 1970
        zone TEXT NOT NULL,       -- the time zone of the quiet hours, such as Europe/Paris
        quiet_from INTEGER NOT NULL,  -- hours of the day; the same ones mean that there are none
        quiet_until INTEGER NOT NULL,
        day INTEGER NOT NULL DEFAULT 0, -- the day of the latest message, in days since 1970 …
        sent INTEGER NOT NULL DEFAULT 0 -- … and the messages of that day
    ) WITHOUT ROWID;
    CREATE INDEX ways_of ON ways (guest);
    CREATE TABLE asked (          -- the latest address in a channel to which a guest let a code be sent
        guest TEXT PRIMARY KEY,
        wish TEXT NOT NULL,       -- JSON: the way that it will be
        digest TEXT NOT NULL,     -- of the code
        since REAL NOT NULL,      -- seconds since 1970
        tries INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;
    CREATE TABLE knocks (         -- who asks to play at a table by turns
        code TEXT NOT NULL,
        guest TEXT NOT NULL,
        number INTEGER NOT NULL,  -- later ones of the table have higher numbers
        name TEXT NOT NULL,
        person TEXT NOT NULL,     -- the guest whose seat they say is theirs, or ''
        since INTEGER NOT NULL,   -- running hours when they knocked, or were refused
        refused INTEGER NOT NULL DEFAULT 0, -- 1 if the host said no
        PRIMARY KEY (code, guest)
    ) WITHOUT ROWID;
    CREATE INDEX knocks_of ON knocks (guest);
    CREATE TABLE outbox (         -- who is to be told that it is their turn, or that someone knocks or was let in
        way TEXT NOT NULL,
        code TEXT NOT NULL,
        about TEXT NOT NULL DEFAULT 'turn', -- turn or door: a message takes the place of another about the same
        number INTEGER NOT NULL,  -- of the turn, as in turns, or of the knock
        kind TEXT NOT NULL,       -- turn or reminder, knock or let_in
        sent INTEGER NOT NULL DEFAULT 0, -- 1 when it was sent; the row stays until the guest comes to the table
                                   -- 2 for a reminder to be sent to someone who was told and has not come
        PRIMARY KEY (way, code, about)
    ) WITHOUT ROWID;
    CREATE INDEX outbox_of ON outbox (code);
    CREATE TABLE passkeys (       -- with which people come back
        id TEXT PRIMARY KEY,      -- of the credential, in base64url
        guest TEXT NOT NULL,
        public_key TEXT NOT NULL, -- in base64url
        uses INTEGER NOT NULL,    -- as the authenticator counts them
        name TEXT NOT NULL,
        since REAL NOT NULL       -- seconds since 1970
    ) WITHOUT ROWID;
    CREATE INDEX passkeys_of ON passkeys (guest);
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
