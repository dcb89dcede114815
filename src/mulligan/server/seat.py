"""A seat at a table, as the log leaves it."""

from dataclasses import dataclass

from .messages import LentWhy, SeatKind


@dataclass
class Seat:
    """Who sits there. A lent seat is a person's, and a computer player plays for it meanwhile."""

    kind: SeatKind = "open"
    name: str = ""
    player: str = ""
    guest: str = ""
    lent: bool = False
    lent_why: LentWhy = "asked"
    wins: int = 0

    @property
    def computer(self) -> str:
        """The computer player who moves for this seat, or ""."""
        return self.player if self.kind == "computer" or self.lent else ""
