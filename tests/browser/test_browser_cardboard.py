"""The coach for real cards: a position, a whole game by tapping or in writing, and what comes after it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from axe import faults
from conftest import Visit
from playwright.sync_api import expect
from reading import check, every_language
from visiting import DESK, PHONE, ROOT, SMALL, messages

from mulligan.coach.advice import advise
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.game.position import set_table

RECORDS = {
    game: json.loads((ROOT / "tests" / "games" / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()[0])
    for game in ("play_nine", "nine_card")
}


# One position


def lay(page: Any, place: str, *faces: str) -> None:
    """Taps a place and then its card; the ones after it follow by themselves."""
    page.locator(f"[data-place='{place}']").click()
    for face in faces:
        page.locator(f".keyboard [data-face='{face}']").click()


def ranked(page: Any) -> list[str]:
    page.locator(".rest button.first").click()
    page.locator("[data-rated]").first.wait_for()
    return page.locator("[data-rated]").evaluate_all("rows => rows.map(row => row.dataset.rated)")


def right_order(game: str, layouts: list[str], discard: str, **told: Any) -> list[str]:
    variant = variants.load(game)
    state = set_table(variant, layouts, discard, **told)
    order = advise(Hole.at(variant, state))
    return [one.move for one in order]


def test_a_position_tapped_in_is_ranked_as_advice_ranks_it(visit: Visit) -> None:
    page = visit("/coach#position", viewport=PHONE)
    lay(page, "0-a1", "7", "?", "1", "?", "?", "?", "?", "5")
    lay(page, "1-a1", "?", "?", "3", "?", "?", "?", "?", "9")  # goes on by itself after eight cards
    lay(page, "discard", "12")
    layouts = ["7 ? 1 ? / ? ? ? 5", "? ? 3 ? / ? ? ? 9"]
    assert ranked(page) == right_order("play_nine", layouts, "12")
    page.locator("input[value='drew']").check(force=True)
    lay(page, "held", "7")
    page.get_by_role("radio", name="Player 1 to play").check()
    assert ranked(page) == right_order("play_nine", layouts, "12", held="7")
    best = page.locator(".slot.best")
    assert best.count() == 1
    assert best.get_attribute("data-place") == "0-a2"
    assert "the best move" in str(best.get_attribute("aria-label"))
    first = page.locator("[data-rated]").first.inner_text()
    assert "Place the 7 on a2" in first
    assert "Completes a column:\u00a07." in first


def test_a_position_survives_a_reload_and_a_change_of_mind(visit: Visit) -> None:
    page = visit("/coach#position", viewport=PHONE)
    lay(page, "0-a1", "7", "8")
    page.reload()
    assert page.locator("[data-place='0-a1']").get_attribute("aria-label").endswith(":\u00a07")
    lay(page, "0-a1", "?")
    assert page.locator("[data-place='0-a1']").get_attribute("aria-label") == "a1, face down"
    page.locator(".options summary").click()
    page.get_by_role("button", name="Clear the table").click()
    assert page.locator("[data-place='0-b1']").get_attribute("aria-label") == "b1, face down"


def test_cards_the_pack_does_not_have_cannot_be_tapped(visit: Visit) -> None:
    page = visit("/coach#position", viewport=PHONE)
    lay(page, "0-a1", *["H"] * 4)
    assert page.locator(".keyboard [data-face='H']").is_disabled()
    page.locator("[data-place='0-a1']").click()  # the card that lies there may stay, of course
    assert page.locator(".keyboard [data-face='H']").is_enabled()


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Player 2 has too few cards face up (needed:\u00a02); everyone tees off first (2.4)."),
        (
            "fr",
            "Joueur 2 n’a pas assez de cartes visibles (il en faut 2) ; chacun joue d’abord son coup de départ (2.4).",
        ),
        ("de", "Spieler 2 hat zu wenige Karten offen (nötig:\u00a02); erst decken alle auf (2.4)."),
        ("ja", "プレイヤー2の表向きのカードが2枚より少ないです。まず全員がめくります（2.4）。"),
    ],
)
def test_a_table_that_cannot_be_is_explained(visit: Visit, language: str, sentence: str) -> None:
    page = visit("/coach#position", language, viewport=PHONE)
    lay(page, "0-a1", "7", "5")
    page.locator(".rest button.first").click()
    page.locator(".alarm").wait_for()  # which card lies on the discard pile?
    lay(page, "discard", "4")
    page.locator(".rest button.first").click()
    page.locator(".alarm", has_text="2.4").wait_for()
    assert page.locator(".alarm").inner_text() == sentence


# A whole game


def begin(page: Any, game: str = "play_nine", players: tuple[str, ...] = ("Ann", "Ben"), dealer: int = 0) -> None:
    page.locator("button.way").click()
    page.locator("dialog input[type=radio]").nth(["play_nine", "nine_card"].index(game)).check(force=True)
    while (count := page.locator("dialog .names input").count()) != len(players):
        page.get_by_role("button", name="One fewer player" if count > len(players) else "One more player").click()
    for seat, name in enumerate(players):
        page.locator("dialog .names input").nth(seat).fill(name)
    page.locator("dialog select").select_option(index=dealer)
    page.get_by_role("button", name="Start").click()
    page.locator(".sheet").wait_for()


def key(page: Any, face: str) -> None:
    """Names the card that came, once it is asked for; and waits until the server knows."""
    asked = page.locator(".sheet > p[role=status]").inner_text()
    page.locator(f".sheet [data-face='{face}']").click()
    page.wait_for_function("asked => document.querySelector('.sheet > p[role=status]')?.innerText !== asked", arg=asked)


def tap(page: Any, move: str) -> None:
    page.locator(f"[data-move='{move}'][aria-disabled=false]").click()


def moves_kept(page: Any) -> list[str]:
    """The pieces of the hole that is being played, as the device keeps them."""
    kept = page.evaluate("JSON.parse(localStorage.getItem('mulligan.cardboard'))")
    return kept[0]["holes"][-1]["moves"]


def tap_move(page: Any, text: str) -> None:
    """One move of a record, by tapping alone."""
    count = len(moves_kept(page))
    for piece in re.findall(r"[SD][^>\-]+|>[^-]+|-|[a-z]\d=\S+", text):
        if piece[0] == "S":
            tap(page, "S")
            key(page, piece[1:])
        elif piece[0] == "D":
            tap(page, "D")
        elif piece[0] == "-":
            tap(page, "-")
        else:
            slot, _, face = piece.strip(">").partition("=" if "=" in piece else "x")
            down = "face down" in str(page.locator(f"[data-move='{slot}']").get_attribute("aria-label"))
            tap(page, slot)
            if down:
                key(page, face)
        count += 1
        page.wait_for_function(
            f"() => JSON.parse(localStorage.getItem('mulligan.cardboard'))[0].holes.at(-1).moves.length >= {count}"
        )


def enter(page: Any, hole: dict[str, Any], names: tuple[str, ...]) -> None:
    """A hole of a record, by tapping alone."""
    key(page, hole["first_discard"])
    for text in hole["moves"]:
        tap_move(page, text)
    while page.locator(".sheet").count():
        asked = page.locator(".sheet > p[role=status]").inner_text()
        name, slot = re.findall(r"\. (\w+) turns up (\w\d):", asked)[0]
        seat = names.index(name)
        key(page, next(text.split("=")[1] for text in hole["reveal"][str(seat)] if text.startswith(slot)))
    page.locator(".hole-result").wait_for()


@pytest.mark.parametrize("game", ["play_nine", "nine_card"])
def test_a_hole_entered_by_tapping_is_the_hole_of_the_record(visit: Visit, game: str, tmp_path: Path) -> None:
    record = RECORDS[game]
    hole = record["holes"][0]
    names = ("Ann", "Ben", "Cyd", "Dan")[: len(record["players"])]
    page = visit("/coach", viewport=PHONE)
    begin(page, game, names, hole["dealer"])
    enter(page, hole, names)
    page.get_by_role("button", name="More").click()
    with page.expect_download() as download:
        page.locator("dialog").get_by_role("button", name="Save the record").click()
    download.value.save_as(tmp_path / "game.jsonl")
    saved = json.loads((tmp_path / "game.jsonl").read_text(encoding="utf-8"))
    assert saved["holes"] == [hole]
    assert (saved["format"], saved["game"], saved["players"]) == (1, game, list(names))


def write(page: Any, text: str) -> None:
    if not page.locator(".write").count():
        page.get_by_role("button", name="Write", exact=True).click()
    page.locator(".write input").fill(text)
    page.locator(".write input").press("Enter")


def test_notation_is_as_good_as_tapping_and_a_wrong_move_is_explained(visit: Visit) -> None:
    page = visit("/coach", viewport=PHONE)
    begin(page, dealer=1)
    key(page, "7")
    write(page, "a1=4 b1=5 a1=1 b1=2")
    page.locator(".say", has_text="Ann: Take the 7").wait_for()
    write(page, "S7>a1x9")
    page.locator(".trouble").wait_for()
    assert page.locator(".trouble").inner_text() == "On a1:\u00a04, not 9 (3.2)."
    assert page.locator(".write input").input_value() == "S7>a1x9"  # nothing typed is lost
    write(page, "S7>a1x4")
    page.locator(".say", has_text="Ben: Take the 4").wait_for()
    assert moves_kept(page)[-2:] == ["S7", ">a1x4"]
    write(page, "D4-")
    page.locator(".trouble", has_text="3.5").wait_for()
    assert len(moves_kept(page)) == 6


def test_any_number_of_steps_is_taken_back_and_done_again(visit: Visit) -> None:
    page = visit("/coach", viewport=PHONE)
    begin(page, dealer=1)
    key(page, "7")
    write(page, "a1=4 b1=5 a1=1 b1=2 S9")
    page.locator(".held.lifted").wait_for()
    undo, redo = page.get_by_role("button", name="Undo"), page.get_by_role("button", name="Redo")
    kept = "() => JSON.parse(localStorage.getItem('mulligan.cardboard'))[0].holes[0].moves.length"
    assert redo.count() == 0
    for left in (4, 3, 2, 1, 0):
        undo.click()
        page.wait_for_function(f"{kept} === {left}")
    page.set_viewport_size(SMALL)
    tops = "buttons => buttons.map(button => button.getBoundingClientRect().top)"
    assert len(set(page.locator(".controls button").evaluate_all(tops))) == 1  # five buttons, in one row
    undo.click()
    page.locator(".sheet", has_text="Hole 1: Ben deals, Ann starts").wait_for()
    assert undo.is_disabled()
    redo.click()
    for there in (1, 2, 3):
        redo.click()
        page.wait_for_function(f"{kept} === {there}")
    write(page, "b2=3")  # something else: what was undone is gone
    redo.wait_for(state="detached")


def test_the_title_says_what_of_the_coach_is_open(visit: Visit) -> None:
    page = visit("/coach", viewport=PHONE)
    words = messages("en")
    home = f"{words['cardboard_title']} – Mulligan"
    expect(page).to_have_title(home)
    page.locator("a[href$='#position']").click()
    expect(page).to_have_title(f"{words['cardboard_position']} – {home}")
    page.go_back()
    expect(page).to_have_title(home)


def test_a_tap_by_mistake_is_cancelled_before_anything_happens(visit: Visit) -> None:
    page = visit("/coach", viewport=PHONE)
    begin(page, dealer=1)
    key(page, "7")
    tap(page, "c2")
    page.locator(".sheet", has_text="Which card did Ann turn up on c2?").wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.locator(".sheet").wait_for(state="detached")
    tap(page, "d1")
    page.keyboard.press("Escape")
    page.locator(".sheet").wait_for(state="detached")
    assert moves_kept(page) == []


def test_a_hint_shows_the_best_move_on_the_board(visit: Visit) -> None:
    page = visit("/coach", viewport=PHONE)
    begin(page, dealer=1)
    key(page, "7")
    write(page, "a1=4 b1=5 a1=1 b1=2 S4")
    page.locator(".held.lifted").wait_for()
    page.get_by_role("button", name="Hint", exact=True).click()
    page.locator(".hint li").first.wait_for()
    assert page.locator("button.best").get_attribute("data-move") == "a2"
    assert "Place the 4 on a2" in page.locator(".hint li").first.inner_text()
    tap(page, "a2")
    key(page, "12")
    page.locator(".hint").wait_for(state="detached")
    assert page.locator("button.best").count() == 0


def import_record(page: Any, tmp_path: Path, record: dict[str, Any] | str) -> None:
    file = tmp_path / "record.jsonl"
    file.write_text(record if isinstance(record, str) else json.dumps(record) + "\n", encoding="utf-8")
    page.locator("input[type=file]").set_input_files(file)


def test_a_game_survives_a_reload_and_goes_on_from_the_list(visit: Visit, tmp_path: Path) -> None:
    page = visit("/coach", viewport=PHONE)
    begin(page, dealer=1)
    key(page, "7")
    write(page, "a1=4 b1=5 a1=1 b1=2 S9")
    page.locator(".held.lifted").wait_for()
    page.reload()
    page.locator(".held.lifted").wait_for()
    page.goto("/coach")
    page.get_by_role("link", name=re.compile("Continue at hole 1")).click()
    page.locator(".held.lifted").wait_for()
    page.goto("/coach")
    page.locator("h1").wait_for()
    begin(page, "nine_card", ("Cyd", "Dan", "Eve"))
    page.goto("/coach")
    page.locator("li a").nth(1).wait_for()
    page.get_by_role("button", name=re.compile("Delete this match")).first.click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.locator("li a").nth(1).wait_for(state="detached")
    assert page.locator("li a").count() == 1


def test_a_record_is_opened_and_gone_through(visit: Visit, tmp_path: Path) -> None:
    """Replay, luck and skill, mistakes and mulligans are those of every finished match."""
    record = RECORDS["nine_card"]
    page = visit("/coach", viewport=PHONE)
    import_record(page, tmp_path, record)
    page.locator(".won").wait_for()
    page.get_by_role("button", name="Luck and skill so far").first.click()
    page.wait_for_url("**/g/*")
    page.locator(".story figure").first.wait_for()
    page.locator(".story .all > summary").click()
    totals = page.locator(".sums tbody tr").evaluate_all("rows => rows.map(row => row.lastElementChild.innerText)")
    assert [int(text.replace("−", "-")) for text in totals] == record["totals"]
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Print the card").wait_for()
    assert page.get_by_role("link", name="Check the shuffle").count() == 0
    assert "real cards" in page.locator(".result").inner_text()
    game = page.url.split("/g/")[1].split("#")[0]
    page.goto(f"/g/{game}/check")
    page.get_by_text("There’s no shuffle to check").wait_for()
    assert faults(page) == []
    page.goto("/coach")
    page.get_by_role("link", name=re.compile("Finished")).click()
    page.get_by_role("button", name="Luck and skill so far").first.click()
    page.wait_for_url(f"**/g/{game}#story")  # the same one again, not another


def test_half_a_game_can_be_gone_through_too(visit: Visit, tmp_path: Path) -> None:
    record = RECORDS["play_nine"]
    page = visit("/coach", viewport=PHONE)
    import_record(page, tmp_path, record | {"holes": record["holes"][:2]})
    page.locator(".hole-result").wait_for()
    page.get_by_role("button", name="Luck and skill so far").click()
    page.locator(".story figure").first.wait_for()
    page.get_by_role("heading", name="After 2 of 9 holes").wait_for()


def test_a_file_that_is_no_record_is_refused_in_a_sentence(visit: Visit, tmp_path: Path) -> None:
    page = visit("/coach", viewport=PHONE)
    import_record(page, tmp_path, "hello")
    page.locator(".alarm", has_text="This file isn’t a record of a golf card game.").wait_for()
    record = json.loads(json.dumps(RECORDS["play_nine"]))
    record["holes"][0]["moves"][4] = "S7>a1x99"
    import_record(page, tmp_path, record)
    page.locator(".alarm", has_text="Hole 1, move 5 (S7>a1x99)").wait_for()
    assert page.locator("li a").count() == 0


def test_games_between_people_have_nothing_of_it(visit: Visit) -> None:
    page = visit("/coach", viewport=PHONE)
    page.get_by_text(messages("en")["cardboard_fair"]).wait_for()


# As it looks and sounds


@every_language(small=SMALL, phone=PHONE, desk=DESK)
def test_every_screen_is_whole_in_every_language(
    visit: Visit, language: str, viewport: dict[str, int], tmp_path: Path
) -> None:
    page = visit("/coach", language, viewport=viewport)
    page.locator("button.way").wait_for()
    check(page, "home", language)
    page.locator("button.way").click()
    page.locator("dialog .names").wait_for()
    check(page, "new game", language)
    page.keyboard.press("Escape")
    page.goto("/coach#position")
    lay(page, "0-a1", "7", "?", "1", "?", "?", "?", "?", "5")
    lay(page, "1-a1", "?", "?", "3", "?", "?", "?", "?", "9")
    lay(page, "discard", "12")
    check(page, "position", language)
    ranked(page)
    check(page, "ranking", language)
    record = RECORDS["play_nine"]
    half = [record["holes"][0], record["holes"][1] | {"moves": record["holes"][1]["moves"][:9], "reveal": {}}]
    page.goto("/coach")
    import_record(page, tmp_path, record | {"holes": half})
    page.locator(".say").wait_for()
    check(page, "game", language)
    tap(page, "S")
    page.locator(".sheet").wait_for()
    check(page, "which card", language)
    page.locator(".controls button").first.click()
    page.locator(".controls button").nth(1).click()
    page.locator(".hint li").first.wait_for()
    check(page, "hint", language)
    page.locator(".controls button").nth(2).click()
    page.locator(".write input").fill("a1=99")
    page.locator(".write input").press("Enter")
    page.locator(".trouble").wait_for()
    check(page, "wrong", language)
    page.locator(".controls button").nth(3).click()
    page.locator("dialog").wait_for()
    check(page, "more", language)


@pytest.mark.parametrize("viewport", [SMALL, PHONE], ids=["small", "phone"])
def test_everything_to_tap_is_large_enough(visit: Visit, viewport: dict[str, int]) -> None:
    page = visit("/coach#position", viewport=viewport)
    page.locator(".keyboard button").first.wait_for()
    assert small_targets(page) == []
    page.goto("/coach")
    page.locator("button.way").wait_for()
    assert small_targets(page) == []
    begin(page)
    assert small_targets(page) == []


def small_targets(page: Any) -> list[str]:
    return page.locator("main button:visible, main summary:visible, main a.button:visible").evaluate_all(
        """all => all.filter(one => {
          const box = one.getBoundingClientRect();
          return box.width < 43.5 || box.height < 43.5;
        }).map(one => `${one.ariaLabel ?? one.innerText}: ${one.getBoundingClientRect().width}`)"""
    )


def test_by_the_keyboard_alone(visit: Visit) -> None:
    page = visit("/coach#position", viewport=DESK)
    page.locator("[data-place='0-a1']").focus()
    page.keyboard.press("Enter")
    page.locator(".keyboard [data-face='7']").focus()
    page.keyboard.press("Enter")
    assert page.locator("[data-place='0-a1']").get_attribute("aria-label").endswith(":\u00a07")
    assert page.locator("[data-place='0-b1']").get_attribute("aria-pressed") == "true"
