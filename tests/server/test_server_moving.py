"""Playing on from another device: a key made up on the one is shown on the other, once and in time."""

import msgspec
import pytest
from tables import Evening, wish

from mulligan.server.entries import Moved, Offered, is_public
from mulligan.server.messages import MoveHere, Offer, Sit
from mulligan.server.rights import Refusal
from mulligan.server.table import Table

KEY, OTHER_KEY = "0123456789abcdef" * 2, "f" * 32


def table_of_two():
    evening = Evening(seats=[wish("me", "Ann"), wish("here", "Bea"), wish("friend")])
    evening.do(Sit, "ben", seat=2, name="Ben")
    return evening


def refused(evening, guest, key):
    with pytest.raises(Refusal) as refusal:
        evening.do(MoveHere, guest, key=key)
    return refusal.value.error


def test_all_that_was_mine_is_mine_on_the_other_device():
    evening = table_of_two()
    evening.play_to("take")
    evening.do(Offer, key=KEY)
    evening.do(MoveHere, "ann on her phone", key=KEY)
    table = evening.table
    assert table.owner == "ann on her phone"
    assert table.held_by("ann on her phone") == [0, 1]
    assert (table.held_by("ann"), table.held_by("ben")) == ([], [2])
    assert Table(evening.log).held_by("ann on her phone") == [0, 1]
    evening.play_to("reckoning")


def test_a_key_opens_once():
    evening = table_of_two()
    evening.do(Offer, "ben", key=KEY)
    evening.do(MoveHere, "ben on his phone", key=KEY)
    assert refused(evening, "mallory", KEY) == "no_such_offer"
    assert evening.table.held_by("ben on his phone") == [2]


def test_a_later_key_voids_the_earlier_one():
    evening = table_of_two()
    evening.do(Offer, "ben", key=KEY)
    evening.do(Offer, "ben", key=OTHER_KEY)
    assert refused(evening, "mallory", KEY) == "no_such_offer"
    evening.do(MoveHere, "ben on his phone", key=OTHER_KEY)


def test_a_key_that_another_made_up_too_is_nobody_elses():
    evening = table_of_two()
    evening.do(Offer, "ben", key=KEY)
    with pytest.raises(Refusal) as refusal:
        evening.do(Offer, "ann", key=KEY)
    assert refusal.value.error == "no_such_offer"
    evening.do(MoveHere, "ben on his phone", key=KEY)
    assert evening.table.held_by("ann") == [0, 1]


def test_a_key_is_good_for_an_hour():
    evening = table_of_two()
    evening.do(Offer, "ben", key=KEY)
    evening.now += 3600
    assert refused(evening, "ben on his phone", KEY) == "no_such_offer"


def test_who_has_nothing_here_has_nothing_to_move_and_no_key_is_guessed():
    evening = table_of_two()
    with pytest.raises(Refusal) as refusal:
        evening.do(Offer, "mallory", key=KEY)
    assert refusal.value.error == "not_seated"
    with pytest.raises(Refusal) as refusal:
        evening.do(Offer, key="too short")
    assert refusal.value.error == "no_such_offer"
    evening.do(Offer, "ben", key=KEY)
    for key in ("", "0" * 32, KEY.upper(), KEY + "0", "\ud800" * 32):
        assert refused(evening, "mallory", key) == "no_such_offer"


def test_the_log_keeps_the_key_as_a_hash_and_tells_nobody_of_it():
    evening = table_of_two()
    evening.do(Offer, "ben", key=KEY)
    evening.do(MoveHere, "ben on his phone", key=KEY)
    assert KEY.encode() not in b"".join(msgspec.json.encode(entry) for entry in evening.log)
    assert not [entry for entry in evening.log if isinstance(entry, Offered | Moved) and is_public(entry)]
