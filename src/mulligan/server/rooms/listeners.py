"""The connections to a table: who is there, and what they are sent."""

import asyncio
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol, TypeVar

import msgspec

from mulligan.server.table.log_entries import Entry, WatchLinked, is_public, without_chat
from mulligan.server.table.rights import Refusal, is_at_home
from mulligan.server.table.table import Table
from mulligan.server.table.view import view, where
from mulligan.server.wire.events import Chatted, Event, GameChosen, Sealed
from mulligan.server.wire.replies import Accepted, Happened, Presence, ServerMessage, Welcome
from mulligan.server.wire.view import View

T = TypeVar("T")

PRESENCE_PAUSE = 1.0  # seconds between two messages about who is there

write = msgspec.json.Encoder().encode


class Listener(Protocol):
    """A client's connection. `seats` is what it last received; `code` is the latest code it knows for the table.

    `visible` is false while its page is hidden.
    """

    guest: str
    device: str  # of the guest, by the hash of its token
    tab: str  # of the guest's browser, or ""
    code: str
    watching: bool
    seats: list[int]
    visible: bool

    def tell(self, *messages: bytes) -> None: ...

    def close(self, code: int) -> None: ...

    def turn_away(self, refusal: Refusal) -> None: ...


class Answer(NamedTuple):
    """The answer to a command, which follows what the command did."""

    to: Listener
    message: Accepted


class Listeners:
    """The connections to one table.

    `present` holds the guests who count as present, `elsewhere` those of them whose pages are all hidden.

    `host_left` is for how many seconds the owner had been absent at the start, as far as the store knows.
    """

    def __init__(self, table: Table, host_left: float = 0.0) -> None:
        self.table = table
        self.loop = asyncio.get_running_loop()  # kept, since to ask for it is a system call
        self.began = self.loop.time()
        self.left = {table.owner: self.began - host_left}  # when guests of the table became absent; else at the start
        self.connected: dict[Listener, None] = {}  # in the order in which they came
        self.tabs: dict[tuple[str, str], Listener] = {}  # by guest and tab
        self.watchers = 0  # connections without a seat
        self.present: set[str] = set()
        self.elsewhere: set[str] = set()
        self.in_pause = False  # presence was told a moment ago
        self.has_new_presence = False  # and has changed since
        self.settled = table.settled  # when seats, link and owner were last compared with the table's
        self.owner, self.removed = table.owner, set(table.removed)

    def __iter__(self) -> Iterator[Listener]:
        """Yields the connections of this moment; they may be removed meanwhile."""
        return iter(list(self.connected))

    def __len__(self) -> int:
        return len(self.connected)

    def __contains__(self, listener: object) -> bool:
        return listener in self.connected

    def of_tab(self, listener: Listener) -> Listener | None:
        """Returns the connection of the same tab of the same guest's browser, or None."""
        return self.tabs.get((listener.guest, listener.tab))

    def add(self, listener: Listener, last_event: int) -> None:
        """Adds a connection: sends it the table's state, and the new presence to all."""
        self.connected[listener] = None
        if listener.tab:
            self.tabs[listener.guest, listener.tab] = listener
        self.watchers += not listener.seats
        if not listener.watching:
            self.present.add(listener.guest)
            self.look_at(listener.guest)
        self.welcome(listener, last_event)
        self.tell_presence()

    def remove(self, listener: Listener) -> None:
        """Removes a connection, if it is still there. Its guest stays present until `drop_absent`."""
        if listener in self.connected:
            del self.connected[listener]
            if self.of_tab(listener) is listener:
                del self.tabs[listener.guest, listener.tab]
            self.watchers -= not listener.seats
            if not listener.watching:
                self.look_at(listener.guest)

    def drop_absent(self, guest: str = "") -> bool:
        """Counts guests without a connection, or only that one, as absent. Returns True if there were any."""
        connected = {listener.guest for listener in self.connected if not listener.watching}
        absent = (self.present & {guest} if guest else self.present) - connected
        if not absent:
            return False
        self.left |= {guest: self.loop.time() for guest in absent if is_at_home(self.table, guest)}
        self.present -= absent
        self.elsewhere -= absent
        self.tell_presence()
        return True

    def away(self, guest: str) -> float:
        """Returns for how many seconds a guest has been absent, as far as is known; 0 if present."""
        if guest in self.present:
            return 0.0
        return max(0.1, self.loop.time() - self.left.get(guest, self.began))

    def is_here(self, guest: str) -> bool:
        """True if the guest is present and has a page in front, or had one until just now."""
        return guest in self.present and guest not in self.elsewhere

    def look_at(self, guest: str) -> None:
        """Notes whether all pages of a guest are hidden; without a page, it stays as it was."""
        pages = [listener.visible for listener in self.connected if listener.guest == guest and not listener.watching]
        if any(pages):
            self.elsewhere.discard(guest)
        elif pages:
            self.elsewhere.add(guest)

    def may_stay(self, listener: Listener) -> bool:
        """True if the guest came by the current link, or has a seat, owns the table or only watches."""
        table = self.table
        return listener.watching or listener.code == table.link or is_at_home(table, listener.guest)

    def turn_away(self, listener: Listener) -> None:
        """Closes the connection of someone who came by an old link."""
        listener.turn_away(Refusal("shown_out" if listener.guest in self.table.removed else "table_gone"))

    def leaders(self) -> list[Listener]:
        """Returns the connections of those who lead the table: its owner, or the players while the owner is away."""
        table = self.table
        is_led = table.owner in self.present or table.is_by_turns
        led = {table.owner} if is_led else {seat.guest for seat in table.seats if seat.guest}
        return [listener for listener in self if not listener.watching and listener.guest in led]

    def welcome(self, listener: Listener, last_event: int) -> None:
        """Sends a connection the table's state and the events since the last one that it knows."""
        table = self.table
        seats = [] if listener.watching else table.held_by(listener.guest)
        self.watchers += (not seats) - (not listener.seats)
        listener.seats = seats
        is_home = not listener.watching and is_at_home(table, listener.guest)
        if is_home:
            listener.code = table.link
        message = Welcome(
            you=listener.seats,
            owner=not listener.watching and listener.guest == table.owner,
            event=table.event,
            view=self.view(),
            missed=self.audible(listener, table.told_since(last_event)) if last_event else [],
            talk=self.audible(listener, table.talk) if not last_event else [],
            watchers=self.watchers,
            sealed=sealed_of(table),
            barred=not listener.watching and listener.guest in table.removed,
            moved=not listener.watching and table.has_moved(listener.guest),
            watch="" if listener.watching else table.watch_link,
            removed=len(table.removed) if listener.guest == table.owner and not listener.watching else 0,
            link=table.link if is_home else "",
            facts=table.facts,
            host_away=round(self.away(table.owner), 1),
        )
        self.tell(listener, message)

    def view(self) -> View:
        return view(self.table, self.present, self.elsewhere)

    def tell(self, listener: Listener, message: ServerMessage) -> None:
        listener.tell(write(message))

    def tell_all(self, message: ServerMessage, answer: Answer | None = None) -> None:
        """Sends the same bytes to all connections, and in the same write an answer to one of them."""
        text = write(message)
        for listener in self:
            if answer and listener is answer.to:
                listener.tell(text, write(answer.message))
            else:
                listener.tell(text)

    def tell_events(self, what: list[Event], answer: Answer | None) -> None:
        """Sends events to all, without the chat to those who may not hear it. No answer goes with chat."""
        table = self.table
        now = self.view()
        if not any(isinstance(event, Chatted) for event in what):
            self.tell_all(Happened(event=table.event, what=what, view=now), answer)
            return
        texts = {
            hears_chat: write(Happened(event=table.event, what=heard, view=now))
            for hears_chat, heard in ((True, what), (False, without_chat(what)))
            if heard
        }
        for listener in self:
            if text := texts.get(self.hears_chat(listener)):
                listener.tell(text)

    def hears_chat(self, listener: Listener) -> bool:
        """True for those with a seat at the table, and for its owner.

        The spectators' code is in the address of every finished match, and the players' link may be passed on as well.
        """
        return not listener.watching and is_at_home(self.table, listener.guest)

    def audible(self, listener: Listener, events: Iterable[T]) -> list[T]:
        return list(events) if self.hears_chat(listener) else without_chat(events)

    def tell_presence(self) -> None:
        """Tells all who is there: at once, or at the end of the current pause, so that a crowd costs little."""
        if self.in_pause:
            self.has_new_presence = True
            return
        self.in_pause, self.has_new_presence = True, False
        self.loop.call_later(PRESENCE_PAUSE, self.end_pause)
        present = [where(seat, self.present, self.elsewhere) for seat in self.table.seats]
        self.tell_all(
            Presence(present=present, watchers=self.watchers, host_away=round(self.away(self.table.owner), 1))
        )

    def end_pause(self) -> None:
        self.in_pause = False
        if self.has_new_presence and self.connected:
            self.tell_presence()

    def tell_entries(self, entries: list[Entry], answer: Answer | None = None) -> None:
        """Sends what has happened at the table to all, and then an answer to the one whose command it was."""
        what = [entry for entry in entries if is_public(entry)]
        is_settled = self.settled == self.table.settled
        together = answer if answer and what and is_settled and answer.to in self else None
        if what:
            self.tell_events(what, together)
        if any(isinstance(entry, GameChosen) for entry in entries):  # other facts
            for listener in self:
                self.welcome(listener, self.table.event)
        if any(isinstance(entry, WatchLinked) for entry in entries):
            for listener in self:
                if listener.watching and listener.guest in self.table.removed:
                    listener.turn_away(Refusal("shown_out"))
        if not is_settled:
            self.settle()
        if answer and not together:
            self.tell(*answer)

    def settle(self) -> None:
        """Sends the whole state to clients with other seats or rights, or another link."""
        table = self.table
        self.settled = table.settled
        others = {self.owner, table.owner} if self.owner != table.owner else set()
        others |= self.removed ^ table.removed
        self.owner, self.removed = table.owner, set(table.removed)
        moved = [
            one
            for one in self.connected
            if not one.watching
            and (one.guest in others or (one.code, one.seats) != (table.link, table.held_by(one.guest)))
        ]
        for listener in moved:
            if self.may_stay(listener):
                self.welcome(listener, table.event)
            else:
                self.turn_away(listener)
        if moved:  # the number of spectators has changed
            self.tell_presence()

    def send_away(self, error: str, guest: str = "") -> int:
        """Closes all connections, or those of one guest, with a refusal. Returns how many they were."""
        away = [listener for listener in self if guest in ("", listener.guest)]
        for listener in away:
            listener.turn_away(Refusal(error))
        return len(away)

    def close_all(self, code: int) -> None:
        for listener in self:
            listener.close(code)


def sealed_of(table: Table) -> Sealed | None:
    """Returns the pack that accepts seeds now, or None."""
    if table.sealed is None:
        return None
    return Sealed(game=table.sealed.game, hole=table.sealed.hole, commitment=table.sealed.commitment)
