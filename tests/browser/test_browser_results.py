"""After a match: one's place, sharing the result, and the statistics of the device."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from axe import faults
from conftest import Visit
from reading import check, every_language
from visiting import COMPUTER, DESK, HERE, ME, NO_PAGE, PHONE, SMALL, deal, messages, play, sit_and_start

WORDS = messages("en")
PATIENCE = 120_000  # the first time the coach waits for its compiler
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


def test_after_a_match_one_reads_the_place_and_it_is_counted_once(visit: Visit, finished: dict[str, Any]) -> None:
    page = as_ann(visit, finished, f"/t/{finished['table']}")
    game = page.request.get(f"/api/games/{finished['game']}").json()
    ahead = sum(total < game["totals"][0] for total in game["totals"])
    said = page.locator("p.place")
    said.wait_for()
    assert said.inner_text() == f"You: {('1st', '2nd', '3rd')[ahead]}, {game['totals'][0]}\u00a0points"
    page.wait_for_function(f"() => {KEPT}.length === 1")
    page.reload()
    page.locator("p.place").wait_for()
    other = page.context.new_page()
    other.goto(f"/t/{finished['table']}")
    other.locator("p.place").wait_for()
    page.get_by_role("link", name=WORDS["start_stats"]).click()
    page.locator("ol li").wait_for()
    points = [line["points"][0] for line in game["card"] if not line["playoff"]]
    assert figures(page) == {
        "Matches": "1",
        "Won": "1 (100%)" if 0 in game["winners"] else "0 (0%)",
        "Points per hole": f"{sum(points) / 9:.1f}",
        "Best hole": str(min(points)).replace("-", "−"),
        "Worst hole": str(max(points)),
    }
    page.goto(f"/g/{finished['game']}#story")
    page.locator(".story figure").first.wait_for(timeout=PATIENCE)
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


def test_who_only_watched_has_no_place_and_counts_nothing(visit: Visit, finished: dict[str, Any]) -> None:
    page = visit(f"/w/{finished['watch']}")
    page.get_by_role("button", name=WORDS["lobby_share"], exact=True).wait_for()
    assert page.locator("p.place").count() == 0
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
        kept[f"mulligan.match/{match['id']}"] = json.dumps(match)
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
    check(page, language=language)


def test_statistics_are_taken_along_and_forgotten(visit: Visit) -> None:
    page = with_matches(visit)
    with page.expect_download() as saved:
        page.get_by_role("button", name=WORDS["stats_csv"]).click()
    lines = Path(saved.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 7
    page.get_by_role("button", name=WORDS["stats_forget"]).click()
    page.get_by_role("dialog").get_by_role("button", name=WORDS["stats_forget"]).click()
    page.get_by_role("heading", name=WORDS["stats_empty"]).wait_for()
    assert page.evaluate(f"{KEPT}.length") == 0
    assert faults(page) == []
