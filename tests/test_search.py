"""The strongest player: plays the best moves out, and is never worse off than with the look-ahead alone."""

from random import Random

import minis
import numpy as np
import pytest
from effort import tries
from holes import begun
from test_net import untrained
from thinking import weighed

from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH
from mulligan.game.hole import Hole
from mulligan.players import net_files, net_player, net_turn, playouts, search
from mulligan.players.look_ahead import choose_by
from mulligan.players.values.brain import UNTRAINED
from mulligan.players.values.match_equity import Stakes
from mulligan.simulation import simulate

pytestmark = pytest.mark.long
NOTHING_AT_STAKE = Stakes(behind=np.zeros(2), spread=0.0, stroke=0.0)
PLAYERS = {
    "search": search.choose,
    "net": net_player.choose,
}


def books_of(game: str, seats: int, budget: int = 60):
    """What the game has, with little time to think."""
    return net_files.brain(minis.load(game).rules, seats)._replace(budget=np.full(1, budget))


def dice_of(seed: int) -> np.ndarray:
    return many_dice(seed, 1)[0]


def a_choice(game: str, seats: int, rng: Random) -> Hole:
    """A hole in which someone has to choose, after some moves that were anyone's."""
    while True:
        hole = begun(game, seats, rng, dealer=rng.randrange(seats), steps=rng.randrange(1, 40 * seats))
        if not hole.is_over:
            return hole


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("game", ["play_nine", "nine_card", "mini_columns"])
def test_every_move_is_legal_and_the_table_is_left_as_it_was(game, name):
    rng = Random(f"{game} {name}")
    seats = list(minis.load(game).seats)
    for number in range(24):
        hole = a_choice(game, seats[number % len(seats)], rng)
        before = hole.state.tobytes()
        move = PLAYERS[name](
            hole.variant.rules, fresh(MATCH), hole.state, dice_of(number), books_of(game, int(hole.state.seats))
        )
        assert move in hole.legal_moves()
        assert hole.state.tobytes() == before


def test_the_same_dice_bring_the_same_thoughts():
    rng = Random(7)
    for seed in range(15):
        hole = a_choice("play_nine", 2, rng)
        rules, brain = hole.variant.rules, books_of("play_nine", 2)
        moves = {int(search.choose(rules, fresh(MATCH), hole.state, dice_of(seed), brain)) for _ in range(3)}
        assert len(moves) == 1


def test_without_a_net_and_without_time_search_plays_as_a_pro():
    rng = Random(9)
    hasty = UNTRAINED._replace(budget=np.zeros(1, np.int64))
    for seed in range(20):
        hole = a_choice("mini_rows", 2, rng)
        assert search_by(hole, seed, hasty) == pro(hole)


def test_without_a_net_search_plays_moves_out():
    """Its moves are legal and the same for the same dice, the table stays as it was, and it may differ from a pro."""
    rng = Random(4)
    others = 0
    for seed in range(tries(24, 96)):
        hole = a_choice(("six_card", "mini_square", "mini_clear", "mini_knock")[seed % 4], 2, rng)
        before = hole.state.tobytes()
        move = search_by(hole, seed, UNTRAINED)
        assert move in hole.legal_moves()
        assert move == search_by(hole, seed, UNTRAINED)
        assert hole.state.tobytes() == before
        others += move != pro(hole)
    assert others


def search_by(hole: Hole, seed: int, brain) -> int:
    return int(search.choose(hole.variant.rules, fresh(MATCH), hole.state, dice_of(seed), brain))


def pro(hole: Hole) -> int:
    """The move of a pro without a taste."""
    return int(choose_by(playouts.POLICY, hole.variant.rules, hole.state))


def test_a_net_for_two_is_no_use_to_three():
    hole = a_choice("play_nine", 3, Random(2))
    brain = UNTRAINED._replace(net=untrained("play_nine", 2), budget=np.zeros(1, np.int64))
    assert search_by(hole, 1, brain) == pro(hole)


def test_only_moves_that_look_best_are_played_out_and_no_longer_than_the_budget():
    rng, thought_about = Random(3), 0
    net = untrained("play_nine", 2)
    for seed in range(tries(30, 60)):
        hole = a_choice("play_nine", 2, rng)
        move_values = weighed(hole, net)
        looked = move_values.copy()
        spent = search.think(hole.variant.rules, net, hole.state, dice_of(seed), 300, 4, NOTHING_AT_STAKE, move_values)
        one_lot = search.ROUNDS * search.MOST_MOVES * (4 + 1)
        assert spent < 300 + one_lot
        left = move_values < net_turn.NEVER
        assert (looked[left] <= looked.min() + search.MARGIN).all()
        assert left.any()
        thought_about += spent > 0
    assert thought_about > 3


def test_search_beats_greedy_by_far():
    brain = books_of("play_nine", 2, budget=20)
    results = simulate(minis.load("play_nine"), 2, ["search", "greedy"], seed=11, holes=120, threads=1, brain=brain)
    mine, theirs = results.summary()["points_per_hole"]
    assert mine - theirs < -4, "two standard errors above what it wins by in the long run"
