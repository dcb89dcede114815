"""Defines `mulligan admin`: commands for a running server."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from .common import app, say, sentences, usage
from .help_pages import Command
from .spoken import Group

if TYPE_CHECKING:
    from mulligan.server.admin import Answer, Request

admin = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Look after a running server: tables, bans and announcements.",
)
app.add_typer(admin, name="admin")

DATA = typer.Option(help="Folder of the server's games, instead of the default.")
Data = Annotated[Path | None, DATA]
Code = Annotated[str, typer.Argument(metavar="TABLE", help="The table's code, as in the log or in its link.")]
Kind = TypeVar("Kind", bound="Answer")


def ask(request: "Request", data: Path | None, kind: type[Kind]) -> Kind:
    """Returns the server's answer, or ends with a sentence."""
    from mulligan.folders import data_folder
    from mulligan.server import admin as door

    with sentences():
        answer = door.ask(data or data_folder(), request)
        if isinstance(answer, kind):
            return answer
    usage("The server is of another version; use the command of its installation.")


def do(request: "Request", data: Path | None) -> None:
    from mulligan.server.admin import Done

    say(ask(request, data, Done).text)


@admin.command(cls=Command)
def status(data: Data = None) -> None:
    """Show how many tables and people there are."""
    from mulligan.server.admin import GetStatus, Status

    now = ask(GetStatus(), data, Status)
    say(f"Mulligan {now.version}, running for {span(now.seconds)}; {'well' if now.is_well else 'cannot write'}")
    say(f"Tables: {now.tables:,} in memory ({now.matches:,} with a match), {now.kept:,} on disk")
    say(f"Connected: {now.people:,} players, {now.spectators:,} spectators")
    say(f"Bans: {now.bans:,}")
    say(f"Announcement: {now.announcement or 'none'}")


@admin.command("list", cls=Command)
def list_tables(
    table: Annotated[str, typer.Argument(help="A table's code: lists its seats instead.")] = "", data: Data = None
) -> None:
    """List the tables in memory, or the seats of one."""
    if table:
        list_seats(table, data)
        return
    from mulligan.server.admin import GetTables, Tables

    tables = ask(GetTables(), data, Tables).tables
    if not tables:
        say("No table is in memory.")
        return
    rows = [("table", "game", "phase", "hole", "people", "spectators", "opened")]
    for line in tables:
        age = f"{span(time.time() - line.opened)} ago" if line.opened else "?"
        people = f"{line.people} of {line.seats}"
        rows.append((line.table, line.game, line.phase, str(line.hole or "–"), people, str(line.spectators), age))
    columns(rows)


def list_seats(table: str, data: Path | None) -> None:
    from mulligan.server.admin import GetSeats, Seats

    seats = ask(GetSeats(table), data, Seats).seats
    rows = [("seat", "player", "name", "here")]
    for number, seat in enumerate(seats, 1):
        player = "owner" if seat.is_owner else seat.kind
        rows.append((str(number), player, seat.name, "yes" if seat.is_present and seat.kind == "person" else "–"))
    columns(rows)


@admin.command(cls=Command)
def close(table: Code, data: Data = None) -> None:
    """Give up the match of a table and send everyone away.

    The table remains: who has its link can come back."""
    from mulligan.server.admin import CloseTable

    do(CloseTable(table), data)


@admin.command(cls=Command)
def delete(
    table: Code,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")] = False,
    data: Data = None,
) -> None:
    """Delete a table, its log and its finished matches for good."""
    from mulligan.server.admin import DeleteTable

    if not yes and not typer.confirm(f"Delete table {table} for good?"):
        say("Nothing was deleted.")
        raise typer.Exit
    do(DeleteTable(table), data)


@admin.command(cls=Command)
def ban(
    table: Code,
    seat: Annotated[int, typer.Argument(min=1, help="The number of the seat, as `mulligan admin list TABLE` shows.")],
    reason: Annotated[str, typer.Option(help="Why, for your own list.")] = "",
    data: Data = None,
) -> None:
    """Ban the guest of a seat from this server.

    They lose their seats, and can neither connect nor open tables. A guest who deletes their cookies
    is a new guest.
    """
    from mulligan.server.admin import BanSeat

    do(BanSeat(table, seat, reason), data)


@admin.command(cls=Command)
def bans(data: Data = None) -> None:
    """List the banned guests."""
    from mulligan.server.admin import Bans, GetBans

    banned = ask(GetBans(), data, Bans).bans
    if not banned:
        say("Nobody is banned.")
        return
    rows = [("guest", "since", "reason")]
    for one in banned:
        rows.append((one.guest[:8], time.strftime("%Y-%m-%d %H:%M", time.localtime(one.since)), one.reason))
    columns(rows)


@admin.command(cls=Command)
def unban(
    guest: Annotated[str, typer.Argument(help="The guest, as `mulligan admin bans` shows.")], data: Data = None
) -> None:
    """Let a banned guest take part again."""
    from mulligan.server.admin import Unban

    do(Unban(guest), data)


@admin.command(cls=Command)
def push_key(data: Data = None) -> None:
    """Renew the key that signs push messages, if others may know it; devices subscribe again at their next visit."""
    from mulligan.server.admin import RenewPushKey

    do(RenewPushKey(), data)


@admin.command(cls=Command)
def announce(
    text: Annotated[str, typer.Argument(help="What to say; without a text, the present one is withdrawn.")] = "",
    data: Data = None,
) -> None:
    """Show a text to everyone connected, until it is withdrawn."""
    from mulligan.server.admin import Announce

    do(Announce(text), data)


def columns(rows: Sequence[tuple[str, ...]]) -> None:
    """Prints rows under each other; the first one is the heading."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        say("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def span(seconds: float) -> str:
    """Returns a duration in its two largest units."""
    minutes = int(seconds // 60)
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"
