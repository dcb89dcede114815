"""What holds in every hole, whatever is played and whatever cards come."""

from typing import Any

import numpy as np
import pytest
from holes import GAMES, a_hole, go_on
from hypothesis import given
from hypothesis import strategies as st

from mulligan.engine.compiled import compiled
from mulligan.engine.moves import is_legal
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, MOVES, NOTHING, PASS, STOCK, Phase
from mulligan.game.hole import Hole
from mulligan.game.notation import as_array


class Pile:
    """The discard pile as it lies there: the engine knows only its top card."""

    def __init__(self) -> None:
        self.cards: list[int] = []
        self.held = HIDDEN
        self.renewed = 0

    def follow(self, hole: Hole) -> None:
        """Takes note of the last step."""
        step = hole.steps[-1]
        if step.phase == Phase.DEAL:
            self.cards.append(step.face)
        elif step.phase == Phase.TAKE:
            self.held = self.cards.pop() if step.move == DISCARD else step.face
        elif step.phase == Phase.PLACE:
            self.cards.append(step.face)
            self.held = HIDDEN

    def turned_over(self) -> list[int]:
        """The stock is empty: all under the top card become the new one (2.6)."""
        self.renewed += 1
        *under, top = self.cards
        self.cards = [top]
        return sorted(under)


def cards_in(counts: Any) -> list[int]:
    return [face for face, count in enumerate(counts.tolist()) for _ in range(count)]


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
def test_cards_are_conserved_at_every_step(game, seed):
    hole, rng = a_hole(game, seed)
    state, rules = hole.state, hole.variant.rules
    pack = sorted(cards_in(rules.copies))
    pile, told, stock_was_empty = Pile(), 0, False
    while not hole.is_over:
        go_on(hole, rng)
        if len(hole.steps) > told:
            told += 1
            pile.follow(hole)
        layouts = [player.layout[: rules.slots].tolist() for player in state.players[: state.seats]]
        open_cards = [face for layout in layouts for face in layout if face != HIDDEN]
        hidden = [layout.count(HIDDEN) for layout in layouts]
        stock = cards_in(state.stock)
        if stock_was_empty and state.stock_left:
            assert stock == pile.turned_over()
        stock_was_empty = state.stock_left == 0
        assert hidden == [player.hidden for player in state.players[: state.seats]]
        assert state.stock_left == (len(stock) if state.renewed else sum(state.unseen) - sum(hidden))
        assert not state.renewed or sum(state.unseen) == sum(hidden)
        assert min(state.unseen) >= 0
        assert state.held == pile.held
        held = [pile.held] if pile.held != HIDDEN else []
        if pile.cards:
            assert held or state.discard == pile.cards[-1]
            assert sorted(cards_in(state.unseen) + stock + open_cards + held + pile.cards) == pack
        if state.awaited == NOTHING and state.phase in (Phase.TEE_OFF, Phase.TAKE):
            assert state.stock_left > 0, "a turn begins with a full choice (2.6)"


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
def test_the_legal_moves_are_those_of_the_rule_book_and_no_other_is_played(game, seed):
    hole, rng = a_hole(game, seed)
    numbers, answers = range(-3, MOVES + 3), np.zeros(MOVES + 6, np.int8)
    while not hole.is_over:
        legal = hole.legal_moves()
        assert legal == moves_by_the_book(hole)
        before = hole.state.tobytes()
        ask_of_each(hole.variant.rules, hole.state, numbers[0], answers)
        assert [move for move, is_one in zip(numbers, answers, strict=True) if is_one] == sorted(legal)
        with pytest.raises(ValueError, match="not legal"):
            hole.play(rng.choice([move for move in (*numbers, 64, 10**6) if move not in legal]))
        assert hole.state.tobytes() == before
        go_on(hole, rng)
    assert hole.legal_moves() == []


@compiled
def ask_of_each(rules, state, first, answers):
    """Asks whether each number from the first on is a legal move; one by one takes twice as long."""
    for place in range(len(answers)):
        answers[place] = is_legal(rules, state, first + place)


def moves_by_the_book(hole: Hole) -> list[int]:
    """The choices, told once more from the rule book."""
    state, rules = hole.state, hole.variant.rules
    if hole.awaits_card or hole.is_over:
        return []
    slots = list(range(rules.slots))
    hidden = [slot for slot in slots if state.players[hole.turn].layout[slot] == HIDDEN]
    if state.phase == Phase.TEE_OFF:
        return hidden
    if state.phase == Phase.TAKE:
        may_decline = rules.may_decline_last_turn and state.closer >= 0
        return [STOCK, DISCARD] + [PASS] * bool(may_decline)
    if state.phase == Phase.PLACE:
        may_throw = rules.may_discard_drawn and hole.steps[-1].move == STOCK
        return slots + [DISCARD_DRAWN] * bool(may_throw)
    may_pass = rules.may_leave_last and len(hidden) == 1
    return hidden + [PASS] * bool(may_pass)


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
def test_a_hole_ends_one_turn_each_after_it_is_closed(game, seed):
    hole, rng = a_hole(game, seed)
    turns_after = []
    while not hole.is_over:
        if hole.state.closer >= 0 and hole.state.phase == Phase.TAKE and not hole.awaits_card:
            turns_after.append(hole.turn)
        go_on(hole, rng)
    seats, closer = int(hole.state.seats), int(hole.state.closer)
    last_turns = range(1, seats) if hole.variant.rules.has_last_turns else ()
    assert turns_after == [(closer + place) % seats for place in last_turns]
    assert all(player.hidden == 0 for player in hole.state.players[:seats])
    assert all(HIDDEN not in player.layout[: hole.variant.rules.slots] for player in hole.state.players[:seats])


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
def test_the_steps_of_a_hole_replay_to_the_same_state(game, seed):
    hole, rng = a_hole(game, seed)
    stop = rng.randrange(5, 200)
    while not hole.is_over and len(hole.steps) < stop:
        go_on(hole, rng)
    again = Hole(hole.variant, int(hole.state.seats), int(hole.state.dealer))
    assert again.take(as_array(hole.steps)) == len(hole.steps)
    if hole.awaits_card and again.state.phase != Phase.REVEAL:
        again.play(STOCK if hole.state.awaited == STOCK else int(hole.state.awaited))
    assert again.state.tobytes() == hole.state.tobytes()
