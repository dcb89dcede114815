"""After a match: one's place, sharing the result, and the statistics of the device."""

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from axe import faults
from conftest import Visit
from reading import check, every_language
from visiting import (
    COMPUTER,
    DESK,
    HERE,
    ME,
    NO_PAGE,
    PHONE,
    SMALL,
    deal,
    messages,
    open_drawer,
    play,
    sit_and_start,
)

WORDS = messages("en")
KEPT = "Object.keys(localStorage).filter(key => key.startsWith('mulligan.match/'))"


def as_ann(visit: Visit, finished: dict[str, Any], path: str, **more: Any) -> Any:
    """A page of the one who played the finished match."""
    page = visit(NO_PAGE, **more)
    page.context.add_cookies(finished["cookies"])
    page.goto(path)
    return page


def figures(page: Any) -> dict[str, str]:
    """What the tiles of the statistics say."""
    page.goto("/stats")
    page.locator("dl dd").first.wait_for()
    return dict(page.evaluate("[...document.querySelectorAll('dl > div')].map(one => one.innerText.split('\\n'))"))


def bests(page: Any) -> dict[str, str]:
    """The personal bests on the page of statistics, without their days."""
    rows = page.evaluate("[...document.querySelectorAll('.bests li .text')].map(one => one.innerText.split('\\n'))")
    return {title: value for title, value, *_ in rows}


def test_after_a_match_one_reads_the_place_and_it_is_counted_once(visit: Visit, finished: dict[str, Any]) -> None:
    page = as_ann(visit, finished, f"/t/{finished['table']}")
    game = page.request.get(f"/api/games/{finished['game']}").json()
    ahead = sum(total < game["totals"][0] for total in game["totals"])
    said = page.locator(".won .place")
    said.wait_for()
    assert said.inner_text() == f"You: {('1st', '2nd', '3rd')[ahead]}, {game['totals'][0]}\u00a0points"
    page.wait_for_function(f"() => {KEPT}.length === 1")
    page.reload()
    page.locator(".won .place").wait_for()
    other = page.context.new_page()
    other.goto(f"/t/{finished['table']}")
    other.locator(".won .place").wait_for()
    open_drawer(page)
    page.get_by_role("link", name=WORDS["start_stats"]).click()
    page.locator("ol li").wait_for()
    points = [line["points"][0] for line in game["card"] if not line["playoff"]]
    assert figures(page) == {
        "Matches": "1",
        "Won": "1 (100%)" if 0 in game["winners"] else "0 (0%)",
        "Points per hole": f"{sum(points) / 9:.1f}",
        "Worst hole": str(max(points)),
    }
    assert bests(page)["Best hole"] == str(min(points)).replace("-", "−")
    assert bests(page)["Best match, 9 holes"] == str(game["totals"][0]).replace("-", "−")
    equal = max(hole["equal"][0] for hole in game["holes"] if not hole["playoff"])
    assert bests(page).get("Most equal cards in a hole", "2") == str(equal)
    page.goto(f"/g/{finished['game']}#story")
    page.locator(".story figure").first.wait_for()
    assert {"Luck per hole", "Mistakes per hole"} <= figures(page).keys()


def test_a_result_is_shared_as_a_picture_and_a_link_to_the_game(visit: Visit, finished: dict[str, Any]) -> None:
    page = as_ann(visit, finished, f"/t/{finished['table']}")
    page.get_by_role("button", name=WORDS["lobby_share"], exact=True).click()
    picture = page.locator("dialog img")
    picture.wait_for()
    assert picture.get_attribute("alt").startswith("Picture of the score card: Nine-card golf – ")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 400
    assert faults(page) == []
    origin = page.request.get("/api/facts").json()["origin"]
    link = page.locator("dialog .address").inner_text()
    assert f"http://{link}" == f"{origin}/g/{finished['game']}"
    with page.expect_download() as saved:
        page.get_by_role("button", name=WORDS["results_save_picture"]).click()
    assert saved.value.suggested_filename == f"mulligan-{finished['game']}.png"
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")


def test_a_device_that_can_share_gets_the_picture_and_the_link(visit: Visit, finished: dict[str, Any]) -> None:
    page = visit()
    page.add_init_script(
        "navigator.canShare = () => true;"
        "navigator.share = async ({ url, files }) => { window.shared = [url, files[0].type, files[0].size > 5000]; };"
    )
    page.goto(f"/g/{finished['game']}#story")
    page.get_by_role("button", name=WORDS["lobby_share"], exact=True).click()
    page.wait_for_function("() => window.shared")
    url, kind, has_content = page.evaluate("window.shared")
    assert url.endswith(f"/g/{finished['game']}")
    assert (kind, has_content) == ("image/png", True)
    assert page.locator("dialog").count() == 0


BUTTONS = """
() => [...document.querySelectorAll(".hole-result .next button")].map(button => {
  const { x, y, width, height } = button.getBoundingClientRect();
  return [button.innerText.trim(), x, y, width, height];
})
"""


def end_of_match(visit: Visit, finished: dict[str, Any], answer: Any) -> Any:
    """The result on a phone, whose questions for the analysis `answer` gets."""
    page = as_ann(visit, finished, NO_PAGE, viewport=PHONE)
    page.route(re.compile(r"/api/games/[^/]+/analysis$"), answer)
    page.goto(f"/t/{finished['table']}")
    page.locator(".won .place").wait_for()
    return page


def test_the_deciding_moment_comes_without_moving_a_button_and_plays_on_the_board(
    visit: Visit, finished: dict[str, Any]
) -> None:
    held: list[Any] = []
    page = end_of_match(visit, finished, lambda route: held.append(route))
    page.get_by_text(WORDS["coach_moment_wait"]).wait_for()
    assert page.locator(".hole-result h2").first.inner_text().startswith("You: ")
    buttons = page.evaluate(BUTTONS)
    assert [words for words, *_ in buttons] == [
        WORDS[f"{key}"] for key in ("table_act_rematch", "lobby_share", "table_act_more")
    ]
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    page.locator(".verdict .board").wait_for()
    assert page.evaluate(BUTTONS) == buttons
    assert page.locator(".verdict .lead").count() == 2
    assert faults(page) == []

    told = page.request.get(f"/api/games/{finished['game']}/analysis").json()
    link = page.locator(".verdict a")
    hole, start, end = map(int, re.search(r"#(\d+)\.(\d+)-(\d+)$", link.get_attribute("href")).groups())
    mine = [one for one in told["mistakes"] if one["player"] == 0] + [one for one in told["cards"] if one["whom"] == 0]
    assert any((one["hole"], one["step"]) == (hole, start + 1) for one in mine)
    link.click()
    frames = page.request.get(f"/api/games/{finished['game']}").json()["holes"][hole - 1]["frames"]
    page.locator(".controls .count", has_text=re.compile(rf"^{min(end + 1, frames)} / {frames}$")).wait_for()
    assert page.locator(".controls select").input_value() == str(hole)
    page.get_by_role("button", name=WORDS["table_rp_play"], exact=True).wait_for()  # it has stopped


def test_the_result_stands_without_an_analysis(visit: Visit, finished: dict[str, Any]) -> None:
    page = end_of_match(visit, finished, lambda route: route.fulfill(status=404, json={"error": "game_gone"}))
    page.get_by_text(WORDS["coach_moment_wait"]).wait_for(state="detached")
    assert page.locator(".verdict, [role=alert]").count() == 0
    assert page.locator(".won .place").is_visible()


def test_a_busy_server_is_asked_again_for_the_deciding_moment(visit: Visit, finished: dict[str, Any]) -> None:
    busy = [{"error": code, "params": {"seconds": 0}} for code in ("overloaded", "coach_busy")]

    def answer(route: Any) -> None:
        route.fulfill(status=503, json=busy.pop()) if busy else route.continue_()

    page = end_of_match(visit, finished, answer)
    page.locator(".verdict .lead").first.wait_for()
    assert busy == []


@every_language(small=SMALL, desk=DESK)
def test_all_else_after_a_match_is_in_one_drawer(
    visit: Visit, finished: dict[str, Any], language: str, viewport: dict[str, int]
) -> None:
    words = messages(language)
    page = as_ann(visit, finished, f"/t/{finished['table']}", language=language, viewport=viewport)
    page.locator(".verdict").wait_for()
    check(page, "the end of a match", language)
    open_drawer(page, language)
    for name in ("coach_title", "table_act_replay", "table_act_download", "card_of_game", "check_title", "start_stats"):
        assert page.locator(".drawer").get_by_role("link", name=words[name]).is_visible(), name
    check(page, "the drawer", language)
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert page.evaluate("document.activeElement.innerText.trim()") == words["table_act_more"]


def test_who_only_watched_has_no_place_and_counts_nothing(visit: Visit, finished: dict[str, Any]) -> None:
    page = visit(NO_PAGE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"/w/{finished['watch']}")
    page.get_by_role("button", name=WORDS["lobby_share"], exact=True).wait_for()
    assert page.locator(".won .place").count() == 0
    assert not [url for url in asked if "/analysis" in url]  # whose moment would it be?
    assert page.evaluate(f"{KEPT}.length") == 0


def test_confetti_falls_for_a_winner_at_this_device_alone(visit: Visit, finished: dict[str, Any]) -> None:
    page = visit(NO_PAGE)
    sit_and_start(page, ME, HERE, game="four_card", holes=1)
    deal(page)
    play(page, ".won")
    assert page.locator(".confetti i").count() > 10
    page.goto(f"/w/{finished['watch']}")
    page.locator(".won").wait_for()
    assert page.locator(".confetti").count() == 0


@pytest.mark.parametrize(("winner", "falls"), [(0, 1), (1, 0)], ids=["Ann", "a computer"])
def test_no_confetti_falls_where_a_computer_wins(
    visit: Visit, finished: dict[str, Any], winner: int, falls: int
) -> None:
    page = as_ann(visit, finished, NO_PAGE)

    def let_win(socket: Any) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(re.sub(r'"winners":\[[^]]*\]', f'"winners":[{winner}]', text)))

    page.route_web_socket("**/ws/**", let_win)
    page.goto(f"/t/{finished['table']}")
    page.locator(".won").wait_for()
    assert page.locator(".confetti").count() == falls


IN_SIGHT = """
() => {
  const end = document.querySelector(".hole-result .next").getBoundingClientRect();
  const card = document.querySelector(".hole-result table").getBoundingClientRect();
  return card.top >= 0 && card.bottom <= end.top && end.bottom <= innerHeight;
}
"""


def test_after_a_hole_of_four_the_standings_and_what_is_next_are_in_sight(visit: Visit) -> None:
    page = visit(NO_PAGE, viewport=PHONE)
    sit_and_start(page, ME, COMPUTER, COMPUTER, COMPUTER, game="play_nine", holes=9)
    deal(page)
    play(page, ".hole-result")
    page.locator(".hole-result table").wait_for()
    for screen in (PHONE, {"width": 360, "height": 640}):
        page.set_viewport_size(screen)
        assert page.evaluate(IN_SIGHT), screen


def matches() -> dict[str, str]:
    """What a device keeps of six matches."""
    kept = {}
    for number, holes in enumerate([9, 3, 9, 1, 18, 9]):
        points = [(number * 5 + hole * 7) % 23 - 4 for hole in range(holes)]
        total = sum(points)
        match = {
            "version": 1,
            "id": f"WATCHAB{number}-1",
            "game": "nine_card" if number == 3 else "play_nine",
            "when": 1_760_000_000_000 + number * 86_400_000,
            "names": ["Ann", "Ben", "花子"],
            "seat": 0,
            "totals": [total, total, total - 3 + number],
            "winners": [0] if number > 3 else [2],
            "points": points,
            "story": {"holes": holes, "luck": 2.0 - number, "mistakes": 1.5 * holes} if number % 2 else None,
        }
        if number > 3:  # entered since these are known
            match |= {"levels": ["club", "pro"], "equal": [number] * holes, "behind": 7 * number}
        kept[f"mulligan.match/{match['id']}"] = json.dumps(match)
    for day in (27, 28):
        day_match = {"id": f"HERE-DAY-2026-11-{day}-1", "when": 1_000 * datetime(2026, 11, day, 12).timestamp()}
        day_match |= {"points": [day - 25], "totals": [day - 25] * 3}
        kept[f"mulligan.match/{day_match['id']}"] = json.dumps(match | day_match)
    return kept


def with_matches(visit: Visit, **more: Any) -> Any:
    page = visit("/stats", **more)
    page.evaluate(
        "kept => { for (const [key, text] of Object.entries(kept)) localStorage.setItem(key, text); }", matches()
    )
    page.reload()
    page.locator("ol li").first.wait_for()
    return page


@every_language(small=SMALL, phone=PHONE, desk=DESK)
def test_the_statistics_are_in_order_in_every_language(visit: Visit, language: str, viewport: dict[str, int]) -> None:
    page = with_matches(visit, language=language, viewport=viewport)
    assert page.locator("svg[role=img]").count() == 2
    assert page.locator(".bests li").count() == 10
    check(page, language=language)


def test_personal_bests_lead_to_where_they_were_reached(visit: Visit) -> None:
    page = with_matches(visit)
    page.locator(".bests b", has_text="par").wait_for()
    par = round(page.request.get("/api/engine/play_nine").json()["sizes"][1]["par"])
    told = bests(page)
    assert {name: told[name] for name in list(told)[-5:]} == {
        "Biggest comeback": "35\u00a0points behind, then won",
        "Strongest computer beaten": "pro",
        "Most equal cards in a hole": "5",
        "Best hole of the day": f"2 (par {par})",
        "Most days in a row": "2",
    }
    links = page.locator(".bests a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert links[0].endswith("/g/WATCHAB0-1#1.0")
    assert {"/g/WATCHAB5-1", "/g/HERE-DAY-2026-11-27-1"} <= set(links)


def test_statistics_are_taken_along_and_forgotten(visit: Visit) -> None:
    page = with_matches(visit)
    with page.expect_download() as saved:
        page.get_by_role("button", name=WORDS["stats_csv"]).click()
    lines = Path(saved.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 9
    page.get_by_role("button", name=WORDS["stats_forget"]).click()
    page.get_by_role("dialog").get_by_role("button", name=WORDS["stats_forget"]).click()
    page.get_by_role("heading", name=WORDS["stats_empty"]).wait_for()
    assert page.evaluate(f"{KEPT}.length") == 0
    assert faults(page) == []
