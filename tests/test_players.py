"""What the computer players choose."""

from collections import Counter
from random import Random

import minis
import numpy as np
import pytest
from holes import GAMES, a_hole, choices
from reference_players import PLAYERS
from table import table
from thinking import chosen, holding, think

from mulligan.engine.chance import many_dice, stock_bag
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, PASS, STOCK, Phase
from mulligan.folders import trained_folder
from mulligan.game.hole import Hole
from mulligan.game.words import Words
from mulligan.players.declining import can_only_cost
from mulligan.players.values.brain import UNTRAINED
from mulligan.server import bots
from mulligan.server.table.rights import must_be_player
from mulligan.terminal.seats import read_kind

RANDOM, GREEDY = "random", "greedy"


@pytest.mark.long
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("game", GAMES)
def test_players_move_by_the_rules_and_change_nothing_and_few_roll_dice(game, player):
    for hole in choices(*a_hole(game, 5)):
        before = hole.state.tobytes()
        moves = [think(player, hole, many_dice(seed, 1)[0]) for seed in (1, 1, 2)]
        assert {*moves} <= {*hole.legal_moves()}
        assert hole.state.tobytes() == before
        assert moves[0] == moves[1]
        assert moves[0] == moves[2] or player in (RANDOM, "search")


def test_random_chooses_each_legal_move_as_often():
    told = table("play_nine", "7 ? 1 ? / ? ? ? ?", "7 3 1 2 / ? ? ? ?", discards="9")
    dice = many_dice(1, 1)[0]
    assert Counter(think(RANDOM, told.hole, dice) for _ in range(2000)).keys() == {STOCK, DISCARD}
    holding(told, "5")
    seen = Counter(think(RANDOM, told.hole, dice) for _ in range(9000))
    assert sorted(seen) == told.hole.legal_moves() == [*range(8), DISCARD_DRAWN]
    assert all(850 < count < 1150 for count in seen.values())


def test_greedy_makes_a_line():
    told = table("play_nine", "7 ? 1 ? / 12 ? ? ?", "7 3 1 2 / ? ? ? ?", discards="7")
    assert chosen(told, GREEDY) == "discard"
    told.hole.play(DISCARD)
    assert chosen(told, GREEDY) == "a2"


def test_greedy_takes_a_hole_in_one_and_gives_away_its_dearest_card():
    told = table("play_nine", "7 3 11 ? / 12 ? ? ?", "7 3 1 2 / ? ? ? ?", discards="H")
    assert chosen(told, GREEDY) == "discard"
    told.hole.play(DISCARD)
    assert chosen(told, GREEDY) == "a2"


def test_greedy_throws_a_bad_card_away():
    told = table("play_nine", "0 1 2 ? / 1 0 1 ?", "7 3 1 2 / ? ? ? ?", discards="12")
    assert chosen(told, GREEDY) == "stock"
    assert chosen(holding(told, "12"), GREEDY) == "-"


def test_greedy_breaks_no_line():
    told = table("nine_card", "Q Q Q / J J J / 10 2 ?", "7 3 2 / ? ? ? / ? ? ?", discards="4")
    assert chosen(holding(told, "8"), GREEDY) == "a3"


def test_greedy_counts_the_cards():
    """Every other 9 is gone, so a card under which no 9 can lie makes no line."""
    told = table("play_nine", "9 3 ? ? / ? ? 3 9", "9 9 9 9 / 9 9 ? ?", discards="12")
    assert chosen(holding(told, "12"), GREEDY) == "-"
    told.hole.play(DISCARD_DRAWN)
    assert chosen(told, GREEDY) in ("b2", "c1"), "a second 3 may come; a ninth 9 cannot"


@pytest.mark.long
@pytest.mark.parametrize("game", ["play_nine", "nine_card", "mini_columns", "mini_rows", "brisk_six"])
def test_greedy_finds_the_best_of_one_turn(game):
    """Each choice is weighed once more by going through every card that may come."""
    rng = Random(game)
    variant = minis.load(game)
    tried = Counter()
    while tried.total() < 60:
        seats = rng.choice(variant.seats)
        hole = Hole(variant, seats, 0)
        stop = rng.randrange(3, 90)
        for _ in choices(hole, rng):
            if len(hole.steps) >= stop and hole.state.phase != Phase.TEE_OFF:
                tried[hole.state.phase] += 1
                values = Turn(hole).values()
                assert sorted(values) == hole.legal_moves()
                move = think(GREEDY, hole, many_dice(1, 1)[0])
                if move == PASS and hole.state.phase == Phase.TAKE and can_only_cost(variant.rules, hole.state):
                    break  # a line that face-down cards may complete is worth more than their mean
                assert values[move] <= min(values.values()) + 1e-6
                break
    assert {Phase.TAKE, Phase.PLACE} <= tried.keys()


class Turn:
    """A turn thought through: layouts are lists, bags are Counters, what is hidden costs the mean."""

    def __init__(self, hole: Hole) -> None:
        self.hole, self.rules = hole, hole.variant.rules
        state = hole.state
        self.layout = state.players[hole.turn].layout[: self.rules.slots].tolist()
        self.unseen = self.count(state.unseen)
        self.stock = self.count(stock_bag(state))
        self.last_turn = state.closer >= 0

    def count(self, counts) -> Counter:
        return Counter({face: count for face, count in enumerate(counts.tolist()) if count})

    def values(self) -> dict[int, float]:
        """What each legal move is worth."""
        state = self.hole.state
        if state.phase == Phase.TAKE:
            values = {STOCK: self.of_stock(), DISCARD: min(self.placed(int(state.discard), self.unseen).values())}
            if self.last_turn and self.rules.may_decline_last_turn:
                values[PASS] = self.cost(self.layout, self.unseen)
            return values
        if state.phase == Phase.PLACE:
            values = self.placed(int(state.held), self.unseen)
            if state.held_from_stock and self.rules.may_discard_drawn:
                values[DISCARD_DRAWN] = self.discarded(self.unseen)
            return values
        return self.turned_up(self.unseen)

    def of_stock(self) -> float:
        value = 0.0
        for face, count in self.stock.items():
            unseen = self.unseen if self.hole.state.renewed else self.unseen - Counter([face])
            options = list(self.placed(face, unseen).values())
            if self.rules.may_discard_drawn:
                options.append(self.discarded(unseen))
            value += min(options) * count / self.stock.total()
        return value

    def placed(self, face: int, unseen: Counter) -> dict[int, float]:
        return {slot: self.mean_after(slot, unseen, face) for slot in range(len(self.layout))}

    def discarded(self, unseen: Counter) -> float:
        ends_turn = self.last_turn or self.rules.discard_ends_turn
        return self.cost(self.layout, unseen) if ends_turn else min(self.turned_up(unseen).values())

    def turned_up(self, unseen: Counter) -> dict[int, float]:
        hidden = [slot for slot, face in enumerate(self.layout) if face == HIDDEN]
        values = {slot: self.mean_after(slot, unseen) for slot in hidden}
        if self.rules.may_leave_last and len(hidden) == 1:
            values[PASS] = self.cost(self.layout, unseen)
        return values

    def mean_after(self, slot: int, unseen: Counter, instead: int | None = None) -> float:
        """The mean over what may come up on the slot, of the layout with that card or another on it."""
        coming = unseen if self.layout[slot] == HIDDEN else Counter([self.layout[slot]])
        value = 0.0
        for face, count in coming.items():
            after = [*self.layout]
            after[slot] = face if instead is None else instead
            left = unseen - Counter([face]) if self.layout[slot] == HIDDEN else unseen
            value += self.cost(after, left) * count / coming.total()
        return value

    def cost(self, layout: list[int], unseen: Counter) -> float:
        rules = self.rules
        mean = sum(int(rules.points[face]) * count for face, count in unseen.items()) / max(unseen.total(), 1)
        grid = np.array(layout).reshape(rules.rows, rules.columns)
        total, matched = 0.0, Counter()
        for line in (grid.T if rules.lines_are_columns else grid).tolist():
            if len(set(line)) == 1 and line[0] != HIDDEN:
                matched[line[0]] += 1
            else:
                total += sum(mean if face == HIDDEN else int(rules.points[face]) for face in line)
        for face, lines in matched.items():
            replaced = rules.bonus_replaces and lines > 1
            total += int(rules.bonus[lines]) + (0 if replaced else lines * int(rules.line_points[face]))
        return total


def test_without_a_net_the_player_that_needs_one_plays_as_greedy_does():
    rng = Random(6)
    hole = Hole(minis.load("play_nine"), 2, 0)
    rules, match = hole.variant.rules, fresh(MATCH)
    for _ in choices(hole, rng):
        dice = many_dice(rng.randrange(99), 1)[0]
        assert PLAYERS["net"].choose(rules, match, hole.state, dice, UNTRAINED) == think(GREEDY, hole, dice)


@pytest.mark.parametrize("name", ["book", "eye", "linear", "patient", "plain_book", "threshold"])
def test_games_with_players_of_earlier_versions_go_on(name):
    """Stored games name them."""
    hole = Hole(minis.load("mini_rows"), 2, 0)
    hole.turn_up(0)
    must_be_player(name)
    move = bots.think(name, hole.variant.rules, fresh(MATCH), hole.state, many_dice(1, 1)[0])
    assert move in hole.legal_moves()
    assert read_kind(Words("en"), name) in PLAYERS


def test_the_players_of_the_tests_have_the_nets_of_the_package():
    """Not those that this machine's user has trained, which may play in another way."""
    folder = trained_folder()
    assert folder is None or not folder.exists()
