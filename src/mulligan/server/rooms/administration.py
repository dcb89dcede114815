"""Does what an operator asks a running server for."""

import asyncio
import time

from mulligan import __version__
from mulligan.server.admin import (
    TEXT_LENGTH,
    Announce,
    Answer,
    Ban,
    Bans,
    BanSeat,
    CloseTable,
    DeleteTable,
    Done,
    Failed,
    GetBans,
    GetSeats,
    GetStatus,
    GetTables,
    RenewPushKey,
    Request,
    SeatLine,
    Seats,
    Status,
    TableLine,
    Tables,
    Unban,
)
from mulligan.server.log import log
from mulligan.server.services import web_push
from mulligan.server.store.errors import StoreError
from mulligan.server.store.ways import StoredWays
from mulligan.server.table.names import tidy
from mulligan.server.table.rights import Refusal
from mulligan.server.table.view import is_present

from .live_table import LiveTable
from .registry import Registry

LEAST_LETTERS = 6  # of a guest's hash
WHY = {
    "table_unreadable": "The log of this table is damaged; it can only be deleted.",
    "server_fault": "The disk cannot be written to at the moment.",
}


class Administration:
    """Carries out an operator's requests."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.started = time.monotonic()

    async def answer(self, request: Request) -> Answer:
        """Carries out one request."""
        try:
            return await self.carry_out(request)
        except LookupError as error:
            return Failed(str(error.args[0]))
        except Refusal as refusal:
            return Failed(WHY.get(refusal.error, f"The server refused ({refusal.error})."))
        except StoreError:
            return Failed("The games cannot be read or written at the moment.")

    async def carry_out(self, request: Request) -> Answer:
        """Carries out one request. Raises LookupError in a sentence, Refusal and StoreError."""
        match request:
            case GetStatus():
                return await self.status()
            case GetTables():
                return await self.tables()
            case GetSeats():
                return seats_of(await self.live(request.table))
            case CloseTable():
                return await self.close(await self.live(request.table))
            case DeleteTable():
                return await self.delete(await self.code_of(request.table))
            case BanSeat():
                return await self.ban(await self.live(request.table), request.seat, request.reason)
            case GetBans():
                return Bans([Ban(*ban) for ban in await asyncio.to_thread(self.registry.bans.read)])
            case Unban():
                return await self.unban(request.guest)
            case RenewPushKey():
                return await self.renew_push_key()
            case Announce():
                return await self.announce(request.text)

    # Looking

    async def status(self) -> Status:
        registry = self.registry
        tables = [line_of(live, 0.0) for live in registry.tables.values()]
        return Status(
            version=__version__,
            seconds=time.monotonic() - self.started,
            is_well=registry.store.is_well,
            tables=len(tables),
            kept=await asyncio.to_thread(registry.store.count_tables),
            matches=sum(line.phase not in ("lobby", "over") for line in tables),
            people=sum(line.people for line in tables),
            spectators=sum(line.spectators for line in tables),
            bans=len(registry.bans),
            announcement=registry.announcement,
        )

    async def tables(self) -> Tables:
        opened = await asyncio.to_thread(self.registry.store.openings)
        lines = [line_of(live, opened.get(live.table.watch, 0.0)) for live in self.registry.tables.values()]
        return Tables(sorted(lines, key=lambda line: (-line.people - line.spectators, line.opened)))

    async def code_of(self, code: str) -> str:
        """Returns a table's original code for a spectators' or players' code. Raises LookupError and Refusal."""
        found = await self.registry.named(code) or await self.registry.found(code)
        if found is None:
            raise LookupError(f"There is no table {code.upper()[:20]}.")
        if await self.registry.is_surely_elsewhere(found):
            raise LookupError(f"Another server process has table {code.upper()}; give that one's folder with --data.")
        return found

    async def live(self, code: str) -> LiveTable:
        """Returns the table with a code. Raises LookupError and Refusal."""
        live = await self.registry.live_table(await self.code_of(code))
        if live is None:
            raise LookupError(f"There is no table {code.upper()[:20]}.")
        return live

    # Acting

    async def close(self, live: LiveTable) -> Done:
        was_playing = live.table.phase not in ("lobby", "over")
        await live.give_up()
        told = live.listeners.send_away("table_closed")
        log.info("table_closed", table=live.table.watch)
        match = "its match is given up" if was_playing else "no match was being played"
        return Done(f"Table {live.table.watch} is closed: {match}, and {told} connected devices were told.")

    async def delete(self, code: str) -> Done:
        registry = self.registry
        watch = await registry.ask(registry.store.watch_of, code) or ""
        if live := registry.tables.get(code):
            async with live.log.lock:
                live.rest()
        await asyncio.wrap_future(registry.store.remove(code))
        registry.metrics.failing.discard(code)
        for gone in filter(None, {live, registry.tables.pop(code, None)}):  # it may have been loaded again
            gone.rest()
            gone.listeners.send_away("table_closed")
        log.info("table_deleted", table=watch)
        return Done(f"Table {watch} is deleted, with its log and its finished matches.")

    async def ban(self, live: LiveTable, number: int, reason: str) -> Done:
        """Bans the guest of a seat and removes them from all tables in memory. Raises LookupError."""
        registry, seats = self.registry, live.table.seats
        if not 1 <= number <= len(seats):
            raise LookupError(f"Table {live.table.watch} has no seat {number}; its seats are 1 to {len(seats)}.")
        seat = seats[number - 1]
        if seat.kind != "person":
            raise LookupError(f"Nobody holds seat {number} of table {live.table.watch}.")
        guest, reason = seat.guest, tidy(reason)[:TEXT_LENGTH]
        await registry.bans.add(guest, registry.clock(), reason)
        await registry.shut_out(guest)
        log.info("guest_banned", table=live.table.watch, seat=number)
        return Done(f"The guest {guest[:8]} of seat {number} at table {live.table.watch} is banned.")

    async def unban(self, guest: str) -> Done:
        """Lifts a ban. Raises LookupError."""
        bans = await asyncio.to_thread(self.registry.bans.read)
        found = [name for name, _, _ in bans if name.startswith(guest.lower())]
        if len(guest) < LEAST_LETTERS or not found:
            raise LookupError(f"No banned guest begins with {guest[:80]}; `mulligan admin bans` lists them.")
        if len(found) > 1:
            raise LookupError(f"{len(found)} banned guests begin with {guest}; give more letters.")
        await self.registry.bans.remove(found[0])
        log.info("ban_lifted")
        return Done(f"The guest {found[0][:8]} may take part again.")

    async def announce(self, text: str) -> Done:
        """Shows a text to everyone who is connected now or later. Raises LookupError, and StoreError."""
        text = tidy(text)
        if len(text) > TEXT_LENGTH:
            raise LookupError(f"The text has {len(text)} characters; {TEXT_LENGTH} are the most.")
        await asyncio.wrap_future(self.registry.store.announce(text))
        told = await self.registry.announce(text)
        if not text:
            log.info("announcement_withdrawn", connections=told)
            return Done("The announcement is withdrawn.")
        log.info("announced", connections=told)
        return Done(f"{told} connected devices show it now; others show it when they connect, until you withdraw it.")

    async def renew_push_key(self) -> Done:
        """Raises LookupError, and StoreError."""
        if not web_push.is_installed():
            raise LookupError("This server has no push messages; pip install '.[people]' brings them.")
        key = await asyncio.to_thread(web_push.new_key)
        await asyncio.wrap_future(StoredWays(self.registry.store).renew_key(key))
        log.info("push_key_renewed")
        return Done("The key is new. Devices subscribe again when their people next open Mulligan there.")


def line_of(live: LiveTable, opened: float) -> TableLine:
    table = live.table
    spectators = live.listeners.watchers
    return TableLine(
        table=table.watch,
        game=table.variant.name,
        phase=table.phase,
        hole=len(table.card) + table.is_playing,
        people=sum(seat.kind == "person" and is_present(seat, live.listeners.present) for seat in table.seats),
        seats=len(table.seats),
        spectators=spectators,
        opened=opened,
    )


def seats_of(live: LiveTable) -> Seats:
    table = live.table
    return Seats(
        table.watch,
        [
            SeatLine(
                name=seat.name,
                kind=seat.kind,
                is_present=is_present(seat, live.listeners.present),
                is_owner=bool(seat.guest) and seat.guest == table.owner,
            )
            for seat in table.seats
        ],
    )
