"""People who keep their place: come-back words, devices, tables and matches, and the end of all that."""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from hashlib import sha256

from mulligan.server.log import log, log_rarely, reason
from mulligan.server.services import come_back_words
from mulligan.server.services.log_parts import latest
from mulligan.server.store.errors import DamagedEntry, StoreError
from mulligan.server.store.knocks import asking, knocks_of
from mulligan.server.store.people import Device, Passkey, Played, forget
from mulligan.server.store.turns import hours_left
from mulligan.server.store.ways import end_of_device
from mulligan.server.store.writer import Work
from mulligan.server.table.erasing import erased, traces
from mulligan.server.table.log_entries import Moved, decode, encode
from mulligan.server.table.names import tidy
from mulligan.server.table.preview import Preview, preview
from mulligan.server.table.rights import Refusal
from mulligan.server.table.seating import leave_for_good
from mulligan.server.wire.everything import MyKnock, MySaying, MyVisit
from mulligan.server.wire.persons import DEVICE_LENGTH

from .live_table import LiveTable
from .people_noted import people_of_log
from .registry import Registry, replay
from .table_log import MOVED

MOST_TABLES = 40  # shown, the latest used first
DAY = 86_400.0


class Persons:
    """What people of a registry may ask about themselves. Whatever reads or writes raises Refusal if that fails."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.devices = registry.devices
        self.people = registry.devices.people

    # Devices

    async def keep_place(self, device: str, guest: str, name: str, language: str) -> list[str]:
        """Makes a guest a person, or gives them new words. Returns the words."""
        with stored():
            now = self.registry.clock()
            numbers = come_back_words.new_numbers(lambda most: int.from_bytes(self.registry.seed()) % most)
            digest = await self.digest(numbers)
            known = Device(device, guest, device_name(name), now, now)
            await asyncio.wrap_future(self.people.keep(digest, known))
            self.devices.known[device] = known
            return come_back_words.written(numbers, language)

    async def digest(self, numbers: list[int]) -> str:
        return await asyncio.to_thread(come_back_words.digest, numbers, await self.salt())

    async def salt(self) -> str:
        """Returns the salt of this database, a secret of its server; the first call makes it."""
        salt = await asyncio.to_thread(self.people.salt)
        if not salt:
            await asyncio.wrap_future(self.people.choose_salt(self.registry.seed()[:16].hex()))
            salt = await asyncio.to_thread(self.people.salt)
        return salt

    async def come_back(self, device: str, name: str, words: str) -> None:
        """Lets a device stand for the person with these words. Raises Refusal."""
        with stored():
            person = await self.person_of(words)
        await self.stand_for(person, device, name)

    async def stand_for(self, person: str, device: str, name: str) -> None:
        """Lets a device stand for a person; what it was until now goes to them. Raises Refusal."""
        with stored():
            before = await self.devices.find(device)
            if person in self.registry.bans or before in self.registry.bans:
                raise Refusal("banned")
            if before == person:
                return
            now = self.registry.clock()
            if await asyncio.to_thread(self.people.since, before) is None:
                for code in await asyncio.to_thread(self.people.tables_of, before):
                    if live := await self.registry.live_table(code):
                        await live.change(iter([Moved(guest=before, to=person)]))
                await self.registry.knock_nowhere(before)
            known = Device(device, person, device_name(name), now, now)
            await self.devices.add(known)
            self.send_away(device)

    async def person_of(self, words: str) -> str:
        """Returns the person with these words. Raises Refusal."""
        for numbers in come_back_words.read(words):
            if person := await asyncio.to_thread(self.people.person_of, await self.digest(numbers)):
                return person
        raise Refusal("wrong_words")

    async def sign_out(self, guest: str, which: str) -> None:
        """Lets a device of the guest stand for nobody any more: it is a new guest. Raises Refusal."""
        with stored():
            known = next((one for one in self.devices.of(guest) if device_id(one) == which), None)
            if known is None:  # it was signed out before
                return
            await asyncio.wrap_future(self.registry.store.put(end_of_device(known.device)))
            if known.device == guest:  # it would stand for itself
                await self.devices.add(known._replace(guest=self.registry.seed().hex()))
            else:
                await self.devices.remove(known.device)
            self.send_away(known.device)

    def send_away(self, device: str) -> None:
        """Closes the connections of a device, which come again as whom it stands for now."""
        for live in self.registry.tables.values():
            for listener in live.listeners:
                if listener.device == device:
                    listener.close(MOVED)

    def note_seen(self, device: str) -> None:
        """Notes a visit of a known device, once a day."""
        known, now = self.devices.known.get(device), self.registry.clock()
        if known and not 0 <= now - known.seen < DAY:
            self.devices.known[device] = known._replace(seen=now)
            self.people.see(device, now)

    async def passkeys(self, guest: str) -> list[Passkey]:
        with stored():
            return await asyncio.to_thread(self.people.passkeys_of, guest)

    async def remove_passkey(self, guest: str, which: str) -> None:
        with stored():
            for one in await self.passkeys(guest):
                if passkey_id(one) == which:
                    await asyncio.wrap_future(self.people.remove_passkey(one))

    async def since(self, guest: str) -> float | None:
        with stored():
            return await asyncio.to_thread(self.people.since, guest)

    # Tables and matches

    async def tables(self, guest: str) -> list[Preview]:
        """Returns the guest's tables, the latest used first."""
        with stored():
            codes = await self.registry.ask(self.people.tables_of, guest)
        seen = [await self.look(code) for code in codes[:MOST_TABLES]]
        return [one for one in seen if one and one.is_home_of(guest)]

    async def hours_left(self, guest: str) -> dict[str, int]:
        """Returns how many hours the guest has for their turns at tables by turns, by spectators' code."""
        with stored():
            return await self.registry.ask(hours_left, self.registry.store, guest)

    async def asking(self, guest: str) -> dict[str, int]:
        """Returns how many knock at the guest's tables by turns, by spectators' code."""
        with stored():
            return await self.registry.ask(asking, self.registry.store, guest)

    async def look(self, code: str) -> Preview | None:
        """Returns a table as it is, without taking it into memory; None if it cannot be read."""
        live = self.registry.tables.get(code)
        if live and not live.is_broken:
            return preview(live.table)
        archive = self.registry.archive

        def read() -> Preview | None:
            store = self.registry.store
            with archive.legible(watch=store.watch_of(code) or ""):
                table = replay(latest(store, code))
                return preview(table) if table else None

        try:
            return await archive.ask(read)
        except Refusal as refusal:
            if refusal.error != "table_unreadable":
                raise
            return None

    async def matches(self, guest: str) -> list[Played]:
        with stored():
            return await self.registry.ask(self.people.played_by, guest)

    async def records(self, matches: Sequence[Played]) -> list[dict[str, object]]:
        """Returns the records of matches, without those that are gone or cannot be read."""
        archive, found = self.registry.archive, []
        for game in dict.fromkeys(match.game for match in matches):
            with suppress(Refusal):
                _, record = await archive.ask(archive.finished, game)
                found.append(record)
        return found

    async def visits(self, guest: str) -> list[MyVisit]:
        """Returns the guest's tables, with their names there and what they wrote."""
        store, archive = self.registry.store, self.registry.archive

        def read(code: str) -> MyVisit:
            watch = store.watch_of(code) or ""
            with archive.legible(watch=watch):
                names, said = traces([decode(entry) for entry in store.entries(code)], guest)
                return MyVisit(watch, store.opened(watch), names, [MySaying(*one) for one in said])

        with stored():
            codes = await self.registry.ask(self.people.tables_of, guest)
        found = []
        for code in codes:
            with suppress(Refusal):
                found.append(await archive.ask(read, code))
        return found

    async def knocks(self, guest: str) -> list[MyKnock]:
        """Returns at which tables by turns a guest knocks, or was refused a short time ago."""
        store = self.registry.store

        def read() -> list[MyKnock]:
            return [MyKnock(store.watch_of(one.code) or "", one.name) for one in knocks_of(store, guest)]

        with stored():
            return await asyncio.to_thread(read)

    # The end

    async def erase(self, guest: str) -> None:
        """Deletes a person: their names and words at every table, devices and come-back words, in one transaction."""
        registry = self.registry
        with stored():
            await note_older_tables(registry)
            async with AsyncExitStack() as held:
                tables, work = [], forget(guest)
                for code in sorted(await asyncio.to_thread(self.people.tables_of, guest)):
                    if (live := await registry.live_table(code)) is None:
                        continue
                    await held.enter_async_context(live.log.lock)
                    tables.append(live)
                    work += await self.without(live, guest)
                devices = self.devices.of(guest)
                await asyncio.wrap_future(registry.store.put(work))
                for live in tables:
                    live.log.fail(MOVED)
            for known in devices:
                self.devices.known.pop(known.device, None)
                self.send_away(known.device)
            await registry.knock_nowhere(guest)
            registry.archive.forget()
            await asyncio.to_thread(registry.store.purge)
        log.info("person_deleted", tables=len(tables))

    async def without(self, live: LiveTable, guest: str) -> Work:
        """Returns what replaces a table's log by one without the guest, who leaves. Raises Refusal."""
        store, table = self.registry.store, live.table
        left, nobody = list(leave_for_good(table, guest)), self.registry.seed().hex()

        def read() -> Work:
            with self.registry.archive.legible(watch=table.watch):
                entries = [decode(entry) for entry in store.entries(table.code)] + left
                erased_ones = [encode(entry) for entry in erased(entries, guest, nobody)]
                return store.replace_log(table.code, erased_ones, live.log.lease)

        return await asyncio.to_thread(read)


@contextmanager
def stored() -> Iterator[None]:
    """Raises Refusal if the database cannot be read or written."""
    try:
        yield
    except StoreError as error:
        log_rarely("store_failed", reason(error), "error")
        raise Refusal("server_fault") from None


async def note_older_tables(registry: Registry, skipped: Collection[str] = ()) -> set[str]:
    """Notes who sat at tables of versions that did not note it, except some. Raises StoreError.

    Returns the codes of those that stay without a note, because their logs cannot be read or they were skipped.
    """
    store = registry.store
    codes = await asyncio.to_thread(registry.devices.people.not_noted)
    without = {code for code in codes if code in skipped}
    for code in codes:
        if code in without:
            continue

        def read(code: str = code) -> Work:
            opened = store.opened(store.watch_of(code) or "")
            return people_of_log(map(decode, store.entries(code)), opened)

        try:
            work = await asyncio.to_thread(read)
        except Exception as error:  # a damaged log can cause any error
            if isinstance(error, StoreError) and not isinstance(error, DamagedEntry):
                raise
            watch = await asyncio.to_thread(store.watch_of, code)
            log_rarely("table_unreadable", reason(error), "error", table=watch or "")
            without.add(code)
        else:
            await asyncio.wrap_future(store.put(work))
    return without


def device_name(name: str) -> str:
    return tidy(name)[:DEVICE_LENGTH]


def device_id(device: Device) -> str:
    """Returns what tells a device from the others of its person."""
    return device.device[:16]


def passkey_id(passkey: Passkey) -> str:
    """Returns what tells a passkey from the others of its person."""
    return sha256(passkey.id.encode()).hexdigest()[:16]
