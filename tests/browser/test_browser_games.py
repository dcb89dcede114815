"""Whole games, through the page alone."""

import io
import re
from collections import Counter

import pytest
from reading import EVERY_SCREEN
from visiting import (
    COMPUTER,
    DESK,
    HERE,
    ME,
    NO_PAGE,
    PHONE,
    choose_match,
    deal,
    lit,
    lit_up,
    messages,
    my_cards,
    open_drawer,
    play,
    sit_and_start,
    target,
    tee_off,
    told,
)

from mulligan.game import referee, variants

WORDS = messages("en")
SLOTS = [column + row for row in "12" for column in "abcd"]


BOTH = [("Play Nine", "play_nine"), ("Nine-card golf", "nine_card")]


@pytest.mark.parametrize(("title", "game"), BOTH if EVERY_SCREEN else BOTH[:1])
def test_nine_holes_from_the_start_page_to_the_rematch(visit, title, game):
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    choose_match(page)
    page.get_by_role("radio", name=title).check(force=True)
    page.get_by_label("Your name").fill("Ann")
    for _ in range(2):
        page.get_by_role("button", name="One fewer player").tap()
    page.get_by_text("More options").tap()
    page.get_by_role("radio", name="instant").tap()
    page.get_by_role("button", name="Play", exact=True).tap()
    page.get_by_role("button", name=WORDS["table_act_deal"]).tap()

    # A hole by hand, so that every target can be hit where it is …
    while not page.locator(".hole-result").is_visible():
        page.locator(".hole-result, button.legal").first.wait_for()
        if moves := lit(page):
            hidden = page.locator('.seat.mine button.legal[aria-label*="face down"]')
            (target(page, "S") if "S" in moves else hidden.or_(page.locator("button.legal")).first).tap()
    assert page.get_by_role("heading", name="Hole 1 is over").is_visible()
    # … and the others fast.
    play(page, ".won")

    names = page.locator(".won .winner").inner_text()
    assert re.fullmatch(r".+ (wins|share the win)!", names)
    totals = [int(points.replace("−", "-")) for points in page.locator("tbody td.sum").all_inner_texts()]
    open_drawer(page)
    with page.expect_download() as downloading:
        page.get_by_role("link", name=WORDS["table_act_download"]).tap()
    record = downloading.value.path().read_bytes()
    ((_, match),) = referee.read_records(io.BytesIO(record))
    replayed = referee.replay(match)
    assert (replayed.variant.name, replayed.totals) == (game, totals)

    page.get_by_role("link", name=WORDS["table_act_replay"]).tap()
    page.get_by_role("button", name=WORDS["table_rp_forward"]).wait_for()
    page.get_by_role("button", name=WORDS["table_rp_result"]).tap()
    page.get_by_text(names).wait_for()
    page.go_back()
    page.get_by_role("button", name=WORDS["table_act_rematch"]).tap()
    deal(page)
    assert page.locator(".seat").count() == 2


@pytest.mark.parametrize("game", variants.games()[1:])
def test_a_hole_of_each_other_game(visit, game):
    page = visit(NO_PAGE)
    sit_and_start(page, ME, COMPUTER, game=game)
    play(page, ".hole-result")
    assert page.locator(".hole-result [role=img]").count() == 2


def test_two_people_on_one_device(visit):
    page = visit(NO_PAGE)
    sit_and_start(page, ME, HERE)
    deal(page)
    seen = Counter()
    while not page.locator(".hole-result").is_visible():
        page.locator(".hole-result, button.legal").first.wait_for()
        if moves := lit(page):
            name = page.locator(".prompt .call").inner_text().partition(",")[0]
            assert page.locator(".seat.mine .name").inner_text() == name
            seen[name] += 1
            down = [button for button in page.locator('button.legal[aria-label*="face down"]').all()]
            (target(page, "S") if "S" in moves else (down or [page.locator("button.legal").first])[0]).click()
    assert set(seen) == {"Ann", "Bea"}
    page.get_by_role("button", name=WORDS["table_act_next"]).click()
    page.locator("button.legal").first.wait_for()


# Taps the moves in both windows before either hears from the server.
BOTH = "move => document.querySelector(`button[data-move='${move}'][aria-disabled='false']`)?.click()"


def test_one_seat_in_two_windows_plays_each_move_once(visit):
    page = visit(NO_PAGE)
    path = sit_and_start(page, ME, COMPUTER, game="four_card", holes=1)
    other = page.context.new_page()
    other.on("pageerror", lambda error: visit.complaints.append(str(error)))
    other.goto(path)
    deal(page, other)
    while not page.locator(".won").count():
        moves = lit(page)
        if moves:
            page.evaluate(BOTH, "S" if "S" in moves else moves[0])
            other.evaluate(BOTH, "D" if "D" in moves else moves[-1])
        page.wait_for_timeout(50)
    other.locator(".won").wait_for()
    results = [[one.locator(part).first.inner_text() for part in (".won", ".place", "table")] for one in (page, other)]
    assert results[0] == results[1]


def test_a_page_loaded_again_in_mid_turn_goes_on_with_the_card_in_hand(visit):
    page = visit(NO_PAGE)
    sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    target(page, "D").click()
    held = page.locator(".piles .hand [role=img]")
    held.wait_for()
    before = held.get_attribute("aria-label"), my_cards(page), lit_up(page)
    page.reload()
    held.wait_for()
    assert (held.get_attribute("aria-label"), my_cards(page), lit(page)) == before
    target(page, "d1").click()
    held.wait_for(state="detached")


def test_a_card_from_the_discard_pile_is_taken_back(visit):
    page = visit(NO_PAGE, viewport=DESK)
    sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    top = page.locator('button[data-move="D"]').get_attribute("aria-label")
    where = page.locator(".seat.mine").bounding_box()
    target(page, "D").click()
    target(page, "a1").wait_for()
    assert page.locator(".seat.mine").bounding_box() == where  # though a button has come
    assert "-" not in lit(page)  # what is taken from the discard pile may not go back there (3.5)
    page.get_by_role("button", name=WORDS["table_act_take_back"]).locator("visible=true").click()
    target(page, "S").wait_for()
    assert page.locator('button[data-move="D"]').get_attribute("aria-label") == top
    assert page.locator(".piles .hand [role=img]").count() == 0
    assert told(page)[-1] == WORDS["table_ev_took_back"].format(name="Ann")


def test_a_throw_is_taken_back_before_the_flip_shows_a_card_and_never_after(visit):
    page = visit(NO_PAGE, viewport=DESK)
    sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    target(page, "S").click()
    target(page, "-").click()
    page.get_by_role("button", name=WORDS["table_act_take_back"]).locator("visible=true").click()
    target(page, "-").click()
    target(page, "c1").wait_for()
    target(page, "c1").click()
    face_up(page, "c1").wait_for()
    assert page.get_by_role("button", name=WORDS["table_act_take_back"]).count() == 0


def test_whoever_wants_to_be_asked_is_asked_before_a_card_is_discarded(visit):
    page = visit(viewport=DESK)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("switch", name=WORDS["set_confirm"]).click()
    sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    target(page, "S").click()
    target(page, "-").click()
    page.get_by_role("button", name=WORDS["table_no_keep"]).locator("visible=true").click()
    target(page, "-").click()
    page.get_by_role("button", name=WORDS["table_yes_discard"]).locator("visible=true").click()
    page.locator(".piles .hand [role=img]").wait_for(state="detached")


def face_up(page, slot):
    return page.locator(f'.seat.mine [data-move="{slot}"][aria-label*="row"]')


def test_a_hole_with_the_keyboard_alone(visit):
    page = visit(viewport=DESK)
    page.evaluate("localStorage.setItem('mulligan.paced', JSON.stringify('instant'))")  # as chosen the last time
    page.reload()
    page.locator("form button.play").wait_for()
    press = page.keyboard.press
    for _ in range(40):  # Tab leads to the button that begins
        press("Tab")
        if page.evaluate("document.activeElement.matches('form button.play')"):
            break
    press("Enter")
    page.get_by_role("button", name=WORDS["table_act_deal"]).wait_for()
    page.wait_for_function("() => document.activeElement.matches('.draw h2')")  # on at the top of what came
    page.get_by_role("button", name=WORDS["table_act_deal"]).press("Enter")
    target(page, "a1").wait_for()
    assert page.evaluate("document.activeElement.dataset.move") == "a1"  # focus follows the turn
    press("ArrowRight")
    press("Enter")  # b1
    face_up(page, "b1").wait_for()
    press("a")
    press("2")
    face_up(page, "a2").wait_for()
    turns = 0
    while not page.locator(".hole-result").is_visible():
        page.locator(".hole-result, button.legal").first.wait_for()
        moves = lit(page)
        if "S" in moves:
            assert page.evaluate("document.activeElement.dataset.move") == "S"
            press("s")
            turns += 1
        elif moves:
            hidden = [slot for slot, words in zip(SLOTS, my_cards(page), strict=True) if words.endswith("face down")]
            slot = ([move for move in moves if move in hidden] or moves)[0]
            for key in slot:
                press(key)
        while lit(page) == moves and not page.locator(".hole-result").is_visible():
            page.wait_for_timeout(10)
    assert turns > 2
    press("Tab")
    page.get_by_role("button", name=WORDS["table_act_next"]).press("Enter")
    target(page, "a1").wait_for()


def test_every_move_is_told_in_words(visit):
    page = visit(NO_PAGE)
    sit_and_start(page, ME, COMPUTER)
    deal(page)
    page.evaluate(
        """() => {
          window.told = [];
          new MutationObserver(() => {
            for (const line of document.querySelectorAll("[role=log] p"))
              if (!line.seen) { line.seen = true; window.told.push(line.innerText); }
          }).observe(document.querySelector("[role=log]"), { childList: true, subtree: true });
        }"""
    )
    taps = play(page, ".hole-result")
    words = page.evaluate("window.told")
    mine = [line for line in words if line.startswith("Ann ") and "closed" not in line]
    assert len(mine) >= taps
    assert any(line.startswith("Greedy drew the ") or line.startswith("Greedy took the ") for line in words)
    closed = [WORDS["table_ev_closed"].format(name=name) for name in ("Ann", "Greedy")]
    assert [line for line in words if any(sentence in line for sentence in closed)]
    assert words[-1].startswith("The hole is over.")


def test_cards_travel_and_the_table_is_right_when_they_have_landed(visit):
    page = visit(NO_PAGE, motion=True)
    sit_and_start(page, ME, COMPUTER)
    page.get_by_role("button", name=WORDS["table_act_deal"]).click()
    flying = page.locator(".flight")
    flying.first.wait_for()
    target(page, "a1").wait_for()
    flying.first.wait_for(state="detached")
    assert len(my_cards(page)) == 8


def test_the_discard_pile_lights_up_when_its_card_has_arrived(visit):
    page = visit(NO_PAGE, motion=True)
    sit_and_start(page, ME, COMPUTER)
    page.evaluate(
        """() => {
          window.early = [];
          const look = () => {
            const pile = document.querySelector('button.legal[data-move="D"]');
            const said = pile?.getAttribute("aria-label").match(/\\d+/)?.[0];
            const shown = pile?.querySelector("use").getAttribute("href").match(/\\d+/)?.[0];
            if (said !== shown) window.early.push([said, shown]);
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    deal(page)
    for slot in ("a1", "b1", "c1"):
        target(page, slot).click()
        if slot != "a1":
            target(page, "S").click()
    target(page, "a2").click()
    target(page, "S").wait_for()
    assert page.evaluate("window.early") == []


def test_space_and_a_tap_hurry_the_others_also_on_a_card_that_cannot_be_played(visit):
    page, said = visit(NO_PAGE), []
    page.on("websocket", lambda socket: socket.on("framesent", lambda words: said.append(str(words))))
    sit_and_start(page, ME, COMPUTER, pace="slow")
    deal(page)
    for slot in ("a1", "b1"):
        target(page, slot).click()
    card = page.locator('.seat.mine [data-move="b1"][aria-disabled="true"]')
    card.wait_for()
    assert not any('"Hurry"' in words for words in said), "who plays a card hurries nobody"
    for hurry in (lambda: page.keyboard.press("Space"), lambda: card.click(force=True)):
        said.clear()
        for _ in range(100):  # a key just after the focus has moved does nothing
            if any('"Hurry"' in words for words in said):
                break
            hurry()
            page.wait_for_timeout(50)
        else:
            pytest.fail("nobody is hurried")


def test_a_last_turn_is_skipped_by_a_key(visit):
    page = visit(NO_PAGE)
    sit_and_start(page, ME, HERE, game="nine_card")
    play(page, "[data-deed]")
    page.get_by_role("button", name=WORDS["table_act_decline"]).wait_for()
    page.keyboard.press(".")
    page.locator(".hole-result").wait_for()
    assert any(words.endswith(" skipped the last turn") for words in told(page))
