"""A family's house rules: set up on a phone, kept, shared, and played by on another device."""

import pytest
from axe import faults
from playwright.sync_api import expect
from visiting import DESK, LANGUAGES, PHONE, faults_of_wording, lit_up, messages, overhang, target, tee_off

WORDS = messages("en")
GAME = "Six-card golf"


def choose_game(page, name=GAME):
    page.get_by_role("button", name="games").click()
    page.get_by_role("radio", name=name).check(force=True)


def open_options(page, words=WORDS):
    page.get_by_role("button", name=words["start_house_rules"]).click()
    page.locator("dialog fieldset").first.wait_for()


def choose(page, option, value):
    page.get_by_role("group", name=option, exact=True).get_by_role("radio", name=value, exact=True).check()


def done(page):
    page.get_by_role("button", name=WORDS["house_done"]).click()
    page.locator("dialog").wait_for(state="detached")


def address_shared(page):
    """The path of the link in the window for sharing."""
    page.get_by_role("button", name=WORDS["house_share"]).click()
    shown = page.locator("dialog .address").inner_text()
    page.keyboard.press("Escape")
    return shown[shown.index("/") :]


def test_a_family_sets_up_its_rules_shares_them_and_plays_by_them_on_another_device(visit):
    phone = visit("/new", viewport=PHONE)
    choose_game(phone)
    open_options(phone)
    choose(phone, "Jokers", "−5")
    choose(phone, "After discarding", "Turn one up")
    assert faults(phone) == []
    done(phone)
    jokers = "You play with two jokers in each pack, and each counts −5."
    expect(phone.locator(".chosen li").first).to_contain_text(jokers)
    phone.get_by_role("button", name=WORDS["house_keep"]).click()
    phone.get_by_label(WORDS["house_name"]).fill("Grandma’s golf")
    phone.get_by_role("button", name=WORDS["house_keep_yes"], exact=True).click()
    expect(phone.get_by_role("radio", name="Grandma’s golf")).to_be_checked()
    phone.locator(".game").filter(has_text="Grandma’s golf").get_by_role("button").click()
    expect(phone.locator("dialog")).to_contain_text("The best card: joker (−5).")
    phone.keyboard.press("Escape")
    phone.locator("dialog").wait_for(state="detached")
    path = address_shared(phone)

    other = visit(path, viewport=PHONE)
    other.get_by_role("heading", name="Grandma’s golf").wait_for()
    assert faults(other) == []
    other.get_by_role("button", name=WORDS["house_play"]).click()
    expect(other.get_by_role("radio", name="Grandma’s golf")).to_be_checked()
    other.locator("button.play").click()
    tee_off(other)
    target(other, "S").click()
    target(other, "-").click()
    assert sorted(lit_up(other)) == ["a2", "b1", "c1", "c2"]  # the turn is not over: a card must be turned up
    other.locator(".bar").click()
    book = other.locator("dialog a.button").get_attribute("href")
    other.goto(f"{book}#5.1")
    rule = other.locator("article", has=other.locator('[id="5.1"]'))
    expect(rule.locator(".house")).to_contain_text("−5")
    expect(rule.locator(".changed")).not_to_have_count(0)  # what no longer holds is marked
    assert "six_card" not in other.locator("main").inner_text()


def choose_what_does_not_fit(page):
    choose(page, "Cards turned up first", "3")
    choose(page, "Where to tee off", "In one column")


def undo_what_does_not_fit(page):
    expect(page.get_by_role("alert")).to_contain_text("A column has only 2 cards: turn up 2 at most.")
    expect(page.get_by_role("button", name=WORDS["house_done"])).to_be_disabled()
    page.get_by_role("button", name=WORDS["house_undo"]).click()
    expect(page.get_by_role("alert")).to_have_count(0)
    done(page)
    expect(page.locator(".chosen li")).to_have_count(1)


def test_values_that_do_not_fit_together_are_told_and_undone(visit):
    page = visit("/new", viewport=PHONE)
    choose_game(page)
    open_options(page)
    choose_what_does_not_fit(page)
    undo_what_does_not_fit(page)


def test_only_the_last_choice_is_undone_when_both_were_made_before_the_server_answered(visit):
    page = visit("/new", viewport=PHONE)
    choose_game(page)
    open_options(page)
    waiting = []
    page.route("**/api/house-rules/**", lambda route: route.continue_() if waiting else waiting.append(route))
    choose_what_does_not_fit(page)
    while not waiting:
        page.wait_for_timeout(10)
    waiting[0].continue_()
    undo_what_does_not_fit(page)


def test_kept_rules_are_renamed_and_deleted(visit):
    page = visit("/ours#four_card/packs=2/Ours", viewport=DESK)
    page.get_by_role("button", name=WORDS["house_keep_here"]).click()
    page.goto("/ours")
    page.get_by_role("button", name=WORDS["house_rename"]).click()
    page.get_by_label(WORDS["house_name"]).fill("Sunday golf")
    page.get_by_role("button", name=WORDS["house_done"], exact=True).click()
    expect(page.get_by_role("region", name="Sunday golf")).to_be_visible()
    page.get_by_role("button", name=WORDS["house_delete"]).click()
    page.get_by_role("button", name=WORDS["house_delete_yes"]).click()
    expect(page.get_by_text(WORDS["house_empty"])).to_be_visible()


def test_a_damaged_link_is_told(visit):
    page = visit("/ours#four_card/packs")
    expect(page.get_by_role("alert")).to_have_text(WORDS["house_bad_link"])


def test_a_file_is_read_as_a_family_writes_it_and_its_errors_are_told_in_their_language(visit):
    page = visit("/ours", language="de")
    page.wait_for_load_state("networkidle")
    file = {
        "name": "Oma.toml",
        "mimeType": "text/plain",
        "buffer": "Game = „Four-card“\noptions = { Packs = ２ }".encode(),
    }
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("heading", level=1)).to_have_text("Oma")
    expect(page.locator("main li").first).to_contain_text("2")
    page.locator("input[type=file]").set_input_files(file | {"buffer": b'game = "four_card"\n[options]\npacks = 9\n'})
    expect(page.get_by_role("alert")).to_contain_text("„9“")
    page.locator("input[type=file]").set_input_files(file | {"buffer": b"Omas Regeln"})
    expect(page.get_by_role("alert")).to_contain_text("Das ist kein TOML")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_options_and_our_rules_are_in_the_readers_language(visit, language):
    words = messages(language)
    page = visit("/ours#four_card/packs=2/X", language=language, dark=True)
    page.get_by_role("button", name=words["house_keep_here"]).click()
    assert faults_of_wording(page, language) == []
    page.goto("/new")
    open_options(page, words)
    assert faults_of_wording(page, language) == []
    assert faults(page) == []
    assert overhang(page) <= 0


def test_the_score_pad_the_coach_and_the_printed_card_take_house_rules(visit):
    page = visit("/ours#six_card/jokers=-5,penalty=double/Ours", viewport=PHONE)
    page.get_by_role("button", name=WORDS["house_keep_here"]).click()
    page.goto("/pad")
    page.get_by_role("radio", name="Ours").check(force=True)
    expect(page.locator(".chosen li").first).to_contain_text("each counts −5")
    assert faults(page) == []
    page.get_by_role("button", name=WORDS["pad_begin"]).click()
    expect(page.get_by_text("Ours").first).to_be_visible()
    expect(page.locator(".bar")).to_contain_text("Jokers: −5")
    page.goto("/coach")
    page.get_by_role("button", name=WORDS["cardboard_follow"]).click()
    page.get_by_role("radio", name="Ours").check(force=True)
    expect(page.locator(".chosen li").first).to_contain_text("each counts −5")
    page.get_by_role("button", name=WORDS["cardboard_begin"]).click()
    expect(page.get_by_role("button", name="joker, 2 left")).to_be_visible()  # asked for the first discard
    expect(page.locator(".bar")).to_contain_text("Jokers: −5")
    assert faults(page) == []
    page.goto("/card")
    with page.expect_response("**/picture?*house_rules=jokers%3D-5*") as answered:
        page.get_by_role("radio", name="Ours").check(force=True)
    assert answered.value.status == 200
