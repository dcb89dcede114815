"""Describes the moves played in words, and returns an earlier state of a hole."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mulligan.engine.state import DISCARD_DRAWN, NOBODY, PASS, STOCK, Phase
from mulligan.game.hole import Hole
from mulligan.game.notation import Step, as_array, name_of_pass, write_face, write_slot
from mulligan.game.variants import Variant
from mulligan.game.words import Words

PASSED = {"knock": "knocked", "decline": "declined"}


@dataclass
class Event:
    """One move in words, its seat, and the slots it changed."""

    seat: int
    words: str
    slots: set[int] = field(default_factory=set)


def tell(words: Words, hole: Hole, names: Sequence[str], since: int = 0) -> list[Event]:
    """Describes the steps of a hole from number `since` on: the tee-off, one move per turn, the reveal.

    `names` are in seat order.
    """
    events: list[Event] = []
    variant = hole.variant
    for same in in_parts(hole.steps[since:]):
        seat, phase = same[0].seat, same[0].phase
        if phase == Phase.TEE_OFF:
            text = words("terminal_turned_up", name=names[seat], list=tell_cards(words, variant, same))
        elif phase == Phase.REVEAL:
            text = words("table_ev_revealed", name=names[seat], list=tell_cards(words, variant, same))
        elif phase == Phase.TAKE:
            text = tell_turn(words, hole, same, names[seat])
        else:
            continue
        slots = {step.move for step in same if 0 <= step.move < variant.rules.slots}
        events.append(Event(seat, words.sentences(text), slots))
    return events


def in_parts(steps: Sequence[Step]) -> list[list[Step]]:
    """Groups the steps of a turn, and the cards that one player turns up together."""
    parts: list[list[Step]] = []
    for step in steps:
        before = parts[-1][-1] if parts else None
        goes_on = step.phase in (Phase.PLACE, Phase.FLIP)
        if before and before.seat == step.seat and (goes_on or before.phase == step.phase != Phase.TAKE):
            parts[-1].append(step)
        else:
            parts.append([step])
    return parts


def tell_cards(words: Words, variant: Variant, steps: list[Step]) -> str:
    cards = [(write_slot(variant, step.move), write_face(variant, step.face)) for step in steps]
    return words.listed([words("table_ev_slot_face", slot=slot, face=words.face(face)) for slot, face in cards])


def tell_turn(words: Words, hole: Hole, steps: list[Step], name: str) -> str:
    """Describes a turn, or its steps so far."""
    variant = hole.variant
    take, *rest = steps
    if take.move == PASS:
        closer = hole.sight.closer
        before = NOBODY if closer == take.seat else closer  # the closer has no more turns (4.1), so this was the knock
        return words(f"table_ev_{PASSED[name_of_pass(before)]}", name=name)
    card = words.the_face(write_face(variant, take.face))
    if not rest:
        return words("table_ev_drew_stock" if take.move == STOCK else "table_ev_took_discard", name=name, card=card)
    place, *flip = rest
    if place.move != DISCARD_DRAWN:
        went, slot = words.the_face(write_face(variant, place.face)), write_slot(variant, place.move)
        verb = "drew" if take.move == STOCK else "took"
        return words(f"terminal_{verb}_for", name=name, card=card, slot=slot, went=went)
    if not flip:
        return words("terminal_discarded", name=name, card=card)
    if flip[0].move == PASS:
        return words("terminal_discarded_left", name=name, card=card)
    slot, face = write_slot(variant, flip[0].move), words.face(write_face(variant, flip[0].face))
    return words("terminal_discarded_turned", name=name, card=card, slot=slot, face=face)


def since_last_turn(steps: Sequence[Step], seat: int) -> int:
    """Returns the number of the step at which a seat's previous turn began, or 0."""
    number = len(steps)
    for mine in (True, False, True):  # my current turn, the others' turns before it, my previous turn
        while number and (steps[number - 1].seat == seat) == mine and steps[number - 1].phase != Phase.DEAL:
            number -= 1
    return number


def hole_after(hole: Hole, steps: Sequence[Step]) -> Hole:
    """Returns a copy of the hole after these of its steps."""
    state = hole.state
    earlier = Hole(hole.variant, int(state.seats), int(state.dealer))
    earlier.take(as_array(steps))
    return earlier


def has_shown_nothing(steps: Sequence[Step]) -> bool:
    """Returns whether the last step revealed no card, so the player may take it back."""
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
    return last.move == DISCARD_DRAWN or lay_open
