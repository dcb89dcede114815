"""The net that judges the table, and the look-ahead over one turn that rests on it.

Nets here are untrained, so their hopes are noise: whatever holds for them holds for any net.
"""

from functools import cache
from random import Random

import minis
import numpy as np
import pytest
from holes import begun, go_on
from table import table
from thinking import weighed
from uncompiled import uncompiled

from mulligan.engine.chance import bag
from mulligan.engine.moves import legal_moves, play, turn_up
from mulligan.engine.rules import lines_cross
from mulligan.engine.state import HIDDEN, MOVES, NOBODY, NOTHING, PASS, Phase
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.game.variants import for_seats
from mulligan.players import exact_turn, net_files, net_turn
from mulligan.players.positions import first_twin
from mulligan.players.values import features
from mulligan.players.values.features import (
    FEATURES,
    JUST_MOVED,
    LEARNED,
    OWN,
    OWN_PARTS,
    STANDING,
    TENTH,
    WEIGHT,
    rows_of_features,
    view_of,
)
from mulligan.players.values.line_tables import kind_of, tables_of_lines
from mulligan.players.values.net_storage import ended, rows_by_feature
from mulligan.players.values.turn_rows import blank_turn_rows
from mulligan.players.values.value import value, values_by_net, values_in_turn
from mulligan.training.gradient_steps import forward
from mulligan.training.parameters import blank_numbers, net_of, numbers_of, plan
from mulligan.training.samples import DISCARDED, LAYOUTS, MOVER, blank_for, columns, note_position, write_position

GAMES = ["play_nine", "nine_card", "mini_columns", "brisk_six", "mini_square", "mini_clear", "mini_knock", "mini_quiet"]


@cache
def untrained(game: str, seats: int, hidden: int = 7):
    rules = minis.load(game).rules
    lay = plan(rules, seats, hidden)
    return net_of(rules, lay, blank_numbers(rules, lay, seed=5))


def teed_off(game: str, seats: int) -> Hole:
    """A hole before its first turn."""
    hole = Hole(minis.load(game), seats, 0)
    while hole.awaits_card or hole.state.phase == Phase.TEE_OFF:
        go_on(hole, Random(1))
    return hole


def hopes_of(hole: Hole, net) -> np.ndarray:
    values = np.zeros(int(hole.state.seats))
    values_by_net(hole.variant.rules, net, hole.state, values)
    return values


def walked_through(hole: Hole, state, net) -> float:
    """What the player to move may hope for, by going through every card and move with the engine itself."""
    me, rules = hole.turn, hole.variant.rules
    if state.awaited != NOTHING:
        counts = bag(state)
        total = 0.0
        for face in np.flatnonzero(counts):
            after = state.copy()
            turn_up(rules, after, face)
            total += counts[face] * walked_through(hole, after, net)
        return total / counts.sum()
    if state.turn == me and state.phase in (Phase.PLACE, Phase.FLIP):
        return min(walked_through(hole, moved(rules, state, move), net) for move in legal(hole.variant.rules, state))
    if state.closer == NOBODY and state.phase != Phase.OVER:
        return value(rules, net, state, me, int(state.turn))
    values = np.zeros(int(state.seats))
    values_by_net(rules, net, state, values)
    return values[me]


def moved(rules, state, move):
    after = state.copy()
    play(rules, after, move)
    return after


def legal(rules, state) -> list[int]:
    moves = legal_moves(rules, state)
    return [move for move in range(MOVES) if moves >> move & 1]


def is_far_from_closed(state) -> bool:
    """Neither closed nor to be closed with this turn."""
    return state.closer == NOBODY and state.players[state.turn].hidden > 1


@pytest.mark.parametrize("game", ["play_nine", "nine_card"])
def test_every_line_has_a_kind_and_every_exchange_leads_to_one(game):
    rules = minis.load(game).rules
    members, swapped, _ = tables_of_lines(rules)
    assert len(members) == {"play_nine": 120, "nine_card": 680}[game]
    assert len({tuple(line) for line in members.tolist()}) == len(members)
    rng = Random(1)
    for kind in rng.sample(range(len(members)), 50):
        place, face = rng.randrange(len(members[kind])), rng.randrange(rules.faces)
        layout = np.full(rules.slots, HIDDEN)
        line = [
            slot
            for slot in range(rules.slots)
            if (slot % rules.columns if rules.lines_are_columns else slot // rules.columns) == 0
        ]
        layout[line] = members[kind]
        assert kind_of(rules, layout, 0) == kind
        layout[line[place]] = face
        assert kind_of(rules, layout, 0) == swapped[kind, place, face]


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 3])
def test_weighing_a_move_is_judging_every_table_it_may_lead_to(game, seats):
    """Half sums and exchanged rows give what the engine and the net find from scratch."""
    rng, net = Random(f"{game} {seats}"), untrained(game, seats)
    tried = {phase: 0 for phase in (Phase.TEE_OFF, Phase.TAKE, Phase.PLACE, Phase.FLIP)}
    for _ in range(40):
        hole = begun(game, seats, rng, rng.randrange(2, 60))
        state = hole.state
        if (
            hole.is_over
            or not is_far_from_closed(state)
            or tried[state.phase] > (1 if state.phase == Phase.TAKE else 5)
        ):
            continue
        tried[state.phase] += 1
        move_values = weighed(hole, net)
        for move in hole.legal_moves():
            if move_values[move] < net_turn.NEVER:
                found = walked_through(hole, moved(hole.variant.rules, state, move), net)
                assert move_values[move] == pytest.approx(found, abs=2e-4), f"{Phase(int(state.phase)).name} {move}"
    assert tried[Phase.TAKE]
    assert tried[Phase.PLACE]


@pytest.mark.parametrize(
    ("game", "seats"), [(game, seats) for game in GAMES for seats in (2, 3)] + [("play_nine", 4), ("nine_card", 5)]
)
def test_all_that_a_turn_may_lead_to_is_judged_as_from_scratch(game, seats):
    """What stays the same within a turn is added up once."""
    rng, net, judged = Random(f"{game} {seats}"), untrained(game, seats), 0
    for _ in range(8):
        hole = begun(game, seats, rng, rng.randrange(2, 60))
        if hole.is_over or hole.state.closer != NOBODY:
            continue
        rules, rows = hole.variant.rules, blank_turn_rows(hole.variant.rules, net, hole.state)
        for _ in range(10):
            after = turn_played(rules, hole.state.copy(), rng)
            told, from_scratch = np.zeros(seats), np.zeros(seats)
            values_in_turn(rules, net, after, hole.turn, rows, told)
            values_by_net(rules, net, after, from_scratch)
            assert told == pytest.approx(from_scratch, abs=2e-4)
            judged += after.closer == NOBODY
    assert judged


def turn_played(rules, state, rng: Random):
    """The position after a turn of random moves and cards."""
    turns = int(state.turns)
    while state.turns == turns and state.phase not in (Phase.REVEAL, Phase.OVER):
        if state.awaited != NOTHING:
            turn_up(rules, state, rng.choice(np.flatnonzero(bag(state)).tolist()))
        else:
            play(rules, state, rng.choice(legal(rules, state)))
    return state


@pytest.mark.parametrize("game", GAMES)
def test_a_move_left_out_comes_to_the_same_as_another(game):
    rng, net = Random(game), untrained(game, 2)
    left_out = 0
    for _ in range(60):
        hole = begun(game, 2, rng, rng.randrange(3, 40))
        if hole.is_over or hole.state.phase not in (Phase.PLACE, Phase.FLIP) or not is_far_from_closed(hole.state):
            continue
        move_values = weighed(hole, net)
        for move in hole.legal_moves():
            if move_values[move] >= net_turn.NEVER:
                left_out += 1
                found = walked_through(hole, moved(hole.variant.rules, hole.state, move), net)
                assert np.abs(move_values - found).min() < 2e-4
    assert bool(left_out) != lines_cross(minis.load(game).rules)  # where lines cross, no two slots are alike


def test_of_two_columns_with_the_same_cards_in_another_order_the_first_slots_are_weighed():
    """`first_twin` says which; looking up another gave rollouts a loss of a billion strokes."""
    rng, net = Random(4), untrained("play_nine", 2)
    hole = Hole(minis.load("play_nine"), 2, 0)
    while hole.awaits_card or hole.state.phase != Phase.PLACE:
        go_on(hole, rng)
    hole.state.players[hole.turn].layout[[0, 4, 1, 5]] = [3, 5, 5, 3]  # two columns
    move_values = weighed(hole, net)
    assert [first_twin(hole.variant.rules, hole.state, slot) for slot in (0, 4, 1, 5)] == [0, 1, 1, 0]
    assert [move_values[slot] < net_turn.NEVER for slot in (0, 4, 1, 5)] == [True, False, True, False]


def test_the_coach_judges_a_tee_off_after_each_card_where_lines_cross():
    """As the player does: three cards ahead, there are too many tables."""
    hole, net = Hole(minis.load("nine_card_square"), 2, 0), untrained("nine_card_square", 2)
    while hole.awaits_card:
        go_on(hole, Random(1))
    told = np.zeros(MOVES)
    exact_turn.weigh(hole.variant.rules, net, hole.state, told)
    slots = hole.legal_moves()
    assert len(slots) == 9
    assert told[slots] == pytest.approx(weighed(hole, net)[slots], abs=2e-4)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_one_players_hope_is_the_others_fear(game, seats):
    rng = Random(2)
    for _ in range(30):
        variant = minis.load(game)
        seats_here = min(seats, max(variant.seats))
        hole = Hole(variant, seats_here, 0)
        stop = rng.randrange(2, 120)
        while not hole.is_over and (
            len(hole.steps) < stop or hole.awaits_card or hole.state.phase not in (Phase.TAKE, Phase.TEE_OFF)
        ):
            go_on(hole, rng)
        assert hopes_of(hole, untrained(game, seats_here)).sum() == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("game", GAMES)
def test_a_hole_that_is_over_is_known_exactly(game):
    rng = Random(3)
    for seats in (2, 3):
        hole = Hole(minis.load(game), seats, 0)
        while not hole.is_over:
            go_on(hole, rng)
        points = np.array([float(hole.state.players[seat].points) for seat in range(seats)])
        others = (points.sum() - points) / (seats - 1)
        assert hopes_of(hole, untrained(game, seats)) == pytest.approx(points - others)


@pytest.mark.parametrize("game", ["play_nine", "nine_card"])
def test_on_a_last_turn_the_hope_before_is_the_mean_of_the_hopes_after(game):
    """Two players: the only turn left is gone through whole, and then nothing but the reveal comes."""
    rng, net = Random(8), untrained(game, 2)
    tried = 0
    while tried < 4:
        hole = Hole(minis.load(game), 2, 0)
        while not hole.is_over and not (hole.state.closer != NOBODY and hole.state.phase == Phase.TAKE):
            go_on(hole, rng)
        if hole.is_over or hole.awaits_card:
            continue
        tried += 1
        before = hopes_of(hole, net)[hole.turn]
        best = weighed(hole, net).min()
        assert before == pytest.approx(best, abs=0.5)


@pytest.mark.parametrize(
    ("game", "closer", "other", "discard"),
    [
        ("nine_card", "A 2 5 / K 4 2 / 3 5 A", "A ? 3 / 2 7 K / K 2 6", "3"),
        ("nine_card", "A 2 5 / K 4 2 / 3 5 A", "A ? 3 / ? 3 K / K 2 6", "3"),
        ("twelve_card", "A 2 5 K / K 4 2 A / 3 5 A 2", "? 2 3 K / 2 7 K A / K 2 6 A", "3"),
        ("twelve_card", "A 2 5 K / K 4 2 A / 3 5 A 2", "? ? 3 K / 2 7 K A / K 2 6 A", "K"),
    ],
)
def test_before_a_last_turn_the_chance_that_it_beats_the_closer_is_counted_card_by_card(game, closer, other, discard):
    """A normal distribution in its place was off by 0.2 to 1.1 strokes here."""
    told, told_exactly = table(game, closer, other, discards=discard, turn=1, closer=0), np.zeros(2)
    net = untrained(game, 2)
    exact_turn.values_of_turn(told.variant.rules, net, told.hole.state, told_exactly)
    assert hopes_of(told.hole, net) == pytest.approx(told_exactly, abs=0.01)


@pytest.mark.parametrize(
    ("game", "layouts", "discard"),
    [
        ("six_card", ["A 2 5 / A 2 4", "Q 8 4 / 9 3 3", "Q 9 8 / 2 3 K"], "7"),
        ("six_card", ["A 2 5 / A 2 4", "? 8 4 / 9 3 3", "Q 9 8 / 2 ? K"], "7"),
        ("six_card", ["A 2 5 / A 2 4", "Q 8 4 / 9 3 3", "7 9 8 / 2 3 K", "Q 9 8 / 2 3 K"], "7"),
        ("nine_card", ["A 2 5 / K 4 2 / 3 5 A", "A ? 3 / 2 7 K / K 2 6", "7 J 3 / 8 7 J / 9 2 6"], "3"),
        ("nine_card", ["A 2 5 / K 4 2 / 3 5 A", "A 7 3 / 2 ? K / K 2 6", "8 7 3 / 2 ? 4 / A 2 K"], "9"),
        ("nine_card_square", ["A 2 5 / K 4 2 / 3 5 A", "A Q 3 / 2 7 K / K 2 6", "Q Q 3 / 8 7 2 / 9 2 6"], "3"),
        (
            "twelve_card",
            ["A 2 5 K / K 4 2 A / 3 5 A 2", "? 2 3 K / 2 7 9 A / 4 2 6 A", "9 3 3 K / 4 ? K 8 / 4 6 6 A"],
            "J",
        ),
    ],
)
def test_before_last_turns_it_counts_what_each_player_leaves_to_the_one_behind(game, layouts, discard):
    told = table(game, *layouts, discards=discard, turn=1, closer=0)
    told_exactly, net = np.zeros(len(layouts)), untrained(game, len(layouts))
    exact_turn.values_of_turn(told.variant.rules, net, told.hole.state, told_exactly)
    assert hopes_of(told.hole, net) == pytest.approx(told_exactly, abs=0.05)


def test_closing_ahead_is_worth_what_one_leads_by_at_least_in_the_mean():
    """A player with one card face down who is far ahead turns it up; far behind, he does not."""
    net = untrained("play_nine", 2)
    for mine, theirs, closes in ((0, 12, True), (12, 0, False)):
        hole = teed_off("play_nine", 2)
        state = hole.state
        me = int(state.turn)
        for seat, face in ((me, mine), (1 - me, theirs)):
            state.players[seat].layout[:8] = [face, face, face, face, 3, 4, 5, 6]
            state.players[seat].hidden = 0
        state.players[me].layout[7] = state.players[1 - me].layout[7] = HIDDEN
        state.players[0].hidden = state.players[1].hidden = 1
        state.phase, state.discard = Phase.FLIP, 12
        move_values = weighed(hole, net)
        assert move_values[7] < net_turn.NEVER
        assert move_values[PASS] < net_turn.NEVER
        assert (move_values[7] < -20) == closes
        assert (move_values[7] > 10) != closes


def many_worths() -> list[list[float]]:
    """Worths at some tables, among them last turns."""
    rng, all_worths = Random(6), []
    for game, seats in (("play_nine", 2), ("mini_columns", 2), ("mini_columns", 3)):
        for _ in range(12):
            hole = begun(game, seats, rng, rng.randrange(2, 40))
            if not hole.is_over:
                all_worths.append(weighed(hole, untrained(game, seats, hidden=2)).tolist())
    return all_worths


@pytest.mark.long
def test_plain_is_as_compiled():
    found = np.array(uncompiled(many_worths))
    assert len(found) > 20
    assert found == pytest.approx(np.array(many_worths()), rel=1e-4, abs=1e-4)


def test_a_net_sees_that_somebody_is_near_the_end_and_when_they_move():
    """The other two show the same columns together, shared out in three ways."""

    def judged(*others: str) -> float:
        mine = "3 ? ? ? / ? 4 ? ?"
        here = table("play_nine", mine, *others, mine, discards="5", turn=0)
        return value(here.variant.rules, untrained("play_nine", 4), here.hole.state, 3, 0)

    near, far = "7 8 7 8 / 9 9 9 ?", "? ? ? 1 / ? ? ? ?"
    halfway = "7 8 ? 8 / 9 9 ? ?", "7 ? ? 1 / 9 ? ? ?"
    found = [judged(near, far), judged(far, near), judged(*halfway)]
    assert min(abs(found[0] - found[1]), abs(found[0] - found[2]), abs(found[1] - found[2])) > 1e-3


def linear(seats: int):
    """A net without hidden units, that has learned something about cards of one face in several lines."""
    net = untrained("play_nine", seats)
    net = net._replace(rows=net.rows.copy())
    net.rows[:, net.begins[WEIGHT]] = 0
    learned = net.rows[:, net.begins[OWN_PARTS] :, 0]
    learned[:] = np.random.default_rng(1).normal(size=learned.shape)
    return net


@pytest.mark.parametrize("seat", [0, 1])
def test_a_net_sees_that_a_card_may_begin_a_second_line_of_its_face(seat):
    """A 5 in another column is worth something else beside two 5s than beside two 6s, also without hidden units."""

    def judged(layout: str) -> float:
        layouts = ["3 ? ? ? / ? 4 ? ?"] * 2
        layouts[seat] = layout
        here = table("play_nine", *layouts, discards="5", turn=0)
        return value(here.variant.rules, linear(2), here.hole.state, 1, 0)

    beside_5 = judged("5 5 ? ? / 5 ? ? ?") - judged("5 7 ? ? / 5 ? ? ?")
    beside_6 = judged("6 5 ? ? / 6 ? ? ?") - judged("6 7 ? ? / 6 ? ? ?")
    assert abs(beside_5 - beside_6) > 1e-3


@pytest.mark.parametrize(("neighbour", "sees"), [(0, True), (1, False), (2, True)])
def test_a_net_sees_that_a_neighbour_has_a_card_to_wait_for(neighbour, sees):
    """A lone 5 is worth something else if the player before or after has one too, who may discard it or wait for it."""

    def judged(mine: str, theirs: str) -> float:
        layouts = ["3 ? ? ? / ? 4 ? ?"] * 3 + [f"{mine} ? ? ? / ? ? ? ?"]
        layouts[neighbour] = f"{theirs} ? ? ? / ? ? ? ?"
        here = table("play_nine", *layouts, discards="9", turn=0)
        return value(here.variant.rules, linear(4), here.hole.state, 3, 0)

    together = judged("5", "5") + judged("6", "6") - judged("5", "6") - judged("6", "5")
    assert (abs(together) > 1e-3) == sees


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 3])
def test_the_net_that_learns_is_the_net_that_plays(game, seats):
    """One adds up rows of single features, the other those of lines and discards together."""
    rules, rng, tried = minis.load(game).rules, Random(game), 0
    lay = plan(rules, seats, 7)
    numbers = blank_numbers(rules, lay, seed=5)
    net, position = net_of(rules, lay, numbers), np.zeros(columns(lay), np.int16)
    noted, total = blank_for(rules, lay), np.zeros(8, np.float32)
    for _ in range(20):
        hole = Hole(minis.load(game), seats, 0)
        stop = rng.randrange(2, 60)
        while not hole.is_over and (len(hole.steps) < stop or hole.awaits_card or hole.state.phase != Phase.TAKE):
            go_on(hole, rng)
        if hole.is_over or hole.state.closer != NOBODY:
            continue
        for seat in range(seats):
            view = view_of(hole.state, seat, hole.turn)
            if seats > 2 or view == JUST_MOVED:
                tried += 1
                write_position(rules, lay, hole.state, seat, position)
                count = note_position(rules, net, lay, position, noted)
                learned = TENTH * forward(numbers, view, noted, count, total)
                assert learned == pytest.approx(value(rules, net, hole.state, seat, hole.turn), abs=2e-4)
    assert tried > 2


def test_every_feature_has_its_number() -> None:
    assert [getattr(features, feature.name.upper()) for feature in FEATURES] == list(range(len(FEATURES)))


@pytest.mark.parametrize("game", ["brisk_six", "mini_square"])
@pytest.mark.parametrize("seats", [2, 3])
def test_every_feature_is_read_from_some_table(game, seats):
    """Tables with few faces, so that there is everything on some of them."""
    rules, rng = minis.load(game).rules, np.random.default_rng(1)
    lay = plan(rules, seats, 1)
    net, noted = net_of(rules, lay, blank_numbers(rules, lay, seed=5)), blank_for(rules, lay)
    read = {"weight"}  # which is not added
    for _ in range(200):
        position = np.zeros(columns(lay), np.int16)
        position[LAYOUTS : LAYOUTS + seats * lay.slots] = rng.choice([HIDDEN, 0, 1], seats * lay.slots)
        position[MOVER], position[DISCARDED] = rng.integers(1 if seats == 2 else 0, seats), rng.integers(2)
        count = note_position(rules, net, lay, position, noted)
        read |= {LEARNED[nth - 1].name for nth in np.searchsorted(lay.begins, noted.rows[:count], "right")}
    assert read == {LEARNED[nth].name for nth, _ in rows_by_feature(lay.begins)}


def test_the_nets_that_we_have_know_the_features_of_the_table() -> None:
    for _, seats, file in net_files.catalogue():
        rules = for_seats(variants.load(file.stem.rsplit("-", 2)[0]), seats).rules
        for feature, rows in rows_by_feature(net_files.load(file).begins):
            assert rows.stop - rows.start == rows_of_features(rules, seats)[feature], f"{file}: {FEATURES[feature]}"


@pytest.mark.parametrize(("game", "seats"), [("play_nine", 2), ("mini_rows", 3)])
def test_learning_goes_on_from_a_net_that_was_kept(game, seats):
    rules = minis.load(game).rules
    lay = plan(rules, seats, 8)
    net = net_of(rules, lay, blank_numbers(rules, lay, seed=3))
    again = net_of(rules, lay, numbers_of(rules, lay, net, seed=3))
    assert np.allclose(again.rows, net.rows, rtol=1e-5, atol=1e-6)


def test_a_net_of_an_older_version_plays_and_learns_on():
    """It has no rows for how the others stand, and for the parts of lines."""
    rules = minis.load("play_nine").rules
    lay, net = plan(rules, 4, 7), untrained("play_nine", 4)
    rows = net.rows[:, : net.begins[STANDING]].copy()  # for a view, everything would be compiled anew
    older = net._replace(begins=ended(net.begins[:STANDING], rows.shape[1]), rows=rows)
    again = net_of(rules, lay, numbers_of(rules, lay, older, seed=3))
    assert again.rows.shape == net.rows.shape
    hole = teed_off("play_nine", 4)
    assert hopes_of(hole, again) == pytest.approx(hopes_of(hole, older), abs=1e-4)
    assert hopes_of(hole, net) != pytest.approx(hopes_of(hole, older), abs=1e-4)


@pytest.mark.parametrize("seats", [2, 4])
def test_a_net_may_get_more_hidden_units_which_change_nothing_at_first(seats):
    rules, small = minis.load("play_nine").rules, untrained("play_nine", seats)
    larger = net_of(rules, plan(rules, seats, 12), numbers_of(rules, plan(rules, seats, 12), small, seed=3))
    hole = teed_off("play_nine", seats)
    assert larger.rows.shape[2] == 13
    assert (larger.rows[0, larger.begins[OWN], 8:] != 0).all()  # noise to learn from
    assert hopes_of(hole, larger) == pytest.approx(hopes_of(hole, small), abs=1e-4)


def test_a_net_gets_no_fewer_hidden_units():
    rules, net = minis.load("play_nine").rules, untrained("play_nine", 2)
    with pytest.raises(ValueError, match="has more hidden units"):
        numbers_of(rules, plan(rules, 2, 6), net, seed=3)
