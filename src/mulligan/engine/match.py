"""Holes into a match: the first dealer (2.1), totals, and who wins (6)."""

from .chance import bag_size, nth_card, roll
from .compiled import compiled, record
from .moves import deal
from .rules import MAX_FACES, MAX_SEATS
from .state import NOBODY

MATCH = record(
    [
        ("unseen", "i1", MAX_FACES),  # 2.1 the pack as the draw for the deal leaves it
        ("drawn", "i1", MAX_SEATS),  # 2.1 the face each player drew last
        ("at_table", "i1", MAX_SEATS),  # 1 for who draws (2.1), or who plays the hole (6.3)
        ("draw_points", "i2", MAX_SEATS),  # 2.1 the points of the card each player drew last
        ("points", "i2", MAX_SEATS),  # 5 what the last hole cost each player
        ("totals", "i4", MAX_SEATS),  # 6.1 of the nine holes
        ("players", "i1"),
        ("dealer", "i1"),  # NOBODY until 2.1 is settled
        ("closer", "i1"),  # 4.1 who closed the last hole, or NOBODY
        ("holes", "i2"),  # holes finished, play-off holes among them
        ("playing_off", "i1"),  # 6.3 the totals stand, and those level for lowest play on
        ("over", "i1"),  # 6.2 those still at the table have won
    ]
)


@compiled
def begin_match(rules, match, players):
    """Starts a match in which everyone draws for the deal (2.1)."""
    match.players = players
    match.dealer = NOBODY
    match.closer = NOBODY
    match.holes = 0
    match.playing_off = 0
    match.over = 0
    for player in range(players):
        match.at_table[player] = 1
        match.totals[player] = 0


@compiled
def draw_for_deal(rules, match, dice):
    """Everyone who is still in the draw takes a card from the spread pack (2.1)."""
    for face in range(rules.faces):
        match.unseen[face] = rules.copies[face]
    left = bag_size(rules, match.unseen)
    for player in range(match.players):
        if match.at_table[player]:
            match.drawn[player] = nth_card(match.unseen, roll(dice, left))
            match.unseen[match.drawn[player]] -= 1
            left -= 1


@compiled
def compare_draw(rules, match):
    """The lowest card deals; those tied for lowest draw again (2.1)."""
    for player in range(match.players):
        if match.at_table[player]:
            match.draw_points[player] = rules.points[match.drawn[player]]
    keep_lowest(match, match.draw_points)
    if count_at_table(match) == 1:
        match.dealer = player_at(match, 0)
        for player in range(match.players):
            match.at_table[player] = 1


@compiled
def deal_hole(rules, match, state):
    """Deals the next hole to those at the table."""
    deal(rules, state, count_at_table(match), seat_of(match, match.dealer))
    let_closer_start(rules, match, state)


@compiled
def let_closer_start(rules, match, state):
    """In some games the first turn is the last closer's (2.5), if they are still at the table (6.3)."""
    if rules.closer_starts and match.closer != NOBODY and match.at_table[match.closer]:
        state.first = seat_of(match, match.closer)


@compiled
def finish_hole(rules, match, state):
    """Enters the hole on the card, passes the deal on, and sees whether the match is won."""
    for seat in range(state.seats):
        match.points[player_at(match, seat)] = state.players[seat].points
    match.holes += 1
    match.closer = NOBODY if state.closer == NOBODY else player_at(match, state.closer)
    if match.playing_off:  # 6.3 the lowest of the play-off hole
        keep_lowest(match, match.points)
        match.over = count_at_table(match) == 1
    else:
        for player in range(match.players):
            match.totals[player] += match.points[player]
        if is_complete(rules, match):  # 6.2 the lowest total
            keep_lowest(match, match.totals)
            match.over = count_at_table(match) == 1 or not rules.playoff  # 6.3 share, or play on
            match.playing_off = not match.over
    match.dealer = next_dealer(match)


@compiled
def is_complete(rules, match):
    """Whether the last hole that counts has been played (6.1)."""
    if rules.until:
        for player in range(match.players):
            if match.totals[player] >= rules.until:
                return True
    return match.holes == rules.holes


@compiled
def keep_lowest(match, points):
    """Only the players with the lowest points stay at the table."""
    lowest = 2**31 - 1
    for player in range(match.players):
        if match.at_table[player] and points[player] < lowest:
            lowest = points[player]
    for player in range(match.players):
        if points[player] > lowest:
            match.at_table[player] = 0


@compiled
def next_dealer(match):
    """The deal passes to the left (6.1), to the next who is still at the table (6.3)."""
    dealer = (match.dealer + 1) % match.players
    while not match.at_table[dealer]:
        dealer = (dealer + 1) % match.players
    return dealer


@compiled
def count_at_table(match):
    seats = 0
    for player in range(match.players):
        seats += match.at_table[player]
    return seats


@compiled
def player_at(match, seat):
    """The player in a seat: seats number those at the table, clockwise."""
    player = -1
    while seat >= 0:
        player += 1
        seat -= match.at_table[player]
    return player


@compiled
def seat_of(match, player):
    seat = 0
    for other in range(player):
        seat += match.at_table[other]
    return seat
