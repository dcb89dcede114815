"""A model of the other players, counted in self-play: how signs change, who closes, and the points at the end."""

from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.chance import bag, draw, many_dice
from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.moves import deal, play, turn_up
from mulligan.engine.rules import MAX_SEATS
from mulligan.engine.state import NOBODY, NOTHING, STATE, Phase, is_last_turn
from mulligan.players import book, greedy, look_ahead, plain_book
from mulligan.players.values.layout_table import LEAST, SIGNS, SPAN

from .layout_values import in_pieces

GREEDY, PLAIN, BOOK = range(3)
NO_SIGN = -1
TURN_LIMIT = 200  # turns per seat; a hole in which nobody closes tells nothing


class Tally(NamedTuple):
    """What was seen at the turns of those who are measured; float64.

    chain[sign, later]: from one turn to the next, the hole still open.
    ends[sign]: someone else closed in between; theirs[sign]: the others' mean points then, added up.
    closed[sign]: this player closed; closing[sign]: the others' mean points then, added up.
    scores[sign, points]: the others' points when this player closed, one by one.
    discards[sign, face]: what lay on the discard pile.
    starts[sign]: the first turn of the hole.
    """

    chain: np.ndarray
    ends: np.ndarray
    theirs: np.ndarray
    closed: np.ndarray
    closing: np.ndarray
    scores: np.ndarray
    discards: np.ndarray
    starts: np.ndarray


def blank_tally(signs: int, faces: int) -> Tally:
    return Tally(
        np.zeros((signs, signs)),
        np.zeros(signs),
        np.zeros(signs),
        np.zeros(signs),
        np.zeros(signs),
        np.zeros((signs, SPAN)),
        np.zeros((signs, faces)),
        np.zeros(signs),
    )


@compiled
def choose(player, rules, state, books):
    if player == PLAIN:
        return plain_book.choose_by(rules, state, books.plain)
    if player == BOOK:
        return book.choose_by(rules, state, books.book)
    return look_ahead.choose_by(greedy.GREEDY, rules, state)


@compiled
def sign_now(signs_of, rules, state, books):
    if signs_of == PLAIN:
        return min(plain_book.turn_number(rules, state), SIGNS - 1)
    return book.sign_of(rules, state, int(state.turn), books.book.facts[0])


@compiled_with_arrays
def watch_holes(rules, seats, measured, signs_of, books, dice, table, tally):
    """Plays a hole for each of the dice and counts at the turns of `measured`, by the signs of that book.

    In a third of the holes the others are `greedy`, in a third they play the plain book: so the book knows
    weak tables too. And against nobody but themselves the players of the sign book would come to wait for
    one another, longer with every round.
    """
    state = table[0]
    seated = np.zeros(MAX_SEATS, np.int64)
    signs = np.zeros(MAX_SEATS, np.int64)
    for hole in range(len(dice)):
        opponent = GREEDY if hole % 3 == 0 else PLAIN if hole % 3 == 1 else measured
        for seat in range(seats):
            seated[seat] = measured if seat == hole // 3 % seats else opponent
            signs[seat] = NO_SIGN
        deal(rules, state, seats, hole % seats)
        while state.phase != Phase.OVER and state.turns < TURN_LIMIT * seats:
            phase = state.phase
            if state.awaited == NOTHING:
                player = seated[state.turn]
                if phase == Phase.TAKE and player == measured and not is_last_turn(state):
                    note_turn(state, sign_now(signs_of, rules, state, books), signs, tally)
                play(rules, state, choose(player, rules, state, books))
            if state.awaited != NOTHING and state.phase == phase:
                turn_up(rules, state, draw(rules, bag(state), dice[hole]))
        if state.phase == Phase.OVER and state.closer != NOBODY:
            note_end(state, seated, measured, signs, tally)


@compiled
def note_turn(state, sign, signs, tally):
    before = signs[state.turn]
    if before == NO_SIGN:
        tally.starts[sign] += 1
    else:
        tally.chain[before, sign] += 1
    tally.discards[sign, state.discard] += 1
    signs[state.turn] = sign


@compiled
def note_end(state, seated, measured, signs, tally):
    total = 0.0
    for seat in range(state.seats):
        total += state.players[seat].points
    for seat in range(state.seats):
        sign = signs[seat]
        if seated[seat] != measured or sign == NO_SIGN:
            continue
        others = (total - state.players[seat].points) / (state.seats - 1)
        if seat == state.closer:
            tally.closed[sign] += 1
            tally.closing[sign] += others
            for other in range(state.seats):
                if other != seat:
                    tally.scores[sign, min(max(0, state.players[other].points - LEAST), SPAN - 1)] += 1
        else:
            tally.ends[sign] += 1
            tally.theirs[sign] += others


def watch(
    rules: Any, seats: int, measured: int, signs_of: int, books: Any, holes: int, seed: int, threads: int
) -> Tally:
    """Counts over so many holes; the same seed counts the same, however many threads there are."""
    dice = many_dice(seed, holes)
    tallies: dict[int, Tally] = {}

    def piece(start: int, stop: int) -> None:
        tally = blank_tally(SIGNS, int(rules.faces))
        tallies[start] = tally
        watch_holes(rules, seats, measured, signs_of, books, dice[start:stop], np.zeros(1, STATE), tally)

    in_pieces(holes, piece, threads)
    in_order = [tallies[start] for start in sorted(tallies)]  # at four seats there are thirds, whose sums depend on it
    return Tally(*(np.sum(parts, axis=0) for parts in zip(*in_order, strict=True)))


class Turns(NamedTuple):
    """What the table showed at one turn after another.

    fewest, standing: how many cards the fastest of the others had face down, and the points of the best.
    turn: the number of the player's turn.
    """

    fewest: np.ndarray
    standing: np.ndarray
    turn: np.ndarray


@compiled
def watch_turns(rules, seats, books, dice, table, turns):
    """Fills the rows of `turns` from the self-play of the plain book, and returns how many it filled."""
    state = table[0]
    rows = 0
    for hole in range(len(dice)):
        deal(rules, state, seats, hole % seats)
        while state.phase != Phase.OVER and state.turns < TURN_LIMIT * seats:
            phase = state.phase
            if state.awaited == NOTHING:
                if phase == Phase.TAKE and not is_last_turn(state) and rows < len(turns.turn):
                    fewest, standing = book.others_show(rules, state, int(state.turn))
                    turns.fewest[rows], turns.standing[rows] = fewest, standing
                    turns.turn[rows] = min(plain_book.turn_number(rules, state), SIGNS - 1)
                    rows += 1
                play(rules, state, choose(PLAIN, rules, state, books))
            if state.awaited != NOTHING and state.phase == phase:
                turn_up(rules, state, draw(rules, bag(state), dice[hole]))
    return rows


ROWS = 60  # turns per hole of which there is room for, all seats together


def turns_of(rules: Any, seats: int, books: Any, holes: int, seed: int, threads: int) -> Turns:
    """The turns of so many holes of the plain book's self-play."""
    dice = many_dice(seed, holes)
    found = {}

    def piece(start: int, stop: int) -> None:
        rows = ROWS * (stop - start)
        turns = Turns(
            fewest=np.zeros(rows, np.int64),
            standing=np.zeros(rows, np.float32),
            turn=np.zeros(rows, np.int64),
        )
        filled = watch_turns(rules, seats, books, dice[start:stop], np.zeros(1, STATE), turns)
        found[start] = [column[:filled] for column in turns]

    in_pieces(holes, piece, threads)
    return Turns(*(np.concatenate(parts) for parts in zip(*(found[start] for start in sorted(found)), strict=True)))


class Field(NamedTuple):
    """The tally as chances and means, float32.

    chain[sign, later]: chance that the next turn has that sign; with ends[sign], that someone else
    closes before it, they add up to 1.
    theirs[sign], closing[sign]: the others' mean points when one of them closes, or oneself does.
    beaten[sign, points]: how many others have less than so many points (from LEAST on) when one closes.
    discards[sign, face], starts[sign]: as in the tally, as chances.
    """

    chain: np.ndarray
    ends: np.ndarray
    theirs: np.ndarray
    closing: np.ndarray
    beaten: np.ndarray
    discards: np.ndarray
    starts: np.ndarray


PRIOR = 20.0  # seen so seldom, a sign is taken for the usual one


def field_of(tally: Tally, usual: np.ndarray) -> Field:
    """Chances and means; `usual[face]` is how likely each face is to come."""
    signs = len(tally.ends)
    turns = tally.chain.sum(axis=1) + tally.ends
    chance = tally.ends.sum() / max(turns.sum(), 1)
    ends = (tally.ends + PRIOR * chance) / (turns + PRIOR)
    going = tally.chain.sum(axis=1, keepdims=True)
    chain = (tally.chain + PRIOR * np.eye(signs)) / (going + PRIOR)
    theirs = level(tally.theirs, tally.ends)
    closing = level(tally.closing, tally.closed)
    every = tally.scores.sum(axis=0) / max(tally.closed.sum(), 1)
    scores = (tally.scores + PRIOR * every) / (tally.closed[:, None] + PRIOR)
    below = np.concatenate([np.zeros((signs, 1)), np.cumsum(scores, axis=1)[:, :-1]], axis=1)
    discards = (tally.discards + PRIOR * usual) / (tally.discards.sum(axis=1, keepdims=True) + PRIOR)
    parts = chain * (1 - ends[:, None]), ends, theirs, closing, below, discards, tally.starts / tally.starts.sum()
    return Field(*(part.astype(np.float32) for part in parts))


def level(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Means, drawn to the usual one where little was seen."""
    usual = sums.sum() / max(counts.sum(), 1)
    return (sums + PRIOR * usual) / (counts + PRIOR)
