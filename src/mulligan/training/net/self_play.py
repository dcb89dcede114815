"""Self-play that records the training target of every table, in pieces that any machine can play."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mulligan.engine.chance import bag, draw, many_dice, roll
from mulligan.engine.compiled import call, compiled, compiled_with_arrays, fresh
from mulligan.engine.match import MATCH
from mulligan.engine.moves import abandon, deal, play, turn_up
from mulligan.engine.state import MOVES, NOBODY, NOTHING, STATE, STOCK, Phase
from mulligan.players import net_player, random
from mulligan.players.card_luck import add_luck
from mulligan.players.exact_turn import copy_state
from mulligan.players.look_ahead import late_rounds
from mulligan.players.values.net import JUST_MOVED, TO_MOVE, Net, view_of
from mulligan.players.values.value import values_by_net

from .course import Course
from .parameters import TENTH, Plan, columns, write_position
from .rival import OPENERS, Rival, places_of

LONGEST = 100  # turns per seat in one hole
NOT_KNOWN = 1e9
OPENING = 16  # turns per seat that others play at most, before the net
HEATS = (0.3, 0.3, 1.0, 3.0)  # strokes by which a seat that plays loosely misjudges its moves
FINE = 1 << 20
SAME = 0.02  # strokes; a move that loses less is no mistake


class SelfPlay:
    """Plays the positions of a round.

    A piece is its number; its result are `size` positions or a few more, and then their targets.
    """

    def __init__(self, rules: Any, lay: Plan, net: Net, rival: Rival, course: Course, seed: Sequence[int], size: int):
        self.rules, self.lay, self.net, self.rival, self.course = rules, lay, net, rival, course
        self.seed, self.size = seed, size
        self.facts: dict[str, Any] = {}

    def __call__(self, piece: int) -> bytes:
        room = self.size + positions_of_hole(self.lay.seats)
        positions, targets = np.zeros((room, columns(self.lay)), np.int16), np.zeros(room, np.float32)
        rival, books = places_of([self.rival.name], self.rules, self.rival.books)[0], self.rival.books
        openers, course = places_of(OPENERS, self.rules, books), self.course
        dice = many_dice([*self.seed, piece], 1)[0]
        match, shares = fresh(MATCH), np.array([course.explore, course.share, course.loose])
        full = practise(
            self.rules, self.net, rival, openers, books, match, self.lay, dice, shares, course.kept, positions, targets
        )
        return positions[:full].tobytes() + targets[:full].tobytes()

    def read(self, result: bytes) -> tuple[np.ndarray, np.ndarray]:
        """The positions and targets of a piece."""
        full = len(result) // (2 * columns(self.lay) + 4)
        positions = np.frombuffer(result, np.int16, full * columns(self.lay)).reshape(full, -1)
        return positions, np.frombuffer(result, np.float32, full, positions.nbytes)


@compiled
def tables_of_hole(seats):
    """How many tables a hole may have."""
    return LONGEST * seats + 8


@compiled
def positions_of_hole(seats):
    """How many positions a hole may have: a table is one for two seats, else three."""
    return tables_of_hole(seats) * (1 if seats == 2 else 3)


@compiled_with_arrays
def practise(rules, net, rival, openers, books, match, lay, dice, shares, kept, positions, targets):
    """Plays holes until there is no room for the positions of another one. Returns how many there are.

    The target of a table is the result of the exact search of the coming turn, corrected by `kept` of what the turns
    after it found, as long as nobody strays. The search removes the luck of the turn (`values_if_best`). `shares` are

    - of moves that are random,
    - of holes with a rival in one seat, from whose chair nothing is learned: the net judges tables for who plays on by
      it. `rival` is the address of a player who does not learn, with its books; `match` is blank,
    - of holes that `openers` begin, of holes where everyone tees off at random, and of seats that play loosely: so the
      net learns tables that it would avoid.
    """
    explore, rival_share, loose = shares
    heats = np.zeros(lay.seats)
    states = np.zeros(1, STATE)
    most = tables_of_hole(lay.seats)
    values, found = np.zeros((most, lay.seats)), np.zeros((most, lay.seats))
    first = np.full(most, -1)  # where the table's positions begin, or -1
    strayed = np.zeros(most, np.int64)
    move_values, draws, trials = np.zeros(MOVES), np.zeros(rules.faces), np.zeros(2, STATE)
    full = 0
    while full + positions_of_hole(lay.seats) <= len(positions):
        state = states[0]  # in here: a compiled record alone does not keep its memory from being used again
        rival_seat = roll(dice, lay.seats) if roll(dice, 1000) < 1000 * rival_share else NOBODY
        deal(rules, state, lay.seats, roll(dice, lay.seats))
        opening = roll(dice, OPENING * lay.seats) if roll(dice, FINE) < FINE * loose else 0
        opener = openers[roll(dice, len(openers))]
        tees_off_anyhow = roll(dice, FINE) < FINE * loose
        for seat in range(lay.seats):
            heats[seat] = HEATS[roll(dice, len(HEATS))] if roll(dice, FINE) < FINE * loose else 0.0
        tables = 0
        while state.phase != Phase.OVER:
            if state.awaited != NOTHING:
                turn_up(rules, state, draw(rules, bag(state), dice))
                continue
            if state.phase == Phase.TAKE and tables > LONGEST * lay.seats and state.closer == NOBODY:
                abandon(rules, state)
                strayed[tables - 1] = 1
                continue
            least = net_player.weigh_draws(rules, net, state, move_values, draws)
            if is_between_turns(state):
                values_by_net(rules, net, state, values[tables])
                found[tables] = NOT_KNOWN
                if state.turn != rival_seat:  # a rival's turn is seen afterwards
                    values_if_best(rules, net, state, move_values, draws, trials, dice, found[tables])
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
                            write_position(rules, lay, state, seat, positions[full])
                            targets[full] = seat  # until the target is known
                            full += 1
                tables += 1
            move = net_player.best_of(move_values)
            if state.turn == rival_seat:
                move = call(rival, (rules, match, state, dice, books))
            else:
                if state.phase == Phase.TEE_OFF and tees_off_anyhow:
                    move = random.choose(rules, None, state, dice, None)
                elif state.turns < opening:
                    move = call(opener, (rules, match, state, dice, books))
                elif roll(dice, FINE) < FINE * explore:
                    move = random.choose(rules, None, state, dice, None)
                elif heats[state.turn]:
                    move = misjudged(move_values, heats[state.turn], dice)
                if move_values[move] > least + SAME:
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
    return full


@compiled_with_arrays
def values_if_best(rules, net, state, move_values, draws, tables, dice, values):
    """Fills the values of all seats if the coming turn is played with the best moves.

    The player to move has the least of `move_values`, exactly and without impatience. For the others the turn is
    played once, on a copy, whatever the player will really do: else only turns in which everyone finds the best
    move would count, and these are lucky ones. The luck of the card that ends it is subtracted. That of a drawn
    card is known for the player to move by `draws`, and the others get it back in equal parts. (Two seats need no
    such turn.) `tables` are two STATEs of work space.
    """
    least = move_values.min()
    if late_rounds(state):  # impatience makes players close, but costs nothing
        copy_state(state, tables[0])
        tables[0].turns = 0
        least = net_player.weigh(rules, net, tables[0], np.zeros(MOVES))
    if state.seats == 2:
        values[1 - state.turn] = -least
        values[state.turn] = least
        return
    table, later_values, luck = tables[0], np.zeros(MOVES), np.zeros(state.seats)
    copy_state(state, table)
    play(rules, table, net_player.best_of(move_values))
    while table.phase not in (Phase.REVEAL, Phase.OVER) and not is_between_turns(table):
        if table.awaited != NOTHING:
            face = draw(rules, bag(table), dice)
            if table.awaited == STOCK:
                luck -= (draws[face] - move_values[STOCK]) / (state.seats - 1)
            else:
                add_luck(rules, net, table, face, tables[1], values, luck)
            turn_up(rules, table, face)
        else:
            net_player.weigh(rules, net, table, later_values)
            play(rules, table, net_player.best_of(later_values))
    values_by_net(rules, net, table, values)
    values -= luck
    values[state.turn] = least


@compiled
def is_between_turns(state):
    return state.awaited == NOTHING and state.phase in (Phase.TAKE, Phase.TEE_OFF)


@compiled
def misjudged(move_values, heat, dice):
    """The best move after each value got noise of that size (Gumbel's, so chances fall with the loss)."""
    best, least = 0, NOT_KNOWN
    for move in range(MOVES):
        if move_values[move] < net_player.NEVER:
            noisy = move_values[move] + heat * np.log(-np.log((roll(dice, FINE) + 0.5) / FINE))
            if noisy < least:
                best, least = move, noisy
    return best
