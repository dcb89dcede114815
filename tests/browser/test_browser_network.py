"""The page on a bad network: away in mid-turn, reloaded, left by its server, and a whole match through bad lines."""

import sys
from pathlib import Path

import pytest
from visiting import (
    COMPUTER,
    DESK,
    ME,
    NO_PAGE,
    deal,
    let_draw,
    lit,
    lit_up,
    messages,
    my_cards,
    open_drawer,
    play,
    sit_and_start,
    target,
    tee_off,
)

sys.path.insert(0, str(Path(__file__).parents[1] / "torture"))

from killable import Killable
from ledger import check_record, log_of
from proxy import LONG_FAULTS, beside

from mulligan.server.wire.view import Step

WORDS = messages("en")
HAND = ".piles .hand [role=img]"


@pytest.fixture
def network(server):
    """The way to the server, which can be frozen and broken."""
    with beside(server.port) as proxy:
        yield proxy


def go(visit, port, **more):
    """Ann at a table of her own against the computer, with a card of the discard pile in her hand.

    The clock of her page runs, and jumps where a test says so.
    """
    page = visit(base=f"http://127.0.0.1:{port}", viewport=DESK, **more)
    page.clock.install()
    path = sit_and_start(page, ME, COMPUTER)
    tee_off(page)
    target(page, "D").click()
    page.locator(HAND).wait_for()
    page.evaluate("window.same = true")
    return page, path[3:]


def banner(page, words):
    page.get_by_role("status").get_by_text(WORDS[words]).wait_for()


def moves_of(data, code, move):
    """How often Ann made that move, by the log."""
    return sum(isinstance(entry, Step) and (entry.seat, entry.move) == (0, move) for entry in log_of(data, code))


def test_away_in_mid_turn_and_back_again(visit, server, network):
    page, code = go(visit, network.port)
    cards, moves, held = my_cards(page), lit_up(page), page.locator(HAND).get_attribute("aria-label")

    network.do(network.proxy.freeze)
    page.context.set_offline(True)
    banner(page, "link_offline")
    assert (my_cards(page), page.locator(HAND).get_attribute("aria-label")) == (cards, held)
    target(page, "d2").click()  # given while nobody can hear it
    let_draw(page)
    assert my_cards(page) == cards  # and nothing is shown before the server has said so
    assert moves_of(server.data, code, "d2") == 0

    network.do(network.proxy.thaw)
    page.context.set_offline(False)
    page.locator(HAND).wait_for(state="detached")
    banner(page, "link_back")
    assert my_cards(page)[:7] == cards[:7]
    assert my_cards(page)[7] != cards[7]
    assert moves_of(server.data, code, "d2") == 1
    assert page.evaluate("window.same")
    assert moves
    play(page, ".hole-result")


def test_a_line_that_is_silently_dead_is_told_and_mended(visit, server, network):
    page, code = go(visit, network.port)
    network.do(network.proxy.freeze)
    target(page, "c2").click()
    page.clock.fast_forward(4600)  # then the page asks whether anyone is there
    page.clock.fast_forward(3000)  # … and nobody has answered
    banner(page, "link_quiet")
    network.do(network.proxy.thaw)  # all that was on its way arrives, late
    page.locator(HAND).wait_for(state="detached")
    banner(page, "link_back")
    assert moves_of(server.data, code, "c2") == 1


def test_a_page_reloaded_in_mid_turn_finds_its_card_in_hand(visit, server, network):
    page, code = go(visit, network.port)
    before = my_cards(page), lit_up(page), page.locator(HAND).get_attribute("aria-label")
    page.reload()
    page.locator(HAND).wait_for()
    assert (my_cards(page), lit(page), page.locator(HAND).get_attribute("aria-label")) == before
    assert page.evaluate("window.same") is None

    network.do(network.proxy.freeze, False)
    target(page, "b1").click()  # still on its way when the page is gone
    let_draw(page)
    page.reload()
    page.locator(HAND).wait_for()
    network.do(network.proxy.thaw)
    page.locator(HAND).wait_for(state="detached")
    assert moves_of(server.data, code, "b1") == 1


def test_a_server_killed_in_mid_turn_and_back_hears_the_move_made_meanwhile(visit, tmp_path):
    server = Killable(tmp_path)
    try:
        server.start()
        page, code = go(visit, server.port)
        cards = my_cards(page)
        server.kill()
        server.bury()
        banner(page, "link_lost")
        target(page, "d2").click()
        server.start()
        page.locator(HAND).wait_for(state="detached")
        banner(page, "link_back")
        assert page.evaluate("window.same")
        assert my_cards(page)[:7] == cards[:7]
        assert moves_of(server.folder, code, "d2") == 1
        play(page, ".hole-result")
    finally:
        server.end()


def test_a_whole_match_through_bad_lines(visit, server):
    with beside(server.port, seed=3, network_faults=LONG_FAULTS) as network:
        page = visit(NO_PAGE, base=f"http://127.0.0.1:{network.port}", viewport=DESK)
        sit_and_start(page, ME, COMPUTER, game="nine_card")
        page.evaluate("window.same = true")
        deal(page)
        play(page, ".won")
        print(dict(network.proxy.met))
        assert sum(network.proxy.met.values()) >= 5
        open_drawer(page)
        record = page.request.get(
            page.get_by_role("link", name=WORDS["table_act_download"]).get_attribute("href"), max_retries=5
        )
    check_record(record.body())
    assert page.evaluate("window.same")
