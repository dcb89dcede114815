"""Tells guests of their turns, and of those who knock: sends the messages of the outbox, when woken and now and then.

The outbox is in the database, so a kill loses nothing. A message is marked after it was sent: a kill between the two
sends it again, with the same number, which devices show only once.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date, datetime
from functools import lru_cache, partial
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from mulligan.game import variants
from mulligan.server.log import log_rarely, reason
from mulligan.server.services.channels import PUSH, Channels
from mulligan.server.services.letters import GIVEN_UP, GONE, LATER, SENT, Outcome, words
from mulligan.server.services.web_push import WebPush
from mulligan.server.store.ways import Due, StoredWays, Way, key_of
from mulligan.server.table.preview import Preview
from mulligan.server.wire.ways import Letter

from .persons import Persons
from .registry import Registry
from .ways import CODE_MINUTES, count

LOOK = 60.0  # seconds between two looks at the outbox while messages wait there …
REST = 600.0  # … and otherwise, for those of a process that has died
SOON = 1.0  # seconds from a wake to the look: many moves are one look, and nobody who opens the page at once is told
RETURN = 15.0  # seconds after the start, in which pages that were open come back: their guests need no message
MOST_A_DAY = 6  # messages on one way
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 3600.0  # seconds until a message that failed is tried again
WAY_DAYS = 1  # that a way stays without a table of its guest
LONGEST_GAME = 100  # characters of a game's name in a message
CLOSING = 6.0  # seconds for messages that are being sent when the server ends
HOUR, DAY = 3600.0, 86_400.0  # seconds
UTC = ZoneInfo("UTC")


class Postman:
    """Sends the messages of a registry's outbox. The senders block, and run in threads of their own."""

    def __init__(
        self,
        registry: Registry,
        push: WebPush,
        channels: Channels,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ) -> None:
        self.registry = registry
        self.persons = Persons(registry)
        self.stored = StoredWays(registry.store)
        self.push = push
        self.channels = channels
        self.sleep = sleep
        self.threads = {PUSH: ThreadPoolExecutor(8, "push"), "": ThreadPoolExecutor(2, "channel")}
        self.under_way: dict[tuple[Any, ...], asyncio.Task[None]] = {}
        self.sent: set[tuple[Any, ...]] = set()  # messages whose mark was not written yet
        self.pauses: dict[str, tuple[float, float]] = {}  # of ways that failed: until when, and how long
        self.tidied = 0.0  # when old ways were last looked for

    async def keep_on(self) -> None:
        """Sends until it is cancelled."""
        await self.registry.is_warm.wait()
        await self.sleep(RETURN)
        while True:
            self.registry.post.clear()
            pause = LOOK
            try:
                pause = LOOK if await self.look() else REST
            except OSError as error:
                log_rarely("post_failed", reason(error), "error")
            with suppress(TimeoutError):
                await asyncio.wait_for(self.registry.post.wait(), pause)
            await self.sleep(SOON)

    async def close(self) -> None:
        """Waits a moment for messages that are being sent."""
        if self.under_way:
            await asyncio.wait(self.under_way.values(), timeout=CLOSING)
        for threads in self.threads.values():
            threads.shutdown(wait=False, cancel_futures=True)

    async def done(self) -> None:
        """Waits until nothing is under way."""
        while self.under_way:
            await asyncio.wait([*self.under_way.values()])

    async def look(self) -> bool:
        """Begins to send what may be sent now. The rest waits for a later look. Returns True if there was anything.

        Raises StoreError.
        """
        clock = self.registry.clock
        await self.tidy(clock())
        today = Counter(way for way, *_ in self.under_way)  # messages that the ways may not count yet
        due = await asyncio.to_thread(self.stored.due)
        waiting = [one for one in due if key_of(one) not in self.under_way and self.may_tell(one, clock(), today)]
        ours = {code: await self.registry.is_ours(code) for code in dict.fromkeys(one.code for one in waiting)}
        for one in waiting:
            if ours[one.code] and self.may_tell(one, clock(), today):  # still: to know the owner may take seconds
                today[one.way.way] += 1
                self.begin(one)
        return bool(due)

    async def tidy(self, now: float) -> None:
        """Every hour, deletes messages whose reason is gone, and ways that lead to no table. Raises StoreError."""
        if not 0 <= now - self.tidied < HOUR:
            self.tidied = now
            self.pauses = {way: pause for way, pause in self.pauses.items() if now < pause[0] + LONGEST_PAUSE}
            await asyncio.wrap_future(self.stored.drop_lapsed())
            await asyncio.wrap_future(self.stored.forget_old(now - WAY_DAYS * DAY, now - CODE_MINUTES * 60))

    def may_tell(self, due: Due, now: float, more: Mapping[str, int]) -> bool:
        """True if a message may be sent now; `more` are those of today that the ways may not count yet."""
        way = due.way
        local = datetime.fromtimestamp(now, zone_of(way.zone))
        sent_today = (way.sent if way.day == day_of(local) else 0) + more.get(way.way, 0)
        return (
            (self.push.is_installed if way.kind == PUSH else way.kind in self.channels.urls)
            and not is_quiet(way, local.hour)
            and sent_today < MOST_A_DAY
            and not self.is_paused(way.way, now)
            and not self.has_page(way.guest, may_be_hidden=due.kind != "turn")
        )

    def has_page(self, guest: str, may_be_hidden: bool) -> bool:
        """True if a page of a guest is open. What cannot wait comes in spite of hidden pages, perhaps forgotten."""
        return any(
            listener.guest == guest and not listener.watching and (listener.visible or not may_be_hidden)
            for live in self.registry.tables.values()
            for listener in live.listeners
        )

    def begin(self, due: Due) -> None:
        key = key_of(due)
        task = self.under_way[key] = asyncio.create_task(self.deliver(due))
        task.add_done_callback(lambda _: self.under_way.pop(key, None))

    async def deliver(self, due: Due) -> None:
        """Sends one message, and notes what became of it."""
        way, key = due.way, key_of(due)
        try:
            outcome = Outcome(SENT)
            if key not in self.sent:
                if (sent := await self.send(due)) is None:
                    return
                outcome = sent
                count(self.registry.metrics, way.kind, outcome.result)
            if outcome.result == SENT:
                self.sent.add(key)
                local = datetime.fromtimestamp(self.registry.clock(), zone_of(way.zone))
                await asyncio.wrap_future(self.stored.mark(due, day_of(local)))
                self.sent.discard(key)
                self.pauses.pop(way.way, None)
            elif outcome.result == GONE:
                await asyncio.wrap_future(self.stored.remove(way.way))
            elif outcome.result == GIVEN_UP:
                await asyncio.wrap_future(self.stored.mark(due))
            else:
                self.pause(way.way, outcome.wait)
            if outcome.result in (LATER, GIVEN_UP):
                log_rarely("message_failed", outcome.why)
        except Exception as error:  # of the store, of a table that cannot be read, or of a library
            log_rarely("post_failed", reason(error), "error")
            self.pause(way.way)

    async def send(self, due: Due) -> Outcome | None:
        """Sends one message. Returns None if it was not due any more. Raises StoreError and Refusal."""
        seen = await self.persons.look(due.code)
        if seen is None:  # gone, or damaged
            return Outcome(GIVEN_UP, "the table cannot be read")
        way, letter = due.way, letter_about(due, seen)
        if way.kind == PUSH:
            keys = json.loads(way.keys)
            key = await asyncio.to_thread(self.stored.key)
            text, ttl = msgspec.json.encode(letter), max(1, due.hours) * int(HOUR)
            topic = letter.table if due.kind in ("turn", "reminder") else f"{letter.table}-door"
            send = partial(self.push.send, way.way, keys["p256dh"], keys["auth"], text, key, ttl, topic)
        else:
            link, me = f"{way.base}/t/{letter.link}", f"{way.base}/me"
            text_of = words(way.language)["text"].format(game=letter.body, link=link, me=me)
            send = partial(self.channels.send, way.kind, json.loads(way.keys)["address"], letter.title, text_of)

        def send_if_due() -> Outcome | None:
            return send() if self.stored.is_due(due) else None

        threads = self.threads[PUSH if way.kind == PUSH else ""]
        return await asyncio.get_running_loop().run_in_executor(threads, send_if_due)

    def is_paused(self, way: str, now: float) -> bool:
        until, length = self.pauses.get(way, (0.0, 0.0))
        return now < until <= now + length  # if the clock has not jumped back

    def pause(self, way: str, seconds: float = 0.0) -> None:
        """Tries a way again after so many seconds at least, and each time later."""
        _, last = self.pauses.get(way, (0.0, 0.0))
        length = max(seconds, min(max(2 * last, FIRST_PAUSE), LONGEST_PAUSE))
        self.pauses[way] = self.registry.clock() + length, length


def letter_about(due: Due, seen: Preview) -> Letter:
    """Returns what a device is told."""
    view, texts = seen.welcome.view, words(due.way.language)
    facts = seen.welcome.facts or variants.load(view.game).facts
    return Letter(
        table=view.watch,
        link=seen.code,
        game=view.game,
        number=due.number,
        kind=due.kind,
        title=texts[due.kind],
        body=facts.title_in(due.way.language)[:LONGEST_GAME],
    )


def is_quiet(way: Way, hour: int) -> bool:
    """True in the quiet hours of a way, which may last over midnight."""
    return (hour - way.quiet_from) % 24 < (way.quiet_until - way.quiet_from) % 24


def day_of(local: datetime) -> int:
    """Returns the day in days since 1970."""
    return (local.date() - date(1970, 1, 1)).days


@lru_cache(1000)
def zone_of(name: str) -> ZoneInfo:
    """Returns a time zone, or UTC if this system does not know it."""
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return UTC
