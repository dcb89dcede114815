"""The whole table in front of a player: everybody's layout, the piles, the score, what just happened."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from ..engine.state import HIDDEN, NOBODY, Phase, is_last_turn
from ..notation import write_face
from ..variants import Variant
from .cards import BACK, Block, Card, beside, draw_card, draw_layout, draw_small, face_style, in_rows, shorten, width_of
from .screen import Screen
from .story import Event

GAP = 2
LEAST_WIDTH = {"large": 18, "roomy": 26, "small": 14, "tiny": 11}  # of a seat, for its name and score
SIZES = (  # the others, me, piles as cards, blank lines between; the first that fits is taken
    ("large", "large", True, True),
    ("large", "large", True, False),
    ("large", "large", False, False),
    ("roomy", "large", True, True),  # small cards, but every word
    ("roomy", "large", True, False),
    ("small", "large", True, True),
    ("small", "large", True, False),
    ("small", "large", False, False),
    ("tiny", "large", False, False),
    ("tiny", "small", False, False),
)


@dataclass
class Table:
    """What is drawn. Lists go by seat; `me` is who sits at the near side, if anybody does."""

    variant: Variant
    state: Any
    names: list[str]
    totals: list[int]
    heading: str
    me: int | None = None
    events: list[Event] = field(default_factory=list)

    def changed(self, seat: int) -> set[int]:
        """The slots where the events told changed something."""
        return {slot for event in self.events if event.seat == seat for slot in event.slots}


def draw_table(table: Table, screen: Screen, lines_below: int) -> Block:
    """The table as large as it goes on the screen, with room for so many lines below it.

    Where even the smallest is too long, what happened first is left out.
    """
    room = screen.height - lines_below
    lines: Block = []
    for size in SIZES:
        lines = compose(table, screen, *size)
        if len(lines) <= room and width_of(lines) <= screen.width:
            return lines
    for size in SIZES[-2:]:
        lines = compose(table, screen, *size)
        lines = compose(table, screen, *size, left_out=len(lines) - room)
        if len(lines) <= room and width_of(lines) <= screen.width:
            return lines
    return lines


def compose(table: Table, screen: Screen, others: str, mine: str, cards: bool, airy: bool, left_out: int = 0) -> Block:
    seats = int(table.state.seats)
    first = 0 if table.me is None else table.me + 1
    around = [seat % seats for seat in range(first, first + seats) if seat % seats != table.me]
    blocks = [draw_seat(table, seat, others, screen.has_boxes) for seat in around]
    blank = [Text()] if airy else []
    near = [] if table.me is None else draw_seat(table, table.me, mine, screen.has_boxes)
    room = max(20, screen.width - (width_of(near) + 2 * GAP if near else 0))
    middle = draw_piles(table, screen.has_boxes) if cards else [*piles_in_words(table).wrap(screen.console, room)]
    told = list(tell_events(table, screen, room))[max(left_out, 0) :]
    lower = beside([near, [*middle, *blank, *told]], 2 * GAP) if near else [*middle, *blank, *told]
    return [*heading(table), *blank, *in_rows(blocks, screen.width, GAP), *blank, *lower]


def heading(table: Table) -> Block:
    line = Text(f"{table.variant.title} · {table.heading}", "bold")
    if is_last_turn(table.state):
        closer = table.names[table.state.closer]
        line.append("  ")
        line.append(f" {closer} closed{': last turns!' if table.state.phase < Phase.REVEAL else ''} ", "bold reverse")
    return [line]


def draw_seat(table: Table, seat: int, size: str, has_boxes: bool) -> Block:
    """One player: the name, the score and the signs, the cards."""
    layout = table.state.players[seat].layout
    if size == "large":
        cards = draw_layout(table.variant, layout, table.changed(seat), has_boxes)
    else:
        cards = draw_small(table.variant, layout, table.changed(seat), has_boxes, is_named=seat == table.me)
    width = max(width_of(cards), LEAST_WIDTH[size])
    is_on_turn = seat == table.state.turn and table.state.phase < Phase.REVEAL
    name = Text(("▶ " if has_boxes else "> ") if is_on_turn else "", "bold yellow")
    name.append(shorten(table.names[seat], width - name.cell_len), "bold" if is_on_turn else "bold cyan")
    return [name, Text(signs(table, seat, width)), *cards]


def signs(table: Table, seat: int, width: int) -> str:
    """The total so far, who deals, who has closed, as far as there is room."""
    total = table.totals[seat]
    dealer = seat == table.state.dealer
    closed = seat == table.state.closer
    for total_words, dealer_words in ((f"total {total}", "dealer"), (str(total), "dealer"), (str(total), "D")):
        words = ", ".join([total_words, *([dealer_words] if dealer else []), *(["closed"] if closed else [])])
        if len(words) <= width:
            return words
    return str(total)


def draw_piles(table: Table, has_boxes: bool) -> Block:
    """The stock, the discard pile, and the card in somebody's hand."""
    variant, state = table.variant, table.state
    stock = [Text("stock"), *draw_card(Card(None, BACK), has_boxes), Text(stock_in_words(state), "dim")]
    blocks = [stock, [Text("discard pile"), *draw_card(face_card(variant, pile_top(state)), has_boxes)]]
    if state.held != HIDDEN:
        blocks.append([Text("in hand", "bold yellow"), *draw_card(face_card(variant, state.held), has_boxes)])
    return beside(blocks, 2 * GAP)


def piles_in_words(table: Table) -> Text:
    """The same in one line."""
    variant, state = table.variant, table.state
    top = pile_top(state)
    pile = write_face(variant, top) if top != HIDDEN else "-"
    line = Text.assemble(f"stock {stock_in_words(state)} · discard pile ", (f"[{pile}]", "bold"))
    if state.held != HIDDEN:
        line.append(" · in hand ").append(f"[{write_face(variant, state.held)}]", "bold yellow")
    return line


def stock_in_words(state: Any) -> str:
    return f"{state.stock_left} left{', reshuffled' if state.renewed else ''}"  # 2.6


def pile_top(state: Any) -> int:
    """The top of the discard pile; HIDDEN while it is in hand, for nobody notes what lies under it."""
    if state.phase == Phase.PLACE and not state.held_from_stock:
        return HIDDEN
    return int(state.discard)


def face_card(variant: Variant, face: int) -> Card:
    return Card("", "") if face == HIDDEN else Card(write_face(variant, face), face_style(variant, face), "bold")


def tell_events(table: Table, screen: Screen, room: int) -> Iterator[Text]:
    for event in table.events:
        mine = event.seat in (table.me, NOBODY)
        sentence = Text(event.words, "dim" if mine else "")
        yield from sentence.wrap(screen.console, room)
