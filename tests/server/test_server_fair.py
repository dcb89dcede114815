"""The fair shuffle at a table: sealed before anyone adds to it, dealt as it lies, shown when the hole is over."""

import msgspec
import pytest
from tables import WATCH, TableDriver, people, refused, wish

from mulligan.game import shuffle, variants
from mulligan.server.rooms.table_log import dealt_in
from mulligan.server.table import finished, shuffles
from mulligan.server.table.log_entries import Secret
from mulligan.server.table.table import Table
from mulligan.server.wire.commands import AddSeed, GiveUp, Leave, NextHole, Rematch, Sit, Start
from mulligan.server.wire.events import Dealt, Drew, MatchOver, Sealed, SeedAdded, Started, Unsealed
from mulligan.server.wire.shuffles import SeedGiven

GAMES = variants.games()
ONE, OTHER = "0123456789abcdef" * 2, "f" * 32


def pairs():
    """Ann and Ben, each with a device."""
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    return driver


def told(driver, kind):
    return [entry for entry in driver.log if isinstance(entry, kind)]


def place(driver, kind):
    return next(number for number, entry in enumerate(driver.log) if isinstance(entry, kind))


def test_every_pack_is_sealed_before_its_first_card_and_shown_after_its_last():
    driver = TableDriver()
    driver.play_to("over")
    assert [(sealed.game, sealed.hole) for sealed in told(driver, Sealed)] == [
        *((f"{WATCH}-1", hole) for hole in range(len(driver.table.card) + 1)),
        (f"{WATCH}-2", 0),
    ]
    order = [type(entry).__name__ for entry in driver.log]
    for kind in (Drew, Dealt):
        assert order[: place(driver, kind)].count("Sealed") == order[: place(driver, kind)].count("Unsealed") + 1
    for sealed, shown in zip(told(driver, Sealed), told(driver, Unsealed), strict=False):
        assert (sealed.game, sealed.hole) == (shown.game, shown.hole)
        assert sealed.commitment == shuffle.commitment(bytes.fromhex(shown.seed))
    assert len({secret.seed for secret in told(driver, Secret)}) == len(driver.table.card) + 2


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_the_cards_shown_are_those_of_the_pack_dealt_round_the_table(game):
    """Shuffled and dealt once more from what a hole's log tells, card by card as a dealer would."""
    driver = TableDriver(game, people(4), seed=8)
    driver.play_to("over")
    variant = driver.table.variant
    book = shuffles.read(driver.log, 1)
    assert book.names == [seat.name for seat in driver.table.seats]
    assert book.finished
    for hole in book.shuffles[1:]:
        label = shuffle.label(book.id, hole.hole, [given.seed for given in hole.seeds])
        copies = [int(count) for count in variant.rules.copies]
        pack = shuffle.shuffled(shuffle.whole_pack(copies), bytes.fromhex(hole.seed), f"{label}/pack")
        faces = [variant.faces[face] for face in pack]
        face_down = {(seat, slot): faces.pop(0) for slot in variant.slots for seat in hole.seats}
        for card in hole.cards:
            if card.place == "layout":
                assert card.face == face_down.pop((card.seat, card.slot))
            elif card.place in ("discard", "stock"):
                assert card.face == faces.pop(0)
        assert not face_down, "every card of a layout is seen in the end"


def test_every_device_has_a_say_in_the_next_pack():
    driver = pairs()
    packs = []
    for seeds in [(), (ONE,), (OTHER,), (ONE, OTHER)]:
        table = Table(driver.log)
        for guest, seed in zip(("ann", "ben"), seeds, strict=False):
            table.apply(SeedAdded(seat=("ann", "ben").index(guest), seed=seed))
        packs.append(tuple(table.sealed.shuffled(table.rules.copies, "pack")))
    assert len(set(packs)) == 4


def test_one_seed_from_each_device_and_none_once_the_cards_are_dealt():
    driver = pairs()
    assert driver.do(AddSeed, seat=0, seed=ONE)[0] == SeedAdded(seat=0, seed=ONE)
    for repeated in (ONE, OTHER):
        assert not told_by(driver.do(AddSeed, seat=0, seed=repeated))
    driver.do(AddSeed, "ben", seat=1, seed=OTHER)
    driver.do(Start)
    drawn = [event for event in driver.log if isinstance(event, Drew)][:2]
    driver.do(AddSeed, seat=0, seed=ONE)
    driver.all_do(NextHole)
    assert not told_by(driver.do(AddSeed, "ben", seat=1, seed=ONE))
    driver.play_to("over")
    first, second, *_ = shuffles.read(driver.log, 1).shuffles
    assert first.seeds == [SeedGiven(0, ONE), SeedGiven(1, OTHER)]
    assert [card.face for card in first.cards[:2]] == [event.face for event in drawn]
    assert second.seeds == [SeedGiven(0, ONE)]


def test_a_seed_for_one_pack_enters_no_other():
    """It may come again after the server has restarted, when another pack is sealed."""
    driver = pairs()
    driver.do(AddSeed, seat=0, seed=ONE, commitment=driver.table.sealed.commitment)
    late = AddSeed(id="late", seat=1, seed=OTHER, commitment=driver.table.sealed.commitment)
    driver.do(Start)
    assert driver.send(late, "ben") == []
    assert told_by(driver.do(AddSeed, "ben", seat=1, seed=OTHER, commitment=driver.table.sealed.commitment))


def test_the_book_names_who_has_left():
    driver = pairs()
    driver.do(AddSeed, "ben", seat=1, seed=OTHER)
    driver.do(Start)
    driver.do(Leave, "ben", seat=1)
    assert shuffles.read(driver.log, 1).names == ["Ann", "Ben"]


def told_by(entries):
    return [entry for entry in entries if isinstance(entry, SeedAdded)]


@pytest.mark.parametrize("seed", ["", "0" * 31, "0" * 33, "G" * 32, "A" * 32, "0" * 31 + "\n", "\ud800" * 32])
def test_a_seed_that_is_none_is_refused(seed):
    assert refused(pairs(), AddSeed, seat=0, seed=seed)[0] == "bad_seed"


def test_nobody_adds_for_another():
    assert refused(pairs(), AddSeed, "ben", seat=0, seed=ONE)[0] == "not_your_seat"


def test_a_hole_given_up_is_shown_like_any_other():
    driver = TableDriver()
    driver.play_to("take")
    cards = driver.table.cards
    ended = driver.do(GiveUp)
    assert [type(entry).__name__ for entry in ended] == ["GivenUp", "Unsealed", "Secret", "Sealed", "Done"]
    assert ended[1].seed == cards.seal.seed.hex()
    assert (driver.table.phase, driver.table.legal(), driver.table.winners) == ("over", [], [])
    hole = shuffles.read(driver.log, 1).shuffles[1]
    assert hole.seed == ended[1].seed
    assert len(hole.cards) == 1 + 2 * 3
    assert finished.read(driver.log, 1) is None
    assert not shuffles.read(driver.log, 1).finished
    driver.do(Rematch)
    driver.play_to("over")
    assert [type(entry) for entry in driver.log].count(Started) == 2
    assert [over.game for over in told(driver, MatchOver)] == [f"{WATCH}-2"]
    assert not driver.table.given_up


@pytest.mark.parametrize("phase", ["draw", "hole_over"])
def test_a_match_given_up_between_two_holes_shows_the_pack_that_will_not_be_dealt(phase):
    driver = TableDriver()
    driver.play_to(phase)
    sealed = driver.table.sealed
    ended = driver.do(GiveUp)
    assert ended[1] == Unsealed(game=sealed.game, hole=sealed.hole, seed=sealed.seed.hex())
    pack = shuffles.read(driver.log, 1).shuffles[-1]
    assert (pack.hole, pack.cards, pack.seats) == (sealed.hole, [], [])


def test_a_match_is_given_up_by_who_leads_the_table_and_only_while_there_is_one():
    driver = pairs()
    for guest, phase, error in [("ann", "lobby", "not_now"), ("ben", "take", "not_owner"), ("ann", "over", "not_now")]:
        driver.play_to(phase)
        assert refused(driver, GiveUp, guest)[0] == error
    driver.all_do(Rematch)
    driver.present = {"ben"}
    driver.do(GiveUp, "ben")


def test_a_stock_made_anew_is_shown_with_the_cards_it_was_made_of():
    driver = TableDriver("nine_card", people(8), seed=4)
    renewed = []
    for _ in range(60_000):
        if driver.table.phase == "over":
            break
        if any(getattr(entry, "renewed", False) for entry in driver.go_on()):
            renewed.append((driver.table.dealt.hole, driver.table.stock_made_anew()))
    book = shuffles.read(driver.log, 1)
    assert renewed
    assert renewed == [(hole.hole, made) for hole in book.shuffles for made in hole.renewed]
    for hole in book.shuffles[1:]:
        label = shuffle.label(book.id, hole.hole, [])
        for number, made in enumerate(hole.renewed, 1):
            faces = [driver.table.variant.faces.index(face) for face in made]
            stock = shuffle.shuffled(faces, bytes.fromhex(hole.seed), f"{label}/stock {number}")
            seen = [card.face for card in hole.cards if card.place == f"stock {number}"]
            assert seen == [driver.table.variant.faces[face] for face in stock[: len(seen)]]


def test_the_book_of_shuffles_hides_the_seed_of_a_hole_being_played():
    driver = TableDriver()
    driver.play_to("take")
    secret = told(driver, Secret)[-1].seed
    book = shuffles.read(driver.log, 1)
    assert [hole.seed is None for hole in book.shuffles] == [False, True]
    assert book.shuffles[1].cards == []
    assert secret.encode() not in msgspec.json.encode(book)
    assert shuffles.read(driver.log, 2) is None
    assert shuffles.read(driver.log, 0) is None


def test_what_a_fair_shuffle_would_bring_is_counted_without_replacement():
    """One pack dealt out whole brings every face as often as it is there, with no deviation at all."""
    variant = variants.load("play_nine")
    whole = shuffles.frequency(variant, {(1, 108): 2}, {"7": 16})
    seven = next(card for card in whole.cards if card.face == "7")
    assert (whole.holes, seven.dealt, seven.expected, seven.deviation) == (2, 16, 16.0, 0.0)
    some = shuffles.frequency(variant, {(1, 17): 100, (1, 25): 100}, {})
    assert sum(card.expected for card in some.cards) == pytest.approx(4200, abs=0.1)
    share = 8 / 108
    variance = 100 * share * (1 - share) * (17 * 91 + 25 * 83) / 107
    assert some.cards[0].deviation == pytest.approx(variance**0.5, abs=0.01)


def test_larger_tables_deal_from_more_packs_and_their_counts_vary_more():
    variant = variants.load("six_card")
    one, two = (shuffles.frequency(variant, {(packs, 52): 1}, {}).cards[0] for packs in (1, 2))
    share = 4 / 52
    assert (one.expected, one.deviation, two.expected) == (4, 0, 4)
    assert two.deviation == pytest.approx((52 * share * (1 - share) * 52 / 103) ** 0.5, abs=0.01)


def test_a_hole_is_counted_with_the_packs_of_its_table():
    for seats, packs in ((2, 1), (5, 2)):
        driver = TableDriver(game="six_card", seats=people(seats), holes=1)
        driver.play_to("over")
        counted = dealt_in(driver.table, driver.log)
        assert (counted.game, counted.packs) == ("six_card", packs)
