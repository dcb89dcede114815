"""The sizes of the games on docs/study.md are counted right."""

from itertools import product
from types import SimpleNamespace

import numpy as np
from study import layouts, layouts_up_to_symmetry, positions

from mulligan.game import variants

COPIES = (1, 3, 2)
TINY = SimpleNamespace(faces=3, copies=np.array(COPIES), slots=2, lines=1, line_length=2)
FACE_DOWN = 3


def left(cards) -> list[int]:
    return [copies - cards.count(face) for face, copies in enumerate(COPIES)]


def test_layouts_are_those_that_can_be_written_down():
    written = [layout for layout in product(range(4), repeat=2) if min(left(layout)) >= 0]
    assert layouts(TINY) == len(written) == 15  # not two cards of the face with one copy
    assert layouts_up_to_symmetry(TINY) == len({tuple(sorted(layout)) for layout in product(range(4), repeat=2)})


def test_positions_are_those_that_can_be_written_down():
    count = 0
    for cards in product(range(4), repeat=4):
        if min(left(cards)) < 0:
            continue
        for top in range(3):
            rest = left((*cards, top))
            count += int(np.prod([under + 1 for under in rest])) if min(rest) >= 0 else 0
    assert positions(TINY, seats=2) == 2 * count


def test_layouts_are_counted_up_to_symmetry():
    counts = [layouts_up_to_symmetry(variants.load(name).rules) for name in ("play_nine", "nine_card")]
    assert counts == [9_078_630, 52_636_760]  # docs/study.md
