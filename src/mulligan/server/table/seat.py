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
    wins: int = 0
    left: bool = False  # the person with this name left for good; the seat is open

    @property
    def computer(self) -> str:
        """The computer player that moves for this seat, or ""."""
        return self.player if self.kind == "computer" or self.lent else ""
