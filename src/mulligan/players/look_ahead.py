"""Looks one move ahead as a person would: what each card, place and flip is worth, by the player's own estimate.

One function plays for everyone who thinks like this; how well they do it is a handful of numbers, their traits.
"""

from typing import NamedTuple

import numpy as np

from mulligan.engine.chance import bag_size, stock_bag
from mulligan.engine.compiled import compiled, compiled_with_arrays, record
from mulligan.engine.moves import ends_turn_by_discarding, may_decline, may_knock, may_pass, may_tee_off
from mulligan.engine.rules import MAX_FACES, MAX_SEATS, MAX_SLOTS, line_of, lines_cross, slot_in_line
from mulligan.engine.scoring import (
    card_cost,
    cards_cost,
    cost,
    count_lines,
    is_cleared,
    is_matched,
    line_face,
    lines_cost,
    missing_face,
    penalty,
)
from mulligan.engine.state import (
    ANY_FACE,
    DISCARD,
    DISCARD_DRAWN,
    HIDDEN,
    NO_MATCH,
    NOTHING,
    PASS,
    STOCK,
    Phase,
    is_hidden,
    is_last_turn,
    left_of,
)

from .declining import NEAR, is_better_declined
from .values.expected_reveal import may_be

NEVER = 1e9
PATIENCE = 20  # rounds; few holes take as long
IMPATIENCE = 0.1  # strokes that a face-down card counts more with each further round
YIELDING = 1  # points by which the bar rises with each further round
SPARE_TIME = 2  # turns that a hole goes on after the first of the others could have closed
LAST_TURN_GAIN = 9  # strokes that the others may save in their last turns
KNOCK_LEAD = 6  # strokes by which a player who knocks must lead
GUARD = 0.3  # strokes that a player gives up to deny the next player one


class Traits(NamedTuple):
    """How a player thinks, all as numbers, so that the same compiled code plays for everyone."""

    memory: float  # which gone cards the player remembers: 0 none, 1 the visible ones, 2 all
    foresight: float  # 0: judges a card by itself; 1: compares with what the stock may bring; 2: exactly
    choosy: float  # strokes that a card must save to be wanted; without foresight, from the discard pile too
    haste: float  # extra strokes that a face-down card counts, out of impatience
    bonus: float  # 1: considers the bonus for a second line of the same face
    optimism: float  # the share of a line's gain that counts when it lacks one card
    eyes: float  # 1: looks at what the next player wants
    wary: float = 0.0  # 1: thinks of the penalty for closing, and of who may end lower
    bar: float = NEVER  # points: closes with these or fewer only
    daring: float = 0.0  # strokes that an unknown card seems to save beyond its mean
    first: float = 0.0  # the slot where the player begins to look: of equal ones the first is chosen


# What the player believes about the unseen cards and the time left, and what each card would be worth on each slot.
# The tables are filled once a decision. They leave out the face-down cards, so they stay valid when those count more.
ESTIMATE = record(
    [
        ("left", float, MAX_FACES),  # of each face, how many cards may still come
        ("cards", float),  # how many cards that is
        ("points", float),  # the points of these cards together
        ("extra", float),  # what a face-down card counts beyond their mean
        ("hidden_points", float),  # what a face-down card counts
        ("optimism", float),
        ("standing", float, MAX_SEATS),  # by seat, what each layout costs now; for the wary
        ("gifts", float, MAX_FACES),  # the estimated cost of leaving a card of that face to the next player
        ("placed", float, (MAX_FACES, MAX_SLOTS)),  # the value of the open cards with a card of that face on the slot
        ("flipped", float, MAX_SLOTS),  # the sum of these values over the cards that may still come
    ]
)


@compiled_with_arrays
def choose_by(traits, rules, state):
    """The move of a player with these traits, who neither needs a net nor rolls dice."""
    return choose_seen_by(traits, rules, state, np.zeros(1, ESTIMATE))


@compiled
def choose_seen_by(traits, rules, state, estimates):
    """The move; `estimates` is an array because a compiled record lives only as long as its array."""
    estimate = estimates[0]
    fill_estimate(traits, rules, state, estimate)
    if state.phase == Phase.TAKE:
        placed = best_place(traits, rules, state, estimate, state.discard)[0]
        drawn = value_of_stock(traits, rules, state, estimate)
        if may_decline(rules, state):
            as_is = value(traits, rules, state, estimate) + gift(estimate, state.discard)
            if is_better_declined(rules, state, as_is, min(placed, drawn)):
                return PASS
        if may_knock(rules, state) and is_far_ahead(traits, rules, state, estimate):
            return PASS
        return DISCARD if placed < drawn - traits.daring - NEAR else STOCK
    if state.phase == Phase.PLACE:
        placed, slot = best_place(traits, rules, state, estimate, state.held)
        if state.held_from_stock and rules.may_discard_drawn:
            thrown = value_thrown_away(traits, rules, state, estimate)
            thrown += gift(estimate, state.held)
            if thrown - traits.choosy < placed + NEAR:
                return DISCARD_DRAWN
        return slot
    return best_flip(traits, rules, state, estimate)[1]


@compiled
def fill_estimate(traits, rules, state, estimate):
    """Fills the player's estimate."""
    count_left(traits, rules, state, estimate)
    estimate.extra = traits.haste + impatience(state)
    estimate.hidden_points = mean_left(estimate) + estimate.extra
    estimate.optimism = traits.optimism * time_left(rules, state)
    look_at_others(traits, rules, state, estimate)
    try_cards(traits, rules, state, estimate)


@compiled
def mean_left(estimate):
    return estimate.points / estimate.cards if estimate.cards else 0.0


@compiled
def impatience(state):
    """The extra strokes of a face-down card in late rounds: otherwise all might wait for ever for a good card."""
    return IMPATIENCE * late_rounds(state)


@compiled
def late_rounds(state):
    return max(0.0, state.turns / state.seats - PATIENCE)


@compiled
def count_left(traits, rules, state, estimate):
    for face in range(rules.faces):
        estimate.left[face] = state.unseen[face] if traits.memory == 2 else rules.copies[face]
    if traits.memory == 1:
        for seat in range(state.seats):
            for slot in range(rules.slots):
                player = state.players[seat]
                if not is_hidden(player, slot) and not is_cleared(rules, player, slot):
                    estimate.left[player.layout[slot]] -= 1
    estimate.cards, estimate.points = 0.0, 0.0
    for face in range(rules.faces):
        estimate.cards += estimate.left[face]
        estimate.points += estimate.left[face] * rules.points[face]


@compiled
def time_left(rules, state):
    """The time left, as a share of a whole hole, by the face-down cards of the others."""
    if is_last_turn(state):
        return 0.0
    fewest = rules.slots
    for seat in range(state.seats):
        if seat != state.turn:
            fewest = min(fewest, state.players[seat].hidden)
    return min(1.0, (fewest + SPARE_TIME) / (rules.slots - rules.tee_off))


@compiled
def look_at_others(traits, rules, state, estimate):
    """Fills what the player thinks of the others: where they stand, and what each card may save the next one."""
    if traits.wary:
        for seat in range(state.seats):
            estimate.standing[seat] = cost(rules, state.players[seat].layout, estimate.hidden_points)
    for face in range(rules.faces):
        estimate.gifts[face] = GUARD * saving(rules, state, estimate, face) if traits.eyes else 0.0


@compiled
def try_cards(traits, rules, state, estimate):
    """Fills the tables, as far as the move depends on them."""
    player = state.players[state.turn]
    as_is = cost_seen(traits, rules, player.layout)
    only_flips = state.phase == Phase.TEE_OFF or state.phase == Phase.FLIP
    for slot in range(rules.slots):
        old_face = player.layout[slot]
        if only_flips and old_face != HIDDEN:
            continue
        if is_cleared(rules, player, slot):  # 3.7
            for face in range(rules.faces):
                estimate.placed[face, slot] = NEVER
            continue
        was_matched = old_face != HIDDEN and is_matched(rules, player.layout, slot)
        lay(player, slot, HIDDEN)
        others = cost_seen(traits, rules, player.layout) if was_matched else as_is - card_cost(rules, old_face, 0)
        add_points(rules, state, estimate, slot, others)
        try_cards_on(traits, rules, state, estimate, slot, others)
        lay(player, slot, old_face)


@compiled
def add_points(rules, state, estimate, slot, others):
    """Every card on the slot adds its points to what the others cost."""
    for face in faces_in_question(rules, state):
        estimate.placed[face, slot] = others + rules.points[face]
    estimate.flipped[slot] = others * estimate.cards + estimate.points


@compiled
def correct(estimate, slot, face, worth):
    """The card is worth something else than its points."""
    estimate.flipped[slot] += estimate.left[face] * (worth - estimate.placed[face, slot])
    estimate.placed[face, slot] = worth


@compiled
def try_cards_on(traits, rules, state, estimate, slot, others):
    """Corrects the tables for a slot that lies face down for now, where a card does not only add its points.

    The other cards cost `others`.
    """
    player = state.players[state.turn]
    if lines_cross(rules):
        for face in faces_in_question(rules, state):
            lay(player, slot, face)
            correct(estimate, slot, face, value_shown(traits, rules, state, estimate))
            lay(player, slot, HIDDEN)
        return
    line = line_of(rules, slot)
    wanted = missing_face(rules, player.layout, line, slot)
    unmatched = others - cards_cost(rules, player.layout, line, 0)
    if not estimate.optimism and not traits.wary:
        for face in faces_wanted(rules, wanted):
            correct(estimate, slot, face, float(unmatched + one_more_line(traits, rules, player.layout, face)))
        return
    saved = savings_beside(rules, player, estimate, line)
    for face in faces_in_question(rules, state):
        worth, saves, completes = float(others + rules.points[face]), saved, may_be(wanted, face)
        if completes:
            worth = float(unmatched + one_more_line(traits, rules, player.layout, face))
        lay(player, slot, face)
        if completes:
            saves = savings_beside(rules, player, estimate, line)
        if player.hidden:
            worth -= estimate.optimism * (saves + likely_saving(rules, player, estimate, line))
        worth += likely_penalty(traits, rules, state, estimate, worth)
        correct(estimate, slot, face, worth)
        lay(player, slot, HIDDEN)


@compiled
def faces_wanted(rules, wanted):
    """The faces that complete a line which wants that one, ANY_FACE or NO_MATCH."""
    if wanted == ANY_FACE:
        return range(rules.faces)
    return range(0) if wanted == NO_MATCH else range(wanted, wanted + 1)


@compiled
def faces_in_question(rules, state):
    """The faces that may come to lie on a slot: only the card in hand if nothing is turned up after discarding it."""
    may_flip = state.held_from_stock and rules.may_discard_drawn and not ends_turn_by_discarding(rules, state)
    if state.phase == Phase.PLACE and not may_flip:
        return range(state.held, state.held + 1)
    return range(rules.faces)


@compiled
def one_more_line(traits, rules, layout, face):
    """What a further matched line of the face costs."""
    if not traits.bonus:
        return rules.line_points[face]
    lines = count_lines(rules, layout, face)
    return lines_cost(rules, face, lines + 1) - (lines_cost(rules, face, lines) if lines else 0)


@compiled
def value_of_stock(traits, rules, state, estimate):
    """The expected value of the next card, from the cards believed to be left."""
    if traits.foresight == 2:
        return exact_value_of_stock(traits, rules, state, estimate)
    if not traits.foresight or not estimate.cards:
        return value(traits, rules, state, estimate) - traits.choosy
    shown = value_shown(traits, rules, state, estimate)
    total = 0.0
    for face in range(rules.faces):
        if estimate.left[face] > 0:
            total += estimate.left[face] * best_use(traits, rules, state, estimate, shown, face, 0)
    return total / estimate.cards


@compiled
def exact_value_of_stock(traits, rules, state, estimate):
    """The mean, over each card the stock may bring, of its best use; once drawn, it can no longer lie face down."""
    stock = stock_bag(state)
    shown = value_shown(traits, rules, state, estimate)
    total = 0.0
    for face in range(rules.faces):
        if stock[face]:
            gone = 0 if state.renewed else 1
            total += stock[face] * best_use(traits, rules, state, estimate, shown, face, gone)
    return total / bag_size(rules, stock)


@compiled
def best_use(traits, rules, state, estimate, shown, face, gone):
    """The value of a card of that face from the stock, placed or discarded, without looking where it is best placed.

    The open cards are worth `shown` as they lie. So many cards of the face as are `gone` can no longer lie face down.
    """
    player = state.players[state.turn]
    cards, points = estimate.cards - gone, estimate.points - gone * rules.points[face]
    hidden_points = (points / cards if cards else 0.0) + estimate.extra
    on_open, on_hidden, flipped = NEVER, NEVER, NEVER
    for slot in range(rules.slots):
        worth = estimate.placed[face, slot]
        if is_hidden(player, slot):
            on_hidden = min(on_hidden, worth)
            flipped = min(flipped, estimate.flipped[slot] - gone * worth)
        else:
            on_open = min(on_open, worth + gift(estimate, player.layout[slot]))
    hidden = player.hidden * hidden_points
    beside = hidden - hidden_points  # what the face-down cards count if one of them is turned up
    best = on_open + hidden
    if on_hidden < NEVER and not (rules.slots > 1 and is_over_bar(traits, state, on_hidden + beside)):
        best = min(best, on_hidden + beside)
    if not rules.may_discard_drawn:
        return best
    thrown = NEVER
    if ends_turn_by_discarding(rules, state) or may_pass(rules, player):
        thrown = shown + hidden
    if not ends_turn_by_discarding(rules, state) and flipped < NEVER:
        turned = flipped / cards + beside
        if not is_over_bar(traits, state, turned):
            thrown = min(thrown, turned)
    return min(best, thrown + gift(estimate, face))


@compiled
def is_over_bar(traits, state, worth):
    """Whether a card on a hidden slot would close the hole, and the player does not close with so much."""
    return may_close_now(state) and worth > bar(traits, state)


@compiled
def value_thrown_away(traits, rules, state, estimate):
    if ends_turn_by_discarding(rules, state):
        return value(traits, rules, state, estimate)
    return best_flip(traits, rules, state, estimate)[0]


@compiled
def best_place(traits, rules, state, estimate, face):
    """The value of the best place for a card of that face, and its slot."""
    player = state.players[state.turn]
    closes = may_close_now(state) and rules.slots > 1
    best, best_slot = NEVER, NOTHING
    for nth in range(rules.slots):
        slot = slot_seen(traits, rules, nth)
        old_face = player.layout[slot]
        worth = estimate.placed[face, slot] + hidden_beside(player, estimate, slot)
        worth += gift(estimate, old_face)
        if closes and old_face == HIDDEN and worth > bar(traits, state):
            continue
        if worth < best - NEAR:
            best, best_slot = worth, slot
    return best, best_slot


@compiled
def best_flip(traits, rules, state, estimate):
    """The value of the best card to turn up, and its slot; or of leaving the last one (3.4), and PASS."""
    player = state.players[state.turn]
    best, best_move = NEVER, NOTHING
    for nth in range(rules.slots):
        slot = slot_seen(traits, rules, nth)
        if is_hidden(player, slot) and (state.phase != Phase.TEE_OFF or may_tee_off(rules, player, slot)):
            worth = estimate.flipped[slot] / estimate.cards + hidden_beside(player, estimate, slot)
            if worth < best - NEAR:
                best, best_move = worth, slot
    if may_close_now(state) and best > bar(traits, state):
        best = NEVER
    if state.phase != Phase.TEE_OFF and may_pass(rules, player):
        worth = value(traits, rules, state, estimate)
        if worth < best - NEAR:
            return worth, PASS
    return best, best_move


@compiled
def slot_seen(traits, rules, nth):
    """The slot at which the player looks after so many others."""
    slot = int(traits.first) + nth
    return slot - rules.slots if slot >= rules.slots else slot


@compiled
def hidden_beside(player, estimate, slot):
    """What the face-down cards on the other slots count."""
    return (player.hidden - is_hidden(player, slot)) * estimate.hidden_points


@compiled
def may_close_now(state):
    """Whether opening a hidden card closes the hole (4.1)."""
    return state.players[state.turn].hidden == 1 and not is_last_turn(state)


@compiled
def is_far_ahead(traits, rules, state, estimate):
    """Whether to knock (3.8): everyone else would have to save much in one last turn."""
    mine = value(traits, rules, state, estimate)
    for seat in range(state.seats):
        if seat != state.turn and cost(rules, state.players[seat].layout, estimate.hidden_points) < mine + KNOCK_LEAD:
            return False
    return True


@compiled
def bar(traits, state):
    """The most points that the player closes with; they rise in late rounds, so that every hole ends."""
    return traits.bar + YIELDING * late_rounds(state) + NEAR


@compiled
def lay(player, slot, face):
    """Changes the layout and its count of hidden cards; also undoes a change."""
    player.hidden -= is_hidden(player, slot)
    player.layout[slot] = face
    player.hidden += is_hidden(player, slot)


@compiled
def gift(estimate, face):
    """The estimated cost of leaving that card to the next player."""
    return 0.0 if face == HIDDEN else estimate.gifts[face]


@compiled
def saving(rules, state, estimate, face):
    """The strokes that the card may save the next player, as a share for each of the others."""
    seat = left_of(state, state.turn)
    if seat in (state.turn, state.closer):
        return 0.0
    layout = state.players[seat].layout
    now = cost(rules, layout, estimate.hidden_points)
    saved = 0.0
    for slot in range(rules.slots):
        old_face = layout[slot]
        layout[slot] = face
        if is_matched(rules, layout, slot):
            saved = max(saved, now - cost(rules, layout, estimate.hidden_points))
        layout[slot] = old_face
    return saved / (state.seats - 1)


@compiled
def value(traits, rules, state, estimate):
    """The player's estimate of the layout."""
    return value_shown(traits, rules, state, estimate) + state.players[state.turn].hidden * estimate.hidden_points


@compiled
def value_shown(traits, rules, state, estimate):
    """The estimate without what the face-down cards count."""
    player = state.players[state.turn]
    total = float(cost_seen(traits, rules, player.layout))
    if estimate.optimism and player.hidden:
        total -= estimate.optimism * likely_savings(rules, player, estimate)
    return total + likely_penalty(traits, rules, state, estimate, total)


@compiled
def cost_seen(traits, rules, layout):
    """What the open cards cost; some players overlook the bonus."""
    if traits.bonus or lines_cross(rules):
        return cost(rules, layout, 0)
    total = 0
    for line in range(rules.lines):
        face = line_face(rules, layout, line)
        total += cards_cost(rules, layout, line, 0) if face == NO_MATCH else rules.line_points[face]
    return total


@compiled
def likely_penalty(traits, rules, state, estimate, points):
    """The estimated penalty for closing with these points: one for each player who may still end lower (5.6)."""
    if not traits.wary or state.players[state.turn].hidden or is_last_turn(state):
        return 0.0
    beaten_by = 0
    for seat in range(state.seats):
        if seat != state.turn:
            beaten_by += estimate.standing[seat] - LAST_TURN_GAIN < points
    return float(penalty(rules, points, beaten_by))


@compiled
def likely_savings(rules, player, estimate):
    """The strokes that lines which lack one card may save."""
    saved = 0.0
    for line in range(rules.lines):
        saved += likely_saving(rules, player, estimate, line)
    return saved


@compiled
def savings_beside(rules, player, estimate, line):
    """The strokes that the other lines may save."""
    saved = 0.0
    for other in range(rules.lines):
        if other != line:
            saved += likely_saving(rules, player, estimate, other)
    return saved


@compiled
def likely_saving(rules, player, estimate, line):
    """The strokes that the line may save if it lacks one card, by the share of that face that may still come."""
    if line_face(rules, player.layout, line) != NO_MATCH:
        return 0.0
    saved = 0.0
    now = cards_cost(rules, player.layout, line, estimate.hidden_points)
    for place in range(rules.line_length):
        face = missing_face(rules, player.layout, line, slot_in_line(rules, line, place))
        if face != NO_MATCH:
            lines = count_lines(rules, player.layout, face)
            gain = now + lines_cost(rules, face, lines) * (lines > 0) - lines_cost(rules, face, lines + 1)
            saved += max(0.0, gain) * estimate.left[face] / rules.copies[face]
    return saved
