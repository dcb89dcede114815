"""The counting: every layout explained after a hole, and the score card."""

from collections.abc import Iterator
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from ..engine.state import Phase
from ..explain import Part, explain_hole, in_words
from ..game import Game, Hole
from ..inert import inert
from ..notation import write_face, write_slot
from ..variants import Variant
from .cards import MATCHED, Block, beside, draw_layout, draw_small
from .screen import Screen

HOLE_WIDTH = 5  # a column of the score card, with the space beside it


def show_reckoning(screen: Screen, title: str, hole: Hole, names: list[str], totals: list[int]) -> None:
    """Every layout with the lines that matched, and why it costs what it does; names and totals by seat."""
    seats = range(len(names))
    for is_large, blank in ((True, [Text()]), (False, [Text()]), (False, [])):
        blocks = [[*reckon(screen, hole, seat, names, totals, is_large), *blank] for seat in seats]
        if sum(map(len, blocks)) + 4 <= screen.height:
            break
    pages = list(paginate([[Text(title, "bold"), Text()], *blocks], screen.height - 2))
    for number, page in enumerate(pages, 1):
        screen.redraw(page)
        if number < len(pages):
            screen.wait("for the others")


def paginate(blocks: list[Block], height: int) -> Iterator[Block]:
    """Blocks one below the other, as many as a page holds."""
    page: Block = []
    for block in blocks:
        if page and len(page) + len(block) > height:
            yield page
            page = []
        page += block
    yield page


def reckon(screen: Screen, hole: Hole, seat: int, names: list[str], totals: list[int], is_large: bool) -> Block:
    """One player's points: the layout on the left, the reckoning beside it."""
    variant, state = hole.variant, hole.state
    layout = state.players[seat].layout
    revealed = {step.move for step in hole.steps if step.phase == Phase.REVEAL and step.seat == seat}
    if is_large:
        cards = draw_layout(variant, layout, set(), screen.has_boxes)
    else:
        cards = draw_small(variant, layout, set(), screen.has_boxes, is_named=True)
    reckoning = explain_hole(variant, state, seat)
    room = max(20, screen.width - cards[0].cell_len - 5)
    lines = [line for part in reckoning.parts for line in explain_part(screen, part, room)]
    if revealed:
        cards_shown = [f"{write_slot(variant, slot)} {write_face(variant, layout[slot])}" for slot in sorted(revealed)]
        shown = ", ".join(cards_shown)
        lines += Text(f"  turned up at the end: {shown} (4.3)", "dim").wrap(screen.console, room)
    points = "1 point" if reckoning.points == 1 else f"{reckoning.points} points"
    heading = Text.assemble((names[seat], "bold cyan"), ": ", (points, "bold"), f", total {totals[seat]}")
    if seat == state.closer:
        heading.append("  (closed the hole)", "dim")
    return [heading, *beside([cards, lines], 3)]


def explain_part(screen: Screen, part: Part, room: int) -> Iterator[Text]:
    """One part of the sum; matched lines are marked `=` as their cards are."""
    style = MATCHED if part.lines else ""
    for number, line in enumerate(Text(str(part), style).wrap(screen.console, room - 2)):
        yield Text("= " if part.lines and number == 0 else "  ", style).append_text(line)


def score_card(game: Game, screen: Screen) -> Iterator[Any]:
    """The card, holes as columns, in as many pieces as the width asks for."""
    names = [inert(name) for name in game.players]
    longest = max(map(len, names))
    each = max(1, (screen.width - longest - 10) // HOLE_WIDTH)
    numbers = range(len(game.holes))
    pieces = [numbers[start : start + each] for start in numbers[::each]] or [numbers]
    for piece in pieces:
        table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), title="Score card" if piece == pieces[0] else None)
        table.add_column("", style="bold cyan", no_wrap=True)
        for number in piece:
            table.add_column(hole_name(game, number), justify="right")
        if piece == pieces[-1]:
            table.add_column("total", justify="right", style="bold", no_wrap=True)
        for player, name in enumerate(names):
            row = [Text(name), *(points_on_card(game.holes[number], player) for number in piece)]
            table.add_row(*row, *([str(game.totals[player])] if piece == pieces[-1] else []))
        yield table


def heading(variant: Variant, number: int) -> str:
    """What to call a hole of the match, the first being 0."""
    holes = int(variant.rules.holes)
    return f"hole {number + 1} of {holes}" if number < holes else f"play-off hole {number + 1 - holes}"


def hole_name(game: Game, number: int) -> str:
    """1 to 9 on the card, then the play-off holes, which count for nothing else."""
    holes = int(game.variant.rules.holes)
    return str(number + 1) if number < holes else f"P{number + 1 - holes}"


def points_on_card(hole: dict[str, Any], player: int) -> Text:
    """A player's points for a hole, marked where nobody had fewer; nothing if he did not play it."""
    if player not in hole["seats"]:
        return Text("")
    points = hole["points"][hole["seats"].index(player)]
    return Text(str(points), "bold green underline" if points == min(hole["points"]) else "")


def result(game: Game) -> str:
    """Who has won, and with what."""
    winners = [inert(game.players[player]) for player in game.winners]
    total = game.totals[game.winners[0]]
    strokes = "1 point" if total == 1 else f"{total} points"
    if len(winners) > 1:
        return f"{in_words(winners)} share the win with {strokes} each (6.3)."
    if len(game.holes) > game.variant.rules.holes:
        return f"{winners[0]} won the play-off, and the match (6.3)."
    return f"{winners[0]} won the match with {strokes} (6.2)."


def level(game: Game) -> str:
    """Who goes on into a play-off hole."""
    names = in_words([inert(game.players[player]) for player in game.at_table])
    return f"{names} are level for lowest: they play one more hole, and its lowest wins the match (6.3)."
