"""One turn back, for every layout and every sign at once: the innermost part of the solver.

Strokes are counted in whole numbers of a small fraction of a stroke, sixteen bits each. Layouts that
differ only in their lowest line lie side by side in a table, and the signs of each side by side, so
almost everything here is done in long runs: that is what makes it fast.
"""

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays

from .numbering import NONE, count_up, lines_of, numbers_with

NEVER = 32_767  # the count of what cannot be done


@compiled_with_arrays
def turn_back(rules, numbers, likely, discards, is_last, table, hidden, start, stop, move_value):
    """The values of layouts before a turn (`move_value`, float32), from the values after one (`table`).

    Both are flat, all signs of a layout side by side. `move_value` begins with the first of the layouts
    whose lines but the lowest are numbered from `start` to before `stop`. `likely` is the chance of
    each face to come, `discards[face]` that it lies on the discard pile, for every sign, over and over.
    """
    lines = numbers.lines
    signs = len(table) // numbers.layouts
    upper = np.zeros(lines - 1, np.int64)
    layouts = np.zeros((lines, numbers.kinds), np.int64)
    placed = np.zeros((numbers.faces, numbers.kinds * signs), np.int16)
    thrown = np.zeros(numbers.kinds * signs, np.float32)
    flipped = np.zeros(numbers.kinds * signs, np.float32)
    lines_of(numbers.ways, start, upper)
    done = 0
    for number in range(start, stop):
        number_layouts(numbers, upper, layouts)
        count = upper[-1] + 1 if lines > 1 else numbers.kinds
        first = layouts[lines - 1, 0]
        change_lowest(numbers, layouts[lines - 1], likely, signs, count, table, placed, thrown)
        for nth in range(lines - 1):
            if nth == 0 or upper[nth] != upper[nth - 1]:
                change_upper(numbers, upper[nth], layouts, nth, likely, signs, count, table, placed, thrown, flipped)
        if not rules.may_discard_drawn:
            fill(thrown, NEVER)
        elif is_last:  # 4.2 nothing is turned up
            copy(thrown[: count * signs], table[first * signs : (first + count) * signs])
        elif rules.may_leave_last:  # 3.4
            for lowest in range(count):
                if hidden[first + lowest] == 1:
                    here, one = lowest * signs, (first + lowest) * signs
                    take_lower(thrown[here : here + signs], table[one : one + signs])
        length = count * signs
        stock = flipped[:length]
        weigh_stock(likely, placed, thrown, stock)
        if is_last and rules.may_decline_last_turn:  # 4.2
            take_lower(stock, table[first * signs : (first + count) * signs])
        weigh_cards(discards, placed, stock, move_value[done : done + length])
        done += length
        if number + 1 < stop:
            count_up(upper, lines - 2)


@compiled_with_arrays
def number_layouts(numbers, upper, layouts):
    """The numbers of the layouts that differ in one line and in the lowest; `layout_with` reads them.

    In the last row, the lowest line of each kind; in the others, the upper line of that row of each
    kind, the lowest of kind 0.
    """
    lines = numbers.lines
    numbers_with(numbers.ways, lines, upper, layouts[lines - 1])
    if lines > 1:
        stay = np.zeros(lines - 2, np.int64)
        for nth in range(lines - 1):
            for place in range(lines - 2):
                stay[place] = upper[place if place < nth else place + 1]
            numbers_with(numbers.ways, lines, stay, layouts[nth])


@compiled
def change_lowest(numbers, layouts, likely, signs, count, table, placed, thrown):
    """The best that each face does in the lowest line (3.2), and turning a card up there (3.3)."""
    fill(thrown[: count * signs], NEVER)
    for lowest in range(count):
        here = lowest * signs
        for face in range(numbers.faces):
            one = layouts[numbers.line_with[numbers.rests[lowest, 0], face]] * signs
            copy(placed[face, here : here + signs], table[one : one + signs])
            for place in range(1, numbers.rests.shape[1]):
                if numbers.rests[lowest, place] != NONE:
                    other = layouts[numbers.line_with[numbers.rests[lowest, place], face]] * signs
                    take_lower(placed[face, here : here + signs], table[other : other + signs])
        rest = numbers.rest_of_hidden[lowest]
        if rest != NONE:
            fill(thrown[here : here + signs], 0)
            for face in range(numbers.faces):
                one = layouts[numbers.line_with[rest, face]] * signs
                add_part(thrown[here : here + signs], likely[face], table[one : one + signs])


@compiled
def change_upper(numbers, kind, layouts, nth, likely, signs, count, table, placed, thrown, flipped):
    """The same in one of the upper lines, where it does better."""
    for place in range(numbers.rests.shape[1]):
        rest = numbers.rests[kind, place]
        if rest == NONE:
            break
        for face in range(numbers.faces):
            line = numbers.line_with[rest, face]
            run = min(count, line + 1)  # as long as the line is not the lowest itself
            one = layouts[nth, line] * signs
            take_lower(placed[face], table[one : one + run * signs])
            for lowest in range(run, count):
                one, here = (layouts[nth, lowest] + line) * signs, lowest * signs
                take_lower(placed[face, here : here + signs], table[one : one + signs])
    rest = numbers.rest_of_hidden[kind]
    if rest != NONE:
        fill(flipped[: count * signs], 0)
        for face in range(numbers.faces):
            line = numbers.line_with[rest, face]
            run = min(count, line + 1)
            one = layouts[nth, line] * signs
            add_part(flipped, likely[face], table[one : one + run * signs])
            for lowest in range(run, count):
                one, here = (layouts[nth, lowest] + line) * signs, lowest * signs
                add_part(flipped[here : here + signs], likely[face], table[one : one + signs])
        take_lower(thrown, flipped[: count * signs])


# Short loops over whole arrays: the compiler turns each into a few wide instructions (NumPy's own
# assignments, and a store under a condition, it leaves as they are, which is much slower).


@compiled
def fill(values, value):
    for nth in range(len(values)):
        values[nth] = value


@compiled
def copy(values, others):
    for nth in range(len(values)):
        values[nth] = others[nth]


@compiled
def take_lower(best, values):
    for nth in range(len(values)):
        best[nth] = min(best[nth], values[nth])


@compiled
def add_part(total, part, values):
    for nth in range(len(values)):
        total[nth] += part * np.float32(values[nth])


@compiled_with_arrays
def add_products(rows, matrix, products):
    """Adds the matrix product; always in the same order, unlike NumPy's, whose last digits depend on the processor."""
    for nth in range(len(rows)):
        for sign in range(len(matrix)):
            add_part(products[nth], rows[nth, sign], matrix[sign])


@compiled
def weigh_stock(likely, placed, thrown, stock):
    """The mean over the cards that the stock may bring (3.1)."""
    fill(stock, 0)
    for face in range(len(placed)):
        add_lower(stock, likely[face], placed[face], thrown)


@compiled
def weigh_cards(discards, placed, otherwise, move_value):
    """The mean over the cards that may lie on the discard pile, each taken or left for something else (3.1)."""
    fill(move_value, 0)
    for face in range(len(placed)):
        add_lower_each(move_value, discards[face], placed[face], otherwise)


@compiled
def add_lower(total, part, values, others):
    for nth in range(len(total)):
        value = np.float32(values[nth])
        total[nth] += part * (others[nth] if others[nth] < value else value)


@compiled
def add_lower_each(total, parts, values, others):
    for nth in range(len(total)):
        value = np.float32(values[nth])
        total[nth] += parts[nth] * (others[nth] if others[nth] < value else value)
