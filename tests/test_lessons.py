"""The lessons: the engine plays them, and what they claim is true."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from translations import messages

from mulligan.coach import lessons as tutorial
from mulligan.coach.advice import advise
from mulligan.coach.analysis import MOVE_PHASES
from mulligan.coach.findings import CLOSE_CALL
from mulligan.coach.habits import HABITS
from mulligan.coach.lessons import LEARNER, MISTAKES, Choice, Task, Tutorial, TutorialError
from mulligan.engine.replay import replay
from mulligan.engine.scoring import has_penalty
from mulligan.engine.state import NOBODY, PASS, Phase
from mulligan.game import rulebook, shipped, variants
from mulligan.game.hole import Hole, look_at
from mulligan.game.notation import as_array
from mulligan.game.score_parts import explain, matched_slots
from mulligan.game.variants import Variant

LANGUAGES = rulebook.LANGUAGES
COACHED = {"misses_match", "misses_cheap", "discards_match", "breaks", "raises", "dear", "closes_behind", "feeds"}


@pytest.fixture(scope="session", params=tutorial.names())
def lesson(request: pytest.FixtureRequest) -> Tutorial:
    told = tutorial.load(variants.load(request.param))
    assert told is not None
    return told


def tasks_of(lesson: Tutorial) -> Iterator[Task]:
    for idea in lesson.ideas:
        yield from idea.tasks


def moves_of(lesson: Tutorial) -> list[Task]:
    return [task for task in tasks_of(lesson) if task.kind == "move"]


def right_of(task: Task) -> list[Choice]:
    return [choice for choice in task.choices if choice.is_right]


def seen(state: Any) -> tuple[Any, ...]:
    """All that a state says."""
    return look_at(state), state.unseen.tolist(), state.stock.tolist()


def test_every_game_of_the_package_has_lessons() -> None:
    assert tutorial.names() == sorted(variants.games())


def test_a_game_of_ones_own_has_none(tmp_path: Path) -> None:
    text = (shipped.FOLDER / "nine_card.toml").read_text(encoding="utf-8")
    assert tutorial.load(variants.parse(text, tmp_path / "kitchen.toml")) is None


def test_a_game_with_house_rules_has_none() -> None:
    """What a lesson says holds for the named game only."""
    for game in tutorial.names():
        own = variants.load(game)
        for option, values in own.facts.options.items():
            for value in values[1:]:
                assert tutorial.load(variants.for_match(own, {option: value})) is None


def test_a_lesson_takes_about_five_minutes(lesson: Tutorial) -> None:
    """Twenty to thirty seconds for each idea."""
    assert 10 <= len(lesson.ideas) <= 13
    assert len({idea.id for idea in lesson.ideas}) == len(lesson.ideas)


def test_the_ideas_cover_the_game(lesson: Tutorial) -> None:
    """Every rule by which the variant can differ from another is taught where the variant has it."""
    rules = lesson.variant.rules
    taught = {rule for idea in lesson.ideas for rule in idea.rules}
    assert {"2.4", "3.1", "3.2", "3.3", "3.4", "4.1", "4.2", "4.3", "5.1", "5.2", "6.2"} <= taught
    assert ("5.3" in taught) == bool(rules.line_points.any())
    assert ("5.4" in taught) == bool(rules.bonus.any())
    assert ("5.6" in taught) == bool(has_penalty(rules))
    assert ("3.7" in taught) == bool(rules.lines_clear)
    claims = {claim for task in tasks_of(lesson) for claim in task.claims}
    assert {"best", "line", "closes", "stays_hidden", "over"} <= claims
    assert ("bonus" in claims) == bool(rules.bonus.any())


def test_every_move_of_a_lesson_is_legal_and_every_legal_move_is_answered(lesson: Tutorial) -> None:
    for task in moves_of(lesson):
        assert task.position is not None
        assert [choice.move for choice in task.choices] == tutorial.legal_of(lesson.variant, task.position.state)
        assert right_of(task), task.id
        for choice in task.choices:
            assert bool(choice.scenes) == choice.is_right, task.id
            assert choice.is_right or choice.next is None


def test_what_follows_a_right_move_is_what_the_engine_makes_of_it(lesson: Tutorial) -> None:
    """Step after step again from the same position, with an engine of one's own."""
    for task in moves_of(lesson):
        assert task.position is not None
        for choice in right_of(task):
            state = task.position.state.copy()
            steps = as_array([scene.outcome.step for scene in choice.scenes])
            assert replay(lesson.variant.rules, state, steps) == len(steps), task.id
            after = choice.scenes[-1].after
            assert seen(state) == seen(after.state), task.id
            assert after.state.discard == (after.pile[-1] if state.phase != Phase.PLACE else after.state.discard)


def test_each_right_move_leads_on_to_the_position_of_the_next_task(lesson: Tutorial) -> None:
    for idea in lesson.ideas:
        reached = {0}
        for task in idea.tasks:
            for choice in right_of(task):
                if choice.next is not None:
                    reached.add(choice.next)
                    following = idea.tasks[choice.next].position
                    if following is not None:
                        assert seen(following.state) == seen(choice.scenes[-1].after.state)
        assert reached == set(range(len(idea.tasks))), idea.id


def best(variant: Variant, task: Task, choice: Choice) -> bool:
    """As good as any by the coach's count, and every move called wrong is worse."""
    assert task.position is not None
    state = task.position.state
    ranked = advise(Hole.at(variant, state))
    losses = {one.code: one.worth - ranked[0].worth for one in ranked}
    wrong = [losses[other.move] for other in task.choices if not other.is_right]
    return losses[choice.move] <= CLOSE_CALL and min(wrong, default=1.0) > CLOSE_CALL


def mine(variant: Variant, state: Any) -> list[int]:
    return [int(face) for face in state.players[LEARNER].layout[: len(variant.slots)]]


def more_lines(variant: Variant, task: Task, choice: Choice) -> bool:
    assert task.position is not None
    before, after = mine(variant, task.position.state), mine(variant, choice.scenes[0].after.state)
    return matched_slots(variant, after) > matched_slots(variant, before)


def bonus(variant: Variant, task: Task, choice: Choice) -> bool:
    assert task.position is not None
    rules = [part.rule for part in explain(variant, mine(variant, task.position.state)).parts]
    after = [part.rule for part in explain(variant, mine(variant, choice.scenes[0].after.state)).parts]
    return "5.4" in after and "5.4" not in rules


def cheapest(variant: Variant, task: Task, choice: Choice) -> bool:
    """No other open card saves as much."""
    assert task.position is not None
    before = explain(variant, mine(variant, task.position.state)).points
    held = int(task.position.state.held)
    saved = before - explain(variant, mine(variant, choice.scenes[0].after.state)).points
    layout = mine(variant, task.position.state)
    others = [
        before - explain(variant, [*layout[:slot], held, *layout[slot + 1 :]]).points
        for slot, face in enumerate(layout)
        if face >= 0 and slot != choice.move
    ]
    return saved > max(others) and saved > 0


def closes(variant: Variant, task: Task, choice: Choice) -> bool:
    scenes = choice.scenes
    first = task.position is not None and task.position.state.closer == NOBODY and scenes[0].outcome.closed
    return first and scenes[0].after.state.closer == LEARNER and scenes[-1].after.state.phase == Phase.OVER


def stays_hidden(variant: Variant, task: Task, choice: Choice) -> bool:
    """Another move would have closed; after this one the hole goes on, with the one card face down."""
    assert task.position is not None
    after = choice.scenes[-1].after.state
    tempting = [other for other in task.choices if not other.is_right and other.move != PASS]
    return int(after.players[LEARNER].hidden) == 1 and after.closer == NOBODY and bool(tempting)


def penalty(variant: Variant, task: Task, choice: Choice) -> bool:
    parts = tutorial.explain_hole(variant, choice.scenes[-1].after.state, LEARNER).parts
    return any(part.rule == "5.6" and part.points > 0 for part in parts)


def over(variant: Variant, task: Task, choice: Choice) -> bool:
    """It was a last turn, of someone who had not closed."""
    assert task.position is not None
    ended = choice.scenes[-1].after.state.phase == Phase.OVER
    return ended and task.position.state.closer not in (NOBODY, LEARNER)


CLAIMS = {
    "best": best,
    "line": more_lines,
    "bonus": bonus,
    "cheaper": cheapest,
    "closes": closes,
    "stays_hidden": stays_hidden,
    "penalty": penalty,
    "over": over,
}


@pytest.mark.long
def test_what_each_idea_claims_is_true(lesson: Tutorial) -> None:
    for task in moves_of(lesson):
        for claim in task.claims:
            for choice in right_of(task):
                assert CLAIMS[claim](lesson.variant, task, choice), f"{task.id}: {claim}"
        assert task.claims or len(right_of(task)) == len(task.choices), (
            f"{task.id} calls a move right, and says not why"
        )


def test_most_wrong_moves_are_answered_with_a_reason_of_their_own(lesson: Tutorial) -> None:
    """The engine's reason, beside the idea's own nudge."""
    wrong = [choice for task in moves_of(lesson) for choice in task.choices if not choice.is_right]
    reasons = [choice.why.key for choice in wrong if choice.why]
    assert len(reasons) > len(wrong) / 2
    assert set(reasons) & COACHED


def test_whatever_else_can_be_tapped_is_refused_with_the_rule_the_engine_stands_on(lesson: Tutorial) -> None:
    slots = len(lesson.variant.slots)
    for task in moves_of(lesson):
        legal = {choice.move for choice in task.choices}
        assert not legal & set(task.objections)
        assert {move for move in range(slots) if move not in legal} <= set(task.objections), task.id
        for against in task.objections.values():
            assert re.fullmatch(r"[1-6]\.[1-9]", tutorial.rule_of(against)), against


def test_each_question_has_one_right_answer_among_three(lesson: Tutorial) -> None:
    for task in tasks_of(lesson):
        if task.kind == "move":
            continue
        right = [guess for guess in task.guesses if not guess.mistake]
        assert len(right) == 1, task.id
        assert len({guess.value for guess in task.guesses}) == len(task.guesses), f"{task.id}: two answers are the same"
        if task.kind == "points":
            assert len(task.guesses) == 3
            assert task.score is not None
            assert right[0].value == task.score.points == sum(part.points for part in task.score.parts)
        else:
            assert task.position is not None
            hole = [int(player.points) for player in task.position.state.players[: int(task.position.state.seats)]]
            totals = [before + points for before, points in zip(task.totals, hole, strict=True)]
            assert totals.index(min(totals)) == right[0].value
            assert totals.count(min(totals)) == 1


def test_a_wrong_answer_is_what_somebody_counts_who_forgets_a_rule() -> None:
    play_nine, nine_card = variants.load("play_nine"), variants.load("nine_card")

    def count(variant: Variant, layout: str, mistake: str) -> int:
        faces = [int(face) for face in tutorial.read_layout(variant, layout)[: len(variant.slots)]]
        return tutorial.what_is_counted(variant, faces, explain(variant, faces), mistake)

    assert count(play_nine, "7 3 1 2 / 7 6 8 5", "lines") == 39
    assert count(play_nine, "7 3 1 2 / 7 6 8 5", "one_card") == 32
    assert count(play_nine, "7 7 1 2 / 7 7 8 5", "bonus") == 16
    assert count(play_nine, "7 7 1 2 / 7 7 8 5", "lines") == 44
    assert count(play_nine, "H 4 6 2 / H 7 1 0", "exception") == 20
    assert count(nine_card, "9 9 9 / 9 9 9 / A Q J", "bonus") == 24
    assert count(nine_card, "9 9 9 / 9 9 9 / A Q J", "lines") == 78
    assert count(nine_card, "K K K / K K K / A Q J", "bonus") == 4
    assert count(nine_card, "* * * / 4 J 3 / 9 9 2", "exception") == 38


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_that_is_cited_stands_in_the_rule_book(lesson: Tutorial, language: str) -> None:
    cited = {rule for idea in lesson.ideas for rule in idea.rules} | {task.rule for task in tasks_of(lesson)}
    cited |= {tutorial.rule_of(against) for task in tasks_of(lesson) for against in task.objections.values()}
    assert cited <= set(rulebook.book(language).rules)
    for idea in lesson.ideas:
        for task in idea.tasks:
            assert task.rule in (*idea.rules, "3.3"), f"{task.id} leads to a rule its idea is not about"


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_words_for_all_of_it(lesson: Tutorial, language: str) -> None:
    wanted = {f"{kind}_{idea.id}" for idea in lesson.ideas for kind in ("idea", "lead")}
    for task in tasks_of(lesson):
        wanted |= {f"do_{task.id}", f"right_{task.id}"}
        wanted |= {f"no_{against.key}" for against in task.objections.values()}
        wanted |= {f"mistake_{guess.mistake}" for guess in task.guesses if guess.mistake}
        if any(not choice.is_right for choice in task.choices):
            wanted.add(f"hint_{task.id}")
        wanted |= {f"why_{choice.why.key}" for choice in task.choices if choice.why and "strokes" in choice.why.params}
    words = messages(language)
    missing = {f"learn_{key}" for key in wanted} - words.keys()
    missing |= {
        f"coach_why_{choice.why.key}"
        for task in tasks_of(lesson)
        for choice in task.choices
        if choice.why and f"coach_why_{choice.why.key}" not in words
    }
    assert not missing


def test_no_words_are_left_over() -> None:
    lessons = [tutorial.load(variants.load(name)) for name in tutorial.names()]
    ids = {idea.id for lesson in lessons if lesson for idea in lesson.ideas}
    tasks = {task.id for lesson in lessons if lesson for task in tasks_of(lesson)}
    choices = [choice for lesson in lessons if lesson for task in tasks_of(lesson) for choice in task.choices]
    reasons = {choice.why.key for choice in choices if choice.why}
    exercises = {f"course_{phase}" for phase in MOVE_PHASES.values()}
    for key in messages("en"):
        if match := re.match(r"learn_(idea|lead)_(.+)", key):
            assert match[2] in ids | HABITS.keys(), key
        elif match := re.match(r"learn_hint_(.+)", key):
            assert match[1] in tasks | HABITS.keys(), key
        elif match := re.match(r"learn_(do|right)_(.+)", key):
            assert match[2] in tasks | exercises, key
        elif match := re.match(r"learn_mistake_(.+)", key):
            assert match[1] in (*MISTAKES, "winner"), key
        elif match := re.match(r"learn_why_(.+)", key):
            assert match[1] in reasons, key


def change(old: str, new: str) -> str:
    text = (tutorial.FOLDER / "play_nine.toml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('right = ["a2"]', 'right = ["a3"]', "slot"),
        ('right = ["a2"]\nshows = ["11"]', 'right = ["a2"]', "names none"),
        ('right = ["D"]', 'right = ["a1"]', "legal"),
        ('shows = ["4"]', 'shows = ["K"]', "card"),
        ('then = ["S4>a1x10", "S12-"]', 'then = ["S4>a1x9", "S12-"]', "another card"),
        ('layouts = ["7 7 3 ? / 7 12 5 4", ', 'layouts = ["7 7 3 ? / 7 12 5", ', "layout"),
        ('discard = "7 H"', 'discard = "H H H H H"', "4"),
    ],
)
def test_a_lesson_that_cannot_be_is_refused_in_words(old: str, new: str, complaint: str) -> None:
    with pytest.raises(TutorialError, match=complaint):
        tutorial.read(variants.load("play_nine"), change(old, new))
