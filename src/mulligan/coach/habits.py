"""Sorts mistakes into habits that can be said in plain words, from what a player did and what would have been better.

Each habit has its words in the messages (web/messages/learn): `learn_idea_` and its name, and so on.
"""

from typing import Any

from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, STOCK, Phase
from mulligan.game.variants import Variant
from mulligan.players.values.expected_reveal import mean_unseen

from .findings import Reason

HABITS = {  # by name: the rule it is about
    "closes_early": "4.1",
    "closes_late": "4.1",
    "tees_beside": "2.4",  # turns up a card beside an open one, where a new line is better
    "tees_apart": "2.4",  # the other way round
    "leaves_good": "3.1",  # draws, though the top discard is better
    "takes_dear": "3.1",  # takes a discard that costs more than a face-down card, though the stock is better
    "takes_little": "3.1",  # takes one that saves little, though the stock is better
    "feeds": "3.2",  # leaves the next player a good card
    "misses_line": "3.2",  # places a card elsewhere than where it completes a line
    "throws_good": "3.3",  # discards a card that is worth a slot
    "keeps_poor": "3.3",  # places one that is not
    "covers_open": "3.2",  # replaces an open card, where a face-down one is better
    "covers_hidden": "3.2",  # the other way round
    "turns_wrong": "3.3",  # turns up one card, where another is better
}
SEEN_IN_REASON = ("closes_early", "closes_late", "feeds")  # what speaks against the move tells more than praise
MATCHES = ("matches", "matches_for", "matches_again")


def habit_of(variant: Variant, state: Any, played: int, best: int, why: Reason, praise: Reason) -> str | None:
    """Returns the habit that a mistake shows, or None for one of no kind.

    `why` speaks against the move `played`, `praise` for the `best` one.
    """
    is_whole = "part" not in why.params and "but" not in why.params  # explains at least half of the loss
    if is_whole and (why.key == "closes_behind" or (why.key == "closes" and state.phase != Phase.TAKE)):
        return "closes_early"  # who draws instead, and is ahead, may still close with that card
    if is_whole and why.key in ("waits_ahead", "misses_close"):
        return "closes_late"
    if state.phase == Phase.TEE_OFF:
        return {"flip_beside": "tees_apart", "flip_apart": "tees_beside"}.get(praise.key)
    if state.phase == Phase.TAKE:
        return of_taking(variant, state, played, best)
    if is_whole and why.key in ("feeds", "feeds_match"):
        return "feeds"
    slots = range(int(variant.rules.slots))
    if played in slots and best in slots:
        return of_slots(state, played, best, praise)
    return {played: "throws_good", best: "keeps_poor"}.get(DISCARD_DRAWN)


def of_taking(variant: Variant, state: Any, played: int, best: int) -> str | None:
    if best == DISCARD:
        return "leaves_good" if played == STOCK else None
    if played != DISCARD:
        return None
    points = variant.rules.points[state.discard]
    return "takes_dear" if points > mean_unseen(variant.rules, state) else "takes_little"


def of_slots(state: Any, played: int, best: int, praise: Reason) -> str | None:
    """Returns the habit of a card that came to the wrong slot, or of the wrong card turned up."""
    if state.phase == Phase.FLIP:
        return "turns_wrong"
    if praise.key in MATCHES:
        return "misses_line"
    layout = state.players[state.turn].layout
    if (layout[played] == HIDDEN) == (layout[best] == HIDDEN):
        return None
    return "covers_hidden" if layout[played] == HIDDEN else "covers_open"
