"""Shows the score after a hole, with every layout explained, and the score card."""

from collections.abc import Iterator
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from mulligan.engine.state import Phase
from mulligan.game.hole import Game, Hole
from mulligan.game.notation import write_face, write_slot
from mulligan.game.safe_text import printable
from mulligan.game.score_parts import Part, explain_hole
from mulligan.game.score_words import bill_line, tell_parts
from mulligan.game.variants import Variant
from mulligan.game.words import Words, minus

from .cards import MATCHED, Block, beside, draw_layout, draw_small, shorten, width_of
from .screen import Screen
from .wrapping import wrap, wrap_text

GAP = 3
LEAST_ROOM = 24  # columns beside the cards for the parts of the score; with less, they stand below
HOLE_WIDTH = 5  # of a column of the score card, with its space
INDENT = 7  # of the parts of a score: a mark, the points, two spaces


def show_hole_result(screen: Screen, title: str, hole: Hole, names: list[str], totals: list[int]) -> None:
    """Shows every layout with its matched lines and the parts of its score; names and totals by seat."""
    seats = range(len(names))
    for is_large, blank in ((True, [Text()]), (False, [Text()]), (False, [])):
        blocks = [[*result_lines(screen, hole, seat, names, totals, is_large), *blank] for seat in seats]
        if sum(map(len, blocks)) + 4 <= screen.height:
            break
    pages = list(paginate([[Text(title, "bold"), Text()], *blocks], screen.height - 2))
    for number, page in enumerate(pages, 1):
        screen.redraw(page)
        if number < len(pages):
            screen.wait("terminal_enter_others")


def paginate(blocks: list[Block], height: int) -> Iterator[Block]:
    """Stacks blocks into pages of at most that height."""
    page: Block = []
    for block in blocks:
        if page and len(page) + len(block) > height:
            yield page
            page = []
        page += block
    yield page


def result_lines(screen: Screen, hole: Hole, seat: int, names: list[str], totals: list[int], is_large: bool) -> Block:
    """Draws one player's score: the layout on the left, the parts beside it."""
    variant, state, words = hole.variant, hole.state, screen.words
    layout = state.players[seat].layout
    revealed = {step.move for step in hole.steps if step.phase == Phase.REVEAL and step.seat == seat}
    if is_large:
        cards = draw_layout(variant, layout, set(), screen.has_boxes)
    else:
        cards = draw_small(variant, layout, set(), screen.has_boxes, is_named=True)
    score = explain_hole(variant, state, seat)
    beside_cards = screen.width - width_of(cards) - GAP
    room = beside_cards if beside_cards >= LEAST_ROOM else screen.width
    before = score.points - sum(part.points for part in score.parts if part.rule == "5.6")
    lower = [name for other, name in enumerate(names) if other != seat and state.players[other].points < before]
    parts = tell_parts(words, variant, layout, score, lower)
    lines = [line for part, text in parts for line in explain_part(screen, part, text, room)]
    if revealed:
        faces = [(write_slot(variant, slot), write_face(variant, layout[slot])) for slot in sorted(revealed)]
        shown = [words("table_ev_slot_face", slot=slot, face=words.face(face)) for slot, face in faces]
        last = words("terminal_revealed", list=words.listed(shown))
        lines += indent(words("terminal_brackets", text=last, more="4.3"), "", "dim", room)
    total = f"{words('table_total')} {minus(totals[seat])}"
    heading = Text.assemble((names[seat], "bold cyan"), "  ", (words.points(score.points), "bold"), f" · {total}")
    if seat == state.closer:
        heading.append(f" · {words('table_mark_closer')}", "dim")
    told = beside([cards, lines], GAP) if room == beside_cards else [*cards, *lines]
    return [*wrap_text(heading, screen.width), *told]


def explain_part(screen: Screen, part: Part, text: str, room: int) -> Iterator[Text]:
    """Writes one part of the score; matched lines are marked `=`, as their cards are."""
    mark = "=" if part.lines else " "
    return indent(text, mark + bill_line(part.points, ""), MATCHED if part.lines else "", room)


def indent(text: str, start: str, style: str, room: int) -> Iterator[Text]:
    """Wraps a text, with `start` before its first line and an indent before the others."""
    for number, line in enumerate(wrap(text, room - INDENT)):
        yield Text((start if number == 0 else "").ljust(INDENT) + line, style)


def score_card(game: Game, screen: Screen) -> Iterator[Any]:
    """Yields the score card, holes as columns, split into tables that fit the width."""
    names = [shorten(printable(name), screen.width - LEAST_ROOM + 2) for name in game.players]
    longest, words = max(map(cell_len, names)), screen.words
    each = max(1, (screen.width - longest - 10) // HOLE_WIDTH)
    numbers = range(len(game.holes))
    pieces = [numbers[start : start + each] for start in numbers[::each]] or [numbers]
    for piece in pieces:
        table = Table(
            box=SIMPLE_HEAD, padding=(0, 1, 0, 0), title=words("table_sc_title") if piece == pieces[0] else None
        )
        table.add_column("", style="bold cyan", no_wrap=True)
        for number in piece:
            table.add_column(hole_name(words, game, number), justify="right", no_wrap=True)
        if piece == pieces[-1]:
            table.add_column(words("table_total"), justify="right", style="bold", no_wrap=True)
        for player, name in enumerate(names):
            row = [Text(name), *(points_on_card(game.holes[number], player) for number in piece)]
            table.add_row(*row, *([minus(game.totals[player])] if piece == pieces[-1] else []))
        yield table


def heading(words: Words, variant: Variant, number: int) -> str:
    """Returns the heading of a hole of the match, the first being 0."""
    holes = int(variant.rules.holes)
    if number < holes:
        return words("page_hole_of", hole=number + 1, holes=holes)
    return words("page_playoff", number=number + 1 - holes)


def title(words: Words, variant: Variant, number: int) -> str:
    """Returns the heading of a finished hole, the first being 0."""
    holes = int(variant.rules.holes)
    if number < holes:
        return f"{words.game(variant.facts)} · {words('table_rk_title', hole=number + 1)}"
    return f"{words.game(variant.facts)} · {words('table_rk_title_playoff', number=number + 1 - holes)}"


def hole_name(words: Words, game: Game, number: int) -> str:
    """Returns the name of a hole on the card: its number, or a sign for a play-off hole."""
    holes = int(game.variant.rules.holes)
    return str(number + 1) if number < holes else words("table_sc_playoff", number=number + 1 - holes)


def points_on_card(hole: dict[str, Any], player: int) -> Text:
    """Returns a player's points for a hole, marked if they are the lowest; empty if they did not play it."""
    if player not in hole["seats"]:
        return Text("")
    points = hole["points"][hole["seats"].index(player)]
    return Text(minus(points), "bold green underline" if points == min(hole["points"]) else "")


def result(words: Words, game: Game) -> str:
    """Names the winner or winners."""
    winners = [printable(game.players[player]) for player in game.winners]
    return words("table_ev_match_over", count=len(winners), names=words.listed(winners))


def level(words: Words, game: Game) -> str:
    """Names the players of the next play-off hole."""
    return words("table_rk_level", names=words.listed([printable(game.players[player]) for player in game.at_table]))
