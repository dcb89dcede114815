"""Every sequence of moves from a position is counted, and the independent referee counts as many."""

import pickle
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import independent
import minis
import pytest
from casebook import HoleStory, read_cases, try_case
from table import Table, fresh_table

from mulligan.engine.state import NOBODY
from mulligan.game import referee
from mulligan.game.notation import NotationError

POSITIONS = list(read_cases(Path(__file__).with_name("paths.txt")))


@pytest.mark.parametrize("case", POSITIONS, ids=str)
def test_as_many_sequences_as_written_down(case):
    try_case(case)


@pytest.mark.long
@pytest.mark.parametrize("case", POSITIONS, ids=str)
def test_the_independent_referee_counts_as_many(case):
    story = HoleStory(case.game)
    for _, text in case.lines[:-1]:
        story.tell(text)
    written = [int(count) for count in case.lines[-1][1].replace(",", "").split()[1:]]
    depth = 2 if case.game.startswith("mini") else 1
    assert [count_by_hand(by_hand(story), moves) for moves in range(1, depth + 1)] == written[:depth]


def by_hand(story: HoleStory) -> independent.Hole:
    """The independent referee's table, set up as the story's."""
    state, cards = story.table.hole.state, story.table.cards
    seats = list(range(state.seats))
    rules = minis.RULES[story.variant.name].for_players(len(seats))
    hole = independent.Hole(rules, seats, int(state.turn - 1) % len(seats), story.table.discard, None)
    for seat in seats:
        faces = [None if card == "?" else card for card in story.table.layout(seat).replace("/", "").split()]
        hole.layouts[seat] = dict(zip(rules.slots, faces, strict=True))
        hole.teed_off[seat] = min(rules.tee_off, len(faces) - faces.count(None))
        for slot in rules.slots[: rules.columns]:
            hole.clear(hole.layouts[seat], slot)
    lying = [card for layout in hole.layouts.values() for card in layout.values() if card]
    hole.unseen = Counter(cards(state.unseen))
    hole.new_stock = Counter(cards(state.stock)) if state.renewed else None
    rest = Counter(rules.pack) - hole.unseen - (hole.new_stock or Counter()) - Counter(lying)
    rest[story.table.discard] -= 1
    hole.discards = [*rest.elements(), story.table.discard]
    hole.stock_size = int(state.stock_left)
    if state.closer != NOBODY:
        hole.closer = int(state.closer)
        hole.last_turns = (hole.closer - int(state.turn)) % len(seats)
    return hole


def count_by_hand(hole: independent.Hole, moves: int) -> int:
    if moves == 0:
        return 1
    if hole.is_played:
        return 0
    return sum(count_by_hand(after, moves - 1) for _, after in followers(hole))


def followers(hole: independent.Hole) -> Iterator[tuple[str, independent.Hole]]:
    """Each written move that may follow, and the table after it."""
    for text in all_texts(hole.rules):
        after = copy_of(hole)
        try:
            after.play(text)
        except independent.Wrong:
            continue
        yield text, after


def copy_of(hole: independent.Hole) -> independent.Hole:
    rules, hole.rules = hole.rules, None  # type: ignore[assignment]
    after = pickle.loads(pickle.dumps(hole))  # deepcopy takes five times as long
    hole.rules = after.rules = rules
    return after


def all_texts(rules: independent.Rules) -> Iterator[str]:
    """Every move that could be written with the game's slots and cards."""
    shown = [f"{slot}={face}" for slot, face in product(rules.slots, rules.pack)]
    yield from shown
    yield "-"
    for pile, card in product("SD", rules.pack):
        yield f"{pile}{card}-"
        yield from (f"{pile}{card}-{text}" for text in shown)
        yield from (f"{pile}{card}>{text.replace('=', 'x')}" for text in shown)


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats", "seed"), [
    ("mini_columns", 2, 1), ("mini_columns", 2, 2), ("mini_columns", 3, 3), ("mini_columns", 3, 4),
    ("mini_rows", 2, 1), ("mini_rows", 2, 2), ("mini_rows", 3, 3), ("mini_rows", 3, 4),
    ("mini_clear", 2, 1), ("mini_clear", 3, 2), ("mini_knock", 2, 1), ("mini_knock", 3, 2),
])  # fmt: skip
def test_in_a_whole_hole_the_same_moves_may_be_written(game, seats, seed):
    """All that could be written is tried at every turn; one of those that may be played goes on."""
    rng = Random(seed)
    rules = minis.RULES[game]
    first = rng.choice(list(rules.pack))
    other = independent.Hole(rules, list(range(seats)), 0, first, None)
    told = fresh_table(minis.load(game), seats)
    referee.deal_discard(told.hole, first)
    while not other.is_played:
        may = dict(followers(other))
        assert list(may) == [text for text in all_texts(rules) if is_taken(told, text)]
        text = rng.choice(list(may))
        told.play(text)
        other = may[text]
    assert not any(is_taken(told, text) for text in all_texts(rules))


def is_taken(told: Table, text: str) -> bool:
    with told.as_a_try():
        try:
            told.play(text)
        except (referee.Fault, NotationError):
            return False
    return True
