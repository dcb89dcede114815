"""Why a move is good or bad, as a key with parameters: each language says it in its own words.

ENGLISH lists the keys, and says them in English. Faces and slots are in
the notation, `player` is a seat's number from 0, `points`, `others` and `strokes` are numbers.
"""

from typing import Any, NamedTuple

import numpy as np

from .engine.scoring import cost
from .engine.state import DISCARD, HIDDEN, NOBODY, PASS, STOCK, THROW_AWAY, Phase
from .game import Sight, look_at
from .players.reveal import expected_points
from .variants import Variant

CLOSE_CALL = 0.05  # strokes; moves nearer to the best than that are as good


class Why(NamedTuple):
    """A reason: its key, and what it says about whom."""

    key: str
    params: dict[str, Any]


class Look(NamedTuple):
    """All that reasons are found in: the table, and what everybody would have if it were revealed now."""

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
        """What a card nobody has seen costs on average."""
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


def why(seen: Look, move: int, loss: float, best: int, place: int | None = None) -> Why:
    """The reason that says most about a move which costs `loss` strokes against the best one.

    `place` is where a card from the discard pile would best go.
    """
    speaks_for, speaks_against = reasons(seen, move, place)
    if loss <= CLOSE_CALL:
        return (speaks_for or speaks_against or [Why("equal", {})])[0]
    return (speaks_against or speaks_for or [Why("better", {"move": name_of(seen.variant, best)})])[0]


def name_of(variant: Variant, move: int) -> str:
    """A move by its name: a slot, or `stock`, `discard`, `throw_away`, `pass`."""
    return NAMES_OF_MOVES.get(move) or variant.slots[move]


NAMES_OF_MOVES = {STOCK: "stock", DISCARD: "discard", THROW_AWAY: "throw_away", PASS: "pass"}


def reasons(seen: Look, move: int, place: int | None = None) -> tuple[list[Why], list[Why]]:
    """What speaks for a move and what against it, each with the weightiest first."""
    phase = seen.sight.phase
    if phase == Phase.TEE_OFF:
        return of_tee_off(seen, move)
    if phase == Phase.TAKE and move == STOCK:
        return of_stock(seen, place)
    if phase == Phase.TAKE:
        return of_placing(seen, seen.sight.discard, place) if place is not None else ([], [])
    if phase == Phase.PLACE and move == THROW_AWAY:
        return of_throwing_away(seen)
    if phase == Phase.PLACE:
        return of_placing(seen, seen.sight.held, move)
    return of_passing(seen) if move == PASS else of_turning_up(seen, move)


def of_tee_off(seen: Look, slot: int) -> tuple[list[Why], list[Why]]:
    mates = [face for face in mates_of(seen.variant, seen.layout, slot) if face != HIDDEN]
    if all(face == HIDDEN for face in seen.layout):
        return [Why("first_card", {})], []
    if mates:
        return [Why("flip_beside", {"face": seen.face(mates[0])})], []
    return [Why("flip_apart", {})], []


def of_stock(seen: Look, place: int | None) -> tuple[list[Why], list[Why]]:
    """`place` is where the discard would go."""
    face = seen.sight.discard
    shown = {"face": seen.face(face)}
    against = []
    if slots_completed(seen.variant, seen.layout, face):
        against.append(Why("misses_match", shown))
    elif seen.cost_of(face) < seen.mean:
        against.append(Why("misses_cheap", shown))
    if may_close(seen) and seen.hidden == 1 and place is not None and seen.layout[place] == HIDDEN:
        against.append(Why("misses_close", shown))
    return [Why("draw", shown)], against


def of_throwing_away(seen: Look) -> tuple[list[Why], list[Why]]:
    face = seen.sight.held
    shown = {"face": seen.face(face)}
    against = []
    if slots_completed(seen.variant, seen.layout, face):
        against.append(Why("throws_match", shown))
    against += feeding(seen, face)
    if seen.cost_of(face) < seen.mean:
        against.append(Why("throws_cheap", shown))
    return [Why("useless", shown)], against


def of_placing(seen: Look, face: int, slot: int) -> tuple[list[Why], list[Why]]:
    """A card of that face put on that slot."""
    variant, layout = seen.variant, seen.layout
    old = layout[slot]
    after = [*layout]
    after[slot] = face
    where = {"face": seen.face(face), "slot": seen.slot(slot)}
    for_it: list[Why] = []
    against: list[Why] = []
    if old == HIDDEN and seen.hidden == 1 and may_close(seen):
        closing = of_closing(seen, exact_cost(variant, after))
        (for_it if closing.key == "closes_ahead" else against).append(closing)
    if is_line(variant, after, slot):
        for_it.append(matching(seen, after, slot))
    if old != HIDDEN and is_line(variant, layout, slot) and old != face:
        against.append(Why("breaks", where | {"face": seen.face(old)}))
    if old != HIDDEN:
        against += feeding(seen, old)
    mates = [mate for mate in mates_of(variant, layout, slot) if mate != HIDDEN]
    if mates and set(mates) == {face} and not is_line(variant, after, slot):
        for_it.append(Why("gathers", where | {"count": mates.count(face) + 1}))
    strokes = (seen.cost_of(old) if old != HIDDEN else seen.mean) - seen.cost_of(face)
    params = where | {"strokes": round(abs(strokes), 1)}
    if old != HIDDEN:
        params["old"] = seen.face(old)
    if strokes > 0:
        for_it.append(Why("replaces" if old != HIDDEN else "cheap", params))
    elif strokes < 0:
        against.append(Why("raises" if old != HIDDEN else "dear", params))
        for_it += [Why("denies", reason.params) for reason in feeding(seen, face) if reason.key == "feeds_match"]
        if HIDDEN in after and not set(mates_of(variant, after, slot)) - {HIDDEN, face}:
            for_it.append(Why("awaits", where | {"count": seen.unseen[face]}))
    if old != HIDDEN and seen.hidden == 1 and may_close(seen):
        for_it += of_passing(seen)[0]  # the last card stays face down
    return for_it, against


def of_turning_up(seen: Look, slot: int) -> tuple[list[Why], list[Why]]:
    for_it: list[Why] = []
    against: list[Why] = []
    if seen.hidden == 1 and may_close(seen):
        closing = of_closing(seen, seen.points[seen.sight.turn])
        (for_it if closing.key == "closes_ahead" else against).append(closing)
    mates = mates_of(seen.variant, seen.layout, slot)
    if HIDDEN not in mates and len(set(mates)) == 1:
        wanted = mates[0]
        params = {"face": seen.face(wanted), "slot": seen.slot(slot)}
        for_it.append(Why("may_match", params | {"count": seen.unseen[wanted], "unseen": sum(seen.unseen)}))
    elif HIDDEN in mates:
        for_it.append(Why("flip_apart", {}))
    return [*for_it, Why("shows", {"slot": seen.slot(slot)})], against


def of_passing(seen: Look) -> tuple[list[Why], list[Why]]:
    standing = of_closing(seen, seen.points[seen.sight.turn])
    if standing.key == "closes_ahead":
        return [Why("waits", {})], [Why("waits_ahead", standing.params)]
    return [Why("waits_behind", standing.params)], []


def of_closing(seen: Look, points: float) -> Why:
    others = [other for seat, other in enumerate(seen.points) if seat != seen.sight.turn]
    standing = {"points": round(points, 1), "others": round(sum(others) / max(1, len(others)), 1)}
    return Why("closes_ahead" if points < standing["others"] else "closes_behind", standing)


def matching(seen: Look, after: list[int], slot: int) -> Why:
    """The line that a card on the slot completes, and what it is worth if that is more than nothing."""
    rules, face = seen.variant.rules, after[slot]
    params = {"face": seen.face(face), "slot": seen.slot(slot)}
    lines = sum(is_line(seen.variant, after, first) and after[first] == face for first in first_slots(seen.variant))
    if lines > 1:
        return Why("matches_again", params | {"lines": lines, "strokes": -int(rules.bonus[lines])})
    if rules.line_points[face]:
        return Why("matches_for", params | {"points": int(rules.line_points[face])})
    return Why("matches", params)


def feeding(seen: Look, face: int) -> list[Why]:
    """The next player would be glad of the card that is left on the discard pile."""
    sight = seen.sight
    following = (sight.turn + 1) % sight.seats
    if following in (sight.turn, sight.closer):
        return []
    layout = sight.layouts[following][: seen.variant.rules.slots]
    if slots_completed(seen.variant, layout, face):
        return [Why("feeds_match", {"face": seen.face(face), "player": following})]
    if seen.cost_of(face) < seen.mean / 2:
        return [Why("feeds", {"face": seen.face(face), "player": following})]
    return []


def may_close(seen: Look) -> bool:
    return seen.sight.closer == NOBODY


def exact_cost(variant: Variant, layout: list[int]) -> float:
    return float(cost(variant.rules, np.array(layout, np.int8), 0))


def slots_in_line(variant: Variant, slot: int) -> list[int]:
    columns = int(variant.rules.columns)
    if variant.rules.lines_are_columns:
        return list(range(slot % columns, int(variant.rules.slots), columns))
    return list(range(slot // columns * columns, (slot // columns + 1) * columns))


def first_slots(variant: Variant) -> list[int]:
    return sorted({slots_in_line(variant, slot)[0] for slot in range(variant.rules.slots)})


def mates_of(variant: Variant, layout: list[int], slot: int) -> list[int]:
    """The faces of the other cards in the slot's line."""
    return [layout[other] for other in slots_in_line(variant, slot) if other != slot]


def is_line(variant: Variant, layout: list[int], slot: int) -> bool:
    """Whether the slot is part of a matched line (5.2)."""
    return layout[slot] != HIDDEN and all(mate == layout[slot] for mate in mates_of(variant, layout, slot))


def slots_completed(variant: Variant, layout: list[int], face: int) -> list[int]:
    """The slots on which a card of that face would complete a line that does not match yet."""
    return [
        slot
        for slot in range(variant.rules.slots)
        if layout[slot] != face and all(mate == face for mate in mates_of(variant, layout, slot))
    ]


# What a move does, what it would have done, and the rest of the sentence.
ENGLISH = {
    "equal": ("is", "been", "as good as any"),
    "better": ("is", "been", "worse than {move}"),
    "first_card": ("is", "been", "as good a start as any other card"),
    "flip_beside": ("shows", "shown", "the card beside the {face}"),
    "flip_apart": ("opens", "opened", "another {line}"),
    "draw": ("may bring", "perhaps brought", "more than the {face} on the discard pile"),
    "misses_match": ("leaves", "left", "the {face} that would complete a {line}"),
    "misses_cheap": ("leaves", "left", "a cheap {face} on the discard pile"),
    "misses_close": ("leaves", "left", "the {face} that would close the hole"),
    "useless": ("is", "been", "right for {a_face} that helps nowhere"),
    "throws_match": ("throws away", "thrown away", "the {face} that would complete a {line}"),
    "throws_cheap": ("throws away", "thrown away", "a cheap card"),
    "feeds_match": ("leaves", "left", "the {face} that {player} needs for a {line}"),
    "feeds": ("leaves", "left", "{a_face} that {player} will be glad of"),
    "matches": ("matches", "matched", "the {line} of {face}s"),
    "matches_again": ("makes", "made", "{lines} {line}s of {face}s, {strokes} off"),
    "matches_for": ("matches", "matched", "the {line} of {face}s, {points} points"),
    "denies": ("keeps", "kept", "the {face} from {player}, who needs it for a {line}"),
    "awaits": ("lies", "lain", "where another {face} would match it; {count} are still unseen"),
    "breaks": ("breaks", "broken", "the {line} of {face}s"),
    "gathers": ("makes", "made", "{count} {face}s in one {line}"),
    "replaces": ("takes", "taken", "the place of {a_old}, {strokes} fewer"),
    "raises": ("takes", "taken", "the place of {a_old}, {strokes} more"),
    "cheap": ("saves", "saved", "{strokes} against what a face-down card costs on average"),
    "dear": ("costs", "cost", "{strokes} more than a face-down card does on average"),
    "closes_ahead": ("closes", "closed", "the hole at {points} while the others stand at about {others}"),
    "closes_behind": ("closes", "closed", "the hole at {points} although the others stand at about {others}"),
    "may_match": ("may match", "perhaps matched", "the {face}: {count} of the {unseen} unseen cards are {face}s"),
    "shows": ("shows", "shown", "one card more"),
    "waits": ("keeps", "kept", "the hole open"),
    "waits_ahead": ("keeps", "kept", "the hole open, with {points} against about {others} of the others"),
    "waits_behind": ("keeps", "kept", "the hole open while the others stand at about {others}, against {points}"),
}
KEYS = tuple(ENGLISH)
SPOKEN_WITH_A_VOWEL = ("8", "11", "18", "A", "F", "H", "L", "M", "N", "R", "S", "X", "E", "I", "O")
MOVES_IN_ENGLISH = {
    "stock": "drawing from the stock",
    "discard": "taking the card from the discard pile",
    "throw_away": "throwing it away",
    "pass": "leaving the last card face down",
}


def in_english(variant: Variant, reason: Why, names: list[str]) -> str:
    """What the move does, as the end of a sentence; `names` are the players' by seat."""
    does, _, rest = ENGLISH[reason.key]
    return f"{does} {rest}".format(**words_for(variant, reason, names))


def would_have(variant: Variant, reason: Why, names: list[str]) -> str:
    """The same for a move that was not played."""
    _, done, rest = ENGLISH[reason.key]
    return f"would have {done} {rest}".format(**words_for(variant, reason, names))


def words_for(variant: Variant, reason: Why, names: list[str]) -> dict[str, str]:
    words = {"line": "column" if variant.rules.lines_are_columns else "row"}
    for key, value in reason.params.items():
        if key == "player":
            words[key] = names[value]
        elif key == "move":
            words[key] = MOVES_IN_ENGLISH.get(value, value)
        elif key == "strokes":
            words[key] = f"{value:g} stroke" if value == 1 else f"{value:g} strokes"
        elif key in ("face", "old"):
            words[key] = value
            words[f"a_{key}"] = f"{'an' if value in SPOKEN_WITH_A_VOWEL else 'a'} {value}"
        else:
            words[key] = f"{value:g}".replace("-", "−") if isinstance(value, int | float) else value
    return words
