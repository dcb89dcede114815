"""The levels for people."""

import pytest
from commands import mulligan
from holes import positions
from table import table
from thinking import holding, written

from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH, begin_match, player_at
from mulligan.engine.rules import MAX_SEATS
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, Phase
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.players import net_files
from mulligan.players.levels import BEGINNER, CLUB, PRO, REGULAR, WEEKEND, traits_in
from mulligan.players.look_ahead import choose_by
from mulligan.players.roster import LEVELS, PLAYERS
from mulligan.players.tastes import NO_TASTE
from mulligan.server.wire.game_facts import facts

QUICK_LEVELS = [name for name in LEVELS if name != "search"]


# Mistakes people make


def move_of(level, hole) -> int:
    """The move of someone of this level who has no taste and no net."""
    rules = hole.variant.rules
    return int(choose_by(traits_in(level, rules, NO_TASTE), rules, hole.state))


@pytest.mark.parametrize("level", [BEGINNER, WEEKEND, REGULAR], ids=QUICK_LEVELS[:3])
def test_nobody_throws_the_best_card_of_the_game_away(level):
    seen = 0
    for hole in positions("play_nine", 1, 30):
        state = hole.state
        if state.phase == Phase.PLACE and hole.variant.faces[state.held] == "H" and state.held_from_stock:
            layout = state.players[hole.turn].layout
            if any(face != state.held and layout[(slot + 4) % 8] != face for slot, face in enumerate(layout[:8])):
                seen += 1
                assert move_of(level, hole) != DISCARD_DRAWN
    assert seen > 10


def test_a_beginner_sees_what_matches():
    seen = 0
    for hole in positions("play_nine", 2, 30):
        state = hole.state
        layout = state.players[hole.turn].layout.tolist()
        waits = any(layout[slot] == state.discard and layout[(slot + 4) % 8] == HIDDEN for slot in range(8))
        if state.phase == Phase.TAKE and waits and hole.variant.faces[state.discard] != "H":
            seen += 1
            assert move_of(BEGINNER, hole) == DISCARD
    assert seen > 10


def test_a_beginner_cannot_bear_a_card_lying_face_down():
    told = table("play_nine", "0 4 ? ? / 4 0 ? ?", "7 3 1 2 / ? ? ? ?", discards="8")
    assert written(told, move_of(BEGINNER, told.hole)) == "discard"
    assert written(told, move_of(REGULAR, told.hole)) == "stock"
    told.hole.play(DISCARD)
    assert written(told, move_of(BEGINNER, told.hole)) == "c1"


def test_a_weekend_player_does_not_remember_what_is_gone():
    """Every other 9 is gone, so under a 9 no 9 can lie."""
    told = table("play_nine", "9 3 ? ? / ? ? 3 9", "9 9 9 9 / 9 9 ? ?", discards="12")
    holding(told, "12").hole.play(DISCARD_DRAWN)
    assert written(told, move_of(WEEKEND, told.hole)) in ("a2", "d1")
    assert written(told, move_of(REGULAR, told.hole)) in ("b2", "c1")


def test_a_regular_thinks_no_further_than_this_turn():
    """The last card may stay face down (3.4) while there is time to make the 9 a pair."""
    told = table("play_nine", "9 0 1 2 / ? 0 1 2", "? ? ? ? / ? ? 7 8", discards="12")
    holding(told, "10").hole.play(DISCARD_DRAWN)
    assert written(told, move_of(REGULAR, told.hole)) == "a2"
    assert written(told, move_of(CLUB, told.hole)) == "pass"


def test_a_club_player_does_not_look_at_what_the_next_one_waits_for():
    told = holding(table("play_nine", "11 10 0 ? / 1 2 ? 0", "11 3 ? ? / ? ? ? ?", discards="12"), "3")
    assert written(told, move_of(CLUB, told.hole)) == "a1"
    assert written(told, move_of(PRO, told.hole)) == "b1"


def test_only_a_pro_thinks_of_the_closers_penalty():
    told = holding(table("nine_card", "A 4 2 / 3 4 2 / 3 5 ?", "K K 2 / A K A / ? ? ?", discards="Q"), "A")
    assert written(told, move_of(REGULAR, told.hole)) == "c3"
    assert written(told, move_of(PRO, told.hole)) == "b3"


# Tastes


def move_at(place: int, level: str, hole, absent: int) -> int:
    """What the player of that number does, whose turn it is; so many players with lower numbers have left (6.3)."""
    rules, match = hole.variant.rules, fresh(MATCH)
    begin_match(rules, match, MAX_SEATS)
    match.at_table[:absent] = 0
    assert player_at(match, hole.turn) == place
    brain = net_files.brain_for([level], rules, hole.sight.seats)
    return int(PLAYERS[level].choose(rules, match, hole.state, many_dice(1, 1)[0], brain))


@pytest.mark.long
@pytest.mark.parametrize("level", QUICK_LEVELS)
def test_two_players_of_a_level_differ_in_some_moves_and_agree_on_others(level):
    agree = set()
    for hole in positions("play_nine", 3, 6):
        if hole.turn < 2:
            one, other = (move_at(hole.turn + absent, level, hole, absent) for absent in (1, 2))
            agree.add(one == other)
    assert agree == {True, False}


def test_two_regulars_turn_up_different_cards_to_begin_with():
    hole = Hole(variants.load("play_nine"), 2, 0)
    moves = {move_at(hole.turn + absent, "regular", hole, absent) for absent in range(4)}
    assert len(moves) == 4


def test_players_keep_their_taste_in_a_play_off():
    """Of four players the first two have left."""
    whole, playoff = Hole(variants.load("play_nine"), 4, 3), Hole(variants.load("play_nine"), 2, 1)
    assert (whole.turn, playoff.turn) == (3, 1)
    assert move_at(3, "regular", whole, 0) == move_at(3, "regular", playoff, 2)


# What people are told of them


def test_people_choose_among_the_levels_the_weakest_first():
    assert [player.name for player in facts("").players] == list(LEVELS)


def test_the_help_of_the_terminal_game_names_every_level():
    told = mulligan("play", "--help").stdout
    assert all(f"\n  {level} " in told for level in LEVELS)
