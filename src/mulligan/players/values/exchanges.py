"""How the net's sum changes with one card of the player who just moved: a few rows go, and a few come.

The fast way to what `table_rows` finds by reading the whole layout.
"""

import numpy as np

from mulligan.engine.compiled import compiled, compiled_in_any_order
from mulligan.engine.rules import line_of, lines_cross, slot_in_line
from mulligan.engine.state import HIDDEN, NO_MATCH, NOTHING

from .crossings import number_of_open, read_slot
from .features import JUST_MOVED, OWN, OWN_PARTS, OWN_SETS
from .line_tables import MATCH, kind_with
from .net import add_row, copy_numbers, knows
from .parts import number_of_parts, parts_in, use_of
from .table_rows import row_of_part, row_of_set, row_of_uses


@compiled
def exchange_card(rules, net, layout, table, seat, slot, face, before, after):
    """The sum `before` once the seat, which just moved, has a card of that face on the slot of its layout."""
    old_face = np.int64(layout[slot])
    if not lines_cross(rules):
        old, sets = table.kinds[seat, line_of(rules, slot)], table.sets[seat]
        new = kind_with(net, old, old_face, face)
        exchange(net, sets, old, new, before, after)
        parts, ready, alone, uses = table.parts[seat, 0], table.ready[seat], table.alone[seat], table.uses[seat]
        for changed in (old_face, face):
            if changed != HIDDEN and knows(net, OWN_PARTS):
                if sets[changed] or parts[changed] > (changed == old_face):  # else there is no row before or after
                    exchange_parts(rules, net, sets[changed], parts[changed], changed, old, new, after)
                if uses[0, changed] or uses[1, changed]:
                    exchange_uses(net, uses, ready[changed], alone[changed], changed, old, new, after)
        return
    copy_numbers(before, after)
    for line in table.through[slot]:
        if line != NOTHING:
            old = table.kinds[seat, line]
            exchange(net, table.sets[seat], old, kind_with(net, old, old_face, face), after, after)
    if knows(net, OWN_PARTS):
        layout[slot] = face
        exchange_crossings(rules, net, layout, table, seat, slot, old_face, after)
        layout[slot] = old_face


@compiled_in_any_order
def exchange(net, sets, old, new, before, after):
    """The sum `before` after a line of the player who just moved has changed its kind."""
    out, come = net.begins[OWN] + old, net.begins[OWN] + new
    for unit in range(len(before)):
        after[unit] = before[unit] - net.rows[JUST_MOVED, out, unit] + net.rows[JUST_MOVED, come, unit]
    was, is_now = net.facts[old, MATCH], net.facts[new, MATCH]
    if was != is_now:
        if was != NO_MATCH and sets[was] > 1:
            add_row(net, JUST_MOVED, row_of_set(net, OWN_SETS, was, sets[was]), np.float32(-1), after)
            if sets[was] > 2:
                add_row(net, JUST_MOVED, row_of_set(net, OWN_SETS, was, sets[was] - 1), np.float32(1), after)
        if is_now != NO_MATCH and sets[is_now] > 0:
            add_row(net, JUST_MOVED, row_of_set(net, OWN_SETS, is_now, sets[is_now] + 1), np.float32(1), after)
            if sets[is_now] > 1:
                add_row(net, JUST_MOVED, row_of_set(net, OWN_SETS, is_now, sets[is_now]), np.float32(-1), after)


@compiled
def exchange_parts(rules, net, matched, cards, face, old, new, total):
    """Exchanges the row of parts of a face after a line of the player who just moved has changed its kind.

    Before, so many lines match in it, and so many cards of it are in others.
    """
    was = number_of_parts(matched, cards)
    matched = matched + (net.facts[new, MATCH] == face) - (net.facts[old, MATCH] == face)
    is_now = number_of_parts(matched, cards + parts_in(net, new, face) - parts_in(net, old, face))
    if is_now != was:
        exchange_part(rules, net, face, was, is_now, total)


@compiled
def exchange_uses(net, uses, ready, alone, face, old, new, total):
    """Exchanges the rows for what the player who just moved and the neighbours do with a face.

    Before, so many lines lack only a card of it, and in so many one lies alone.
    """
    last = net.members.shape[1] - 1
    was, come, gone = use_of(ready, alone), parts_in(net, new, face), parts_in(net, old, face)
    is_now = use_of(ready + (come == last) - (gone == last), alone + (come == 1) - (gone == 1))
    if is_now != was:
        add_uses(net, uses, face, was, np.float32(-1), total)
        add_uses(net, uses, face, is_now, np.float32(1), total)


@compiled
def add_uses(net, uses, face, use, share, total):
    if use:
        for side in range(len(uses)):
            if uses[side, face]:
                add_row(net, JUST_MOVED, row_of_uses(net, side, face, use, uses[side, face]), share, total)


@compiled
def exchange_crossings(rules, net, layout, table, seat, slot, old_face, total):
    """Exchanges the rows of parts after the card on the slot has changed: those of its lines, and of open cards."""
    exchange_slot(rules, net, layout, table, seat, slot, total)
    for line in table.through[slot]:
        if line != NOTHING:
            for place in range(rules.line_length):
                other = slot_in_line(rules, line, place)
                if other != slot:
                    exchange_slot(rules, net, layout, table, seat, other, total)
    exchange_open(rules, net, layout, table, seat, layout[slot], total)
    if old_face != HIDDEN:
        exchange_open(rules, net, layout, table, seat, old_face, total)


@compiled
def exchange_slot(rules, net, layout, table, seat, slot, total):
    """Exchanges the rows of parts of one slot."""
    read_slot(rules, layout, slot, table.through[slot], table.work)
    for face in range(rules.faces):
        was, is_now = table.parts[seat, slot, face], table.work[face]
        if is_now != was:
            exchange_part(rules, net, face, was, is_now, total)


@compiled
def exchange_open(rules, net, layout, table, seat, face, total):
    """Exchanges the row for the open cards of a face."""
    was, is_now = table.parts[seat, rules.slots, face], number_of_open(rules, layout, face)
    if is_now != was:
        exchange_part(rules, net, face, was, is_now, total)


@compiled
def exchange_part(rules, net, face, was, is_now, total):
    if was != NOTHING:
        add_row(net, JUST_MOVED, row_of_part(rules, net, OWN_PARTS, face, was), np.float32(-1), total)
    if is_now != NOTHING:
        add_row(net, JUST_MOVED, row_of_part(rules, net, OWN_PARTS, face, is_now), np.float32(1), total)
