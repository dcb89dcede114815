"""The yardstick: the smallest engine for Play Nine we can write, to compare ours with.

It knows one game and deals a shuffled pack; its state is one array of bytes. Like ours it takes one legal move at a
time: a slot, the stock or the discard pile, discard, pass; and a random player asks it what is legal.
"""

import numba
import numpy as np

# state: 0 phase (0 tee off, 1 take, 2 place, 3 flip, 4 over), 1 turn, 2 closer, 3 held, 4 from stock, 5 discard,
# 6 top of the stock, 7 bottom of the discards, 8..11 face-down cards, 16..47 faces, 48..79 face up, 80..187 pack


@numba.njit(cache=True)
def roll(dice, sides):
    dice[0] = 1779033213 * (dice[0] & 0xFFFFFFFF) + (dice[0] >> 32)
    return (((dice[0] ^ (dice[0] >> 32)) & 0xFFFFFFFF) * sides) >> 32


@numba.njit(cache=True)
def shuffle(s, first, dice):
    for i in range(187, first, -1):
        j = first + roll(dice, i + 1 - first)
        s[i], s[j] = s[j], s[i]


@numba.njit(cache=True)
def deal(s, dealer, dice):
    shuffle(s, 80, dice)
    s[16:48] = s[80:112]
    s[48:80] = 0
    s[8:12] = 8
    s[0], s[1], s[2], s[5], s[6], s[7] = 0, (dealer + 1) & 3, -1, s[112], 33, 33


@numba.njit(cache=True)
def legal(s, move):
    if s[0] == 1:
        return move == 8 or move == 9
    if s[0] == 2:
        return move < 8 or (move == 10 and s[4])
    return (move < 8 and not s[48 + s[1] * 8 + move]) or (s[0] == 3 and move == 11 and s[8 + s[1]] == 1)


@numba.njit(cache=True)
def open_slot(s, slot):
    if not s[48 + s[1] * 8 + slot]:
        s[48 + s[1] * 8 + slot] = 1
        s[8 + s[1]] -= 1
        if s[8 + s[1]] == 0 and s[2] < 0:
            s[2] = s[1]


@numba.njit(cache=True)
def end_turn(s):
    s[1] = (s[1] + 1) & 3
    s[0] = 4 if s[1] == s[2] else 0 if s[8 + s[1]] > 6 else 1


@numba.njit(cache=True)
def step(s, move, dice):
    if s[0] == 0:
        open_slot(s, move)
        if s[8 + s[1]] == 6:
            end_turn(s)
    elif s[0] == 1:
        s[4] = move == 8
        s[0] = 2
        s[3] = s[5]
        if move == 8:
            if s[6] == 108:
                s[6], s[7] = 108 - s[7], 0
                shuffle(s, 80 + s[6], dice)
            s[3] = s[80 + s[6]]
            s[6] += 1
    elif s[0] == 2:
        if move < 8:
            s[5] = s[16 + s[1] * 8 + move]
            s[16 + s[1] * 8 + move] = s[3]
            open_slot(s, move)
            end_turn(s)
        else:
            s[5] = s[3]
            if s[2] >= 0:
                end_turn(s)
            else:
                s[0] = 3
    else:
        if move < 8:
            open_slot(s, move)
        end_turn(s)


@numba.njit(cache=True)
def score(s, seat):
    points = 0
    for a in range(4):
        one, two = s[16 + seat * 8 + a], s[20 + seat * 8 + a]
        if one != two or one == 13:
            points += (one if one < 13 else -5) + (two if two < 13 else -5)
        if one == two:
            before, after = 0, 0
            for b in range(4):
                same = s[16 + seat * 8 + b] == one and s[20 + seat * 8 + b] == one
                before += same and b < a
                after += same and b > a
            if not before and after:
                points -= 5 + 5 * after
    return points


@numba.njit(cache=True)
def play_holes(seed, holes):
    """Plays four-seat holes with random moves. Returns their moves and points."""
    s = np.zeros(188, np.int8)
    dice = np.array([seed])
    s[80:188] = np.arange(108) // 8
    moves, points = 0, 0
    for hole in range(holes):
        deal(s, hole & 3, dice)
        while s[0] < 4:
            while True:
                if s[0] == 1:
                    move = 8 + roll(dice, 2)
                else:
                    move = roll(dice, 9)
                    if move == 8:
                        move = 10 if s[0] == 2 else 11
                if legal(s, move):
                    break
            step(s, move, dice)
            moves += 1
        for seat in range(4):
            points += score(s, seat)
    return moves, points
