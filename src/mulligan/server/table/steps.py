"""Converts the steps of a hole between the engine's numbers and wire events."""

from collections.abc import Iterable
from typing import Any

from mulligan.engine.state import HIDDEN, NOBODY, Phase
from mulligan.game.hole import Outcome
from mulligan.game.notation import Step as Taken
from mulligan.game.notation import read_choice, read_face, read_slot, write_choice, write_face, write_slot
from mulligan.game.variants import Variant
from mulligan.server.wire.events import Revealed
from mulligan.server.wire.view import Step

PHASE_NAMES: dict[int, Any] = {
    Phase.TEE_OFF: "tee_off",
    Phase.TAKE: "take",
    Phase.PLACE: "place",
    Phase.FLIP: "flip",
    Phase.REVEAL: "reveal",  # only if players turn the cards up themselves
}
PHASES = {name: phase for phase, name in PHASE_NAMES.items()}


def face_text(variant: Variant, face: int) -> str | None:
    """Returns a face as written in messages; None if the card is face down or absent."""
    return None if face == HIDDEN else write_face(variant, face)


def faces_text(variant: Variant, faces: Iterable[int]) -> list[str | None]:
    """Returns many faces as `face_text` does."""
    texts = (*variant.faces, None)  # HIDDEN, -1, is the last
    return [texts[face] for face in faces]


def event_of(variant: Variant, outcome: Outcome, seat: int) -> Step | Revealed:
    """Converts the outcome of a step into an event; `seat` is the player's seat at this table."""
    _, phase, move, shown = outcome.step
    if phase == Phase.REVEAL:
        return Revealed(seat=seat, slot=write_slot(variant, move), face=write_face(variant, shown))
    return Step(
        seat=seat,
        phase=PHASE_NAMES[phase],
        move=write_choice(variant, move),
        face=face_text(variant, outcome.face),
        went=face_text(variant, outcome.went),
        from_hidden=outcome.from_hidden,
        closed=outcome.closed,
        renewed=outcome.renewed,
        cleared=[write_slot(variant, slot) for slot in outcome.cleared],
    )


def step_of(variant: Variant, event: Step | Revealed) -> Taken:
    """Converts an event into a step. Raises NotationError if the game has no such slot or face."""
    if isinstance(event, Revealed):
        return Taken(NOBODY, Phase.REVEAL, read_slot(variant, event.slot), read_face(variant, event.face))
    shown = event.went if event.phase == "place" else event.face
    face = HIDDEN if shown is None else read_face(variant, shown)
    return Taken(NOBODY, PHASES[event.phase], read_choice(variant, event.move), face)
