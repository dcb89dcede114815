"""Finds the habits that cost most in every game, and positions that show them: the course “play better”.

    python bench/course.py [GAME …] [--holes 1500] [--seed 1]

Players of the levels that err as people do play single holes against each other. The coach judges every decision
(coach/analysis.py), its mistakes are sorted into habits (coach/habits.py), and what these cost is summed. Of the
costliest habits some mistakes are played out to the end (coach/rollouts.py); those that surely cost something become
positions of src/mulligan/coach/courses/GAME.json. The same seed gives the same file. Run it again whenever a net, a
level or the calibration changes; tests/test_course.py tells when the positions no longer hold.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from calibration import level
from figures import commit, machine

from mulligan.cli.common import progress
from mulligan.coach.advice import advise
from mulligan.coach.analysis import HoleAnalysis
from mulligan.coach.findings import CLOSE_CALL, Rated, as_data
from mulligan.coach.habits import SEEN_IN_REASON, habit_of
from mulligan.coach.lessons import TutorialError, position_of
from mulligan.coach.play_better import FOLDER, exercise_of
from mulligan.coach.rollouts import FULL, Doubt, roll_out
from mulligan.engine.chance import many_dice
from mulligan.engine.state import HIDDEN, NOBODY, Phase
from mulligan.game import variants
from mulligan.game.hole import Hole, look_at, outcome_of
from mulligan.game.notation import write_choice, write_layout
from mulligan.game.position import TableError
from mulligan.game.variants import Variant, for_seats
from mulligan.players import net_files

PLAYERS = ("weekend", "regular", "club")  # the levels below play worse than people do, those above hardly err
SEATS = 2
HABITS = 5  # in a course
POSITIONS = 3  # of a habit
KEPT = 200  # mistakes of a habit from which the positions are chosen
CLEAR = 0.3  # strokes by which every wrong move must be worse than the best one, as the coach sees it
SURE = 0.3  # strokes that the mistake costs at least when it is played out: the lower end of the interval
UNSAID = ("equal", "better", "costs_more")  # reasons that explain too little for a lesson


class Slip(NamedTuple):
    """A mistake: its hole, the position it was made in, with the discard pile from the bottom up, and what it cost."""

    hole: int
    state: Any
    pile: tuple[int, ...]
    move: int
    loss: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=variants.games())
    parser.add_argument("--holes", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    origin = {"commit": commit(), "machine": machine()}
    for game in wanted.games:
        course = measure(for_seats(variants.load(game), SEATS), wanted.holes, wanted.seed)
        (FOLDER / f"{game}.json").write_text(written(origin | course), encoding="utf-8")


def written(course: dict[str, Any]) -> str:
    """Returns it as JSON with a line for each position."""
    *facts, habits = course.items()
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in facts]
    blocks = []
    for habit in habits[1]:
        *figures, positions = habit.items()
        inside = ", ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in figures)
        rows = ",\n".join(f"   {json.dumps(position, ensure_ascii=False)}" for position in positions[1])
        blocks.append(f'  {{{inside}, "positions": [\n{rows}\n  ]}}')
    body = ",\n".join([*lines, ' "habits": [\n' + ",\n".join(blocks) + "\n ]"])
    return f"{{\n{body}\n}}\n"


def measure(variant: Variant, holes: int, seed: int) -> dict[str, Any]:
    """Plays and judges that many holes, and returns the course with what was found."""
    costs: dict[str, np.ndarray] = defaultdict(lambda: np.zeros((holes, SEATS)))
    slips: dict[str, list[Slip]] = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    with progress(holes, variant.name) as advance:
        for number in range(holes):
            for habit, seat, slip in slips_of(variant, hole_of(variant, seed, number), number):
                costs[habit][number, seat] += slip.loss
                counts[habit] += 1
                if len(slips[habit]) < KEPT:
                    slips[habit].append(slip)
            advance(1)
    total = sum(float(cost.mean()) for cost in costs.values())
    order = sorted((name for name in costs if name), key=lambda name: -costs[name].mean())
    habits: list[dict[str, Any]] = []
    for name in order:
        if len(habits) < HABITS and (positions := positions_of(variant, name, slips[name], seed)):
            figures = costs[name].mean(axis=1)
            habits.append({
                "habit": name,
                "cost": round(float(figures.mean()), 2),
                "error": round(float(figures.std(ddof=1) / np.sqrt(holes)), 2),
                "times": round(counts[name] / holes / SEATS, 2),
                "positions": positions,
            })  # fmt: skip
    facts = {"game": variant.name, "players": PLAYERS, "seats": SEATS, "holes": holes, "seed": seed}
    return facts | {"playouts": FULL.playouts, "mistakes": round(total, 2), "habits": habits}


def hole_of(variant: Variant, seed: int, number: int) -> Hole:
    """Plays a hole with a level drawn for each seat."""
    draw = np.random.default_rng([seed, number])
    hole, dice = Hole(variant, SEATS, number % SEATS), many_dice(draw.integers(1 << 30), 1)[0]
    players = [level(str(name), variant, SEATS) for name in draw.choice(PLAYERS, SEATS)]
    hole.play_out(lambda: players[hole.turn].choose(hole, dice), dice)
    return hole


def slips_of(variant: Variant, hole: Hole, number: int) -> Iterator[tuple[str, int, Slip]]:
    """Yields the mistakes of a hole: the habit, empty for one of no kind, the seat, and the mistake."""
    analysis = HoleAnalysis(1, hole, number % SEATS, list(range(SEATS)))
    piles = piles_of(variant, hole, analysis.traces.states)
    for found in analysis.findings().seats:
        for one in found.moves:
            if one.why and one.better:
                state = analysis.traces.states[one.step : one.step + 1].copy()[0]
                habit = habit_of(variant, state, one.code, one.better.code, one.why, one.better.why)
                yield habit or "", found.player, Slip(number, state, piles[one.step], one.code, one.loss)


def piles_of(variant: Variant, hole: Hole, states: np.ndarray) -> list[tuple[int, ...]]:
    """Returns the discard pile before each step, from the bottom up; right until it is shuffled again."""
    piles: list[tuple[int, ...]] = []
    pile: tuple[int, ...] = ()
    for number, step in enumerate(hole.steps):
        piles.append(pile)
        if step.phase == Phase.DEAL:
            pile = (step.face,)
        elif number + 1 < len(hole.steps):
            after = look_at(states[number + 1])
            outcome = outcome_of(variant, step, look_at(states[number]), after)
            if after.phase == Phase.PLACE and not after.held_from_stock:
                pile = pile[:-1]
            elif outcome.went != HIDDEN:
                pile = (*pile, outcome.went)
            pile = (*pile, *(outcome.face for _ in outcome.cleared))
    return piles


def positions_of(variant: Variant, habit: str, slips: list[Slip], seed: int) -> list[dict[str, Any]]:
    """Returns positions of a habit in which the mistake cost as much as usual: other holes, other cards.

    An empty list if there are too few.
    """
    mean = sum(slip.loss for slip in slips) / max(1, len(slips))
    found: list[dict[str, Any]] = []
    shown: set[Any] = set()
    for slip in (one for one in slips if one.loss >= mean):
        position = position_from(variant, slip)
        if position is None or shown & (about := {slip.hole, position.get("held", position["discard"].split()[-1])}):
            continue
        if entry := judged(variant, habit, slip, position, seed):
            found.append(entry)
            shown |= about
        if len(found) == POSITIONS:
            return found
    return []


def position_from(variant: Variant, slip: Slip) -> dict[str, Any] | None:
    """Returns the position as lessons have it, the player on seat 0; None if the notation has no words for it."""
    state, turn = slip.state, int(slip.state.turn)
    slots = int(variant.rules.slots)
    lying = [state.players[(turn + seat) % SEATS].layout[:slots] for seat in range(SEATS)]
    if not slip.pile:
        return None  # the first discard is still to come
    position: dict[str, Any] = {
        "phase": Phase(state.phase).name.lower(),
        "layouts": [write_layout(variant, layout) for layout in lying],
        "discard": " ".join(variant.faces[face] for face in slip.pile),
    }
    if state.phase == Phase.PLACE and state.held_from_stock:
        position["held"] = variant.faces[state.held]
    elif state.phase == Phase.PLACE:
        position |= {"taken": True, "discard": f"{position['discard']} {variant.faces[state.held]}"}
    elif state.phase == Phase.FLIP:
        position["discarded"] = True
    if state.closer != NOBODY:
        position["closer"] = (int(state.closer) - turn) % SEATS
    faces = int(variant.rules.faces)
    try:
        same = position_of(variant, position).state.unseen[:faces].tolist() == state.unseen[:faces].tolist()
    except TableError:
        return None  # a line has left the table (3.7): its cards lie in both places
    return position if same else None  # else the pile was shuffled again (2.6)


def judged(variant: Variant, habit: str, slip: Slip, position: dict[str, Any], seed: int) -> dict[str, Any] | None:
    """Returns the position with its right moves and what the mistake costs there; None if that is not clear."""
    state, brain = position_of(variant, position).state, net_files.coach_brain(variant.rules, SEATS)
    rated = advise(Hole.at(variant, state), brain)
    right = [one for one in rated if behind(one, rated) <= CLOSE_CALL]
    wrong = [one for one in rated if behind(one, rated) > CLOSE_CALL]
    usual = next(one for one in rated if one.code == slip.move)
    is_clear = usual in wrong and not usual.equal and min(behind(one, rated) for one in wrong) >= CLEAR
    if not is_clear or habit_of(variant, state, slip.move, rated[0].code, usual.why, rated[0].why) != habit:
        return None
    if rated[0].why.key in UNSAID:
        return None
    (cost,) = roll_out(
        [Doubt(variant.rules, brain, state, slip.move, rated[0].code)], FULL._replace(seed=seed), threads=1
    )
    if cost.low < SURE:
        return None
    entry = position | {
        "right": [write_choice(variant, one.code) for one in right],
        "usual": write_choice(variant, slip.move),
        "loss": round(cost.loss, 2),
        "low": round(cost.low, 2),
        "high": round(cost.high, 2),
        "praise": as_data(rated[0].why),
    }
    if habit in SEEN_IN_REASON:
        entry["against"] = as_data(usual.why)
    return with_cards(variant, habit, entry, state, seed)


def behind(one: Rated, rated: list[Rated]) -> float:
    return one.worth - rated[0].worth


def with_cards(variant: Variant, habit: str, entry: dict[str, Any], state: Any, seed: int) -> dict[str, Any]:
    """Adds as many cards as the right moves show, drawn from those unseen."""
    unseen = np.repeat(np.arange(variant.rules.faces), state.unseen[: variant.rules.faces])
    drawn = [variant.faces[face] for face in np.random.default_rng(seed).permutation(unseen)]
    for count in range(len(drawn)):
        dealt = entry | {"shows": drawn[:count]}
        try:
            exercise_of(variant, habit, dealt)
        except TutorialError:
            continue  # a right move shows another card
        return dealt if count else entry
    raise AssertionError("there are not so many cards")


if __name__ == "__main__":
    main()
