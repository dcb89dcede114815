"""Notes, together with a table's log, whose turn it is at a table by turns, and whom to tell."""

from collections.abc import Sequence

from mulligan.server.store.turns import NotedTurn, begins, ends
from mulligan.server.store.ways import comes, passes, tells
from mulligan.server.store.writer import Work
from mulligan.server.table.by_turns import Turn, guest_on_turn, hours_of, turn_at
from mulligan.server.table.log_entries import Done, Entry
from mulligan.server.table.table import Table


class TurnsNoted:
    """The turn of one table, as the store knows it."""

    def __init__(self, table: Table, noted: NotedTurn | None = None) -> None:
        """`noted` is the turn in the store. It is the table's, unless the log was changed without the table."""
        self.table = table
        self.turn: Turn | None = None
        self.guest = ""
        self.number = 0  # of the entry with which it began
        if noted and (turn := turn_at(table)) and noted.guest == guest_on_turn(table):
            self.turn, self.guest, self.number = turn, noted.guest, noted.number

    def after(self, entries: Sequence[Entry] = ()) -> Work:
        """Returns what notes the turn after entries that have just been applied; nothing if it is the same one."""
        table, turn = self.table, turn_at(self.table)
        if turn == self.turn:
            self.guest = guest_on_turn(table)  # on another device
            return []
        work = passes(table.code) if self.turn else []
        if any(isinstance(entry, Done) and entry.guest == self.guest for entry in entries):
            work += comes(table.code, self.guest)
        self.turn, self.guest, self.number = turn, guest_on_turn(table), table.event
        if turn is None:
            return [*work, *ends(table.code)]
        work += begins(table.code, self.number, self.guest, hours_of(table))
        return work + tells(table.code, self.guest, self.number, "turn") if self.guest else work
