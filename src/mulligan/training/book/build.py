"""Builds a book from scratch: self-play, counting, one backward step after another, and again."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from mulligan.engine.compiled import compiled
from mulligan.players.values.bundle import UNWRITTEN
from mulligan.players.values.layout_table import LEAST, MOST_EDGES, SIGNS, SPAN, STEPS, Pages, blank_pages
from mulligan.players.values.line_kinds import choices

from .backward_step import add_products, turn_back
from .layout_values import Costs, chances, costs_as_they_lie, in_pieces
from .numbering import NONE, Numbering, lines_of, number_of, numbering
from .opponent_model import BOOK, PLAIN, Field, Tally, field_of, turns_of, watch

TOP = 32_000  # counts of a stroke's fraction go from -TOP to TOP
ROOM = 64.0  # strokes against the field may be so much more than the points of a layout


@compiled
def close_piece(points, closing, beaten, penalty, fraction, start, stop, table):
    """Strokes against the field of layouts with no card face down, the closer's penalty included (5.6)."""
    for layout in range(start, stop):
        at = min(max(0, int(np.rint(points[layout])) - LEAST), SPAN - 1)
        for sign in range(len(closing)):
            strokes = points[layout] - closing[sign]
            if penalty:
                strokes += penalty * beaten[sign, at]
            table[layout, sign] = np.int16(np.rint(min(max(strokes / fraction, -TOP), TOP)))


class Ground:
    """What does not change while a book is made: the numbering, F and L."""

    def __init__(self, rules: Any, threads: int = 0) -> None:
        self.rules = rules
        self.threads = threads or os.cpu_count() or 1
        self.numbers: Numbering = numbering(rules)
        self.likely = chances(rules)
        self.costs: Costs = costs_as_they_lie(rules, self.numbers, self.threads)
        # A layout is numbered by its highest lines first, and a card face down makes a line high: so all
        # layouts that have closed come first.
        lines, closed_kinds = self.numbers.lines, int(np.flatnonzero(self.numbers.cards[:, -1])[0])
        self.closed = int(choices(closed_kinds + lines - 1, lines))
        self.first_open = int(choices(closed_kinds + lines - 2, lines - 1)) if lines > 1 else 0
        self.fraction = float((np.abs(self.costs.points).max() + ROOM) / TOP)
        as_they_lie = self.counts(self.costs.points)
        self.last_turn = np.zeros(self.numbers.layouts, np.float32)  # L, in counts
        self.tee_layouts = np.flatnonzero(self.costs.hidden >= rules.slots - rules.tee_off)
        self.tee_worth = np.zeros(len(self.tee_layouts), np.float32)

        def keep(first: int, move_value: np.ndarray) -> None:
            self.last_turn[first : first + len(move_value)] = move_value[:, 0]

        self.each_piece(as_they_lie[:, None], self.likely[:, None], True, keep)

    def counts(self, strokes: np.ndarray) -> np.ndarray:
        """Strokes as whole numbers of the fraction."""
        return np.rint(np.clip(strokes / self.fraction, -TOP, TOP)).astype(np.int16)

    def first_layout(self, upper: int) -> int:
        """The first of the layouts whose lines but the lowest have that number."""
        if upper == self.numbers.uppers:
            return self.numbers.layouts
        line_kinds = np.zeros(self.numbers.lines, np.int64)
        lines_of(self.numbers.ways, upper, line_kinds[:-1])
        return int(number_of(self.numbers.ways, line_kinds))

    def each_piece(
        self, table: np.ndarray, discards: np.ndarray, is_last: bool, use: Callable[[int, np.ndarray], None]
    ) -> None:
        """One turn back: `use(first, move_value)` gets move_value[layout - first, sign] in counts, piece by piece."""
        signs = table.shape[1]
        tiled = np.tile(discards, (1, self.numbers.kinds)).astype(np.float32)
        flat = table.reshape(-1)

        def piece(start: int, stop: int) -> None:
            first, end = self.first_layout(start), self.first_layout(stop)
            move_value = np.zeros((end - first) * signs, np.float32)
            turn_back(
                self.rules, self.numbers, self.likely, tiled, is_last, flat, self.costs.hidden, start, stop, move_value
            )
            use(first, move_value.reshape(-1, signs))

        in_pieces(self.numbers.uppers, piece, self.threads, self.first_open)

    def sweep(self, table: np.ndarray, field: Field, new: np.ndarray) -> None:
        """Fills `new` with the values of layouts after a turn, from `table`, the values one turn later."""
        discards = np.ascontiguousarray(field.discards.T)
        chain = np.ascontiguousarray(field.chain.T)

        def wait(first: int, move_value: np.ndarray) -> None:
            here = slice(first, first + len(move_value))
            tees = slice(*np.searchsorted(self.tee_layouts, (here.start, here.stop)))
            at_tee = np.zeros((tees.stop - tees.start, 1), np.float32)
            add_products(move_value[self.tee_layouts[tees] - first], field.starts[:, None], at_tee)
            self.tee_worth[tees] = at_tee[:, 0] * self.fraction
            waiting = np.zeros_like(move_value)
            add_products(move_value, chain, waiting)
            last = self.last_turn[here, None] - field.theirs / np.float32(self.fraction)
            waiting += last * field.ends
            np.rint(np.clip(waiting, -TOP, TOP, out=waiting), out=waiting)
            new[here] = waiting

        self.each_piece(table, discards, False, wait)
        if self.numbers.lines == 1:  # then the closed layouts are of the same piece
            self.close(new, field)

    def close(self, table: np.ndarray, field: Field) -> None:
        """Writes the expected strokes of a player who has closed."""
        penalty = float(self.rules.closer_penalty)
        in_pieces(
            self.closed,
            lambda start, stop: close_piece(
                self.costs.points, field.closing, field.beaten, penalty, self.fraction, start, stop, table
            ),
            self.threads,
        )

    def tee_off(self) -> None:
        """Goes back through the tee-off: the best card to turn up is the one with the best mean value (2.4)."""
        numbers = self.numbers
        down = self.costs.hidden[self.tee_layouts]
        move_value = dict(zip(self.tee_layouts.tolist(), self.tee_worth.tolist(), strict=True))
        line_kinds = np.zeros(numbers.lines, np.int64)
        for hidden in range(int(self.rules.slots - self.rules.tee_off) + 1, int(self.rules.slots) + 1):
            for layout in self.tee_layouts[down == hidden].tolist():
                lines_of(numbers.ways, layout, line_kinds)
                move_value[layout] = min(
                    sum(
                        float(self.likely[face]) * move_value[self.with_line(line_kinds, nth, rest, face)]
                        for face in range(numbers.faces)
                    )
                    for nth in range(numbers.lines)
                    if (rest := int(numbers.rest_of_hidden[line_kinds[nth]])) != NONE
                )
        self.tee_worth[:] = [move_value[layout] for layout in self.tee_layouts.tolist()]

    def with_line(self, line_kinds: np.ndarray, nth: int, rest: int, face: int) -> int:
        """The layout with the rest and that face in the place of a line."""
        changed = line_kinds.copy()
        changed[nth] = self.numbers.line_with[rest, face]
        return int(number_of(self.numbers.ways, np.sort(changed)[::-1].copy()))

    def start(self, signs: int) -> np.ndarray:
        """A first guess: one more turn of one's own, against a field as good."""
        return np.repeat(np.rint(self.last_turn)[:, None].astype(np.int16), signs, axis=1)


STANDINGS = (10, 8, 6, 4, 4)  # signs for each step of how many cards the fastest of the others has face down
PLAIN_SWEEPS, BOOK_SWEEPS = (6, 3, 2), (4, 3)  # one number a round of self-play
HOLES = 16_000  # of self-play a round
MEMORY = 0.5  # what a round's counts weigh in the next
ROUNDS = [*((PLAIN, sweeps) for sweeps in PLAIN_SWEEPS), *((BOOK, sweeps) for sweeps in BOOK_SWEEPS)]


class Maker:
    """Makes the two books of a variant for a number of seats, one after the other."""

    def __init__(
        self,
        rules: Any,
        seats: int,
        seed: int = 1,
        threads: int = 0,
        holes: int = HOLES,
        tell: Callable[[int], None] = lambda done: None,
    ) -> None:
        self.rules, self.seats, self.seed, self.holes, self.tell = rules, seats, seed, holes, tell
        self.ground = Ground(rules, threads)
        tell(1)
        self.table = self.ground.start(SIGNS)
        self.spare = np.zeros_like(self.table)
        self.books = UNWRITTEN
        self.rounds = 0
        self.tally: Tally | None = None

    def make_plain(self) -> Pages:
        """The book that goes by the number of the turn."""
        while self.rounds < len(PLAIN_SWEEPS):
            self.next_round()
        return self.books.plain

    def make_book(self, plain: Pages) -> Pages:
        """The book that goes by what the others show; `plain` as in `begin_book`."""
        self.begin_book(plain)
        while self.rounds < len(ROUNDS):
            self.next_round()
        return self.books.book

    def begin_book(self, plain: Pages) -> None:
        """Starts that book from the table of the plain one.

        `plain` is what its opponents play by: the plain book, condensed, as its table is written over.
        """
        edges, first_sign, turns = self.cut_signs()
        self.tally = None
        for start in range(0, len(self.table), 1 << 16):
            here = slice(start, start + (1 << 16))
            self.table[here] = self.table[here][:, turns]
        self.books = self.books._replace(plain=plain, book=self.unwritten(edges, first_sign))

    def next_round(self) -> None:
        """Self-play, and then the table against what was seen there."""
        player, sweeps = ROUNDS[self.rounds]
        self.watch(player)
        self.tell(1)
        self.ground.close(self.table, self.field)
        self.ground.close(self.spare, self.field)
        for _ in range(sweeps):
            self.ground.sweep(self.table, self.field, self.spare)
            self.table, self.spare = self.spare, self.table
            self.tell(1)
        self.ground.tee_off()
        if player == PLAIN:
            self.books = self.books._replace(plain=self.pages(self.books.plain))
        else:
            self.books = self.books._replace(book=self.pages(self.books.book))

    def watch(self, player: int) -> None:
        """Counts what the others do, on top of what was counted before: each round weighs half of the next.

        Without that memory the rounds swing to and fro: who has just seen the others wait closes, and
        who has seen them close waits. The book's first round is played by the plain one.
        """
        self.rounds += 1
        is_first = player == BOOK and not self.books.book.facts[0].is_written
        tally = watch(
            self.rules,
            self.seats,
            PLAIN if is_first else player,
            player,
            self.books,
            self.holes,
            self.seed * 1000 + self.rounds,
            self.ground.threads,
        )
        if self.tally is not None:
            tally = Tally(*(MEMORY * before + now for before, now in zip(self.tally, tally, strict=True)))
        self.tally = tally
        self.field = field_of(tally, self.ground.likely)
        if player == PLAIN:  # nobody is taken to wait more patiently the longer a hole lasts: all would do so
            np.maximum.accumulate(self.field.ends, out=self.field.ends)
            going = self.field.chain.sum(axis=1)
            self.field.chain[:] *= ((1 - self.field.ends) / going)[:, None]

    def pages(self, before: Pages) -> Pages:
        """The book as it stands, with the whole table."""
        ground, field = self.ground, self.field
        facts = before.facts.copy()
        facts[0].is_written, facts[0].fraction, facts[0].closed = True, ground.fraction, ground.closed
        facts[0].closing, facts[0].beaten = field.closing, field.beaten
        facts[0].discards[:, : ground.numbers.faces] = field.discards
        return before._replace(
            facts=facts,
            counts=self.table.reshape(-1),
            lines=np.zeros((ground.numbers.kinds, SIGNS), np.float32),
            ways=ground.numbers.ways,
            tee_layouts=ground.tee_layouts,
            tee_worth=ground.tee_worth.copy(),
        )

    def unwritten(self, edges: np.ndarray, first_sign: np.ndarray) -> Pages:
        """A book that knows its signs, and nothing else yet."""
        pages = blank_pages()
        pages.facts[0].edges, pages.facts[0].first_sign = edges, first_sign
        return pages

    def cut_signs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Edges so that each sign of a step is as frequent, the first sign of each step, and the usual turn of each."""
        seen = turns_of(self.rules, self.seats, self.books, self.holes // 4, self.seed * 1000, self.ground.threads)
        edges = np.full((STEPS, MOST_EDGES), np.inf, np.float32)
        turns = np.zeros(SIGNS, np.int64)
        first = np.concatenate([[0], np.cumsum(STANDINGS)])
        for step, count in enumerate(STANDINGS):
            there = np.clip(seen.fewest, 1, STEPS) == step + 1
            if there.any():
                edges[step, : count - 1] = np.quantile(seen.standing[there], np.arange(1, count) / count)
                nth = (seen.standing[there, None] > edges[step, : count - 1]).sum(axis=1)
                for sign in np.unique(nth):
                    turns[first[step] + sign] = round(seen.turn[there][nth == sign].mean())
        return edges, first[:-1], turns
