"""What a person may type in a turn, and what it means."""

import re

from ..engine.moves import may_pass
from ..engine.state import DISCARD, HIDDEN, NOBODY, PASS, STOCK, THROW_AWAY, Phase, is_hidden, is_last_turn
from ..game import Hole
from ..inert import inert
from ..notation import SLOT, NotationError, Step, read_slot, write_face, write_slot
from ..objections import objection
from ..variants import Variant
from .story import hole_after

KEYS = {"stock": "s", "discard": "d", "discardpile": "d", "pass": "-"}
DASHES = str.maketrans("–—−", "---")

HELP = {
    "s": "take the top card of the stock",
    "d": "take the top card of the discard pile",
    "b2": "your slot b2: turn it up, or put the card in your hand there",
    "-": "throw the card in your hand away; or leave your last card face down",
    "undo": "take your move back, as long as it has shown no new card",
    "?": "read the rule for what you may do now; ? 3.4 reads rule 3.4",
    "card": "show the score card",
    "quit": "leave; the game is kept, and mulligan play --resume goes on with it",
}
MORE_HELP = """
You can type a whole move as well: d b2 takes from the discard pile and puts the card on b2, \
- b2 throws the card away and turns b2 up. So are moves written down, D>b2 and S-b2; \
capitals and blanks do not matter."""


class Misread(ValueError):
    """An entry that is no move now; the message says why, and the question that follows what is."""


def read_entry(hole: Hole, text: str) -> list[int]:
    """The moves an entry stands for, all of them legal one after the other. Raises Misread."""
    typed = "".join(text.split()).lower().translate(DASHES)
    typed = KEYS.get(typed, typed)
    phase = hole.state.phase
    if phase == Phase.TEE_OFF:
        return read_tee_off(hole, typed)
    if phase == Phase.TAKE:
        moves = read_take(hole.variant, typed)
    elif phase == Phase.PLACE:
        moves = read_place(hole, typed)
    else:
        moves = read_flip(hole.variant, typed)
    check(hole, moves)
    return moves


def read_tee_off(hole: Hole, typed: str) -> list[int]:
    """One slot, or all that are still to be turned up (2.4)."""
    if re.fullmatch(rf"[sd>-]([>-]?{SLOT})?-?", typed):
        raise Misread("First you tee off, and then you take a card (2.4, 3.1).")
    if not re.fullmatch(rf"(?:{SLOT}[=,;+]?)+", typed):
        raise not_understood(typed)
    slots = [slot_of(hole.variant, name) for name in re.findall(SLOT, typed)]
    left = to_tee_off(hole)
    if len(slots) > left or len(set(slots)) < len(slots):
        raise Misread(f"You turn up {left} more {'card' if left == 1 else 'different cards'} (2.4).")
    for slot in slots:
        check(hole, [slot])
    return slots


def read_take(variant: Variant, typed: str) -> list[int]:
    match = re.fullmatch(rf"([sd])(?:>?({SLOT})|(-).*)?", typed)
    if match and match[1] == "s":
        if match[2] or match[3]:
            raise Misread("First look at the card: type s alone, and then where it goes (3.1).")
        return [STOCK]
    if match:
        place = [slot_of(variant, match[2])] if match[2] else [THROW_AWAY] if match[3] else []
        return [DISCARD, *place]
    if re.fullmatch(rf"[>-]*({SLOT})?", typed):
        raise Misread("First you take a card (3.1).")
    raise not_understood(typed)


def read_place(hole: Hole, typed: str) -> list[int]:
    if match := re.fullmatch(rf">?({SLOT})", typed):
        return [slot_of(hole.variant, match[1])]
    if typed in ("s", "d"):
        raise Misread(f"You have a card in your hand already, the {write_face(hole.variant, hole.state.held)} (3.2).")
    match = re.fullmatch(rf"-(?:(-)|({SLOT}))?", typed)
    if not match:
        raise not_understood(typed)
    more = [PASS] if match[1] else [slot_of(hole.variant, match[2])] if match[2] else []
    if more and is_last_turn(hole.state) and hole.variant.rules.may_throw_away and hole.state.held_from_stock:
        raise Misread("On a last turn you turn nothing up after throwing a card away: type - alone (4.2).")
    return [THROW_AWAY, *more]


def read_flip(variant: Variant, typed: str) -> list[int]:
    if match := re.fullmatch(rf"-?({SLOT})=?", typed):
        return [slot_of(variant, match[1])]
    if typed in ("-", "--"):
        return [PASS]
    if typed in ("s", "d"):
        raise Misread("You have taken a card already, and threw it away (3.3).")
    raise not_understood(typed)


def check(hole: Hole, moves: list[int]) -> None:
    """Tries the moves on a hole of its own; only the last of them may show a card. Raises Misread."""
    trial = hole_after(hole, hole.steps)
    for move in moves:
        if move not in trial.legal_moves():
            step = Step(NOBODY, int(trial.state.phase), move, HIDDEN)
            raise Misread(objection(hole.variant, trial.state, step, "You"))
        trial.play(move)


def slot_of(variant: Variant, name: str) -> int:
    try:
        return read_slot(variant, name)
    except NotationError as error:
        raise Misread(str(error)) from None


def not_understood(typed: str) -> Misread:
    if not typed:
        return Misread("Nothing was typed.")
    shown = inert(typed, 20)
    return Misread(f"“{shown}” is not a move (help lists what you can type).")


def question(hole: Hole, name: str, is_alone: bool) -> str:
    """What is asked of the person on turn, with all that may be typed."""
    variant, state = hole.variant, hole.state
    if state.phase == Phase.TEE_OFF:
        return ask_tee_off(hole, name)
    if state.phase == Phase.TAKE:
        turn = "last turn" if is_last_turn(state) else "turn"
        alone = f"Your {turn}." if name == "You" else f"Your {turn}, {name}."
        whose = alone if is_alone else f"{name}, it is your {turn}."
        pile = write_face(variant, state.discard)
        return f"{whose} Take from the stock (s) or the {pile} from the discard pile (d)?"
    held = write_face(variant, state.held)
    if state.phase == Phase.PLACE:
        where = f"Where do you put the {held}? Type a slot, {slots_in_words(variant)}"
        if state.held_from_stock and variant.rules.may_throw_away:
            return f"{where}, or - to throw it away."
        return f"{where}{'' if state.held_from_stock else ' (or undo, to put it back)'}."
    hidden = hidden_slots(hole)
    thrown = f"The {write_face(variant, state.discard)} is thrown away."
    if may_pass(variant.rules, state.players[state.turn]):
        return f"{thrown} Turn up your last card ({hidden[0]}), or leave it hidden (-)?"
    return f"{thrown} Now turn up one of your cards: {' '.join(hidden)}."


def ask_tee_off(hole: Hole, name: str) -> str:
    left, whole = to_tee_off(hole), int(hole.variant.rules.tee_off)
    if left == whole:
        who = "Tee off" if name == "You" else f"{name}, tee off"
        return f"{who}: turn up {whole} of your cards. Which one first? Type its name, such as {hidden_slots(hole)[0]}."
    return f"Which card {'next' if left > 1 else 'last'}? ({' '.join(hidden_slots(hole))})"


def to_tee_off(hole: Hole) -> int:
    """How many cards the player on turn still turns up before playing (2.4)."""
    rules = hole.variant.rules
    return int(hole.state.players[hole.turn].hidden - (rules.slots - rules.tee_off))


def hidden_slots(hole: Hole) -> list[str]:
    player = hole.state.players[hole.turn]
    return [write_slot(hole.variant, slot) for slot in range(hole.variant.rules.slots) if is_hidden(player, slot)]


def slots_in_words(variant: Variant) -> str:
    return f"{write_slot(variant, 0)} to {write_slot(variant, variant.rules.slots - 1)}"


def rule_in_question(hole: Hole) -> list[str]:
    """The numbers of the rules about what the player on turn does now."""
    state = hole.state
    if state.phase == Phase.TEE_OFF:
        return ["2.4"]
    last = ["4.2"] if is_last_turn(state) else []
    if state.phase == Phase.TAKE:
        return ["3.1", *last]
    if state.phase == Phase.PLACE:
        return ["3.2", "3.3" if state.held_from_stock else "3.5", *last]
    return ["3.4" if may_pass(hole.variant.rules, state.players[state.turn]) else "3.3"]
