"""Self-play that records the training target of every table."""

import numpy as np

from mulligan.engine.chance import bag, draw, roll
from mulligan.engine.compiled import call, compiled_with_arrays
from mulligan.engine.moves import abandon, deal, play, turn_up
from mulligan.engine.state import MOVES, NOBODY, NOTHING, STATE, Phase
from mulligan.players import net_player, random
from mulligan.players.values.net import JUST_MOVED, TO_MOVE, view_of
from mulligan.players.values.value import values_by_net

from .parameters import TENTH, write_position

LONGEST = 100  # turns a seat in one hole
NOT_KNOWN = 1e9


@compiled_with_arrays
def practise(rules, net, rival, books, match, lay, dice, explore, rival_share, kept, positions, targets):
    """Plays holes until the positions are full. Returns how many holes there were.

    The target of a table is the result of the exact search of the coming turn (which removes its luck),
    corrected by `kept` of what the turns after it found, as long as nobody strays. In a share of
    holes one seat is a rival's, from whose chair nothing is learned: the net judges tables for who
    plays on by it. `rival` is the address of a player who does not learn, with its books; `match` is blank.
    A share `explore` of the moves is random.
    """
    states = np.zeros(1, STATE)
    most = LONGEST * lay.seats + 8
    values, found = np.zeros((most, lay.seats)), np.zeros((most, lay.seats))
    first = np.full(most, -1)  # where the table's positions begin, or -1
    strayed = np.zeros(most, np.int64)
    lines, sets = np.zeros(rules.lines, np.int64), np.zeros(rules.faces, np.int64)
    move_values = np.zeros(MOVES)
    full, holes = 0, 0
    views = 1 if lay.seats == 2 else 3
    while full + most * views <= len(positions):
        state = states[0]  # in here: a compiled record alone does not keep its memory from being used again
        rival_seat = roll(dice, lay.seats) if roll(dice, 1000) < 1000 * rival_share else NOBODY
        deal(rules, state, lay.seats, roll(dice, lay.seats))
        tables = 0
        while state.phase != Phase.OVER:
            if state.awaited != NOTHING:
                turn_up(rules, state, draw(rules, bag(state), dice))
                continue
            if state.phase == Phase.TAKE and tables > LONGEST * lay.seats and state.closer == NOBODY:
                abandon(rules, state)
                strayed[tables - 1] = 1
                continue
            least = net_player.weigh(rules, net, state, move_values)
            if state.phase in (Phase.TAKE, Phase.TEE_OFF):
                values_by_net(rules, net, state, values[tables])
                found[tables] = NOT_KNOWN
                if state.turn != rival_seat:  # a rival's turn is seen afterwards
                    found[tables, state.turn] = least
                    if lay.seats == 2:
                        found[tables, 1 - state.turn] = -least
                strayed[tables] = 0
                first[tables] = -1
                if state.closer == NOBODY:
                    first[tables] = full
                    waiting = roll(dice, lay.seats)
                    for seat in range(lay.seats):
                        view = view_of(state, seat, state.turn)
                        if seat != rival_seat and (
                            view == JUST_MOVED or (lay.seats > 2 and (view == TO_MOVE or seat == waiting))
                        ):
                            write_position(rules, net, lay, state, seat, positions[full], lines, sets)
                            targets[full] = seat  # until the target is known
                            full += 1
                tables += 1
            move = net_player.best_of(move_values)
            if state.turn == rival_seat:
                move = call(rival, (rules, match, state, dice, books))
            elif roll(dice, 1000) < 1000 * explore:
                move = random.choose(rules, None, state, dice, None)
                strayed[tables - 1] = 1
            play(rules, state, move)
        values_by_net(rules, net, state, values[tables])
        found[tables] = values[tables]
        first[tables] = full
        for table in range(tables - 1, -1, -1):
            for seat in range(lay.seats):
                trusted = kept
                if found[table, seat] == NOT_KNOWN:
                    found[table, seat] = values[table, seat] if strayed[table] else values[table + 1, seat]
                    if lay.seats == 2:  # the rival's turn: the net has not learned the tables it leaves the rival
                        trusted = 1.0
                if not strayed[table]:
                    found[table, seat] += trusted * (found[table + 1, seat] - values[table + 1, seat])
            if first[table] >= 0:
                position = first[table]
                while position < first[table + 1] if first[table + 1] >= 0 else position < full:
                    targets[position] = found[table, int(targets[position])] / TENTH
                    position += 1
        holes += 1
    return holes, full
