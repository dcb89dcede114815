"""A second yardstick of another make: an engine for Play Nine alone that keeps sets of slots as bits.

It plays by the rules of `yardstick.py`, and its random player too takes one legal move at a time. But it deals no pack:
a card is drawn when it is shown. Its state is an array of 64-bit numbers beside one of faces, and all its functions are
merged into one. Both yardsticks leave out what our engine does besides: other games and numbers of seats, the draw for
the first dealer, matches, the places of the players, the log of a game, and players who come by address.
"""

import numba
import numpy as np

TEE_OFF, TAKE, PLACE, FLIP, OVER = range(5)
STOCK, DISCARD, THROW_AWAY, PASS = range(8, 12)
# state: 0 phase, 1 turn, 2 closer, 3 held, 4 from stock, 5 discard, 6 cards nobody has seen, 7 cards in the stock,
# 8 whether it is a new one, 9 discards under the top one, 10..13 the face-up slots of each seat as bits
# faces: 0..31 of the layouts, 32..139 cards nobody has seen, 140..247 a new stock, 248..355 the discards
fast = numba.njit(forceinline=True)


@fast
def roll(dice, sides):
    dice[0] = 1779033213 * (dice[0] & 0xFFFFFFFF) + (dice[0] >> 32)
    return (((dice[0] ^ (dice[0] >> 32)) & 0xFFFFFFFF) * sides) >> 32


@fast
def draw(s, faces, pile, begin, dice):
    nth = begin + roll(dice, s[pile])
    s[pile] -= 1
    face = faces[nth]
    faces[nth] = faces[begin + s[pile]]
    return face


@fast
def draw_from_stock(s, faces, dice):
    if s[7] == 0:
        s[7], s[8], s[9] = s[9], 1, 0
        for i in range(s[7]):
            faces[140 + i] = faces[248 + i]
    if s[8]:
        return draw(s, faces, 7, 140, dice)
    s[7] -= 1
    return draw(s, faces, 6, 32, dice)


@fast
def deal(s, faces, dealer, dice):
    for i in range(108):
        faces[32 + i] = i // 8
    s[:] = 0
    s[1], s[2], s[6], s[7] = (dealer + 1) & 3, -1, 108, 76
    s[5] = draw_from_stock(s, faces, dice)


@fast
def legal(s):
    if s[0] == TAKE:
        return 1 << STOCK | 1 << DISCARD
    if s[0] == PLACE:
        return 0xFF | s[4] << THROW_AWAY
    hidden = ~s[10 + s[1]] & 0xFF
    return hidden | (1 << PASS if s[0] == FLIP and not hidden & (hidden - 1) else 0)


@fast
def throw(s, faces, face):
    faces[248 + s[9]] = s[5]
    s[9] += 1
    s[5] = face


@fast
def show(s, faces, slot, face):
    faces[s[1] << 3 | slot] = face
    s[10 + s[1]] |= 1 << slot
    if s[10 + s[1]] == 0xFF and s[2] < 0:
        s[2] = s[1]


@fast
def end_turn(s):
    s[1] = (s[1] + 1) & 3
    up = s[10 + s[1]]
    s[0] = OVER if s[1] == s[2] else TAKE if up & (up - 1) else TEE_OFF


@fast
def step(s, faces, move, dice):
    if s[0] == TAKE:
        s[0], s[4] = PLACE, move == STOCK
        if move == STOCK:
            s[3] = draw_from_stock(s, faces, dice)
        else:
            s[9] -= 1
            s[3], s[5] = s[5], faces[248 + s[9]]
    elif s[0] == PLACE and move < 8:
        old_face = faces[s[1] << 3 | move] if s[10 + s[1]] >> move & 1 else draw(s, faces, 6, 32, dice)
        show(s, faces, move, s[3])
        throw(s, faces, old_face)
        end_turn(s)
    elif s[0] == PLACE:
        throw(s, faces, s[3])
        if s[2] < 0:
            s[0] = FLIP
        else:
            end_turn(s)
    else:
        if move < 8:
            show(s, faces, move, draw(s, faces, 6, 32, dice))
        up = s[10 + s[1]]
        if s[0] == FLIP or up & (up - 1):
            end_turn(s)


@fast
def choose(s, dice):
    if s[0] == TAKE:
        return STOCK + roll(dice, 2)
    moves = legal(s)
    while True:
        move = roll(dice, 9)
        if move == 8:
            move = THROW_AWAY if s[0] == PLACE else PASS
        if moves >> move & 1:
            return move


@fast
def score(s, faces, seat, dice):
    points = 0
    for slot in range(8):
        if not s[10 + seat] >> slot & 1:
            faces[seat << 3 | slot] = draw(s, faces, 6, 32, dice)
    for a in range(4):
        one, two = faces[seat * 8 + a], faces[seat * 8 + a + 4]
        if one != two or one == 13:
            points += (one if one < 13 else -5) + (two if two < 13 else -5)
        if one == two:
            before, after = 0, 0
            for b in range(4):
                same = faces[seat * 8 + b] == one and faces[seat * 8 + b + 4] == one
                before += same and b < a
                after += same and b > a
            if not before and after:
                points -= 5 + 5 * after
    return points


@numba.njit(cache=True)
def play_holes(seed, holes):
    """Plays four-seat holes with random moves. Returns their moves and points."""
    s, faces, dice = np.zeros(14, np.int64), np.zeros(356, np.int8), np.array([seed])
    moves, points = 0, 0
    for hole in range(holes):
        deal(s, faces, hole & 3, dice)
        while s[0] < OVER:
            step(s, faces, choose(s, dice), dice)
            moves += 1
        for seat in range(4):
            points += score(s, faces, seat, dice)
    return moves, points
