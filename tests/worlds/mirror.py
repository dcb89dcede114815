"""The table as a client would rebuild it that listens to the events alone, and never looks at a view again."""

from typing import Any

import msgspec
from minis import RULES

from mulligan.server.wire.events import (
    Agreed,
    DealerDrawn,
    Dealt,
    Drew,
    GameChosen,
    GaveBack,
    GivenUp,
    HereAgain,
    HoleOver,
    Left,
    Lent,
    MatchOver,
    OptionsSet,
    Renamed,
    Revealed,
    Sat,
    SeatGone,
    Started,
    TookBack,
)
from mulligan.server.wire.view import Step, View


class Mirror:
    """Begins with a view, and goes on by what happens."""

    def __init__(self, view: View) -> None:
        self.rules = RULES[view.game]
        self.slots = self.rules.slots
        self.seats = [[seat.name, seat.kind, seat.player, seat.lent, seat.wins, seat.substitute] for seat in view.seats]
        self.layouts = [list(seat.layout) for seat in view.seats]
        self.discards = [card for card in (view.discard_below, view.discard) if card is not None]
        self.knows_below = view.discard is None or view.discard_below is not None
        self.held = (view.held.face, view.held.pile) if view.held else None
        self.stock_left: int | None = view.stock_left
        self.closer = view.closer
        self.match, self.hole, self.dealer = view.match, view.hole, view.dealer
        self.is_lobby = view.phase == "lobby"
        self.draws = [list(cards) for cards in view.draws]
        self.card = [(line.hole, line.dealer, line.closer, line.points) for line in view.card]
        self.winners, self.finished = list(view.winners), list(view.finished)
        self.given_up, self.options, self.latest = view.given_up, view.options, view.latest
        self.agreed = {seat: list(by) for seat, by in view.agreed.items()}

    def differs(self, view: View) -> str:
        """What looks otherwise in that view, or ""."""
        other = Mirror(view)
        if self.stock_left is None:  # the new stock, of discards that were never counted
            self.stock_left = other.stock_left
        for name in ("seats", "layouts", "held", "stock_left", "closer", "match", "hole", "dealer", "draws", "card",
                     "winners", "finished", "given_up", "options", "latest", "agreed"):  # fmt: skip
            if getattr(self, name) != getattr(other, name):
                return f"{name}: heard {getattr(self, name)}, shown {getattr(other, name)}"
        top = self.discards[-1] if self.discards else None
        if self.discards or self.knows_below:
            if top != view.discard:
                return f"the discard: heard {top}, shown {view.discard}"
        else:
            self.discards = list(other.discards)
        return ""

    def hear(self, event: Any) -> None:
        if isinstance(event, Step | TookBack | Lent | HereAgain | Left):
            self.agreed.pop(event.seat, None)
        match event:
            case Agreed():
                self.agreed.setdefault(event.seat, []).append(event.by)
            case Sat():
                wins = 0
                self.seats[event.seat] = [event.name, event.kind, event.player, False, wins, False]
            case Left():
                self.agreed = {
                    of: left for of, by in self.agreed.items() if (left := [one for one in by if one != event.seat])
                }
                self.seats[event.seat] = ["" if self.is_lobby else event.name, "open", "", False, 0, False]
            case SeatGone():
                del self.seats[event.seat]
                del self.layouts[event.seat]
            case Lent():
                self.seats[event.seat][2:4] = [event.player, True]
            case GaveBack():
                self.seats[event.seat][2:4] = ["", False]
                self.seats[event.seat][5] = False
            case GameChosen():
                self.choose(event)
            case Renamed():
                self.seats[event.seat][0] = event.name
            case OptionsSet():
                self.options = event.options
            case Started():
                self.match, self.is_lobby = event.match, False
                self.clear()
                for seat in self.seats:
                    seat[5] = seat[3]  # lent from the beginning
                self.agreed = {}
            case Drew():
                while len(self.draws) < event.round:
                    self.draws.append([None] * len(self.seats))
                self.draws[event.round - 1][event.seat] = event.face
            case DealerDrawn():
                self.dealer = event.seat
            case Dealt():
                self.hole, self.dealer, self.closer, self.agreed = event.hole, event.dealer, None, {}
                self.held = self.latest = None
                self.layouts = [
                    [None] * len(self.slots) if seat in event.seats else [] for seat in range(len(self.seats))
                ]
                self.discards = [event.first_discard]
                self.stock_left = sum(self.rules.pack.values()) - len(event.seats) * len(self.slots) - 1
            case Step():
                self.step(event)
            case TookBack(move="D"):
                self.discards.append(event.face)
                self.held = self.latest = None
            case TookBack():
                self.discards.pop()
                self.held, self.latest = (event.face, "S"), None
            case Revealed():
                self.layouts[event.seat][self.slots.index(event.slot)] = event.face
            case HoleOver():
                self.card.append((event.hole, self.dealer, self.closer, event.points))
            case MatchOver():
                self.winners = event.winners
                self.finished.append(event.game)
                for seat in event.winners:
                    self.seats[seat][4] += not self.seats[seat][5]
            case GivenUp():
                self.given_up, self.held = True, None

    def choose(self, event: GameChosen) -> None:
        self.rules = RULES[event.game]
        self.slots = self.rules.slots
        self.is_lobby = True
        self.options = msgspec.structs.replace(self.options, holes=event.holes)
        self.seats = [["", "open", "", False, 0, False] if seat[1] == "open" else seat for seat in self.seats]
        self.clear()

    def clear(self) -> None:
        self.hole, self.dealer, self.closer = 0, None, None
        self.held = self.latest = None
        self.draws, self.card, self.winners, self.discards = [], [], [], []
        self.layouts = [[] for _ in self.seats]
        self.stock_left, self.given_up = 0, False
        self.knows_below = True

    def step(self, step: Step) -> None:
        self.latest = step
        if step.move == "S":
            self.stock_left = None if self.stock_left is None else self.stock_left - 1
            self.held = (str(step.face), "S")
        elif step.move == "D":
            if self.discards:
                self.discards.pop()
            self.held = (str(step.face), "D")
        else:
            if step.move in self.slots:
                self.layouts[step.seat][self.slots.index(step.move)] = step.face
            if step.phase == "place":
                self.discards.append(str(step.went))
                self.held = None
        if step.closed:
            self.closer = step.seat
        if step.renewed:
            self.discards = self.discards[-1:]
            self.knows_below = True
            self.stock_left = None
