"""The table as everyone sees it. Nobody looks at a face-down card, so there is nothing else (2.2)."""

from enum import IntEnum

from .compiled import compiled, record
from .rules import MAX_FACES, MAX_SEATS, MAX_SLOTS

# In place of a face, a slot or a seat. All are negative, and no two that may meet are equal.
HIDDEN = -1  # a face: the card lies face down
NO_CARD = -1  # a face: there is no card in hand, or on the discard pile
NOTHING = -1  # a slot: no card is about to be shown
NOBODY = -1  # a seat
NO_MATCH = -2  # a face that completes a line: there is none
ANY_FACE = -3  # a face that completes a line: whichever comes

# A move is the number of a slot, or one of these. None moves a card within a layout (3.6).
STOCK = MAX_SLOTS  # 3.1 take the top card of the stock
DISCARD = MAX_SLOTS + 1  # 3.1 take the top card of the discard pile
DISCARD_DRAWN = MAX_SLOTS + 2  # 3.3 put the card drawn from the stock on the discard pile
PASS = MAX_SLOTS + 3  # 3.4 leave the last card face down; 3.8 knock; 4.2 decline a last turn
MOVES = MAX_SLOTS + 4


class Phase(IntEnum):
    """What the hole is waiting for, in the order of a turn."""

    DEAL = 0  # 2.3 the first card of the discard pile
    TEE_OFF = 1  # 2.4 a card to turn up before the first turn
    TAKE = 2  # 3.1 a card from either pile
    PLACE = 3  # 3.2 where the card goes
    FLIP = 4  # 3.3 a card to turn up after discarding the drawn one
    REVEAL = 5  # 4.3 the cards still face down
    OVER = 6


PLAYER = record(
    [
        ("layout", "i1", MAX_SLOTS),  # 1.3 the face on each slot, or HIDDEN
        ("hidden", "i1"),  # how many lie face down
        ("points", "i2"),  # 5 what the hole cost, once it is over
    ]
)

STATE = record(
    [
        ("players", PLAYER, MAX_SEATS),  # by seat, clockwise
        ("unseen", "i1", MAX_FACES),  # of each face, the cards nobody has seen since the deal
        ("stock", "i1", MAX_FACES),  # 2.6 of each face, the cards in a new stock
        ("renewed", "i1"),  # 2.6 whether it was
        ("stock_left", "i2"),  # how many cards the stock has
        ("discard", "i1"),  # the face on top of the discard pile, or NO_CARD
        ("held", "i1"),  # 3.1 the card in hand, or NO_CARD
        ("held_from_stock", "i1"),
        ("awaited", "i1"),  # the card about to be shown: its slot, STOCK, or NOTHING
        ("phase", "i1"),
        ("seats", "i1"),
        ("dealer", "i1"),
        ("first", "i1"),  # 2.5 who has the first turn, or NOBODY: the player with the highest tee-off
        ("turn", "i1"),  # whose turn it is
        ("closer", "i1"),  # 4.1 who turned up their last card first
        ("turns", "i4"),  # turns begun; teeing off before play is one (2.4)
    ]
)


@compiled
def is_hidden(player, slot):
    return player.layout[slot] == HIDDEN


@compiled
def is_teeing_off(rules, player):
    return player.hidden > rules.slots - rules.tee_off


@compiled
def is_last_turn(state):
    """Once someone has closed, each turn is someone's last (4.2)."""
    return state.closer != NOBODY


@compiled
def left_of(state, seat):
    """The next seat clockwise (2.5)."""
    return seat + 1 if seat + 1 < state.seats else 0
