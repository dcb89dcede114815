"""How guests are told that it is their turn or that someone knocks, and the outbox of these messages.

A row of the outbox is written in the transaction of the move with which a turn begins, and stays, marked as sent, until
the guest comes to the table: so nothing is lost by a kill, and nobody is told twice about what they have not looked at.
"""

from typing import Literal, NamedTuple

from .knocks import KNOCK_HOURS, knock_ends
from .shared_sql import HOURS, Store
from .writer import Work, Written

Kind = Literal["turn", "reminder", "knock", "let_in"]  # of a message


class Way(NamedTuple):
    """How a guest is told."""

    way: str  # the address of a device at a push service, or a random name
    kind: str  # push, or the name of a channel
    guest: str
    device: str  # that asked for it, by the hash of its token
    keys: str  # JSON: the public key and the secret of a push subscription, or the address in a channel
    base: str  # the address of this server as the guest knows it
    language: str
    since: float  # seconds since 1970
    zone: str  # of the quiet hours, such as Europe/Paris
    quiet_from: int  # hours of the day; the same ones mean that there are none
    quiet_until: int
    day: int = 0  # of the latest message, in days since 1970 …
    sent: int = 0  # … and the messages of that day


class Due(NamedTuple):
    """A message that was not sent yet, about a turn that goes on, someone who knocks, or one who was let in."""

    code: str  # of the table
    number: int  # of the log's entry with which the turn began, or of the knock
    kind: Kind
    hours: int  # for which it is of use
    way: Way


class Asked(NamedTuple):
    """An address in a channel to which a guest let a code be sent."""

    guest: str
    wish: str  # JSON: the way that it will be
    digest: str  # of the code
    since: float  # seconds since 1970
    tries: int = 0


FIELDS = Way._fields
KEPT = ("way", "since", "day", "sent")  # what a way keeps when it is wished again
STANDS = "outbox.about = 'turn' AND turns.code = outbox.code AND turns.number = outbox.number"
IS_ASKED = "EXISTS (SELECT 1 FROM knocks WHERE knocks.code = outbox.code AND refused = 0)"
TELL = """INSERT INTO outbox (way, code, number, kind, sent) SELECT way, ?, ?, ?, 0 FROM ways WHERE guest = ?
    ON CONFLICT (way, code, about) DO UPDATE SET number = excluded.number, kind = excluded.kind"""
TELL_UNLESS_SENT = f"{TELL} WHERE outbox.sent = 0"  # who has not come since the last message needs no other
REMIND = f"{TELL}, sent = CASE outbox.sent WHEN 0 THEN 0 ELSE 2 END"
COME = "DELETE FROM outbox WHERE code = ? AND way IN (SELECT way FROM ways WHERE guest = ?)"
# A host who has refused someone is told of nobody for a while: else one person could make it sound again and again.
TELL_HOST = """INSERT INTO outbox (way, code, about, number, kind, sent)
    SELECT way, code, 'door', max(number), 'knock', 0 FROM ways JOIN knocks ON knocks.code = ? WHERE ways.guest = ?
    GROUP BY way, code HAVING max(refused) = 0 ON CONFLICT (way, code, about)
    DO UPDATE SET number = excluded.number, kind = excluded.kind, sent = 0 WHERE outbox.sent = 0"""
NO_HOST = "DELETE FROM outbox WHERE code = ? AND kind = 'knock'"
LET_IN = """INSERT INTO outbox (way, code, about, number, kind, sent) SELECT way, code, 'door', number, 'let_in', 0
    FROM ways JOIN knocks ON knocks.guest = ways.guest WHERE code = ? AND knocks.guest = ?
    ON CONFLICT (way, code, about) DO UPDATE SET number = excluded.number, kind = excluded.kind, sent = 0"""
DROP, LEAVE = "DELETE FROM outbox WHERE sent = 0 AND", "UPDATE outbox SET sent = 1 WHERE sent = 2 AND"
LAPSED = f"""kind <> 'let_in' AND NOT (kind = 'knock' AND {IS_ASKED})
    AND NOT EXISTS (SELECT 1 FROM turns WHERE {STANDS})"""
DUE = f"""SELECT outbox.code, outbox.number, outbox.kind, coalesce(turns.since + turns.hours - {HOURS}, {KNOCK_HOURS}),
    {", ".join(f"ways.{name}" for name in FIELDS)} FROM outbox JOIN ways ON ways.way = outbox.way
    LEFT JOIN turns ON {STANDS} AND turns.guest = ways.guest WHERE outbox.sent <> 1
    AND (turns.code IS NOT NULL OR outbox.kind = 'let_in' OR (outbox.kind = 'knock' AND {IS_ASKED}))"""
STILL_DUE = f"{DUE} AND outbox.way = ? AND outbox.code = ? AND outbox.number = ? AND outbox.kind = ?"
MARK = "UPDATE outbox SET sent = 1 WHERE way = ? AND code = ? AND number = ? AND kind = ?"
COUNT = "UPDATE ways SET sent = CASE WHEN day = ? THEN sent + 1 ELSE 1 END, day = ? WHERE way = ?"
ADD = f"""INSERT INTO ways ({", ".join(FIELDS)}) SELECT {", ".join("?" * len(FIELDS))}
    WHERE (SELECT count(*) FROM ways WHERE guest = ? AND way <> ?) < ? ON CONFLICT (way) DO UPDATE SET
    {", ".join(f"{name} = excluded.{name}" for name in FIELDS if name not in KEPT)}"""
FOLLOW = "UPDATE ways SET guest = ? WHERE device = ?"
EARLIER = "device = ? AND kind = 'push' AND way <> ?"  # a browser has one subscription
TAKE_ALONG = f"""INSERT INTO outbox (way, code, about, number, kind, sent)
    SELECT ?, code, about, number, kind, sent FROM outbox
    WHERE way IN (SELECT way FROM ways WHERE {EARLIER}) ON CONFLICT DO NOTHING"""
FORGET_OTHERS = "DELETE FROM outbox WHERE way = ? AND way NOT IN (SELECT way FROM ways WHERE guest = ?)"
WITHOUT_TABLES = """since < ? AND NOT EXISTS (SELECT 1 FROM sittings WHERE sittings.guest = ways.guest)
    AND NOT EXISTS (SELECT 1 FROM knocks WHERE knocks.guest = ways.guest)"""
CHOOSE_KEY = "UPDATE life SET vapid = ? WHERE vapid = ''"
RENEW_KEY = "UPDATE life SET vapid = ?"
ASK = """INSERT INTO asked (guest, wish, digest, since, tries) VALUES (?, ?, ?, ?, ?) ON CONFLICT (guest)
    DO UPDATE SET wish = excluded.wish, digest = excluded.digest, since = excluded.since, tries = excluded.tries"""
TRY = "UPDATE asked SET tries = tries + 1 WHERE guest = ?"
FORGET_ASKED = "DELETE FROM asked WHERE guest = ?"
FORGET_OLD = "DELETE FROM asked WHERE since < ?"


# What is written together with a table's log


def tells(code: str, guest: str, number: int, kind: Kind = "turn") -> Work:
    """The guest is to be told, in all their ways, of the turn at a table that began with the log's entry `number`."""
    return [(REMIND if kind == "reminder" else TELL_UNLESS_SENT, (code, number, kind, guest))]


def comes(code: str, guest: str) -> Work:
    """The guest is at the table: there is nothing to tell them, and the next turn is new to them."""
    return [(COME, (code, guest))]


def passes(code: str) -> Work:
    """The turn at a table is over: who was not told of it yet need not be told, nor reminded."""
    return [(f"{DROP} about = 'turn' AND code = ?", (code,)), (f"{LEAVE} code = ?", (code,))]


def tells_host(code: str, owner: str) -> Work:
    """The owner is to be told of those who knock, unless they were told and have not come since."""
    return [(TELL_HOST, (code, owner))]


def has_other_host(code: str, owner: str) -> Work:
    return [(NO_HOST, (code,)), *tells_host(code, owner)]


def lets_in(code: str, guest: str) -> Work:
    """A guest has a seat: if they knocked for it, they are to be told, and knock no more."""
    return [(LET_IN, (code, guest)), *knock_ends(code, guest)]


# What is written together with a device or a person


def follow(device: str, guest: str) -> Work:
    """The ways of a device are those of the guest for whom it stands."""
    return [(FOLLOW, (guest, device))]


def end_of_device(device: str) -> Work:
    return end("device = ?", device)


def end(which: str, *values: str | float) -> Work:
    """Returns what deletes the ways that meet a condition, with their messages."""
    return [
        (f"DELETE FROM outbox WHERE way IN (SELECT way FROM ways WHERE {which})", values),
        (f"DELETE FROM ways WHERE {which}", values),
    ]


class StoredWays:
    """Reads and writes ways and the outbox. Every method that reads raises StoreError."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # Ways

    def of(self, guest: str) -> list[Way]:
        """Returns the ways of a guest, the earliest first."""
        with self.store.reading() as connection:
            question = f"SELECT {', '.join(FIELDS)} FROM ways WHERE guest = ? ORDER BY since, way"
            return [Way(*row) for row in connection.execute(question, (guest,)).fetchall()]

    def add(self, way: Way, most: int) -> Written:
        """Adds or changes a way, unless its guest has `most` others; a device has one push subscription."""
        work: Work = [(ADD, (*way, way.guest, way.way, most)), (FORGET_OTHERS, (way.way, way.guest))]
        if way.kind == "push":
            work = [
                (FORGET_OTHERS, (way.way, way.guest)),
                (TAKE_ALONG, (way.way, way.device, way.way)),
                *end(EARLIER, way.device, way.way),
                *work[:1],
            ]
        return self.store.put(work)

    def remove(self, way: str) -> Written:
        return self.store.put(end("way = ?", way))

    def forget_old(self, way_before: float, asked_before: float) -> Written:
        """Deletes the ways of guests without a table, and unanswered codes, from before these times."""
        return self.store.put([*end(WITHOUT_TABLES, way_before), (FORGET_OLD, (asked_before,))])

    # The key with which messages to push services are signed

    def key(self) -> str:
        """Returns the private key, or "" before the first use."""
        with self.store.reading() as connection:
            return str(connection.execute("SELECT vapid FROM life").fetchone()[0])

    def choose_key(self, key: str) -> Written:
        """Sets the private key, unless there is one."""
        return self.store.put([(CHOOSE_KEY, (key,))])

    def renew_key(self, key: str) -> Written:
        """Replaces the private key, and deletes all push subscriptions, which are bound to it."""
        return self.store.put([(RENEW_KEY, (key,)), *end("kind = ?", "push")])

    # Codes sent to addresses

    def ask(self, asked: Asked) -> Written:
        """Notes a code sent to an address, in place of the guest's earlier one."""
        return self.store.put([(ASK, asked)])

    def count_try(self, guest: str) -> Written:
        return self.store.put([(TRY, (guest,))])

    def asked(self, guest: str) -> Asked | None:
        with self.store.reading() as connection:
            question = "SELECT guest, wish, digest, since, tries FROM asked WHERE guest = ?"
            row = connection.execute(question, (guest,)).fetchone()
            return Asked(*row) if row else None

    def forget_asked(self, guest: str) -> Written:
        return self.store.put([(FORGET_ASKED, (guest,))])

    # The outbox

    def due(self) -> list[Due]:
        """Returns the messages that were not sent yet."""
        with self.store.reading() as connection:
            rows = connection.execute(DUE).fetchall()
            return [Due(code, number, kind, hours, Way(*way)) for code, number, kind, hours, *way in rows]

    def is_due(self, due: Due) -> bool:
        """True if a message is still to be sent."""
        with self.store.reading() as connection:
            return connection.execute(STILL_DUE, key_of(due)).fetchone() is not None

    def mark(self, due: Due, day: int = 0) -> Written:
        """Marks a message as sent, and counts it among those of a day unless it was given up."""
        counted: Work = [(COUNT, (day, day, due.way.way))] if day else []
        return self.store.put([(MARK, key_of(due)), *counted])

    def drop_lapsed(self) -> Written:
        """Deletes the messages about turns that are over, and about knocks where nobody knocks."""
        return self.store.put([(f"{DROP} {LAPSED}", ()), (f"{LEAVE} {LAPSED}", ())])


def key_of(due: Due) -> tuple[str, str, int, Kind]:
    return due.way.way, due.code, due.number, due.kind
