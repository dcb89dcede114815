"""Learning a game in the browser: the lessons from end to end, the first game with hints, and the rule book."""

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from axe import faults
from conftest import Visit
from playwright.sync_api import expect
from reading import EVERY_SCREEN, LONGEST, check, every_language
from visiting import DESK, LANGUAGES, PHONE, SMALL, deal, faults_of_wording, let_draw, messages, overhang

from mulligan.game import variants

GAMES = ("play_nine", "nine_card")
WORDS = messages("en")

Lesson = dict[str, Any]


def open_lesson(page: Any, game: str) -> Lesson:
    """The page of a lesson, and what the server tells it."""
    page.goto(f"/learn/{game}")
    page.locator(".instruction").wait_for()
    return page.request.get(f"/api/tutorial/{game}").json()


def right(task: Lesson) -> Lesson:
    return next(move for move in task["moves"] if move["right"])


def wrong(task: Lesson) -> str | None:
    return next((move["move"] for move in task["moves"] if not move["right"]), None)


def tap(page: Any, move: str) -> None:
    if move == ".":
        page.locator(".leave").click()
    else:
        page.locator(f'button[data-move="{move}"]').click()


def tap_in_vain(page: Any, move: str) -> None:
    """Something that does not light up."""
    page.locator(f'button[data-move="{move}"][aria-disabled="true"]').click(force=True)


def answer(page: Any, task: Lesson, is_right: bool) -> None:
    (value, *_) = [guess["value"] for guess in task["guesses"] if bool(guess["mistake"]) != is_right]
    page.locator(f'[data-guess="{value}"]').click()


def said(page: Any, kind: str) -> str:
    """What is said to a try, once it is: kind is "good" or "bad"."""
    page.locator(f".instruction.{kind} .answer").wait_for()
    return page.locator(".instruction").inner_text()


def go_through(page: Any, idea: Lesson, mistakes: bool = False) -> None:
    """Does what the idea asks for; with `mistakes` something wrong before each thing that is right."""
    number: int | None = 0
    while number is not None:
        task = idea["tasks"][number]
        if task["kind"] != "move":
            if mistakes:
                answer(page, task, is_right=False)
                assert "Rule" in said(page, "bad") or page.locator(".instruction a").count() == 1
            answer(page, task, is_right=True)
            said(page, "good")
            break
        bad = wrong(task)
        if mistakes and bad:
            tap(page, bad)
            said(page, "bad")
            assert page.locator(f'.instruction a[href="/rules#{task["rule"]}"]').count() == 1
        move = right(task)
        tap(page, move["move"])
        said(page, "good")
        number = move["next"]
        if number is not None and idea["tasks"][number]["kind"] == "move":
            legal = idea["tasks"][number]["table"]["legal"][0]
            page.locator(".leave" if legal == "." else f'button[data-move="{legal}"].legal').wait_for()
    page.locator(".foot .button.first").wait_for()


@pytest.mark.parametrize(("language", "game"), list(zip(LANGUAGES, reversed(GAMES * 2), strict=True)))
def test_somebody_new_learns_the_game_on_a_phone(visit: Visit, game: str, language: str) -> None:
    """Chooses the game, tries something wrong here and there, and comes to the end.

    In each language it is the other game than in the test below.
    """
    words = messages(language)
    page = visit("/learn", language=language, viewport=PHONE)
    page.locator(f'a[href="/learn/{game}"]').click()
    page.locator(".instruction").wait_for()
    lesson = page.request.get(f"/api/tutorial/{game}").json()
    for number, idea in enumerate(lesson["ideas"]):
        expect(page.locator("h1")).to_have_text(words[f"learn_idea_{idea['id']}"])
        assert words[f"learn_lead_{idea['id']}"] in page.locator(".instruction").inner_text()
        assert faults_of_wording(page, language) == []
        go_through(page, idea, mistakes=number % 2 == 1)
        assert faults_of_wording(page, language) == []
        assert overhang(page) <= 0
        page.locator(".foot .button.first").click()
    expect(page.locator("h1")).to_have_text(words["learn_done_title"])
    assert page.get_by_role("button", name=words["learn_first_game"]).is_visible()


def test_the_lesson_of_twelve_card_golf_ends_and_a_full_column_leaves_empty_places(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    for idea in open_lesson(page, "twelve_card")["ideas"]:
        go_through(page, idea)
        if idea["id"] == "clear":
            expect(page.locator('.seat.mine .slot[aria-label$=", empty"]')).to_have_count(3)
        page.locator(".foot .button.first").click()
    expect(page.locator("h1")).to_have_text(WORDS["learn_done_title"])


@every_language(small=SMALL, desk=DESK)
def test_every_screen_of_a_lesson(visit: Visit, language: str, viewport: dict[str, int]) -> None:
    page = visit("/learn", language=language, viewport=viewport)
    page.locator('a[href="/learn/nine_card"]').wait_for()
    check(page, "games", language)
    game = GAMES[LANGUAGES.index(language) % 2]
    lesson = open_lesson(page, game)
    check(page, "move", language)
    question = next(number for number, idea in enumerate(lesson["ideas"]) if idea["tasks"][0]["kind"] == "points")
    for idea in lesson["ideas"][: question + 1]:
        go_through(page, idea, mistakes=idea is lesson["ideas"][question])
        if idea["tasks"][0]["kind"] == "points":
            check(page, "question answered", language)
        page.locator(".foot .button.first").click()
    page.get_by_role("button", name=messages(language)["learn_steps"]).click()
    page.locator("dialog ol").wait_for()
    check(page, "steps", language)
    page.locator("dialog li button").last.click()
    go_through(page, lesson["ideas"][-1])
    check(page, "winner", language)
    page.locator(".foot .button.first").click()
    page.locator(".button.first.large").wait_for()
    check(page, "done", language)


def test_everything_that_can_be_tapped_answers(visit: Visit) -> None:
    """A wrong move leaves the table as it was; one that is not legal is told the rule that says so."""
    page = visit(viewport=PHONE)
    lesson = open_lesson(page, "play_nine")
    tap_in_vain(page, "S")
    text = said(page, "bad")
    assert WORDS["learn_not_now"] in text
    assert WORDS["learn_no_tee_off_first"] in text
    assert page.locator('.instruction a[href="/rules#2.4"]').count() == 1
    ideas = [idea["id"] for idea in lesson["ideas"]]
    for idea in lesson["ideas"][: ideas.index("place")]:
        go_through(page, idea)
        page.locator(".foot .button.first").click()
    cards = "all => all.map(one => one.ariaLabel.replace(', the best move', ''))"
    before = page.locator(".seat.mine [data-move]").evaluate_all(cards)
    place = lesson["ideas"][ideas.index("place")]["tasks"][0]
    for move in [one["move"] for one in place["moves"] if not one["right"]]:
        tap(page, move)
        text = said(page, "bad")
        assert WORDS["learn_almost"] in text
        assert WORDS["learn_hint_place"] in text
    tap_in_vain(page, "D")  # back to the pile it came from: not with a card from there
    assert WORDS["learn_no_discard_must_place"] in said(page, "bad")
    assert page.locator('.instruction a[href="/rules#3.5"]').count() == 1
    assert page.locator(".seat.mine [data-move]").evaluate_all(cards) == before
    tap(page, "a1")
    assert WORDS["learn_right_place"] in said(page, "good")


def test_what_a_lesson_answered_follows_the_language(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    open_lesson(page, "play_nine")
    tap_in_vain(page, "S")
    said(page, "bad")
    page.get_by_role("button", name=WORDS["page_settings"]).click()
    page.locator("dialog").get_by_role("radio", name="Deutsch").click()
    page.keyboard.press("Escape")
    answer = page.locator(".instruction.bad").filter(has_text=messages("de")["learn_no_tee_off_first"])
    answer.filter(has_text=messages("de")["learn_not_now"]).wait_for()
    page.locator(".seat.mine").filter(has_text=messages("de")["learn_you"]).wait_for()


def test_who_misses_twice_is_shown_where_to_tap_and_told_in_whole_points(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    lesson = open_lesson(page, "play_nine")
    for idea in lesson["ideas"]:
        task = idea["tasks"][0]
        if task["kind"] == "move" and len(missed := [one["move"] for one in task["moves"] if not one["right"]]) > 1:
            for move in missed[:2]:
                assert page.locator("[data-move].best, .spot.best").count() == 0
                tap(page, move)
                said(page, "bad")
                assert not re.search(
                    r"\d\.\d|average|strokes", " ".join(page.locator(".answer span").all_inner_texts())
                )
            assert WORDS["learn_help"] in said(page, "bad")
            marked = page.locator("[data-move].best").evaluate_all("all => all.map(one => one.dataset.move)")
            assert marked == [one["move"] for one in task["moves"] if one["right"]]
        go_through(page, idea)
        page.locator(".foot .button.first").click()


def test_back_skip_and_once_more_and_it_is_remembered(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    lesson = open_lesson(page, "nine_card")
    titles = [WORDS[f"learn_idea_{idea['id']}"] for idea in lesson["ideas"]]
    expect(page.get_by_role("button", name=WORDS["learn_back"])).to_be_disabled()
    page.get_by_role("button", name=WORDS["learn_skip"]).click()
    page.get_by_role("button", name=WORDS["learn_skip"]).click()
    expect(page.locator("h1")).to_have_text(titles[2])
    page.get_by_role("button", name=WORDS["learn_back"]).click()
    expect(page.locator("h1")).to_have_text(titles[1])
    go_through(page, lesson["ideas"][1])
    page.get_by_role("button", name=WORDS["learn_once_more"]).click()
    assert page.locator(".answer").count() == 0
    go_through(page, lesson["ideas"][1])
    page.get_by_role("button", name=WORDS["learn_next"]).click()
    page.goto("/learn")
    link = page.locator('a[href="/learn/nine_card"]')
    assert WORDS["learn_go_on"] in link.inner_text()
    assert WORDS["learn_begin"] in page.locator('a[href="/learn/play_nine"]').inner_text()
    link.click()
    expect(page.locator("h1")).to_have_text(titles[2])
    assert page.locator(".dots i.done").count() == 1
    assert page.get_by_role("img", name=f"3 of {len(titles)}: {titles[2]}").count() == 1


def test_a_lesson_by_the_keyboard_alone(visit: Visit) -> None:
    """Keys as at the table, arrows and Enter; the focus goes on by itself."""
    page = visit("/learn/play_nine", viewport=DESK)
    page.locator(".instruction").wait_for()
    lesson = page.request.get("/api/tutorial/play_nine").json()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    said(page, "good")
    page.locator(".seat.mine .legal").first.wait_for()
    page.keyboard.press("a")
    page.keyboard.press("2")
    page.locator(".foot .button.first").wait_for()
    expect(page.locator(".foot .button.first")).to_be_focused()
    page.keyboard.press("Enter")
    for idea in lesson["ideas"][1:]:
        expect(page.locator("h1")).to_be_focused()
        number: int | None = 0
        while number is not None:
            task = idea["tasks"][number]
            if task["kind"] == "move":
                move = right(task)
                first = task["table"]["legal"][0]
                page.locator(".leave" if first == "." else f'[data-move="{first}"].legal').first.wait_for()
                for key in move["move"]:
                    page.keyboard.press(key)
                number = move["next"]
            else:
                (value,) = [guess["value"] for guess in task["guesses"] if not guess["mistake"]]
                while page.evaluate("document.activeElement?.dataset?.guess") != str(value):
                    page.keyboard.press("Tab")
                page.keyboard.press("Enter")
                number = None
            said(page, "good")
        expect(page.locator(".foot .button.first")).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(WORDS["learn_done_title"])


def test_what_is_said_reaches_a_screen_reader(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    lesson = open_lesson(page, "play_nine")
    page.locator('[aria-live="polite"]', has_text=WORDS["learn_do_tee_off"]).wait_for(state="attached")
    ideas = [idea["id"] for idea in lesson["ideas"]]
    page.get_by_role("button", name=WORDS["learn_steps"]).click()
    page.locator("dialog li button").nth(ideas.index("closing")).click()
    tap(page, wrong(lesson["ideas"][ideas.index("closing")]["tasks"][0]) or "")
    page.locator("[role=status]", has_text=WORDS["learn_hint_close"]).wait_for(state="attached")
    go_through(page, lesson["ideas"][ideas.index("closing")])
    page.locator("[role=status]", has_text=WORDS["learn_right_close"]).wait_for(state="attached")
    log = page.locator("[role=log]").inner_text()
    assert "Birdie drew the 4 from the stock" in log
    assert "Caddie discarded the 12" in log


def test_a_game_without_a_lesson_leads_to_the_rules(visit: Visit) -> None:
    page = visit("/learn/kitchen", viewport=PHONE)
    page.get_by_text(WORDS["learn_none"]).wait_for()
    page.get_by_role("link", name=WORDS["learn_to_rules"]).click()
    page.wait_for_url("**/rules")


def test_the_first_game_shows_hints_by_itself_until_they_are_switched_off(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    asked: list[str] = []
    page.on("request", lambda request: request.url.endswith("/hint") and asked.append(request.url))
    lesson = open_lesson(page, "play_nine")
    page.get_by_role("button", name=WORDS["learn_steps"]).click()
    page.locator("dialog li button").last.click()
    go_through(page, lesson["ideas"][-1])
    page.locator(".foot .button.first").click()
    page.get_by_role("button", name=WORDS["learn_first_game"]).click()
    page.wait_for_url("**/t/*")
    deal(page)
    panel = page.locator(".hint")
    panel.locator("li").first.wait_for()
    assert page.locator("button.best").count() >= 1
    page.locator("button.best").first.click()
    panel.locator("li").first.wait_for()  # the next card to turn up has a hint of its own
    check(page, "hinted")
    assert faults(page) == []
    panel.get_by_role("button", name=WORDS["coach_hint_close"]).click()
    panel.wait_for(state="detached")
    hints = len(asked)
    let_draw(page)
    assert (panel.count(), len(asked)) == (0, hints)  # closed for this move
    page.locator("button.legal").first.click()
    panel.locator("li").first.wait_for()
    page.reload()  # remembered for this table
    panel.locator("li").first.wait_for()
    panel.get_by_label(WORDS["learn_always"]).uncheck()
    hints = len(asked)
    page.locator("button.best").first.click()
    expect(page.locator("button.best")).to_have_count(0)  # two moves may have been equally good
    page.locator("button.legal").first.wait_for()
    let_draw(page)
    assert (panel.count(), len(asked)) == (0, hints)


# The course


def solve(page: Any, task: Lesson, missed: int = 0) -> str:
    """Taps so many wrong moves of a position, then a right one; returns what is said to that."""
    for move in [one["move"] for one in task["moves"] if not one["right"]][:missed]:
        tap(page, move)
        said(page, "bad")
    tap(page, right(task)["move"])
    return said(page, "good")


def in_tenths(number: float) -> str:
    return str(Decimal(str(number)).quantize(Decimal("0.1"), ROUND_HALF_UP))


@pytest.mark.parametrize("game", ["play_nine", "nine_card_square", "twelve_card"])
def test_a_habit_is_played_through_with_the_figures_of_its_file(visit: Visit, game: str) -> None:
    page = visit("/learn", viewport=PHONE)
    page.locator(f'a[href="/learn/{game}/better"]').click()
    page.locator(".instruction").wait_for()
    habits = page.request.get(f"/api/tutorial/{game}").json()["habits"]
    assert page.locator(".dots i").count() == len(habits) == 5
    for number, task in enumerate(habits[0]["tasks"]):
        expect(page.locator("h1")).to_have_text(WORDS[f"learn_idea_{habits[0]['id']}"])
        lead = page.locator(".instruction").inner_text()
        assert WORDS[f"learn_lead_{habits[0]['id']}"] in lead
        assert f"{in_tenths(habits[0]['cost'])}\u00a0strokes per hole" in lead
        assert WORDS["learn_position"].format(number=number + 1, count=len(habits[0]["tasks"])) in lead
        text = solve(page, task, missed=number)
        assert f"That costs {in_tenths(task['usual']['loss'])}\u00a0strokes" in text
        page.locator(".foot .button.first").click()
    expect(page.locator("h1")).to_have_text(WORDS[f"learn_idea_{habits[1]['id']}"])
    assert page.locator(".dots i.done").count() == 1


def test_who_misses_a_position_twice_is_shown_where_to_tap(visit: Visit) -> None:
    page = visit("/learn/six_card/better", viewport=PHONE)
    page.locator(".instruction").wait_for()
    habits = page.request.get("/api/tutorial/six_card").json()["habits"]
    place = next(number for number, habit in enumerate(habits) if len(habit["tasks"][0]["moves"]) > 3)
    page.get_by_role("button", name=WORDS["learn_steps"]).click()
    page.locator("dialog li button").nth(place).click()
    task = habits[place]["tasks"][0]
    for move in [one["move"] for one in task["moves"] if not one["right"]][:2]:
        assert page.locator("[data-move].best").count() == 0
        tap(page, move)
        assert WORDS[f"learn_hint_{habits[place]['id']}"] in said(page, "bad")
    assert WORDS["learn_help"] in said(page, "bad")
    marked = page.locator("[data-move].best").evaluate_all("all => all.map(one => one.dataset.move)")
    assert sorted(marked) == sorted(one["move"] for one in task["moves"] if one["right"])


@every_language(small=SMALL, desk=DESK)
def test_every_screen_of_the_course(visit: Visit, language: str, viewport: dict[str, int]) -> None:
    words, game = messages(language), variants.games()[LANGUAGES.index(language) * 2 + (viewport == DESK)]
    page = visit(f"/learn/{game}/better", language=language, viewport=viewport)
    page.locator(".instruction").wait_for()
    habits = page.request.get(f"/api/tutorial/{game}").json()["habits"]
    for number, habit in enumerate(habits):
        check(page, f"habit {number}", language)
        solve(page, habit["tasks"][0], missed=1)
        check(page, f"habit {number} solved", language)
        for task in habit["tasks"][1:]:
            page.locator(".foot .button.first").click()
            solve(page, task)
        page.locator(".foot .button.first").click()
    expect(page.locator("h1")).to_have_text(words["learn_better_done_title"])
    check(page, "course done", language)
    assert faults(page) == []
    page.get_by_role("button", name=words["learn_play_match"]).click()
    page.wait_for_url("**/t/*")


def test_the_course_is_offered_after_the_lesson_and_works_without_the_network(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    lesson = open_lesson(page, "nine_card")
    page.get_by_role("button", name=WORDS["learn_steps"]).click()
    page.locator("dialog li button").last.click()
    go_through(page, lesson["ideas"][-1])
    page.locator(".foot .button.first").click()
    page.context.set_offline(True)
    page.get_by_role("link", name=WORDS["learn_better"]).click()
    expect(page.locator("h1")).to_have_text(WORDS[f"learn_idea_{lesson['habits'][0]['id']}"])
    solve(page, lesson["habits"][0]["tasks"][0])


# The rule book


def test_the_rules_and_the_lessons_lead_to_each_other(visit: Visit) -> None:
    page = visit("/rules", viewport=PHONE)
    page.get_by_role("link", name=WORDS["learn_by_playing"]).click()
    page.wait_for_url("**/learn")
    page.get_by_role("link", name=WORDS["learn_to_rules"]).click()
    page.wait_for_url("**/rules")


@pytest.mark.parametrize(
    ("language", "sought", "rule"),
    [
        ("fr", "defausse", "3.5"),
        ("de", "heisst", "3.4"),
        ("ja", "ホールインワン", "5.5"),
        ("ja", "ほーるいんわん", "5.5"),
        ("ja", "ﾎｰﾙｲﾝﾜﾝ", "5.5"),
        ("en", "hole in one bonus", "5.5"),
        ("en", "3.4", "3.4"),
    ],
)
def test_the_search_finds_words_however_they_are_typed(
    visit: Visit, language: str, sought: str, rule: str | None
) -> None:
    page = visit("/rules", language=language, viewport=PHONE)
    page.locator("h3").nth(20).wait_for()
    page.get_by_role("searchbox").fill(sought)
    page.locator("main mark").first.wait_for()
    assert page.locator("main [role=status]").first.inner_text()
    if rule:
        assert page.locator(f'[id="{rule}"]').count() == 1
    assert page.locator("h3").count() < 27


@pytest.mark.parametrize("language", LANGUAGES if EVERY_SCREEN else (LONGEST, "ja"))
def test_the_rule_book_prints_whole_with_its_boards(visit: Visit, language: str) -> None:
    page = visit("/rules", language=language, viewport=PHONE)
    page.locator('[id="6.3"]').wait_for()
    assert page.get_by_role("button", name=messages(language)["learn_print"]).is_visible()
    boards = page.locator(".book .late").count()
    assert boards > 40
    pdf = page.pdf(format="A4")
    assert page.locator(".book .late .board").count() == boards
    assert 4 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 44


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rule_book_of_one_game_is_short_and_names_no_other_in_labels(visit: Visit, language: str) -> None:
    page = visit("/rules?game=nine_card#6.3", language=language, viewport=PHONE)
    page.locator('[id="6.3"]').wait_for()
    few = page.locator(".book .late").count()
    page.get_by_role("combobox", name=messages(language)["rules_which"]).select_option("")
    page.wait_for_function("few => document.querySelectorAll('.book .late').length > 3 * few", arg=few)
    boards = page.locator(".book .late").count()
    page.get_by_role("combobox", name=messages(language)["rules_which"]).select_option("six_card")
    page.wait_for_function("boards => document.querySelectorAll('.book .late').length < boards / 3", arg=boards)
    assert page.locator(".book p:not(.ruling p) strong").count() == 0
    assert page.locator(".book .ruling strong").first.inner_text() in ("Ruling.", "Décision.", "Auslegung.", "裁定。")


def test_a_layout_within_a_sentence_is_drawn_too(visit: Visit) -> None:
    page = visit("/rules", viewport=PHONE)
    page.locator("h3").nth(5).wait_for()
    page.locator(".shown .late").first.scroll_into_view_if_needed()
    page.locator(".shown .late .board").first.wait_for()
    assert page.locator(".shown code", has_text="/").first.is_visible()  # and written as well


HURRY = """async ([move, way, to]) => {
    document.querySelector(move === "." ? ".leave" : `button[data-move="${move}"]`).click();
    await new Promise(requestAnimationFrame);
    const foot = document.querySelectorAll(".foot .button");
    if (way === "back") foot[0].click();
    if (way === "skip") foot[foot.length - 1].click();
    if (way !== "list") return;
    document.querySelector(".where .button").click();
    await new Promise(requestAnimationFrame);
    document.querySelectorAll("dialog li button")[to].click();
}"""


@pytest.mark.parametrize("game", GAMES)
def test_who_goes_on_while_the_cards_still_move_finds_the_other_idea_untouched(visit: Visit, game: str) -> None:
    """After every move of every idea, by each way out of it in turn; with MULLIGAN_EVERY_SCREEN by all three."""
    page = visit(viewport=PHONE, motion=True)
    page.clock.install()
    lesson = open_lesson(page, game)
    ideas = lesson["ideas"]
    titles = [WORDS[f"learn_idea_{idea['id']}"] for idea in ideas]

    def open_idea(number: int) -> None:
        page.locator(".where .button").click()
        page.locator("dialog li button").nth(number).click()
        expect(page.locator("h1")).to_have_text(titles[number])

    hurried = 0
    for number, idea in enumerate(ideas):
        moves = moves_of(idea)
        for played in range(len(moves)):
            ways = [("skip", number + 1), ("list", number - 1 if number else number + 1)]
            if number:
                ways.append(("back", number - 1))
            for way, to in ways if EVERY_SCREEN else [ways[hurried % len(ways)]]:
                open_idea(number)
                for move in moves[:played]:
                    tap(page, move)
                    page.clock.run_for(10_000)
                page.evaluate(HURRY, [moves[played], way, to])
                page.clock.run_for(10_000)
                after = titles[to] if to < len(ideas) else WORDS["learn_done_title"]
                expect(page.locator("h1")).to_have_text(after)
                assert page.locator(".instruction .answer, .foot .button.first").count() == 0, (idea["id"], way)
                hurried += 1
                if to == len(ideas):
                    page.get_by_role("button", name=WORDS["learn_back"]).click()
    assert hurried > len(ideas) // 2


def moves_of(idea: Lesson) -> list[str]:
    """The right moves of an idea, one after the other."""
    moves: list[str] = []
    task: int | None = 0
    while task is not None and idea["tasks"][task]["kind"] == "move":
        move = right(idea["tasks"][task])
        moves.append(move["move"])
        task = move["next"]
    return moves
