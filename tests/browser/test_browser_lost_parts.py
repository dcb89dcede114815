"""Parts of the page that the network lost: fetched again, or told, and there the next time someone asks for them."""

import re

import pytest
from conftest import CLIENT
from test_browser_cardboard import begin
from test_browser_coach import open_story
from test_browser_friends import hide, play_until_lit, sit, start
from test_browser_pages import invite
from test_browser_turns import IPHONE, NO_WAYS, serve_ways
from visiting import (
    COMPUTER,
    DESK,
    FRIEND,
    ME,
    NO_PAGE,
    PAGES,
    choose_match,
    deal,
    let_draw,
    messages,
    open_drawer,
    open_table,
    play,
    sit_and_start,
    tee_off,
    turn_to,
)

WORDS = messages("en")


def parts():
    """Every file that the page imports when it needs it."""
    sources = [path.read_text(encoding="utf-8") for path in CLIENT.glob("assets/*.js")]
    return {f"/assets/{name}" for source in sources for name in re.findall(r"import\([`'\"]\./([^`'\"]+)", source)}


# The network loses every file that our loader asks for, the first time. Within the page: a file that goes through the
# test on its way costs more than the page itself.
LOSE_ONCE = """
(() => {
  const ask = window.fetch;
  window.lost = () => JSON.parse(sessionStorage.getItem("lost") ?? "[]");
  window.fetch = async (...wish) => {
    const { pathname } = new URL(wish[0]?.url ?? wish[0], location.href);
    const known = window.lost();
    if (!pathname.startsWith("/assets/") || known.includes(pathname)) return ask(...wish);
    sessionStorage.setItem("lost", JSON.stringify([...known, pathname]));
    throw new TypeError("Failed to fetch");
  };
})();
"""


def press(page, words):
    page.get_by_role("button", name=WORDS[words], exact=True).click()


def test_whatever_the_network_loses_once_comes_the_next_time(visit, home, finished):
    page = visit(NO_PAGE)
    page.context.add_cookies(finished["cookies"])
    page.add_init_script(LOSE_ONCE)
    page.goto("/")
    for path in (*PAGES, "/move/nowhere", "/"):
        turn_to(page, path.format(**finished))
    for label, language in (("Français", "fr"), ("日本語", "ja"), ("Deutsch", "de"), ("English", "en")):
        page.get_by_role("button", name=label).click()
        page.wait_for_function("language => document.documentElement.lang === language", arg=language)
    press(page, "page_settings")
    page.locator("dialog [role=switch]").first.wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name=WORDS["start_real"]).click()
    page.locator("dialog .rows a").first.wait_for()
    page.keyboard.press("Escape")
    choose_match(page)
    page.get_by_role("button", name=WORDS["start_how"]).first.click()
    page.locator("dialog svg").first.wait_for()
    page.keyboard.press("Escape")
    press(page, "start_house_rules")
    page.locator("dialog fieldset input:not(:checked)").first.check()
    page.get_by_role("button", name=WORDS["house_done"]).click()
    page.locator(".chosen li").first.wait_for()

    turn_to(page, "/coach")
    begin(page)
    open_story(page, finished["game"])
    page.locator(".story .list li button").first.click()
    page.locator(".lesson").get_by_role("button", name=WORDS["coach_mulligan"]).click()
    press(page, "coach_mulligan_go")
    page.locator("aside", has_text="Practice").wait_for()

    path = f"/t/{open_table(page, ME, FRIEND, game='six_card', house_rules={'jokers': -5})['table']}"
    turn_to(page, path)
    page.get_by_role("heading", name=WORDS["lobby_title"]).wait_for()
    friend = visit(NO_PAGE)
    friend.add_init_script(LOSE_ONCE)
    friend.goto(path)
    friend.get_by_label(WORDS["start_name"]).wait_for()
    friend.locator("main li").first.wait_for()  # how its rules differ
    plain = visit(NO_PAGE, base=home)
    plain.add_init_script(LOSE_ONCE)
    plain.goto(f"/g/{finished['game']}/check")
    plain.locator(".verdict.good").wait_for()
    plain.goto("/")
    invite(plain)
    plain.locator(".qr svg").wait_for()

    sit_and_start(page, ME, COMPUTER, game="four_card", holes=1, house_rules={"jokers": -5})
    for words in ("menu_open", "table_talk", "start_how"):
        press(page, words)
        page.locator("dialog h2").wait_for()
        page.keyboard.press("Escape")
    page.locator(".seat .who").first.click()
    page.locator("dialog h2").wait_for()
    page.keyboard.press("Escape")
    deal(page)
    play(page, ".seat.mine [aria-disabled='false']")
    press(page, "coach_hint")
    page.locator(".hint li").first.wait_for()
    play(page, ".won")
    page.locator(".verdict").wait_for()
    open_drawer(page)
    page.keyboard.press("Escape")
    press(page, "lobby_share")
    page.locator("dialog img").wait_for()
    lost = {
        path
        for one in (page, friend, plain, by_turns_on_an_iphone(visit), *at_a_table_of_friends(visit))
        for path in one.evaluate("lost()")
    }
    assert parts() - lost == set()


def by_turns_on_an_iphone(visit):
    """The page of a table by turns, where the reader has asked how to be told of their turn."""
    page = visit(NO_PAGE, user_agent=IPHONE)
    page.add_init_script(LOSE_ONCE)
    serve_ways(page, NO_WAYS)
    page.goto(f"/t/{open_table(page, ME, FRIEND, tempo='day')['table']}")
    press(page, "tell_me")
    press(page, "tell_how")
    page.locator("dialog li svg").first.wait_for()
    return page


def at_a_table_of_friends(visit):
    """The pages of a table where another game may be chosen, a computer has played for someone, and someone knocks."""
    ann, ben, eve = (visit(NO_PAGE) for _ in range(3))
    for page in (ann, ben, eve):
        page.add_init_script(LOSE_ONCE)
    path = f"/t/{open_table(ann, ME, FRIEND, COMPUTER)['table']}"
    ann.goto(path)
    press(ann, "next_title")
    ann.locator("dialog h2").wait_for()
    ann.keyboard.press("Escape")
    ben.goto(path)
    sit(ben, "Ben")
    start(ann)
    deal(ann, ben)
    play_until_lit(ann, ben)
    hide(ben)
    press(ann, "away_play_on")
    ann.locator("button.legal").first.wait_for()
    hide(ben, False)
    press(ben, "away_look")
    ben.get_by_role("dialog", name=WORDS["away_look_title"]).wait_for()
    eve.goto(path)
    eve.get_by_label(WORDS["start_name"]).fill("Eve")
    press(eve, "knock_ask")
    ann.get_by_text(WORDS["knock_asks"].format(name="Eve")).wait_for()
    return ann, ben, eve


# A tap opens this while its part is lost, and once more when the network has it.
TAPS = {
    "Settings": lambda page: press(page, "page_settings"),
    "Sheet": lambda page: press(page, "start_house_rules"),
    "TableMenu": lambda page: press(page, "menu_open"),
    "Talk": lambda page: press(page, "table_talk"),
    "Help": lambda page: press(page, "start_how"),
    "SeatMenu": lambda page: page.locator(".seat .who").first.click(),
    "Hints": lambda page: press(page, "coach_hint"),
    "Shared": lambda page: press(page, "lobby_share"),
}  # fmt: skip


def test_what_a_tap_opens_is_told_when_it_is_lost_and_opens_by_the_next_tap(visit, home, finished):
    page = visit(NO_PAGE, base=home)
    page.add_init_script("Object.defineProperty(navigator, 'onLine', { get: () => !window.away })")
    lost = set(TAPS)
    page.context.route(
        re.compile(f"/assets/({'|'.join(TAPS)})-.*"),
        lambda route: (
            route.abort() if re.search(r"/assets/(\w+)-", route.request.url)[1] in lost else route.continue_()
        ),
    )

    def opens_at_last(*names, shown="dialog"):
        page.evaluate("window.away = true")  # so that nothing is tried again and again
        for name in names:
            TAPS[name](page)
            said = page.get_by_text(WORDS["error_offline"])
            said.first.wait_for()
            page.get_by_role("button", name=WORDS["page_close"]).last.click()
            said.first.wait_for(state="detached")
            lost.remove(name)
            TAPS[name](page)
            page.locator(shown).wait_for()
            page.keyboard.press("Escape")
            page.locator(shown).wait_for(state="detached")
        page.evaluate("window.away = false")

    page.goto("/new")
    page.get_by_role("button", name=WORDS["start_house_rules"]).wait_for()
    opens_at_last("Settings", "Sheet")
    press(page, "start_play")
    tee_off(page)
    press(page, "table_sound_no")  # on a phone this question hides the button for the keys
    opens_at_last("TableMenu", "Talk", "Help", "SeatMenu")
    opens_at_last("Hints", shown=".hint li >> nth=0")
    page.goto(f"/g/{finished['game']}#story")
    page.get_by_role("button", name=WORDS["lobby_share"], exact=True).wait_for()
    opens_at_last("Shared")
    assert not lost


def test_lost_styles_of_the_page_itself_come_again(visit):
    page = visit(NO_PAGE)
    lost = []

    def lose(route):
        lost.append(route.request.url)
        route.abort() if len(lost) < 3 else route.continue_()

    page.context.route(re.compile(r"/assets/index-[^/]*\.css"), lose)
    page.goto("/")
    page.wait_for_function("() => getComputedStyle(document.documentElement).getPropertyValue('--tap')")
    assert page.locator("#lost").is_hidden()


def wait_until_it_gives_up(page):
    """Lets the time pass in which the page asks for a part again; its clock is ours."""
    for _ in range(4):
        page.clock.fast_forward(3_000)
        let_draw(page)


def test_a_shared_result_that_the_server_no_longer_has_asks_for_the_page_of_today(visit, finished):
    page = visit(NO_PAGE)
    page.clock.install()
    page.context.route("**/assets/Shared-*", lambda route: route.fulfill(status=404))
    page.goto(f"/g/{finished['game']}#story")
    page.get_by_role("button", name=WORDS["lobby_share"], exact=True).click()
    wait_until_it_gives_up(page)
    page.get_by_role("status").get_by_text(WORDS["error_old_client"]).wait_for()
    page.context.unroute_all()
    page.get_by_role("status").get_by_role("button", name=WORDS["page_reload"]).click()
    page.get_by_role("button", name=WORDS["lobby_share"], exact=True).click()
    page.locator("dialog img").wait_for()


def test_a_part_of_the_page_that_the_network_lost_is_fetched_again(visit):
    page = visit("/rules", viewport=DESK)
    lost = []

    def lose(route):
        lost.append(route.request.url)
        route.continue_() if len(lost) > 3 else route.abort()

    page.context.route(re.compile(r"/assets/HoleResult-[^/]*\.js"), lose)
    sit_and_start(page, ME, COMPUTER)
    deal(page)
    play(page, ".hole-result")
    assert len(lost) > 3


@pytest.mark.parametrize("by", ["the foot of the page", "the settings"])
def test_a_language_that_does_not_come_is_told_and_comes_later(visit, home, by):
    page = visit(base=home)
    page.get_by_role("button", name=WORDS["start_play"], exact=True).wait_for()
    page.evaluate("window.same = true")
    if by == "the settings":
        page.get_by_role("button", name=WORDS["page_settings"]).click()
        page.locator("dialog input[value=ja]").wait_for(state="attached")
    page.context.set_offline(True)
    if by == "the settings":
        page.locator("dialog input[value=ja]").click(force=True)
        page.locator("dialog input[value=en]:checked").wait_for(state="attached")
        page.keyboard.press("Escape")
    else:
        page.get_by_role("button", name="日本語").click()
    told = page.get_by_role("status").filter(has_text=WORDS["error_offline"])  # the page itself may say it, too
    told.wait_for()
    assert page.evaluate("document.documentElement.lang") == "en"
    page.context.set_offline(False)
    told.get_by_role("button", name=WORDS["page_again"]).click()
    page.get_by_role("button", name=messages("ja")["start_play"], exact=True).wait_for()
    assert page.evaluate("window.same")


def test_a_part_that_does_not_come_is_told_and_comes_later(visit, home):
    page = visit(base=home)
    page.get_by_role("button", name=WORDS["start_play"], exact=True).wait_for()
    page.evaluate("window.same = true")
    page.context.set_offline(True)
    page.get_by_role("button", name=WORDS["page_settings"]).click()
    dialog = page.get_by_role("dialog")  # on a slow machine, a part of the page behind it may be missing too
    dialog.get_by_role("alert").get_by_text(WORDS["error_offline"]).wait_for()
    page.context.set_offline(False)
    dialog.get_by_role("button", name=WORDS["page_again"]).click()
    page.get_by_role("switch").first.wait_for()
    assert page.evaluate("window.same")


def test_a_page_older_than_its_server_asks_to_be_loaded_again(visit):
    page = visit()
    page.clock.install()
    page.context.route(re.compile("/assets/(Settings|ja)-"), lambda route: route.fulfill(status=404))
    page.get_by_role("button", name=WORDS["page_settings"]).click()
    wait_until_it_gives_up(page)
    page.get_by_role("alert").get_by_text(WORDS["error_old_client"]).wait_for()
    page.context.unroute_all()
    page.get_by_role("dialog").get_by_role("button", name=WORDS["page_reload"]).click()
    page.get_by_role("button", name=WORDS["page_settings"]).click()
    page.get_by_role("switch").first.wait_for()


def test_lost_styles_of_a_part_ask_for_the_page_of_today(visit):
    page = visit(NO_PAGE)
    page.clock.install()
    page.context.route(re.compile(r"/assets/(Rules|Talk)-[^/]*\.css"), lambda route: route.fulfill(status=404))
    page.goto("/rules")
    wait_until_it_gives_up(page)
    page.get_by_role("alert").get_by_text(WORDS["error_old_client"]).wait_for()
    sit_and_start(page, ME, COMPUTER)
    deal(page)
    press(page, "table_talk")
    wait_until_it_gives_up(page)
    page.get_by_role("status").get_by_text(WORDS["error_old_client"]).wait_for()
    play(page, ".seat.mine .up, .hole-result")  # the match goes on beside it
    page.context.unroute_all()
    page.get_by_role("status").get_by_role("button", name=WORDS["page_reload"]).click()
    press(page, "table_talk")
    page.locator("dialog h2").wait_for()


def test_where_not_even_the_words_come_the_page_says_so_in_every_language(visit):
    page = visit(NO_PAGE)
    page.context.route(re.compile("/assets/(en|shared)-.*js"), lambda route: route.fulfill(status=404))
    page.goto("/")
    page.get_by_text("Mulligan couldn’t be loaded.").wait_for()
    page.context.unroute_all()
    page.get_by_role("link", name="Reload").click()
    page.get_by_role("button", name=WORDS["start_play"], exact=True).wait_for()
