"""One turn looked through: the same values as by going through every move and card by hand."""

from itertools import permutations
from random import Random

import minis
import numpy as np
import pytest
from holes import go_on
from table import table

from mulligan.engine.chance import bag
from mulligan.engine.compiled import fresh
from mulligan.engine.moves import is_legal, play, turn_up
from mulligan.engine.scoring import against_the_field, settle
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, MOVES, NOBODY, NOTHING, STATE, STOCK, Phase
from mulligan.game.hole import Hole
from mulligan.players import net_files
from mulligan.players.exact_turn import values_of_turn, weigh, weigh_for_all
from mulligan.players.positions import copy_state
from mulligan.players.values.expected_reveal import expected_points
from mulligan.players.values.value import values_by_net

pytestmark = pytest.mark.long


def copied(state):
    copy = fresh(STATE)
    copy_state(state, copy)
    return copy


def hopes_by(function, rules, state) -> np.ndarray:
    values = np.zeros(int(state.seats))
    function(rules, net_files.brain(rules, int(state.seats)).net, state, values)
    return values


def by_hand(rules, state, begun: int | None = None) -> np.ndarray:
    """The same without short cuts: no position is remembered, no move left out."""
    first = begun is None
    begun = int(state.turns) if first else begun
    waits = state.awaited == NOTHING and state.phase in (Phase.TAKE, Phase.OVER)
    if (not first and (state.turns != begun or waits or state.phase == Phase.REVEAL)) or state.phase == Phase.OVER:
        values = np.zeros(int(state.seats))
        values_by_net(rules, net_files.brain(rules, int(state.seats)).net, state, values)
        return values
    if state.awaited != NOTHING:
        counts = bag(state).tolist()
        values = np.zeros(int(state.seats))
        for face, count in enumerate(counts):
            if count:
                after = copied(state)
                turn_up(rules, after, face)
                values += by_hand(rules, after, begun) * count / sum(counts)
        return values
    tried = [after_move(rules, state, move) for move in range(MOVES) if is_legal(rules, state, move)]
    return min((by_hand(rules, after, begun) for after in tried), key=lambda values: values[state.turn])


def after_move(rules, state, move: int):
    after = copied(state)
    play(rules, after, move)
    return after


def positions(game: str, many: int, latest: int = 60):
    """Positions of random holes, in every phase."""
    rng = Random(game)
    variant = minis.load(game)
    while many:
        hole = Hole(variant, rng.choice(variant.seats), 0)
        stop = rng.randrange(latest)
        while not hole.is_over and len(hole.steps) < stop:
            go_on(hole, rng)
        many -= 1
        yield hole


@pytest.mark.parametrize(("game", "many"), [("mini_columns", 60), ("mini_rows", 60), ("brisk_six", 4)])
def test_a_turn_is_looked_through_to_its_end(game: str, many: int) -> None:
    for hole in positions(game, many):
        rules, state = hole.variant.rules, hole.state
        before = state.tobytes()
        assert hopes_by(values_of_turn, rules, state) == pytest.approx(by_hand(rules, state), abs=1e-9)
        assert state.tobytes() == before


@pytest.mark.parametrize("game", ["mini_columns", "mini_rows"])
def test_every_legal_move_is_weighed_and_no_other(game: str) -> None:
    for hole in positions(game, 60):
        if hole.awaits_card or hole.is_over:
            continue
        rules, state = hole.variant.rules, hole.state
        move_values = hopes_by_move(rules, state)
        assert [move for move in range(MOVES) if move_values[move] < np.inf] == hole.legal_moves()
        for move in hole.legal_moves():
            after = after_move(rules, state, move)
            assert move_values[move] == pytest.approx(by_hand(rules, after, int(state.turns))[state.turn], abs=1e-9)


def hopes_by_move(rules, state) -> np.ndarray:
    move_values = np.zeros(MOVES)
    weigh(rules, net_files.brain(rules, int(state.seats)).net, state, move_values)
    return move_values


def test_hopes_are_distances_from_the_field() -> None:
    """What one gains the others lose: everyone's hopes together are nothing."""
    for hole in positions("mini_columns", 40):
        assert hopes_by(values_of_turn, hole.variant.rules, hole.state).sum() == pytest.approx(0, abs=1e-9)


def test_a_match_is_better_than_no_match() -> None:
    told = table("play_nine", "7 ? 1 ? / ? ? ? 5", "? ? 3 ? / ? ? ? 5", discards="4")
    told.hole.play(STOCK)
    told.hole.turn_up(told.variant.faces.index("7"))
    move_values = hopes_by_move(told.variant.rules, told.hole.state)
    assert int(move_values.argmin()) == told.variant.slots.index("a2")
    assert move_values[DISCARD_DRAWN] > move_values.min() + 2


def test_slots_that_come_to_the_same_weigh_the_same() -> None:
    told = table("nine_card", "7 7 ? / 4 ? ? / ? 4 ?", "? ? 3 / ? ? ? / ? 9 5", discards="4")
    told.hole.play(DISCARD)
    weighed = hopes_by_move(told.variant.rules, told.hole.state).round(6)
    move_values = dict(zip(told.variant.slots, weighed, strict=False))
    assert move_values["b2"] == move_values["c2"] == move_values["a3"] == move_values["c3"]
    assert move_values["a2"] == move_values["b3"]
    assert move_values["a1"] == move_values["b1"] != move_values["a2"]


def test_foreseen_for_everybody() -> None:
    told = table("play_nine", "7 ? 1 ? / ? ? ? 5", "? ? 3 ? / ? ? ? 5", "12 ? ? ? / 11 ? ? ?", discards="4")
    rules, state = told.variant.rules, told.hole.state
    values = np.zeros((MOVES, 3))
    weigh_for_all(rules, net_files.brain(rules, 3).net, state, values)
    assert values[[STOCK, DISCARD]].sum(axis=1) == pytest.approx([0, 0], abs=1e-4)
    assert values[:, state.turn] == pytest.approx(hopes_by_move(rules, state), abs=1e-4)


def revealed_every_way(rules, state) -> np.ndarray:
    """Everyone's points on average over every order of the cards that may lie face down."""
    cards = [face for face, count in enumerate(state.unseen.tolist()) for _ in range(count)]
    places = [
        (seat, slot)
        for seat in range(state.seats)
        for slot in range(rules.slots)
        if state.players[seat].layout[slot] == HIDDEN
    ]
    total, ways = np.zeros(int(state.seats)), 0
    for drawn in permutations(cards, len(places)):
        after = copied(state)
        for (seat, slot), face in zip(places, drawn, strict=True):
            after.players[seat].layout[slot] = face
        settle(rules, after)
        total += [after.players[seat].points for seat in range(state.seats)]
        ways += 1
    return total / ways


@pytest.mark.parametrize(
    ("layouts", "unseen"),
    [
        (["0 5 / 5 5", "5 ? / 5 ?"], "5 0 0 H H"),
        (["0 5 / 5 5", "? ? / ? ?"], "5 5 5 0 H H 0"),
        (["H 5 / H 5", "? 0 / H ?"], "H 0 0 5 5"),
        (["0 0 / 0 5", "? 5 / 5 0", "? H / 5 ?"], "5 5 H H"),
    ],
)
def test_what_the_reveal_brings_is_exact(layouts: list[str], unseen: str) -> None:
    told = table(minis.load("mini_columns"), *layouts, discards="0", turn=1, closer=0, unseen=f"{unseen} 0")
    points = np.zeros(len(layouts))
    expected_points(told.variant.rules, told.hole.state, points)
    assert points == pytest.approx(revealed_every_way(told.variant.rules, told.hole.state), abs=1e-9)


@pytest.mark.parametrize(
    ("layouts", "within"),
    [
        (["K A / K A", "A ? / A K"], 1e-9),
        (["K K / A A", "K ? / A A", "K ? / * A"], 1e-9),
        (["K A / A A", "? ? / A K"], 0.2),
        (["* K / K A", "? ? / ? A"], 0.2),
    ],
)
def test_the_closer_is_to_expect_a_penalty(layouts: list[str], within: float) -> None:
    """Exact with one card face down, and nearly with more."""
    told = table(minis.load("mini_rows"), *layouts, discards="*", turn=1, closer=0)
    points = np.zeros(len(layouts))
    expected_points(told.variant.rules, told.hole.state, points)
    assert points == pytest.approx(revealed_every_way(told.variant.rules, told.hole.state), abs=within)


def test_a_hole_that_is_over_is_known() -> None:
    told = table("play_nine", "7 3 1 2 / 7 6 8 5", "7 7 1 2 / 7 7 8 ?", discards="4", turn=1, closer=0)
    told.play("S9>d2x9")
    assert told.phase == Phase.OVER
    points = np.array([float(points) for points in told.hole.points])
    assert points.tolist() == [25, 10]
    against_the_field(points)
    assert hopes_by(values_of_turn, told.variant.rules, told.hole.state).tolist() == points.tolist() == [15, -15]
    assert told.hole.state.closer != NOBODY
