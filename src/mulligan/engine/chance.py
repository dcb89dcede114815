"""Chance: which card may come next and how likely it is, and the dice that choose it."""

import numpy as np

from .compiled import compiled, compiled_with_arrays
from .scoring import is_cleared
from .state import STOCK, is_hidden


@compiled_with_arrays
def bag(state):
    """Of each face, how many cards the awaited one may be: all in it are equally likely (2.2).

    The cards of the deal are one bag, in the stock and face down alike.
    """
    return stock_bag(state) if state.awaited == STOCK else state.unseen


@compiled_with_arrays
def stock_bag(state):
    """Of each face, what the top of the stock may be: a new stock is a bag of its own (2.6)."""
    return state.stock if state.renewed else state.unseen


@compiled
def bag_size(rules, counts):
    size = 0
    for face in range(rules.faces):
        size += counts[face]
    return size


@compiled
def renew_stock(rules, state):
    """The stock is empty: every discard under the top one is shuffled and becomes the new one (2.6)."""
    for face in range(rules.faces):
        state.stock[face] = rules.copies[face] - state.unseen[face]
    state.stock[state.discard] -= 1
    for seat in range(state.seats):
        player = state.players[seat]
        for slot in range(rules.slots):
            if not is_hidden(player, slot) and not is_cleared(rules, player, slot):
                state.stock[player.layout[slot]] -= 1
    state.stock_left = bag_size(rules, state.stock)
    state.renewed = 1


@compiled
def next_face(rules, state, dice):
    """The face of the awaited card, chosen by dice."""
    counts = bag(state)
    return nth_card(counts, roll(dice, bag_size(rules, counts)))


@compiled
def nth_card(counts, nth):
    """The face of a card of a bag, if its cards are numbered face by face from 0."""
    face = 0
    while nth >= counts[face]:
        nth -= counts[face]
        face += 1
    return face


@compiled
def roll(dice, sides):
    """A number from 0 to `sides` - 1.

    Dice are an array of one positive int64: a multiply-with-carry generator whose product stays
    below 2**63, so that plain Python rolls the same (Marsaglia 1994; the multiplier makes a safe
    prime, so the period is about 2**61).
    """
    dice[0] = 1779033213 * (dice[0] & 0xFFFFFFFF) + (dice[0] >> 32)
    return (((dice[0] ^ (dice[0] >> 32)) & 0xFFFFFFFF) * sides) >> 32


def many_dice(seed, count):
    """Independent dice for `count` games: an int64 array of shape (count, 1), the same for a seed, random for None."""
    words = np.random.PCG64(seed).random_raw(count) >> np.uint64(2)
    return (words | np.uint64(1)).astype(np.int64).reshape(count, 1)
