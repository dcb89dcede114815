"""The course “play better”: mistakes come under the right habit, and every stored position is what its file says."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from math import hypot
from typing import Any

import course as measuring
import play_better_page
import pytest
from translations import messages

from mulligan.coach import play_better
from mulligan.coach.advice import advise
from mulligan.coach.calibration import SURE
from mulligan.coach.findings import CLOSE_CALL, Reason
from mulligan.coach.habits import HABITS, SEEN_IN_REASON, habit_of
from mulligan.coach.lessons import legal_of
from mulligan.coach.play_better import Exercise, Habit
from mulligan.coach.rollouts import FULL, Doubt, roll_out
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, PASS, STOCK
from mulligan.game import rulebook, variants
from mulligan.game.hole import Hole
from mulligan.game.position import set_table
from mulligan.game.score_parts import matched_slots
from mulligan.game.variants import Variant, for_seats
from mulligan.players import net_files
from mulligan.players.roster import LEVELS

AGAIN = 40  # playouts of each position
ROUNDED = 0.01  # strokes, in the files
MOST_BYTES = 60_000  # of all files together: they travel with the package
PLAY_NINE = variants.load("play_nine")
NO_REASON = Reason("better", {})


@pytest.fixture(params=variants.games())
def game(request: pytest.FixtureRequest) -> Variant:
    return for_seats(variants.load(request.param), 2)


def exercises_of(game: Variant) -> Iterator[tuple[Habit, Exercise]]:
    for habit in play_better.load(game):
        for exercise in habit.exercises:
            yield habit, exercise


def state_of(exercise: Exercise) -> Any:
    assert exercise.task.position
    return exercise.task.position.state


def test_every_game_has_its_five_habits_and_they_stay_small() -> None:
    assert play_better.names() == sorted(variants.games())
    assert sum(file.stat().st_size for file in play_better.FOLDER.glob("*.json")) <= MOST_BYTES
    for name in play_better.names():
        habits = play_better.load(variants.load(name))
        assert len({habit.name for habit in habits}) == len(habits) == 5
        assert {len(habit.exercises) for habit in habits} <= {3, 4}
        assert [habit.cost for habit in habits] == sorted((habit.cost for habit in habits), reverse=True)


def test_with_house_rules_there_is_none() -> None:
    """What a habit costs was measured for the named game only."""
    option, values = next(iter(PLAY_NINE.facts.options.items()))
    assert play_better.load(variants.for_match(PLAY_NINE, {option: values[1]})) == []


def test_a_file_tells_how_it_was_measured(game: Variant) -> None:
    found = play_better.measured(game.name)
    assert re.fullmatch(r"[0-9a-f]{7,}\+?", found["commit"])
    assert found["machine"]
    assert found["game"] == game.name
    assert set(found["players"]) <= set(LEVELS)
    assert found["holes"] >= 400
    assert sum(habit["cost"] for habit in found["habits"]) < found["mistakes"]
    for habit in found["habits"]:
        assert habit["cost"] > 3 * habit["error"], f"{habit['habit']}: more holes are needed"


def test_the_right_moves_of_a_position_are_legal_and_the_mistake_is_none_of_them(game: Variant) -> None:
    for habit, (task, usual) in exercises_of(game):
        assert task.position
        assert [choice.move for choice in task.choices] == legal_of(game, task.position.state)
        right = [choice for choice in task.choices if choice.is_right]
        assert right, habit.name
        assert all(choice.scenes and choice.next is None for choice in right)
        assert usual.move in {choice.move for choice in task.choices if not choice.is_right}
        assert 0.3 <= usual.low <= usual.loss <= usual.high


@pytest.mark.long
def test_in_every_position_the_coach_says_what_the_file_says(game: Variant) -> None:
    """The right moves are the best ones, all others are clearly worse, and the mistake shows the habit."""
    for habit, (task, usual) in exercises_of(game):
        assert task.position
        state = task.position.state
        rated = advise(Hole.at(game, state))
        behind = {one.code: one.worth - rated[0].worth for one in rated}
        for choice in task.choices:
            is_best = behind[choice.move] <= CLOSE_CALL
            assert is_best == choice.is_right, habit.name
            assert is_best or behind[choice.move] >= measuring.CLEAR, habit.name
        played = next(one for one in rated if one.code == usual.move)
        assert not played.equal
        assert rated[0].why == usual.praise
        assert usual.against in (None, played.why)
        assert (usual.against is not None) == (habit.name in SEEN_IN_REASON)
        assert habit_of(game, state, usual.move, rated[0].code, played.why, rated[0].why) == habit.name


@pytest.mark.long
def test_played_out_again_with_other_dice_every_mistake_costs_what_its_file_says(game: Variant) -> None:
    """But for the noise of both."""
    brain, found = net_files.coach_brain(game.rules, 2), list(exercises_of(game))
    best = [next(choice.move for choice in one.task.choices if choice.is_right) for _, one in found]
    doubts = [
        Doubt(game.rules, brain, state_of(one), one.usual.move, move)
        for (_, one), move in zip(found, best, strict=True)
    ]
    again = roll_out(doubts, FULL._replace(playouts=AGAIN, seed=7), threads=1)
    for (habit, one), cost in zip(found, again, strict=True):
        error = hypot(cost.high - cost.low, one.usual.high - one.usual.low) / 2 / SURE
        assert abs(cost.loss - one.usual.loss) < 4 * error + ROUNDED, habit.name


@pytest.mark.parametrize("language", rulebook.LANGUAGES)
def test_every_habit_has_its_words(language: str) -> None:
    words = messages(language)
    for name in play_better.names():
        for habit, (task, usual) in exercises_of(variants.load(name)):
            wanted = {f"learn_{kind}_{habit.name}" for kind in ("idea", "lead", "hint")}
            reasons = [usual.praise, *([usual.against] if usual.against else [])]
            wanted |= {f"learn_do_{task.id}", *(f"coach_why_{reason.key}" for reason in reasons)}
            assert wanted <= words.keys()
            assert habit.rule in rulebook.book(language).rules


def habit_at(played: int, best: int, why: Reason = NO_REASON, praise: Reason = NO_REASON, **table: Any) -> str | None:
    layouts = ["7 ? 1 ? / 11 ? ? ?", "? 3 ? ? / 5 ? ? ?"]
    state = set_table(PLAY_NINE, table.pop("layouts", layouts), table.pop("discard", "12"), **table)
    return habit_of(PLAY_NINE, state, played, best, why, praise)


def test_mistakes_in_taking_a_card_come_under_their_habit() -> None:
    assert habit_at(DISCARD, STOCK) == "takes_dear"
    assert habit_at(DISCARD, STOCK, discard="4") == "takes_little"
    assert habit_at(STOCK, DISCARD) == "leaves_good"
    assert habit_at(STOCK, PASS) is habit_at(PASS, DISCARD) is None


def test_mistakes_with_a_card_in_hand_come_under_their_habit() -> None:
    hidden, open_slot = 1, 4
    assert habit_at(DISCARD_DRAWN, hidden, held="4") == "throws_good"
    assert habit_at(hidden, DISCARD_DRAWN, held="4") == "keeps_poor"
    assert habit_at(open_slot, hidden, held="4") == "covers_open"
    assert habit_at(hidden, open_slot, held="4") == "covers_hidden"
    assert habit_at(hidden, open_slot, held="4", praise=Reason("matches", {})) == "misses_line"
    assert habit_at(hidden, hidden + 2, held="4") is None
    assert habit_at(hidden, hidden + 2, discarded=True) == "turns_wrong"


def test_what_explains_a_mistake_goes_before_the_move() -> None:
    assert habit_at(1, 4, Reason("feeds_match", {}), held="4") == "feeds"
    assert habit_at(1, 4, Reason("feeds_match", {"part": 1}), held="4") == "covers_hidden"
    assert habit_at(1, 4, Reason("closes_behind", {}), held="4") == "closes_early"
    assert habit_at(1, 4, Reason("closes", {}), held="4") == "closes_early"
    assert habit_at(1, 4, Reason("closes", {"but": "a2"}), held="4") == "covers_hidden"
    assert habit_at(DISCARD, STOCK, Reason("closes", {})) == "takes_dear"
    assert habit_at(STOCK, DISCARD, Reason("misses_close", {})) == "closes_late"


def test_mistakes_in_teeing_off_are_told_apart_by_what_is_better() -> None:
    layouts = ["7 ? ? ? / ? ? ? ?", "? ? ? ? / ? ? ? ?"]
    assert habit_at(4, 1, praise=Reason("flip_apart", {}), layouts=layouts) == "tees_beside"
    assert habit_at(1, 4, praise=Reason("flip_beside", {}), layouts=layouts) == "tees_apart"
    assert habit_at(1, 4, praise=Reason("first_card", {}), layouts=layouts) is None


def lying(game: Variant, layout: list[int]) -> list[int]:
    """The open cards of a layout; a line of equal ones has left it (3.7)."""
    left = matched_slots(game, layout)
    return [face for slot, face in enumerate(layout) if face != HIDDEN and slot not in left]


@pytest.mark.long
def test_the_pile_that_is_followed_has_the_cards_that_are_gone() -> None:
    game = for_seats(variants.load("twelve_card"), 2)
    for number in range(3):
        hole: Hole = measuring.hole_of(game, 1, number)
        states = measuring.HoleAnalysis(1, hole, number % 2, [0, 1]).traces.states
        for pile, state in zip(measuring.piles_of(game, hole, states)[1:], states[1:], strict=True):
            if state["stock_left"] + state["players"]["hidden"][:2].sum() != state["unseen"].sum():
                continue  # a card is on its way
            layouts = [layout[: game.rules.slots].tolist() for layout in state["players"]["layout"][:2]]
            shown = Counter(face for layout in layouts for face in lying(game, layout))
            in_hand = Counter([int(state["held"])] if state["held"] >= 0 else [])
            seen = Counter(
                {face: int(game.rules.copies[face] - state["unseen"][face]) for face in range(game.rules.faces)}
            )
            assert Counter(pile) + shown + in_hand == +seen


@pytest.mark.long
def test_the_same_seed_finds_the_same_positions_and_another_one_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "HABITS", 1)
    monkeypatch.setattr(measuring, "POSITIONS", 1)
    game = for_seats(variants.load("four_card"), 2)
    first, again, other = (measuring.measure(game, 12, seed) for seed in (1, 1, 2))
    assert first == again
    assert first["habits"][0]["positions"] != other["habits"][0]["positions"]
    assert json.loads(measuring.written(first)) == json.loads(json.dumps(first))


def test_every_habit_names_a_rule_of_the_book() -> None:
    assert set(HABITS.values()) <= set(rulebook.book("en").rules)


def test_the_page_about_the_habits_is_as_the_command_writes_it() -> None:
    """Run `.venv/bin/python tools/play_better_page.py`."""
    assert play_better_page.FILE.read_text(encoding="utf-8") == play_better_page.text()
