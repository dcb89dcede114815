"""The game and the position as lines of text for programs in any language: docs/protocol.md."""

from collections.abc import Iterator

from mulligan.engine.state import NO_CARD, NOBODY, Phase
from mulligan.game.hole import Hole
from mulligan.game.notation import name_of_move, write_face, write_layout
from mulligan.game.variants import Variant, lines_of

VERSION = 1


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
    order = [(sight.turn + place) % sight.seats for place in range(sight.seats)]
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
    yield f"moves {' '.join(name_of_move(variant, move) for move in hole.legal_moves())}"
    yield "go"


def card(variant: Variant, face: int) -> str:
    return "-" if face == NO_CARD else write_face(variant, face)


def read_move(hole: Hole, text: str) -> int:
    """The number of a legal move by its name. Raises ValueError with what is wrong."""
    moves = {name_of_move(hole.variant, move): move for move in hole.legal_moves()}
    if text not in moves:
        raise ValueError(f"played “{text[:40]}”, but the legal moves are {', '.join(moves)}")
    return moves[text]
