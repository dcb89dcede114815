"""Made games_v1.sqlite and games_v1.json: tables as the first version kept and showed them.

Run it with the package of commit 1249343, the last that kept games in the first format:

    git worktree add ../first 1249343
    PYTHONPATH=../first/src python tests/data/make_games_v1.py

The same seeds give the same games; later versions cannot write such a file any more.
"""

import json
import random
import sqlite3
import tempfile
from pathlib import Path

import msgspec

from mulligan.server import finished
from mulligan.server.commands import do, happen
from mulligan.server.entries import Opened, encode
from mulligan.server.messages import (
    Chat,
    FillSeat,
    GiveBack,
    Leave,
    Lend,
    NextHole,
    Play,
    Rematch,
    Say,
    SeatWish,
    Sit,
    Start,
    TableOptions,
    TakeBack,
)
from mulligan.server.play import step
from mulligan.server.rights import Asker
from mulligan.server.store import FILE, Store
from mulligan.server.table import Table
from mulligan.server.view import view

HERE = Path(__file__).parent
PEOPLE = ANN, BEN, CYD = "a1" * 4, "b2" * 4, "c3" * 4  # guests: shorter than the hashes they really are


class Evening:
    """A table, and the log of all that happens at it."""

    def __init__(self, number: int, game: str, seats: list[SeatWish], seed: int = 0, chat: bool = False) -> None:
        code, watch = f"{number}" * 6, f"W{number}" * 4
        options = TableOptions(pace="fast", chat=chat)
        opened = Opened(table=code, watch=watch, game=game, owner=ANN, seats=seats, options=options)
        self.dice = random.Random(1000 * number + seed)
        self.log = [opened]
        self.table = Table(self.log)
        self.present = set(PEOPLE)
        self.commands = 0

    def do(self, kind, guest=ANN, **fields):
        self.commands += 1
        asker = Asker(guest, self.present, lambda: self.dice.randbytes(32))
        self.log += do(self.table, asker, kind(id=f"c{self.commands}", **fields))

    def move(self, choose) -> None:
        turn = self.table.turn
        move = choose(self)
        if self.table.computer_on_turn:
            self.log += happen(self.table, step(self.table, self.table.read_move(move)))
        else:
            self.do(Play, self.table.seats[turn].guest, seat=turn, move=move)

    def go_on(self, choose) -> None:
        if self.table.phase in ("draw", "reckoning"):
            self.do(NextHole)
        else:
            self.move(choose)

    def play_to(self, phase: str, choose=None, is_right=lambda evening: True) -> None:
        while self.table.phase != phase or not is_right(self):
            self.go_on(choose or quickly)


def quickly(evening: Evening) -> str:
    """Places on a slot nobody has turned up yet, so that the hole is short."""
    layout = view(evening.table).seats[evening.table.turn].layout
    slots = [slot for slot in evening.table.legal() if slot not in "SD-."]
    hidden = [slot for slot in slots if layout[evening.table.read_move(slot)] is None]
    return evening.dice.choice(hidden or evening.table.legal())


def slowly(evening: Evening) -> str:
    """Places on cards that lie open, so that the hole goes on until the stock is used up."""
    layout = view(evening.table).seats[evening.table.turn].layout
    slots = [slot for slot in evening.table.legal() if slot not in "SD-."]
    shown = [slot for slot in slots if layout[evening.table.read_move(slot)] is not None]
    return evening.dice.choice(shown or slots or ["S"])


def me() -> SeatWish:
    return SeatWish(kind="me", name="Ann")


def friends(*names: str) -> list[SeatWish]:
    return [SeatWish(kind="friend") for _ in names]


def lobby() -> Evening:
    """Nobody has begun; there is talk."""
    evening = Evening(2, "play_nine", [me(), *friends("Ben", "Cyd"), SeatWish("computer", "Rob", "greedy")], chat=True)
    evening.do(Sit, BEN, seat=1, name="Ben")
    evening.do(Chat, BEN, seat=1, text="Bonjour à tous ☀")
    evening.do(Say, seat=0, phrase="hello")
    return evening


def drawn() -> Evening:
    """The cards for the deal are drawn; they were level once (2.1)."""
    for seed in range(1000):
        evening = Evening(3, "nine_card", [me(), *friends("Ben", "Cyd")], seed)
        evening.do(Sit, BEN, seat=1, name="Ben")
        evening.do(Sit, CYD, seat=2, name="Cyd")
        evening.do(Start)
        if len(evening.table.draws) > 1:
            return evening
    raise AssertionError


def card_in_hand() -> Evening:
    """In the middle of the second hole, a card from the stock in hand; a discard was taken back before."""
    evening = Evening(4, "play_nine", [me(), SeatWish(kind="here", name="Zoé"), *friends("Ben")])
    evening.do(Sit, BEN, seat=2, name="Ben")
    evening.do(Start)
    evening.play_to("take", is_right=lambda evening: len(evening.table.card) == 1)
    turn = evening.table.turn
    guest = evening.table.seats[turn].guest
    evening.do(Play, guest, seat=turn, move="D")
    evening.do(TakeBack, guest, seat=turn)
    for _ in range(7):
        evening.move(quickly)
    evening.play_to("take")
    evening.move(lambda evening: "S")
    return evening


def between_holes() -> Evening:
    """The second hole is reckoned up; Ben has gone and a computer player plays for him."""
    evening = Evening(5, "nine_card", [me(), *friends("Ben"), SeatWish("computer", "Rob", "random")])
    evening.do(Sit, BEN, seat=1, name="Ben")
    evening.do(Start)
    evening.play_to("take", is_right=lambda evening: len(evening.table.card) == 1)
    evening.present.discard(BEN)
    evening.do(Lend, seat=1)
    evening.play_to("reckoning", is_right=lambda evening: len(evening.table.card) == 2)
    return evening


def with_a_new_stock() -> Evening:
    """The discards have become a new stock (2.6), and a card of it is in hand."""
    others = [SeatWish(kind="here", name=name) for name in ("Bea", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal")]
    evening = Evening(6, "nine_card", [me(), *others])
    evening.do(Start)
    evening.do(NextHole)
    while not evening.table.stocks or evening.table.phase != "place":
        evening.move(slowly)
    return evening


def rematch(number: int, game: str, seed: int = 0) -> Evening:
    """One match is over and the next in its first hole; a seat was lent and given back, then changed hands."""
    evening = Evening(number, game, [me(), *friends("Ben")], seed)
    evening.do(Sit, BEN, seat=1, name="Ben")
    evening.do(Start)
    evening.play_to("take")
    evening.present.discard(BEN)
    evening.do(Lend, seat=1, player="greedy")
    evening.play_to("reckoning")
    evening.present.add(BEN)
    evening.do(GiveBack, BEN, seat=1)
    evening.play_to("over")
    evening.do(Rematch)
    evening.play_to("take")
    evening.do(Leave, BEN, seat=1)
    evening.do(FillSeat, seat=1, player="greedy")
    for _ in range(4):
        evening.move(quickly)
    return evening


def played_off() -> Evening:
    """A table where the first match was level after nine holes (6.3)."""
    for seed in range(1000):
        evening = rematch(7, "play_nine", seed)
        if finished.read(evening.log, 1)[0].holes[-1].playoff:
            return evening
    raise AssertionError


def last_hole(evening: Evening, game: str, match: int) -> dict:
    """How many positions the ninth hole's replay has, and the last of them."""
    frames = finished.replay(evening.log, game, match, 9).frames
    return {"frames": len(frames), "view": frames[-1].view}


def main() -> None:
    evenings = [
        lobby(),
        drawn(),
        card_in_hand(),
        between_holes(),
        with_a_new_stock(),
        played_off(),
        rematch(8, "nine_card"),
    ]
    shown = {}
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        for number, evening in enumerate(evenings):
            table, entries = evening.table, [encode(entry) for entry in evening.log]
            opened = 1_790_000_000.0 + 3600 * number
            store.open_table(table.code, table.watch, table.variant.name, opened, entries).result(10)
            shown[table.code] = {
                "view": view(table),
                "held": {guest: table.held_by(guest) for guest in PEOPLE},
                "talk": list(table.talk),
                "event": table.event,
                "records": {game: finished.read(evening.log, match)[1] for match, game in enumerate(table.finished, 1)},
                "last_holes": {game: last_hole(evening, game, match) for match, game in enumerate(table.finished, 1)},
            }
        store.close()
        (HERE / "games_v1.sqlite").unlink(missing_ok=True)
        connection = sqlite3.connect(Path(folder) / FILE)
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(f"VACUUM INTO '{HERE / 'games_v1.sqlite'}'")
        connection.close()
    text = json.dumps(msgspec.to_builtins(shown), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    (HERE / "games_v1.json").write_text(text.replace('"view":', '\n"view":') + "\n", encoding="utf-8")


main()
