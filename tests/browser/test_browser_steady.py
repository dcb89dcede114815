"""Nothing that can be tapped moves away after it is shown, and no name or figure is cut."""

import json
from typing import Any

import pytest
from conftest import Visit
from reading import EVERY_SCREEN, cut, moved, watch_controls
from visiting import LANGUAGES, NO_PAGE, PHONE, SMALL, deal, messages, open_drawer, play, sit_and_start

LATENCY = 120  # milliseconds for every answer: what comes late is seen to come late


def watched(visit: Visit, path: str, finished: dict[str, Any]) -> Any:
    """A page on a slow network, every control of which is watched."""
    page = visit(NO_PAGE, viewport=PHONE)
    page.context.add_cookies(finished["cookies"])
    watch_controls(page)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    speed = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", speed)
    page.goto(path)
    return page


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/t/{table}", ".next button"),
        ("/w/{watch}", ".next button"),
        ("/g/{game}", ".controls"),
        ("/stats", "main h1"),
        ("/pad", "form .first"),
        ("/learn", "main a"),
        ("/settings", "main h1"),
    ],
)
def test_no_control_moves_after_it_is_shown(visit: Visit, finished: dict[str, Any], path: str, shown: str) -> None:
    page = watched(visit, path.format(**finished), finished)
    page.locator(shown).first.wait_for()
    page.wait_for_load_state("networkidle")
    assert moved(page) == []


# As long as names get: of one word, of two, and numbered ones whose end tells them apart.
LONG = ["Prinzessin Annalena", "Oma Hildegard-Sophie", "プレイヤー プレイヤー10", "Maximilian-Alexander"]
LONG += ["プレイヤー プレイヤー11", "Oma Hildegard-Sonja", "Bo", "Wilhelmina-Charlotte"]
WIDTHS = (320, 360, 390)


@pytest.mark.parametrize("language", LANGUAGES if EVERY_SCREEN else ("de", "ja"))
def test_no_name_and_no_number_is_cut_at_the_table(visit: Visit, language: str) -> None:
    seats = [{"kind": "me", "name": LONG[0]}, *[{"kind": "here", "name": name} for name in LONG[1:4]]]
    page = visit(NO_PAGE, language=language, viewport=SMALL)
    sit_and_start(page, *seats, game="four_card", holes=1)
    page.locator(".draw, .board .seat").first.wait_for()
    assert cut(page) == []
    deal(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 640})
        assert cut(page) == [], width
    page.set_viewport_size(SMALL)
    play(page, ".won", language)
    assert cut(page) == []
    open_drawer(page, language)
    assert cut(page) == []
    page.goto(page.locator('.drawer a[href*="#story"]').get_attribute("href").replace("#story", ""))
    forward = page.get_by_role("button", name=messages(language)["table_rp_forward"])
    forward.wait_for()
    while forward.is_enabled():  # past every turn: each name is once the one whose turn it is
        assert cut(page) == []
        forward.click()
    assert cut(page) == []


def test_the_totals_stay_in_sight_while_the_holes_scroll(visit: Visit) -> None:
    page = visit(NO_PAGE, viewport=SMALL)
    seats = [{"kind": "me", "name": LONG[0]}, {"kind": "here", "name": LONG[3]}]
    sit_and_start(page, *seats, game="four_card", holes=9)
    deal(page)
    page.get_by_role("button", name=messages("en")["table_act_card"]).click()
    card = page.get_by_role("dialog").locator(".hole-columns")
    card.wait_for()
    assert card.evaluate("card => card.scrollWidth > card.clientWidth")
    rights = "cells => cells.map(cell => cell.getBoundingClientRect().right)"
    assert max(card.locator(".sum").evaluate_all(rights)) <= max(card.evaluate_all(rights))


@pytest.mark.parametrize("players", [4, 8])
@pytest.mark.parametrize("holes", [9, 18])
def test_no_name_and_no_number_is_cut_on_the_pad(visit: Visit, holes: int, players: int) -> None:
    """The sheet is scrolled by itself to the hole that is asked for: 17 is not read as 7 there."""
    page = visit(NO_PAGE, language="ja", viewport=SMALL)
    page.goto("/pad")
    page.locator("form .first").wait_for()
    assert cut(page) == []
    file = {"name": "sheet.json", "mimeType": "application/json", "buffer": score_sheet(page, holes, LONG[:players])}
    page.locator("label.file input").last.set_input_files(file)
    page.locator(".write h2").wait_for()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 640})
        assert cut(page) == [], width
        tags = page.locator(".chart .tag")  # the names at the lines of the race
        assert sorted(tags.all_text_contents()) == sorted(LONG[:players])
        assert tags.evaluate_all("tags => tags.filter(tag => tag.getBoundingClientRect().right > innerWidth)") == []


def score_sheet(page: Any, holes: int, names: list[str]) -> bytes:
    """A game of the pad with one hole to go; every one so far cost 17, 117 or −12."""
    rules = next(game for game in page.request.get("/api/facts").json()["games"] if game["name"] == "play_nine")
    seats = list(range(len(names)))
    played = [
        {"dealer": hole % len(names), "seats": seats, "layouts": [None for _ in seats], "closer": None,
         "cards": [(17, 117, -12)[(hole + seat) % 3] if hole < holes - 1 else None for seat in seats]}
        for hole in range(holes)
    ]  # fmt: skip
    times = {"begun": "2026-01-01T12:00:00Z", "changed": "2026-01-01T13:00:00Z"}
    sheet = {"format": "score sheet 1", "id": "abcdefgh12345678", "players": names, "overruled": [], "holes": played}
    return json.dumps(sheet | times | {"rules": rules | {"holes": holes}}).encode()


def test_three_default_names_are_told_apart_in_japanese(visit: Visit) -> None:
    page = visit("/pad", language="ja", viewport=SMALL)
    page.locator("form .first").click()
    page.locator(".write h2").wait_for()
    names = page.locator("tbody .name").all_inner_texts()
    assert len({*names}) == len(names) > 2
    assert cut(page) == []
