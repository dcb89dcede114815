"""Explains why a step is illegal: a key, with the player, the card and the slot."""

from typing import Any, NamedTuple

from mulligan.engine.chance import stock_bag
from mulligan.engine.replay import is_due
from mulligan.engine.rules import TeeOff
from mulligan.engine.state import (
    DISCARD,
    DISCARD_DRAWN,
    HIDDEN,
    NOTHING,
    PASS,
    STOCK,
    Phase,
    is_hidden,
    is_last_turn,
)

from .error_sentences import sentence
from .notation import Step, as_array, write_face, write_slot
from .variants import Variant
from .words import Words


class Objection(NamedTuple):
    """Why a step is illegal: a key, and the parameters of its sentence (`error_sentences.sentence`)."""

    key: str
    params: dict[str, str | int]


def in_words(words: Words, against: Objection) -> str:
    """Returns the sentence in a language, from the browser's messages."""
    return sentence(words, "wrong", against.key, against.params)


def object_to(variant: Variant, state: Any, step: Step, player: str) -> Objection:
    """Returns why `engine.replay` refused a step. `player` is the name of the player to move."""
    if not is_due(variant.rules, state, as_array([step])[0]):
        return against_move(variant, state, step, player)
    return against_card(variant, state, step)


def against_move(variant: Variant, state: Any, step: Step, player: str) -> Objection:
    """Returns why the move is illegal now, independent of the card."""
    phase, rules = state.phase, variant.rules
    if phase == Phase.OVER:
        return Objection("hole_over", {})
    if phase == Phase.REVEAL:
        return Objection("reveal", {})
    if state.awaited != NOTHING:
        return Objection("card_awaited", {})
    if phase == Phase.TEE_OFF and step.phase != Phase.TEE_OFF:
        return Objection("tee_off_first", {"player": player, "count": int(rules.tee_off)})
    if phase == Phase.TEE_OFF and is_hidden(state.players[state.turn], step.move):
        return Objection(f"tee_off_{TeeOff(int(rules.tee_off_place)).name.lower()}", {"player": player})
    if phase == Phase.TEE_OFF:
        return Objection("tee_off_open", {"player": player, "slot": slot_name(variant, step)})
    if step.phase == Phase.TEE_OFF:
        return Objection("teed_off", {"player": player})
    if phase == Phase.TAKE and step.phase == Phase.FLIP:
        return Objection("last_turn_over" if is_last_turn(state) else "discard_ends_turn", {"player": player})
    if phase == Phase.TAKE and step.move == PASS and rules.knock and not is_last_turn(state):
        return Objection("knock_later", {"player": player, "count": int(rules.knock)})
    if phase == Phase.TAKE and step.move == PASS:
        return Objection("only_last_turn" if rules.may_decline_last_turn else "must_play", {"player": player})
    if phase == Phase.TAKE:
        return Objection("take_first", {"player": player})
    if phase == Phase.PLACE and step.move == DISCARD_DRAWN:
        return Objection("discard_must_place" if rules.may_discard_drawn else "must_place", {"player": player})
    if phase == Phase.PLACE and step.phase == Phase.PLACE:
        return Objection("cleared", {"player": player, "slot": slot_name(variant, step)})
    if phase == Phase.PLACE:
        return Objection("place_first", {"player": player})
    if step.move == PASS:
        return Objection("must_turn_up" if rules.may_leave_last else "must_turn_up_all", {"player": player})
    if step.phase == Phase.FLIP:
        return Objection("turned_up", {"player": player, "slot": slot_name(variant, step)})
    return Objection("turn_up_now", {"player": player})


def against_card(variant: Variant, state: Any, step: Step) -> Objection:
    """Returns why the step cannot show that card."""
    face = write_face(variant, step.face)
    if step.move == PASS:
        return Objection("pass_shows", {"face": face})
    if step.move == DISCARD:
        return Objection("other_discard", {"face": face, "lying": write_face(variant, state.discard)})
    if step.move == DISCARD_DRAWN:
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
