"""Builds a position from its visible cards, or says why it is impossible."""

from collections.abc import Sequence
from typing import Any

from mulligan.engine.compiled import fresh
from mulligan.engine.moves import deal, ends_turn_by_discarding
from mulligan.engine.state import HIDDEN, NOBODY, NOTHING, STATE, Phase, is_last_turn, is_teeing_off

from .error_sentences import Problem
from .notation import NotationError, read_face, read_layout
from .variants import Variant, for_seats


class TableError(Problem):
    """An impossible position; players are counted from 0."""


def fault(key: str, **params: str | int) -> TableError:
    return TableError(key, "table", **params)


def set_table(
    variant: Variant,
    layouts: Sequence[str],
    discard: str,
    turn: int = 0,
    held: str | None = None,
    taken: bool = False,
    discarded: bool = False,
    closer: int | None = None,
    gone: Sequence[str] = (),
) -> Any:
    """Returns the state of a position, seats counted from 0. Raises TableError.

    `held` is the card just drawn from the stock. `taken`: the player holds the top discard. `discarded`: the
    top discard was just drawn and discarded. `gone` are known cards below the top discard; all other cards that
    are not visible are unseen.
    """
    if len(layouts) not in variant.seats:
        least, most = variant.seats[0], variant.seats[-1]
        raise fault("player_count", least=least, most=most, count=len(layouts))
    for seat in (turn, *([] if closer is None else [closer])):
        if not 0 <= seat < len(layouts):
            raise fault("no_player", player=seat, count=len(layouts))
    variant = for_seats(variant, len(layouts))
    state: Any = fresh(STATE)
    deal(variant.rules, state, len(layouts), (turn - 1) % len(layouts))
    state.awaited = NOTHING
    state.turn = turn
    on_show = [face for seat, text in enumerate(layouts) for face in lay(variant, state, seat, text)]
    on_show += [face_of(variant, "table_discard", face) for face in gone]
    state.discard = face_of(variant, "table_discard", discard)
    on_show.append(int(state.discard))
    if held is not None:
        state.held = face_of(variant, "cardboard_hand", held)
        on_show.append(int(state.held))
    count_cards(variant, state, on_show)
    state.closer = find_closer(variant, state, closer)
    begin_turn(variant, state, taken, discarded)
    return state


def face_of(variant: Variant, place: str, text: str) -> int:
    """Returns the number of the face with that name. Raises TableError; the message `place` says which card it is."""
    try:
        return read_face(variant, text)
    except NotationError as error:
        raise TableError(error.key, error.group, **error.params).at(place) from None


def lay(variant: Variant, state: Any, seat: int, text: str) -> list[int]:
    """Sets a player's layout and returns its face-up cards. Raises TableError."""
    try:
        layout = read_layout(variant, text)
    except NotationError as error:
        wrong = TableError(error.key, error.group, **error.params, player=seat)
        raise wrong.at("start_player", seat=seat + 1) from None
    player = state.players[seat]
    for slot in range(variant.rules.slots):
        player.layout[slot] = layout[slot]
    cards = [int(face) for face in layout if face != HIDDEN]
    player.hidden = variant.rules.slots - len(cards)
    return cards


def count_cards(variant: Variant, state: Any, on_show: list[int]) -> None:
    """Removes the visible cards from the pack (1.2), and sets the stock to the cards neither visible nor dealt.

    Raises TableError.
    """
    for face in sorted(set(on_show)):
        copies, shown = int(variant.rules.copies[face]), on_show.count(face)
        if shown > copies:
            raise fault("too_many", face=variant.faces[face], count=shown, copies=copies)
        state.unseen[face] -= shown
    hidden = sum(int(state.players[seat].hidden) for seat in range(state.seats))
    state.stock_left = sum(state.unseen.tolist()) - hidden
    if state.stock_left < 1:
        raise fault("no_stock")


def find_closer(variant: Variant, state: Any, closer: int | None) -> int:
    """Returns the closer: as given, or the only player with all cards face up (4.1). Raises TableError."""
    opened = [seat for seat in range(state.seats) if state.players[seat].hidden == 0]
    if closer is not None and closer not in opened and not variant.rules.knock:
        raise fault("closer_hidden", player=closer)
    if closer is None and len(opened) > 1:
        raise fault("who_closed")
    if closer is None:
        closer = opened[0] if opened else NOBODY
    if closer != NOBODY and not variant.rules.has_last_turns:
        raise fault("no_last_turns", player=closer)
    if closer == state.turn:
        raise fault("closer_on_turn", player=closer)
    if closer != NOBODY and state.turn in opened:
        raise fault("had_last_turn", player=int(state.turn))
    for seat in opened:
        if closer not in (seat, NOBODY) and (seat - closer) % state.seats > (state.turn - closer) % state.seats:
            raise fault("open_before_last_turn", player=seat)
    return closer


def begin_turn(variant: Variant, state: Any, taken: bool, discarded: bool) -> None:
    """Sets the phase of the turn (tee-off, take, place or flip) and the card in hand. Raises TableError."""
    rules, player = variant.rules, state.players[state.turn]
    in_hand = [state.held != HIDDEN, taken, discarded].count(True)
    if in_hand > 1:
        raise fault("one_in_hand")
    teeing_off = [seat for seat in range(state.seats) if is_teeing_off(rules, state.players[seat])]
    if state.turn in teeing_off:
        if in_hand:
            raise fault("tee_off_no_card", player=int(state.turn))
        if state.closer != NOBODY and rules.tee_off_before_play:
            raise fault("tee_off_no_closer", player=int(state.turn))
        state.phase = Phase.TEE_OFF
    elif teeing_off and rules.tee_off_before_play:
        raise fault("all_tee_off", player=teeing_off[0], count=int(rules.tee_off))
    elif discarded:
        if not rules.may_discard_drawn:
            raise fault("must_place")
        if ends_turn_by_discarding(rules, state):
            raise fault("last_turn_over" if is_last_turn(state) else "discard_ends_turn")
        state.phase = Phase.FLIP
    elif in_hand:
        state.held_from_stock = not taken
        state.held = state.discard if taken else state.held
        state.phase = Phase.PLACE
    else:
        state.phase = Phase.TAKE
    state.turns = max(1, rounds_begun(variant, state)) * state.seats
    if player.hidden == 0:
        raise fault("no_turn", player=int(state.turn))


def rounds_begun(variant: Variant, state: Any) -> int:
    """Estimates the number of rounds played: a turn turns up one card at most."""
    fewest = min(int(state.players[seat].hidden) for seat in range(state.seats))
    return int(variant.rules.slots) - fewest - int(variant.rules.tee_off) + 1
