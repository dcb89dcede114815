"""How guests want to be told that it is their turn: the devices and addresses that they give, and take back."""

import asyncio
import hashlib
import hmac
import json
import re
import secrets

import msgspec

from mulligan.game.rulebook import LANGUAGES
from mulligan.server.log import log_rarely
from mulligan.server.metrics import Metrics
from mulligan.server.services import web_push
from mulligan.server.services.channels import PUSH, Channels
from mulligan.server.services.letters import SENT, words
from mulligan.server.services.web_push import WebPush
from mulligan.server.store.ways import Asked, StoredWays, Way
from mulligan.server.table.rights import Refusal
from mulligan.server.wire.everything import MyWay
from mulligan.server.wire.ways import WAY_LENGTH, ChannelCode, ChannelWish, PushWish, WayNote
from mulligan.server.wire.ways import Ways as Offered

from .persons import stored
from .registry import Registry

MOST = 10  # ways of a guest
CODE_MINUTES = 15  # for which a code counts
CODE_TRIES = 5
ZONE = re.compile(r"[A-Za-z0-9_+/-]{1,64}")
HOURS_OF_DAY = range(24)


class Ways:
    """The ways of the guests of a registry. Whatever reads or writes raises Refusal if that fails."""

    def __init__(self, registry: Registry, push: WebPush, channels: Channels) -> None:
        self.registry = registry
        self.stored = StoredWays(registry.store)
        self.push = push
        self.channels = channels

    async def offered(self, guest: str, device: str) -> Offered:
        """Returns the guest's ways, and what this server offers."""
        with stored():
            key = await self.public_key()
            ways = await asyncio.to_thread(self.stored.of, guest)
        return Offered(key, list(self.channels.urls), [self.note(way, device) for way in ways])

    async def public_key(self) -> str:
        """Returns the key that browsers need for a subscription, made on first use; "" without the extra `people`."""
        if not self.push.is_installed:
            return ""
        key = await asyncio.to_thread(self.stored.key)
        if not key:
            await asyncio.wrap_future(self.stored.choose_key(await asyncio.to_thread(web_push.new_key)))
            key = await asyncio.to_thread(self.stored.key)
        return await asyncio.to_thread(web_push.public_key, key)

    def note(self, way: Way, device: str) -> WayNote:
        keys = json.loads(way.keys)
        known = self.registry.devices.known.get(way.device)
        name = keys["address"] if way.kind != PUSH else known.name if known else ""
        return WayNote(way_id(way), way.kind, name, way.device == device, way.quiet_from, way.quiet_until)

    async def subscribe(self, guest: str, device: str, base: str, wish: PushWish) -> None:
        """Adds the push subscription of a device, in place of its earlier one. Raises Refusal."""
        if not self.push.is_installed:
            raise Refusal("no_push")
        try:
            if len(wish.endpoint) > WAY_LENGTH:
                raise ValueError("too long")
            await asyncio.to_thread(self.push.check, wish.endpoint, wish.p256dh, wish.auth)
        except ValueError:
            raise Refusal("bad_way") from None
        keys = json.dumps({"p256dh": wish.p256dh, "auth": wish.auth})
        await self.add(self.way(wish.endpoint, PUSH, guest, device, keys, base, wish))

    def way(
        self, way: str, kind: str, guest: str, device: str, keys: str, base: str, wish: PushWish | ChannelWish
    ) -> Way:
        """Returns the way of a wish. Raises Refusal if its quiet hours are none."""
        if not ZONE.fullmatch(wish.zone) or not {wish.quiet_from, wish.quiet_until} <= {*HOURS_OF_DAY}:
            raise Refusal("bad_request")
        language = wish.language if wish.language in LANGUAGES else ""
        now = self.registry.clock()
        return Way(way, kind, guest, device, keys, base, language, now, wish.zone, wish.quiet_from, wish.quiet_until)

    async def add(self, way: Way) -> None:
        """Adds a way, or changes it. Raises Refusal if the guest has too many."""
        with stored():
            await asyncio.wrap_future(self.stored.add(way, MOST))
            kept = await asyncio.to_thread(self.stored.of, way.guest)
        if way.way not in {one.way for one in kept}:
            raise Refusal("too_many_ways", most=MOST)

    async def ask_code(self, guest: str, device: str, base: str, wish: ChannelWish) -> None:
        """Sends a code to an address in a channel. Raises Refusal unless it left."""
        if not self.channels.accepts(wish.channel, wish.address):
            raise Refusal("bad_way")
        keys = json.dumps({"address": wish.address})
        way = self.way(secrets.token_hex(16), wish.channel, guest, device, keys, base, wish)
        with stored():
            for known in await asyncio.to_thread(self.stored.of, guest):
                if (known.kind, known.keys) == (way.kind, way.keys):
                    way = way._replace(way=known.way)  # with other quiet hours
            code = f"{secrets.randbelow(10**6):06}"
            asked = Asked(guest, msgspec.json.encode(way).decode(), digest(guest, code), self.registry.clock())
            await asyncio.wrap_future(self.stored.ask(asked))
        await self.send_code(wish, way.language, code)

    async def send_code(self, wish: ChannelWish, language: str, code: str) -> None:
        """Raises Refusal if the channel fails."""
        texts = words(language)
        title = texts["code"].format(code=code)
        text = texts["code_text"].format(minutes=CODE_MINUTES)
        outcome = await asyncio.to_thread(self.channels.send, wish.channel, wish.address, title, text)
        count(self.registry.metrics, wish.channel, outcome.result)
        if outcome.result != SENT:
            log_rarely("message_failed", outcome.why)
            raise Refusal("bad_way")

    async def confirm(self, guest: str, told: ChannelCode) -> None:
        """Makes an address one of the guest's ways, if they know the code that was sent there. Raises Refusal."""
        with stored():
            await asyncio.wrap_future(self.stored.count_try(guest))  # first: tries at the same time all count
            asked = await asyncio.to_thread(self.stored.asked, guest)
        now = self.registry.clock()
        if asked is None or asked.tries > CODE_TRIES or not 0 <= now - asked.since < CODE_MINUTES * 60:
            raise Refusal("wrong_code")
        way = msgspec.json.decode(asked.wish, type=Way)
        is_there = (told.channel, json.dumps({"address": told.address})) == (way.kind, way.keys)
        if not hmac.compare_digest(digest(guest, told.code), asked.digest) or not is_there:
            raise Refusal("wrong_code")
        await self.add(way)
        with stored():
            await asyncio.wrap_future(self.stored.forget_asked(guest))

    async def remove(self, guest: str, which: str) -> None:
        """Ends a way of the guest; one that is not there was ended before."""
        with stored():
            for way in await asyncio.to_thread(self.stored.of, guest):
                if way_id(way) == which:
                    await asyncio.wrap_future(self.stored.remove(way.way))

    async def everything(self, guest: str) -> list[MyWay]:
        """Returns all that the server holds of the guest's ways, but what would let others send messages there."""
        with stored():
            ways = await asyncio.to_thread(self.stored.of, guest)
        return [my_way(way) for way in ways]


def my_way(way: Way) -> MyWay:
    address = way.way if way.kind == PUSH else json.loads(way.keys)["address"]
    return MyWay(way.kind, address, way.since, way.language, way.zone, way.quiet_from, way.quiet_until)


def way_id(way: Way) -> str:
    """Returns what tells a way from the others of its guest."""
    return hashlib.sha256(way.way.encode()).hexdigest()[:16]


def digest(guest: str, code: str) -> str:
    return hashlib.sha256(f"{guest} {code}".encode()).hexdigest()


def count(metrics: Metrics, kind: str, result: str) -> None:
    metrics.messages.labels(PUSH if kind == PUSH else "channel", result).inc()
