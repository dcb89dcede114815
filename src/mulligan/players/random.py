"""Any legal move, all equally likely."""

from mulligan.engine.chance import roll
from mulligan.engine.compiled import compiled, merged
from mulligan.engine.moves import legal_moves, may_decline
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, PASS, STOCK, Phase


@merged()
@compiled
def choose(rules, match, state, dice, brain):
    if state.phase == Phase.TAKE:
        if may_decline(rules, state) and not roll(dice, 3):
            return PASS
        return STOCK if roll(dice, 2) else DISCARD
    legal = legal_moves(rules, state)
    while True:
        move = roll(dice, rules.slots + 1)
        if move == rules.slots:
            move = DISCARD_DRAWN if state.phase == Phase.PLACE else PASS
        if legal >> move & 1:
            return move
