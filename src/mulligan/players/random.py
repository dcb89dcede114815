"""Any legal move, each as likely as another."""

from ..engine.chance import roll
from ..engine.compiled import compiled
from ..engine.moves import is_legal
from ..engine.state import DISCARD, PASS, STOCK, THROW_AWAY, Phase


@compiled
def choose(rules, state, dice):
    if state.phase == Phase.TAKE:
        return STOCK if roll(dice, 2) else DISCARD
    while True:
        move = roll(dice, rules.slots + 1)
        if move == rules.slots:
            move = THROW_AWAY if state.phase == Phase.PLACE else PASS
        if is_legal(rules, state, move):
            return move
