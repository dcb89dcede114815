"""What to play: the moves of a position, ranked in strokes, each with a reason."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .engine.compiled import fresh
from .engine.moves import deal, play
from .engine.state import DISCARD, HIDDEN, MOVES, NOBODY, NOTHING, PASS, STATE, STOCK, THROW_AWAY, Phase, is_teeing_off
from .inert import inert
from .notation import NotationError, read_face, read_layout
from .players.books import Books
from .players.foresight import copy_state, weigh
from .reasons import CLOSE_CALL, Why, in_english, look, name_of, why
from .variants import Variant


class Advice(NamedTuple):
    """One move: its number and what it is in English, and how good.

    `worth` is the hope it leaves: points at the end of the hole less the mean of the others', so less
    is better. `loss` is how much more that is than the best move's, in strokes. `place` is the slot
    where a card taken from the discard pile goes best, else None.
    """

    move: int
    text: str
    worth: float
    loss: float
    why: Why
    place: int | None = None


class TableError(ValueError):
    """A table as it cannot lie, in one sentence."""


def advise(variant: Variant, state: Any, books: Books) -> list[Advice]:
    """The legal moves of who is on turn, best first; none while a card is awaited or the hole is over."""
    if state.awaited != NOTHING or state.phase == Phase.OVER:
        return []
    worths = np.zeros(MOVES)
    weigh(variant.rules, state, books, worths)
    order = [int(move) for move in np.argsort(worths, kind="stable") if worths[move] < np.inf]
    place = best_place(variant, state, books) if state.phase == Phase.TAKE else None
    seen = look(variant, state)
    ranked = []
    for move in order:
        loss = float(worths[move] - worths[order[0]])
        there = place if move == DISCARD else None
        reason = why(seen, move, loss, order[0], place)
        ranked.append(Advice(move, move_in_english(variant, state, move), float(worths[move]), loss, reason, there))
    return ranked


def best_place(variant: Variant, state: Any, books: Books) -> int:
    """Where the top card of the discard pile would go."""
    taken = fresh(STATE)
    copy_state(state, taken)
    play(variant.rules, taken, DISCARD)
    worths = np.zeros(MOVES)
    weigh(variant.rules, taken, books, worths)
    return int(worths.argmin())


def move_in_english(variant: Variant, state: Any, move: int) -> str:
    if move == STOCK:
        return "draw from the stock"
    if move == DISCARD:
        return f"take the {variant.faces[state.discard]} from the discard pile"
    if move == THROW_AWAY:
        return f"throw the {variant.faces[state.held]} away"
    if move == PASS:
        return "leave the last card face down"
    if state.phase == Phase.PLACE:
        return f"put the {variant.faces[state.held]} on {variant.slots[move]}"
    return f"turn up {variant.slots[move]}"


def sentence(variant: Variant, advice: Advice, names: Sequence[str]) -> str:
    """The reason in English, as a clause that goes after the move."""
    return in_english(variant, advice.why, list(names))


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
        raise TableError(
            f"{variant.title} is for {variant.seats[0]} to {variant.seats[-1]} players (1.1), not {len(layouts)}; "
            "give a layout for each of them."
        )
    for seat in (turn, *([] if closer is None else [closer])):
        if not 0 <= seat < len(layouts):
            raise TableError(f"There is no player {seat + 1}; {len(layouts)} layouts were given.")
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
        raise TableError(f"The {name}: {error}") from None


def lay(variant: Variant, state: Any, seat: int, text: str) -> list[int]:
    """Lays a player's cards, and returns those that are open."""
    try:
        layout = read_layout(variant, text)
    except NotationError as error:
        raise TableError(f"The layout of player {seat + 1} ({inert(text, 60)}): {error}") from None
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
            raise TableError(
                f"There are {shown} cards {variant.faces[face]} on this table, and the pack has only {copies} (1.2)."
            )
        state.unseen[face] -= shown
    hidden = sum(int(state.players[seat].hidden) for seat in range(state.seats))
    state.stock_left = sum(state.unseen.tolist()) - hidden
    if state.stock_left < 1:
        raise TableError("So many cards are on show that none is left for the stock (2.6).")


def find_closer(variant: Variant, state: Any, closer: int | None) -> int:
    """Who has closed: as told, or the one player whose cards all lie open (4.1)."""
    opened = [seat for seat in range(state.seats) if state.players[seat].hidden == 0]
    if closer is not None and closer not in opened:
        raise TableError(f"Player {closer + 1} cannot have closed with a card face down (4.1).")
    if closer is None and len(opened) > 1:
        raise TableError("More than one player has every card open; say who closed first (4.1).")
    if closer is None:
        closer = opened[0] if opened else NOBODY
    if closer == state.turn:
        raise TableError(f"Player {closer + 1} has closed, and has no turn any more (4.1, 4.2).")
    if closer != NOBODY and state.turn in opened:
        raise TableError(f"Player {int(state.turn) + 1} has every card open, and so has had the last turn (4.2).")
    for seat in opened:
        if closer not in (seat, NOBODY) and (seat - closer) % state.seats > (state.turn - closer) % state.seats:
            raise TableError(f"Player {seat + 1} has every card open, although the last turn is still to come (4.2).")
    return closer


def begin_turn(variant: Variant, state: Any, taken: bool, thrown_away: bool) -> None:
    """How far the turn has come: teeing off, taking a card, placing it, or turning one up instead."""
    rules, player = variant.rules, state.players[state.turn]
    in_hand = [state.held != HIDDEN, taken, thrown_away].count(True)
    if in_hand > 1:
        raise TableError("The card in hand came from the stock or from the discard pile, or was thrown away; say one.")
    teeing_off = [seat for seat in range(state.seats) if is_teeing_off(rules, state.players[seat])]
    if state.turn in teeing_off:
        if in_hand:
            raise TableError(f"Player {int(state.turn) + 1} has not teed off, and so has no card in hand (2.4).")
        if state.closer != NOBODY and rules.tee_off_before_play:
            raise TableError(f"Player {int(state.turn) + 1} has not teed off, so nobody can have closed (2.4).")
        state.phase = Phase.TEE_OFF
    elif teeing_off and rules.tee_off_before_play:
        raise TableError(
            f"Player {teeing_off[0] + 1} has fewer than {rules.tee_off} cards open; everybody tees off first (2.4)."
        )
    elif thrown_away:
        if not rules.may_throw_away:
            raise TableError(f"In {variant.title} a card may not be thrown away: a taken one must be placed (3.3).")
        if state.closer != NOBODY:
            raise TableError("After throwing a card away on a last turn nothing is turned up: it is over (4.2).")
        state.phase = Phase.FLIP
    elif in_hand:
        state.held_from_stock = not taken
        state.held = state.discard if taken else state.held
        state.phase = Phase.PLACE
    else:
        state.phase = Phase.TAKE
    state.turns = max(1, rounds_begun(variant, state)) * state.seats
    if player.hidden == 0:
        raise TableError(f"Player {int(state.turn) + 1} has every card open, and has no turn any more (4.1).")


def rounds_begun(variant: Variant, state: Any) -> int:
    """About how many rounds have been played: a turn opens one card at most."""
    fewest = min(int(state.players[seat].hidden) for seat in range(state.seats))
    return int(variant.rules.slots) - fewest - int(variant.rules.tee_off) + 1


def as_dict(variant: Variant, state: Any, ranked: Sequence[Advice], names: Sequence[str]) -> dict[str, Any]:
    """The advice for a program to read."""
    return {
        "game": variant.name,
        "phase": Phase(int(state.phase)).name.lower(),
        "turn": int(state.turn),
        "moves": [
            {
                "move": name_of(variant, advice.move),
                "code": advice.move,
                "text": advice.text,
                "place": None if advice.place is None else variant.slots[advice.place],
                "worth": round(advice.worth, 6),
                "loss": round(advice.loss, 6),
                "why": {"key": advice.why.key, "params": advice.why.params},
                "sentence": sentence(variant, advice, names),
            }
            for advice in ranked
        ],
    }


def in_words(variant: Variant, ranked: Sequence[Advice], names: Sequence[str]) -> Iterator[str]:
    """A line for each move: what it gives away, what it is, and why."""
    width = max(len(advice.text) for advice in ranked)
    for advice in ranked:
        loss = "best" if advice.loss <= CLOSE_CALL else f"−{advice.loss:.1f}"
        yield f"{loss:>6}  {advice.text:{width}}  {sentence(variant, advice, names)}"
