"""A hole, move by move (2.3 to 4.3).

`play` makes a player's choice. If it shows a card (`state.awaited`), the hole waits until `turn_up`
passes its face.
"""

from .chance import bag, next_face, renew_stock
from .compiled import compiled
from .rules import TeeOff
from .scoring import is_cleared, matched_slots, settle
from .state import (
    DISCARD,
    DISCARD_DRAWN,
    HIDDEN,
    MOVES,
    NO_CARD,
    NOBODY,
    NOTHING,
    PASS,
    STOCK,
    Phase,
    is_hidden,
    is_last_turn,
    is_teeing_off,
    left_of,
)


@compiled
def deal(rules, state, seats, dealer):
    """Every card face down (2.2), the first one of the stock about to be turned up (2.3)."""
    state.seats = seats
    state.dealer = dealer
    state.first = NOBODY if rules.closer_starts else left_of(state, dealer)
    state.turn = dealer
    state.closer = NOBODY
    state.turns = 0
    state.held = NO_CARD
    state.held_from_stock = 0
    state.discard = NO_CARD
    state.renewed = 0
    state.stock_left = -rules.slots * seats
    for face in range(rules.faces):
        state.unseen[face] = rules.copies[face]
        state.stock[face] = 0
        state.stock_left += rules.copies[face]
    for seat in range(seats):
        player = state.players[seat]
        player.hidden = rules.slots
        player.points = 0
        for slot in range(rules.slots):
            player.layout[slot] = HIDDEN
    state.phase = Phase.DEAL
    state.awaited = STOCK


@compiled
def is_legal(rules, state, move):
    """Whether the player whose turn it is may play that move now."""
    return 0 <= move < MOVES and legal_moves(rules, state) >> move & 1 == 1


@compiled
def legal_moves(rules, state):
    """The legal moves as a set of bits: bit `move` is 1 where that move is legal."""
    moves = 0
    if state.awaited != NOTHING:
        return moves
    player = state.players[state.turn]
    if state.phase == Phase.TEE_OFF:  # 2.4 any face-down card, or one in the right place
        for slot in range(rules.slots):
            if is_hidden(player, slot) and may_tee_off(rules, player, slot):
                moves |= 1 << slot
    elif state.phase == Phase.TAKE:  # 3.1 the top of either pile; 3.8 or a knock; 4.2 a last turn may be declined
        moves |= 1 << STOCK | 1 << DISCARD
        if may_knock(rules, state) or may_decline(rules, state):
            moves |= 1 << PASS
    elif state.phase == Phase.PLACE:  # 3.2 on any card in the layout; 3.3, 3.5 only a stock card may be discarded
        moves |= (1 << rules.slots) - 1
        if rules.lines_clear:  # 3.7
            moves &= ~matched_slots(rules, player.layout)
        if state.held_from_stock and rules.may_discard_drawn:
            moves |= 1 << DISCARD_DRAWN
    elif state.phase == Phase.FLIP:  # 3.3 any face-down card; 3.4 the last one, or any, may stay face down
        moves |= hidden_slots(rules, player)
        if may_pass(rules, player):
            moves |= 1 << PASS
    return moves


@compiled
def hidden_slots(rules, player):
    """The slots with face-down cards, as a set of bits."""
    slots = 0
    for slot in range(rules.slots):
        slots |= is_hidden(player, slot) << slot
    return slots


@compiled
def may_tee_off(rules, player, slot):
    """Whether the face-down card is in the right place to be turned up before the first turn (2.4)."""
    if rules.tee_off_place == TeeOff.ANY:
        return True
    for other in range(rules.slots):
        if not is_hidden(player, other):
            if rules.tee_off_place == TeeOff.EACH_ROW:
                if slot // rules.columns == other // rules.columns:
                    return False
            elif (slot % rules.columns == other % rules.columns) != (rules.tee_off_place == TeeOff.ONE_COLUMN):
                return False
    return True


@compiled
def may_knock(rules, state):
    """Whether the player may close without taking a card (3.8)."""
    return not is_last_turn(state) and state.players[state.turn].hidden <= rules.knock


@compiled
def may_decline(rules, state):
    return rules.may_decline_last_turn and is_last_turn(state)


@compiled
def may_pass(rules, player):
    return rules.may_leave_any or (rules.may_leave_last and player.hidden == 1)


@compiled
def ends_turn_by_discarding(rules, state):
    """Whether nothing is turned up after discarding (3.3). On a last turn it could change nothing (4.2)."""
    return rules.discard_ends_turn or is_last_turn(state)


@compiled
def play(rules, state, move):
    """Plays a legal move. If it shows a card (`state.awaited`), `turn_up` has to follow."""
    player = state.players[state.turn]
    if move == PASS:  # 3.4 a card stays face down; 3.8 the player knocks; 4.2 the last turn is declined
        if state.phase == Phase.TAKE and not is_last_turn(state):
            state.closer = state.turn
        end_turn(rules, state)
    elif state.phase == Phase.TEE_OFF:  # 2.4
        state.awaited = move
    elif state.phase == Phase.TAKE:  # 3.1
        if move == STOCK:
            take_from_stock(state)
        else:
            take_discard(state)
    elif state.phase == Phase.PLACE:
        if move == DISCARD_DRAWN:  # 3.3
            discard_drawn(rules, state)
        elif is_hidden(player, move):  # 3.2 whatever turns up under it, it goes
            state.awaited = move
        else:
            put_down(rules, state, move, player.layout[move])
    elif state.phase == Phase.FLIP:  # 3.3
        state.awaited = move


@compiled
def turn_up(rules, state, face):
    """The awaited card is shown, and it is that face."""
    bag(state)[face] -= 1
    slot = state.awaited
    state.awaited = NOTHING
    if slot == STOCK:
        state.stock_left -= 1
    if state.phase == Phase.DEAL:  # 2.3
        state.discard = face
        end_turn(rules, state)  # 2.5 the player on the dealer's left starts
    elif state.phase == Phase.TEE_OFF:  # 2.4
        lay_open(state, slot, face)
        clear_line(rules, state, slot)
        close_if_open(state)
        if not is_teeing_off(rules, state.players[state.turn]):
            tee_off_done(rules, state)
    elif state.phase == Phase.TAKE:  # 3.1
        state.held = face
        state.phase = Phase.PLACE
    elif state.phase == Phase.PLACE:  # 3.2
        put_down(rules, state, slot, face)
    elif state.phase == Phase.FLIP:  # 3.3
        lay_open(state, slot, face)
        clear_line(rules, state, slot)
        close_if_open(state)
        end_turn(rules, state)
    elif state.phase == Phase.REVEAL:  # 4.3
        lay_open(state, slot, face)
        reveal(rules, state)


@compiled
def tee_off_done(rules, state):
    """Either everyone tees off before the first turn, or the player goes on at once (2.4)."""
    if rules.tee_off_before_play:
        end_turn(rules, state)
    else:
        state.phase = Phase.TAKE


@compiled
def take_from_stock(state):
    state.held_from_stock = 1
    state.awaited = STOCK


@compiled
def take_discard(state):
    state.held = state.discard
    state.held_from_stock = 0
    state.phase = Phase.PLACE


@compiled
def put_down(rules, state, slot, old_face):
    """The card in hand takes the slot, and the card that lay there goes to the discard pile (3.2)."""
    lay_open(state, slot, state.held)
    close_if_open(state)
    state.held = NO_CARD
    state.discard = old_face
    clear_line(rules, state, slot)
    end_turn(rules, state)


@compiled
def discard_drawn(rules, state):
    """The drawn card goes to the discard pile, and in most games the player turns up another one (3.3)."""
    state.discard = state.held
    state.held = NO_CARD
    if ends_turn_by_discarding(rules, state):
        end_turn(rules, state)
    else:
        state.phase = Phase.FLIP


@compiled
def lay_open(state, slot, face):
    """The card on the slot now lies face up."""
    player = state.players[state.turn]
    if is_hidden(player, slot):
        player.hidden -= 1
    player.layout[slot] = face


@compiled
def clear_line(rules, state, slot):
    """If the card on the slot completes a line, the line leaves the layout for the top of the discard pile (3.7)."""
    player = state.players[state.turn]
    if is_cleared(rules, player, slot):
        state.discard = player.layout[slot]


@compiled
def close_if_open(state):
    """The first player whose cards are all face up has closed (4.1)."""
    if state.closer == NOBODY and state.players[state.turn].hidden == 0:
        state.closer = state.turn


@compiled
def end_turn(rules, state):
    """The turn passes to the left (2.5). The hole ends when all have had their last one (4.2)."""
    begins = state.phase in (Phase.DEAL, Phase.TEE_OFF)
    state.turn = left_of(state, state.turn)
    state.turns += 1
    if state.stock_left == 0:  # 2.6
        renew_stock(rules, state)
    if is_played(rules, state):
        reveal(rules, state)
    elif is_teeing_off(rules, state.players[state.turn]):
        state.phase = Phase.TEE_OFF
    else:
        state.phase = Phase.TAKE
        if begins:
            state.turn = first_turn(rules, state)


@compiled
def first_turn(rules, state):
    """Who begins: the player on the dealer's left, the last closer, or the player with the highest tee-off (2.5)."""
    if state.first != NOBODY:
        return state.first
    first, most, seat = NOBODY, 0, state.dealer
    for _ in range(state.seats):
        seat = left_of(state, seat)
        points = open_points(rules, state.players[seat])
        if first == NOBODY or points > most:
            first, most = seat, points
    return first


@compiled
def open_points(rules, player):
    """What the open cards cost one by one."""
    points = 0
    for slot in range(rules.slots):
        if not is_hidden(player, slot):
            points += rules.points[player.layout[slot]]
    return points


@compiled
def is_played(rules, state):
    """Whether someone has closed and, if there are last turns, the turn is back at them (4.2)."""
    return is_last_turn(state) and (state.turn == state.closer or not rules.has_last_turns)


@compiled
def reveal(rules, state):
    """The next card still face down is turned up; after the last of them the hole is over (4.3)."""
    state.phase = Phase.REVEAL
    for seat in range(state.seats):
        if state.players[seat].hidden:
            state.turn = seat
            state.awaited = hidden_slot(rules, state.players[seat])
            return
    state.turn = NOBODY
    state.phase = Phase.OVER
    settle(rules, state)


@compiled
def abandon(rules, state):
    """Ends a hole in which nobody closes: all cards are revealed."""
    state.awaited = NOTHING
    reveal(rules, state)


@compiled
def is_too_long(state, last_turn):
    """Whether a turn after the one of that number begins, and nobody has closed."""
    return state.turns > last_turn and state.phase == Phase.TAKE and state.closer == NOBODY


@compiled
def advance(rules, state, dice, last_turn):
    """Turns up the awaited cards until a player has to choose. Returns whether one has, or the hole is over.

    A hole that is too long is abandoned.
    """
    while state.phase != Phase.OVER:
        if state.awaited != NOTHING:
            turn_up(rules, state, next_face(rules, state, dice))
        elif is_too_long(state, last_turn):
            abandon(rules, state)
        else:
            return True
    return False


@compiled
def hidden_slot(rules, player):
    """The first slot with a face-down card."""
    for slot in range(rules.slots):
        if is_hidden(player, slot):
            return slot
    return NOTHING
