"""The lessons over HTTP: everything a client needs, and nothing it would have to know rules for."""

import pytest
from served import Browser

from mulligan.coach import lessons, play_better
from mulligan.game import rulebook, variants
from mulligan.game.notation import read_layout


@pytest.fixture(params=variants.games())
def lesson(request, ann: Browser):
    answer = ann.http.get(f"/api/tutorial/{request.param}")
    assert answer.status_code == 200
    assert answer.json()["game"] == request.param
    return answer.json()


def tasks(lesson, kind):
    return [task for idea in lesson["ideas"] for task in idea["tasks"] if task["kind"] == kind]


def test_the_lessons_are_those_of_the_engine_in_their_order(lesson):
    told = lessons.load(variants.load(lesson["game"]))
    assert [idea["id"] for idea in lesson["ideas"]] == [idea.id for idea in told.ideas]
    assert set(lesson["ideas"][0]["rules"]) <= set(rulebook.book("en").rules)


def test_the_habits_come_with_their_figures_and_their_mistakes(lesson):
    """The client says them as the file has them."""
    told = play_better.measured(lesson["game"])["habits"]
    assert [(habit["id"], habit["cost"]) for habit in lesson["habits"]] == [(one["habit"], one["cost"]) for one in told]
    for habit, of_file in zip(lesson["habits"], told, strict=True):
        for task, position in zip(habit["tasks"], of_file["positions"], strict=True):
            assert sorted(move["move"] for move in task["moves"] if move["right"]) == sorted(position["right"])
            assert [move["move"] for move in task["moves"]] == task["table"]["legal"]
            assert (task["usual"]["loss"], task["usual"]["praise"]) == (position["loss"], position["praise"])
            assert task["table"]["phase"] == position["phase"]
    assert all(idea["cost"] is None and not any(task["usual"] for task in idea["tasks"]) for idea in lesson["ideas"])


def test_every_move_that_lights_up_has_an_answer(lesson):
    for task in tasks(lesson, "move"):
        assert [move["move"] for move in task["moves"]] == task["table"]["legal"]
        assert any(move["right"] for move in task["moves"])
        refused = {against["move"] for against in task["objections"]}
        assert not refused & set(task["table"]["legal"])


def test_a_right_move_comes_with_what_happened_and_the_table_after_it(lesson):
    for task in tasks(lesson, "move"):
        for move in task["moves"]:
            if not move["right"]:
                assert move["scenes"] == []
                continue
            event = move["scenes"][0]["what"][0]
            assert (event["is"], event["seat"], event["move"]) == ("Step", 0, move["move"])
            if event["phase"] == "place" and move["move"] != "-":
                after = move["scenes"][0]["table"]
                place = variants.load(lesson["game"]).slots.index(move["move"])
                assert after["layouts"][0][place] == event["face"] == task["table"]["held"]["face"]
                assert after["discard"] == event["face" if event["cleared"] else "went"]
                assert event["from_hidden"] == (task["table"]["layouts"][0][place] is None)


def test_a_card_taken_from_the_discard_pile_shows_the_one_below(lesson):
    take = next(task for task in tasks(lesson, "move") if task["id"] == "take")
    scene = next(move for move in take["moves"] if move["move"] == "D")["scenes"][0]
    assert scene["table"]["held"] == {"face": take["table"]["discard"], "pile": "D"}
    assert scene["table"]["discard"] == take["table"]["discard_below"]


def test_a_hole_that_is_over_has_points_and_nobody_on_turn(lesson):
    close = next(task for task in tasks(lesson, "move") if task["id"] == "close")
    scenes = next(move for move in close["moves"] if move["right"])["scenes"]
    assert scenes[0]["what"][0]["closed"]
    assert {event["seat"] for scene in scenes for event in scene["what"]} == {0, 1, 2}
    end = scenes[-1]["table"]
    assert (end["phase"], end["turn"], end["legal"]) == ("over", None, [])
    assert end["points"][0] == end["cost"] == min(end["points"])
    assert not any(face is None for layout in end["layouts"] for face in layout)


def test_a_question_comes_with_the_parts_of_its_score_and_what_wrong_answers_forget(lesson):
    variant = variants.load(lesson["game"])
    for task in tasks(lesson, "points"):
        columns = int(variant.rules.columns)
        rows = [task["layout"][row : row + columns] for row in range(0, len(task["layout"]), columns)]
        assert read_layout(variant, " / ".join(" ".join(row) for row in rows)) is not None
        (right,) = [guess["value"] for guess in task["guesses"] if not guess["mistake"]]
        assert sum(part["points"] for part in task["score_parts"]) == right
        lines = [part["slots"] for part in task["score_parts"] if part["kind"] in ("line", "bonus") and part["slots"]]
        assert all(slots in task["groups"] for slots in lines)
        for guess in task["guesses"]:
            assert guess["rule"] in rulebook.book("en").rules


def test_a_game_without_lessons_is_refused_by_a_code(ann: Browser):
    answer = ann.http.get("/api/tutorial/kitchen")
    assert (answer.status_code, answer.json()["error"]) == (404, "no_lesson")
