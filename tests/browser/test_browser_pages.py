"""The pages around the table, as people use them: start, invitation, joining, settings, rules, and what is not here."""

import json
import re
from typing import Any

import pytest
from conftest import Visit
from visiting import (
    COMPUTER,
    DESK,
    LANGUAGES,
    ME,
    NO_PAGE,
    PHONE,
    ROOT,
    SMALL,
    choose_match,
    deal,
    messages,
    sit_and_start,
    target,
    tee_off,
    wait_until_kept,
)

from mulligan.server import first_start

PLAY = {"en": "Play", "fr": "Jouer", "de": "Spielen", "ja": "始める"}


def invite(page: Any, name: str = "Ann", friends: int = 1, seats: int = 2) -> str:
    """From the start page to a table that waits for friends; returns its path."""
    choose_match(page)
    fewer, more = (
        page.get_by_role("button", name="One fewer player"),
        page.get_by_role("button", name="One more player"),
    )
    count = page.locator("output")
    while (now := int(count.inner_text())) != seats:
        (fewer if now > seats else more).click()
    page.get_by_label("Your name").fill(name)
    for seat in range(2, friends + 2):
        page.get_by_label(f"Seat {seat}", exact=True).select_option("friend")
    page.get_by_role("button", name="Invite friends").click()
    page.get_by_role("heading", name="Invite your friends").wait_for()
    return re.sub(r"^https?://[^/]+", "", page.url)


def sit(page: Any, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_tap_starts_a_game_against_three_computer_players(visit: Visit, language: str) -> None:
    page = visit(language=language)
    page.get_by_role("button", name=PLAY[language], exact=True).click()
    page.wait_for_url("**/t/*")
    page.locator("main.table").wait_for()
    assert page.evaluate("document.documentElement.lang") == language


@pytest.mark.parametrize("language", ["de", "ja"])
def test_titles_break_between_their_words_on_the_smallest_phone(visit: Visit, language: str) -> None:
    lines = "spans => spans.map(span => Math.round(span.offsetHeight / parseFloat(getComputedStyle(span).lineHeight)))"
    page = visit(NO_PAGE, language, SMALL)
    for path in ("/new", "/pad", "/learn"):
        page.goto(path)
        page.locator("strong > span").first.wait_for()
        assert set(page.locator("strong > span").evaluate_all(lines)) == {1}


def test_until_everything_is_compiled_the_page_says_how_far_it_is(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_start, "progress", "1/3")
    page = visit()
    page.get_by_text(
        "Getting ready (1 of 3). You can play now; hints and analysis get better in a few minutes."
    ).wait_for()
    monkeypatch.setattr(first_start, "progress", "2/3")
    page.get_by_text("(2 of 3)").wait_for()
    invite(page)
    line = page.get_by_text("(2 of 3)")
    line.wait_for()
    monkeypatch.setattr(first_start, "progress", "")
    line.wait_for(state="detached")


def test_a_friend_opens_the_link_sits_down_and_the_owner_starts(visit: Visit) -> None:
    ann = visit()
    path = invite(ann)
    ann.get_by_text("Only this computer can open this link").wait_for()  # so a QR code would lead nowhere
    ben = visit(path)
    sit(ben, "ANN")
    ben.get_by_role("alert").wait_for()
    assert "already" in ben.get_by_role("alert").inner_text()
    sit(ben, "Ben")
    ann.get_by_role("heading", name="Everyone is here").wait_for()
    ann.get_by_role("button", name="Start", exact=True).click()
    for page in (ann, ben):
        page.locator("main.table").wait_for()
    late = visit(path)
    late.get_by_role("heading", name="The table is full").wait_for()
    late.get_by_role("link", name="Just watch").click()
    late.wait_for_url("**/w/*")
    late.locator("main.table").wait_for()


def test_computer_players_fill_the_seats_nobody_took(visit: Visit) -> None:
    page = visit()
    invite(page, friends=2, seats=3)
    page.get_by_role("button", name="Start with 2 computer players").click()
    page.locator("main.table").wait_for()


def test_the_owner_removes_a_friend_but_not_by_a_slip(visit: Visit) -> None:
    ann = visit()
    ben = visit(invite(ann))
    sit(ben, "Ben")
    ann.get_by_role("button", name="Remove Ben").click()
    ann.get_by_role("button", name="Yes, remove Ben").click()
    ben.get_by_text("You were removed from this table.").wait_for()
    ann.get_by_text("1 seat is still open.").wait_for()


def test_the_language_changes_at_once_and_is_remembered(visit: Visit) -> None:
    page = visit(language="pt-BR")
    assert page.evaluate("document.documentElement.lang") == "en"
    page.evaluate("window.same = true")
    for label, language, title in (("Français", "fr", "Jeux"), ("日本語", "ja", "ゴルフ"), ("Deutsch", "de", "Golf-K")):
        page.get_by_role("button", name=label).click()
        page.wait_for_function("language => document.documentElement.lang === language", arg=language)
        page.wait_for_function("title => document.title.startsWith(title)", arg=title)
    assert page.evaluate("window.same")
    page.reload()
    page.get_by_role("button", name="Spielen", exact=True).wait_for()


def test_settings_act_at_once_and_are_remembered(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Dark").check()
    page.get_by_role("switch", name="Left-handed").click()
    page.keyboard.press("Escape")
    page.reload()
    page.get_by_role("button", name="Play", exact=True).wait_for()
    chosen = page.evaluate("({ ...document.documentElement.dataset })")
    assert (chosen["theme"], chosen["hand"]) == ("dark", "left")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def test_two_tabs_forget_no_setting_of_each_other(visit: Visit) -> None:
    page = visit()
    other = page.context.new_page()
    other.goto("/")
    for one, words in ((page, "Dark"), (other, "Large")):
        one.get_by_role("button", name="Settings").click()
        one.get_by_role("radio", name=words).check()
    page.reload()
    page.get_by_role("button", name="Play", exact=True).wait_for()
    chosen = page.evaluate("({ ...document.documentElement.dataset })")
    assert (chosen["theme"], chosen["cards"]) == ("dark", "large")


def test_a_rule_opens_by_its_number_and_is_found_by_its_words(visit: Visit) -> None:
    page = visit("/rules#4.2")
    heading = page.get_by_role("heading", name="4.2 Last turns")
    heading.wait_for()
    page.wait_for_function("() => Math.abs(document.getElementById('4.2').getBoundingClientRect().top) < 200")
    page.get_by_role("searchbox").fill("sudden death")
    page.get_by_role("heading", name="6.3", exact=False).wait_for()
    assert heading.count() == 0
    page.get_by_role("searchbox").fill("windmill")
    page.get_by_text("No rule mentions “windmill”.").wait_for()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_rule_book_is_there(visit: Visit, language: str) -> None:
    written = (ROOT / "docs" / "rulebook" / f"{language}.md").read_text(encoding="utf-8").count("\n### ")
    page = visit("/rules", language=language)
    page.wait_for_function("written => document.querySelectorAll('article').length === written", arg=written)


@pytest.mark.parametrize(
    ("path", "words"), [("/t/NOPE22", "table"), ("/w/NOPE2222", "table"), ("/nowhere/at/all", "address")]
)
def test_what_is_not_here_is_said_kindly(visit: Visit, path: str, words: str) -> None:
    page = visit(path)
    page.get_by_role("heading", name="Out of bounds").wait_for()
    assert words in page.locator("main p").inner_text()
    page.get_by_role("link", name="New match").click()
    page.get_by_role("button", name="Play", exact=True).wait_for()


def is_in_sight(part: Any) -> bool:
    """Whether all of it is on the screen before anyone scrolls."""
    box, screen = part.bounding_box(), part.page.viewport_size
    return box["y"] >= 0 and box["y"] + box["height"] <= screen["height"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_screen_says_what_it_is_and_leads_to_a_game_and_to_the_lesson(visit: Visit, language: str) -> None:
    words = messages(language)
    page = visit(language=language)
    play = page.get_by_role("button", name=words["start_play"], exact=True)
    lesson = page.get_by_role("link", name=words["start_never"])
    said = [page.get_by_text(words[key], exact=True) for key in ("start_title", "start_lead")]
    play.wait_for()
    for width, height in ((390, 844), (360, 740), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        assert all(map(is_in_sight, (*said, lesson, play))), height
    lesson.click()
    page.wait_for_url("**/learn")


def test_a_table_left_is_found_again(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator("main.table").wait_for()
    table = page.url
    page.get_by_role("link", name="Mulligan, start page").click()
    there = page.get_by_role("region", name="Continue").get_by_role("link")
    there.wait_for()
    assert is_in_sight(there)
    assert is_in_sight(page.get_by_role("button", name="Play", exact=True))
    there.click()
    page.wait_for_url(table)
    page.locator("main.table").wait_for()


def test_a_finished_match_has_one_row_with_its_record_and_its_table(visit: Visit, finished: dict[str, Any]) -> None:
    page = visit(NO_PAGE)
    page.context.add_cookies(finished["cookies"])
    page.goto(f"/t/{finished['table']}")
    page.get_by_role("button", name=messages("en")["table_act_rematch"]).wait_for()
    page.get_by_role("link", name="Mulligan, start page").click()
    row = page.get_by_role("region", name="Finished matches").get_by_role("listitem")
    row.wait_for()
    assert row.get_by_role("link").evaluate_all("links => links.map(link => link.pathname)") == [
        f"/g/{finished['game']}",
        f"/t/{finished['table']}",
    ]


def test_without_a_network_the_app_opens_and_says_what_needs_one(visit: Visit) -> None:
    page = visit(installed=True)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.context.set_offline(True)
    page.reload()
    choose_match(page)
    page.locator(".seats select").first.select_option("friend")
    page.locator("button.play").click()
    page.get_by_text("The server isn’t responding.").wait_for()
    page.context.set_offline(False)


def test_without_a_network_the_rule_book_has_the_marks_it_had_or_says_that_there_are_none(visit: Visit) -> None:
    words, book = messages("en"), "/rules?game=six_card&house=jokers%3D-5"
    page = visit(installed=True)
    wait_until_kept(page, "/api/rulebook/en")
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.goto(book)
    page.get_by_text(words["house_options_unmarked"]).wait_for()
    assert page.locator(".changed").count() == 0
    page.context.set_offline(False)
    page.reload()
    page.locator(".changed").first.wait_for()
    page.context.set_offline(True)
    page.reload()
    page.locator(".changed").first.wait_for()
    assert page.get_by_text(words["house_options_unmarked"]).count() == 0
    page.context.set_offline(False)


def test_court_cards_have_the_letters_of_the_country_or_those_chosen(visit: Visit) -> None:
    def drawn(page: Any) -> tuple[str | None, str]:
        """How the king is drawn, and what the rule book writes for one."""
        kings = page.locator(".unseen").filter(has_text=re.compile(r"^(\w) \1 \1 / 4 \w 3 / 9 9 9$")).first
        kings.scroll_into_view_if_needed()
        king = page.locator("#card-K .on-ink path").first
        king.wait_for(state="attached")
        return king.get_attribute("d"), kings.text_content() or ""

    english = drawn(visit("/rules", viewport=DESK))
    assert english[1] == "K K K / 4 J 3 / 9 9 9"
    assert drawn(visit("/rules", language="fr-CA", viewport=DESK)) == english
    page = visit("/rules", language="fr-FR", viewport=DESK)
    french = drawn(page)
    assert french[0] != english[0]
    assert french[1] == "R R R / 4 V 3 / 9 9 9"
    words = messages("fr")
    page.get_by_role("button", name=words["page_settings"]).click()
    page.get_by_role("group", name=words["set_court"]).get_by_role("radio", name="B D K").check()
    page.get_by_text("K K K / 4 B 3 / 9 9 9").first.wait_for(state="attached")
    assert drawn(page)[0] == english[0]
    page.reload()
    assert drawn(page) == (english[0], "K K K / 4 B 3 / 9 9 9")


def test_the_first_load_is_small(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Play", exact=True).wait_for()
    loaded = page.evaluate(
        "performance.getEntriesByType('resource').filter(one => one.name.endsWith('.js') && one.startTime < 1000)"
        ".reduce((sum, one) => sum + one.transferSize, 0)"
    )
    assert 0 < loaded < 60_000


def test_the_files_and_words_of_a_page_come_with_the_first_files_and_are_needed(visit: Visit) -> None:
    page = visit(NO_PAGE)
    told = re.search(r'<script type="application/json" id="files">(.*?)</script>', page.request.get("/").text())
    assert told
    files = json.loads(told[1])
    assert files["pages"].keys() == {"new", "t", "g", "rules", "pad", "coach", "learn", "learn/", "card", "day"}
    for address, its in files["pages"].items():
        page.goto(f"/{address}" + {"t": "/NONE", "g": "/NONE", "learn/": "play_nine"}.get(address, ""))
        page.locator("h1").first.wait_for()
        early, asked_for = page.evaluate(
            """() => {
              const files = performance.getEntriesByType("resource").filter((one) => one.name.includes("/assets/"));
              const asks = files.findIndex((one) => one.initiatorType === "fetch"); // the app, once it runs
              const paths = (some) => some.map(({ name }) => new URL(name).pathname);
              return [paths(files.slice(0, asks)), paths(files.slice(asks))];
            }"""
        )
        wanted = {f"/{file}" for file in [*its["files"], *(files["words"]["en"][part] for part in its["words"])]}
        assert wanted - {*early} == set(), address
        assert wanted - {*asked_for} == set(), address


def test_the_text_of_a_lesson_comes_with_the_first_files(visit: Visit) -> None:
    page = visit("/learn/six_card")
    page.locator("#idea").wait_for()
    texts = page.evaluate(
        "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/tutorial/six_card'))"
        ".map((one) => one.initiatorType)"
    )
    assert texts == ["link"]  # asked for by early.js, and by nobody again


@pytest.mark.parametrize("way", ["cross", "back", "escape", "outside"])
def test_a_dialog_gives_the_focus_back(visit: Visit, way: str) -> None:
    page = visit()
    opener = page.get_by_role("button", name=messages("en")["page_settings"])
    opener.focus()
    page.keyboard.press("Enter")
    dialog = page.locator("dialog[open]")
    dialog.locator("fieldset").first.wait_for()
    if way == "cross":
        dialog.get_by_role("button", name=messages("en")["page_close"]).press("Enter")
    elif way == "back":
        page.go_back()
    elif way == "escape":
        page.keyboard.press("Escape")
    else:
        page.mouse.click(5, 5)
    dialog.wait_for(state="detached")
    assert opener.evaluate("button => button === document.activeElement")


@pytest.mark.parametrize("density", [1, 2.625])  # on the second screen, what is scrolled has parts of a pixel
@pytest.mark.parametrize(("path", "link"), [("/learn", "learn/ten_card"), ("/rules#4", "cards-dealt")])
def test_back_returns_to_where_a_page_was_left(visit: Visit, path: str, link: str, density: float) -> None:
    page = visit(path, device_scale_factor=density)
    to = page.locator(f"a[href='/{link}']")
    to.scroll_into_view_if_needed()
    left_at = page.evaluate("scrollY")
    assert left_at > 500
    to.click()
    to.wait_for(state="detached")
    for _ in range(2):
        page.go_back()
        to.wait_for()
        page.wait_for_function("top => Math.abs(scrollY - top) < 1", arg=left_at)
        page.go_forward()
        to.wait_for(state="detached")


def test_a_dialog_that_a_button_inside_closes_gives_the_focus_back(visit: Visit) -> None:
    page = visit(NO_PAGE)
    sit_and_start(page, ME, COMPUTER)
    deal(page)
    opener = page.get_by_role("button", name=messages("en")["table_talk"])
    opener.press("Enter")
    dialog = page.locator("dialog[open]")
    dialog.locator("button").nth(8).press("Enter")
    dialog.wait_for(state="detached")
    assert opener.evaluate("button => button === document.activeElement")


def test_no_script_runs_but_the_servers_own(visit: Visit) -> None:
    page = visit()
    answer = page.request.get("/")
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert (policy["default-src"], policy["script-src"]) == ("'none'", "'self'")
    page.evaluate(
        """() => {
          window.blocked = 0;
          addEventListener("securitypolicyviolation", () => (window.blocked += 1));
          const script = document.createElement("script");
          script.textContent = "window.intruded = true";
          document.body.append(script);
          document.body.insertAdjacentHTML("beforeend", "<img src='data:,' onerror='window.intruded = true'>");
        }"""
    )
    page.wait_for_function("() => window.blocked === 2 || window.intruded")
    assert page.evaluate("window.intruded") is None
    assert all("Content Security Policy" in line for line in visit.complaints)
    assert len(visit.complaints) == 2
    visit.complaints.clear()


def test_large_cards_and_left_hand_keep_the_table_in_the_window(visit: Visit) -> None:
    page = visit(viewport=SMALL)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Large").click()
    page.get_by_role("switch", name="Left-handed").click()
    page.get_by_role("switch", name="Colour-blind palette").click()
    sit_and_start(page, ME, COMPUTER, COMPUTER, COMPUTER)
    tee_off(page)
    target(page, "S").click()
    page.locator(".held.lifted").wait_for()
    for slot in page.locator(".seat.mine [data-move]").all():
        box = slot.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 320
        assert min(box["width"], box["height"]) >= 44
