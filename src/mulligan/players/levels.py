"""Levels for people: computer players with human weaknesses, from a beginner upwards.

None of them ever rolls dice. What a level does worse than the next, it does worse for a reason: it does not see
as far, forgets which cards are gone, cannot bear to wait, or has no eyes for the others.
"""

from typing import NamedTuple

import numpy as np

from ..engine.chance import bag_size
from ..engine.compiled import compiled
from ..engine.rules import MAX_FACES, line_of, slot_in_line
from ..engine.scoring import NO_MATCH, cost, count_lines, is_first_match, lines_cost, matched_face
from ..engine.state import (
    DISCARD,
    HIDDEN,
    NOTHING,
    PASS,
    STOCK,
    THROW_AWAY,
    Phase,
    is_hidden,
    is_last_turn,
    left_of,
)
from .book import choose as choose_by_the_book
from .greedy import NEAR, boredom
from .pages import is_written

NEVER = 1e9
SPARE_TIME = 2  # turns a hole goes on after the first of the others could have closed
LAST_TURN_GAIN = 9  # strokes the others are feared to save in their last turns
GUARD = 0.3  # strokes he would spend to keep a stroke from the next player; a stroke of the field is worth less


class Traits(NamedTuple):
    """What sets a level apart; all of them numbers, so that one piece of compiled code serves every level."""

    memory: float  # of the cards that are gone he knows: 0 none, 1 those that lie open, 2 all
    foresight: float  # 1: weighs what the stock may bring; 0: judges the card before him by itself
    choosy: float  # without foresight: strokes a card must save before he wants it
    haste: float  # strokes a face-down card seems to cost him above the mean: he cannot bear it
    bonus: float  # 1: thinks of what a second line of the same face earns
    hope: float  # how much of a line he already sees in one that lacks a card
    eyes: float  # 1: looks at the others: what the next one wants, who will beat him


BEGINNER = Traits(memory=0.0, foresight=0.0, choosy=0.0, haste=2.5, bonus=0.0, hope=0.0, eyes=0.0)
WEEKEND = Traits(memory=0.0, foresight=0.0, choosy=0.5, haste=1.5, bonus=0.0, hope=0.0, eyes=0.0)
REGULAR = Traits(memory=1.0, foresight=0.0, choosy=3.0, haste=0.0, bonus=1.0, hope=0.0, eyes=0.0)
CLUB = Traits(memory=1.0, foresight=1.0, choosy=0.0, haste=0.0, bonus=1.0, hope=0.2, eyes=0.0)
PRO = Traits(memory=2.0, foresight=1.0, choosy=0.0, haste=0.0, bonus=1.0, hope=0.3, eyes=1.0)
LEVELS = (BEGINNER, WEEKEND, REGULAR, CLUB, PRO)


class Sight(NamedTuple):
    """What he believes of the cards he cannot see, and of the time there is."""

    left: np.ndarray  # of each face, how many may still come
    size: float
    hidden_points: float
    hope: float


@compiled
def choose(level, rules, state):
    """The move of somebody of that level, 0 for the beginner."""
    return choose_by(LEVELS[level], rules, state)


@compiled
def choose_as_pro(rules, state, books):
    """A pro knows the book, where one is written."""
    if is_written(books.book):
        return choose_by_the_book(rules, state, books)
    return choose_by(PRO, rules, state)


@compiled
def choose_by(traits, rules, state):
    sight = look(traits, rules, state)
    if state.phase == Phase.TAKE:
        placed = best_place(traits, rules, state, sight, state.discard)[0]
        return DISCARD if placed < value_of_stock(traits, rules, state, sight) - NEAR else STOCK
    if state.phase == Phase.PLACE:
        placed, slot = best_place(traits, rules, state, sight, state.held)
        if state.held_from_stock and rules.may_throw_away:
            thrown = value_thrown_away(traits, rules, state, sight) + gift(traits, rules, state, sight, state.held)
            if thrown - traits.choosy < placed + NEAR:
                return THROW_AWAY
        return slot
    return best_flip(traits, rules, state, sight)[1]


@compiled
def look(traits, rules, state):
    left = cards_left(traits, rules, state)
    size = bag_size(rules, left)
    total = 0.0
    for face in range(rules.faces):
        total += left[face] * rules.points[face]
    mean = total / size if size else 0.0
    return Sight(left, size, mean + traits.haste + boredom(state), traits.hope * time_left(rules, state))


@compiled
def cards_left(traits, rules, state):
    left = np.zeros(MAX_FACES)
    for face in range(rules.faces):
        left[face] = state.unseen[face] if traits.memory == 2 else rules.copies[face]
    if traits.memory == 1:
        for seat in range(state.seats):
            for slot in range(rules.slots):
                if not is_hidden(state.players[seat], slot):
                    left[state.players[seat].layout[slot]] -= 1
    return left


@compiled
def time_left(rules, state):
    """As a share of a whole hole: it lasts as long as the others have cards face down."""
    if is_last_turn(state):
        return 0.0
    fewest = rules.slots
    for seat in range(state.seats):
        if seat != state.turn:
            fewest = min(fewest, state.players[seat].hidden)
    return min(1.0, (fewest + SPARE_TIME) / (rules.slots - rules.tee_off))


@compiled
def value_of_stock(traits, rules, state, sight):
    """What he expects of the next card, from those he believes to be left."""
    if not traits.foresight or not sight.size:
        return value(traits, rules, state, sight) - traits.choosy
    thrown = value_thrown_away(traits, rules, state, sight)
    total = 0.0
    for face in range(rules.faces):
        if sight.left[face] > 0:
            best = best_place(traits, rules, state, sight, face)[0]
            if rules.may_throw_away:
                best = min(best, thrown + gift(traits, rules, state, sight, face))
            total += best * sight.left[face]
    return total / sight.size


@compiled
def value_thrown_away(traits, rules, state, sight):
    if is_last_turn(state):
        return value(traits, rules, state, sight)
    return best_flip(traits, rules, state, sight)[0]


@compiled
def best_place(traits, rules, state, sight, face):
    player = state.players[state.turn]
    best, best_slot = NEVER, NOTHING
    for slot in range(rules.slots):
        old_face = player.layout[slot]
        lay(player, slot, face)
        worth = value(traits, rules, state, sight) + gift(traits, rules, state, sight, old_face)
        lay(player, slot, old_face)
        if worth < best - NEAR:
            best, best_slot = worth, slot
    return best, best_slot


@compiled
def best_flip(traits, rules, state, sight):
    """The value of the best card to turn up, and its slot; or of leaving the last one (3.4), and PASS."""
    player = state.players[state.turn]
    best, best_move = NEVER, NOTHING
    for slot in range(rules.slots):
        if is_hidden(player, slot):
            worth = value_of_flip(traits, rules, state, sight, slot)
            if worth < best - NEAR:
                best, best_move = worth, slot
    if rules.may_leave_last and player.hidden == 1 and state.phase != Phase.TEE_OFF:
        worth = value(traits, rules, state, sight)
        if worth < best - NEAR:
            return worth, PASS
    return best, best_move


@compiled
def value_of_flip(traits, rules, state, sight, slot):
    player = state.players[state.turn]
    total = 0.0
    for face in range(rules.faces):
        if sight.left[face] > 0:
            lay(player, slot, face)
            total += sight.left[face] * value(traits, rules, state, sight)
            lay(player, slot, HIDDEN)
    return total / sight.size


@compiled
def lay(player, slot, face):
    """Changes the layout, and what is counted of it; also back again."""
    player.hidden -= is_hidden(player, slot)
    player.layout[slot] = face
    player.hidden += is_hidden(player, slot)


@compiled
def gift(traits, rules, state, sight, face):
    """What it seems to cost him that the next player will find that card on the discard pile."""
    seat = left_of(state, state.turn)
    if not traits.eyes or face == HIDDEN or seat == state.turn or seat == state.closer:
        return 0.0
    layout = state.players[seat].layout
    now = cost(rules, layout, sight.hidden_points)
    saved = 0.0
    for slot in range(rules.slots):
        old_face = layout[slot]
        layout[slot] = face
        if matched_face(rules, layout, line_of(rules, slot)) != NO_MATCH:
            saved = max(saved, now - cost(rules, layout, sight.hidden_points))
        layout[slot] = old_face
    return GUARD * saved / (state.seats - 1)


@compiled
def value(traits, rules, state, sight):
    """What his layout seems to be worth to him."""
    player = state.players[state.turn]
    total = 0.0
    for line in range(rules.lines):
        face = matched_face(rules, player.layout, line)
        if face == NO_MATCH:
            total += value_of_line(rules, player, line, sight)
        elif is_first_match(rules, player.layout, line, face):
            lines = count_lines(rules, player.layout, face)
            total += lines_cost(rules, face, lines) if traits.bonus else lines * rules.line_points[face]
    if traits.eyes and not player.hidden and not is_last_turn(state):
        total += expected_penalty(rules, state, sight, total)
    return total


@compiled
def expected_penalty(rules, state, sight, points):
    """What closing may cost him: for each of the others who may still come out lower (5.6)."""
    beaten_by = 0
    for seat in range(state.seats):
        if seat != state.turn:
            standing = cost(rules, state.players[seat].layout, sight.hidden_points)
            beaten_by += standing - LAST_TURN_GAIN < points
    return rules.closer_penalty * beaten_by


@compiled
def value_of_line(rules, player, line, sight):
    """The cards one by one (5.1), less something for the line they may become."""
    total = 0.0
    for place in range(rules.line_length):
        face = player.layout[slot_in_line(rules, line, place)]
        total += sight.hidden_points if face == HIDDEN else rules.points[face]
    if not sight.hope or not player.hidden:
        return total
    saved = 0.0
    for place in range(rules.line_length):
        face = wanted_face(rules, player.layout, line, place)
        if face != NOTHING:
            lines = count_lines(rules, player.layout, face)
            gain = total + lines_cost(rules, face, lines) * (lines > 0) - lines_cost(rules, face, lines + 1)
            saved += max(0.0, gain) * sight.left[face] / rules.copies[face]
    return total - sight.hope * saved


@compiled
def wanted_face(rules, layout, line, place):
    """The face that would fill the line if it lay there, or NOTHING."""
    wanted = NOTHING
    for other in range(rules.line_length):
        if other != place:
            face = layout[slot_in_line(rules, line, other)]
            if face == HIDDEN or (wanted != NOTHING and face != wanted):
                return NOTHING
            wanted = face
    return wanted
