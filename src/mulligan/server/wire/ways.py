"""HTTP: how guests want to be told that it is their turn; and what a device is told."""

from typing import Literal

from .base import Thing

WAY_LENGTH = 1000  # characters in the address of a device at a push service, or of a guest in a channel


class PushWish(Thing):
    """A push subscription of the asking device, as its browser describes it; it replaces the device's earlier one."""

    endpoint: str
    p256dh: str  # base64url
    auth: str  # base64url
    language: str = "en"  # of the messages
    zone: str = "UTC"  # of the quiet hours, such as Europe/Paris
    quiet_from: int = 22  # hours of the day; the same ones mean that there are none
    quiet_until: int = 8


class ChannelWish(Thing):
    """An address in one of the operator's channels, to which a code is sent first."""

    channel: str
    address: str
    language: str = "en"
    zone: str = "UTC"
    quiet_from: int = 22
    quiet_until: int = 8


class ChannelCode(Thing):
    """The code that came there: the address is the guest's."""

    channel: str
    address: str
    code: str


class WayNote(Thing):
    id: str
    kind: str  # push, or the name of a channel
    name: str  # of the device, or the address
    here: bool  # it is this device
    quiet_from: int
    quiet_until: int


class Ways(Thing):
    """The guest's ways, and those that this server offers."""

    key: str  # the public key for a push subscription, in base64url; "" if this server cannot push
    channels: list[str]  # their names
    ways: list[WayNote]  # the earliest first


class Letter(Thing):
    """What a push message holds, as JSON. A message with the number of an earlier one says nothing new."""

    table: str  # the spectators' code, which stays
    link: str  # the code in the players' link
    game: str
    number: int  # of the event with which the turn began, or of the knock
    kind: Literal["turn", "reminder", "knock", "let_in"]  # the last two: someone asks to play; I may play
    title: str  # in the language of the way
    body: str
