"""Finds the reasons why a move is good or bad, as keys with numbers: compiled functions, for browsers too.

The message of a key is `coach_why_` and the key (web/messages/reasons). In a `Reason` faces and slots are in the
notation, `player` is a seat's number from 0; `points`, `others` and `strokes` are numbers with one decimal.
"""

from enum import IntEnum
from typing import Any

import numpy as np

from mulligan.engine.compiled import compiled, compiled_with_arrays, record
from mulligan.engine.rules import slot_in_line
from mulligan.engine.scoring import cost, count_lines, line_face, missing_face, slots_of_line
from mulligan.engine.state import (
    DISCARD,
    DISCARD_DRAWN,
    HIDDEN,
    NO_MATCH,
    NOBODY,
    NOTHING,
    PASS,
    STOCK,
    Phase,
    is_hidden,
    is_last_turn,
    left_of,
)
from mulligan.game.notation import name_of_move
from mulligan.game.variants import Variant
from mulligan.players.values.expected_reveal import mean_unseen

from .findings import Params, Reason


class Why(IntEnum):
    """The keys of all reasons."""

    NONE = 0  # there is no reason, or no more in a list of them
    EQUAL = 1
    BETTER = 2
    COSTS_MORE = 3
    FIRST_CARD = 4
    FLIP_BESIDE = 5
    FLIP_APART = 6
    DRAW = 7
    MISSES_MATCH = 8
    MISSES_CHEAP = 9
    MISSES_CLOSE = 10
    STAYS = 11
    GIVES_UP = 12
    RISKS = 13
    USELESS = 14
    DISCARDS = 15
    DISCARDS_TO_MATCH = 16
    DISCARDS_TO_TURN = 17
    DISCARDS_MATCH = 18
    DISCARDS_CHEAP = 19
    FEEDS_MATCH = 20
    FEEDS = 21
    DENIES = 22
    AWAITS = 23
    MATCHES = 24
    MATCHES_FOR = 25
    MATCHES_AGAIN = 26
    BREAKS = 27
    GATHERS = 28
    REPLACES = 29
    RAISES = 30
    CHEAP = 31
    DEAR = 32
    CLOSES = 33
    CLOSES_AHEAD = 34
    CLOSES_BEHIND = 35
    MAY_MATCH = 36
    SHOWS = 37
    WAITS = 38
    WAITS_AHEAD = 39
    WAITS_BEHIND = 40


REASON = record(
    [
        ("points", "f8"),  # these three: nan where a reason has no such number
        ("others", "f8"),
        ("strokes", "f8"),
        ("key", "i1"),  # a Why; the others, but for `part`: NOTHING where a reason has no such number
        ("face", "i1"),
        ("old", "i1"),  # the face that lies on the slot
        ("slot", "i1"),
        ("player", "i1"),  # a seat
        ("count", "i1"),
        ("unseen", "i2"),
        ("lines", "i1"),
        ("move", "i1"),  # the best move
        ("but", "i1"),  # the same, where the reason speaks for the move that was not the best
        ("part", "i1"),  # 1 if it explains less than half of the loss
    ]
)
FIGURES = ("points", "others", "strokes")
COUNTS = ("player", "count", "unseen", "lines")
MOST = 8  # reasons for a move, or against it, and one that ends the list


def in_notation(variant: Variant, reason: Any, phase: int, closer: int) -> Reason:
    """Returns a REASON record in the notation; `phase` and `closer` are those of its position."""
    params: Params = {}
    for name in ("face", "old"):
        if reason[name] != NOTHING:
            params[name] = variant.faces[reason[name]]
    if reason["slot"] != NOTHING:
        params["slot"] = variant.slots[reason["slot"]]
    params |= {name: int(reason[name]) for name in COUNTS if reason[name] != NOTHING}
    params |= {name: float(reason[name]) for name in FIGURES if reason[name] == reason[name]}
    for name in ("move", "but"):
        if reason[name] != NOTHING:
            params[name] = name_of_move(variant, int(reason[name]), phase, closer)
    if reason["part"]:
        params["part"] = 1
    return Reason(Why(int(reason["key"])).name.lower(), params)


def speaks_against(reason: Reason) -> bool:
    """Returns whether the reason of a mistake says what it cost, and not only that another move is better."""
    return reason.key != "better" and "but" not in reason.params


@compiled_with_arrays
def explain(rules, state, points, move, loss, best, place, left, more, reason):
    """Makes `reason` the most important one for a move with this `loss` (strokes) against the best move.

    A move that cannot be told apart from the best one has no loss. `points` are everyone's expected ones if the hole
    ended now, `place` is the best slot for the top discard, or NOTHING. Of the loss, `left` comes from the card that
    the next player finds, and `more` is in the player's own cards (advice.py).
    """
    for_it, against, closing = np.zeros(MOST, REASON), np.zeros(MOST, REASON), np.zeros(2, REASON)
    note_reasons(rules, state, points, move, place, for_it, against)
    note_closing(rules, state, points, move, place, closing, 0)
    note_closing(rules, state, points, best, place, closing, 1)
    mine, better = closing[0].key, closing[1].key
    if not loss:
        if mine:
            copy_reason(closing, 0, reason)
            reason.key = Why.CLOSES_AHEAD if mine == Why.CLOSES_AHEAD else Why.CLOSES
        else:
            praise(move == best, for_it, against, reason)
    elif mine and not better:
        copy_reason(closing, 0, reason)
        reason.key = Why.CLOSES_BEHIND if mine == Why.CLOSES_BEHIND else Why.CLOSES
    elif better == Why.CLOSES_AHEAD and not mine:
        if move == STOCK:
            begin(reason, Why.MISSES_CLOSE)
            reason.face = state.discard
        else:
            copy_reason(closing, 1, reason)
            reason.key = Why.WAITS_AHEAD
    else:
        if left >= loss / 2 and not tells_of_next(against):
            note_help(rules, state, card_left(state, move), against)
        blame(for_it, against, loss, best, left, more, reason)


@compiled
def praise(is_best, for_it, against, reason):
    """The first reason for a move that lost nothing; else the first one against it."""
    for nth in range(MOST):
        if for_it[nth].key and (is_best or not is_for_best(for_it[nth].key)):
            copy_reason(for_it, nth, reason)
            return
    if against[0].key:
        copy_reason(against, 0, reason)
    else:
        begin(reason, Why.EQUAL)


@compiled
def blame(for_it, against, loss, best, left, more, reason):
    """The reason against a move, else the reason for it with `but`, which names the best move."""
    for nth in range(MOST):
        if against[nth].key and explains(against[nth], loss, left):
            copy_reason(against, nth, reason)
            return
    if more >= loss / 2:
        begin(reason, Why.COSTS_MORE)
        reason.move, reason.strokes = best, in_tenths(more)
        return
    if against[0].key:
        copy_reason(against, 0, reason)
        reason.part = 1
        return
    for nth in range(MOST):
        if for_it[nth].key and not is_for_best(for_it[nth].key):
            copy_reason(for_it, nth, reason)
            reason.but = best
            return
    begin(reason, Why.BETTER)
    reason.move = best


@compiled
def explains(reason, loss, left):
    """Whether a reason explains at least half of a loss, of which `left` comes from the discard."""
    if is_about_next(reason.key):
        return left >= loss / 2
    strokes = reason.strokes if reason.strokes == reason.strokes else loss
    return min(strokes, loss - left) >= loss / 2


@compiled
def is_for_best(key):
    """Whether such a reason speaks only for the best move."""
    return key in (Why.DRAW, Why.USELESS, Why.DISCARDS, Why.DISCARDS_TO_MATCH, Why.DISCARDS_TO_TURN)


@compiled
def is_about_next(key):
    """Whether such a reason is about the card left for the next player."""
    return key in (Why.FEEDS_MATCH, Why.FEEDS)


@compiled
def tells_of_next(against):
    tells = False
    for nth in range(MOST):
        tells |= is_about_next(against[nth].key)
    return tells


@compiled
def note_reasons(rules, state, points, move, place, for_it, against):
    """Notes the reasons for a move and those against it (arrays of MOST REASON, all 0), the most important first."""
    player = state.players[state.turn]
    if state.phase == Phase.TEE_OFF:
        of_tee_off(rules, player, move, for_it)
    elif state.phase == Phase.FLIP and move == PASS:
        of_leaving_last(state, points, for_it, against)
    elif state.phase == Phase.FLIP:
        of_turning_up(rules, state, player.layout, move, for_it)
    elif state.phase == Phase.PLACE and move == DISCARD_DRAWN:
        of_discarding(rules, state, for_it, against)
    elif state.phase == Phase.PLACE:
        of_placing(rules, state, points, state.held, move, for_it, against)
    elif move == STOCK:
        of_stock(rules, state, for_it, against)
    elif move == PASS:
        if may_decline(rules, state):  # what a knock comes to is in `note_closing`
            of_declining(rules, state, points, for_it, against)
    elif place != NOTHING:
        of_placing(rules, state, points, state.discard, place, for_it, against)


@compiled
def note_closing(rules, state, points, move, place, closing, nth):
    """Makes one CLOSES_AHEAD or CLOSES_BEHIND with all points if the move closes the hole (4.1), else NONE."""
    player, mine, reason = state.players[state.turn], points[state.turn], closing[nth]
    begin(reason, Why.NONE)
    if state.phase == Phase.TAKE and move == PASS and not is_last_turn(state):  # 3.8
        compare(state, points, mine, reason)
        return
    if is_last_turn(state) or player.hidden != 1 or state.phase == Phase.TEE_OFF:
        return
    if state.phase == Phase.PLACE and move == DISCARD_DRAWN:
        if not (rules.may_leave_last or rules.may_leave_any or rules.discard_ends_turn):
            compare(state, points, mine, reason)
        return
    slot = place if move == DISCARD else move
    if not 0 <= slot < rules.slots or not is_hidden(player, slot):
        return
    if state.phase != Phase.FLIP:
        player.layout[slot] = state.discard if move == DISCARD else state.held
        mine = 1.0 * cost(rules, player.layout, 0)
        player.layout[slot] = HIDDEN
    compare(state, points, mine, reason)


@compiled
def compare(state, points, mine, reason):
    """Makes it CLOSES_AHEAD or CLOSES_BEHIND: with points like `mine`, against the mean of the others."""
    total = 0.0
    for seat in range(state.seats):
        if seat != state.turn:
            total += points[seat]
    others = in_tenths(total / max(1, state.seats - 1))
    begin(reason, Why.CLOSES_AHEAD if mine < others else Why.CLOSES_BEHIND)
    reason.points, reason.others = in_tenths(mine), others


@compiled
def of_tee_off(rules, player, slot, for_it):
    face = open_mate(rules, player.layout, slot)
    if player.hidden == rules.slots:
        note(for_it, Why.FIRST_CARD)
    elif face != HIDDEN:
        note(for_it, Why.FLIP_BESIDE).face = face
    else:
        note(for_it, Why.FLIP_APART)


@compiled
def of_stock(rules, state, for_it, against):
    face = state.discard
    note(for_it, Why.DRAW).face = face
    if completes_line(rules, state.players[state.turn].layout, face):
        note(against, Why.MISSES_MATCH).face = face
    elif rules.points[face] < mean_unseen(rules, state):
        note(against, Why.MISSES_CHEAP).face = face
    if may_decline(rules, state) and not rules.may_discard_drawn:
        note(against, Why.RISKS)


@compiled
def of_declining(rules, state, points, for_it, against):
    standing = in_tenths(points[state.turn])
    note(for_it, Why.STAYS).points = standing
    if completes_line(rules, state.players[state.turn].layout, state.discard):
        note(against, Why.MISSES_MATCH).face = state.discard
    else:
        note(against, Why.GIVES_UP).points = standing


@compiled
def of_discarding(rules, state, for_it, against):
    face = state.held
    note_gain_of_discarding(rules, state, face, for_it)
    if completes_line(rules, state.players[state.turn].layout, face):
        note(against, Why.DISCARDS_MATCH).face = face
    note_feeding(rules, state, face, against)
    if rules.points[face] < mean_unseen(rules, state):
        note(against, Why.DISCARDS_CHEAP).face = face


@compiled
def note_gain_of_discarding(rules, state, face, for_it):
    """Notes the gain of discarding a card: it helps nowhere, or turning one up may help more (3.3)."""
    player = state.players[state.turn]
    if not helps(rules, state, player.layout, face):
        note(for_it, Why.USELESS).face = face
    elif is_last_turn(state) or rules.discard_ends_turn or player.hidden <= rules.may_leave_last:
        note(for_it, Why.DISCARDS).face = face
    else:
        wanted = likeliest(rules, state, missing_on_hidden(rules, player))
        if wanted == NO_MATCH or not state.unseen[wanted]:
            note(for_it, Why.DISCARDS_TO_TURN).face = face
        else:
            note_chance(rules, state, wanted, note(for_it, Why.DISCARDS_TO_MATCH))


@compiled
def of_placing(rules, state, points, face, slot, for_it, against):
    """Notes the reasons for and against placing that face on that slot."""
    player = state.players[state.turn]
    old, is_matched, gathered = player.layout[slot], is_in_line(rules, player.layout, slot), 0
    player.layout[slot] = face
    makes_line, full = is_in_line(rules, player.layout, slot), count_lines(rules, player.layout, face)
    player.layout[slot] = old
    if makes_line:
        note_match(rules, face, full, at(note(for_it, Why.MATCHES), face, slot))
    if old != HIDDEN and is_matched and old != face:
        at(note(against, Why.BREAKS), old, slot)
    if old != HIDDEN:
        note_feeding(rules, state, old, against)
    for line in range(rules.lines):
        if slots_of_line(rules, line) >> slot & 1:
            gathered = max(gathered, mates_alike(rules, player.layout, line, slot, face))
    if gathered > 0 and not makes_line:
        at(note(for_it, Why.GATHERS), face, slot).count = gathered + 1
    note_saving(rules, state, face, slot, for_it, against)
    if old != HIDDEN and player.hidden == 1 and not is_last_turn(state):
        note_waiting(state, points, for_it)  # the last card stays face down


@compiled
def note_saving(rules, state, face, slot, for_it, against):
    """Notes the strokes that a card on a slot saves; where it costs some, what else it may be good for."""
    player = state.players[state.turn]
    old = player.layout[slot]
    former = rules.points[old] if old != HIDDEN else mean_unseen(rules, state)
    strokes = 1.0 * former - rules.points[face]
    if strokes > 0:
        reason = at(note(for_it, Why.REPLACES if old != HIDDEN else Why.CHEAP), face, slot)
        reason.old, reason.strokes = old, in_tenths(strokes)
    elif strokes < 0:
        reason = at(note(against, Why.RAISES if old != HIDDEN else Why.DEAR), face, slot)
        reason.old, reason.strokes = old, in_tenths(-strokes)
        if is_completed_by_next(rules, state, face):
            about_next(state, face, note(for_it, Why.DENIES))
        if player.hidden > (old == HIDDEN) and may_still_match(rules, player.layout, slot, face):
            at(note(for_it, Why.AWAITS), face, slot).count = state.unseen[face]


@compiled
def of_turning_up(rules, state, layout, slot, for_it):
    wanted = likeliest(rules, state, missing_on(rules, layout, slot))
    if wanted != NO_MATCH:
        note_chance(rules, state, wanted, at(note(for_it, Why.MAY_MATCH), wanted, slot))
    elif may_still_match(rules, layout, slot, HIDDEN):
        note(for_it, Why.FLIP_APART)
    note(for_it, Why.SHOWS).slot = slot


@compiled
def of_leaving_last(state, points, for_it, against):
    note_waiting(state, points, for_it)
    if for_it[0].key == Why.WAITS:
        missed = note(against, Why.WAITS_AHEAD)
        compare(state, points, points[state.turn], missed)
        missed.key = Why.WAITS_AHEAD


@compiled
def note_waiting(state, points, for_it):
    """The last card stays face down, and nobody has closed yet."""
    standing = note(for_it, Why.WAITS)
    compare(state, points, points[state.turn], standing)
    if standing.key == Why.CLOSES_BEHIND:
        standing.key = Why.WAITS_BEHIND
    else:
        begin(standing, Why.WAITS)


@compiled
def note_match(rules, face, full, reason):
    """Says what the line that a card completes is worth, if not 0; `full` lines of the face there are then."""
    if full > 1 and rules.bonus[full]:
        reason.key = Why.MATCHES_AGAIN
        reason.lines, reason.strokes = full, -rules.bonus[full]
    elif rules.line_points[face]:
        reason.key = Why.MATCHES_FOR
        reason.points = rules.line_points[face]


@compiled
def note_chance(rules, state, face, reason):
    """Of all unseen cards, how many have the face."""
    unseen = 0
    for other in range(rules.faces):
        unseen += state.unseen[other]
    reason.face, reason.count, reason.unseen = face, state.unseen[face], unseen


@compiled
def note_feeding(rules, state, face, against):
    """Notes a discard that helps the next player much."""
    if is_completed_by_next(rules, state, face) or rules.points[face] < mean_unseen(rules, state) / 2:
        note_help(rules, state, face, against)


@compiled
def note_help(rules, state, face, against):
    """Notes how a discard helps the next player, if it does."""
    if is_completed_by_next(rules, state, face):
        about_next(state, face, note(against, Why.FEEDS_MATCH))
    elif has_next(state, face) and is_cheaper(rules, state, next_player(state).layout, face):
        about_next(state, face, note(against, Why.FEEDS))


@compiled
def is_completed_by_next(rules, state, face):
    """Whether the next player, if there is one, could complete a line with the card."""
    return has_next(state, face) and completes_line(rules, next_player(state).layout, face)


@compiled
def has_next(state, face):
    """Whether anyone may take the card after this turn."""
    following = left_of(state, state.turn)
    return face != HIDDEN and following != state.turn and following != state.closer


@compiled
def next_player(state):
    return state.players[left_of(state, state.turn)]


@compiled
def card_left(state, move):
    """The card that a move with a card in hand leaves on the discard pile, HIDDEN if nobody knows it yet."""
    return state.held if move == DISCARD_DRAWN else state.players[state.turn].layout[move]


@compiled
def may_decline(rules, state):
    return rules.may_decline_last_turn and state.closer != NOBODY


@compiled
def helps(rules, state, layout, face):
    """Whether that face would score less than a card of the layout, or complete a line."""
    return is_cheaper(rules, state, layout, face) or completes_line(rules, layout, face)


@compiled
def is_cheaper(rules, state, layout, face):
    """Whether the card costs less than another one of the layout; one face down costs the mean."""
    mean = mean_unseen(rules, state)
    for slot in range(rules.slots):
        old = layout[slot]
        if rules.points[face] < (mean if old == HIDDEN else rules.points[old]):
            return True
    return False


@compiled
def completes_line(rules, layout, face):
    """Whether that face would complete an unmatched line somewhere (5.2)."""
    for line in range(rules.lines):
        alike = 0
        for place in range(rules.line_length):
            alike += layout[slot_in_line(rules, line, place)] == face
        if alike == rules.line_length - 1:
            return True
    return False


@compiled
def is_in_line(rules, layout, slot):
    """Whether the slot is part of a matched line (5.2)."""
    for line in range(rules.lines):
        if slots_of_line(rules, line) >> slot & 1 and line_face(rules, layout, line) != NO_MATCH:
            return True
    return False


@compiled
def missing_on(rules, layout, slot):
    """The faces that would complete a line of the slot (5.2), as a set of bits."""
    faces = 0
    for line in range(rules.lines):
        if slots_of_line(rules, line) >> slot & 1:
            face = missing_face(rules, layout, line, slot)
            if face >= 0:
                faces |= 1 << face
    return faces


@compiled
def missing_on_hidden(rules, player):
    """The faces that would complete a line if a face-down card had them, as a set of bits."""
    faces = 0
    for slot in range(rules.slots):
        if is_hidden(player, slot):
            faces |= missing_on(rules, player.layout, slot)
    return faces


@compiled
def likeliest(rules, state, faces):
    """Of a set of faces the one of most unseen cards, of equal ones the highest; NO_MATCH of none."""
    best = NO_MATCH
    for face in range(rules.faces):
        if faces >> face & 1 and (best == NO_MATCH or state.unseen[face] >= state.unseen[best]):
            best = face
    return best


@compiled
def open_mate(rules, layout, slot):
    """The face of the first open card in a line of the slot, else HIDDEN."""
    for line in range(rules.lines):
        if slots_of_line(rules, line) >> slot & 1:
            for place in range(rules.line_length):
                other = slot_in_line(rules, line, place)
                if other != slot and layout[other] != HIDDEN:
                    return layout[other]
    return HIDDEN


@compiled
def may_still_match(rules, layout, slot, face):
    """Whether in a line of the slot every other card has that face, or lies face down."""
    for line in range(rules.lines):
        if slots_of_line(rules, line) >> slot & 1 and mates_alike(rules, layout, line, slot, face) != NO_MATCH:
            return True
    return False


@compiled
def mates_alike(rules, layout, line, slot, face):
    """How many other cards of the line have that face; NO_MATCH if an open one has another."""
    alike = 0
    for place in range(rules.line_length):
        other = slot_in_line(rules, line, place)
        if other != slot:
            if layout[other] == face:
                alike += 1
            elif layout[other] != HIDDEN:
                return NO_MATCH
    return alike


@compiled
def note(reasons, key):
    """Adds a reason to a list, and returns it."""
    nth = 0
    while reasons[nth].key:
        nth += 1
    begin(reasons[nth], key)
    return reasons[nth]


@compiled
def at(reason, face, slot):
    """The same reason, about that face on that slot."""
    reason.face, reason.slot = face, slot
    return reason


@compiled
def about_next(state, face, reason):
    reason.face, reason.player = face, left_of(state, state.turn)


@compiled
def begin(reason, key):
    """Makes it a reason with that key and nothing else."""
    reason.key = key
    reason.points = reason.others = reason.strokes = np.nan
    reason.face = reason.old = reason.slot = reason.player = NOTHING
    reason.count = reason.unseen = reason.lines = reason.move = reason.but = NOTHING
    reason.part = 0


@compiled
def copy_reason(reasons, nth, copy):
    """Copies one of a list field by field: whole records are copied much more slowly."""
    reason = reasons[nth]
    copy.key = reason.key
    copy.points, copy.others, copy.strokes = reason.points, reason.others, reason.strokes
    copy.face, copy.old, copy.slot, copy.player = reason.face, reason.old, reason.slot, reason.player
    copy.count, copy.unseen, copy.lines = reason.count, reason.unseen, reason.lines
    copy.move, copy.but, copy.part = reason.move, reason.but, reason.part


@compiled
def in_tenths(number):
    """The number with one decimal, as Python rounds it: by its exact value, and from the middle to the even digit."""
    tenths = 8.0 * number + 2.0 * number
    missed = 2.0 * number - (tenths - 8.0 * number)  # exactly what that sum was rounded by
    whole = np.rint(tenths)
    if missed and abs(tenths - whole) == 0.5:
        whole = np.floor(tenths) if missed < 0 else np.ceil(tenths)
    return whole / 10
