"""A table in mid-hole, so that rules can be told in the player's notation."""

from collections.abc import Sequence
from contextlib import contextmanager

import pytest

from mulligan.engine.moves import deal
from mulligan.engine.state import HIDDEN, NOBODY, NOTHING, Phase, is_teeing_off
from mulligan.game import referee, variants
from mulligan.game.hole import Game, Hole
from mulligan.game.notation import NotationError, Step, read_face, read_layout, write_face, write_layout, write_slot
from mulligan.game.variants import Variant

NAMES = ("Ann", "Ben", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal")


class Table:
    """A hole under way, with its players' names."""

    def __init__(self, game: Game, hole: Hole) -> None:
        self.game, self.hole = game, hole
        self.variant: Variant = game.variant

    @property
    def turn(self) -> str:
        return NAMES[self.hole.turn] if self.hole.turn != NOBODY else "nobody"

    @property
    def closer(self) -> str:
        return NAMES[self.hole.state.closer] if self.hole.state.closer != NOBODY else "nobody"

    @property
    def discard(self) -> str:
        return write_face(self.variant, self.hole.state.discard)

    @property
    def phase(self) -> Phase:
        return Phase(int(self.hole.state.phase))

    @property
    def stock_left(self) -> int:
        return int(self.hole.state.stock_left)

    def layout(self, seat: int) -> str:
        return write_layout(self.variant, self.hole.state.players[seat].layout)

    def cards(self, counts) -> list[str]:
        """A bag's cards by name, in the order of the faces."""
        return [name for name, count in zip(self.variant.faces, counts, strict=False) for _ in range(count)]

    def play(self, *moves: str) -> None:
        for move in moves:
            referee.play_text(self.game, self.hole, move)

    def refused(self, move: str, rule: str = "") -> str:
        """The move cannot be, the reason names that rule, and nothing has happened."""
        with self.as_a_try(), pytest.raises((referee.Fault, NotationError)) as caught:
            self.play(move)
        reason = str(caught.value)
        assert not rule or rule in rules_named(reason), f"{move} was refused by another rule than {rule}: {reason}"
        return reason

    def may(self, move: str) -> None:
        """The move can be; it is taken back again."""
        with self.as_a_try():
            self.play(move)

    @contextmanager
    def as_a_try(self):
        before, steps = self.hole.state.copy(), list(self.hole.steps)
        try:
            yield
        finally:
            restore(self.hole, before)
            self.hole.steps = steps

    def reveal(self, seat: int, cards: Sequence[str]) -> None:
        """Turns up what lies face down at that seat (4.3)."""
        for text in cards:
            slot, _, face = text.partition("=")
            assert self.phase == Phase.REVEAL, f"nothing is left to reveal, but {text} was told"
            assert self.turn == NAMES[seat], f"{self.turn}'s cards are turned up next, not {NAMES[seat]}'s"
            assert slot == write_slot(self.variant, self.hole.state.awaited)
            self.hole.turn_up(read_face(self.variant, face))


def rules_named(reason: str) -> list[str]:
    """The numbers in the brackets of a sentence."""
    return [number for part in reason.split("(")[1:] for number in part.split(")")[0].split(", ")]


def restore(hole: Hole, before) -> None:
    """Takes the hole back to that state."""
    for field in before.dtype.names:
        hole.state[field] = before[field]
    hole.changed()


def fresh_table(variant: Variant | str, seats: int, dealer: int = 0) -> Table:
    """Everything dealt face down, the first discard about to be turned up."""
    variant = variants.load(variant) if isinstance(variant, str) else variant
    game = Game(variant, NAMES[:seats], dealer)
    return Table(game, game.deal())


def table(
    game: Variant | str,
    *layouts: str,
    discards: str = "",
    turn: int = 0,
    closer: int = NOBODY,
    unseen: str | None = None,
    stock: str | None = None,
) -> Table:
    """A hole with these layouts, seat by seat, and that pile of discards, its top card last.

    `unseen` names every card face down, in the stock and on the table: all the others are then under
    the top discard. `stock` names the cards of a new stock (2.6); `unseen` are then on the table.
    """
    told = fresh_table(game, len(layouts), (turn - 1) % len(layouts))
    variant, state = told.variant, told.hole.state
    rules = variant.rules
    deal(rules, state, len(layouts), (turn - 1) % len(layouts))
    state.awaited = NOTHING
    hidden = 0
    for seat, text in enumerate(layouts):
        player = state.players[seat]
        player.layout[:] = read_layout(variant, text)
        player.hidden = text.split().count("?")
        hidden += player.hidden
        for face in player.layout[player.layout != HIDDEN]:
            state.unseen[face] -= 1
    pile = [read_face(variant, name) for name in discards.split()]
    for face in pile:
        state.unseen[face] -= 1
    assert min(state.unseen) >= 0, "there are not so many cards of one face in the pack"
    if unseen is not None:
        bag = [read_face(variant, name) for name in unseen.split()]
        for face in range(rules.faces):
            assert bag.count(face) <= state.unseen[face], f"the pack has no {variant.faces[face]} left for that"
            state.unseen[face] = bag.count(face)
    state.stock_left = sum(state.unseen) - hidden
    if stock is not None:
        assert state.stock_left == 0, "with a new stock, as many cards are unseen as lie face down"
        state.renewed = 1
        for name in stock.split():
            state.stock[read_face(variant, name)] += 1
        state.stock_left = sum(state.stock)
    assert state.stock_left > 0, "the stock is never empty when a turn begins"
    state.discard = pile[-1]
    state.turn = turn
    state.closer = closer
    state.phase = Phase.TEE_OFF if is_teeing_off(rules, state.players[turn]) else Phase.TAKE
    told.hole.steps = [Step(told.hole.turn, Phase.DEAL, 12, pile[-1])]
    return told
