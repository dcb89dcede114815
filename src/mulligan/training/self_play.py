"""Self-play that records the training target of every table, in pieces that any machine can play."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.chance import many_dice, next_face, roll
from mulligan.engine.compiled import call, compiled, compiled_with_arrays
from mulligan.engine.match import MATCH
from mulligan.engine.moves import advance, deal, play, turn_up
from mulligan.engine.state import MOVES, NOBODY, NOTHING, STATE, STOCK, Phase
from mulligan.players import net_turn, random
from mulligan.players.card_luck import add_luck
from mulligan.players.look_ahead import late_rounds
from mulligan.players.positions import copy_state
from mulligan.players.values.brain import Brain
from mulligan.players.values.features import JUST_MOVED, TENTH, TO_MOVE, view_of
from mulligan.players.values.net import Net
from mulligan.players.values.value import values_by_net

from .course import Course
from .parameters import Plan
from .rival import OPENERS, Rival, places_of
from .samples import columns, write_position

LONGEST = 100  # turns per seat in one hole, teeing off included
NO_LIMIT = 1 << 30
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
        brain, course = self.rival.brain, self.course
        rival, openers = (places_of(names, self.rules, brain) for names in ([self.rival.name], OPENERS))
        company = Company(self.net, rival[0], openers, brain, np.zeros(1, MATCH))
        habits = Habits(*map(float, (course.explore, course.share, course.loose, course.kept)))
        dice = many_dice([*self.seed, piece], 1)[0]
        full = practise(self.rules, self.lay, company, habits, dice, positions, targets)
        return positions[:full].tobytes() + targets[:full].tobytes()

    def read(self, result: bytes) -> tuple[np.ndarray, np.ndarray]:
        """The positions and targets of a piece."""
        full = len(result) // (2 * columns(self.lay) + 4)
        positions = np.frombuffer(result, np.int16, full * columns(self.lay)).reshape(full, -1)
        return positions, np.frombuffer(result, np.float32, full, positions.nbytes)


class Company(NamedTuple):
    """Who plays the holes of a piece."""

    net: Net
    rival: int  # the address of a player who does not learn
    openers: np.ndarray  # the addresses of players who begin holes
    brain: Brain  # of the rival and the openers
    match: np.ndarray  # [1] MATCH, blank: they play a single hole


class Habits(NamedTuple):
    """How much of the play is not the net's best. The net so learns tables that it would avoid."""

    explore: float  # the share of moves that are random
    share: float  # of holes with the rival in one seat, whose chair teaches nothing: the net is for who plays on by it
    loose: float  # of holes that an opener begins, of holes where everyone tees off at random, of loose seats
    kept: float  # how much of what later turns found corrects a target


class Manner(NamedTuple):
    """How one hole is played."""

    rival_seat: int  # or NOBODY
    opener: int  # the address of the player who plays the first turns for the net
    opening: int  # how many turns these are
    tees_off_anyhow: bool


class Work(NamedTuple):
    """Work space: the hole, its moves, and what is known of its tables, in the order of play."""

    states: np.ndarray  # [1] STATE: the hole
    trials: np.ndarray  # [2] STATE: see `values_if_best`
    move_values: np.ndarray  # [MOVES]
    draws: np.ndarray  # [face]: see `weigh_draws`
    heats: np.ndarray  # [seat] strokes by which it misjudges its moves
    values: np.ndarray  # [table, seat] by the net
    found: np.ndarray  # [table, seat] by the search of the coming turn, or NOT_KNOWN; at last the target
    strayed: np.ndarray  # [table] 1 if a mistake followed


@compiled
def tables_of_hole(seats):
    """How many tables a hole may have."""
    return LONGEST * seats + 8


@compiled
def positions_of_hole(seats):
    """How many positions a hole may have: a table is one for two seats, else three."""
    return tables_of_hole(seats) * (1 if seats == 2 else 3)


@compiled_with_arrays
def practise(rules, lay, company, habits, dice, positions, targets):
    """Plays holes until there is no room for the positions of another one. Returns how many there are.

    The target of a table is the result of the exact search of the coming turn, corrected by `kept` of what the turns
    after it found, as long as nobody strays. The search removes the luck of the turn (`values_if_best`).
    """
    work, full = blank_work(rules, lay.seats), 0
    while full + positions_of_hole(lay.seats) <= len(positions):
        begun = full
        tables, full = practise_hole(rules, lay, company, habits, work, dice, positions, targets, full)
        find_targets(work, habits.kept, tables)
        for position in range(begun, full):
            table, seat = divmod(int(targets[position]), lay.seats)
            targets[position] = work.found[table, seat] / TENTH
    return full


@compiled_with_arrays
def blank_work(rules, seats):
    most = tables_of_hole(seats)
    return Work(
        np.zeros(1, STATE),
        np.zeros(2, STATE),
        np.zeros(MOVES),
        np.zeros(rules.faces),
        np.zeros(seats),
        np.zeros((most, seats)),
        np.zeros((most, seats)),
        np.zeros(most, np.int64),
    )


@compiled_with_arrays
def practise_hole(rules, lay, company, habits, work, dice, positions, targets, full):
    """Plays a hole, and adds its positions to those that there are.

    Returns the number of tables before the last one, and of positions. The target of a position is at first the number
    of its table and seat.
    """
    state = work.states[0]
    manner = begin_hole(rules, lay.seats, company, habits, state, work.heats, dice)
    tables = 0
    while advance(rules, state, dice, NO_LIMIT if tables <= LONGEST * lay.seats else 0):
        least = net_turn.weigh_draws(rules, company.net, state, work.move_values, work.draws)
        if is_between_turns(state):
            judge_table(rules, company.net, state, manner.rival_seat, work, dice, tables)
            if state.closer == NOBODY:
                full = write_table(rules, lay, state, manner.rival_seat, dice, positions, targets, tables, full)
            tables += 1
        move = move_of(rules, company, habits, manner, state, work, dice)
        if state.turn != manner.rival_seat and work.move_values[move] > least + SAME:
            work.strayed[tables - 1] = 1
        play(rules, state, move)
    if state.closer == NOBODY:  # the hole was abandoned
        work.strayed[tables - 1] = 1
    values_by_net(rules, company.net, state, work.values[tables])
    work.found[tables] = work.values[tables]
    return tables, full


@compiled
def begin_hole(rules, seats, company, habits, state, heats, dice):
    """Deals a hole, and says how it is played."""
    rival_seat = roll(dice, seats) if roll(dice, 1000) < 1000 * habits.share else NOBODY
    deal(rules, state, seats, roll(dice, seats))
    opening = roll(dice, OPENING * seats) if roll(dice, FINE) < FINE * habits.loose else 0
    opener = company.openers[roll(dice, len(company.openers))]
    tees_off_anyhow = roll(dice, FINE) < FINE * habits.loose
    for seat in range(seats):
        heats[seat] = HEATS[roll(dice, len(HEATS))] if roll(dice, FINE) < FINE * habits.loose else 0.0
    return Manner(rival_seat, opener, opening, tees_off_anyhow)


@compiled_with_arrays
def judge_table(rules, net, state, rival_seat, work, dice, table):
    """Notes what the net and the search of the coming turn say of a table."""
    values_by_net(rules, net, state, work.values[table])
    work.found[table] = NOT_KNOWN
    if state.turn != rival_seat:  # a rival's turn is seen afterwards
        values_if_best(rules, net, state, work.move_values, work.draws, work.trials, dice, work.found[table])
    work.strayed[table] = 0


@compiled_with_arrays
def write_table(rules, lay, state, rival_seat, dice, positions, targets, table, full):
    """Adds the positions of a table, seen from the seats that learn from it. Returns how many there are then."""
    waiting = roll(dice, lay.seats)
    for seat in range(lay.seats):
        view = view_of(state, seat, state.turn)
        learns = view == JUST_MOVED or (lay.seats > 2 and (view == TO_MOVE or seat == waiting))
        if learns and seat != rival_seat:
            write_position(rules, lay, state, seat, positions[full])
            targets[full] = table * lay.seats + seat
            full += 1
    return full


@compiled_with_arrays
def move_of(rules, company, habits, manner, state, work, dice):
    """The next move: the best one, unless others play for the net or it plays loosely."""
    match, brain = company.match[0], company.brain
    if state.turn == manner.rival_seat:
        return call(company.rival, (rules, match, state, dice, brain))
    if state.phase == Phase.TEE_OFF and manner.tees_off_anyhow:
        return random.choose(rules, None, state, dice, None)
    if state.turns < manner.opening:
        return call(manner.opener, (rules, match, state, dice, brain))
    if roll(dice, FINE) < FINE * habits.explore:
        return random.choose(rules, None, state, dice, None)
    if work.heats[state.turn]:
        return misjudged(work.move_values, work.heats[state.turn], dice)
    return net_turn.best_of(work.move_values)


@compiled
def find_targets(work, kept, tables):
    """Turns what was found of each table into its targets, from the last table back to the first."""
    values, found = work.values, work.found
    for table in range(tables - 1, -1, -1):
        strayed = work.strayed[table]
        for seat in range(values.shape[1]):
            trusted = kept
            if found[table, seat] == NOT_KNOWN:
                found[table, seat] = values[table, seat] if strayed else values[table + 1, seat]
                if values.shape[1] == 2:  # the rival's turn: the net has not learned the tables it leaves the rival
                    trusted = 1.0
            if not strayed:
                found[table, seat] += trusted * (found[table + 1, seat] - values[table + 1, seat])


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
        least = net_turn.weigh(rules, net, tables[0], np.zeros(MOVES))
    if state.seats == 2:
        values[1 - state.turn] = -least
        values[state.turn] = least
        return
    table, later_values, luck = tables[0], np.zeros(MOVES), np.zeros(state.seats)
    copy_state(state, table)
    play(rules, table, net_turn.best_of(move_values))
    while table.phase not in (Phase.REVEAL, Phase.OVER) and not is_between_turns(table):
        if table.awaited != NOTHING:
            face = next_face(rules, table, dice)
            if table.awaited == STOCK:
                luck -= (draws[face] - move_values[STOCK]) / (state.seats - 1)
            else:
                add_luck(rules, net, table, face, tables[1], values, luck)
            turn_up(rules, table, face)
        else:
            net_turn.weigh(rules, net, table, later_values)
            play(rules, table, net_turn.best_of(later_values))
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
        if move_values[move] < net_turn.NEVER:
            noisy = move_values[move] + heat * np.log(-np.log((roll(dice, FINE) + 0.5) / FINE))
            if noisy < least:
                best, least = move, noisy
    return best
