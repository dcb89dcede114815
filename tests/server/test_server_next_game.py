"""Another game at the same table: people, links and wins stay, and each match is kept with its own rules."""

import gzip
from contextlib import closing

import pytest
from tables import TableDriver, refused, wish
from test_server_live_table import Clock, Disk, Ear, live_of

from mulligan.game import referee, variants
from mulligan.server.services.archive import Archive
from mulligan.server.services.log_parts import start_since
from mulligan.server.store.sqlite import SqliteStore
from mulligan.server.table.finished import read
from mulligan.server.table.log_entries import encode
from mulligan.server.table.preview import preview
from mulligan.server.table.table import Table
from mulligan.server.table.view import view
from mulligan.server.wire.coach import MulliganRequest
from mulligan.server.wire.commands import FillSeat, Leave, Next, Sit, Start, TakeBack
from mulligan.server.wire.replies import Welcome

GAMES = ("play_nine", "nine_card", "six_card")
RULES = {"jokers": -5}


@pytest.fixture(scope="module")
def played():
    """Three games of one hole at one table, of which the second had house rules."""
    seats = [wish("me", "Ann"), wish("friend"), wish("computer", "Rob", "random")]
    driver = TableDriver(GAMES[0], seats=seats, holes=1, watch="WTCHWXZZ")
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.play_to("over")
    for game, house_rules in ((GAMES[1], RULES), (GAMES[2], {})):
        driver.do(Next, game=game, house_rules=house_rules, holes=1)
        assert driver.table.phase == "lobby"
        driver.do(Start)
        driver.play_to("over")
    return driver


def test_each_match_is_kept_with_its_own_rules(played):
    for match, (game, rules) in enumerate(zip(GAMES, ({}, RULES, {}), strict=True), 1):
        card, record = read(played.log, match)
        assert (card.game, card.house_rules, card.id) == (game, rules, f"{played.table.watch}-{match}")
        assert (card.facts is not None) == bool(rules)
        assert referee.replay(record, variants.load(game))
    assert [seat.name for seat in played.table.seats] == ["Ann", "Ben", "Rob"]
    assert sum(seat.wins for seat in played.table.seats) >= 3
    assert view(Table(played.log)) == view(played.table)


def test_the_archive_reads_each_from_its_start_and_from_the_whole_log(played, tmp_path):
    for name, keeps_starts in (("with", True), ("without", False)):
        (tmp_path / name).mkdir()
        with closing(SqliteStore(tmp_path / name)) as store:
            table = Table()
            code = played.table.code
            store.open_table(code, played.table.watch, GAMES[0], 0.0, []).result(10)
            for number, entry in enumerate(played.log, 1):
                table.apply(entry)
                start = start_since(table, number - 1) if keeps_starts else None
                store.append(code, number, [encode(entry)], start=start).result(10)
            archive = Archive(store)
            for match, game in enumerate(GAMES, 1):
                number = f"{played.table.watch}-{match}"
                assert archive.rules_of(number).name == game
                assert dict(archive.rules_of(number).match) == (RULES if game == GAMES[1] else {})
                assert archive.finished(number)[0].game == game
                assert archive.shuffles(number).game == game
                assert b"frames" in gzip.decompress(archive.replay(number, 1))
                practice = archive.practice(number, MulliganRequest(hole=1, step=3, seat=0), "ann")
                assert practice.game == game
            archive.readers.shutdown()


def test_who_comes_by_the_link_sees_the_game_of_now(played):
    assert preview(played.table).welcome.view.game == GAMES[2]


def test_surplus_seats_go_the_open_ones_first_and_people_stay():
    kinds = [wish("me", "Ann"), wish("computer", "Rob", "random"), wish("friend"), wish("computer", "Bot", "random")]
    more = [wish("here", f"P{number}") for number in range(4)]
    driver = TableDriver("nine_card", seats=[*kinds, *more])
    driver.do(Next, game="play_nine")
    assert [seat.name for seat in driver.table.seats] == ["Ann", "Rob", "P0", "P1", "P2", "P3"]
    driver.do(Start)
    driver.play_to("hole_over")


def test_a_game_for_fewer_people_is_refused():
    seats = [wish("here" if number else "me", f"P{number}") for number in range(7)]
    driver = TableDriver("nine_card", seats=[*seats, wish("friend")])
    assert refused(driver, Next, game="play_nine") == ("wrong_seat_count", {"least": 2, "most": 6, "seats": 7})


def test_only_between_matches_and_only_what_there_is():
    driver = TableDriver()
    assert refused(driver, Next, game="poker")[0] == "no_such_game"
    assert refused(driver, Next, game="play_nine", house_rules={"jokers": 99})[0] == "bad_house_rules"
    driver.play_to("take")
    assert refused(driver, Next, game="nine_card")[0] == "not_now"


def test_a_seat_that_was_left_is_open_as_any_before_the_next_game():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")], holes=1)
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.play_to("over")
    driver.do(Leave, "ben", seat=1)
    driver.do(Next, game="nine_card")
    assert refused(driver, Start)[0] == "seats_open"
    driver.do(FillSeat, seat=1, player="random")
    driver.do(Start)
    assert driver.table.match == 2
    assert refused(driver, TakeBack, seat=0)[0] == "not_now"


async def test_everyone_is_told_the_facts_of_the_game():
    driver = TableDriver()
    live = live_of(driver, Disk(), Clock(most=1))
    ears = [Ear("ann"), Ear("eve", watching=True)]
    for ear in ears:
        await live.join(ear, 0)
    await live.command(ears[0], Next(id="next", game="nine_card", house_rules=RULES))
    for ear in ears:
        told = [message for message in ear.heard if isinstance(message, Welcome)][-1]
        assert (told.view.game, told.facts.name, told.view.house_rules) == ("nine_card", "nine_card", RULES)
    live.rest()


def test_the_log_is_no_place_for_rules_without_end():
    driver = TableDriver()
    for number in range(300):
        if driver.table.length >= 20_000:
            break
        driver.do(Next, game=("nine_card", "play_nine")[number % 2])
    assert number < 250
    assert refused(driver, Next, game="nine_card")[0] == "match_full"
    assert driver.do(Start)
