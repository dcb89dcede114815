"""A read-only preview of a table, made from its log and shown while the server is starting."""

from msgspec.structs import replace

from mulligan.server.wire.base import Thing
from mulligan.server.wire.replies import Welcome

from .log_entries import without_chat
from .table import Table
from .view import view


class Preview(Thing):
    """A table's state for clients while the server is starting, and its owner and guests."""

    code: str  # of the current link
    owner: str  # a guest
    guests: list[str]  # by seat; "" if no guest holds it
    language: str  # of the person who opened the table, or ""
    watch: str  # the spectators' code in the current link
    removed: list[str]  # guests who may not sit down
    welcome: Welcome  # a spectator's welcome message

    def is_home_of(self, guest: str) -> bool:
        """True if the guest holds a seat or owns the table."""
        return guest in (self.owner, *self.guests)

    def welcome_for(self, guest: str, watching: bool) -> Welcome:
        if watching:
            return self.welcome
        seats = [number for number, holder in enumerate(self.guests) if holder == guest]
        link = self.code if self.is_home_of(guest) else ""
        barred = guest in self.removed
        return replace(self.welcome, you=seats, owner=guest == self.owner, link=link, watch=self.watch, barred=barred)


def preview(table: Table) -> Preview:
    """Returns the preview of a table, as anyone may see it: without the chat.

    `sealed` stays empty, because no seed can be added during the start.
    """
    welcome = Welcome(
        you=[],
        owner=False,
        event=table.event,
        view=view(table),
        talk=without_chat(table.talk),
        facts=table.facts,
        starting=True,
    )
    guests = [seat.guest for seat in table.seats]
    removed = sorted(table.removed)
    return Preview(table.link, table.owner, guests, table.language, table.watch_link, removed, welcome)
