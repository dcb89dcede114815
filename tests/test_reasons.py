"""The reasons of the coach are true: in games of all levels each one is checked by the engine's own rules."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

import numpy as np
import pytest
from effort import tries

from mulligan.coach.advice import Costs, advise, cost_of_discard, more_points
from mulligan.coach.findings import Reason
from mulligan.coach.reasons import Why, in_tenths, is_about_next, speaks_against
from mulligan.engine.chance import many_dice
from mulligan.engine.state import DISCARD, DISCARD_DRAWN, HIDDEN, MOVES, NOBODY, NOTHING, PASS, STATE, STOCK, Phase
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.game.score_parts import matched_slots
from mulligan.game.variants import Variant, lines_of
from mulligan.players import net_files
from mulligan.players.roster import LEVELS
from mulligan.players.values.expected_reveal import expected_points
from mulligan.study.contestants import contestants

POSITIONS = tries(60, 500)
A_HOLE = 5  # positions of a hole
ROUNDED = 0.051  # strokes: figures have one decimal


class Position:
    """A decision with its advice, and what the engine says about a move."""

    def __init__(self, hole: Hole) -> None:
        self.hole, self.variant, self.sight = hole, hole.variant, hole.sight
        self.me = self.sight.turn
        self.layout = self.layout_of(self.me)
        self.ranked = advise(hole)
        place = next((one.place for one in self.ranked if one.place is not None), None)
        self.place = None if place is None else self.variant.slots.index(place)

    def layout_of(self, seat: int) -> list[int]:
        return self.sight.layouts[seat][: len(self.variant.slots)]

    def points(self, face: int) -> int:
        return int(self.variant.rules.points[face])

    @property
    def unseen(self) -> list[int]:
        return self.hole.state.unseen.tolist()

    @property
    def mean(self) -> float:
        return sum(self.points(face) * count for face, count in enumerate(self.unseen)) / sum(self.unseen)

    @property
    def card(self) -> int:
        """The card that a move places: the one in hand, or the top discard."""
        return self.sight.held if self.sight.phase == Phase.PLACE else self.sight.discard

    def slot_of(self, move: int) -> int | None:
        """Where the move places its card, or turns one up."""
        if move == DISCARD:
            return self.place
        return move if 0 <= move < len(self.layout) else None

    def layout_after(self, move: int) -> list[int]:
        slot = self.slot_of(move)
        return [self.card if other == slot else face for other, face in enumerate(self.layout)]

    def discard_after(self, move: int) -> int:
        """The card the move leaves on the discard pile, or HIDDEN if it is not known."""
        if move == DISCARD_DRAWN:
            return self.sight.held
        slot = self.slot_of(move)
        return HIDDEN if slot is None or self.sight.phase == Phase.FLIP else self.layout[slot]

    def closes(self, move: int) -> bool:
        """Whether the move, with the best place for the card it takes, closes the hole (4.1), by playing it."""
        trial = self.hole.copy()
        trial.play(move)
        if move == DISCARD and not trial.is_over:
            trial.play(self.place)
        if trial.sight.phase == Phase.FLIP and len(trial.legal_moves()) == 1:
            trial.play(trial.legal_moves()[0])  # the last hidden card has to be turned up
        while trial.awaits_card and not trial.is_over and trial.sight.phase != Phase.REVEAL:
            trial.turn_up(next(face for face, count in enumerate(bag_of(trial)) if count))
        return self.sight.closer == NOBODY and trial.sight.closer == self.me

    def points_after(self, move: int) -> float:
        """The points of my cards after a move, with the mean of all that may still be turned up."""
        trial = self.hole.copy()
        trial.play(move)
        if self.sight.phase == Phase.TAKE and move == DISCARD:
            trial.play(self.place)
        points = np.zeros(self.sight.seats)
        expected_points(self.variant.rules, trial.state, points)
        return float(points[self.me])

    def left_by(self, move: int) -> float:
        """By how many strokes the discard of a move costs more than that of the best one."""
        rules, net = self.variant.rules, net_files.coach_brain(self.variant.rules, self.sight.seats).net
        one, best = (
            cost_of_discard(rules, net, self.hole.state, nothing_known(), other)
            for other in (move, self.ranked[0].code)
        )
        return float(one - best)

    def more(self, move: int) -> float:
        """By how many strokes the player's cards cost more after a move than after the best one."""
        place = NOTHING if self.place is None else self.place
        best = self.ranked[0].code
        return float(more_points(self.variant.rules, self.hole.state, nothing_known(), place, move, best))

    def completes(self, seat: int, face: int) -> list[int]:
        """The slots where the face would complete an unmatched line of that seat (5.2)."""
        layout = self.layout_of(seat)
        before = matched_slots(self.variant, layout)
        return [
            slot
            for slot in range(len(layout))
            if slot not in before and slot in matched_slots(self.variant, [*layout[:slot], face, *layout[slot + 1 :]])
        ]


def nothing_known() -> Costs:
    return Costs(np.full(MOVES, np.nan), np.full(MOVES, np.nan), np.zeros(1, STATE))


def bag_of(hole: Hole) -> list[int]:
    return hole.state.unseen.tolist()


def face_of(position: Position, why: Reason) -> int:
    return position.variant.faces.index(why.params["face"])


def is_true(position: Position, move: int, why: Reason) -> bool:
    """Whether a reason holds, by what is on the table and what the engine does."""
    p, params, rules = position, why.params, position.variant.rules
    slot, after = p.slot_of(move), p.layout_after(move)
    lines = lines_of(p.variant.facts)
    of_slot = [line for line in lines if slot in line]
    hidden = p.layout.count(HIDDEN)
    following = (p.me + 1) % p.sight.seats
    match why.key:
        case "equal":
            return True
        case "better":
            return move != p.ranked[0].code
        case "costs_more":
            more = p.points_after(move) - p.points_after(p.ranked[0].code)
            return abs(more - params["strokes"]) < ROUNDED and move != p.ranked[0].code
        case "first_card":
            return hidden == len(p.layout)
        case "flip_beside":
            return any(p.layout[other] == face_of(p, why) for line in of_slot for other in line if other != slot)
        case "flip_apart":
            return any(all(p.layout[other] == HIDDEN for other in line) for line in of_slot)
        case "draw":
            return move == STOCK == p.ranked[0].code
        case "misses_match":
            return move != DISCARD and bool(p.completes(p.me, face_of(p, why))) and face_of(p, why) == p.sight.discard
        case "misses_cheap":
            return move != DISCARD and p.points(p.sight.discard) < p.mean
        case "misses_close":
            return move == STOCK and p.closes(DISCARD)
        case "stays" | "gives_up":
            return p.sight.closer != NOBODY and move == PASS
        case "risks":
            return p.sight.closer != NOBODY and move == STOCK and not rules.may_discard_drawn
        case "useless":
            helped = [other for other, old in enumerate(p.layout) if old != HIDDEN and p.points(p.card) < p.points(old)]
            return move == DISCARD_DRAWN and not helped and not p.completes(p.me, p.card)
        case "discards":
            return move == DISCARD_DRAWN == p.ranked[0].code
        case "discards_to_match":
            turns_up = p.hole.copy()
            turns_up.play(move)
            wanted = [other for other in p.completes(p.me, face_of(p, why)) if p.layout[other] == HIDDEN]
            counted = params["count"] == p.unseen[face_of(p, why)] and params["unseen"] == sum(p.unseen)
            return bool(wanted) and counted and turns_up.sight.phase == Phase.FLIP
        case "discards_to_turn":
            turns_up = p.hole.copy()
            turns_up.play(move)
            return turns_up.sight.phase == Phase.FLIP
        case "discards_match":
            return move == DISCARD_DRAWN and bool(p.completes(p.me, face_of(p, why)))
        case "discards_cheap":
            return move == DISCARD_DRAWN and p.points(p.sight.held) < p.mean
        case "feeds_match":
            wants = p.completes(following, face_of(p, why))
            return params["player"] == following and p.discard_after(move) == face_of(p, why) and bool(wants)
        case "feeds":
            face = face_of(p, why)
            worse = [old for old in p.layout_of(following) if old == HIDDEN or p.points(old) > p.points(face)]
            helps = bool(worse or p.completes(following, face))
            return params["player"] == following and p.discard_after(move) == face and helps
        case "denies":
            wants = p.completes(following, face_of(p, why))
            return params["player"] == following and p.card == face_of(p, why) and bool(wants) and slot is not None
        case "awaits":
            return params["count"] == p.unseen[face_of(p, why)] and face_of(p, why) == p.card
        case "matches":
            return slot in matched_slots(p.variant, after)
        case "matches_for":
            cost = int(rules.line_points[face_of(p, why)])
            return slot in matched_slots(p.variant, after) and params["points"] == cost
        case "matches_again":
            full = sum({after[other] for other in line} == {face_of(p, why)} for line in lines)
            return full == params["lines"] > 1 and params["strokes"] == -int(rules.bonus[full])
        case "breaks":
            return slot in matched_slots(p.variant, p.layout) and p.layout[slot] == face_of(p, why) != p.card
        case "gathers":
            return any([after[other] for other in line].count(p.card) == params["count"] for line in of_slot)
        case "replaces" | "raises":
            saved = p.points(p.layout[slot]) - p.points(p.card)
            return (
                p.layout[slot] != HIDDEN and abs(saved) == params["strokes"] and (saved > 0) == (why.key == "replaces")
            )
        case "cheap" | "dear":
            saved = p.mean - p.points(p.card)
            near = abs(abs(saved) - params["strokes"]) < ROUNDED
            return p.layout[slot] == HIDDEN and near and (saved > 0) == (why.key == "cheap")
        case "closes" | "closes_ahead" | "closes_behind":
            ahead = params["points"] < params["others"]
            return p.closes(move) and why.key != ("closes_behind" if ahead else "closes_ahead")
        case "may_match":
            counted = params["count"] == p.unseen[face_of(p, why)] and params["unseen"] == sum(p.unseen)
            return slot in p.completes(p.me, face_of(p, why)) and p.layout[slot] == HIDDEN and counted
        case "shows":
            return p.layout[slot] == HIDDEN
        case "waits" | "waits_ahead" | "waits_behind":
            ahead = params.get("points", 0) < params.get("others", 0)
            return not p.closes(move) and why.key != ("waits_behind" if ahead else "waits_ahead" if params else "")
    raise AssertionError(f"unknown reason {why.key}")


HOUSE_RULES = (  # what changes the turns, and lines that pay
    ("six_card", {"knock": "any"}),
    ("nine_card", {"discarding": "ends_turn"}),
    ("play_nine", {"discarding": "may_flip"}),
    ("nine_card_square", {"knock": 2, "discarding": "must_flip"}),
    ("eight_card", {"kings": -2, "bonus": -20}),
    ("nine_card", {"lines": "columns", "discarding": "may_leave_last"}),
)


@cache
def positions() -> list[Position]:
    """Decisions from holes of all games, between players of all levels."""
    return list(drawn(POSITIONS, [variants.load(name) for name in variants.games()]))


def drawn(count: int, games: Sequence[Variant], levels: Sequence[str] = LEVELS) -> Iterator[Position]:
    rng = Random(17)
    for number in range(-(-count // A_HOLE)):
        variant, seats = games[number % len(games)], rng.choice([2, 2, 3, 4])
        names = rng.choices(list(levels), k=seats)
        players, dice = contestants(names, variant, seats, 0.0), many_dice(rng.randrange(1 << 30), 1)[0]
        hole, seen = Hole(variants.for_seats(variant, seats), seats, number % seats), []
        while not hole.is_over:
            if hole.awaits_card:
                hole.draw_card(dice)
            else:
                if len(hole.legal_moves()) > 1:
                    seen.append(hole.copy())
                hole.play(players[hole.turn].choose(hole, dice))
        yield from map(Position, rng.sample(seen, min(A_HOLE, len(seen))))


def told(position: Position) -> str:
    p = position
    return f"{p.variant.name}: {p.sight}, slots {p.variant.slots}, faces {p.variant.faces}"


@pytest.mark.long
def test_every_reason_holds_under_house_rules():
    games = [variants.for_match(variants.load(name), patch) for name, patch in HOUSE_RULES]
    said = check(list(drawn(len(games) * A_HOLE * tries(4, 20), games, ("greedy", "random"))))
    assert len(said) > 12


@pytest.mark.long
def test_every_reason_holds():
    assert len(check(positions())) > 15


def check(found: list[Position]) -> Counter[str]:
    wrong, said = [], Counter()
    for position in found:
        for one in position.ranked:
            said[one.why.key] += 1
            if not is_true(position, one.code, one.why):
                wrong.append(f"{one} {told(position)}")
            if "but" in one.why.params:
                assert one.code != position.ranked[0].code
    assert not wrong, f"{len(wrong)}: " + "\n".join(wrong[:5])
    return said


@pytest.mark.long
def test_a_reason_that_is_less_than_half_of_a_loss_says_that_it_is_a_part():
    whole, all_of_them = 0, 0
    for position in positions():
        best = position.ranked[0]
        for one in position.ranked:
            if one.equal:
                continue
            all_of_them += 1
            if one.why.key == "better" or {"part", "but"} & one.why.params.keys():
                continue
            whole += 1
            left = position.left_by(one.code) * one.loss / (one.worth - best.worth)
            if is_about_next(Why[one.why.key.upper()]):
                assert left >= one.loss / 2, f"{one} {told(position)}"
            elif "strokes" in one.why.params:
                assert one.why.params["strokes"] + ROUNDED >= one.loss / 2, f"{one} {told(position)}"
    assert whole > all_of_them / 2  # the others say that they are a part, or that another move is better


def test_a_loss_in_the_own_cards_is_told_by_what_the_move_did_to_them():
    """Most of it: a card discarded or left, a line broken. That another move is better is no reason then."""
    found = Counter()
    for position in positions():
        for one in position.ranked:
            if one.equal or position.sight.phase != Phase.PLACE:
                continue
            if position.more(one.code) < one.loss / 2:
                continue
            found[one.why.key] += 1
            assert speaks_against(one.why), f"{one} {told(position)}"
            assert "part" not in one.why.params, f"{one} {told(position)}"
    assert {"raises", "costs_more"} <= found.keys()
    assert sum(found.values()) > 20


def test_a_number_gets_one_decimal_as_python_gives_it():
    middles = [tenth + 0.05 for tenth in np.arange(-300, 300) / 10]
    rng = Random(3)
    for number in [
        *middles,
        *np.nextafter(middles, np.inf),
        *np.arange(-40, 40) / 4,
        *(rng.gauss(0, 30) for _ in range(5000)),
    ]:
        assert in_tenths(float(number)) == round(float(number), 1)
