"""One person on several devices, with the page in Chromium: come-back words, my tables, taking along and deleting."""

from typing import Any

from axe import faults
from conftest import Visit
from visiting import COMPUTER, DESK, FRIEND, ME, PHONE, lit_up, messages, open_table, sit_and_start

WORDS = messages("en")


def words_of(page: Any) -> str:
    """Asks for come-back words, reads them off the page, and puts them away."""
    page.goto("/me")
    page.get_by_role("button", name=WORDS["me_get_words"]).click()
    listed = page.locator("ol.words li")
    listed.first.wait_for()
    words = listed.all_inner_texts()
    assert len(words) == 4
    assert not faults(page)
    page.get_by_role("button", name=WORDS["me_words_done"]).click()
    page.get_by_role("heading", name=WORDS["me_devices"]).wait_for()
    return " ".join(words)


def come_back(page: Any, words: str) -> None:
    page.goto("/me")
    page.get_by_label(WORDS["me_back_words"]).fill(words)
    page.get_by_role("button", name=WORDS["me_back_do"]).click()


def test_somebody_finds_their_table_again_on_another_device_and_signs_the_first_one_out(visit: Visit) -> None:
    laptop, phone = visit("/", viewport=DESK), visit("/", viewport=PHONE)
    code = open_table(laptop, ME, COMPUTER)["table"]
    words = words_of(laptop)
    come_back(phone, words)
    phone.get_by_text(WORDS["me_back_done"]).wait_for()
    phone.locator(f"a[href$='/t/{code}']").click()
    phone.locator("#main").get_by_text("Ann").first.wait_for()
    phone.goto("/me")
    sign_out = phone.get_by_role("button", name="Sign out: ")
    sign_out.click()
    sign_out.wait_for(state="detached")
    laptop.goto("/me")
    laptop.get_by_text(WORDS["me_no_tables"]).wait_for()


def authenticator_of(page: Any) -> tuple[Any, str]:
    """Gives the page's device a fingerprint reader that knows its person; how to talk to it, and its number."""
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    able = dict.fromkeys(
        ("hasResidentKey", "hasUserVerification", "isUserVerified", "automaticPresenceSimulation"), True
    )
    options = {"protocol": "ctap2", "transport": "internal", **able}
    return device, device.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]


def test_a_passkey_that_a_phone_shares_brings_it_to_the_same_tables_until_it_is_removed(
    visit: Visit, server: Any
) -> None:
    base = f"http://localhost:{server.port}"
    laptop, phone = visit("/", viewport=DESK, base=base), visit("/me", viewport=PHONE, base=base)
    code = open_table(laptop, ME, COMPUTER)["table"]
    first, number = authenticator_of(laptop)
    laptop.goto("/me")
    laptop.get_by_role("button", name=WORDS["me_passkey_add"]).click()
    laptop.get_by_text(WORDS["me_passkey_made"]).wait_for()
    laptop.get_by_role("button", name=WORDS["me_passkey_add"]).click()
    laptop.get_by_text(WORDS["error_passkey_there"]).wait_for()
    (credential,) = first.send("WebAuthn.getCredentials", {"authenticatorId": number})["credentials"]
    second, number = authenticator_of(phone)
    phone.get_by_role("button", name=WORDS["me_passkey_back"]).click()
    phone.get_by_role("alert").get_by_text(WORDS["error_passkey_given_up"]).wait_for()
    second.send("WebAuthn.addCredential", {"authenticatorId": number, "credential": credential})
    phone.get_by_role("button", name=WORDS["me_passkey_back"]).click()
    phone.locator(f"a[href$='/t/{code}']").wait_for()
    assert not faults(phone)
    phone.locator(".passkeys").get_by_role("button").click()
    phone.locator(".passkeys").wait_for(state="detached")
    phone.get_by_role("button", name=WORDS["me_passkey_back"]).click()
    phone.get_by_role("alert").get_by_text(WORDS["error_wrong_passkey"]).wait_for()


def test_without_https_the_page_says_why_it_offers_words_alone(visit: Visit, home: str) -> None:
    page = visit("/me", viewport=PHONE, base=home)
    page.get_by_text(WORDS["me_passkey_https"]).wait_for()
    assert page.get_by_role("button", name=WORDS["me_passkey_add"]).count() == 0


def test_the_start_page_shows_first_and_with_a_dot_where_it_is_my_turn(visit: Visit) -> None:
    page = visit("/", viewport=PHONE)
    waiting = sit_and_start(page, ME, COMPUTER, game="nine_card")
    lit_up(page)
    page.goto("/")
    rows = page.locator("section.now li")
    rows.get_by_text(WORDS["start_your_turn"]).wait_for()
    later = open_table(page, ME, FRIEND)["table"]  # on another device, say
    page.reload()
    rows.get_by_text(WORDS["start_waiting"]).wait_for()
    assert [row.get_attribute("href") for row in rows.locator("a").all()] == [waiting, f"/t/{later}"]
    rows.last.get_by_role("button").click()
    rows.get_by_text(WORDS["start_waiting"]).wait_for(state="detached")
    page.reload()
    rows.get_by_text(WORDS["start_your_turn"]).wait_for()
    assert rows.count() == 1


def test_wrong_words_are_explained_and_stay_to_be_corrected(visit: Visit) -> None:
    page = visit("/me", viewport=PHONE)
    come_back(page, "apple apple apple")
    page.get_by_role("alert").get_by_text(WORDS["error_wrong_words"]).wait_for()
    assert page.get_by_label(WORDS["me_back_words"]).input_value() == "apple apple apple"


def test_all_is_taken_along_and_then_deleted(visit: Visit) -> None:
    page = visit("/", viewport=PHONE)
    open_table(page, ME, COMPUTER)
    page.goto("/me")
    with page.expect_download() as download:
        page.get_by_role("link", name=WORDS["me_download"]).click()
    assert '"names":["Ann"]' in download.value.path().read_text("utf-8")
    page.get_by_role("button", name=WORDS["me_delete"]).click()
    page.get_by_role("dialog").get_by_role("button", name=WORDS["me_delete"], exact=True).click()
    page.get_by_text(WORDS["me_deleted"]).wait_for()
    page.get_by_text(WORDS["me_no_tables"]).wait_for()
