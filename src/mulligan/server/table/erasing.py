"""What a person leaves in a table's log: their names, what they wrote, and who they were. Finds it, and takes it out.

The cards stay as they were, so finished matches are still refereed.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from mulligan.server.wire.events import Chatted, Left, Renamed, Sat, SeatGone

from .log_entries import Entry, Held, Moved, Opened
from .names import free_name
from .table import who_key

NOTHING_SAID = "…"  # stands for a chat message


def with_holders(entries: Sequence[Entry]) -> Iterator[tuple[Entry, list[str]]]:
    """Yields each entry with the guests who hold the seats then; someone who leaves still holds theirs."""
    holders: list[str] = []
    for entry in entries:
        match entry:
            case Opened():
                holders = ["" if seat.kind in ("friend", "computer") else entry.owner for seat in entry.seats]
            case Held():
                holders[entry.seat] = entry.guest
            case Moved():
                holders = [entry.to if holder == entry.guest else holder for holder in holders]
            case Sat() if entry.kind != "person":
                holders[entry.seat] = ""
        yield entry, holders
        match entry:
            case Left():
                holders[entry.seat] = ""
            case SeatGone():
                del holders[entry.seat]


def traces(entries: Sequence[Entry], guest: str) -> tuple[list[str], list[tuple[int, str]]]:
    """Returns the names of a guest at a table, and what they wrote there, by seat."""
    names: list[str] = []
    said = []
    for entry, holders in with_holders(entries):
        match entry:
            case Opened():
                names += [seat.name for seat, holder in zip(entry.seats, holders, strict=True) if holder == guest]
            case Sat() | Renamed() if holders[entry.seat] == guest:
                names.append(entry.name)
            case Chatted() if holders[entry.seat] == guest:
                said.append((entry.seat, entry.text))
    return list(dict.fromkeys(names)), said


def erased(entries: Sequence[Entry], guest: str, nobody: str) -> Iterator[Entry]:
    """Yields a log of the same length, in which `nobody` stands for a guest and "Player 2" for them on seat 1."""
    taken = {name for entry in entries for name in names_in(entry)}

    def player(seat: int) -> str:
        return free_name(f"Player {seat + 1}", taken)

    for entry, holders in with_holders(entries):
        match entry:
            case Opened():
                seats = [
                    msgspec.structs.replace(seat, name=player(number)) if holder == guest else seat
                    for number, (seat, holder) in enumerate(zip(entry.seats, holders, strict=True))
                ]
                key = entry.who_key or who_key(entry).hex()  # so that the others stay who they are
                changed: Any = msgspec.structs.replace(entry, seats=seats, who_key=key)
            case Sat() | Renamed() | Left() if holders[entry.seat] == guest:
                changed = msgspec.structs.replace(entry, name=player(entry.seat))
            case Chatted() if holders[entry.seat] == guest:
                changed = msgspec.structs.replace(entry, text=NOTHING_SAID)
            case _:
                changed = entry
        yield without(changed, guest, nobody)


def names_in(entry: Entry) -> list[str]:
    if isinstance(entry, Opened):
        return [seat.name for seat in entry.seats]
    return [entry.name] if isinstance(entry, Sat | Renamed) else []


def without(entry: Any, guest: str, nobody: str) -> Any:
    """Returns the entry with `nobody` in the place of a guest."""
    found = [name for name in ("guest", "owner", "to") if getattr(entry, name, None) == guest]
    return msgspec.structs.replace(entry, **dict.fromkeys(found, nobody)) if found else entry
