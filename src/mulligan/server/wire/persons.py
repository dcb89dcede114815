"""HTTP: who keeps their place, on which devices, and what the server holds of them."""

from .base import Thing

DEVICE_LENGTH = 40  # characters in the name of a device


class KeepPlace(Thing):
    """A wish for come-back words; the guest's earlier ones end."""

    language: str = ""  # of the words
    device: str = ""  # a name for this device


class ComeBackWords(Thing):
    """The words, which are shown once: the server keeps only a digest."""

    words: list[str]


class ComeBack(Thing):
    words: str  # as typed, in any language
    device: str = ""


class DeviceNote(Thing):
    id: str
    name: str
    since: float  # seconds since 1970
    seen: float  # the same, to the day
    here: bool  # it is this one


class PasskeyNote(Thing):
    id: str
    name: str
    since: float  # seconds since 1970


class PasskeyWish(Thing):
    name: str = ""  # for the passkey, such as that of the device


class PasskeyQuestion(Thing):
    """What the page asks its browser: the options of WebAuthn, as JSON."""

    options: str


class PasskeyMade(Thing):
    """The browser's answer to the question for a new passkey."""

    credential: str  # JSON
    name: str = ""


class PasskeyUsed(Thing):
    """The browser's answer to the question for any passkey."""

    credential: str  # JSON
    device: str = ""  # a name for this device


class Me(Thing):
    """A guest, as the server knows them."""

    since: float | None  # since when they keep their place, in seconds since 1970; null if they do not
    devices: list[DeviceNote]  # the earliest first
    passkeys: list[PasskeyNote]  # the earliest first
    offers_passkeys: bool  # this server can, at the address of this page
    keep_days: int  # after so many days without a visit, a table is deleted with its matches


class MyTable(Thing):
    """A table of mine, and what it waits for."""

    table: str  # the code of its current link
    watch: str
    game: str
    names: list[str]
    hole: int  # 0 before the first
    length: int
    started: bool
    over: bool
    turn: str  # whose turn it is, or ""
    mine: bool  # it is my turn
    left: int | None = None  # hours that remain for this turn, rounded up; null where it has no such limit
    knocks: int = 0  # if I am its host: how many ask to play


class MyMatch(Thing):
    """A finished match of mine, which opens at /g/{game}."""

    game: str
    seat: int
    ended: float  # seconds since 1970
