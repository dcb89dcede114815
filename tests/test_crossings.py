"""What a net reads where lines cross: what each card would do on each slot, for all its lines together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mulligan.engine.rules import slot_in_line
from mulligan.engine.scoring import line_face
from mulligan.engine.state import HIDDEN, NOTHING
from mulligan.game import variants
from mulligan.players.values.crossings import CROSSINGS, LINES_OF_SLOT, lines_through, read_crossings

RULES = variants.load("nine_card_square").rules
SLOTS = int(RULES.slots)
LAYOUTS = st.lists(st.integers(HIDDEN, 2), min_size=SLOTS, max_size=SLOTS).map(np.array)


def numbers_of(layout: np.ndarray) -> np.ndarray:
    """The number for each slot and face, and in the last row for the open cards of each face."""
    through, numbers = np.zeros((SLOTS, LINES_OF_SLOT), np.int64), np.zeros((SLOTS + 1, RULES.faces), np.int64)
    lines_through(RULES, through)
    read_crossings(RULES, layout.copy(), through, numbers)
    assert ((numbers == NOTHING) | ((numbers >= 0) & (numbers < CROSSINGS))).all()
    return numbers


def completed(layout: np.ndarray, slot: int, face: int) -> int:
    """How many lines through the slot match with such a card there."""
    changed = layout.copy()
    changed[slot] = face
    through = [line for line in range(RULES.lines) if slot in {slot_in_line(RULES, line, place) for place in range(3)}]
    return sum(line_face(RULES, changed, line) == face for line in through)


@given(LAYOUTS, LAYOUTS)
def test_cards_of_the_same_number_complete_as_many_lines(one, other):
    """So a net can tell whether one line wants the card, or several, and whether another lies there."""
    seen: dict[int, tuple[int, bool, bool]] = {}
    for layout in one, other:
        numbers = numbers_of(layout)
        for slot in range(SLOTS):
            for face in range(RULES.faces):
                number = int(numbers[slot, face])
                what = min(2, completed(layout, slot, face)), layout[slot] == HIDDEN, layout[slot] == face
                if number == NOTHING:
                    assert what[0] == 0
                    assert not what[2]
                else:
                    assert seen.setdefault(number, what) == what


@given(LAYOUTS)
def test_a_layout_turned_or_mirrored_is_as_good(layout):
    numbers = numbers_of(layout)
    slots = np.arange(SLOTS).reshape(3, 3)
    for moved in slots.T, slots[::-1], np.rot90(slots):
        assert (numbers_of(layout[moved.ravel()])[:-1] == numbers[moved.ravel()]).all()
        assert (numbers_of(layout[moved.ravel()])[-1] == numbers[-1]).all()


def test_a_card_that_completes_two_lines_is_not_twice_one_that_completes_one():
    both = numbers_of(np.array([5, 5, HIDDEN, HIDDEN, HIDDEN, 5, HIDDEN, HIDDEN, 5]))[2]
    each = numbers_of(np.array([5, 5, HIDDEN, HIDDEN, HIDDEN, 6, HIDDEN, HIDDEN, 6]))[2]
    assert both[5] not in {each[5], NOTHING}
    assert each[5] == each[6] != NOTHING
    assert both[6] == NOTHING
