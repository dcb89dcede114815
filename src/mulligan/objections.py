"""Why a step cannot be: what speaks against it, and one sentence that names the player, the card, and the rule."""

from typing import Any, NamedTuple

from .engine.chance import stock_bag
from .engine.replay import is_due
from .engine.state import DISCARD, HIDDEN, NOTHING, PASS, STOCK, THROW_AWAY, Phase
from .notation import Step, as_array, write_face, write_slot
from .variants import Variant

ENGLISH = {
    "hole_over": "The hole is over: every card has been turned up (4.3).",
    "reveal": "Everybody has had the last turn: now the face-down cards are turned up (4.2, 4.3).",
    "card_awaited": "The card about to be shown has to be named first.",
    "tee_off_first": "{player} tees off first: {count} cards are turned up, one after the other (2.4).",
    "tee_off_open": "{player} cannot tee off with {slot}: it lies face up already (2.4).",
    "teed_off": "{player} has teed off already, and now takes a card from the stock or the discard pile (2.4, 3.1).",
    "last_turn_over": "{player} turns nothing up after throwing a card away on a last turn (4.2).",
    "take_first": "{player} first takes the top card of the stock or of the discard pile (3.1).",
    "must_place": "{player} may not throw the card away: in {title} a taken card must be placed (3.3).",
    "discard_must_place": "{player} may not throw away a card taken from the discard pile (3.5).",
    "place_first": "{player} holds a card that must be placed or thrown away first (3.2, 3.3).",
    "must_turn_up": (
        "{player} must turn up a face-down card after throwing one away; "
        "only the very last one may stay face down (3.3, 3.4)."
    ),
    "must_turn_up_all": (
        "{player} must turn up a face-down card after throwing one away; in {title} even the last one (3.3, 3.4)."
    ),
    "turned_up": "{player} cannot turn up {slot}: it lies face up already (3.3).",
    "turn_up_now": "{player} has thrown a card away and now turns up a face-down one (3.3).",
    "pass_shows": "No card is shown when the last one stays face down (3.4), so it cannot be a {face}.",
    "other_discard": "The top card of the discard pile is {lying}, not {face} (3.1).",
    "other_held": "The card in hand is {lying}, not {face} (3.3).",
    "other_card": "On {slot} lies {lying}, not {face} (3.2).",
    "not_in_stock": "No {face} can come from the stock: the discards it was made of have no {face} left (2.6).",
    "all_seen": "No {face} can come: the pack has {copies}, and all have been seen (1.2).",
}


class Objection(NamedTuple):
    """What speaks against a step: a key of ENGLISH, and what its sentence names."""

    key: str
    params: dict[str, str | int]


def objection(variant: Variant, state: Any, step: Step, player: str) -> str:
    """What speaks against a step that `engine.replay` refused, in English. `player` is the name of who is on turn."""
    return in_english(variant, object_to(variant, state, step, player))


def in_english(variant: Variant, against: Objection) -> str:
    return ENGLISH[against.key].format(**against.params, title=variant.title)


def object_to(variant: Variant, state: Any, step: Step, player: str) -> Objection:
    """What speaks against a step that `engine.replay` refused. `player` is the name of who is on turn."""
    if not is_due(variant.rules, state, as_array([step])[0]):
        return against_move(variant, state, step, player)
    return against_card(variant, state, step)


def against_move(variant: Variant, state: Any, step: Step, player: str) -> Objection:
    """Why nobody may play that now, whatever the cards are."""
    phase, rules = state.phase, variant.rules
    if phase == Phase.OVER:
        return Objection("hole_over", {})
    if phase == Phase.REVEAL:
        return Objection("reveal", {})
    if state.awaited != NOTHING:
        return Objection("card_awaited", {})
    if phase == Phase.TEE_OFF and step.phase != Phase.TEE_OFF:
        return Objection("tee_off_first", {"player": player, "count": int(rules.tee_off)})
    if phase == Phase.TEE_OFF:
        return Objection("tee_off_open", {"player": player, "slot": slot_name(variant, step)})
    if step.phase == Phase.TEE_OFF:
        return Objection("teed_off", {"player": player})
    if phase == Phase.TAKE and step.phase == Phase.FLIP:
        return Objection("last_turn_over", {"player": player})
    if phase == Phase.TAKE:
        return Objection("take_first", {"player": player})
    if phase == Phase.PLACE and step.move == THROW_AWAY:
        return Objection("discard_must_place" if rules.may_throw_away else "must_place", {"player": player})
    if phase == Phase.PLACE:
        return Objection("place_first", {"player": player})
    if step.move == PASS:
        return Objection("must_turn_up" if rules.may_leave_last else "must_turn_up_all", {"player": player})
    if step.phase == Phase.FLIP:
        return Objection("turned_up", {"player": player, "slot": slot_name(variant, step)})
    return Objection("turn_up_now", {"player": player})


def against_card(variant: Variant, state: Any, step: Step) -> Objection:
    """Why the card cannot be what the step says."""
    face = write_face(variant, step.face)
    if step.move == PASS:
        return Objection("pass_shows", {"face": face})
    if step.move == DISCARD:
        return Objection("other_discard", {"face": face, "lying": write_face(variant, state.discard)})
    if step.move == THROW_AWAY:
        return Objection("other_held", {"face": face, "lying": write_face(variant, state.held)})
    if step.move == STOCK:
        left = stock_bag(state)
    else:
        lying = state.players[state.turn].layout[step.move]
        if lying != HIDDEN:
            slot, there = slot_name(variant, step), write_face(variant, lying)
            return Objection("other_card", {"slot": slot, "lying": there, "face": face})
        left = state.unseen
    assert left[step.face] == 0
    if step.move == STOCK and state.renewed:
        return Objection("not_in_stock", {"face": face})
    return Objection("all_seen", {"face": face, "copies": int(variant.rules.copies[step.face])})


def slot_name(variant: Variant, step: Step) -> str:
    return write_slot(variant, step.move)
