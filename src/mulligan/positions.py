"""A table set up as it lies, or one sentence on why no table can lie like that."""

from collections.abc import Sequence
from typing import Any

from .engine.compiled import fresh
from .engine.moves import deal
from .engine.state import HIDDEN, NOBODY, NOTHING, STATE, Phase, is_teeing_off
from .inert import inert
from .notation import NotationError, read_face, read_layout
from .variants import Variant

ENGLISH = {  # {player} is counted from 1
    "player_count": ("{title} is for {least} to {most} players (1.1), not {count}; give a layout for each of them."),
    "no_player": "There is no player {player}; {count} layouts were given.",
    "too_many": "There are {count} cards {face} on this table, and the pack has only {copies} (1.2).",
    "no_stock": "So many cards are on show that none is left for the stock (2.6).",
    "closer_hidden": "Player {player} cannot have closed with a card face down (4.1).",
    "who_closed": "More than one player has every card open; say who closed first (4.1).",
    "closer_on_turn": "Player {player} has closed, and has no turn any more (4.1, 4.2).",
    "had_last_turn": "Player {player} has every card open, and so has had the last turn (4.2).",
    "open_before_last_turn": "Player {player} has every card open, although the last turn is still to come (4.2).",
    "one_in_hand": ("The card in hand came from the stock or from the discard pile, or was thrown away; say one."),
    "tee_off_no_card": "Player {player} has not teed off, and so has no card in hand (2.4).",
    "tee_off_no_closer": "Player {player} has not teed off, so nobody can have closed (2.4).",
    "all_tee_off": "Player {player} has fewer than {count} cards open; everybody tees off first (2.4).",
    "must_place": "In {title} a card may not be thrown away: a taken one must be placed (3.3).",
    "last_turn_over": "After throwing a card away on a last turn nothing is turned up: it is over (4.2).",
    "no_turn": "Player {player} has every card open, and has no turn any more (4.1).",
}


class TableError(ValueError):
    """A table as it cannot lie, in one sentence; `key` and `params` say it to programs, players counted from 0."""

    def __init__(self, sentence: str, key: str, **params: str | int) -> None:
        super().__init__(sentence)
        self.key = key
        self.params = params


def fault(variant: Variant, key: str, **params: str | int) -> TableError:
    said = params | ({"player": int(params["player"]) + 1} if "player" in params else {})
    return TableError(ENGLISH[key].format(**said, title=variant.title), key, **params)


def set_table(
    variant: Variant,
    layouts: Sequence[str],
    discard: str,
    turn: int = 0,
    held: str | None = None,
    taken: bool = False,
    thrown_away: bool = False,
    closer: int | None = None,
    gone: Sequence[str] = (),
) -> Any:
    """The state of a table that lies like that, seats counted from 0. Raises TableError.

    `held` is the card just drawn from the stock. `taken` says that the card in hand is the top one of
    the discard pile, `thrown_away` that this is the card just drawn and thrown away. `gone` are cards
    known to lie further down in the pile; all others that are not on show count as unseen.
    """
    rules = variant.rules
    if len(layouts) not in variant.seats:
        least, most = variant.seats[0], variant.seats[-1]
        raise fault(variant, "player_count", least=least, most=most, count=len(layouts))
    for seat in (turn, *([] if closer is None else [closer])):
        if not 0 <= seat < len(layouts):
            raise fault(variant, "no_player", player=seat, count=len(layouts))
    state: Any = fresh(STATE)
    deal(rules, state, len(layouts), (turn - 1) % len(layouts))
    state.awaited = NOTHING
    state.turn = turn
    on_show = [face for seat, text in enumerate(layouts) for face in lay(variant, state, seat, text)]
    on_show += [face_of(variant, "card that is gone", face) for face in gone]
    state.discard = face_of(variant, "discard", discard)
    on_show.append(int(state.discard))
    if held is not None:
        state.held = face_of(variant, "card in hand", held)
        on_show.append(int(state.held))
    count_cards(variant, state, on_show)
    state.closer = find_closer(variant, state, closer)
    begin_turn(variant, state, taken, thrown_away)
    return state


def face_of(variant: Variant, name: str, text: str) -> int:
    try:
        return read_face(variant, text)
    except NotationError as error:
        raise TableError(f"The {name}: {error}", error.key, **error.params) from None


def lay(variant: Variant, state: Any, seat: int, text: str) -> list[int]:
    """Lays a player's cards, and returns those that are open."""
    try:
        layout = read_layout(variant, text)
    except NotationError as error:
        sentence = f"The layout of player {seat + 1} ({inert(text, 60)}): {error}"
        raise TableError(sentence, error.key, **error.params, player=seat) from None
    player = state.players[seat]
    for slot in range(variant.rules.slots):
        player.layout[slot] = layout[slot]
    cards = [int(face) for face in layout if face != HIDDEN]
    player.hidden = variant.rules.slots - len(cards)
    return cards


def count_cards(variant: Variant, state: Any, on_show: list[int]) -> None:
    """Takes the cards on show out of the pack (1.2), and leaves a stock of what is neither there nor dealt."""
    for face in sorted(set(on_show)):
        copies, shown = int(variant.rules.copies[face]), on_show.count(face)
        if shown > copies:
            raise fault(variant, "too_many", face=variant.faces[face], count=shown, copies=copies)
        state.unseen[face] -= shown
    hidden = sum(int(state.players[seat].hidden) for seat in range(state.seats))
    state.stock_left = sum(state.unseen.tolist()) - hidden
    if state.stock_left < 1:
        raise fault(variant, "no_stock")


def find_closer(variant: Variant, state: Any, closer: int | None) -> int:
    """Who has closed: as told, or the one player whose cards all lie open (4.1)."""
    opened = [seat for seat in range(state.seats) if state.players[seat].hidden == 0]
    if closer is not None and closer not in opened:
        raise fault(variant, "closer_hidden", player=closer)
    if closer is None and len(opened) > 1:
        raise fault(variant, "who_closed")
    if closer is None:
        closer = opened[0] if opened else NOBODY
    if closer == state.turn:
        raise fault(variant, "closer_on_turn", player=closer)
    if closer != NOBODY and state.turn in opened:
        raise fault(variant, "had_last_turn", player=int(state.turn))
    for seat in opened:
        if closer not in (seat, NOBODY) and (seat - closer) % state.seats > (state.turn - closer) % state.seats:
            raise fault(variant, "open_before_last_turn", player=seat)
    return closer


def begin_turn(variant: Variant, state: Any, taken: bool, thrown_away: bool) -> None:
    """How far the turn has come: teeing off, taking a card, placing it, or turning one up instead."""
    rules, player = variant.rules, state.players[state.turn]
    in_hand = [state.held != HIDDEN, taken, thrown_away].count(True)
    if in_hand > 1:
        raise fault(variant, "one_in_hand")
    teeing_off = [seat for seat in range(state.seats) if is_teeing_off(rules, state.players[seat])]
    if state.turn in teeing_off:
        if in_hand:
            raise fault(variant, "tee_off_no_card", player=int(state.turn))
        if state.closer != NOBODY and rules.tee_off_before_play:
            raise fault(variant, "tee_off_no_closer", player=int(state.turn))
        state.phase = Phase.TEE_OFF
    elif teeing_off and rules.tee_off_before_play:
        raise fault(variant, "all_tee_off", player=teeing_off[0], count=int(rules.tee_off))
    elif thrown_away:
        if not rules.may_throw_away:
            raise fault(variant, "must_place")
        if state.closer != NOBODY:
            raise fault(variant, "last_turn_over")
        state.phase = Phase.FLIP
    elif in_hand:
        state.held_from_stock = not taken
        state.held = state.discard if taken else state.held
        state.phase = Phase.PLACE
    else:
        state.phase = Phase.TAKE
    state.turns = max(1, rounds_begun(variant, state)) * state.seats
    if player.hidden == 0:
        raise fault(variant, "no_turn", player=int(state.turn))


def rounds_begun(variant: Variant, state: Any) -> int:
    """About how many rounds have been played: a turn opens one card at most."""
    fewest = min(int(state.players[seat].hidden) for seat in range(state.seats))
    return int(variant.rules.slots) - fewest - int(variant.rules.tee_off) + 1
