"""A hole as recorded steps: the moves and the cards they showed. Every position is a replay."""

from .chance import bag, stock_bag
from .compiled import compiled, record
from .moves import is_legal, play, turn_up
from .state import DISCARD, DISCARD_DRAWN, HIDDEN, NOTHING, PASS, STOCK, Phase, is_hidden

STEP = record(
    [
        ("seat", "i1"),  # whose step it is
        ("phase", "i1"),  # when it was played
        ("move", "i1"),  # the move; in the deal STOCK, in the reveal the slot
        ("face", "i1"),  # the card it took, replaced, discarded or turned up; HIDDEN for PASS
    ]
)


@compiled
def replay(rules, state, steps):
    """Plays the steps in order and stops before an impossible one. Returns how many were played.

    Writes into each step whose it was.
    """
    for number in range(len(steps)):
        if not may_come(rules, state, steps[number]):
            return number
        steps[number].seat = state.turn
        take_step(rules, state, steps[number])
    return len(steps)


@compiled
def take_step(rules, state, step):
    if state.awaited == NOTHING:
        play(rules, state, step.move)
    if state.awaited != NOTHING and state.phase == step.phase:  # the last turn's move brings on the reveal
        turn_up(rules, state, step.face)


@compiled
def may_come(rules, state, step):
    """Whether the hole waits for this step, the move is legal and the card can be there."""
    return is_due(rules, state, step) and is_card_there(rules, state, step)


@compiled
def is_due(rules, state, step):
    if step.phase != state.phase:
        return False
    if state.awaited != NOTHING:  # the deal and the reveal ask for no choice
        return step.move == state.awaited
    return is_legal(rules, state, step.move)


@compiled
def is_card_there(rules, state, step):
    """Whether the card can be what the step says: the one that lies open there, or one still unseen."""
    if step.move == PASS:
        return step.face == HIDDEN
    if not 0 <= step.face < rules.faces:
        return False
    if state.awaited != NOTHING:
        return bag(state)[step.face] > 0
    if step.move == STOCK:
        return stock_bag(state)[step.face] > 0
    if step.move == DISCARD:
        return step.face == state.discard
    if step.move == DISCARD_DRAWN:
        return step.face == state.held
    player = state.players[state.turn]
    if is_hidden(player, step.move):
        return state.unseen[step.face] > 0
    return step.face == player.layout[step.move]


@compiled
def face_shown(state, move):
    """The face of the card that the move concerns if it is open already, else HIDDEN."""
    if move == DISCARD:
        return state.discard
    if move == DISCARD_DRAWN:
        return state.held
    if state.phase == Phase.PLACE:
        return state.players[state.turn].layout[move]
    return HIDDEN
