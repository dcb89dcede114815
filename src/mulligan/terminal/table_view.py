"""Draws the whole table for a player: all layouts, the piles, the score and the last events."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from mulligan.engine.state import HIDDEN, NOBODY, Phase, is_last_turn
from mulligan.game.notation import write_face
from mulligan.game.variants import Variant
from mulligan.game.words import Words, minus

from .cards import BACK, Block, Card, beside, draw_card, draw_layout, draw_small, face_style, in_rows, shorten, width_of
from .history import Event
from .screen import Page, Screen
from .wrapping import wrap, wrap_text

GAP = 2
LEAST_ROOM = 24  # columns beside the near player's cards for the piles and the events; with less, they stand below
LEAST_WIDTH = {"large": 18, "roomy": 28, "small": 14, "tiny": 11}  # columns of a seat, for its name and score
SIZES = (  # others, me, piles as cards, blank lines between; the first that fits is used
    ("large", "large", True, True),
    ("large", "large", True, False),
    ("large", "large", False, False),
    ("roomy", "large", True, True),  # small cards with all words
    ("roomy", "large", True, False),
    ("small", "large", True, True),
    ("small", "large", True, False),
    ("small", "large", False, False),
    ("tiny", "large", False, False),
    ("tiny", "small", False, False),
)


@dataclass
class Table:
    """The data to draw. Lists are in seat order; `me` is the near person's seat, if there is one."""

    variant: Variant
    state: Any
    names: list[str]
    totals: list[int]
    heading: str
    me: int | None = None
    events: list[Event] = field(default_factory=list)

    def changed(self, seat: int) -> set[int]:
        """Returns the slots of a seat that the events changed."""
        return {slot for event in self.events if event.seat == seat for slot in event.slots}


def draw_table(table: Table, screen: Screen, lines_below: int) -> Block:
    """Draws the table as large as fits on the screen, with that many lines free below it.

    If even the smallest size is too long, leaves out the earliest events.
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


def compose(table: Table, page: Page, others: str, mine: str, cards: bool, airy: bool, left_out: int = 0) -> Block:
    """Draws the table in one of the SIZES."""
    seats = int(table.state.seats)
    first = 0 if table.me is None else table.me + 1
    around = [seat % seats for seat in range(first, first + seats) if seat % seats != table.me]
    blocks = [draw_seat(table, seat, others, page) for seat in around]
    blank = [Text()] if airy else []
    near = [] if table.me is None else draw_seat(table, table.me, mine, page)
    beside_me = page.width - width_of(near) - 2 * GAP if near else 0
    room = beside_me if beside_me >= LEAST_ROOM else page.width
    middle = draw_piles(table, page) if cards else wrap_text(piles_in_words(table, page.words), room)
    events = list(tell_events(table, room))[max(left_out, 0) :]
    far = [*middle, *blank, *events]
    if near:
        far = beside([near, far], 2 * GAP) if room == beside_me else [*near, *blank, *far]
    return [*heading(table, page), *blank, *in_rows(blocks, page.width, GAP), *blank, *far]


def heading(table: Table, page: Page) -> Block:
    words = page.words
    line = Text(f"{words.game(table.variant.facts)} · {table.heading}", "bold")
    if is_last_turn(table.state):
        said = [table.names[table.state.closer], words("table_mark_closer")]
        if table.state.phase < Phase.REVEAL:
            said.append(words("table_last_turns"))
        line.append("  ").append(f" {' · '.join(said)} ", "bold reverse")
    return wrap_text(line, page.width)


def draw_seat(table: Table, seat: int, size: str, page: Page) -> Block:
    """Draws one player: name, score, signs and cards."""
    has_boxes = page.has_boxes
    layout = table.state.players[seat].layout
    if size == "large":
        cards = draw_layout(table.variant, layout, table.changed(seat), has_boxes)
    else:
        cards = draw_small(table.variant, layout, table.changed(seat), has_boxes, is_named=seat == table.me)
    width = max(width_of(cards), LEAST_WIDTH[size])
    is_on_turn = seat == table.state.turn and table.state.phase < Phase.REVEAL
    name = Text(("▶ " if has_boxes else "> ") if is_on_turn else "", "bold yellow")
    name.append(shorten(table.names[seat], width - name.cell_len), "bold" if is_on_turn else "bold cyan")
    return [name, Text(signs(table, seat, width, page.words)), *cards]


def signs(table: Table, seat: int, width: int, words: Words) -> str:
    """Returns the total and the signs of dealer and closer, as far as they fit."""
    total = minus(table.totals[seat])
    dealer, short = [], []
    if seat == table.state.dealer:
        dealer, short = [words("table_mark_dealer")], [words("terminal_dealer_short")]
    closed = [words("table_mark_closer")] if seat == table.state.closer else []
    for signs in ([f"{words('table_total')} {total}", *dealer, *closed], [total, *dealer, *closed], [total, *short]):
        line = " · ".join(signs)
        if cell_len(line) <= width:
            return line
    return total


def draw_piles(table: Table, page: Page) -> Block:
    """Draws the stock, the discard pile and the card in hand."""
    variant, state, words, has_boxes = table.variant, table.state, page.words, page.has_boxes
    back, top = draw_card(Card(None, BACK), has_boxes), draw_card(face_card(variant, pile_top(state)), has_boxes)
    blocks = [[Text(words("table_stock")), *back, Text(stock_in_words(state, words), "dim")]]
    blocks.append([Text(words("table_discard")), *top])
    if state.held != HIDDEN:
        held = draw_card(face_card(variant, state.held), has_boxes)
        blocks.append([Text(words("cardboard_hand"), "bold yellow"), *held])
    return beside(blocks, 2 * GAP)


def piles_in_words(table: Table, words: Words) -> Text:
    """Describes the piles in one line, which is broken between them: a pile keeps its card."""
    variant, state = table.variant, table.state
    top = pile_top(state)
    pile = write_face(variant, top) if top != HIDDEN else "-"
    stock = f"{words('table_stock')} ({stock_in_words(state, words)})"
    line = Text.assemble(f"{stock} · {unbroken(words('table_discard'))}\u00a0", (f"[{pile}]", "bold"))
    if state.held != HIDDEN:
        line.append(f" · {unbroken(words('cardboard_hand'))}\u00a0").append(
            f"[{write_face(variant, state.held)}]", "bold yellow"
        )
    return line


def unbroken(text: str) -> str:
    return text.replace(" ", "\u00a0")


def stock_in_words(state: Any, words: Words) -> str:
    return words("terminal_reshuffled" if state.renewed else "terminal_left", count=int(state.stock_left))  # 2.6


def pile_top(state: Any) -> int:
    """Returns the top discard; HIDDEN while it is in hand, because the state does not keep the card below it."""
    if state.phase == Phase.PLACE and not state.held_from_stock:
        return HIDDEN
    return int(state.discard)


def face_card(variant: Variant, face: int) -> Card:
    return Card("", "") if face == HIDDEN else Card(write_face(variant, face), face_style(variant, face), "bold")


def tell_events(table: Table, room: int) -> Iterator[Text]:
    for event in table.events:
        mine = event.seat in (table.me, NOBODY)
        yield from (Text(line, "dim" if mine else "") for line in wrap(event.words, room))
