"""What a host does besides playing: hands the table over, lets a friend in, chooses another game, or only hosts."""

from axe import faults
from test_browser_friends import WORDS, invite, sit, start
from visiting import COMPUTER, DESK, FRIEND, NO_PAGE, PHONE, deal, lit, open_table


def menu_of(page):
    page.get_by_role("button", name=WORDS["menu_open"]).click()
    page.get_by_role("dialog").wait_for()


def test_a_host_hands_the_table_over_and_the_new_one_lets_a_friend_in(visit):
    ann, path = invite(visit, FRIEND, COMPUTER)
    ben = visit(path, viewport=PHONE)
    sit(ben, "Ben")
    start(ann)
    deal(ann, ben)
    menu_of(ann)
    ann.get_by_text(WORDS["menu_hand_over"], exact=True).click()
    ann.get_by_role("button", name=WORDS["menu_make_host"].format(name="Ben")).click()
    ann.get_by_text(WORDS["menu_hand_over"], exact=True).wait_for(state="hidden")
    eve = visit(path, viewport=PHONE)
    eve.get_by_text(WORDS["knock_what"]).wait_for()
    eve.get_by_label(WORDS["start_name"]).fill("x" * 21)
    eve.get_by_text(WORDS["error_name_too_long"].format(most=20)).wait_for()
    eve.get_by_label(WORDS["start_name"]).fill("Eve")
    eve.get_by_role("button", name=WORDS["knock_ask"]).click()
    ben.get_by_text(WORDS["knock_asks"].format(name="Eve")).wait_for()
    assert ann.get_by_text(WORDS["knock_asks"].format(name="Eve")).count() == 0
    ben.locator(".button", has_text=WORDS["knock_refuse"]).click()
    eve.get_by_text(WORDS["knock_no"]).wait_for()
    eve.get_by_role("button", name=WORDS["knock_ask"]).click()
    ben.locator(".button", has_text=WORDS["knock_yes"]).click()
    eve.locator(".table.on-felt .seat").first.wait_for()
    ann.locator(".seat", has_text="Eve").first.wait_for()


def test_who_lost_their_cookie_says_who_they_are_and_gets_the_seat_and_the_old_device_is_told(visit):
    ann, path = invite(visit, FRIEND, COMPUTER)
    ben, eve = visit(path, viewport=PHONE), visit(NO_PAGE, viewport=PHONE)
    sit(ben, "Ben")
    start(ann)
    deal(ann, ben)
    ben.goto(NO_PAGE)
    eve.goto(path)
    eve.get_by_role("button", name=WORDS["claim_me"].format(name="Ben")).click()
    ann.get_by_text(WORDS["claim_asks"].format(name="Ben")).wait_for()
    ann.locator(".button", has_text=WORDS["knock_yes"]).click()
    eve.locator(".table.on-felt .seat").first.wait_for()
    ben.goto(path)
    ben.get_by_text(WORDS["claim_gone_text"]).wait_for()
    ann.goto(NO_PAGE)
    dee = visit(path, viewport=PHONE)
    dee.get_by_role("button", name=WORDS["claim_me"].format(name="Ann")).click()
    dee.get_by_text(WORDS["error_claim_too_early"].format(minutes=10)).wait_for()
    assert not faults(dee)


def test_the_next_match_is_of_another_game_at_the_same_table(visit):
    ann, path = invite(visit, FRIEND, holes=1)
    ben = visit(path, viewport=PHONE)
    sit(ben, "Ben")
    ann.get_by_role("button", name=WORDS["next_title"]).click()
    ann.get_by_role("dialog").get_by_text("Nine-card golf").first.click()
    ann.get_by_role("button", name=WORDS["next_choose"]).click()
    ann.get_by_role("dialog").wait_for(state="hidden")
    for page in (ann, ben):
        page.locator("main .head", has_text="Nine-card golf").wait_for()
    start(ann)
    deal(ann, ben)
    for page in (ann, ben):
        page.locator(".seat").first.wait_for()
        assert page.locator(".seat").first.locator("[data-spot]").count() == 9


def test_who_only_hosts_starts_and_watches_and_may_take_a_seat(visit):
    ann = visit("/", viewport=DESK)
    codes = open_table(ann, FRIEND, FRIEND)
    path = f"/t/{codes['table']}"
    ann.goto(path)
    ann.get_by_role("heading", name=WORDS["lobby_title"]).wait_for()
    ben, eve = (visit(path, viewport=PHONE) for _ in range(2))
    for page, name in ((ben, "Ben"), (eve, "Eve")):
        sit(page, name)
    ann.get_by_role("heading", name=WORDS["lobby_ready"]).wait_for()
    start(ann)
    ann.locator(".table.on-felt").wait_for()
    deal(ben, eve)
    ann.locator(".seat").nth(1).wait_for()
    assert lit(ann) == []
    menu_of(eve)
    eve.get_by_role("button", name=WORDS["menu_leave"]).click()
    eve.get_by_role("button", name=WORDS["menu_leave_yes"], exact=True).click()
    menu_of(ann)
    ann.get_by_role("button", name=WORDS["join_sit"]).click()
    sit(ann, "Ann")
    ben.locator(".seat", has_text="Ann").first.wait_for()


def test_the_new_table_page_offers_to_host_without_a_seat(visit):
    ann = visit("/new", viewport=DESK)
    ann.get_by_role("button", name=WORDS["start_play"], exact=True).wait_for()
    ann.get_by_label(WORDS["start_seat"].format(seat=2)).select_option("friend")
    ann.get_by_text(WORDS["start_options"]).first.click()
    ann.get_by_text(WORDS["start_only_host"], exact=True).click()
    ann.get_by_role("button", name=WORDS["start_invite"]).click()
    ann.get_by_role("heading", name=WORDS["lobby_title"]).wait_for()
    ann.get_by_role("button", name=WORDS["join_sit"]).wait_for()
