"""The game and the position as text: for programs in any language (docs/protocol.md), and in words."""

from collections.abc import Iterator, Sequence

from mulligan.engine.state import NO_CARD, NOBODY, Phase

from .hole import Hole
from .notation import write_face, write_layout
from .variants import Variant, lines_of

VERSION = 1
CHOICES = {
    Phase.TEE_OFF: "turn up a card (2.4)",
    Phase.TAKE: "take a card (3.1)",
    Phase.PLACE: "place the card in hand (3.2)",
    Phase.FLIP: "turn up a card (3.3)",
}


def game_lines(variant: Variant, seats: int) -> Iterator[str]:
    """The lines that a program gets once, before the first hole."""
    rules = variant.rules
    yield f"mulligan {VERSION}"
    yield f"game {variant.name}"
    yield f"seats {seats}"
    for face, name in enumerate(variant.faces):
        yield f"face {name} {rules.copies[face]} {rules.points[face]} {rules.line_points[face]}"
    for slots in lines_of(variant.facts):
        yield f"line {' '.join(variant.slots[slot] for slot in slots)}"
    yield f"bonus {' '.join(map(str, rules.bonus[: rules.lines + 1]))}"
    for name in rules.dtype.names:
        if rules[name].ndim == 0:
            yield f"rule {name} {rules[name]}"
    yield "begin"


def position_lines(hole: Hole) -> Iterator[str]:
    """The position in which the player to move has to decide; that player's layout comes first."""
    variant, sight, state = hole.variant, hole.sight, hole.state
    order = order_of(hole)
    faces = len(variant.faces)
    yield "position"
    yield f"phase {Phase(sight.phase).name.lower()}"
    for seat in order:
        yield f"layout {write_layout(variant, sight.layouts[seat])}"
    yield f"discard {card(variant, sight.discard)}"
    yield f"held {card(variant, sight.held)}"
    yield f"from_stock {sight.held_from_stock}"
    yield f"stock {sight.stock_left}"
    yield f"unseen {' '.join(map(str, state.unseen[:faces].tolist()))}"
    if sight.renewed:
        yield f"renewed {' '.join(map(str, state.stock[:faces].tolist()))}"
    yield f"closer {'-' if sight.closer == NOBODY else order.index(sight.closer)}"
    yield f"turns {sight.turns}"
    yield f"moves {' '.join(hole.named_moves())}"
    yield "go"


def position_in_words(hole: Hole, names: Sequence[str], totals: Sequence[int]) -> str:
    """The position for readers: whose turn it is, every layout, the piles, the scores and the legal moves.

    `names` and `totals`, the points before this hole, or with it once it is over, are by seat. The player to move comes
    first.
    """
    variant, sight = hole.variant, hole.sight
    is_over = sight.phase == Phase.OVER
    to_do = "the hole is over" if is_over else f"{names[sight.turn]} has to {CHOICES[Phase(sight.phase)]}"
    lines = [f"{variant.title}, turn {sight.turns}: {to_do}."]
    for seat in order_of(hole):
        if is_over:
            score = f"{sight.points[seat]} points in the hole, {totals[seat]} in all"
        else:
            score = f"{hole.open_cost(seat)} points open, {totals[seat]} before"
        closed = ", has closed" if seat == sight.closer else ""
        lines.append(f"{names[seat]} ({score}{closed}): {write_layout(variant, sight.layouts[seat])}")
    held = card(variant, sight.held)
    if sight.held != NO_CARD:
        held += f" from the {'stock' if sight.held_from_stock else 'discard pile'}"
    lines.append(f"Discard pile: {card(variant, sight.discard)}. In hand: {held}. Stock: {sight.stock_left} cards.")
    return "\n".join([*lines, *([] if is_over else [f"Legal moves: {', '.join(hole.named_moves())}"])])


def order_of(hole: Hole) -> list[int]:
    """The seats in the order of play, from the player to move."""
    sight = hole.sight
    return [(sight.turn + place) % sight.seats for place in range(sight.seats)]


def card(variant: Variant, face: int) -> str:
    return "-" if face == NO_CARD else write_face(variant, face)


def read_move(hole: Hole, text: str) -> int:
    """The number of a legal move by its name. Raises ValueError with what is wrong."""
    moves = hole.named_moves()
    if text not in moves:
        raise ValueError(f"played “{text[:40]}”, but the legal moves are {', '.join(moves)}")
    return moves[text]
