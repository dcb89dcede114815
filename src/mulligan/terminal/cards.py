"""Draws cards and layouts with text characters: a face or a back, and the slot's name on the upper edge."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from mulligan.engine.state import HIDDEN
from mulligan.game.notation import write_face, write_slot
from mulligan.game.score_parts import matched_slots
from mulligan.game.variants import Variant

Block = list[Text]  # lines of text of equal width

BACK, LOW, HIGH, MATCHED, CHANGED = "bright_blue", "bold green", "bold", "bold green", "bold yellow"
EDGES = {  # by (terminal has box characters, the card's line is matched)
    (True, False): tuple("┌─┐│└┘"),
    (True, True): tuple("╔═╗║╚╝"),
    (False, False): tuple("+-+|++"),
    (False, True): tuple("*=*|**"),
}


@dataclass(frozen=True)
class Card:
    """A place for a card: the face as text, `None` for a face-down card, "" for an empty place."""

    face: str | None
    style: str = ""
    edge: str = "dim"
    name: str = ""
    is_matched: bool = False


def draw_card(card: Card, has_boxes: bool) -> Block:
    """Draws a card in three lines; a matched one has a double edge."""
    upper_left, across, upper_right, down, lower_left, lower_right = EDGES[has_boxes, card.is_matched]
    width = max(2, len(card.name))
    inside = (("░" if has_boxes else "/") * width) if card.face is None else card.face.rjust(width)
    top = Text(upper_left, card.edge).append(card.name.ljust(width, across)).append(upper_right)
    middle = Text.assemble((down, card.edge), (inside, card.style), (down, card.edge))
    return [top, middle, Text(lower_left + across * width + lower_right, card.edge)]


def draw_layout(variant: Variant, layout: Any, changed: set[int], has_boxes: bool) -> Block:
    """Draws a layout as rows of cards. `changed` are the slots to highlight."""
    cards = [draw_card(card, has_boxes) for card in cards_of(variant, layout, changed)]
    columns = int(variant.rules.columns)
    rows = [beside(cards[start : start + columns], 0) for start in range(0, len(cards), columns)]
    return [line for row in rows for line in row]


def draw_small(variant: Variant, layout: Any, changed: set[int], has_boxes: bool, is_named: bool = False) -> Block:
    """Draws a layout with one line per row; a matched card has `=` before it, a face-down card is a block.

    `is_named` adds the column letters above and the row numbers at the side.
    """
    columns = int(variant.rules.columns)
    cards = cards_of(variant, layout, changed)
    lines: Block = []
    if is_named:
        lines.append(Text("  " + "".join(f"  {card.name[0]}" for card in cards[:columns]), "dim"))
    for start in range(0, len(cards), columns):
        line = Text(f"{cards[start].name[1:]:<2}" if is_named else "", "dim")
        for card in cards[start : start + columns]:
            back = "░░" if has_boxes else "//"
            mark = "=" if card.is_matched else " "
            line.append(" " + back if card.face is None else (mark + card.face).rjust(3), card.style)
        lines.append(line)
    return lines


def cards_of(variant: Variant, layout: Any, changed: set[int]) -> list[Card]:
    matched = matched_slots(variant, layout)
    cards = []
    for slot in range(variant.rules.slots):
        name, face = write_slot(variant, slot), int(layout[slot])
        edge = CHANGED if slot in changed else MATCHED if slot in matched else "dim"
        if face == HIDDEN:
            cards.append(Card(None, BACK, edge, name))
        elif variant.rules.lines_clear and slot in matched:
            cards.append(Card("", "dim", edge, name))  # it has left (3.7)
        else:
            style = MATCHED if slot in matched else face_style(variant, face)
            cards.append(Card(write_face(variant, face), style, edge, name, slot in matched))
    return cards


def face_style(variant: Variant, face: int) -> str:
    return LOW if variant.rules.points[face] <= 0 else HIGH


def width_of(block: Sequence[Text]) -> int:
    return max((line.cell_len for line in block), default=0)


def beside(blocks: Sequence[Block], gap: int) -> Block:
    """Joins blocks side by side, aligned at the top."""
    widths = [width_of(block) for block in blocks]
    lines = []
    for number in range(max((len(block) for block in blocks), default=0)):
        line = Text()
        for block, width in zip(blocks, widths, strict=True):
            part = block[number] if number < len(block) else Text()
            line.append_text(part).append(" " * (width - part.cell_len + gap))
        line.rstrip()
        lines.append(line)
    return lines


def in_rows(blocks: Sequence[Block], width: int, gap: int) -> Block:
    """Places blocks side by side in rows of similar length that fit the width."""
    if not blocks:
        return []
    widest = max(width_of(block) for block in blocks)
    most = max(1, (width + gap) // (widest + gap))
    rows = -(-len(blocks) // most)
    each = -(-len(blocks) // rows)
    padded = [[pad(line, widest) for line in block] for block in blocks]
    return [line for start in range(0, len(blocks), each) for line in beside(padded[start : start + each], gap)]


def pad(line: Text, width: int) -> Text:
    padded = line.copy()
    padded.append(" " * (width - line.cell_len))
    return padded


def shorten(text: str, width: int) -> str:
    """Cuts a name to the width."""
    if cell_len(text) <= width:
        return text
    while cell_len(text) > width - 1:
        text = text[:-1]
    return text + "…"
