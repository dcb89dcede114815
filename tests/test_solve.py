"""The books: what the solver says of every layout is what playing it out through the engine says."""

from functools import cache, partial
from itertools import product
from pathlib import Path

import minis
import numpy as np
import pytest
from effort import tries

from mulligan.compute.journal import JournalError
from mulligan.engine.chance import bag, draw, many_dice
from mulligan.engine.compiled import fresh
from mulligan.engine.moves import deal, is_legal, play, turn_up
from mulligan.engine.scoring import cost
from mulligan.engine.state import HIDDEN, MOVES, NOBODY, NOTHING, STATE, Phase
from mulligan.game import variants
from mulligan.players import book_files
from mulligan.players.values.bundle import UNWRITTEN
from mulligan.players.values.layout_table import LEAST, SIGNS, SPAN, fill_kinds, number_of, value_of_lines
from mulligan.training.book import opponent_model
from mulligan.training.book import write_book as pressing
from mulligan.training.book.build import PLAIN_SWEEPS, Ground, Maker
from mulligan.training.book.compress import condense, kinds_of
from mulligan.training.book.numbering import MOST_LAYOUTS, count_layouts, lines_of, numbering
from mulligan.training.book.opponent_model import BOOK, GREEDY, PLAIN, Field, choose
from mulligan.training.book.rounds import Rounds, stages_after

SMALL = ("one_column", "mini_columns", "mini_rows")
ONE_COLUMN = (
    minis.load("mini_columns")
    .text.replace("columns = 2", "columns = 1")
    .replace("lines = [-10]", "lines = []")
    .replace("Mini columns", "One column")
)


@cache
def ground(name: str) -> Ground:
    return Ground(rules_of(name), threads=1)


def variant_of(name: str) -> variants.Variant:
    if name == "one_column":
        return variants.parse(ONE_COLUMN, Path("one_column.toml"))
    return minis.load(name)


def rules_of(name: str):
    return variant_of(name).rules


def every_layout(name: str) -> list[tuple[int, ...]]:
    """Every way in which cards can lie, face down or open, on the slots."""
    rules = rules_of(name)
    return list(product(range(HIDDEN, rules.faces), repeat=int(rules.slots)))


def number(name: str, layout) -> int:
    rules = rules_of(name)
    line_kinds = np.zeros(rules.lines, np.int64)
    fill_kinds(rules, np.array(layout, np.int8), line_kinds)
    return int(number_of(ground(name).numbers.ways, line_kinds))


def field(name: str, signs: int, seed: int = 5) -> Field:
    """Others who do something or other: any chances will do."""
    dice = np.random.default_rng(seed)
    ends = dice.uniform(0.05, 0.6, signs)
    chain = dice.uniform(0, 1, (signs, signs))
    chain *= ((1 - ends) / chain.sum(axis=1))[:, None]
    return field_of_chances(name, chain, ends, dice)


def field_of_chances(name: str, chain: np.ndarray, ends: np.ndarray, dice: np.random.Generator) -> Field:
    signs = len(ends)
    discards = dice.uniform(0, 1, (signs, rules_of(name).faces))
    discards /= discards.sum(axis=1, keepdims=True)
    theirs, closing = dice.uniform(-5, 5, (2, signs))
    beaten = np.sort(dice.uniform(0, 2, (signs, SPAN)), axis=1)
    starts = np.eye(signs)[0]
    parts = chain, ends, theirs, closing, beaten, discards, starts
    return Field(*(part.astype(np.float32) for part in parts))


# One turn, played out through the engine: the player's every move, every card that may come.


def table_with(name: str, layout, discard: int, is_last: bool):
    """A turn about to begin, for the first of two players; there are plenty of cards of each face."""
    rules, state = rules_of(name), fresh(STATE)
    state.seats, state.turn, state.closer = 2, 0, 1 if is_last else NOBODY
    state.phase, state.awaited, state.held, state.discard = Phase.TAKE, NOTHING, HIDDEN, discard
    state.stock_left = 100
    state.unseen[: rules.faces] = 100
    state.players[0].layout[: rules.slots] = layout
    state.players[0].hidden = sum(face == HIDDEN for face in layout)
    return state


def worth_played_out(name: str, state, end) -> float:
    """What the turn is worth, if its player looks for the lowest `end(layout)` and chance is the pack's."""
    rules = rules_of(name)
    if state.phase not in (Phase.TAKE, Phase.PLACE, Phase.FLIP) or state.turn != 0:
        return end(tuple(int(face) for face in state.players[0].layout[: rules.slots]))
    if state.awaited != NOTHING:
        total = 0.0
        for face in range(rules.faces):
            then = state.copy()
            turn_up(rules, then, face)
            total += float(ground(name).likely[face]) * worth_played_out(name, then, end)
        return total
    move_values = []
    for move in range(MOVES):
        if is_legal(rules, state, move):
            then = state.copy()
            play(rules, then, move)
            move_values.append(worth_played_out(name, then, end))
    return min(move_values)


@pytest.mark.parametrize("name", SMALL)
def test_every_layout_has_a_number_of_its_own(name):
    numbers = ground(name).numbers
    line_kinds = np.zeros(numbers.lines, np.int64)
    for layout in range(numbers.layouts):
        lines_of(numbers.ways, layout, line_kinds)
        assert all(np.diff(line_kinds) <= 0)
        assert number_of(numbers.ways, line_kinds) == layout
    assert {number(name, layout) for layout in every_layout(name)} == set(range(numbers.layouts))


def test_the_numbers_of_layouts_are_known():
    assert count_layouts(rules_of("play_nine")) == 9_078_630
    assert count_layouts(rules_of("nine_card")) == 52_636_760


def test_a_layout_keeps_its_number_when_lines_or_cards_in_a_line_change_places():
    assert number("mini_columns", (0, 1, 2, HIDDEN)) == number("mini_columns", (HIDDEN, 2, 1, 0))
    assert number("mini_columns", (0, 1, 2, HIDDEN)) != number("mini_columns", (0, 2, 1, HIDDEN))


def test_too_many_layouts_are_refused_in_words():
    with pytest.raises(ValueError, match="different layouts"):
        numbering(rules_of("largest"))


@pytest.mark.parametrize("name", SMALL)
def test_what_a_layout_costs_as_it_lies_is_what_the_engine_counts(name):
    rules = rules_of(name)
    for layout in every_layout(name):
        left = [int(rules.copies[face]) - layout.count(face) for face in range(rules.faces)]
        if min(left) < 0 or sum(left) == 0:
            continue  # more of a face than the pack has
        mean = sum(count * int(rules.points[face]) for face, count in enumerate(left)) / sum(left)
        expected = cost(rules, np.array(layout, np.int8), mean)
        assert ground(name).costs.points[number(name, layout)] == pytest.approx(expected, abs=1e-4)
        assert ground(name).costs.hidden[number(name, layout)] == layout.count(HIDDEN)


@pytest.mark.parametrize("name", SMALL)
def test_a_last_turn_is_worth_what_playing_it_out_says(name):
    told = ground(name)
    seen = set()
    for layout in every_layout(name):
        if HIDDEN in layout and number(name, layout) not in seen:
            seen.add(number(name, layout))
            expected = sum(
                float(told.likely[discard])
                * worth_played_out(
                    name, table_with(name, layout, discard, True), lambda end: told.costs.points[number(name, end)]
                )
                for discard in range(rules_of(name).faces)
            )
            assert told.last_turn[number(name, layout)] * told.fraction == pytest.approx(expected, abs=told.fraction)
    assert len(seen) > 3


@pytest.mark.parametrize("name", SMALL)
def test_one_who_has_closed_has_his_points_and_his_penalty_less_what_the_others_score(name):
    told, chances = ground(name), field(name, 3)
    table = np.zeros((told.numbers.layouts, 3), np.int16)
    told.close(table, chances)
    for layout in every_layout(name):
        one = number(name, layout)
        for sign in range(3):
            points = cost(rules_of(name), np.array(layout, np.int8), 0)
            penalty = rules_of(name).closer_penalty * chances.beaten[sign, points - LEAST]
            expected = 0 if HIDDEN in layout else points + penalty - chances.closing[sign]
            assert table[one, sign] * told.fraction == pytest.approx(expected, abs=told.fraction)


@pytest.mark.parametrize("name", SMALL)
def test_a_step_back_is_a_turn_played_out_and_then_what_the_others_do(name):
    told, chances = ground(name), field(name, 2)
    dice = np.random.default_rng(3)
    table = dice.integers(-9000, 9000, (told.numbers.layouts, 2)).astype(np.int16)
    told.close(table, chances)
    new = table.copy()
    told.sweep(table, chances, new)
    open_layouts = [layout for layout in every_layout(name) if HIDDEN in layout]
    for layout in dice.permutation(open_layouts)[:10]:
        one = number(name, layout)
        before = [turn_worth(name, layout, chances.discards[sign], table[:, sign]) for sign in range(2)]
        last = told.last_turn[one] - chances.theirs / told.fraction
        for sign in range(2):
            expected = chances.chain[sign] @ np.array(before) + chances.ends[sign] * last[sign]
            assert new[one, sign] == pytest.approx(expected, abs=1)
    assert all(new[layout, 0] == table[layout, 0] for layout in range(told.closed))


def turn_worth(name: str, layout, discards, after) -> float:
    """What a turn is worth on average, by what the layouts are worth after it."""
    return sum(
        float(chance)
        * worth_played_out(name, table_with(name, layout, discard, False), lambda end: float(after[number(name, end)]))
        for discard, chance in enumerate(discards)
    )


@pytest.mark.parametrize("name", ["one_column", "mini_columns"])
def test_a_whole_hole_is_worth_what_playing_it_out_to_its_end_says(name):
    """Four turns against others who do as the chances say, every move and card tried, from the first turn on."""
    told, turns = ground(name), 4
    ends = np.array([0.1, 0.2, 0.4, 1.0])
    chances = field_of_chances(name, np.diag(1 - ends[:-1], 1), ends, np.random.default_rng(8))
    table, spare = told.start(turns), told.start(turns)
    told.close(table, chances)
    told.close(spare, chances)
    for _ in range(turns):
        told.sweep(table, chances, spare)
        table, spare = spare, table

    @cache
    def after(turn: int, one: int) -> float:
        """Strokes against the field with that layout when the turn is over."""
        layout = an_example[one]
        if HIDDEN not in layout:
            points = cost(rules_of(name), np.array(layout, np.int8), 0)
            return points - float(chances.closing[turn])
        last = told.last_turn[one] * told.fraction - float(chances.theirs[turn])
        move_value = ends[turn] * last
        if ends[turn] < 1:
            for discard in range(rules_of(name).faces):
                start = table_with(name, layout, discard, False)
                best = worth_played_out(name, start, lambda end: after(turn + 1, number(name, end)))
                move_value += (1 - ends[turn]) * float(chances.discards[turn + 1, discard]) * best
        return move_value

    an_example = {number(name, layout): layout for layout in every_layout(name)}
    all_hidden = (HIDDEN,) * int(rules_of(name).slots)
    half_open = (0, *all_hidden[1:])
    for layout in (all_hidden, half_open):
        one = number(name, layout)
        assert table[one, 0] * told.fraction == pytest.approx(after(0, one), abs=turns * told.fraction)


@pytest.mark.parametrize("name", SMALL)
def test_on_the_tee_the_card_is_turned_up_that_promises_most(name):
    """By hand: with all cards face down and one to turn up, any of them is the mean over its faces."""
    told = ground(name)
    move_value = np.random.default_rng(4).uniform(-9, 9, len(told.tee_layouts)).astype(np.float32)
    told.tee_worth[:] = move_value
    told.tee_off()
    of = dict(zip(told.tee_layouts.tolist(), move_value.tolist(), strict=True))
    all_hidden = (HIDDEN,) * int(rules_of(name).slots)
    expected = sum(
        float(told.likely[face]) * of[number(name, (face, *all_hidden[1:]))] for face in range(rules_of(name).faces)
    )
    result = dict(zip(told.tee_layouts.tolist(), told.tee_worth.tolist(), strict=True))
    assert result[number(name, all_hidden)] == pytest.approx(expected, abs=1e-3)


@cache
def made(name: str, seats: int = 2, threads: int = 1) -> Maker:
    maker = Maker(rules_of(name), seats, seed=4, threads=threads, holes=900)
    plain = maker.make_plain()
    maker.make_book(plain._replace(counts=plain.counts.copy()))
    return maker


@pytest.mark.parametrize("name", ["mini_columns", "mini_rows"])
def test_both_books_beat_the_greedy_player(name):
    for player in (PLAIN, BOOK):
        gain = mean_difference(name, player, GREEDY, made(name).books, tries(600, 1500))
        assert gain < -0.5, (player, gain)


def mean_difference(name: str, player: int, other: int, books, holes: int) -> float:
    """Strokes per hole between two players, the seats swapped; less is better for the first."""
    rules, state = rules_of(name), fresh(STATE)
    seated = [player, other]
    total = 0
    for hole, dice in enumerate(many_dice(11, holes)):
        deal(rules, state, 2, hole // 2 % 2)
        while state.phase != Phase.OVER:
            if state.awaited == NOTHING:
                chair = seated[(int(state.turn) + hole) % 2]
                play(rules, state, choose(chair, rules, state, books))
            if state.awaited != NOTHING:
                turn_up(rules, state, draw(rules, bag(state), dice))
        mine = hole % 2
        total += int(state.players[mine].points) - int(state.players[1 - mine].points)
    return total / holes


def test_the_same_seed_makes_the_same_book_with_any_number_of_threads():
    one, two = made("mini_columns"), made("mini_columns", threads=2)
    for first, second in zip(one.books.book, two.books.book, strict=True):
        assert np.array_equal(first, second)


def test_self_play_counts_the_same_in_whatever_order_its_pieces_are_done(monkeypatch):
    """At four seats the means of the others are thirds, whose sums depend on their order."""

    def counted(step: int) -> list[bytes]:
        def in_pieces(total: int, work, threads: int) -> None:
            for start in range(0, total, 100)[::step]:
                work(start, start + 100)

        monkeypatch.setattr(opponent_model, "in_pieces", in_pieces)
        rules = variants.load("play_nine").rules
        return [part.tobytes() for part in opponent_model.watch(rules, 4, PLAIN, PLAIN, UNWRITTEN, 300, 7, 1)]

    assert counted(1) == counted(-1)


def test_three_at_a_table_have_a_book_of_their_own():
    two, three = made("mini_rows"), made("mini_rows", seats=3)
    assert not np.array_equal(two.field.ends, three.field.ends)


def test_a_condensed_book_is_off_the_table_by_as_much_as_it_says():
    maker = made("mini_columns")
    table, ground = maker.books.book, maker.ground
    condensed, off = condense(ground, table, seed=1)
    assert len(condensed.counts) == 0
    assert 0 < off < 0.35
    misses = [
        value_of_lines(condensed, sign, lines) - value_of_lines(table, sign, lines)
        for lines in kinds_of(ground, np.arange(ground.closed, ground.numbers.layouts))
        for sign in range(SIGNS)
    ]
    assert np.sqrt(np.mean(np.square(misses))) == pytest.approx(off, abs=1e-3)


def test_both_books_are_written_to_files_that_the_shelf_reads(tmp_path, monkeypatch):
    monkeypatch.setattr(pressing, "Rounds", partial(Rounds, holes=900))
    stages = []
    written = pressing.press(variant_of("mini_columns"), 2, tmp_path, seed=4, threads=1, tell=stages.append)
    assert sum(stages) == pressing.ALL_STAGES
    assert [file.name for file in written] == ["mini_columns-2-plain.npz", "mini_columns-2-book.npz"]
    assert all(0 < off < 0.35 for off in written.values()), written
    for *_, kind, file in book_files.entries(tmp_path):
        assert book_files.load(file, getattr(UNWRITTEN, kind)).facts[0].is_written


def pressed(folder: Path, **more) -> list[bytes]:
    """The files of both books."""
    return [file.read_bytes() for file in pressing.press(variant_of("mini_columns"), 2, folder, seed=4, **more)]


@pytest.mark.parametrize("whole", [False, True], ids=["condensed", "whole"])
def test_an_interrupted_book_goes_on_from_its_journal_and_repeats_one_round(tmp_path, monkeypatch, whole):
    monkeypatch.setattr(pressing, "Rounds", partial(Rounds, holes=150))
    journal, folder = tmp_path / "book.journal", tmp_path / "books"
    straight = pressed(tmp_path / "straight", threads=1, whole=whole)
    for begun in (1, 3, 4):
        heard = 0

        def interrupt(done: int, begun: int = begun) -> None:
            nonlocal heard
            heard += done
            if heard == stages_after(begun) + 1:  # the self-play of the next round
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            pressed(folder, threads=1, whole=whole, tell=interrupt, journal=journal)
    with pytest.raises(JournalError, match="of another run \\(seed: 4, not 5\\)"):
        pressing.press(variant_of("mini_columns"), 2, folder, seed=5, whole=whole, journal=journal)
    stages = []
    assert pressed(folder, threads=2, whole=whole, tell=stages.append, journal=journal) == straight
    assert sum(stages) == pressing.ALL_STAGES
    assert not journal.exists()


def test_a_process_computes_any_round_again_as_it_did_at_first():
    work = Rounds(rules_of("mini_columns"), 2, seed=4, threads=1, holes=60)
    drafts = [b""]
    for _ in PLAIN_SWEEPS:
        drafts.append(work(drafts[-1]))
    for nth in (1, 0, 2):
        assert work(drafts[nth]) == drafts[nth + 1]


def test_without_a_book_both_play_as_greedy_does():
    rules, state = rules_of("mini_rows"), fresh(STATE)
    dice = many_dice(3, 1)[0]
    deal(rules, state, 3, 0)
    turns = 0
    while state.phase != Phase.OVER:
        if state.awaited == NOTHING:
            moves = [choose(player, rules, state, UNWRITTEN) for player in (GREEDY, PLAIN, BOOK)]
            assert len(set(moves)) == 1
            play(rules, state, moves[0])
            turns += 1
        if state.awaited != NOTHING:
            turn_up(rules, state, draw(rules, bag(state), dice))
    assert turns > 6


def test_a_book_that_an_older_mulligan_wrote_is_passed_over(tmp_path):
    for name, more in (("old-2-book", {}), ("new-2-book", UNWRITTEN.book._asdict()), ("odd-2-tea", {})):
        np.savez(tmp_path / f"{name}.npz", edition=np.array("e"), **more)
    (tmp_path / "half-2-book.npz").write_bytes(b"PK")
    assert [file.stem for *_, file in book_files.entries(tmp_path)] == ["new-2-book"]


@pytest.mark.parametrize("game", variants.names())
def test_every_game_with_few_enough_layouts_comes_with_its_books(game):
    rules = variants.load(game).rules
    found = book_files.files(rules, 2, ["plain", "book"])
    shipped = {kind for kind, file in found if file.parent == book_files.PACKAGE}
    assert shipped == ({"plain", "book"} if count_layouts(rules) <= MOST_LAYOUTS else set())
