"""Expected points if all face-down cards were revealed now (4.3, 5), exactly, with all that may match together."""

import numpy as np

from mulligan.engine.chance import bag_size
from mulligan.engine.compiled import compiled, compiled_with_arrays
from mulligan.engine.rules import lines_cross
from mulligan.engine.scoring import cost, count_lines, has_penalty, lines_cost, wanted_face
from mulligan.engine.state import ANY_FACE, NOBODY

from .crossing_lines import expected_matches_crossing
from .equal_cards import chance_of_all

NEAR = 1e-6  # points; sums are whole, up to rounding


@compiled
def expected_points(rules, state, points):
    """Fills `points`, a float64 array by seat, with the expected points of each seat if the hole were revealed now.

    The cost of a layout is exact. So is the closer's penalty (5.6) if the others have at most one card
    face down; otherwise it ignores that two lines may both match.
    """
    for seat in range(state.seats):
        points[seat] = expected_cost(rules, state, state.players[seat])
    if state.closer != NOBODY and has_penalty(rules):
        points[state.closer] += expected_penalty(rules, state)


@compiled
def expected_cost(rules, state, player):
    """What the player's layout will cost on average when its face-down cards are turned up (4.3)."""
    matches = expected_matches(rules, player, state.unseen, bag_size(rules, state.unseen))
    return cost(rules, player.layout, mean_unseen(rules, state)) + matches


@compiled
def mean_unseen(rules, state):
    """The mean points of an unseen card."""
    size, total = 0, 0
    for face in range(rules.faces):
        size += state.unseen[face]
        total += state.unseen[face] * rules.points[face]
    return total / size if size else 0.0


@compiled
def expected_matches(rules, player, counts, size):
    """How the expected cost of a layout changes because hidden cards, drawn from a bag of that size, may match (5.2).

    Exact: a sum over sets of lines, each with the probability that all its hidden cards have the face, times the
    difference of that order in the cost (Newton's series).
    """
    total = 0.0
    if lines_cross(rules) and player.hidden:
        return expected_matches_crossing(rules, player.layout, counts, size)
    if player.hidden:
        for face in range(rules.faces):
            if counts[face]:
                total += expected_change(rules, player.layout, face, counts[face], size)
    return total


@compiled_with_arrays
def expected_change(rules, layout, face, count, size):
    """How much more the layout costs on average because further lines may match in that face."""
    sets = np.zeros((rules.lines + 1, rules.slots + 1))  # sets of lines that could match, by lines and hidden cards
    sets[0, 0] = 1.0
    most = 0
    for line in range(rules.lines):
        wanted, hidden = wanted_face(rules, layout, line)
        if hidden and may_be(wanted, face) and hidden <= count:
            most += 1
            for lines in range(most, 0, -1):
                for cards in range(rules.slots, hidden - 1, -1):
                    sets[lines, cards] += sets[lines - 1, cards - hidden]
    if most == 0:
        return 0.0
    matched = count_lines(rules, layout, face)
    change = 0.0
    for lines in range(1, most + 1):
        difference = 0.0
        for first in range(lines + 1):
            sign = -1.0 if (lines - first) % 2 else 1.0
            difference += sign * choices(lines, first) * change_by(rules, face, matched, first)
        for cards in range(1, rules.slots + 1):
            if sets[lines, cards] and cards <= count:
                change += difference * sets[lines, cards] * chance_of_all(cards, count, size)
    return change


@compiled
def change_by(rules, face, matched, more):
    """What so many more matched lines of a face cost, less what their cards would one by one."""
    lines = lines_cost(rules, face, matched + more) - lines_cost(rules, face, matched)
    return lines - more * rules.line_length * rules.points[face]


@compiled
def may_be(wanted, face):
    """Whether that face could complete a line that wants another one, or ANY_FACE."""
    if wanted == ANY_FACE:
        return True
    return wanted == face


@compiled
def choices(many, few):
    ways = 1.0
    for one in range(few):
        ways = ways * (many - one) / (one + 1)
    return ways


@compiled_with_arrays
def expected_penalty(rules, state):
    """The expected penalty of the closer (5.6), whose own face-down cards count their mean."""
    size = bag_size(rules, state.unseen)
    points = cost(rules, state.players[state.closer].layout, mean_unseen(rules, state))
    hidden = 0
    for seat in range(state.seats):
        hidden = max(hidden, state.players[seat].hidden)
    sums = sums_of_hidden(rules, state.unseen, size, hidden)
    beaten, unbeaten = 0.0, 1.0
    for seat in range(state.seats):
        if seat != state.closer:
            player = state.players[seat]
            gap = points - cost(rules, player.layout, 0)
            if rules.ties_beat_closer:
                gap += 2 * NEAR
            chance = chance_below(rules, player, state.unseen, size, sums, gap)
            beaten += chance
            unbeaten *= 1 - chance
    return penalty_expected(rules, points, beaten, unbeaten)


@compiled
def penalty_expected(rules, points, beaten, unbeaten):
    """The expected penalty of a closer with these points (5.6).

    `beaten` is how many players are expected to beat them, `unbeaten` the chance that nobody does.
    """
    times = 1 - unbeaten if rules.penalty_once else beaten
    return rules.closer_penalty * times + (rules.penalty_factor - 1) * max(0.0, points) * (1 - unbeaten)


@compiled
def chance_below(rules, player, counts, size, sums, limit):
    """The probability that the hidden cards of a layout add less than `limit` to the open ones."""
    chance = sum_below(rules, sums, player.hidden, limit)
    for line in range(rules.lines):
        wanted, cards = wanted_face(rules, player.layout, line)
        for face in range(rules.faces):
            if cards and may_be(wanted, face) and cards <= counts[face]:
                one_by_one = limit - cards * rules.points[face]
                in_line = one_by_one - change_by(rules, face, count_lines(rules, player.layout, face), 1)
                between = sum_between(rules, sums, player.hidden - cards, one_by_one, in_line)
                chance += chance_of_all(cards, counts[face], size) * between
    return min(1.0, max(0.0, chance))


@compiled_with_arrays
def sums_of_hidden(rules, counts, size, most):
    """sums[cards, sum]: the chance of each sum of so many cards of the bag, each counted from the least face."""
    least, widest = span_of_points(rules)
    sums = np.zeros((most + 1, most * widest + 1))
    sums[0, 0] = 1.0
    for face in range(rules.faces):
        step = rules.points[face] - least
        for cards in range(most, 0, -1):
            for of_it in range(1, min(cards, counts[face]) + 1):
                ways = choices(counts[face], of_it)
                for total in range((cards - of_it) * widest + 1):
                    sums[cards, total + of_it * step] += ways * sums[cards - of_it, total]
    for cards in range(1, most + 1):
        sums[cards] /= choices(size, cards)
    return sums


@compiled
def span_of_points(rules):
    """The points of the cheapest face, and how far the dearest is above it."""
    least, most = rules.points[0], rules.points[0]
    for face in range(1, rules.faces):
        least, most = min(least, rules.points[face]), max(most, rules.points[face])
    return least, most - least


@compiled
def sum_below(rules, sums, cards, limit):
    """The chance that so many hidden cards cost less than `limit` together."""
    least, widest = span_of_points(rules)
    below = 0.0
    for total in range(cards * widest + 1):
        if total + cards * least < limit - NEAR:
            below += sums[cards, total]
    return below


@compiled
def sum_between(rules, sums, cards, lower, upper):
    """How much likelier it is to stay below `upper` than below `lower`."""
    return sum_below(rules, sums, cards, upper) - sum_below(rules, sums, cards, lower)
