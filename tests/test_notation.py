"""Moves and layouts, written and read back."""

import minis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mulligan import simulation
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, PASS, STOCK, Phase
from mulligan.game import notation, variants
from mulligan.game.hole import Game
from mulligan.game.notation import NotationError, read_layout, read_move, write_layout, write_moves
from mulligan.game.referee import play_text

P, N = variants.load("play_nine"), variants.load("nine_card")


def told(variant, text: str) -> list[tuple]:
    return [(Phase(step.phase), step.move, step.face) for step in read_move(variant, text)]


def test_each_kind_of_move_is_read_as_its_steps():
    assert told(P, "a1=4") == [(Phase.TEE_OFF, 0, 4)]
    assert told(P, "S7>b2x9") == [(Phase.TAKE, STOCK, 7), (Phase.PLACE, 5, 9)]
    assert told(P, "D3>c1x12") == [(Phase.TAKE, DISCARD, 3), (Phase.PLACE, 2, 12)]
    assert told(P, "S11-a2=H") == [(Phase.TAKE, STOCK, 11), (Phase.PLACE, DISCARD_DRAWN, 11), (Phase.FLIP, 4, 13)]
    assert told(P, "SH-") == [(Phase.TAKE, STOCK, 13), (Phase.PLACE, DISCARD_DRAWN, 13)]
    assert told(N, "SQ>b1xJ") == [(Phase.TAKE, STOCK, 11), (Phase.PLACE, 1, 10)]
    assert told(N, "-") == [(Phase.TAKE, PASS, HIDDEN)]
    assert told(N, "D*>c3xA") == [(Phase.TAKE, DISCARD, 13), (Phase.PLACE, 8, 0)]


NO_MOVES = [
    "", " ", "a1", "a1=", "=4", "a1==4", "1a=4", "a1:4",
    "S7>b2", "S7>x9", "S7b2x9", "S7>b2x9-", "S>b2x9", "7>b2x9", "S7", "D", "S7--", "--",
    "S7-a2", "S7-=5", "S7-a2=5=5", "S7>b2x9 D9>a1x4", "S7-a2>5", "X7>b2x9", "SD7>b2x9", "S7>>b2x9", "S77777-",
    "S-7-", "a1=-5", "a٣=4", "a1=٣", "S7 7>b2x9", "а1=4", "S7>b2x9\0", "\ud800", "x" * 10**6,
]  # fmt: skip


@pytest.mark.parametrize("text", NO_MOVES, ids=lambda text: ascii(text[:20]))
def test_what_is_no_move_is_refused(text):
    with pytest.raises(NotationError) as caught:
        read_move(P, text)
    assert len(str(caught.value)) < 300
    assert str(caught.value).encode()


@pytest.mark.parametrize(
    "text", ["S07>b2x9", "S7>b02x9", "S7>b2x09", "a1=13", "a1=K", "e1=4", "a3=4", "S7-a0=3", "a1=00"]
)
def test_slots_and_cards_have_one_name_only(text):
    with pytest.raises(NotationError, match=r"\(1\.[23]\)"):
        read_move(P, text)


@pytest.mark.parametrize(("game", "seats"), [("play_nine", 2), ("play_nine", 6), ("nine_card", 2), ("nine_card", 8),
                                             ("mini_columns", 3), ("largest", 4)])  # fmt: skip
def test_a_hole_read_back_is_written_the_same(game, seats):
    variant = minis.load(game)
    for record in simulation.records(variant, seats, ["random", "greedy"], seats, 2):
        for hole in record["holes"][:3]:
            told = Game(variant, record["players"], hole["dealer"])
            for player in range(seats):
                told.match.at_table[player] = player in hole["seats"]
            table = told.deal()
            table.turn_up(notation.read_face(variant, hole["first_discard"]))
            for number, move in enumerate(hole["moves"], 1):
                play_text(told, table, move)
                assert write_moves(variant, table.steps)[number - 1 :] == [move]
            assert write_moves(variant, table.steps) == hole["moves"]
            assert table.is_over == (not hole["reveal"])


def test_half_a_move_is_written_as_far_as_it_goes():
    told = Game(P, ["Ann", "Ben"], 1)
    table = told.deal()
    table.turn_up(9)
    for text in ("a1=4", "b1=4", "a1=4", "b1=4"):
        play_text(told, table, text)
    table.play(STOCK)
    assert write_moves(P, table.steps)[4:] == []
    table.turn_up(7)
    assert write_moves(P, table.steps)[4:] == ["S7"]
    table.play(DISCARD_DRAWN)
    assert write_moves(P, table.steps)[4:] == ["S7-"]
    table.play(2)
    table.turn_up(13)
    assert write_moves(P, table.steps)[4:] == ["S7-c1=H"]


@pytest.mark.parametrize("variant", [P, N], ids=lambda variant: variant.name)
@given(data=st.data())
def test_layouts_are_read_as_they_are_written(variant, data):
    faces = st.sampled_from(["?", *variant.faces])
    cards = data.draw(st.lists(faces, min_size=len(variant.slots), max_size=len(variant.slots)))
    columns = int(variant.rules.columns)
    text = " / ".join(" ".join(cards[at : at + columns]) for at in range(0, len(cards), columns))
    if any(cards.count(face) > copies for face, copies in zip(variant.faces, variant.rules.copies, strict=False)):
        with pytest.raises(NotationError, match=r"\(1\.2\)"):
            read_layout(variant, text)
    else:
        assert write_layout(variant, read_layout(variant, text)) == text


def test_a_layout_may_be_written_loosely():
    tidy = read_layout(P, "7 ? 1 ? / 7 ? ? 5")
    assert list(tidy[:8]) == [7, HIDDEN, 1, HIDDEN, 7, HIDDEN, HIDDEN, 5]
    for text in ("7 ? 1 ?/7 ? ? 5", "  7  ? 1 ?  /\t7 ? ? 5\n"):
        assert list(read_layout(P, text)) == list(tidy)


WRONG_LAYOUTS = {
    "1.3": ["", "/", "7 3 1 2 4 6 8 5", "7 3 1 2 / 4 6 8", "7 3 1 2 / 4 6 8 5 9", "7 3 1 2 / 4 6 8 5 /",
            "7 3 / 1 2 / 4 6 / 8 5", "7,3,1,2 / 4,6,8,5"],
    "1.2": ["7 3 1 K / 4 6 8 5", "7 3 1 13 / 4 6 8 5", "7 3 1 07 / 4 6 8 5", "7 3 1 х / 4 6 8 5",
            "7 3 1 -5 / 4 6 8 5", "7 3 1 \x1b / 4 6 8 5", "H H H H / H 6 8 5", "7 3 1 \ud800 / 4 6 8 5",
            "7 3 1 " + "9" * 10**6 + " / 4 6 8 5"],
}  # fmt: skip


@pytest.mark.parametrize("rule", WRONG_LAYOUTS)
def test_a_wrong_layout_is_refused_in_words(rule):
    for text in WRONG_LAYOUTS[rule]:
        with pytest.raises(NotationError) as caught:
            read_layout(P, text)
        assert f"({rule})" in str(caught.value)
        assert str(caught.value).replace("\u00a0", " ").isprintable()
        assert len(str(caught.value)) < 300
