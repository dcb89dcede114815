"""What has been played, told in words; and taken back, as long as it has shown nobody anything."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..engine.state import PASS, STOCK, THROW_AWAY, Phase
from ..game import Hole
from ..notation import Step, as_array, write_face, write_slot
from ..variants import Variant


@dataclass
class Event:
    """One move in words, whose it was, and the slots where it changed something."""

    seat: int
    words: str
    slots: set[int] = field(default_factory=set)


def tell(variant: Variant, steps: Sequence[Step], names: Sequence[str]) -> list[Event]:
    """Steps as sentences: the first cards turned up, one move a turn, the reveal. `names` go by seat."""
    events: list[Event] = []
    for same in in_parts(steps):
        seat, phase = same[0].seat, same[0].phase
        if phase == Phase.TEE_OFF:
            words = f"turned up: {tell_cards(variant, same)}"
        elif phase == Phase.REVEAL:
            words = f"turned up at the end: {tell_cards(variant, same)}"
        elif phase == Phase.TAKE:
            words = tell_turn(variant, same)
        else:
            continue
        slots = {step.move for step in same if 0 <= step.move < variant.rules.slots}
        events.append(Event(seat, f"{names[seat]} {words}.", slots))
    return events


def in_parts(steps: Sequence[Step]) -> list[list[Step]]:
    """Steps in what is told together: a whole turn, or all the cards that somebody turns up."""
    parts: list[list[Step]] = []
    for step in steps:
        before = parts[-1][-1] if parts else None
        goes_on = step.phase in (Phase.PLACE, Phase.FLIP)
        if before and before.seat == step.seat and (goes_on or before.phase == step.phase != Phase.TAKE):
            parts[-1].append(step)
        else:
            parts.append([step])
    return parts


def tell_cards(variant: Variant, steps: list[Step]) -> str:
    return ", ".join(f"{write_slot(variant, step.move)} is {write_face(variant, step.face)}" for step in steps)


def tell_turn(variant: Variant, steps: list[Step]) -> str:
    """A turn, or as much of it as has been played."""
    take, *rest = steps
    card = f"{write_face(variant, take.face)} from the {'stock' if take.move == STOCK else 'discard pile'}"
    if not rest:
        return f"took {card}"
    place, *flip = rest
    slot = flip[0].move if flip else place.move
    if place.move != THROW_AWAY:
        return f"put {card} on {write_slot(variant, slot)}; {write_face(variant, place.face)} went away"
    if not flip:
        return f"threw away {card}"
    if slot == PASS:
        return f"threw away {card}, left the last card hidden"
    return f"threw away {card}, turned up {write_slot(variant, slot)}: {write_face(variant, flip[0].face)}"


def since_last_turn(steps: Sequence[Step], seat: int) -> int:
    """Where a seat's turn before the present one began: the number of that step, or 0."""
    number = len(steps)
    for mine in (True, False, True):  # what I have done now, what the others did before, my turn before that
        while number and (steps[number - 1].seat == seat) == mine and steps[number - 1].phase != Phase.DEAL:
            number -= 1
    return number


def hole_after(hole: Hole, steps: Sequence[Step]) -> Hole:
    """The same hole as it was after these of its steps."""
    state = hole.state
    earlier = Hole(hole.variant, int(state.seats), int(state.dealer))
    earlier.take(as_array(steps))
    return earlier


def has_shown_nothing(steps: Sequence[Step]) -> bool:
    """Whether the last step turned no card up, so that it can be taken back without harm to anybody."""
    if not steps:
        return False
    last = steps[-1]
    if last.phase == Phase.TAKE:
        return last.move != STOCK
    if last.phase == Phase.FLIP:
        return last.move == PASS
    if last.phase != Phase.PLACE:
        return False
    lay_open = any(step.seat == last.seat and step.move == last.move for step in steps[:-1])
    return last.move == THROW_AWAY or lay_open
