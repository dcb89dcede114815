"""Reads what a player types and turns it into moves."""

import re
from dataclasses import dataclass

from mulligan.engine.moves import ends_turn_by_discarding, may_pass
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, NOBODY, PASS, STOCK, Phase, is_hidden, is_last_turn
from mulligan.game.hole import Hole
from mulligan.game.notation import SLOT, NotationError, Step, name_of_pass, read_slot, write_face, write_slot
from mulligan.game.objections import Objection, in_words, object_to
from mulligan.game.typed_text import joined, shown
from mulligan.game.words import Words

from .history import hole_after

KEYS = {"stock": "s", "discard": "d", "discardpile": "d", "pass": "-", "skip": "-", "decline": "-", "knock": "-"}

RETURN = "mulligan play --resume"  # the command that continues a game


class Misread(ValueError):
    """Input that is not a legal move; the message says why, and the next question lists the legal input."""


def help_on(words: Words) -> tuple[dict[str, str], str]:
    """Returns each possible input with its effect, and one more paragraph."""
    meanings = {
        "s": words("table_keys_stock"),
        "d": words("table_keys_discard"),
        "b2": words("terminal_help_slot", slot="b2"),
        "-": f"{words('table_keys_discard_drawn')} / {words('table_keys_leave')}",
        "undo": words("terminal_help_undo"),
        "?": words("terminal_help_rule", example="? 3.4", number="3.4"),
        "card": words("table_sc_title"),
        "quit": words("terminal_help_quit", command=RETURN),
    }
    return meanings, words(
        "terminal_help_more", take="d\N{NO-BREAK SPACE}b2", discard="-\N{NO-BREAK SPACE}b2", written="D>b2"
    )


@dataclass
class Entry:
    """The input of the player to move, their name, and the language of the answers."""

    words: Words
    hole: Hole
    name: str
    typed: str

    def moves(self) -> list[int]:
        """Returns the moves typed, each legal after the one before. Raises Misread."""
        phase = self.hole.state.phase
        if phase == Phase.TEE_OFF:
            return self.tee_off()
        moves = self.take() if phase == Phase.TAKE else self.place() if phase == Phase.PLACE else self.flip()
        self.check(moves)
        return moves

    def tee_off(self) -> list[int]:
        """Reads one slot, or all slots still to turn up (2.4). Raises Misread."""
        if re.fullmatch(rf"[sd>-]([>-]?{SLOT})?-?", self.typed):
            raise self.objection("tee_off_first", count=int(self.hole.variant.rules.tee_off))
        if not re.fullmatch(rf"(?:{SLOT}[=,;+]?)+", self.typed):
            raise self.not_understood()
        slots = [self.slot(name) for name in re.findall(SLOT, self.typed)]
        left = to_tee_off(self.hole)
        if len(slots) > left or len(set(slots)) < len(slots):
            raise Misread(self.words("terminal_tee_off_left", count=left))
        for slot in slots:
            self.check([slot])
        return slots

    def take(self) -> list[int]:
        """Reads a pile, or a whole move from the discard pile (3.1). Raises Misread."""
        match = re.fullmatch(rf"([sd])(?:>?({SLOT})|(-).*)?", self.typed)
        if match and match[1] == "s":
            if match[2] or match[3]:
                raise Misread(self.words("terminal_look_first", key="s"))
            return [STOCK]
        if match:
            place = [self.slot(match[2])] if match[2] else [DISCARD_DRAWN] if match[3] else []
            return [DISCARD, *place]
        if self.typed == "-":
            return [PASS]
        if self.typed and re.fullmatch(rf"[>-]*({SLOT})?", self.typed):
            raise self.objection("take_first")
        raise self.not_understood()

    def place(self) -> list[int]:
        """Reads the place for the card in hand (3.2, 3.3). Raises Misread."""
        if match := re.fullmatch(rf">?({SLOT})", self.typed):
            return [self.slot(match[1])]
        if self.typed in ("s", "d"):
            raise self.objection("place_first")
        match = re.fullmatch(rf"-(?:(-)|({SLOT}))?", self.typed)
        if not match:
            raise self.not_understood()
        more = [PASS] if match[1] else [self.slot(match[2])] if match[2] else []
        rules, state = self.hole.variant.rules, self.hole.state
        if more and may_discard(self.hole) and ends_turn_by_discarding(rules, state):
            raise self.objection("last_turn_over" if is_last_turn(state) else "discard_ends_turn")
        return [DISCARD_DRAWN, *more]

    def flip(self) -> list[int]:
        """Reads the card to turn up, or none (3.3, 3.4). Raises Misread."""
        if match := re.fullmatch(rf"-?({SLOT})=?", self.typed):
            return [self.slot(match[1])]
        if self.typed in ("-", "--"):
            return [PASS]
        if self.typed in ("s", "d"):
            raise self.objection("turn_up_now")
        raise self.not_understood()

    def check(self, moves: list[int]) -> None:
        """Tries the moves on a copy of the hole; only the last may reveal a card. Raises Misread."""
        trial = hole_after(self.hole, self.hole.steps)
        for move in moves:
            if move not in trial.legal_moves():
                step = Step(NOBODY, int(trial.state.phase), move, HIDDEN)
                raise Misread(in_words(self.words, object_to(trial.variant, trial.state, step, self.name)))
            trial.play(move)

    def slot(self, name: str) -> int:
        """Returns the number of the slot with that name. Raises Misread."""
        try:
            return read_slot(self.hole.variant, name)
        except NotationError as error:
            raise self.objection(error.key, **error.params) from None

    def objection(self, key: str, **params: str | int) -> Misread:
        return Misread(in_words(self.words, Objection(key, {"player": self.name, **params})))

    def not_understood(self) -> Misread:
        if not self.typed:
            return Misread(self.words("terminal_no_entry", help="help"))
        return Misread(self.words("terminal_not_a_move", typed=shown(self.typed), help="help"))


def read_entry(words: Words, hole: Hole, name: str, text: str) -> list[int]:
    """Reads the moves typed by the player to move, each legal after the one before. Raises Misread."""
    typed = joined(text)
    return Entry(words, hole, name, KEYS.get(typed, typed)).moves()


def question(words: Words, hole: Hole, name: str) -> str:
    """Returns the question to the person to move, with the possible input; the name is empty for a single person."""
    state = hole.state
    whose = words("table_name_your_turn", name=name) if name else words("table_your_turn")
    begins = state.phase == Phase.TAKE or (
        state.phase == Phase.TEE_OFF and to_tee_off(hole) == hole.variant.rules.tee_off
    )
    asked = words.sentences(*([whose] if begins else []), what_to_do(words, hole))
    return f"{asked}\n{'  '.join(keys_now(words, hole))}"


def what_to_do(words: Words, hole: Hole) -> str:
    """Names the legal moves in the words of the browser."""
    variant, state = hole.variant, hole.state
    if state.phase == Phase.TEE_OFF:
        return words("table_do_tee_off", count=to_tee_off(hole))
    if state.phase == Phase.TAKE:
        passing = passing_now(hole)
        more = f"_or_{passing}" if passing else ""
        return words(f"table_do_take{more}", card=words.the_face(write_face(variant, state.discard)))
    if state.phase == Phase.PLACE:
        card = words.the_face(write_face(variant, state.held))
        return words(f"table_do_place{'_or_discard' if may_discard(hole) else ''}", card=card)
    player = state.players[state.turn]
    if not may_pass(variant.rules, player):
        return words("table_do_flip")
    return words("table_do_flip_or_leave" if player.hidden == 1 else "table_do_flip_or_none")


def passing_now(hole: Hole) -> str:
    """Returns what passing means instead of taking a card: `knock` (3.8), `decline` (4.2), or nothing."""
    if PASS not in hole.legal_moves():
        return ""
    return name_of_pass(hole.state.closer)


def keys_now(words: Words, hole: Hole) -> list[str]:
    """Returns the input for each legal move."""
    variant, state = hole.variant, hole.state
    hidden = f"[{' '.join(hidden_slots(hole))}]"
    if state.phase == Phase.TEE_OFF:
        return [hidden]
    if state.phase == Phase.TAKE:
        passing = passing_now(hole)
        more = [f"[-] {words(f'table_act_{passing}')}"] if passing else []
        return [f"[d] {words('table_discard')}", f"[s] {words('table_stock')}", *more]
    if state.phase == Phase.PLACE:
        slots = f"[{write_slot(variant, 0)}–{write_slot(variant, variant.rules.slots - 1)}]"
        undo = [] if state.held_from_stock else [f"[undo] {words('table_act_take_back')}"]
        return [slots, *([f"[-] {words('table_act_discard')}"] if may_discard(hole) else undo)]
    leaving = may_pass(variant.rules, state.players[state.turn])
    return [hidden, *([f"[-] {words('table_act_leave')}"] if leaving else [])]


def may_discard(hole: Hole) -> bool:
    return bool(hole.state.held_from_stock and hole.variant.rules.may_discard_drawn)


def to_tee_off(hole: Hole) -> int:
    """Returns how many cards the player to move still turns up before playing (2.4)."""
    rules = hole.variant.rules
    return int(hole.state.players[hole.turn].hidden - (rules.slots - rules.tee_off))


def hidden_slots(hole: Hole) -> list[str]:
    player = hole.state.players[hole.turn]
    return [write_slot(hole.variant, slot) for slot in range(hole.variant.rules.slots) if is_hidden(player, slot)]


def rule_in_question(hole: Hole) -> list[str]:
    """Returns the numbers of the rules for the current phase of the turn."""
    state = hole.state
    if state.phase == Phase.TEE_OFF:
        return ["2.4"]
    last = ["4.2"] if is_last_turn(state) else []
    if state.phase == Phase.TAKE:
        return ["3.1", *(["3.8"] if passing_now(hole) == "knock" else last)]
    if state.phase == Phase.PLACE:
        return ["3.2", "3.3" if state.held_from_stock else "3.5", *last]
    return ["3.4" if may_pass(hole.variant.rules, state.players[state.turn]) else "3.3"]
