"""Roughly what a layout is expected to cost once its face-down cards are turned up, and with another card.

For searches, which ask for thousands of layouts: each line counts by itself, as if no two were completed together. The
exact cost is in `expected_reveal`.
"""

from mulligan.engine.chance import bag_size
from mulligan.engine.compiled import compiled
from mulligan.engine.rules import lines_cross, slot_in_line
from mulligan.engine.scoring import card_cost, cost, lines_cost, matched_slots, wanted_face
from mulligan.engine.state import ANY_FACE, NO_MATCH

from .equal_cards import chance_of_all
from .line_tables import HIDDEN_CARDS, MATCH, OPEN_POINTS, WANTED


@compiled
def quick_cost(rules, net, state, layout, lines, sets, mean):
    """The expected cost of a layout with its face-down cards turned up; `mean` is that of the unseen cards."""
    if lines_cross(rules):
        return quick_cost_crossing(rules, state, layout, mean)
    return cost_of_lines(rules, net, state, lines, sets, mean)


@compiled
def quick_cost_crossing(rules, state, layout, mean):
    """The same where lines cross (5.2): a face-down card that may complete two lines counts for each of them."""
    total = cost(rules, layout, mean)
    matched, size = matched_slots(rules, layout), bag_size(rules, state.unseen)
    for line in range(rules.lines):
        wanted, hidden = wanted_face(rules, layout, line)
        if hidden and wanted != NO_MATCH:
            saved = 0.0
            for place in range(rules.line_length):
                slot = slot_in_line(rules, line, place)
                if not matched >> slot & 1:
                    saved += card_cost(rules, layout[slot], mean)
            total -= saved * chance_of_match(rules, state, wanted, hidden, size)
    return total


@compiled
def chance_of_match(rules, state, wanted, hidden, size):
    """The chance that so many cards nobody has seen all have that face, or any one face."""
    if wanted != ANY_FACE:
        return chance_of_all(hidden, state.unseen[wanted], size)
    chance = 0.0
    for face in range(rules.faces):
        chance += chance_of_all(hidden, state.unseen[face], size)
    return chance


@compiled
def cost_of_lines(rules, net, state, lines, sets, mean):
    total = 0.0
    for line in range(len(lines)):
        face = net.facts[lines[line], MATCH]
        if face != NO_MATCH:
            total += lines_cost(rules, face, sets[face]) / sets[face]
        else:
            total += unmatched_cost(rules, net, state, lines[line], sets, mean)
    return total


@compiled
def unmatched_cost(rules, net, state, kind, sets, mean):
    """What a line that does not match yet will cost."""
    hidden, wanted = net.facts[kind, HIDDEN_CARDS], net.facts[kind, WANTED]
    points = net.facts[kind, OPEN_POINTS] + mean * hidden
    if hidden and wanted != NO_MATCH:
        points += expected_gain_of_matches(rules, state, wanted, hidden, sets)
    return points


@compiled
def quick_cost_with_line(rules, net, state, lines, sets, mean, total, line, kind):
    """The expected cost, where it was `total`, with that kind of line in place of the old one."""
    old = lines[line]
    if net.facts[old, MATCH] == NO_MATCH and net.facts[kind, MATCH] == NO_MATCH:
        was = unmatched_cost(rules, net, state, old, sets, mean)
        return total - was + unmatched_cost(rules, net, state, kind, sets, mean)
    change_line(net, lines, sets, line, kind)
    changed = cost_of_lines(rules, net, state, lines, sets, mean)
    change_line(net, lines, sets, line, old)
    return changed


@compiled
def expected_gain_of_matches(rules, state, wanted, hidden, sets):
    """The expected gain because face-down cards may complete their line (5.2, 5.4)."""
    if wanted != ANY_FACE:
        return expected_gain_of_match(rules, state, wanted, hidden, sets)
    total = 0.0
    for face in range(rules.faces):
        total += expected_gain_of_match(rules, state, face, hidden, sets)
    return total


@compiled
def expected_gain_of_match(rules, state, face, hidden, sets):
    chance = chance_of_all(hidden, state.unseen[face], bag_size(rules, state.unseen))
    had = lines_cost(rules, face, sets[face]) if sets[face] else 0
    return chance * (lines_cost(rules, face, sets[face] + 1) - had - rules.line_length * rules.points[face])


@compiled
def quick_cost_with_card(rules, state, layout, mean, slot, face):
    """The expected cost where lines cross, with a card of that face on the slot."""
    old_face = layout[slot]
    layout[slot] = face
    changed = quick_cost_crossing(rules, state, layout, mean)
    layout[slot] = old_face
    return changed


@compiled
def change_line(net, lines, sets, line, kind):
    was, is_now = net.facts[lines[line], MATCH], net.facts[kind, MATCH]
    if was != NO_MATCH:
        sets[was] -= 1
    if is_now != NO_MATCH:
        sets[is_now] += 1
    lines[line] = kind
