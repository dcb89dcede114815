"""Shows a table: `text` in characters, `draw` as a picture."""

from functools import cache
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

from mulligan.engine.state import Phase
from mulligan.game.words import Words, minus
from mulligan.scorecard.glyphs import FONTS
from mulligan.terminal import table_view
from mulligan.terminal.cards import Card, cards_of
from mulligan.terminal.screen import Page

from .learning_table import Table
from .missing import missing

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH = 100  # of the text, in characters
CARD_SIZE = CARD_WIDTH, CARD_HEIGHT = 48, 67  # all sizes in pixels
GAP, EDGE = 6, 14
NAME_HEIGHT, PILE_HEIGHT, TITLE_HEIGHT = 48, CARD_HEIGHT + 44, 40
PANEL_WIDTH = 170  # at least
FINE = 4  # cards and panels are drawn this many times larger, and reduced to smooth their edges

FELT, PANEL, AWAY, PLACE = "#1c6b41", "#175837", "#1a623c", "#134a2e"
GOLD, CREAM, PALE = "#f3b73e", "#fffdf6", "#b9d3c2"
PAPER, PAPER_EDGE, BACK, BACK_LINE = "#fffdf5", "#d8d0bb", "#1c4763", "#4d86ab"
INK = (16, 20, 24)
HILLS = (  # the colours of the browser's cards, by points
    *("#2a9aa0", "#2f9e7c", "#4aa35a", "#7fa838", "#b3a51f", "#dca019", "#e88524"),
    *("#e4652f", "#d94646", "#c93d74", "#a6479f", "#7a52b3", "#4a55a8"),
)


def render(table: Table, mode: str | None) -> Any:
    """Returns the table in a render mode of Gymnasium and PettingZoo: `ansi`, `rgb_array` or none."""
    return {"ansi": text, "rgb_array": draw}[mode](table) if mode else None


def text(table: Table) -> str:
    """Returns the table as lines of characters, without colours."""
    page = Page(words(), Console(file=StringIO(), width=WIDTH, color_system=None))
    lines = table_view.compose(seen(table), page, "roomy", "roomy", cards=False, airy=True)
    return "\n".join(line.plain.rstrip() for line in lines)


def draw(table: Table) -> np.ndarray:
    """Returns the table as a picture: a uint8 array of shape (height, width, 3), always the same for a setup.

    Raises ImportError if Pillow is not installed.
    """
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise missing("Pillow") from None

    rules, seats = table.setup.variant.rules, table.setup.seats
    upper = range(1, 1 + seats // 2)
    lower = [0, *range(seats - 1, seats // 2, -1)]  # the players sit clockwise around the piles
    width = max(PANEL_WIDTH, int(rules.columns) * (CARD_WIDTH + GAP) - GAP + 2 * EDGE)
    height = NAME_HEIGHT + int(rules.rows) * (CARD_HEIGHT + GAP) - GAP + EDGE
    across = max(2, len(upper), len(lower)) * (width + EDGE) + EDGE
    down = TITLE_HEIGHT + 2 * height + PILE_HEIGHT + 2 * EDGE

    image = Image.new("RGB", (across, down), FELT)
    shown = seen(table)
    pen = ImageDraw.Draw(image)
    title = f"{shown.variant.title} · {shown.heading}"
    pen.text((across / 2, TITLE_HEIGHT / 2 + 3), title, CREAM, font("bold", 18), "mm")
    for row, players in enumerate((upper, lower)):
        x = (across - len(players) * (width + EDGE) + EDGE) // 2
        y = TITLE_HEIGHT + EDGE // 2 + row * (height + PILE_HEIGHT + EDGE // 2)
        for player in players:
            image.paste(draw_player(table, shown, player, (width, height)), (x, y))
            x += width + EDGE
    draw_piles(image, shown, TITLE_HEIGHT + EDGE // 2 + height)
    return np.array(image)


def seen(table: Table) -> table_view.Table:
    """The table as the terminal draws it."""
    match, seated = table.match, table.seated
    hole = int(match.holes) + 1 - int(match.over)
    heading = f"turn {int(table.state.turns)}"
    if table.setup.rules[0].holes != 1:
        heading = f"hole {hole}{', a play-off' if match.playing_off else ''} · {heading}"
    names = [f"player_{player}" for player in seated]
    totals = [int(match.totals[player]) for player in seated]
    return table_view.Table(table.setup.variant, table.state, names, totals, heading)


@cache
def words() -> Words:
    return Words("en")


def draw_player(table: Table, shown: table_view.Table, player: int, size: tuple[int, int]) -> "Image":
    """Draws a player's name, signs, total and cards; without cards if the player is not in this play-off hole."""
    from PIL import ImageDraw

    state, seated = shown.state, table.seated
    seat = seated.index(player) if player in seated else None
    is_on_turn = seat == int(state.turn) and state.phase < Phase.REVEAL
    image = panel(size, AWAY if seat is None else PANEL, GOLD if is_on_turn else None).copy()
    pen = ImageDraw.Draw(image)
    name, total = f"player_{player}", minus(int(table.match.totals[player]))
    pen.text((EDGE, 16), name, GOLD if is_on_turn else CREAM, font("bold", 16), "lm")
    pen.text((size[0] - EDGE, 16), total, CREAM, font("bold", 16), "rm")
    if seat is None:
        return image
    signs = [sign for sign, at in (("dealer", state.dealer), ("closed", state.closer)) if seat == int(at)]
    if state.phase == Phase.OVER:
        signs.append(f"{minus(int(state.players[seat].points))} this hole")
    pen.text((EDGE, 33), " · ".join(signs), PALE, font("regular", 13), "lm")
    columns = int(shown.variant.rules.columns)
    left = (size[0] - columns * (CARD_WIDTH + GAP) + GAP) // 2
    for slot, card in enumerate(cards_of(shown.variant, state.players[seat].layout, set())):
        row, column = divmod(slot, columns)
        place(
            image, draw_card(shown, card), left + column * (CARD_WIDTH + GAP), NAME_HEIGHT + row * (CARD_HEIGHT + GAP)
        )
    return image


def draw_piles(image: "Image", shown: table_view.Table, top: int) -> None:
    """Draws the stock, the discard pile and the card in hand in the middle, from `top` downward."""
    from PIL import ImageDraw

    variant, state = shown.variant, shown.state
    piles = [
        (f"stock {int(state.stock_left)}", Card(None) if state.stock_left else Card("")),
        ("discard", table_view.face_card(variant, table_view.pile_top(state))),
        ("in hand", table_view.face_card(variant, state.held)),
    ]
    pen, step = ImageDraw.Draw(image), 2 * CARD_WIDTH
    for number, (label, card) in enumerate(piles):
        middle = image.width // 2 + (number - 1) * step
        place(image, draw_card(shown, card), middle - CARD_WIDTH // 2, top + 12)
        pen.text((middle, top + 24 + CARD_HEIGHT), label, PALE, font("regular", 14), "mm")


def draw_card(shown: table_view.Table, card: Card) -> "Image":
    if not card.face:
        return blank() if card.face == "" else back()
    points = int(shown.variant.rules.points[shown.variant.faces.index(card.face)])
    return face(card.face, HILLS[max(0, min(points, len(HILLS) - 1))], card.is_matched)


def place(image: "Image", stamp: "Image", x: int, y: int) -> None:
    image.paste(stamp, (x, y), stamp)


@cache
def face(name: str, colour: str, is_matched: bool) -> "Image":
    """A card with its name above a hill; a matched one has a golden edge."""
    from PIL import Image, ImageChops, ImageColor, ImageDraw

    card = rounded(CARD_SIZE, PAPER, GOLD if is_matched else PAPER_EDGE, 3.0 if is_matched else 1.0)
    hill = Image.new("RGBA", card.size)
    width, height = card.size
    ImageDraw.Draw(hill).ellipse((-width * 0.5, height * 0.76, width * 1.2, height * 1.5), colour)
    inside = rounded((CARD_WIDTH, CARD_HEIGHT), "white", None, 0, inset=3.0 if is_matched else 1.0).getchannel("A")
    card.paste(hill, (0, 0), ImageChops.multiply(hill.getchannel("A"), inside))
    ink = tuple((3 * part + 2 * dark) // 5 for part, dark in zip(ImageColor.getrgb(colour), INK, strict=True))
    large = font("bold", (30 if len(name) < 3 else 22) * FINE)
    pen = ImageDraw.Draw(card)
    left, top, right, bottom = pen.textbbox((0, 0), name.replace("-", "−"), font=large)
    at = (width - left - right) / 2, height * 0.41 - (top + bottom) / 2
    pen.text(at, name.replace("-", "−"), ink, font=large)
    return card.reduce(FINE)


@cache
def back() -> "Image":
    from PIL import ImageDraw

    card = rounded(CARD_SIZE, BACK, PAPER, 2.0)
    pen, (width, height) = ImageDraw.Draw(card), card.size
    margin, step = 7 * FINE, 8 * FINE
    pen.rounded_rectangle((margin, margin, width - margin, height - margin), 3 * FINE, outline=BACK_LINE, width=FINE)
    for row, y in enumerate(range(margin + step, height - margin - step // 2, step)):
        for x in range(margin + step - (row % 2) * step // 2, width - margin - step // 4, step):
            pen.ellipse((x - FINE, y - FINE, x + FINE, y + FINE), BACK_LINE)
    return card.reduce(FINE)


@cache
def blank() -> "Image":
    """The place of a card that is not there."""
    return rounded(CARD_SIZE, PLACE, None, 0).reduce(FINE)


@cache
def panel(size: tuple[int, int], colour: str, edge: str | None) -> "Image":
    from PIL import Image

    image, shape = Image.new("RGB", size, FELT), rounded(size, colour, edge, 2.5).reduce(FINE)
    image.paste(shape, (0, 0), shape)
    return image


def rounded(size: tuple[int, int], colour: str, edge: str | None, wide: float, inset: float = 0) -> "Image":
    """A rounded rectangle with an edge of so many pixels, FINE times as large."""
    from PIL import Image, ImageDraw

    image = Image.new("RGBA", (size[0] * FINE, size[1] * FINE))
    box = (inset * FINE, inset * FINE, image.width - 1 - inset * FINE, image.height - 1 - inset * FINE)
    ImageDraw.Draw(image).rounded_rectangle(box, (6 - inset) * FINE, colour, edge, round(wide * FINE))
    return image


@cache
def font(weight: str, size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(FONTS / f"card-{weight}.otf", size)
