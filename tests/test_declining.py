"""A last turn that may be declined (4.2): who declines it, and what comes of it."""

from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random

import independent
import minis
import numpy as np
import pytest
from holes import go_on
from independent import nine_card_points
from reference_players import PLAYERS
from table import fresh_table, table
from thinking import think

from mulligan import simulation
from mulligan.engine.chance import many_dice, stock_bag
from mulligan.engine.state import DISCARD, HIDDEN, NOBODY, PASS, STOCK, Phase
from mulligan.game import referee, variants
from mulligan.game.hole import Hole
from mulligan.players.declining import can_only_cost

CLOSED = "K K K / A 2 3 / 4 5 6"
THOUGHTFUL = [name for name in PLAYERS if name != "random"]


def choice(told, name: str) -> int:
    return think(name, told.hole, many_dice(1, 1)[0])


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_nobody_breaks_a_row_for_nothing(name):
    """Two rows match, the third lacks a joker, and only high cards are left in the new stock."""
    told = table(
        "nine_card", CLOSED, "9 9 9 / 8 8 8 / * * ?", discards="Q", turn=1, closer=0, unseen="*", stock="Q Q J J 10",
    )  # fmt: skip
    assert choice(told, name) == PASS


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_nobody_declines_a_turn_that_can_only_help(name):
    told = table(
        "nine_card", CLOSED, "Q J 10 / 9 Q J / 10 9 ?", discards="K", turn=1, closer=0, unseen="A", stock="A A * *",
    )  # fmt: skip
    assert choice(told, name) != PASS


@pytest.mark.parametrize("name", THOUGHTFUL)
def test_before_somebody_closes_everybody_plays(name):
    told = table("nine_card", "7 3 A / ? 2 ? / ? 5 6", "9 9 9 / 8 8 8 / * * ?", discards="Q", turn=1)
    assert choice(told, name) in (STOCK, DISCARD)


def test_the_random_player_declines_one_last_turn_in_three():
    told = table("nine_card", CLOSED, "9 9 9 / 8 8 8 / * * ?", discards="Q", turn=1, closer=0)
    dice = many_dice(7, 1)[0]
    chosen = [think("random", told.hole, dice) for _ in range(3000)]
    for move in (STOCK, DISCARD, PASS):
        assert chosen.count(move) == pytest.approx(1000, abs=120)


@pytest.mark.long
def test_where_every_card_costs_is_found_by_going_through_all_of_them():
    """In the smallest game every order of the cards nobody has seen can be gone through."""
    rng, found = Random(4), {True: 0, False: 0}
    while min(found.values()) < 15:
        hole = Hole(minis.load("mini_rows"), 2, 0)
        while not hole.is_over and not is_last_turn_due(hole):
            go_on(hole, rng)
        if hole.is_over:
            continue
        only_costs = bool(can_only_cost(hole.variant.rules, hole.state))
        assert only_costs == every_card_costs(hole)
        found[only_costs] += 1


def is_last_turn_due(hole: Hole) -> bool:
    return hole.state.closer != NOBODY and hole.state.phase == Phase.TAKE and not hole.awaits_card


def every_card_costs(hole: Hole) -> bool:
    state, slots = hole.state, range(hole.variant.rules.slots)
    layout = state.players[hole.turn].layout[: len(slots)].tolist()
    unseen = np.array(state.unseen)
    stock = np.flatnonzero(stock_bag(state)).tolist()
    for face, left in [(int(state.discard), unseen), *((face, without(hole, face)) for face in stock)]:
        as_is = mean_points(hole, layout, left)
        for slot in slots:
            after = [*layout]
            after[slot] = face
            if mean_points(hole, after, left) < as_is + 1e-9:
                return False
    return True


def without(hole: Hole, face: int) -> np.ndarray:
    left = np.array(hole.state.unseen)
    if not hole.state.renewed:
        left[face] -= 1
    return left


def mean_points(hole: Hole, layout: list[int], unseen: np.ndarray) -> float:
    """The mean over every order of the cards nobody has seen, counted by the independent referee."""
    hidden = [slot for slot, face in enumerate(layout) if face == HIDDEN]
    cards = [face for face, count in enumerate(unseen.tolist()) for _ in range(count)]
    names, totals = hole.variant.faces, []
    for faces in permutations(cards, len(hidden)):
        after = [*layout]
        for slot, face in zip(hidden, faces, strict=True):
            after[slot] = face
        rows = [[names[face] for face in after[:2]], [names[face] for face in after[2:]]]
        totals.append(nine_card_points(rows))
    return sum(totals) / len(totals)


def test_who_still_has_to_tee_off_does_so_first():
    """2.4 comes before the turn, and costs nothing: what it shows would be shown in the reveal (4.3)."""
    text = minis.load("mini_rows").text.replace("cards = 1", "cards = 3")
    told = fresh_table(variants.parse(text, Path("three_of_four.toml")), 2)
    told.hole.turn_up(0)
    told.play("a1=K", "b1=K", "a2=A", "SA>b2xK")
    assert told.closer == "Ben"
    told.refused("-", "2.4")
    told.play("a1=A")
    told.refused("-", "2.4")
    told.play("b1=A", "a2=*")
    told.play("-")
    assert told.phase == Phase.REVEAL


@pytest.mark.long
@pytest.mark.parametrize("seats", range(2, 9))
def test_both_referees_agree_on_games_with_declined_turns(seats):
    declined = 0
    for record in simulation.records(variants.load("nine_card"), seats, ["random", "greedy", "random"], seats, 10):
        independent.judge(record)
        assert referee.replay(record).record() == record
        declined += sum(hole["moves"].count("-") for hole in record["holes"])
    assert declined > 20


def test_where_last_turns_must_be_played_the_mark_is_refused():
    """Where the right is not in the rules, its mark is refused by both referees."""
    record = next(simulation.records(variants.load("nine_card"), 3, ["random"], 5, 1))
    hole = next(number for number, hole in enumerate(record["holes"]) if "-" in hole["moves"])
    duty = independent.GAMES | {"nine_card": replace(independent.GAMES["nine_card"], may_decline=False)}
    with pytest.raises(independent.Wrong) as wrong:
        independent.judge(record, duty)
    assert wrong.value.hole == hole + 1
    text = variants.load("nine_card").text.replace("may_decline_last_turn = true", "may_decline_last_turn = false")
    with pytest.raises(referee.Fault, match=rf"hole {hole + 1}, move {wrong.value.move} .*\(4\.2\)"):
        referee.replay(record, variants.parse(text, Path("nine_card.toml")))
