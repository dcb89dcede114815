"""Why a step cannot be: one sentence that names the player, the card, and the rule."""

from typing import Any

from .engine.chance import stock_bag
from .engine.replay import is_due
from .engine.state import DISCARD, HIDDEN, NOTHING, PASS, STOCK, THROW_AWAY, Phase
from .notation import Step, as_array, write_face, write_slot
from .variants import Variant


def objection(variant: Variant, state: Any, step: Step, player: str) -> str:
    """What speaks against a step that `engine.replay` refused. `player` is the name of who is on turn."""
    if not is_due(variant.rules, state, as_array([step])[0]):
        return against_move(variant, state, step, player)
    return against_card(variant, state, step)


def against_move(variant: Variant, state: Any, step: Step, player: str) -> str:
    """Why nobody may play that now, whatever the cards are."""
    phase = state.phase
    if phase == Phase.OVER:
        return "The hole is over: every card has been turned up (4.3)."
    if phase == Phase.REVEAL:
        return "Everybody has had the last turn: now the face-down cards are turned up (4.2, 4.3)."
    if state.awaited != NOTHING:
        return "The card about to be shown has to be named first."
    if phase == Phase.TEE_OFF and step.phase != Phase.TEE_OFF:
        return f"{player} tees off first: {variant.rules.tee_off} cards are turned up, one after the other (2.4)."
    if phase == Phase.TEE_OFF:
        return f"{player} cannot tee off with {slot_name(variant, step)}: it lies face up already (2.4)."
    if step.phase == Phase.TEE_OFF:
        return f"{player} has teed off already, and now takes a card from the stock or the discard pile (2.4, 3.1)."
    if phase == Phase.TAKE and step.phase == Phase.FLIP:
        return f"{player} turns nothing up after throwing a card away on a last turn (4.2)."
    if phase == Phase.TAKE:
        return f"{player} first takes the top card of the stock or of the discard pile (3.1)."
    if phase == Phase.PLACE and step.move == THROW_AWAY and not variant.rules.may_throw_away:
        return f"{player} may not throw the card away: in {variant.title} a taken card must be placed (3.3)."
    if phase == Phase.PLACE and step.move == THROW_AWAY:
        return f"{player} may not throw away a card taken from the discard pile (3.5)."
    if phase == Phase.PLACE:
        return f"{player} holds a card that must be placed or thrown away first (3.2, 3.3)."
    if step.move == PASS:
        return f"{player} must turn up a face-down card after throwing one away; {who_may_pass(variant)}"
    if step.phase == Phase.FLIP:
        return f"{player} cannot turn up {slot_name(variant, step)}: it lies face up already (3.3)."
    return f"{player} has thrown a card away and now turns up a face-down one (3.3)."


def who_may_pass(variant: Variant) -> str:
    if variant.rules.may_leave_last:
        return "only the very last one may stay face down (3.3, 3.4)."
    return f"in {variant.title} even the last one (3.3, 3.4)."


def against_card(variant: Variant, state: Any, step: Step) -> str:
    """Why the card cannot be what the step says."""
    face = write_face(variant, step.face)
    if step.move == PASS:
        return f"No card is shown when the last one stays face down (3.4), so it cannot be a {face}."
    if step.move == DISCARD:
        return f"The top card of the discard pile is {write_face(variant, state.discard)}, not {face} (3.1)."
    if step.move == THROW_AWAY:
        return f"The card in hand is {write_face(variant, state.held)}, not {face} (3.3)."
    if step.move == STOCK:
        left = stock_bag(state)
    else:
        lying = state.players[state.turn].layout[step.move]
        if lying != HIDDEN:
            return f"On {slot_name(variant, step)} lies {write_face(variant, lying)}, not {face} (3.2)."
        left = state.unseen
    assert left[step.face] == 0
    if step.move == STOCK and state.renewed:
        return f"No {face} can come from the stock: the discards it was made of have no {face} left (2.6)."
    return f"No {face} can come: the pack has {variant.rules.copies[step.face]}, and all have been seen (1.2)."


def slot_name(variant: Variant, step: Step) -> str:
    return write_slot(variant, step.move)
