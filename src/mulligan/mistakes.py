"""A mistake in words: what it gave away, and what would have been better."""

from typing import NamedTuple

from .engine.state import DISCARD, PASS, STOCK, THROW_AWAY, Phase
from .reasons import Look, Why, in_english, would_have

SAYS_NOTHING = ("equal", "better", "shows", "first_card")  # reasons that are none of a better move
SPEAKS_AGAINST = ("feeds_match", "feeds", "breaks", "misses_match", "throws_match", "closes_behind", "waits_ahead")


class Mistake(NamedTuple):
    """A move that gave strokes away: in which hole and turn, and why the best one is better."""

    hole: int
    turn: int  # the player's turn in the hole; 0 is teeing off
    played: int
    best: int
    loss: float
    why: Why
    better: Why


def sentence(seen: Look, mistake: Mistake, names: list[str]) -> str:
    """`hole 4, turn 6: the 3 on b2 gave away 2.1 strokes; on c1 it would have matched the column of 3s`."""
    when = f"turn {mistake.turn}" if mistake.turn else "teeing off"
    strokes = f"{mistake.loss:.1f} {'stroke' if f'{mistake.loss:.1f}' == '1.0' else 'strokes'}"
    if mistake.why.key in SPEAKS_AGAINST:
        strokes += f": it {in_english(seen.variant, mistake.why, names)}"
    return (
        f"hole {mistake.hole}, {when}: {as_done(seen, mistake.played)} gave away {strokes}; "
        f"{better_in_english(seen, mistake, names)}"
    )


def as_done(seen: Look, move: int) -> str:
    """The move as the subject of a sentence."""
    if move == STOCK:
        return "drawing from the stock"
    if move == DISCARD:
        return f"taking the {seen.face(seen.sight.discard)} from the discard pile"
    if move == THROW_AWAY:
        return f"throwing the {seen.face(seen.sight.held)} away"
    if move == PASS:
        return "leaving the last card face down"
    if seen.sight.phase == Phase.PLACE:
        return f"the {seen.face(seen.sight.held)} on {seen.slot(move)}"
    return f"turning up {seen.slot(move)}"


def better_in_english(seen: Look, mistake: Mistake, names: list[str]) -> str:
    """What the best move would have done."""
    move = mistake.best
    if move == THROW_AWAY:
        return "it was better thrown away"
    if move == STOCK:
        return "a card from the stock was better"
    subject = as_done(seen, move)
    if seen.sight.phase == Phase.PLACE:
        subject = f"on {seen.slot(move)} it"
    elif move == DISCARD:
        subject = f"the {seen.face(seen.sight.discard)} on the discard pile"
    if mistake.better.key in SAYS_NOTHING:
        return f"{subject} was better"
    return f"{subject} {would_have(seen.variant, mistake.better, names)}"
