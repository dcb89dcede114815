"""The people in the database: their devices and come-back words, their tables, and the matches they played.

A person is the guest they were on their first device, so tables and rights know guests alone.
"""

from typing import NamedTuple

from .shared_sql import Store
from .ways import end, follow
from .writer import Work, Written

SIT = "INSERT INTO sittings (guest, code) VALUES (?, ?) ON CONFLICT DO NOTHING"
RISE = "DELETE FROM sittings WHERE guest = ? AND code = ?"
PLAY = "INSERT INTO played (guest, code, game, seat, ended) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
HAND_ON = "UPDATE played SET guest = ? WHERE guest = ? AND code = ?"
TAKE_TURN = "UPDATE turns SET guest = ? WHERE guest = ? AND code = ?"
KEEP = """INSERT INTO persons (guest, since, words) VALUES (?, ?, ?)
    ON CONFLICT (guest) DO UPDATE SET words = excluded.words"""
ADD_DEVICE = """INSERT INTO devices (device, guest, name, since, seen) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (device) DO UPDATE SET guest = excluded.guest, name = excluded.name, since = excluded.since"""
BECOME = "INSERT INTO persons (guest, since, words) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
NO_WORDS = "none of {}"  # in place of a digest: no words have it
ADD_PASSKEY = """INSERT INTO passkeys (id, guest, public_key, uses, name, since) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING"""
USE_PASSKEY = "UPDATE passkeys SET uses = ? WHERE id = ?"
REMOVE_PASSKEY = "DELETE FROM passkeys WHERE id = ? AND guest = ?"
REMOVE_DEVICE = "DELETE FROM devices WHERE device = ?"
SEE = "UPDATE devices SET seen = ? WHERE device = ?"
OF_GUESTS = ("asked", "persons", "devices", "passkeys", "sittings", "played", "knocks")
FORGET = (
    *(f"DELETE FROM {name} WHERE guest = ?" for name in OF_GUESTS),
    "UPDATE turns SET guest = '' WHERE guest = ?",
)
SALT = "UPDATE life SET salt = ? WHERE salt = ''"
NOT_NOTED = """SELECT code FROM tables WHERE NOT EXISTS
    (SELECT 1 FROM sittings WHERE sittings.code = tables.code) ORDER BY code"""


class Device(NamedTuple):
    """A device of a person: the hash of its token, a name for it, and times in seconds since 1970."""

    device: str
    guest: str  # whom it stands for
    name: str
    since: float
    seen: float  # to the day


class Passkey(NamedTuple):
    """A passkey of a person: `id` and `public_key` in base64url, `since` in seconds since 1970."""

    id: str  # of the credential
    guest: str  # whose it is
    public_key: str
    uses: int  # as the authenticator counts them; 0 if it does not
    name: str
    since: float


class Played(NamedTuple):
    """A finished match of a guest."""

    code: str  # of the table
    game: str  # its id
    seat: int
    ended: float  # seconds since 1970


# What is written together with a table's log


def sits(guest: str, code: str) -> Work:
    return [(SIT, (guest, code))]


def moves(guest: str, to: str, code: str) -> Work:
    """All that a guest has at a table goes to another one."""
    return [(RISE, (guest, code)), (SIT, (to, code)), (HAND_ON, (to, guest, code)), (TAKE_TURN, (to, guest, code))]


def plays(guest: str, match: Played) -> Work:
    return [(PLAY, (guest, *match))]


class People:
    """Reads and writes people. Every method that reads raises StoreError."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # Persons and devices

    def choose_salt(self, salt: str) -> Written:
        """Sets the salt of all come-back words, unless there is one."""
        return self.store.put([(SALT, (salt,))])

    def salt(self) -> str:
        """Returns the salt of all come-back words, or "" before the first ones."""
        with self.store.reading() as connection:
            return str(connection.execute("SELECT salt FROM life").fetchone()[0])

    def keep(self, words: str, device: Device) -> Written:
        """Makes a guest a person with come-back words, which replace earlier ones, and notes their device."""
        return self.store.put([(KEEP, (device.guest, device.since, words)), (ADD_DEVICE, device)])

    def person_of(self, words: str) -> str | None:
        """Returns the person with these come-back words."""
        with self.store.reading() as connection:
            row = connection.execute("SELECT guest FROM persons WHERE words = ?", (words,)).fetchone()
            return row[0] if row else None

    def since(self, guest: str) -> float | None:
        """Returns since when a guest is a person, in seconds since 1970; None if they are none."""
        with self.store.reading() as connection:
            row = connection.execute("SELECT since FROM persons WHERE guest = ?", (guest,)).fetchone()
            return row[0] if row else None

    def add_device(self, device: Device) -> Written:
        return self.store.put([(ADD_DEVICE, device), *follow(device.device, device.guest)])

    def remove_device(self, device: str) -> Written:
        return self.store.put([(REMOVE_DEVICE, (device,))])

    def see(self, device: str, now: float) -> Written:
        """Notes when a device was last here."""
        return self.store.put([(SEE, (now, device))])

    def devices(self) -> list[Device]:
        """Returns the devices of all persons."""
        with self.store.reading() as connection:
            rows = connection.execute("SELECT device, guest, name, since, seen FROM devices ORDER BY since, device")
            return [Device(*row) for row in rows.fetchall()]

    def guest_of(self, device: str) -> str | None:
        """Returns the guest for whom a device stands, or None if it stands for itself."""
        with self.store.reading() as connection:
            row = connection.execute("SELECT guest FROM devices WHERE device = ?", (device,)).fetchone()
            return row[0] if row else None

    # Passkeys

    def add_passkey(self, passkey: Passkey, device: Device | None) -> Written:
        """Makes a guest a person with a passkey, on this device if it is new."""
        person = (passkey.guest, passkey.since, NO_WORDS.format(passkey.guest))
        return self.store.put([(BECOME, person), (ADD_PASSKEY, passkey), *([(ADD_DEVICE, device)] if device else [])])

    def use_passkey(self, passkey: Passkey) -> Written:
        """Keeps how often a passkey has been used."""
        return self.store.put([(USE_PASSKEY, (passkey.uses, passkey.id))])

    def remove_passkey(self, passkey: Passkey) -> Written:
        return self.store.put([(REMOVE_PASSKEY, (passkey.id, passkey.guest))])

    def passkey(self, credential: str) -> Passkey | None:
        """Returns the passkey with the id of a credential."""
        with self.store.reading() as connection:
            question = "SELECT id, guest, public_key, uses, name, since FROM passkeys WHERE id = ?"
            row = connection.execute(question, (credential,)).fetchone()
            return Passkey(*row) if row else None

    def passkeys_of(self, guest: str) -> list[Passkey]:
        """Returns the passkeys of a guest, the earliest first."""
        with self.store.reading() as connection:
            question = """SELECT id, guest, public_key, uses, name, since FROM passkeys
                WHERE guest = ? ORDER BY since, id"""
            return [Passkey(*row) for row in connection.execute(question, (guest,)).fetchall()]

    # Tables and matches

    def tables_of(self, guest: str) -> list[str]:
        """Returns the codes of a guest's tables, the latest used first."""
        with self.store.reading() as connection:
            question = """SELECT code FROM sittings JOIN tables USING (code)
                WHERE guest = ? ORDER BY tables.seen DESC, opened DESC, code"""
            return [code for (code,) in connection.execute(question, (guest,)).fetchall()]

    def played_by(self, guest: str) -> list[Played]:
        """Returns the finished matches of a guest, the latest first."""
        with self.store.reading() as connection:
            question = "SELECT code, game, seat, ended FROM played WHERE guest = ? ORDER BY ended DESC, game, seat"
            return [Played(*row) for row in connection.execute(question, (guest,)).fetchall()]

    def not_noted(self) -> list[str]:
        """Returns the codes of the tables of which nobody has noted who sat there: those of older versions."""
        with self.store.reading() as connection:
            return [code for (code,) in connection.execute(NOT_NOTED).fetchall()]


def forget(guest: str) -> Work:
    """Returns what deletes everything about a guest but the logs."""
    return [*end("guest = ?", guest), *((statement, (guest,)) for statement in FORGET)]
