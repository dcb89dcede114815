"""A game between learners and computer players, move by move, with chance from dice.

A game is one hole, or a match (6). The same dice give the same cards as in `mulligan.simulation`. A `log` keeps the
steps of a game (game_logs.py); for None nothing of that is compiled.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.compiled import compiled, record
from mulligan.engine.match import MATCH, begin_match, compare_draw, deal_hole, draw_for_deal, finish_hole, player_at
from mulligan.engine.moves import legal_moves, play
from mulligan.engine.replay import face_shown
from mulligan.engine.rules import MAX_SEATS
from mulligan.engine.state import MOVES, NOBODY, NOTHING, STATE, Phase
from mulligan.simulation import PACK, play_hole, put_away

from . import observation
from .rewards import reward_hole, reward_illegal, reward_match

TABLE = record(  # the widest fields first: NumPy does not align records in records
    [
        ("packs", PACK, (2,)),
        ("rewards", np.float64, MAX_SEATS),  # of each player, for the last move
        ("match", MATCH),
        ("state", STATE),
        ("legal", "i4"),  # the moves of the learner to move, as a set of bits
        ("seated", "i1", MAX_SEATS),  # the player in each seat of this hole; in a play-off not all play (6.3)
        ("player", "i1"),  # the learner to move; once the game is over, the one who moved last
        ("terminated", "i1"),  # the game is over
        ("truncated", "i1"),  # or a hole was too long
        ("illegal", "i1"),  # or the last move was illegal
    ]
)


class Log(NamedTuple):
    """The steps of one table's game, or by table those of many."""

    steps: np.ndarray  # STEP
    kept: np.ndarray  # int64, how many of them there are


@compiled
def begin(rules, kind, limit, chairs, brain, table, dice, log):
    """Starts a new game and plays on until it is the turn of a learner.

    A hole may be over before that, where the others have no last turn; then another game is dealt.
    """
    over = 1
    while over:
        match = table.match
        if log is not None:
            log.kept[0] = 0
        begin_match(rules, match, len(chairs))
        while match.dealer == NOBODY:
            draw_for_deal(rules, match, dice)
            compare_draw(rules, match)
        begin_hole(rules, table)
        clear(table)
        go_on(rules, kind, limit, chairs, brain, table, dice, log)
        over = table.terminated or table.truncated
    clear_rewards(table)


@compiled
def make_move(rules, kind, limit, chairs, brain, table, dice, move, log):
    """Plays the learner's move, and on until it is the turn of a learner or the game is over.

    An illegal move ends the game: the rest of the table is not rewarded.
    """
    is_legal = may_play(table, move)
    clear(table)
    if is_legal:
        if log is None:
            play(rules, table.state, move)
        else:
            play_and_keep(rules, table.state, move, log)
        go_on(rules, kind, limit, chairs, brain, table, dice, log)
    else:
        table.illegal = 1
        table.terminated = 1
        reward_illegal(kind, table.player, table.rewards)


@compiled
def play_and_keep(rules, state, move, log):
    """Plays a move. Its step is kept here unless it turns up a card: then `play_hole` keeps it, with the card."""
    seat, phase, face, steps = state.turn, state.phase, face_shown(state, move), log.kept[0]
    play(rules, state, move)
    if state.awaited == NOTHING or state.phase != phase:
        if steps < len(log.steps):
            step = log.steps[steps]
            step.seat, step.phase, step.move, step.face = seat, phase, move, face
        log.kept[0] += 1


@compiled
def may_play(table, move):
    return 0 <= move < MOVES and table.legal >> move & 1 == 1


@compiled
def clear(table):
    table.legal = 0
    table.terminated = 0
    table.truncated = 0
    table.illegal = 0
    clear_rewards(table)


@compiled
def clear_rewards(table):
    for player in range(table.match.players):
        table.rewards[player] = 0.0


@compiled
def begin_hole(rules, table):
    deal_hole(rules, table.match, table.state)
    put_away(table.packs)
    for seat in range(table.state.seats):
        table.seated[seat] = player_at(table.match, seat)


@compiled
def go_on(rules, kind, limit, chairs, brain, table, dice, log):
    """Plays on until a learner has to move or the game is over."""
    match, state = table.match, table.state
    while not (table.terminated or table.truncated):
        if log is None:
            play_hole(rules, match, state, chairs, table.seated, dice, limit, brain, table.packs, None, 0)
        else:
            _, log.kept[0] = play_hole(
                rules, match, state, chairs, table.seated, dice, limit, brain, table.packs, log.steps, log.kept[0]
            )
        if state.phase != Phase.OVER:
            ask(rules, table)
            return
        end_hole(rules, kind, table)


@compiled
def ask(rules, table):
    """It is a learner's turn."""
    table.player = table.seated[table.state.turn]
    table.legal = legal_moves(rules, table.state)


@compiled
def end_hole(rules, kind, table):
    """Pays for the hole, and deals the next one or ends the match; after an abandoned hole nobody wins it."""
    if not table.match.playing_off:
        reward_hole(kind, table.state, table.seated, table.rewards)
    if table.state.closer == NOBODY:
        table.truncated = 1
        return
    finish_hole(rules, table.match, table.state)
    if table.match.over:
        reward_match(kind, table.match, table.rewards)
        table.terminated = 1
    else:
        begin_hole(rules, table)


@compiled
def log_of(logs, place):
    """The log of one table, if any are kept."""
    if logs is None:
        return None
    return Log(logs.steps[place], logs.kept[place : place + 1])


@compiled
def start_one(rules, kind, limit, chairs, brain, tables, dice, logs):
    """`begin` for calls from Python, with arrays of one record."""
    begin(rules[0], kind, limit, chairs, brain, tables[0], dice, log_of(logs, 0))
    return np.int64(tables[0].player)


@compiled
def move_one(rules, kind, limit, chairs, brain, tables, dice, move, logs):
    """`make_move` for calls from Python. Returns the player to move, and whether the game ended and how."""
    table = tables[0]
    make_move(rules[0], kind, limit, chairs, brain, table, dice, move, log_of(logs, 0))
    return np.int64(table.player), table.terminated, table.truncated, table.illegal


@compiled
def look_at(rules, tables, observer, seen, mask):
    """Fills an observation, and the mask of the legal moves if it is the observer's turn."""
    table = tables[0]
    observation.observe(rules[0], table.match, table.state, table.seated, observer, seen)
    show_mask(table, observer, mask)


@compiled
def show_mask(table, observer, mask):
    """Fills `mask`, an int8 array of shape `(MOVES,)`: 1 for each legal move of the observer."""
    legal = table.legal if table.player == observer else 0
    for move in range(MOVES):
        mask[move] = legal >> move & 1
