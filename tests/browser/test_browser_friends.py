"""Several people, each with a browser: by invitation, as spectators, away and back, and what is said to late comers."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect
from visiting import (
    COMPUTER,
    DESK,
    FRIEND,
    ME,
    NO_PAGE,
    PHONE,
    deal,
    lit,
    lit_up,
    messages,
    my_cards,
    open_table,
    play,
    sit_and_start,
    target,
    tee_off,
    told,
)

sys.path.insert(0, str(Path(__file__).parents[1] / "torture"))

from proxy import beside

WORDS = messages("en")


def invite(visit, *others, **wish):
    """Ann opens a table for friends; she, and the path for the others."""
    ann = visit(NO_PAGE, viewport=DESK)
    codes = open_table(ann, ME, *others, **wish)
    ann.goto(f"/t/{codes['table']}")
    ann.get_by_role("heading", name=WORDS["lobby_title"]).wait_for()
    return ann, f"/t/{codes['table']}"


def sit(page, name):
    page.get_by_label(WORDS["start_name"]).fill(name)
    page.get_by_role("button", name=WORDS["join_sit"]).click()


def start(page):
    page.get_by_role("button", name=WORDS["lobby_start"], exact=True).click()


def play_together(*pages, turns):
    """Each plays the first move that lights up, when one does."""
    done = 0
    while done < turns:
        for page in pages:
            if moves := lit(page):
                target(page, moves[0]).click()
                done += 1
        pages[0].wait_for_timeout(20)


def play_until_lit(one, other):
    """One plays until it is the other's turn."""
    while not lit(other):
        if moves := lit(one):
            target(one, moves[0]).click()
        one.wait_for_timeout(50)


def ben_on_turn(visit):
    """Ann and Ben play, and it is his turn; their pages."""
    ann, path = invite(visit, FRIEND)
    ben = visit(path)
    sit(ben, "Ben")
    start(ann)
    deal(ann, ben)
    play_until_lit(ann, ben)
    return ann, ben


def cards_seen(page):
    """Everyone's cards as the page tells them, in words."""
    return {
        seat.get_attribute("aria-label"): seat.locator("[data-spot]").evaluate_all(
            "all => all.map(one => one.getAttribute('aria-label'))"
        )
        for seat in page.locator(".seat").all()
    }


def test_a_new_link_moves_those_at_the_table_and_sends_the_removed_away(visit):
    ann, path = invite(visit, FRIEND, FRIEND)
    ben, eve = (visit(viewport=PHONE) for _ in range(2))
    for page, name in ((ben, "Ben"), (eve, "Eve")):
        page.goto(path)
        sit(page, name)
        ann.locator(".seats").get_by_text(name).wait_for()
    ann.get_by_role("button", name="Remove Eve", exact=True).click()
    ann.get_by_role("button", name="Yes, remove Eve").click()
    eve.get_by_text(WORDS["error_removed"]).wait_for()
    assert eve.get_by_role("button", name=WORDS["join_sit"]).count() == 0
    ann.get_by_role("button", name=WORDS["menu_open"]).click()
    ann.get_by_text(WORDS["menu_new_link"], exact=True).click()
    ann.get_by_role("button", name=WORDS["menu_new_link_yes"]).click()
    ann.wait_for_url(lambda address: not address.endswith(path))
    ben.wait_for_url(ann.url)
    eve.get_by_text(WORDS["error_shown_out"]).wait_for()
    ann.go_back()  # closes the menu
    ann.get_by_role("dialog").wait_for(state="hidden")
    code = ann.url.rpartition("/")[2]
    expect(ann.locator("section[aria-labelledby=invite]")).to_contain_text(code, use_inner_text=True)
    ben.goto(path)  # by the old link
    ben.wait_for_url(ann.url)


def test_a_friend_joins_by_link_on_a_phone_and_both_see_the_same_table(visit):
    ann, path = invite(visit, FRIEND)
    # the link appears once the server has said where other devices find it
    expect(ann.locator("section[aria-labelledby=invite]")).to_contain_text(path[3:], use_inner_text=True)
    ben = visit(path, viewport=PHONE, has_touch=True, language="de")
    ben.get_by_label(messages("de")["start_name"]).fill("Ben")
    ben.get_by_role("button", name=messages("de")["join_sit"]).tap()
    start(ann)
    ann.locator(".draw").wait_for()
    deal(ann, ben)
    play_together(ann, ben, turns=12)
    assert my_cards(ann) != []
    german = [line for line in told(ben) if "aufgedeckt" in line or "gezogen" in line or "Ann" in line]
    assert german  # what Ann did, in Ben's language
    up = "[...document.querySelectorAll('.seat .slot')].filter(slot => slot.ariaLabel.includes(':')).length"
    ann.wait_for_function(f"() => {up} >= 4")
    ben.wait_for_function(f"count => {up} === count", arg=ann.evaluate(up))


def test_a_phrase_reaches_the_friend_in_his_own_language(visit):
    ann, path = invite(visit, FRIEND)
    ben = visit(path, language="fr")
    ben.get_by_label(messages("fr")["start_name"]).fill("Ben")
    ben.get_by_role("button", name=messages("fr")["join_sit"]).click()
    start(ann)
    deal(ann, ben)
    ann.get_by_role("button", name=WORDS["table_talk"]).click()
    ann.get_by_role("button", name=WORDS["table_say_good_luck"]).click()
    ben.locator(".bubble, [role=log] p", has_text=messages("fr")["table_say_good_luck"]).first.wait_for()
    assert ben.get_by_label(messages("fr")["table_chat"]).count() == 0  # free text is the owner's to turn on
    ben.reload()
    ben.get_by_role("button", name=messages("fr")["table_talk"]).click()  # and it can be read again
    said = ben.get_by_role("region", name=messages("fr")["table_talk_said"])
    said.get_by_text(messages("fr")["table_say_good_luck"]).wait_for()


def test_the_screen_stays_on_while_the_reader_plays(visit):
    page = visit(NO_PAGE)
    page.add_init_script(
        """
        window.asked = window.given = 0;
        const request = async () => (window.asked++, { release: async () => void window.given++ });
        Object.defineProperty(navigator, "wakeLock", { value: { request } });
        """
    )
    sit_and_start(page, ME, COMPUTER)
    page.wait_for_function("window.asked === 1 && window.given === 0")
    page.get_by_role("link", name="Mulligan").first.click()
    page.wait_for_function("window.given === 1")


def test_a_spectator_sees_all_and_can_do_nothing(visit):
    ann = visit(NO_PAGE, viewport=DESK)
    codes = open_table(ann, ME, COMPUTER)
    ann.evaluate("code => sessionStorage.setItem('mulligan.start', code)", codes["table"])
    ann.goto(f"/t/{codes['table']}")
    ann.locator(".table.on-felt").wait_for()
    tee_off(ann)
    eve = visit(f"/w/{codes['watch']}", viewport=DESK)
    eve.locator(".seat").first.wait_for()
    assert sorted(cards_seen(eve)) == sorted(cards_seen(ann))
    assert lit(eve) == []
    assert eve.locator("[data-move]").count() == 0
    eve.keyboard.press("s")
    target(ann, "S").click()
    eve.get_by_role("log").get_by_text("Ann drew").wait_for()
    ann.get_by_title("One person is watching").wait_for()
    play(ann, ".hole-result")
    eve.get_by_role("heading", name="Hole 1 is over").wait_for()
    assert eve.get_by_role("button", name=WORDS["table_act_next"]).count() == 0


def test_an_absent_friend_is_played_for_and_comes_back(visit):
    ann, ben = ben_on_turn(visit)
    path = ben.url
    ben.goto("about:blank")
    ann.get_by_text(WORDS["menu_away"].format(name="Ben")).first.wait_for()
    ann.get_by_role("button", name=WORDS["away_play_on"]).click()
    ann.locator("button.legal").first.wait_for()  # the computer player went on for him
    ben.goto(path)
    ann.get_by_role("log").get_by_text(WORDS["table_ev_gave_back"].format(name="Ben")).wait_for()
    play_until_lit(ann, ben)


def hide(page, hidden=True):
    """The page goes to the background, or comes back. Headless browsers hide no page by themselves."""
    page.evaluate(
        """state => {
            Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        "hidden" if hidden else "visible",
    )


def test_a_friend_who_looks_at_something_else_is_played_for_until_he_looks_again(visit):
    ann, ben = ben_on_turn(visit)
    sign = ann.locator(".seat .where", has_text=WORDS["table_mark_elsewhere"])
    hide(ben)
    sign.wait_for(timeout=5_000)
    assert ann.get_by_role("img", name=WORDS["table_mark_elsewhere"]).count() == 1
    hide(ben, False)
    sign.wait_for(state="detached")
    hide(ben)
    ann.get_by_text(WORDS["away_elsewhere"].format(name="Ben")).first.wait_for()
    ann.get_by_role("button", name=WORDS["away_play_on"]).click()
    ann.locator("button.legal").first.wait_for()
    ben.get_by_text(WORDS["menu_lent_mine"]).wait_for()
    hide(ben, False)
    ben.get_by_text(WORDS["menu_lent_mine"]).wait_for(state="detached")
    banner = ben.get_by_text("While you were away, the computer played one turn for you.")
    banner.wait_for()
    ben.reload()
    banner.wait_for()
    ben.get_by_role("button", name=WORDS["away_look"]).click()
    window = ben.get_by_role("dialog", name=WORDS["away_look_title"])
    window.get_by_role("button", name=WORDS["away_look_next"]).wait_for()
    while (then := window.get_by_role("button", name=WORDS["away_look_next"])).count():
        then.click()
    labels = "[...board.querySelectorAll('.seat.mine [data-move]')].map(one => one.ariaLabel).join()"
    boards = f"[...document.querySelectorAll('.on-felt')].map(board => {labels}).filter(Boolean)"
    while len(set(shown := ben.evaluate(boards))) > 1:
        ben.wait_for_timeout(50)
    assert len(shown) == 2
    window.get_by_role("button", name=WORDS["page_close"]).last.click()
    assert banner.count() == 0
    hide(ben)
    hide(ben, False)  # the page reports again, and what was seen does not come back
    ann.get_by_text(WORDS["away_elsewhere"].format(name="Ben")).wait_for(state="detached")
    assert banner.count() == 0
    play_until_lit(ann, ben)


@pytest.mark.parametrize("way", ["tap", "Space"])
def test_a_touched_card_takes_the_seat_back(visit, way):
    ann, ben = ben_on_turn(visit)
    hide(ben)
    ann.get_by_role("button", name=WORDS["away_play_on"]).click()
    ann.locator("button.legal").first.wait_for()
    ben.get_by_text(WORDS["away_touch"]).first.wait_for(state="attached")
    card = ben.locator(".seat.mine .slot").first
    card.click(force=True) if way == "tap" else card.press("Space")  # no move: it is marked as disabled
    ben.get_by_text(WORDS["menu_lent_mine"]).wait_for(state="detached")
    hide(ben, False)


def test_a_network_that_is_lost_without_a_word_is_seen_within_twelve_seconds(visit, server):
    with beside(server.port) as network:
        ann, path = invite(visit, FRIEND)
        ben = visit(path, base=f"http://127.0.0.1:{network.port}")
        sit(ben, "Ben")
        start(ann)
        deal(ann, ben)
        sign = ann.locator(".seat .where", has_text=WORDS["table_mark_away"])
        assert sign.count() == 0
        network.do(network.proxy.freeze)
        sign.wait_for(timeout=12_000)
        network.do(network.proxy.thaw)
        sign.wait_for(state="detached")


def test_the_language_changes_in_mid_game_and_nothing_else_does(visit):
    page = visit(NO_PAGE, viewport=DESK)
    sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    target(page, "D").click()
    page.locator(".piles .hand [role=img]").wait_for()
    page.locator(".table.on-felt").evaluate("table => (table.dataset.mark = 'same')")
    moves = lit_up(page)
    page.get_by_role("button", name=WORDS["menu_open"]).click()
    page.get_by_role("button", name=WORDS["page_settings"]).click()
    page.get_by_role("radio", name="日本語").click()
    page.keyboard.press("Escape")
    page.get_by_text(messages("ja")["table_your_turn"]).first.wait_for()
    assert page.evaluate("document.documentElement.lang") == "ja"
    assert page.locator(".table.on-felt").get_attribute("data-mark") == "same"
    assert page.title().startswith("プレイナイン")
    assert lit_up(page) == moves


@pytest.fixture
def restarted(tmp_path):
    """A server of its own, which can be ended and started again at the same address."""
    running = []

    def start(port=0):
        command = [sys.executable, "-m", "mulligan", "serve", "--port", str(port), "--data", str(tmp_path)]
        uncompiled = os.environ | {"MULLIGAN_PLAIN": "1"}  # it starts sooner
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=uncompiled)
        running.append(server)
        return re.search(r":(\d+)", server.stdout.readline())[1]

    def end():
        running[-1].send_signal(signal.SIGTERM)
        running[-1].wait(20)

    yield start, end
    for server in running:
        server.terminate()
        server.wait(20)
        server.stdout.close()


def test_a_server_that_restarts_says_so_and_the_page_comes_back_by_itself(visit, restarted):
    start, end = restarted
    port = start()
    page = visit(NO_PAGE, base=f"http://127.0.0.1:{port}", viewport=DESK)
    sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    target(page, "D").click()
    page.locator(".piles .hand [role=img]").wait_for()
    before = my_cards(page), lit_up(page)
    end()
    page.get_by_role("status").get_by_text(WORDS["link_restarting"]).wait_for()
    start(port)
    page.get_by_role("status").get_by_text(WORDS["link_back"]).wait_for()
    assert (my_cards(page), lit_up(page)) == before
    target(page, "d2").click()
    page.locator(".piles .hand [role=img]").wait_for(state="detached")


def test_nobody_loses_their_result_to_another_match_and_who_left_is_still_known(visit):
    ann, path = invite(visit, FRIEND)
    ben = visit(viewport=PHONE)
    ben.goto(path)
    sit(ben, "Ben")
    start(ann)
    ann.get_by_role("button", name=WORDS["menu_open"]).first.click()
    ann.get_by_role("button", name=WORDS["menu_give_up"]).click()
    ann.get_by_role("button", name=WORDS["menu_give_up_yes"]).click()
    ann.get_by_role("button", name=WORDS["table_act_rematch"]).click()
    ben.get_by_role("button", name=WORDS["table_again_join"]).wait_for()
    assert ben.locator(".won").is_visible()
    ben.get_by_role("button", name=WORDS["table_again_join"]).click()
    ben.locator(".won").wait_for(state="hidden")
    ben.get_by_role("button", name=WORDS["menu_open"]).first.click()
    ben.get_by_role("button", name=WORDS["menu_leave"]).click()
    ben.get_by_role("button", name=WORDS["menu_leave_yes"]).click()
    ann.get_by_role("button", name=WORDS["left_computer"]).click()
    ann.get_by_role("button", name=WORDS["left_computer"]).wait_for(state="hidden")
    ann.get_by_text("Ben (left)").first.wait_for()
