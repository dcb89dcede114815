"""Reads the cases filed by rule number in tests/cases, and tries them.

A file holds cases of four kinds, each a heading and indented lines; `#` begins a remark. House rules follow the game:
`hole six_card tee_off=3: what is shown`.

`scores GAME: what is shown` then `LAYOUT => POINTS`, or `closer 10, others 8 12 => 15`.

`hole GAME: what is shown` sets a table up (`Ann has LAYOUT`, `discards 3 9` with the top card last,
`turn Ben`, `closer Ann`, `unseen 4 4 7`, `stock 1 2`; or `dealt to Ann Ben Cyd, dealer Ben`), and then
tells what happens:

    Ann plays S7>b2x9        it is her turn, and so it goes
    Ann may D9>a1x3          so she may, and does not
    Ann may not D9-: 3.5     refused, and the reason names the rule (none, where it is no move at all)
    Ben turns up c1=6        in the reveal
    Ben has …, discards top 9, turn Ann, closer Ben, stock holds 20, stock is 1 2, unseen is 4 4 7,
    choices a1 b2 -, hole over, points 12 -3, paths 67 4020 (so many sequences of 1, 2, … moves can follow)

`match GAME: what is shown` is `players Ann Ben Cyd`, then draws (`draw Ann 4  Ben H  Cyd H`), holes
(`Ann deals  Ann 3  Ben 4  Cyd 5`, all who sit at the table) and at any point `dealer Cyd`,
`next hole: Cyd deals, Ann starts, 108 cards`, `totals 8 9 7`, `not over` or `winners Ann Cyd`.

`table GAME: what is shown` has facts of the game: `seats 2 to 6`, `pack 108`, `copies H 4`,
`layout ? ? / ? ?`, `card H -5`, `slots a1 b1 …`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import minis
import table
from paths import count_paths
from table import NAMES, Table

from mulligan.engine import match as matches
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH
from mulligan.engine.scoring import cost, settle
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, NOBODY, PASS, STATE, STOCK, Phase
from mulligan.game.house_rules import with_options
from mulligan.game.notation import read_face, read_layout, write_layout, write_slot
from mulligan.game.variants import for_seats

FOLDER = Path(__file__).parent / "cases"
HEADING = re.compile(r"(scores|hole|match|table) (\w+)((?: \w+=[\w-]+)*): (.+)")
BY_HAND = {name: rules.points for name, rules in minis.RULES.items()}


@dataclass
class Case:
    rule: str
    kind: str
    game: str
    options: list[str]
    story: str
    line: int
    lines: list[tuple[int, str]] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.rule}:{self.line} {self.story}"


def read_cases(*files: Path) -> Iterator[Case]:
    for file in files or sorted(FOLDER.glob("*.txt")):
        case = None
        for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            text = text.split("#")[0].rstrip()
            if not text:
                continue
            if text.startswith(" "):
                assert case, f"{file.name}:{number} stands before any heading"
                case.lines.append((number, text.strip()))
                continue
            if case:
                yield case
            heading = HEADING.fullmatch(text)
            assert heading, f"{file.name}:{number} is not the heading of a case: {text}"
            case = Case(file.stem, heading[1], heading[2], heading[3].split(), heading[4], number)
        assert case, f"{file.name} holds no case"
        yield case


def try_case(case: Case) -> None:
    teller = {"scores": Scores, "hole": HoleStory, "match": MatchStory, "table": Facts}[case.kind](
        case.game, case.options
    )
    for number, text in case.lines:
        try:
            teller.tell(text)
        except Exception as error:
            error.add_note(f"at tests/cases/{case.rule}.txt:{number}: {text}")
            raise
    teller.end()


class Teller:
    """Takes one line after another; what a line means stands in the patterns."""

    patterns: tuple[tuple[str, Callable[..., None]], ...] = ()

    def __init__(self, game: str, options: Sequence[str] = ()) -> None:
        variant = minis.load(game)
        self.variant = with_options(variant, options) if options else variant

    def tell(self, text: str) -> None:
        for pattern, meaning in self.patterns:
            if found := re.fullmatch(pattern, text):
                return meaning(self, *found.groups())
        raise AssertionError("nobody knows how to read this line")

    def end(self) -> None:
        pass


class Scores(Teller):
    def layout(self, text: str, points: str) -> None:
        layout = read_layout(for_seats(self.variant, self.variant.facts.most), text)
        assert cost(self.variant.rules, layout, 0) == int(points)
        assert BY_HAND[self.variant.name]([row.split() for row in text.split("/")]) == int(points)

    def closer(self, closer: str, others: str, points: str) -> None:
        """Tried with the closer in every seat."""
        at_table = [int(closer), *map(int, others.split())]
        for seat in range(len(at_table)):
            state = fresh(STATE)
            state.seats, state.closer = len(at_table), seat
            seated = at_table[1 : seat + 1] + at_table[:1] + at_table[seat + 1 :]
            for player, wanted in zip(state.players, seated, strict=False):
                player.layout[:] = layout_worth(self.variant, wanted)
            settle(self.variant.rules, state)
            after = [int(player.points) for player in state.players[: len(at_table)]]
            assert after.pop(seat) == int(points)
            assert after == seated[:seat] + seated[seat + 1 :], "only the closer is ever charged"

    patterns = ((r"closer (-?\d+), others ([-\d ]+) => (-?\d+)", closer), (r"(.+?) +=> (-?\d+)", layout))


def layout_worth(variant, points: int):
    """Some layout that costs so much: full of zeros, with lines for what is below zero."""
    assert variant.name in LAYOUTS_OF, f"for cases with a closer, LAYOUTS_OF needs layouts of {variant.name}"
    for text in LAYOUTS_OF[variant.name].split("\n"):
        cards = text.split()
        for slot in range(len(cards) - 1, -1, -1):
            rest = points - BY_HAND[variant.name]([row.split() for row in " ".join(cards).split("/")])
            if rest and cards[slot] in ("0", "K"):
                cards[slot] = card_worth(variant, max(1, min(rest, 12))) or cards[slot]
        if BY_HAND[variant.name]([row.split() for row in " ".join(cards).split("/")]) == points:
            return read_layout(variant, " ".join(cards))
    raise AssertionError(f"no layout here costs {points}")


def card_worth(variant, points: int) -> str | None:
    return dict(zip(variant.rules.points, variant.faces, strict=False)).get(points)


LAYOUTS_OF = {
    "play_nine": "0 1 0 2 / 0 0 0 0\nH 0 0 0 / 0 1 2 3\nH 0 1 0 / H 1 0 2\nH 0 H 0 / H 1 H 2",
    "nine_card": "A K K / K A K / K K K\nK K A / K K A / K K *\n* K K / * * K / K A K\nK K A / 9 9 9 / 9 9 9",
    "twelve_card": "K K K K / K K K K / A A A A\nK K K K / K K K K / K K K K\n* K K K / K K K K / K K K K\n"
    "* * K K / K K K K / K A K K\n* * * K / K K K K / K A K K",
    "mini_clear": "0 5 / 5 5\n0 5 / 5 0\n0 5 / 0 0\n0 5 / 0 5\n0 H / 0 0",
    "mini_knock": "0 5 / 0 0\n0 5 / 0 5",
}


class HoleStory(Teller):
    """Set-up lines gather until the first line that needs the table."""

    def __init__(self, game: str, options: Sequence[str] = ()) -> None:
        super().__init__(game, options)
        self.layouts: dict[str, str] = {}
        self.setup: dict = {}
        self.at: Table | None = None

    @property
    def table(self) -> Table:
        if self.at is None:
            assert tuple(self.layouts) == NAMES[: len(self.layouts)], "seats are told in order"
            self.at = table.table(self.variant, *self.layouts.values(), **self.setup)
        return self.at

    def dealt(self, names: str, dealer: str, first: str) -> None:
        assert tuple(names.split()) == NAMES[: len(names.split())]
        self.at = table.fresh_table(self.variant, len(names.split()), NAMES.index(dealer))
        assert self.at.phase == Phase.DEAL
        assert all("?" in layout and not re.search(r"\w", layout) for layout in map(self.at.layout, range(2)))
        self.at.hole.turn_up(read_face(self.variant, first))

    def has(self, name: str, layout: str) -> None:
        if self.at is None and name not in self.layouts:
            self.layouts[name] = layout
        else:
            assert self.table.layout(NAMES.index(name)) == layout

    def turn(self, name: str) -> None:
        if self.at is None:
            self.setup["turn"] = NAMES.index(name)
        else:
            assert self.table.turn == name

    def closer(self, name: str) -> None:
        if self.at is None:
            self.setup["closer"] = NAMES.index(name)
        else:
            assert self.table.closer == name

    def pile(self, what: str, cards: str) -> None:
        assert self.at is None, "the table stands already"
        self.setup[what] = cards

    def plays(self, name: str, moves: str) -> None:
        for move in moves.split():
            assert self.table.turn == name
            self.table.play(move)

    def may(self, name: str, moves: str) -> None:
        assert self.table.turn == name
        for move in moves.split():
            self.table.may(move)

    def may_not(self, name: str, moves: str, rule: str) -> None:
        assert self.table.turn in (name, "nobody")
        for move in moves.split():
            self.table.refused(move, rule.strip())

    def turns_up(self, name: str, cards: str) -> None:
        self.table.reveal(NAMES.index(name), cards.split())

    def top(self, card: str) -> None:
        assert self.table.discard == card

    def choices(self, words: str) -> None:
        choices = [choice_in_words(self.variant, move) for move in self.table.hole.legal_moves()]
        assert choices == words.split()

    def stock_holds(self, count: str) -> None:
        assert self.table.stock_left == int(count)

    def bag_is(self, what: str, cards: str) -> None:
        state = self.table.hole.state
        assert what == "unseen" or state.renewed
        bag = self.table.cards(state.unseen if what == "unseen" else state.stock)
        assert sorted(bag) == sorted(cards.split())

    def paths(self, counts: str) -> None:
        numbers = [int(count) for count in counts.replace(",", "").split()]
        for moves, number in enumerate(numbers, 1):
            found = count_paths(self.variant.rules, self.table.hole.state, moves)
            assert found == number, f"{found:,} sequences of {moves} moves"

    def over(self) -> None:
        assert self.table.hole.is_over

    def reveal_due(self) -> None:
        assert self.table.phase == Phase.REVEAL

    def points(self, points: str) -> None:
        assert self.table.hole.is_over
        assert self.table.hole.points == [int(number) for number in points.split()]

    patterns = (
        (r"dealt to ([\w ]+), dealer (\w+), first discard (\S+)", dealt),
        (r"(\w+) has (.+)", has),
        (r"turn (\w+)", turn),
        (r"closer (\w+)", closer),
        (r"discards top (\S+)", top),
        (r"(unseen|stock) is(.*)", bag_is),
        (r"stock holds (\d+)", stock_holds),
        (r"(discards|unseen|stock) (.+)", pile),
        (r"(\w+) plays (.+)", plays),
        (r"(\w+) may not (.+?):(.*)", may_not),
        (r"(\w+) may (.+)", may),
        (r"(\w+) turns up (.+)", turns_up),
        (r"choices (.+)", choices),
        (r"paths (.+)", paths),
        (r"hole over", over),
        (r"now the reveal", reveal_due),
        (r"points (.+)", points),
    )


def choice_in_words(variant, move: int) -> str:
    words = {STOCK: "stock", DISCARD: "discard", DISCARD_DRAWN: "-", PASS: "pass"}
    return words.get(move) or write_slot(variant, move)


class MatchStory(Teller):
    def __init__(self, game: str, options: Sequence[str] = ()) -> None:
        super().__init__(game, options)
        self.match = fresh(MATCH)
        self.holes = 0

    def players(self, names: str) -> None:
        self.names = names.split()
        self.variant = for_seats(self.variant, len(self.names))
        matches.begin_match(self.variant.rules, self.match, len(self.names))
        assert self.match.dealer == NOBODY

    def at_table(self) -> list[str]:
        return [name for name, sits in zip(self.names, self.match.at_table, strict=False) if sits]

    def draw(self, texts: str) -> None:
        cards = dict(re.findall(r"(\w+) (\S+)", texts))
        assert list(cards) == self.at_table(), "others draw"
        assert self.match.dealer == NOBODY, "the dealer is found already"
        for name, card in cards.items():
            self.match.drawn[self.names.index(name)] = read_face(self.variant, card)
        matches.compare_draw(self.variant.rules, self.match)

    def deals(self, dealer: str, texts: str) -> None:
        scores = {name: int(points) for name, points in re.findall(r"(\w+) (-?\d+)", texts)}
        assert not self.match.over, "the match is over"
        assert list(scores) == self.at_table(), "others sit at the table"
        if self.match.dealer == NOBODY:
            self.match.dealer = self.names.index(dealer)
        assert self.names[self.match.dealer] == dealer
        state = fresh(STATE)
        matches.deal_hole(self.variant.rules, self.match, state)
        assert state.seats == len(scores)
        assert list(scores)[state.dealer] == dealer
        for player, points in zip(state.players, scores.values(), strict=False):
            player.points = points
        matches.finish_hole(self.variant.rules, self.match, state)
        self.holes += 1
        assert self.match.holes == self.holes

    def next_hole(self, dealer: str, starter: str, cards: str) -> None:
        state, at_table = fresh(STATE), self.at_table()
        matches.deal_hole(self.variant.rules, self.match, state)
        assert (at_table[state.dealer], at_table[state.first]) == (dealer, starter)
        assert state.unseen.sum() == int(cards)

    def dealer(self, name: str) -> None:
        found = self.match.dealer
        assert (self.names[found] if found != NOBODY else "nobody") == name

    def totals(self, totals: str) -> None:
        assert list(self.match.totals[: len(self.names)]) == [int(total) for total in totals.split()]

    def not_over(self) -> None:
        assert not self.match.over

    def winners(self, names: str) -> None:
        assert self.match.over
        assert self.at_table() == names.split()

    patterns = (
        (r"next hole: (\w+) deals, (\w+) starts, (\d+) cards", next_hole),
        (r"players ([\w ]+)", players),
        (r"draw +(.+)", draw),
        (r"(\w+) deals +(.+)", deals),
        (r"dealer (\w+)", dealer),
        (r"totals (.+)", totals),
        (r"not over", not_over),
        (r"winners (.+)", winners),
    )


class Facts(Teller):
    def seats(self, least: str, most: str) -> None:
        assert self.variant.seats == range(int(least), int(most) + 1)

    def pack(self, count: str) -> None:
        assert sum(self.variant.rules.copies) == int(count)
        assert int(self.variant.rules.copies.sum()) == int(count)

    def copies(self, names: str, count: str) -> None:
        for name in names.split():
            assert self.variant.rules.copies[read_face(self.variant, name)] == int(count)

    def faces(self, names: str) -> None:
        assert self.variant.faces == tuple(names.split())

    def card(self, name: str, points: str) -> None:
        assert self.variant.rules.points[read_face(self.variant, name)] == int(points)

    def layout(self, text: str) -> None:
        assert write_layout(self.variant, [HIDDEN] * 12) == text

    def slots(self, names: str) -> None:
        assert [write_slot(self.variant, slot) for slot in range(self.variant.rules.slots)] == names.split()

    def holes(self, count: str) -> None:
        assert self.variant.rules.holes == int(count)

    patterns = (
        (r"seats (\d+) to (\d+)", seats),
        (r"pack (\d+)", pack),
        (r"copies (.+) (\d+)", copies),
        (r"faces (.+)", faces),
        (r"card (\S+) (-?\d+)", card),
        (r"layout (.+)", layout),
        (r"slots (.+)", slots),
        (r"holes (\d+)", holes),
    )
