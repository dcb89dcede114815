"""A seat at a table."""

from dataclasses import dataclass

from mulligan.server.wire.base import LentWhy, SeatKind


@dataclass
class Seat:
    """The holder and state of a seat. A computer player moves for a lent seat until its person takes it back."""

    kind: SeatKind = "open"
    name: str = ""
    player: str = ""
    guest: str = ""
    lent: bool = False
    lent_why: LentWhy = "asked"
    stood_in: int = 0  # turns that computer players took for an absent person, since a move of the person
    wins: int = 0
    substitute: bool = False  # the seat was lent when the match began
    left: bool = False  # the person with this name left for good; the seat is open

    @property
    def computer(self) -> str:
        """The computer player that moves for this seat, or ""."""
        return self.player if self.kind == "computer" or self.lent else ""
