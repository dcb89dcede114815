"""Finds the reasons why a move is good or bad, as keys with parameters.

The message of a key is `coach_why_` and the key (web/messages/reasons). Faces and slots are in the notation, `player`
is a seat's number from 0; `points`, `others` and `strokes` are numbers.
"""

from typing import Any, NamedTuple

import numpy as np

from mulligan.engine.scoring import cost
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, NOBODY, PASS, STOCK, Phase
from mulligan.game.hole import Sight, look_at
from mulligan.game.notation import name_of_move
from mulligan.game.variants import Variant, lines_of
from mulligan.players.values.expected_reveal import expected_points

from .findings import Params, Reason

SPEAKS_FOR_THE_BEST = ("draw", "useless", "discards", "discards_to_match", "discards_to_turn")  # for the best move only

ABOUT_THE_NEXT = ("feeds_match", "feeds")


class Look(NamedTuple):
    """The input for reasons: the position, and each player's expected points if the hole ended now."""

    variant: Variant
    sight: Sight
    unseen: list[int]
    points: list[float]

    @property
    def layout(self) -> list[int]:
        return self.sight.layouts[self.sight.turn][: self.variant.rules.slots]

    @property
    def hidden(self) -> int:
        return self.sight.hidden[self.sight.turn]

    @property
    def mean(self) -> float:
        """The mean points of an unseen card."""
        return mean_of(self.variant, self.unseen)

    def face(self, number: int) -> str:
        return self.variant.faces[number]

    def slot(self, number: int) -> str:
        return self.variant.slots[number]

    def cost_of(self, face: int) -> int:
        return int(self.variant.rules.points[face])


def look(variant: Variant, state: Any) -> Look:
    points = np.zeros(int(state.seats))
    expected_points(variant.rules, state, points)
    return Look(variant, look_at(state), state.unseen.tolist(), points.tolist())


def mean_of(variant: Variant, unseen: list[int]) -> float:
    points = variant.rules.points.tolist()
    return sum(point * count for point, count in zip(points, unseen, strict=True)) / max(1, sum(unseen))


def why(
    seen: Look, move: int, loss: float, best: int, place: int | None = None, left: float = 0.0, more: float = 0.0
) -> Reason:
    """Returns the most important reason for a move with this `loss` (strokes) against the best move.

    A move that cannot be told apart from the best one has no loss. `place` is the best slot for the top discard. Of the
    loss, `left` comes from the card left for the next player, and `more` is in the player's own cards (advice.py).
    """
    speaks_for, speaks_against = reasons(seen, move, place)
    closing = closing_by(seen, move, place)
    if not loss:
        if closing:
            return closing if closing.key == "closes_ahead" else Reason("closes", closing.params)
        told = [reason for reason in speaks_for if move == best or reason.key not in SPEAKS_FOR_THE_BEST]
        return (told or speaks_against or [Reason("equal", {})])[0]
    better = closing_by(seen, best, place)
    if closing and not better:
        return closing if closing.key == "closes_behind" else Reason("closes", closing.params)
    if better and not closing and better.key == "closes_ahead":
        if move == STOCK:
            return Reason("misses_close", {"face": seen.face(seen.sight.discard)})
        return Reason("waits_ahead", better.params)
    if left >= loss / 2 and not any(reason.key in ABOUT_THE_NEXT for reason in speaks_against):
        speaks_against = [*speaks_against, *helping(seen, card_left(seen, move))]
    return against(seen, speaks_for, speaks_against, loss, best, left, more)


def against(
    seen: Look, speaks_for: list[Reason], speaks_against: list[Reason], loss: float, best: int, left: float, more: float
) -> Reason:
    """Returns the reason against a move, else the reason for it with `but`, which names the best move."""
    other = name_of_move(seen.variant, best, seen.sight.phase, seen.sight.closer)
    if most := next((reason for reason in speaks_against if explains(reason, loss, left)), None):
        return most
    if more >= loss / 2:
        return Reason("costs_more", {"move": other, "strokes": round(more, 1)})
    if speaks_against:
        return Reason(speaks_against[0].key, speaks_against[0].params | {"part": 1})
    for reason in speaks_for:
        if reason.key not in SPEAKS_FOR_THE_BEST:
            return Reason(reason.key, reason.params | {"but": other})
    return Reason("better", {"move": other})


def explains(reason: Reason, loss: float, left: float = 0.0) -> bool:
    """Returns whether a reason explains at least half of a loss, of which `left` comes from the discard."""
    if reason.key in ABOUT_THE_NEXT:
        return left >= loss / 2
    return min(float(reason.params.get("strokes", loss)), loss - left) >= loss / 2


def in_part(reason: Reason, loss: float) -> Reason:
    """Returns the reason for the better move, marked `part` if it explains only a part of the loss."""
    return reason if explains(reason, loss) else Reason(reason.key, reason.params | {"part": 1})


def speaks_against(reason: Reason) -> bool:
    """Returns whether the reason of a mistake says what it cost, and not only that another move is better."""
    return reason.key != "better" and "but" not in reason.params


def reasons(seen: Look, move: int, place: int | None = None) -> tuple[list[Reason], list[Reason]]:
    """Returns the reasons for a move and those against it, the most important first."""
    phase = seen.sight.phase
    if phase == Phase.TEE_OFF:
        return of_tee_off(seen, move)
    if phase == Phase.TAKE and move == STOCK:
        return of_stock(seen)
    if phase == Phase.TAKE and move == PASS:
        return of_declining(seen) if may_decline(seen) else ([], [])  # what a knock comes to is in `closing_by`
    if phase == Phase.TAKE:
        return of_placing(seen, seen.sight.discard, place) if place is not None else ([], [])
    if phase == Phase.PLACE and move == DISCARD_DRAWN:
        return of_discarding(seen)
    if phase == Phase.PLACE:
        return of_placing(seen, seen.sight.held, move)
    return of_passing(seen) if move == PASS else of_turning_up(seen, move)


def closing_by(seen: Look, move: int, place: int | None) -> Reason | None:
    """Returns `closes_ahead` or `closes_behind` with all points, if the move closes the hole (4.1)."""
    phase, rules = seen.sight.phase, seen.variant.rules
    if phase == Phase.TAKE and move == PASS and seen.sight.closer == NOBODY:  # 3.8
        return of_closing(seen, seen.points[seen.sight.turn])
    if seen.sight.closer != NOBODY or seen.hidden != 1 or phase == Phase.TEE_OFF:
        return None
    if phase == Phase.PLACE and move == DISCARD_DRAWN:
        turns_up = not (rules.may_leave_last or rules.may_leave_any or rules.discard_ends_turn)
        return of_closing(seen, seen.points[seen.sight.turn]) if turns_up else None
    slot, face = (place, seen.sight.discard) if move == DISCARD else (move, seen.sight.held)
    if slot is None or not 0 <= slot < len(seen.layout) or seen.layout[slot] != HIDDEN:
        return None
    if phase == Phase.FLIP:
        return of_closing(seen, seen.points[seen.sight.turn])
    return of_closing(seen, exact_cost(seen.variant, [*seen.layout[:slot], face, *seen.layout[slot + 1 :]]))


def of_tee_off(seen: Look, slot: int) -> tuple[list[Reason], list[Reason]]:
    mates = [face for mates in mates_of(seen.variant, seen.layout, slot) for face in mates if face != HIDDEN]
    if all(face == HIDDEN for face in seen.layout):
        return [Reason("first_card", {})], []
    if mates:
        return [Reason("flip_beside", {"face": seen.face(mates[0])})], []
    return [Reason("flip_apart", {})], []


def of_stock(seen: Look) -> tuple[list[Reason], list[Reason]]:
    face = seen.sight.discard
    shown: Params = {"face": seen.face(face)}
    against = []
    if slots_completed(seen.variant, seen.layout, face):
        against.append(Reason("misses_match", shown))
    elif seen.cost_of(face) < seen.mean:
        against.append(Reason("misses_cheap", shown))
    if may_decline(seen) and not seen.variant.rules.may_discard_drawn:
        against.append(Reason("risks", {}))
    return [Reason("draw", shown)], against


def of_declining(seen: Look) -> tuple[list[Reason], list[Reason]]:
    standing: Params = {"points": round(seen.points[seen.sight.turn], 1)}
    completes = slots_completed(seen.variant, seen.layout, seen.sight.discard)
    misses = (
        Reason("misses_match", {"face": seen.face(seen.sight.discard)}) if completes else Reason("gives_up", standing)
    )
    return [Reason("stays", standing)], [misses]


def of_discarding(seen: Look) -> tuple[list[Reason], list[Reason]]:
    face = seen.sight.held
    shown: Params = {"face": seen.face(face)}
    against = []
    if slots_completed(seen.variant, seen.layout, face):
        against.append(Reason("discards_match", shown))
    against += feeding(seen, face)
    if seen.cost_of(face) < seen.mean:
        against.append(Reason("discards_cheap", shown))
    return [gain_of_discarding(seen, face)], against


def gain_of_discarding(seen: Look, face: int) -> Reason:
    """Returns the gain of discarding a card: it helps nowhere, or turning a card up may help more (3.3)."""
    if not slots_helped(seen, face):
        return Reason("useless", {"face": seen.face(face)})
    rules = seen.variant.rules
    turns_up = may_close(seen) and not rules.discard_ends_turn and seen.hidden > rules.may_leave_last
    if not turns_up:
        return Reason("discards", {"face": seen.face(face)})
    hidden = [slot for slot, card in enumerate(seen.layout) if card == HIDDEN]
    wanted_faces = [face for slot in hidden for face in missing_on(seen.variant, seen.layout, slot)]
    chances = [(seen.unseen[wanted], wanted) for wanted in wanted_faces]
    if any(chance for chance, _ in chances):
        chance, wanted = max(chances)
        return Reason("discards_to_match", {"face": seen.face(wanted), "count": chance, "unseen": sum(seen.unseen)})
    return Reason("discards_to_turn", {"face": seen.face(face)})


def slots_helped(seen: Look, face: int) -> list[int]:
    """Returns the slots where that face would score less than the present card, or complete a line."""
    costs = [seen.mean if old == HIDDEN else seen.cost_of(old) for old in seen.layout]
    cheaper = [slot for slot, points in enumerate(costs) if seen.cost_of(face) < points]
    return cheaper + slots_completed(seen.variant, seen.layout, face)


def of_placing(seen: Look, face: int, slot: int) -> tuple[list[Reason], list[Reason]]:
    """Returns the reasons for and against placing that face on that slot."""
    variant, layout = seen.variant, seen.layout
    old = layout[slot]
    after = [*layout]
    after[slot] = face
    where: Params = {"face": seen.face(face), "slot": seen.slot(slot)}
    for_it: list[Reason] = []
    against: list[Reason] = []
    if is_line(variant, after, slot):
        for_it.append(matching(seen, after, slot))
    if old != HIDDEN and is_line(variant, layout, slot) and old != face:
        against.append(Reason("breaks", where | {"face": seen.face(old)}))
    if old != HIDDEN:
        against += feeding(seen, old)
    alike = [mates.count(face) for mates in mates_of(variant, layout, slot) if not set(mates) - {HIDDEN, face}]
    gathered = max(alike, default=0)
    if gathered and not is_line(variant, after, slot):
        for_it.append(Reason("gathers", where | {"count": gathered + 1}))
    strokes = (seen.cost_of(old) if old != HIDDEN else seen.mean) - seen.cost_of(face)
    params = where | {"strokes": round(abs(strokes), 1)}
    if old != HIDDEN:
        params["old"] = seen.face(old)
    if strokes > 0:
        for_it.append(Reason("replaces" if old != HIDDEN else "cheap", params))
    elif strokes < 0:
        against.append(Reason("raises" if old != HIDDEN else "dear", params))
        for_it += [Reason("denies", reason.params) for reason in feeding(seen, face) if reason.key == "feeds_match"]
        if HIDDEN in after and any(not set(mates) - {HIDDEN, face} for mates in mates_of(variant, after, slot)):
            for_it.append(Reason("awaits", where | {"count": seen.unseen[face]}))
    if old != HIDDEN and seen.hidden == 1 and may_close(seen):
        for_it += of_passing(seen)[0]  # the last card stays face down
    return for_it, against


def of_turning_up(seen: Look, slot: int) -> tuple[list[Reason], list[Reason]]:
    for_it: list[Reason] = []
    wanted = missing_on(seen.variant, seen.layout, slot)
    if wanted:
        likeliest = max(wanted, key=lambda face: seen.unseen[face])
        params = {"face": seen.face(likeliest), "slot": seen.slot(slot)}
        for_it.append(Reason("may_match", params | {"count": seen.unseen[likeliest], "unseen": sum(seen.unseen)}))
    elif any(set(mates) == {HIDDEN} for mates in mates_of(seen.variant, seen.layout, slot)):
        for_it.append(Reason("flip_apart", {}))
    return [*for_it, Reason("shows", {"slot": seen.slot(slot)})], []


def of_passing(seen: Look) -> tuple[list[Reason], list[Reason]]:
    standing = of_closing(seen, seen.points[seen.sight.turn])
    if standing.key == "closes_ahead":
        return [Reason("waits", {})], [Reason("waits_ahead", standing.params)]
    return [Reason("waits_behind", standing.params)], []


def of_closing(seen: Look, points: float) -> Reason:
    others = [other for seat, other in enumerate(seen.points) if seat != seen.sight.turn]
    mean = round(sum(others) / max(1, len(others)), 1)
    return Reason("closes_ahead" if points < mean else "closes_behind", {"points": round(points, 1), "others": mean})


def matching(seen: Look, after: list[int], slot: int) -> Reason:
    """Returns the reason for the line that a card on the slot completes, with its points if not 0."""
    rules, face = seen.variant.rules, after[slot]
    params: Params = {"face": seen.face(face), "slot": seen.slot(slot)}
    lines = sum({after[other] for other in line} == {face} for line in lines_of(seen.variant.facts))
    if lines > 1 and rules.bonus[lines]:
        return Reason("matches_again", params | {"lines": lines, "strokes": -int(rules.bonus[lines])})
    if rules.line_points[face]:
        return Reason("matches_for", params | {"points": int(rules.line_points[face])})
    return Reason("matches", params)


def feeding(seen: Look, face: int) -> list[Reason]:
    """Returns the reason against a discard that helps the next player; empty if there is none."""
    return [
        reason for reason in helping(seen, face) if reason.key == "feeds_match" or seen.cost_of(face) < seen.mean / 2
    ]


def helping(seen: Look, face: int) -> list[Reason]:
    """Returns how a discard helps the next player; empty if it does not."""
    following = next_player(seen)
    if face == HIDDEN or following in (seen.sight.turn, seen.sight.closer):
        return []
    layout = layout_of_next(seen)
    params: Params = {"face": seen.face(face), "player": following}
    if slots_completed(seen.variant, layout, face):
        return [Reason("feeds_match", params)]
    if any(seen.cost_of(face) < (seen.mean if old == HIDDEN else seen.cost_of(old)) for old in layout):
        return [Reason("feeds", params)]
    return []


def wanted_by_next(seen: Look, face: int) -> tuple[bool, int]:
    """Returns how much the next player wants a card: whether it completes a line, and how low it is."""
    return bool(slots_completed(seen.variant, layout_of_next(seen), face)), -seen.cost_of(face)


def next_player(seen: Look) -> int:
    return (seen.sight.turn + 1) % seen.sight.seats


def layout_of_next(seen: Look) -> list[int]:
    return seen.sight.layouts[next_player(seen)][: seen.variant.rules.slots]


def card_left(seen: Look, move: int) -> int:
    """Returns the card that a move with a card in hand leaves on the discard pile, HIDDEN if nobody knows it yet."""
    return seen.sight.held if move == DISCARD_DRAWN else seen.layout[move]


def may_close(seen: Look) -> bool:
    return seen.sight.closer == NOBODY


def may_decline(seen: Look) -> bool:
    return bool(seen.variant.rules.may_decline_last_turn) and seen.sight.closer != NOBODY


def exact_cost(variant: Variant, layout: list[int]) -> float:
    return float(cost(variant.rules, np.array(layout, np.int8), 0))


def lines_at(variant: Variant, slot: int) -> list[tuple[int, list[int]]]:
    """Returns the lines through the slot: their numbers and their slots (5.2)."""
    return [(number, line) for number, line in enumerate(lines_of(variant.facts)) if slot in line]


def mates_of(variant: Variant, layout: list[int], slot: int) -> list[list[int]]:
    """Returns the faces of the other cards in each of the slot's lines."""
    return [[layout[other] for other in line if other != slot] for _, line in lines_at(variant, slot)]


def is_line(variant: Variant, layout: list[int], slot: int) -> bool:
    """Returns whether the slot is part of a matched line (5.2)."""
    return layout[slot] != HIDDEN and layout[slot] in missing_on(variant, layout, slot)


def missing_on(variant: Variant, layout: list[int], slot: int) -> set[int]:
    """Returns the faces that would complete a line of the slot (5.2)."""
    return {mates[0] for mates in mates_of(variant, layout, slot) if len(set(mates)) == 1} - {HIDDEN}


def slots_completed(variant: Variant, layout: list[int], face: int) -> list[int]:
    """Returns the slots where that face would complete an unmatched line."""
    lines = lines_of(variant.facts)
    return sorted({slot for line in lines for slot in line if lacks_only(layout, line, slot, face)})


def lacks_only(layout: list[int], line: list[int], slot: int, face: int) -> bool:
    """Returns whether all cards of a line but the one on the slot have that face."""
    return all((layout[other] == face) == (other != slot) for other in line)
