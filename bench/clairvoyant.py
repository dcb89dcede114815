"""The luck limit: the score of a player who sees the pack and knows how the others will play.

The others' moves follow from what they see, so only the clairvoyant's own moves are open. A beam search looks for the
best ones: of all tables that can be reached one turn later, it keeps the most promising and continues from there. The
result can be reached, so the true limit is at least as high. The aim is the difference to the mean of the others.
"""

import numpy as np

from mulligan.engine.chance import bag_size, many_dice, nth_card, roll
from mulligan.engine.compiled import call, compiled, compiled_with_arrays
from mulligan.engine.match import MATCH
from mulligan.engine.moves import deal, is_legal, play, turn_up
from mulligan.engine.rules import MAX_SLOTS
from mulligan.engine.scoring import cost
from mulligan.engine.state import HIDDEN, MOVES, NOTHING, STATE, STOCK, Phase
from mulligan.game import variants
from mulligan.simulation import seat_players

WIDTH = 200  # tables kept from turn to turn
DEPTH = 25  # own turns, with the tee-off; longer holes are dropped
BRANCHES = 40  # tables that one turn can lead to, at most
ON_THE_WAY = 32  # tables within a turn that are still to be looked at
USELESS = 1e9


def play_clairvoyant(game: str, seats: int, player: str, holes: int, seed: int, width: int = WIDTH) -> np.ndarray:
    """Points of the clairvoyant and the mean of the others, of shape (holes, 2)."""
    rules = variants.load(game).rules
    chairs, brain = seat_players([player], rules, seats)
    points = np.zeros((holes, 2))
    pack = np.zeros(sum(rules.copies), np.int64)
    beams = [with_bytes(size) for size in (width, width * BRANCHES, ON_THE_WAY)]
    for hole, dice in enumerate(many_dice(seed, holes)):
        shuffle(rules, pack, dice)
        points[hole] = see_through(rules, seats, hole % seats, chairs[0], pack, dice, brain, *beams)
    return points


def with_bytes(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Tables, and the same memory as bytes, because copying records is slow."""
    tables = np.zeros(size, STATE)
    return tables, tables.view(np.uint8).reshape(size, -1)


@compiled_with_arrays
def shuffle(rules, pack, dice):
    left = rules.copies.copy()
    for place in range(len(pack)):
        pack[place] = nth_card(left, roll(dice, bag_size(rules, left)))
        left[pack[place]] -= 1


@compiled_with_arrays
def see_through(rules, seats, me, player, pack, dice, brain, kept, reached, on_the_way):
    """The best end of a hole with that pack: own points, and the mean of the others'."""
    matches = np.zeros(1, MATCH)
    move_value = np.zeros(len(reached[0]))
    points, others = USELESS, 0.0
    deal(rules, kept[0][0], seats, 0)
    watch(rules, matches[0], kept[0][0], me, player, pack, dice, brain)
    count = 1
    for _ in range(DEPTH):
        found = 0
        for number in range(count):
            found = take_turns(rules, kept, number, me, pack, reached, found, on_the_way)
        for number in range(found):
            state = reached[0][number]
            watch(rules, matches[0], state, me, player, pack, dice, brain)
            move_value[number] = standing(rules, state, me, pack)
            if state.phase == Phase.OVER:
                if move_value[number] < points - others:
                    points = float(state.players[me].points)
                    others = points - move_value[number]
                move_value[number] = USELESS
            elif state.renewed:
                move_value[number] = USELESS
        count = keep_best(move_value, found, reached[1], kept[1])
    return points, others


@compiled
def watch(rules, match, state, me, player, pack, dice, brain):
    """The others play until it is the clairvoyant's turn, or the hole is over."""
    while state.phase != Phase.OVER and not state.renewed:
        if state.awaited != NOTHING:
            turn_up(rules, state, next_card(rules, state, pack))
        elif state.turn == me:
            return
        else:
            play(rules, state, call(player, (rules, match, state, dice, brain)))


@compiled
def next_card(rules, state, pack):
    """The next card; the pack is dealt slot by slot and seat by seat, and the rest is the stock."""
    if state.awaited == STOCK:
        return pack[len(pack) - state.stock_left]
    return pack[state.turn * rules.slots + state.awaited]


@compiled
def take_turns(rules, kept, number, me, pack, reached, found, on_the_way):
    """Appends every table that the turn can lead to."""
    tables, table_bytes = on_the_way
    table_bytes[0] = kept[1][number]
    waiting = 1
    while waiting:
        waiting -= 1
        table_bytes[-1] = table_bytes[waiting]
        for move in range(MOVES):
            if not is_legal(rules, tables[-1], move):
                continue
            table_bytes[waiting] = table_bytes[-1]
            state = tables[waiting]
            phase = state.phase
            play(rules, state, move)
            if state.awaited != NOTHING and state.phase == phase:
                turn_up(rules, state, next_card(rules, state, pack))
            if state.turn != me or state.phase in (Phase.OVER, Phase.REVEAL) or phase == Phase.TEE_OFF:
                reached[1][found] = table_bytes[waiting]
                found += 1
            else:
                waiting += 1
    return found


@compiled_with_arrays
def standing(rules, state, me, pack):
    """The distance from the mean of the others, with all hidden cards known."""
    layout = np.zeros(MAX_SLOTS, np.int8)
    mine, total = 0.0, 0.0
    for seat in range(state.seats):
        for slot in range(rules.slots):
            face = state.players[seat].layout[slot]
            layout[slot] = pack[seat * rules.slots + slot] if face == HIDDEN else face
        points = cost(rules, layout, 0)
        if state.phase == Phase.OVER:
            points = state.players[seat].points
        if seat == me:
            mine = points
        else:
            total += points
    return mine - total / (state.seats - 1)


@compiled_with_arrays
def keep_best(move_value, found, reached_bytes, kept_bytes):
    """Copies the best tables without duplicates. Returns their number."""
    count = 0
    for number in np.argsort(move_value[:found]):
        if move_value[number] == USELESS or count == len(kept_bytes):
            break
        if is_new(reached_bytes[number], kept_bytes, count):
            kept_bytes[count] = reached_bytes[number]
            count += 1
    return count


@compiled
def is_new(table, kept_bytes, count):
    found = 0
    for number in range(count):
        found += is_same(table, kept_bytes[number])
    return not found


@compiled
def is_same(one, other):
    byte = 0
    while byte < len(one) and one[byte] == other[byte]:
        byte += 1
    return byte == len(one)
