"""The score pad: games of real people with real cards on one phone, scored by tapping, without a network."""

import json
import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Visit
from reading import check
from visiting import DESK, LANGUAGES, PHONE, ROOT, SMALL, messages, overhang, words_of

sys.path.insert(0, str(Path(__file__).parents[1]))

from independent import GAMES

from mulligan.game import variants

WORDS = messages("en")
FOUR = ("Ann", "Ben", "Cleo", "Dan")
LYING = {"width": 844, "height": 390}  # the phone on its side

READ = """() => new Promise((resolve, reject) => {
  const asked = indexedDB.open("mulligan-pad");
  asked.onerror = () => reject(asked.error);
  asked.onsuccess = () => {
    const reading = asked.result.transaction("things", "readonly");
    reading.objectStore("things").count();
    reading.oncomplete = () => { asked.result.close(); resolve(null); };
  };
})"""


class Pad:
    """Someone who holds the phone; every tap counts."""

    def __init__(self, page: Any, language: str = "en") -> None:
        self.page, self.language, self.words, self.taps = page, language, messages(language), 0

    def tap(self, what: Any) -> None:
        what.click()
        self.taps += 1

    def button(self, word: str) -> Any:
        return self.page.get_by_role("button", name=self.words[word], exact=True)

    def begin(self, *names: str, game: str = "play_nine") -> None:
        """From the page of all games to the first hole: a name, Enter, the next name."""
        self.tap(self.page.locator(".games label").filter(has_text=variants.load(game).facts.title_in(self.language)))
        fields = self.page.get_by_role("textbox")
        while fields.count() > len(names):
            self.tap(self.page.locator("ol li").last.get_by_role("button").last)
        self.tap(fields.first)
        for name in names[:-1]:
            self.page.keyboard.insert_text(name)
            self.page.keyboard.press("Enter")
        self.page.keyboard.insert_text(names[-1])
        self.tap(self.button("pad_begin"))
        self.page.locator(".write h2").wait_for()

    def writes(self, mode: str) -> None:
        """Changes between cards and points, where that is not chosen already."""
        choice = self.page.locator(".mode label").filter(has_text=self.words[f"pad_mode_{mode}"])
        if "on" not in (choice.get_attribute("class") or "").split():
            self.tap(choice)

    def cards(self, layout: str) -> None:
        """A layout, row by row."""
        self.writes("cards")
        for face in layout.replace("/", " ").split():
            self.tap(self.page.locator(f'.keys button[data-face="{face}"]'))

    def total(self, points: int) -> None:
        """A total; the large key only where it asks for it."""
        self.writes("points")
        for key in str(points):
            name = self.words["pad_minus"] if key == "-" else key
            self.tap(self.page.locator(".keys").get_by_role("button", name=name, exact=True))
        go = self.page.locator(".keys button.next:enabled")
        if go.count():
            self.tap(go)

    @property
    def asked(self) -> str:
        """Whose hole is to be written down, or what is asked."""
        return self.page.locator(".write h2").first.inner_text()

    @property
    def totals(self) -> list[int]:
        return [int(text.replace("−", "-")) for text in self.page.locator("tbody td.sum").all_inner_texts()]

    def hole(self, number: int) -> list[str]:
        """The column of a hole, as it stands on the sheet."""
        return self.page.locator(
            f".known tbody td:nth-of-type({number}), .write tbody td:nth-of-type({number})"
        ).all_inner_texts()

    def open(self, name: str, hole: int) -> None:
        """Taps a figure on the sheet."""
        self.tap(self.page.get_by_role("button", name=re.compile(f"^{name}, Hole {hole}: ")))

    @property
    def told(self) -> str:
        """What is read aloud."""
        return self.page.locator("main > [role=status]").inner_text()

    def settle(self) -> None:
        """Waits until the device has stored every tap: a reading transaction ends after the writing ones before it."""
        for _ in range(3):  # one write may be in progress, and one more waits for it
            self.page.evaluate(READ)

    def reload(self) -> None:
        self.settle()
        self.page.reload()
        self.page.locator(".write h2").first.wait_for()


def without_network(visit: Visit, **more: Any) -> Pad:
    """A new visitor whose network goes as soon as the page has been opened once."""
    page = visit("/pad", has_touch=True, installed=True, **more)
    page.locator(".games label").first.wait_for()
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.context.set_offline(True)
    page.reload()
    page.locator(".games label").first.wait_for()
    return Pad(page)


def deal(dice: random.Random, players: int, game: str = "play_nine") -> list[list[list[str]]]:
    """Finished layouts as a real pack deals them, row by row; some of their lines match."""
    rules = GAMES[game]
    pack = [face for face, copies in rules.pack.items() for _ in range(copies)]
    dice.shuffle(pack)
    return [
        [[pack.pop() for _ in range(rules.columns)] for _ in range(rules.rows)]
        for _ in range(players)
    ]  # fmt: skip


def written(rows: list[list[str]]) -> str:
    return " / ".join(" ".join(row) for row in rows)


def test_a_game_of_four_over_nine_holes_with_the_network_cut(visit: Visit) -> None:
    pad = without_network(visit, viewport=PHONE)
    pad.begin(*FOUR)
    assert pad.taps == 3  # the game, the first name, and off
    dice, totals, spent = random.Random(9), [0, 0, 0, 0], []
    for hole in range(9):
        heads = pad.page.locator(".where").inner_text()
        assert f"Hole {hole + 1} of 9" in heads
        assert f"{FOUR[hole % 4]} deals, {FOUR[(hole + 1) % 4]} starts" in heads
        before = pad.taps
        for player, layout in enumerate(deal(dice, 4)):
            assert pad.asked == FOUR[player]
            points = GAMES["play_nine"].points(layout)
            if hole == 0 or (hole > 2 and player % 2):
                pad.cards(written(layout))
            else:
                pad.total(points)
            totals[player] += points
        spent.append(pad.taps - before)
        if hole == 4:
            pad.reload()
        assert pad.totals == totals
    assert len(set(totals)) == 4
    assert spent[0] == 32  # four layouts of eight cards, and not one tap more
    assert spent[2] <= 12  # four totals
    winner = FOUR[totals.index(min(totals))]
    assert pad.asked == f"{winner} wins!"
    pad.reload()
    assert pad.asked == f"{winner} wins!"
    assert pad.totals == totals
    print(f"taps: {spent} a hole, {pad.taps} in all")


def test_a_week_later_the_game_is_one_tap_away(visit: Visit) -> None:
    pad = without_network(visit, viewport=PHONE)
    pad.begin("Ann", "Ben")
    pad.total(12)
    pad.cards("7 7 1")
    pad.settle()
    page = pad.page.context.new_page()
    pad.page.close()
    page.goto("/pad")
    page.get_by_role("link", name=re.compile("Ann and Ben")).click()
    again = Pad(page)
    page.locator(".write h2").wait_for()
    assert again.asked == "Ben"
    again.cards("2 7 7 8 5")
    assert again.totals == [12, 6]


def test_every_tap_is_explained(visit: Visit) -> None:
    pad = Pad(visit("/pad", viewport=PHONE))
    pad.begin("Ann", "Ben")
    pad.cards("7 7 1 1 / 7")
    assert pad.page.locator(".slots .ring").count() == 2
    assert "Column a matches: 7" in pad.page.locator(".words").inner_text().replace("\N{NO-BREAK SPACE}", " ")
    assert pad.told == "7. 9\u00a0points so far."
    assert pad.page.locator('.slots [aria-current="step"]').get_attribute("data-slot") == "5"
    pad.cards("7 8 5")
    assert pad.page.locator(".slots .ring").count() == 0  # Ben's turn; Ann stays explained beside it
    assert "Bonus for 2 columns of 7s" in pad.page.locator(".words").inner_text()
    assert pad.told == "Ann:\u00a05\u00a0points. Now Ben."
    pad.total(4)
    assert "Hole 1: Ben wins with 4. Hole" not in pad.told
    assert pad.told == "Ben:\u00a04\u00a0points. Hole 1: Ben wins with 4. Now Ann."
    assert "Ben leads by 1\u00a0point." in pad.page.locator(".result").inner_text()


def test_who_closed_is_asked_where_it_costs_something(visit: Visit) -> None:
    pad = Pad(visit("/pad", viewport=PHONE))
    pad.begin(*FOUR, game="nine_card")
    pad.cards("K K * / 4 J 3 / 9 9 9")
    for points in (10, 8, 12):
        pad.total(points)
    assert pad.asked == "Hole 1: who closed?"
    ben = pad.page.locator(".closer button").filter(has_text="Ben")
    assert "+5" in ben.inner_text()
    pad.tap(ben)
    assert pad.totals == [15, 15, 8, 12]
    assert "Ben closed and pays 5 extra:\u00a015." in pad.page.locator(".result").inner_text()
    pad.writes("points")
    for points in (7, 7, 7, 7):
        pad.total(points)
    assert pad.asked == "Ann"  # all level: it costs nobody anything, so nobody is asked
    pad.open("Cleo", 1)
    pad.total(20)
    assert pad.totals == [15 + 7, 10 + 7, 20 + 7, 12 + 7]
    pad.open("Cleo", 1)
    pad.tap(pad.button("pad_closer_short"))
    pad.tap(pad.page.locator(".closer button").filter(has_text="Cleo"))
    assert pad.totals == [15 + 7, 10 + 7, 35 + 7, 12 + 7]
    pad.open("Cleo", 1)
    pad.tap(pad.button("pad_closer_short"))
    pad.tap(pad.button("pad_closer_none"))
    assert pad.totals == [15 + 7, 10 + 7, 20 + 7, 12 + 7]


def test_what_cannot_be_is_said_and_the_table_may_know_better(visit: Visit) -> None:
    pad = Pad(visit("/pad", viewport=PHONE))
    pad.begin("Ann", "Ben", game="nine_card")
    pad.cards("8 8 8 8 8 8 8 8 8")
    alert = pad.page.locator(".doubt")
    assert "Ann: “8” 9 times? The pack only has 8." in alert.inner_text()
    assert pad.asked == "Ann"
    pad.tap(pad.page.locator(".slots button").last)
    pad.cards("2")
    alert.wait_for(state="detached")
    pad.tap(pad.button("pad_done"))
    assert pad.asked == "Ben"
    pad.cards("8 A A 2 2 3 4 4 5")
    assert "Ann and Ben: “8” 9 times in all?" in alert.inner_text()
    pad.tap(pad.button("pad_our_pack"))
    assert pad.asked == "Hole 1: who closed?"
    pad.tap(pad.page.locator(".closer button").filter(has_text="Ben"))
    pad.cards("8 8 8 8 8 8 8 8 8")  # said once is enough
    assert pad.asked == "Ben"
    pad.tap(pad.button("pad_undo"))
    assert pad.asked == "Ann"
    pad.cards("3")
    pad.total(107)
    assert "107? Nobody can have more than" in alert.inner_text()
    pad.total(7)
    assert pad.asked == "Hole 2: who closed?"


def test_one_card_too_many_is_noticed(visit: Visit) -> None:
    pad = Pad(visit("/pad", viewport=PHONE))
    pad.begin("Ann", "Ben")
    pad.cards("H 4 6 2 / H 7 1 0")
    pad.open("Ann", 1)
    pad.cards("9")
    assert "Ann has 9 cards here, but there are only 8 slots." in pad.page.locator(".doubt").inner_text()
    pad.tap(pad.button("pad_erase"))
    pad.page.locator(".doubt").wait_for(state="detached")
    assert pad.totals[0] == 10


def test_an_earlier_hole_is_put_right_and_undone_even_after_a_reload(visit: Visit) -> None:
    pad = Pad(visit("/pad", viewport=PHONE))
    pad.begin("Ann", "Ben", "Cleo")
    for points in (10, 20, 30):
        pad.total(points)
    pad.cards("1 2 3 4 / 5 6 7 8")
    for points in (20, 30):
        pad.total(points)
    assert pad.totals == [46, 40, 60]
    pad.open("Ben", 1)
    assert pad.asked == "Ben"
    pad.total(50)
    assert pad.asked == "Ann"  # and on with hole 3
    pad.open("Ann", 2)
    pad.tap(pad.page.locator(".slots button").nth(4))
    pad.cards("1")
    pad.tap(pad.button("pad_done"))
    assert pad.totals == [10 + 30, 70, 60]
    assert pad.page.locator("tr.leader").inner_text().startswith("Ann")
    pad.reload()
    pad.tap(pad.button("pad_undo"))
    assert pad.totals == [46, 70, 60]
    pad.tap(pad.button("pad_undo"))
    assert pad.totals == [46, 40, 60]
    for _ in range(2):
        pad.page.keyboard.press("Control+Shift+z")
    assert pad.totals == [40, 70, 60]


def test_a_slip_is_taken_back_with_the_key_beside_the_others(visit: Visit) -> None:
    pad = Pad(visit("/pad", viewport=PHONE))
    pad.begin("Ann", "Ben")
    pad.cards("7 7 1 1 / 7 7 8 4")
    assert pad.asked == "Ben"
    pad.tap(pad.button("pad_erase"))  # that last 4 was a 5
    assert pad.asked == "Ann"
    pad.cards("5")
    assert pad.totals == [5, 0]
    assert pad.asked == "Ben"


def test_those_level_play_on_until_one_is_lower(visit: Visit) -> None:
    pad = Pad(visit("/pad", viewport=PHONE))
    pad.begin("Ann", "Ben", "Cleo")
    for _ in range(9):
        for points in (0, 10, 0):
            pad.total(points)
    assert "Ann and Cleo are tied" in pad.page.locator(".level").inner_text()
    assert "Play-off 1" in pad.page.locator(".where").inner_text()
    for points in (5, 5, 9, 3):
        pad.total(points)
    assert pad.asked == "Cleo wins!"
    assert pad.totals == [0, 90, 0]
    pad.open("Ann", 9)  # a correction, and the play-off was for nothing
    pad.total(20)
    assert pad.asked == "Cleo wins!"
    assert pad.totals == [20, 90, 0]


def test_a_link_opens_the_game_on_another_phone(visit: Visit) -> None:
    ann = visit("/pad", viewport=PHONE, permissions=["clipboard-read", "clipboard-write"])
    pad = Pad(ann)
    pad.begin("Ann", "Ben")
    pad.total(12)
    pad.cards("7 7 1 2 / 7 7 8 5")
    pad.total(-3)
    pad.tap(pad.button("pad_menu"))
    ann.get_by_role("img", name=WORDS["lobby_qr"]).wait_for()
    pad.tap(pad.button("lobby_copy"))
    link = ann.evaluate("navigator.clipboard.readText()")
    ben = visit(re.sub(r"^https?://[^/]+", "", link), viewport=PHONE)
    ben.get_by_role("heading", name=WORDS["pad_shared"]).wait_for()
    other = Pad(ben)
    other.tap(other.button("pad_open"))
    ben.locator(".write h2").wait_for()
    assert other.totals == [9, 6]
    assert other.asked == "Ben"
    other.total(4)
    assert other.totals == [9, 10]
    broken = visit(re.sub(r"^https?://[^/]+", "", link)[:-9], viewport=PHONE)
    broken.get_by_text(WORDS["pad_trouble_damaged"]).wait_for()


def test_two_windows_do_not_overwrite_each_other(visit: Visit) -> None:
    pad = Pad(visit("/pad", viewport=PHONE))
    pad.begin("Ann", "Ben")
    pad.total(12)
    page = pad.page.context.new_page()
    page.goto(pad.page.url)
    page.locator(".write h2").wait_for()
    other = Pad(page)
    other.total(7)
    pad.page.locator(".result").get_by_text("Hole 1: Ben wins with 7.").wait_for()
    assert pad.asked == "Ann"
    assert pad.totals == [12, 7]


def test_results_to_take_along(visit: Visit, tmp_path: Path) -> None:
    pad = Pad(visit("/pad", viewport=PHONE))
    pad.begin("Ann", "Ben")
    for hole in range(9):
        pad.total(hole)
        pad.total(hole + 1)
    kept = {}
    for word in ("pad_picture", "pad_csv", "pad_record"):
        with pad.page.expect_download() as told:
            pad.tap(pad.button(word))
        kept[word] = tmp_path / told.value.suggested_filename
        told.value.save_as(kept[word])
    assert kept["pad_picture"].read_bytes().startswith(b"\x89PNG")
    lines = kept["pad_csv"].read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "Hole,Dealer,Closed,Ann,Ben"
    assert lines[10].startswith("Total,,,36,45")
    assert json.loads(kept["pad_record"].read_text())["players"] == ["Ann", "Ben"]
    other = Pad(visit("/pad", viewport=PHONE))
    other.page.locator("label.file input").last.set_input_files(kept["pad_record"])
    other.page.locator(".write h2").wait_for()
    assert other.asked == "Ann wins!"
    assert other.totals == [36, 45]


def test_the_next_game_is_one_tap_and_the_past_is_kept(visit: Visit) -> None:
    pad = Pad(visit("/pad", viewport=PHONE))
    pad.begin("Ann", "Ben")
    for _ in range(9):
        pad.total(3)
        pad.total(-2)
    before = pad.taps
    pad.tap(pad.button("pad_rematch"))
    pad.page.get_by_text("Hole 1 of 9").wait_for()
    assert pad.taps == before + 1
    assert "Ben deals, Ann starts" in pad.page.locator(".where").inner_text()
    pad.total(0)
    pad.total(5)
    pad.settle()
    pad.page.goto("/pad")
    table = pad.page.get_by_role("table")
    table.wait_for()
    rows = [row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()]
    assert ["Ann", "0 of 1", "2.7", "27", "0", "27", "0"] in rows
    assert ["Ben", "1 of 1", "−1.3", "−18", "−2", "−18", "1"] in rows
    # other people: the names of before are chips
    pad.page.locator("ol li").last.get_by_role("button").last.wait_for()
    pad.page.get_by_role("textbox").nth(1).fill("")
    pad.tap(pad.page.get_by_role("button", name="Ben", exact=True))
    assert pad.page.get_by_role("textbox").nth(1).input_value() == "Ben"
    # deleting asks first
    bins = pad.page.get_by_role("button", name=re.compile("^Delete: "))
    assert bins.count() == 2
    pad.tap(bins.first)
    pad.tap(pad.button("pad_remove_no"))
    assert bins.count() == 2
    pad.tap(bins.first)
    pad.tap(pad.button("pad_remove_yes"))
    pad.page.get_by_role("heading", name=WORDS["pad_going_on"]).wait_for(state="detached")
    assert bins.count() == 1


def test_a_name_is_offered_until_it_is_forgotten(visit: Visit) -> None:
    pad = Pad(visit("/pad", viewport=PHONE))
    pad.begin("Ann", "Bne")
    pad.page.goto("/pad")
    chip = pad.page.get_by_role("button", name="Bne", exact=True)
    pad.page.locator("ol li").last.get_by_role("button").last.wait_for()
    pad.page.get_by_role("textbox").nth(1).fill("Ben")
    chip.wait_for()
    pad.tap(pad.button("pad_forget_names"))
    pad.tap(pad.page.get_by_role("button", name="Forget Bne"))
    pad.tap(pad.button("pad_begin"))
    pad.page.locator(".write h2").wait_for()
    pad.page.goto("/pad")
    pad.page.locator("ol li").last.get_by_role("button").last.wait_for()
    pad.page.get_by_role("textbox").nth(1).fill("")
    pad.page.get_by_role("button", name="Ben", exact=True).wait_for()
    assert not chip.count()


def test_a_game_of_the_house_s_own(visit: Visit) -> None:
    pad = Pad(visit("/pad", viewport=PHONE))
    pad.page.locator(".games label").first.wait_for()
    choose = pad.page.locator("form label.file input")
    choose.set_input_files(
        {"name": "bad.toml", "mimeType": "application/toml", "buffer": b"rows = 'many'"},
    )
    pad.page.locator(".notice.bad").wait_for()
    choose.set_input_files(ROOT / "tests" / "variants" / "brisk_six.toml")
    pad.page.locator(".games label.on").filter(has_text="Brisk six-card golf of the tests").wait_for()
    pad.page.get_by_role("textbox").first.fill("Ann")
    pad.tap(pad.button("pad_begin"))
    pad.page.locator(".write h2").wait_for()
    assert pad.page.locator(".slots button").count() == 6


def test_by_keyboard_alone(visit: Visit) -> None:
    page = visit("/pad", viewport=DESK)
    page.locator(".games label").first.wait_for()
    keys = page.keyboard

    def to(selector: str) -> None:
        for _ in range(60):
            if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
            keys.press("Tab")
        raise AssertionError(f"the keyboard does not come to {selector}")

    to("ol input.field")
    for name in FOUR[:3]:
        keys.type(name)
        keys.press("Enter")
    keys.type(FOUR[3])
    keys.press("Enter")
    page.locator(".write h2").wait_for()
    pad = Pad(page)
    keys.type("7 10 1 2 7 4 1 12 ")
    assert pad.asked == "Ben"
    keys.type("1h2345")
    keys.press("Backspace")
    keys.type("6h1 ")
    assert pad.asked == "Cleo"
    to(".mode input")
    keys.press("ArrowRight")
    keys.type("-3")
    keys.press("Enter")
    keys.type("12")
    assert pad.totals == [28, 7, -3, 12]
    keys.press("Control+z")
    assert pad.asked == "Dan"
    to('td button[aria-label^="Ann, Hole 1"]')
    keys.press("Enter")
    to(".slots button")
    keys.press("Enter")
    keys.type("9")
    keys.press("Escape")
    assert pad.totals[0] == 28 + 16
    assert pad.asked == "Dan"


def test_more_people_than_the_screen_has_room_for(visit: Visit) -> None:
    pad = Pad(visit("/pad", viewport=SMALL))
    eight = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Maximiliane-Antonia")
    pad.page.locator(".games label").first.wait_for()
    pad.tap(pad.page.locator(".games label").last)
    for _ in range(4):
        pad.tap(pad.page.get_by_role("button", name=WORDS["pad_add"]))
    pad.begin(*eight, game="nine_card")
    for points in range(20, 27):
        pad.total(points)
    assert pad.asked == eight[7]
    row = pad.page.locator("tbody tr").nth(7)
    assert row.evaluate(
        "row => row.getBoundingClientRect().bottom <= document.querySelector('.write').getBoundingClientRect().top + 1"
    )
    assert overhang(pad.page) <= 0


@pytest.mark.parametrize("viewport", [PHONE, LYING, SMALL, DESK], ids=["phone", "lying", "small", "desk"])
def test_all_keys_are_in_sight_and_large_enough(visit: Visit, viewport: dict[str, int]) -> None:
    pad = Pad(visit("/pad", viewport=viewport))
    pad.begin(*FOUR, game="nine_card")
    for mode in ("points", "cards"):
        pad.writes(mode)
        keys = pad.page.locator(".keys button").evaluate_all(
            "keys => keys.map(key => key.getBoundingClientRect().toJSON())"
        )
        assert all(key["bottom"] <= viewport["height"] for key in keys), mode
        assert min(min(key["width"], key["height"]) for key in keys) >= 44, mode
        assert overhang(pad.page) <= 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_state_in_every_language(visit: Visit, language: str) -> None:
    page = visit("/pad", language=language, viewport=SMALL)
    pad = Pad(page, language)
    page.locator(".games label").first.wait_for()
    check(page, "new", language)
    pad.begin("Ann", "Ben", game="nine_card")
    check(page, "cards", language)
    pad.cards("8 8 8 8 8 8 8 8 8")
    page.locator(".doubt").wait_for()
    check(page, "doubt", language)
    pad.tap(pad.button("pad_our_pack"))
    pad.writes("points")
    check(page, "points", language)
    pad.total(12)
    page.locator(".closer").wait_for()
    check(page, "closer", language)
    pad.tap(page.locator(".closer button").filter(has_text="Ben"))
    page.locator("td button").first.click()
    check(page, "correcting", language)
    pad.tap(pad.button("pad_done"))
    pad.tap(pad.button("pad_menu"))
    page.locator("dialog .qr svg").wait_for()
    check(page, "menu", language)
    pad.tap(pad.button("page_close"))
    for hole in range(8):
        pad.total(hole)
        pad.total(hole)
    page.locator(".won").wait_for()
    page.locator(".qr svg").wait_for()
    page.locator("summary").first.click()
    check(page, "over", language)
    page.goto("/pad")
    page.get_by_role("table").wait_for()
    page.locator("li .button.quiet:has(svg)").last.click()
    page.locator(".ask").wait_for()
    check(page, "past", language)
    assert "Ann" in words_of(page)
