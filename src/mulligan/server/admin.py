"""Manages a running server from the command line, through a socket file in its data folder.

One connection carries one request and one answer, each as a line of JSON. Only the user who runs the server (and root)
may open the file.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec

from mulligan.server.log import log, reason

HAS_SOCKETS = hasattr(socket, "AF_UNIX")  # Windows has no socket files
FILE = "admin.sock"
LONGEST = 10_000  # bytes in a request
PATIENCE = 30.0  # seconds for an answer
TEXT_LENGTH = 200  # characters in an announcement, or in the reason for a ban


class AdminError(OSError):
    """The reason why a server cannot be managed, in one sentence."""


class Note(msgspec.Struct, tag_field="is", tag=True):
    """A request or an answer; the field `is` contains the name of its struct."""


# Requests. `table` is a spectators' code as in the log, or a players' code.


class GetStatus(Note):
    """How the server is."""


class GetTables(Note):
    """The tables in memory."""


class GetSeats(Note):
    """Who sits at a table."""

    table: str


class CloseTable(Note):
    """Gives up the match of a table and sends everyone away."""

    table: str


class DeleteTable(Note):
    """Deletes a table with its log and its finished matches."""

    table: str


class BanSeat(Note):
    """Bans the guest of a seat; seats count from 1."""

    table: str
    seat: int
    reason: str = ""


class GetBans(Note):
    """The bans."""


class Unban(Note):
    """Lifts the ban of a guest, given the beginning of the guest's hash."""

    guest: str


class RenewPushKey(Note):
    """Replaces the key that signs messages to push services, and deletes all push subscriptions."""


class Announce(Note):
    """Shows a text to everyone who is or comes to a table; an empty text withdraws it."""

    text: str


Request = (
    GetStatus | GetTables | GetSeats | CloseTable | DeleteTable | BanSeat | GetBans | Unban | RenewPushKey | Announce
)


# Answers


class Done(Note):
    """What was done, in a sentence."""

    text: str


class Failed(Note):
    """Why nothing was done, in a sentence."""

    text: str


class Status(Note):
    version: str
    seconds: float  # since the start
    is_well: bool  # the last write succeeded
    tables: int  # in memory
    kept: int  # tables on disk
    matches: int  # being played
    people: int  # connected, with a seat
    spectators: int
    bans: int
    announcement: str


class TableLine(msgspec.Struct):
    """A table in memory."""

    table: str  # the spectators' code
    game: str
    phase: str
    hole: int
    people: int  # connected, with a seat
    seats: int
    spectators: int
    opened: float  # seconds since 1970; 0 if unknown


class Tables(Note):
    tables: list[TableLine]


class SeatLine(msgspec.Struct):
    name: str
    kind: str
    is_present: bool
    is_owner: bool


class Seats(Note):
    table: str
    seats: list[SeatLine]


class Ban(msgspec.Struct):
    """A banned guest; `guest` is the hash of their token."""

    guest: str
    since: float  # seconds since 1970
    reason: str


class Bans(Note):
    bans: list[Ban]


Answer = Done | Failed | Status | Tables | Seats | Bans

write = msgspec.json.Encoder().encode
read_request = msgspec.json.Decoder(Request).decode
read_answer = msgspec.json.Decoder(Answer).decode


# The server's side


@asynccontextmanager
async def manageable(folder: Path, answer: Callable[[Request], Awaitable[Answer]]) -> AsyncIterator[None]:
    """Answers requests until the end of the block. If that is impossible, the log says why, and games go on."""
    if not HAS_SOCKETS:
        yield
        return
    file = folder / FILE
    try:
        listening = listen(file)
    except OSError as error:
        log.warning("admin_failed", why=reason(error))
        yield
        return
    server = await asyncio.start_unix_server(partial(converse, answer), sock=listening, limit=LONGEST)
    try:
        yield
    finally:
        server.close()
        file.unlink(missing_ok=True)


def listen(file: Path) -> socket.socket:
    """Creates the socket file. Raises AdminError, and OSError if the folder allows no such file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if is_answered(file):
            raise AdminError(f"Another server answers at {file}.")
        file.unlink(missing_ok=True)  # of a server that was killed
        mask = os.umask(0o177)
        try:
            listening.bind(os.fspath(file))
        finally:
            os.umask(mask)
    except BaseException:
        listening.close()
        raise
    return listening


def is_answered(file: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        try:
            caller.connect(os.fspath(file))
        except OSError:
            return False
        return True


async def converse(
    answer: Callable[[Request], Awaitable[Answer]], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answers one request."""
    try:
        request = read_request(await reader.readline())
        reply = await answer(request)
    except (ValueError, msgspec.MsgspecError):  # too long, or of another version
        reply = Failed("The server does not know this command; it may be of another version.")
    except Exception as error:
        log.error("admin_failed", exc_info=error)
        reply = Failed("The server could not do this; its log says why.")
    try:
        writer.write(write(reply) + b"\n")
        await writer.drain()
        writer.close()
    except OSError:  # the command was stopped
        pass


# The command's side


def ask(folder: Path, request: Request) -> Answer:
    """Returns the answer of the server that uses a folder. Raises AdminError."""
    if not HAS_SOCKETS:
        raise AdminError("A server on Windows cannot be managed while it runs.")
    file = folder / FILE
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        caller.settimeout(PATIENCE)
        try:
            caller.connect(os.fspath(file))
            caller.sendall(write(request) + b"\n")
            with caller.makefile("rb") as lines:
                line = lines.readline()
        except PermissionError:
            raise AdminError(f"Only the user who runs the server may use {file}; use sudo.") from None
        except TimeoutError:
            raise AdminError(f"The server did not answer within {PATIENCE:.0f} seconds.") from None
        except (OSError, ValueError) as error:
            if isinstance(error, FileNotFoundError | ConnectionError | NotADirectoryError):
                raise AdminError(f"No server uses {folder}; give its folder with --data.") from None
            raise AdminError(f"{file} cannot be used ({error}).") from None
    try:
        answer = read_answer(line)
    except msgspec.MsgspecError:
        raise AdminError("The server ended before it answered, or is of another version.") from None
    if isinstance(answer, Failed):
        raise AdminError(answer.text)
    return answer
