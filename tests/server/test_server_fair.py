"""The fair shuffle at a table: sealed before anybody adds to it, dealt as it lies, shown when the hole is over."""

import msgspec
import pytest
from tables import WATCH, Evening, people, wish

from mulligan import shuffle, variants
from mulligan.server import finished, shuffles
from mulligan.server.entries import Secret
from mulligan.server.messages import (
    AddSeed,
    Dealt,
    Drew,
    GiveUp,
    MatchOver,
    NextHole,
    Rematch,
    Sealed,
    SeedAdded,
    SeedGiven,
    Sit,
    Start,
    Started,
    Unsealed,
)
from mulligan.server.rights import Refusal
from mulligan.server.table import Table

GAMES = variants.names()
ONE, OTHER = "0123456789abcdef" * 2, "f" * 32


def pairs():
    """Ann and Ben, each with a device."""
    evening = Evening(seats=[wish("me", "Ann"), wish("friend")])
    evening.do(Sit, "ben", seat=1, name="Ben")
    return evening


def told(evening, kind):
    return [entry for entry in evening.log if isinstance(entry, kind)]


def place(evening, kind):
    return next(number for number, entry in enumerate(evening.log) if isinstance(entry, kind))


def test_every_pack_is_sealed_before_its_first_card_and_shown_after_its_last():
    evening = Evening()
    evening.play_to("over")
    assert [(sealed.game, sealed.hole) for sealed in told(evening, Sealed)] == [
        *((f"{WATCH}-1", hole) for hole in range(len(evening.table.card) + 1)),
        (f"{WATCH}-2", 0),
    ]
    order = [type(entry).__name__ for entry in evening.log]
    for kind in (Drew, Dealt):
        assert order[: place(evening, kind)].count("Sealed") == order[: place(evening, kind)].count("Unsealed") + 1
    for sealed, shown in zip(told(evening, Sealed), told(evening, Unsealed), strict=False):
        assert (sealed.game, sealed.hole) == (shown.game, shown.hole)
        assert sealed.commitment == shuffle.commitment(bytes.fromhex(shown.seed))
    assert len({secret.seed for secret in told(evening, Secret)}) == len(evening.table.card) + 2


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_shown_are_those_of_the_pack_dealt_round_the_table(game):
    """Shuffled and dealt once more from what a hole's log tells, card by card as a dealer would."""
    evening = Evening(game, people(4), seed=8)
    evening.play_to("over")
    variant = evening.table.variant
    book = shuffles.read(evening.log, 1)
    assert book.names == [seat.name for seat in evening.table.seats]
    assert book.finished
    for hole in book.shuffles[1:]:
        label = shuffle.label(book.id, hole.hole, [given.seed for given in hole.seeds])
        copies = [int(count) for count in variant.rules.copies]
        pack = shuffle.shuffled(shuffle.whole_pack(copies), bytes.fromhex(hole.seed), f"{label}/pack")
        faces = [variant.faces[face] for face in pack]
        lying = {(seat, slot): faces.pop(0) for slot in variant.slots for seat in hole.seats}
        for card in hole.cards:
            if card.place == "layout":
                assert card.face == lying.pop((card.seat, card.slot))
            elif card.place in ("discard", "stock"):
                assert card.face == faces.pop(0)
        assert not lying, "every card of a layout is seen in the end"


def test_every_device_has_a_say_in_the_next_pack():
    evening = pairs()
    packs = []
    for seeds in [(), (ONE,), (OTHER,), (ONE, OTHER)]:
        table = Table(evening.log)
        for guest, seed in zip(("ann", "ben"), seeds, strict=False):
            table.apply(SeedAdded(seat=("ann", "ben").index(guest), seed=seed))
        packs.append(tuple(table.sealed.shuffled(table.rules.copies, "pack")))
    assert len(set(packs)) == 4


def test_one_seed_from_each_device_and_none_once_the_cards_are_dealt():
    evening = pairs()
    assert evening.do(AddSeed, seat=0, seed=ONE)[0] == SeedAdded(seat=0, seed=ONE)
    for repeated in (ONE, OTHER):
        assert not told_by(evening.do(AddSeed, seat=0, seed=repeated))
    evening.do(AddSeed, "ben", seat=1, seed=OTHER)
    evening.do(Start)
    drawn = [event for event in evening.log if isinstance(event, Drew)][:2]
    evening.do(AddSeed, seat=0, seed=ONE)
    evening.do(NextHole)
    assert not told_by(evening.do(AddSeed, "ben", seat=1, seed=ONE))
    evening.play_to("over")
    first, second, *_ = shuffles.read(evening.log, 1).shuffles
    assert first.seeds == [SeedGiven(0, ONE), SeedGiven(1, OTHER)]
    assert [card.face for card in first.cards[:2]] == [event.face for event in drawn]
    assert second.seeds == [SeedGiven(0, ONE)]


def told_by(entries):
    return [entry for entry in entries if isinstance(entry, SeedAdded)]


@pytest.mark.parametrize("seed", ["", "0" * 31, "0" * 33, "G" * 32, "A" * 32, "0" * 31 + "\n", "\ud800" * 32])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(Refusal) as refusal:
        pairs().do(AddSeed, seat=0, seed=seed)
    assert refusal.value.error == "bad_seed"


def test_nobody_adds_for_another():
    with pytest.raises(Refusal) as refusal:
        pairs().do(AddSeed, "ben", seat=0, seed=ONE)
    assert refusal.value.error == "not_your_seat"


def test_a_hole_given_up_is_shown_like_any_other():
    evening = Evening()
    evening.play_to("take")
    lying = evening.table.cards
    ended = evening.do(GiveUp)
    assert [type(entry).__name__ for entry in ended] == ["GivenUp", "Unsealed", "Secret", "Sealed", "Done"]
    assert ended[1].seed == lying.seal.seed.hex()
    assert (evening.table.phase, evening.table.legal(), evening.table.winners) == ("over", [], [])
    hole = shuffles.read(evening.log, 1).shuffles[1]
    assert hole.seed == ended[1].seed
    assert len(hole.cards) == 1 + 2 * 3
    assert finished.read(evening.log, 1) is None
    assert not shuffles.read(evening.log, 1).finished
    evening.do(Rematch)
    evening.play_to("over")
    assert [type(entry) for entry in evening.log].count(Started) == 2
    assert [over.game for over in told(evening, MatchOver)] == [f"{WATCH}-2"]
    assert not evening.table.given_up


@pytest.mark.parametrize("phase", ["draw", "reckoning"])
def test_a_match_given_up_between_two_holes_shows_the_pack_that_will_not_be_dealt(phase):
    evening = Evening()
    evening.play_to(phase)
    sealed = evening.table.sealed
    ended = evening.do(GiveUp)
    assert ended[1] == Unsealed(game=sealed.game, hole=sealed.hole, seed=sealed.seed.hex())
    pack = shuffles.read(evening.log, 1).shuffles[-1]
    assert (pack.hole, pack.cards, pack.seats) == (sealed.hole, [], [])


def test_a_match_is_given_up_by_who_leads_the_table_and_only_while_there_is_one():
    evening = pairs()
    for guest, phase, error in [("ann", "lobby", "not_now"), ("ben", "take", "not_owner"), ("ann", "over", "not_now")]:
        evening.play_to(phase)
        with pytest.raises(Refusal) as refusal:
            evening.do(GiveUp, guest)
        assert refusal.value.error == error
    evening.do(Rematch)
    evening.present = {"ben"}
    evening.do(GiveUp, "ben")


def test_a_stock_made_anew_is_shown_with_the_cards_it_was_made_of():
    evening = Evening("nine_card", people(8), seed=4)
    renewed = []
    for _ in range(60_000):
        if evening.table.phase == "over":
            break
        if any(getattr(entry, "renewed", False) for entry in evening.go_on()):
            renewed.append((evening.table.dealt.hole, evening.table.stock_made_anew()))
    book = shuffles.read(evening.log, 1)
    assert renewed
    assert renewed == [(hole.hole, made) for hole in book.shuffles for made in hole.renewed]
    for hole in book.shuffles[1:]:
        label = shuffle.label(book.id, hole.hole, [])
        for number, made in enumerate(hole.renewed, 1):
            faces = [evening.table.variant.faces.index(face) for face in made]
            stock = shuffle.shuffled(faces, bytes.fromhex(hole.seed), f"{label}/stock {number}")
            seen = [card.face for card in hole.cards if card.place == f"stock {number}"]
            assert seen == [evening.table.variant.faces[face] for face in stock[: len(seen)]]


def test_the_book_of_shuffles_hides_the_seed_of_a_hole_being_played():
    evening = Evening()
    evening.play_to("take")
    secret = told(evening, Secret)[-1].seed
    book = shuffles.read(evening.log, 1)
    assert [hole.seed is None for hole in book.shuffles] == [False, True]
    assert book.shuffles[1].cards == []
    assert secret.encode() not in msgspec.json.encode(book)
    assert shuffles.read(evening.log, 2) is None
    assert shuffles.read(evening.log, 0) is None


def test_what_a_fair_shuffle_would_bring_is_counted_without_replacement():
    """One pack dealt out whole brings every face as often as it is there, with no deviation at all."""
    variant = variants.load("play_nine")
    whole = shuffles.frequency(variant, {108: 2}, {"7": 16})
    seven = next(card for card in whole.cards if card.face == "7")
    assert (whole.holes, seven.dealt, seven.expected, seven.deviation) == (2, 16, 16.0, 0.0)
    some = shuffles.frequency(variant, {17: 100, 25: 100}, {})
    assert sum(card.expected for card in some.cards) == pytest.approx(4200, abs=0.1)
    share = 8 / 108
    variance = 100 * share * (1 - share) * (17 * 91 + 25 * 83) / 107
    assert some.cards[0].deviation == pytest.approx(variance**0.5, abs=0.01)
