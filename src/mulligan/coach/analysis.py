"""The loss of every move of a recorded match, and how much of the result was luck.

    points = at_deal + luck + mistakes

`at_deal` is what the seat could expect before the first card was shown, `mistakes` what its own
moves gave away against the best ones, `luck` all the rest: see docs/analysis.md.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mulligan.compute.in_order import in_order
from mulligan.compute.pieces import LOCAL
from mulligan.engine.compiled import compiled, compiled_with_arrays, fresh
from mulligan.engine.moves import deal, play, turn_up
from mulligan.engine.state import DISCARD, HIDDEN, MOVES, NOTHING, STATE, STOCK, Phase
from mulligan.game.hole import Game, Hole
from mulligan.game.notation import as_array, write_face
from mulligan.game.referee import replay
from mulligan.game.variants import Variant
from mulligan.players import net_files
from mulligan.players.exact_turn import copy_state, values_of_turn, weigh_for_all
from mulligan.players.values.brain import Brain
from mulligan.players.values.value import values_by_net

from .calibration import CLOSE_CALL, Correction, Loss, corrected, corrections, refined, stage_of
from .discards import left_by
from .own_cards import costs_more
from .par import par
from .reasons import Why, look, name_of, why
from .rollouts import FULL, Doubt, Effort, Rollouts, roll_out, truncated
from .what_if import best_place

MOST_MISTAKES = 20  # so many are listed for a game, the dearest first
DIGITS = 9


class Traces(NamedTuple):
    """What `follow` records about a hole. Values are expected strokes relative to the others: lower is better."""

    states: np.ndarray  # [step] STATE: the position before the step
    start: np.ndarray  # [seat] the values before the first card
    move_values: np.ndarray  # [step, move, seat] the values after each legal move; inf if there is none
    luck: np.ndarray  # [step, seat] how the card that was shown changed the values
    mended: np.ndarray  # [step, seat] how far another look at the position differs from the one before


@compiled_with_arrays
def follow(rules, state, steps, net, traces):
    """Plays the steps of a dealt hole and records how each changed the values."""
    values_of_turn(rules, state, net, traces.start)
    values, looked = traces.start.copy(), traces.start.copy()
    for number in range(len(steps)):
        move, phase, turns = steps[number].move, state.phase, state.turns
        copy_state(state, traces.states[number])
        if state.awaited == NOTHING:
            weigh_for_all(rules, state, net, traces.move_values[number])
            looked[:] = traces.move_values[number, best_move(traces.move_values[number], state.turn)]
            traces.mended[number] = looked - values
            values[:] = traces.move_values[number, move]
            play(rules, state, move)
        else:
            values_of_turn(rules, state, net, looked)
            traces.mended[number] = looked - values
            values[:] = looked
        if state.awaited != NOTHING and state.phase == phase:
            turn_up(rules, state, steps[number].face)
            if state.turns != turns or state.phase in (Phase.TAKE, Phase.REVEAL, Phase.OVER):
                values_by_net(rules, net, state, looked)
            else:
                values_of_turn(rules, state, net, looked)
            traces.luck[number] = looked - values
            values[:] = looked


@compiled
def best_move(move_values, seat):
    """The move with the lowest value for the seat; of equal ones the first."""
    best = 0
    for move in range(MOVES):
        if move_values[move, seat] < move_values[best, seat]:
            best = move
    return best


def analyse(
    record: dict[str, Any],
    variant: Variant | None = None,
    deep: bool = False,
    progress: Callable[[int, int], None] = lambda done, of: None,
    on: str = LOCAL,
    journal: Path | None = None,
) -> dict[str, Any]:
    """The analysis of a record, as docs/analysis.md shows it. Raises referee.Fault where it breaks a rule.

    `deep` plays out the moves that seem to cost something, in the place `on`, with a journal: see `compute.pieces.run`,
    also for its errors. `progress` is called after each hole, or with `deep` after each piece of
    the rollouts, with their number.
    """
    game, played = replayed(record, variant)
    analysed = []
    for hole in in_order(lambda one: HoleAnalysis(*one), played):
        analysed.append(hole)
        if not deep:
            progress(1, len(played))
    if deep:
        refine(analysed, on=on, progress=progress, journal=journal)
    holes = [hole.as_dict() for hole in analysed]
    mistakes = [
        list_entry(hole, seat, move)
        for hole in holes
        for seat in hole["seats"]
        for move in seat["moves"]
        if not move["equal"]
    ]
    mistakes.sort(key=lambda entry: -entry["loss"])
    totals = [total_of(player, name, holes) for player, name in enumerate(game.players)]
    turns = sum(total["turns"] for total in totals)
    return {
        "game": game.variant.name,
        "players": game.players,
        "depth": "deep" if deep else "normal",
        "holes": holes,
        "totals": totals,
        "error_rate": rounded(sum(total["mistakes"] for total in totals) / max(1, turns)),
        "mistakes": mistakes[:MOST_MISTAKES],
    }


def analyse_hole(record: dict[str, Any], variant: Variant, number: int, most: int) -> dict[str, Any]:
    """The analysis of one hole, from 1, on one core, with truncated rollouts of its `most` costliest moves.

    It is an entry of `holes` in the analysis of the record. Raises referee.Fault where the record breaks a rule.
    """
    _, played = replayed(record, variant)
    hole = HoleAnalysis(*played[number - 1])
    refine([hole], truncated(hole.seats), most, threads=1)
    return hole.as_dict()


def replayed(record: dict[str, Any], variant: Variant | None) -> tuple[Game, list[tuple[int, Hole, int, list[int]]]]:
    """Returns the game, and each hole: its number from 1, the hole, its dealer, and the players in seat order."""
    played: list[tuple[int, Hole, int, list[int]]] = []

    def watch(game: Game, move: str) -> None:
        if not move and game.hole:
            played.append((len(played) + 1, game.hole, game.dealer, game.at_table))

    return replay(record, variant, watch), played


def refine(
    holes: "list[HoleAnalysis]",
    effort: Effort = FULL,
    most: int | None = None,
    on: str = LOCAL,
    threads: int = 0,
    progress: Callable[[int, int], None] = lambda done, of: None,
    journal: Path | None = None,
) -> None:
    """Plays out the moves that seem to cost something, the `most` costliest of each hole; see `rollouts.roll_out`."""
    doubts = [(hole, number, doubt) for hole in holes for number, doubt in hole.doubts()[:most]]
    found = roll_out([doubt for _, _, doubt in doubts], effort, on, threads, progress, journal)
    for (hole, number, _), rollouts in zip(doubts, found, strict=True):
        correction = hole.correction_of(number) if effort.rounds < FULL.rounds else None
        hole.rollouts[number] = rollouts.corrected(correction.bias, correction.rest) if correction else rollouts


def list_entry(hole: dict[str, Any], seat: dict[str, Any], move: dict[str, Any]) -> dict[str, Any]:
    entry = {"hole": hole["hole"], "player": seat["player"]}
    return entry | {key: move[key] for key in ("step", "move", "turn", "loss", "low", "high")}


def total_of(player: int, name: str, holes: list[dict[str, Any]]) -> dict[str, Any]:
    mine = [seat for hole in holes for seat in hole["seats"] if seat["player"] == player]
    total: dict[str, Any] = {"player": player, "name": name}
    for key in ("points", "at_deal", "luck", "mistakes", "turns", "errors"):
        total[key] = rounded(sum(seat[key] for seat in mine))
    total["error_rate"] = rounded(total["mistakes"] / max(1, total["turns"]))
    return total


def rounded(number: float) -> float:
    return number if isinstance(number, int) else round(float(number), DIGITS)


class Sums(NamedTuple):
    """What the moves of a hole add up to: [seat] each."""

    mistakes: np.ndarray
    gifts: np.ndarray
    excess: np.ndarray  # what the corrections of losses took from mistakes and gifts


class HoleAnalysis:
    """One hole of a game, followed step by step."""

    def __init__(self, number: int, hole: Hole, dealer: int, at_table: list[int]) -> None:
        self.number, self.hole, self.dealer, self.at_table = number, hole, dealer, at_table
        self.variant, self.seats = hole.variant, len(at_table)
        self.steps = hole.steps
        self.brain: Brain = net_files.coach_brain(self.variant.rules, self.seats)
        self.traces = trace(hole, at_table.index(dealer), self.brain)
        self.turn_of, self.move_of = count_turns(self)
        self.corrections = corrections(self.variant.rules, self.brain, self.seats)
        self.rollouts: dict[int, Rollouts] = {}  # by step: what its move cost when it was played out

    def as_dict(self) -> dict[str, Any]:
        sums = Sums(*np.zeros((len(Sums._fields), self.seats)))
        moves: list[list[dict[str, Any]]] = [[] for _ in self.at_table]
        cards: list[list[dict[str, Any]]] = [[] for _ in self.at_table]
        for number, step in enumerate(self.steps):
            if step.phase not in (Phase.DEAL, Phase.REVEAL):
                moves[step.seat].append(self.move_event(number, sums))
            if self.shows_card(number):
                cards[step.seat].append(self.card_event(number))
        seats = [self.seat_of(seat, moves[seat], cards[seat], sums) for seat in range(self.seats)]
        closer = int(self.hole.state.closer)
        return {
            "hole": self.number,
            "dealer": self.dealer,
            "closer": self.at_table[closer] if closer >= 0 else None,
            "seats": seats,
        }

    def seat_of(
        self, seat: int, moves: list[dict[str, Any]], cards: list[dict[str, Any]], sums: Sums
    ) -> dict[str, Any]:
        """The seat's share: what makes its points, and every event of its turns."""
        points = self.hole.points
        others = (sum(points) - points[seat]) / max(1, self.seats - 1)
        expected = par(self.variant, self.seats)
        hoped = float(self.traces.start[seat])
        at_deal = expected + hoped * (self.seats - 1) / self.seats
        mine = np.array([step.seat == seat for step in self.steps])
        luck = {
            "own_cards": rounded(self.traces.luck[mine, seat].sum()),
            "others_cards": rounded(self.traces.luck[~mine, seat].sum()),
            "gifts": rounded(sums.gifts[seat]),
            "field": rounded(others - (at_deal - hoped)),
            "evaluator": rounded(self.traces.mended[:, seat].sum() + sums.excess[seat]),
        }
        turns = {move["turn"] for move in moves}
        wrong = {move["turn"] for move in moves if not move["equal"]}
        return {
            "player": self.at_table[seat],
            "points": points[seat],
            "at_deal": rounded(at_deal),
            "luck": rounded(sum(luck.values())),
            "mistakes": rounded(sums.mistakes[seat]),
            "luck_parts": luck,
            "turns": len(turns - {0}),
            "errors": len(wrong),
            "error_rate": rounded(sums.mistakes[seat] / max(1, len(turns - {0}))),
            "moves": moves,
            "cards": cards,
        }

    def shows_card(self, number: int) -> bool:
        """Whether chance named the step's card: one from the stock, or one that lay face down."""
        step, state = self.steps[number], self.traces.states[number]
        if step.move == STOCK or step.phase in (Phase.TEE_OFF, Phase.REVEAL):
            return True
        lying = state["players"]["layout"][step.seat]
        return 0 <= step.move < self.variant.rules.slots and lying[step.move] == HIDDEN and step.face != HIDDEN

    def card_event(self, number: int) -> dict[str, Any]:
        step = self.steps[number]
        return {
            "step": number,
            "turn": self.turn_of[number],
            "phase": Phase(step.phase).name.lower(),
            "slot": name_of(self.variant, step.move),
            "face": write_face(self.variant, step.face),
            "luck": [rounded(luck) for luck in self.traces.luck[number]],
        }

    def doubts(self) -> list[tuple[int, Doubt]]:
        """Returns the moves worth being played out with their steps, those that seem to cost most first."""
        found = []
        for number, step in enumerate(self.steps):
            if step.phase not in (Phase.DEAL, Phase.REVEAL):
                mine = self.traces.move_values[number, :, step.seat]
                state, best = self.traces.states[number], int(mine.argmin())
                if (stated := mine[step.move] - mine[best]) > CLOSE_CALL:
                    found.append((stated, number, Doubt(self.variant.rules, self.brain, state, step.move, best)))
        return [(number, doubt) for _, number, doubt in sorted(found, key=lambda one: -one[0])]

    def correction_of(self, number: int) -> Correction | None:
        """How the losses of a step are corrected."""
        return self.corrections.get(stage_of(self.traces.states[number]))

    def loss_of(self, number: int, move: int, stated: float) -> Loss:
        """What a move at a step costs, as well as it is known: `stated` is what the judgement says."""
        loss = corrected(stated, self.correction_of(number))
        if move == self.steps[number].move and (found := self.rollouts.get(number)):
            return refined(loss, found.loss, found.low, found.high)
        return loss

    def move_event(self, number: int, sums: Sums) -> dict[str, Any]:
        """A decision: what it gave away, and what else there was. Adds what it gave away to the sums."""
        step, move_values = self.steps[number], self.traces.move_values[number]
        closer = int(self.traces.states[number]["closer"])
        mine = move_values[:, step.seat]
        order = [int(move) for move in np.argsort(mine, kind="stable") if mine[move] < np.inf]
        stated = mine - mine[order[0]]
        losses = {move: self.loss_of(number, move, float(stated[move])) for move in order}
        loss = losses[step.move]
        effects = move_values[step.move] - move_values[order[0]]
        share = loss.loss / stated[step.move] if stated[step.move] else 1.0
        sums.mistakes[step.seat] += loss.loss
        sums.excess[:] += (1 - share) * effects
        gifts = share * effects
        gifts[step.seat] = 0.0
        sums.gifts[:] += gifts
        event = {
            "step": number,
            "move": self.move_of[number],
            "turn": self.turn_of[number],
            "phase": Phase(step.phase).name.lower(),
            "played": name_of(self.variant, step.move, step.phase, closer),
            "code": step.move,
            "face": self.face_at_stake(number),
            "worth": rounded(mine[step.move]),
            **loss.as_dict(DIGITS),
            "gifts": [rounded(gift) for gift in gifts],
            "ranked": [
                {
                    "move": name_of(self.variant, move, step.phase, closer),
                    "code": move,
                    "worth": rounded(mine[move]),
                    **losses[move].as_dict(DIGITS),
                }
                for move in order
            ],
        }
        if not loss.is_equal:
            event |= self.explain(number, order[0], loss.loss, share)
        if found := self.rollouts.get(number):
            event["rollouts"] = found._asdict()
        return event

    def explain(self, number: int, best: int, loss: float, share: float) -> dict[str, Any]:
        """Why the move was wrong, and what would have been better; `share` of what the net says is its loss."""
        step, state = self.steps[number], self.traces.states[number]
        seen = look(self.variant, state)
        place = best_place(self.variant, state, self.brain) if step.phase == Phase.TAKE else None
        left = share * left_by(self.variant, state, self.brain, step.move, best)
        more = costs_more(self.variant, state, step.move, best, place)
        return {
            "why": as_json(why(seen, step.move, loss, best, place, left, more)),
            "better": {
                "move": name_of(self.variant, best, step.phase, seen.sight.closer),
                "code": best,
                "place": name_of(self.variant, place) if best == DISCARD and place is not None else None,
                "why": as_json(why(seen, best, 0.0, best, place)),
            },
        }

    def face_at_stake(self, number: int) -> str | None:
        """The card in hand, or the one that may be taken."""
        phase, state = self.steps[number].phase, self.traces.states[number]
        if phase == Phase.PLACE:
            return write_face(self.variant, int(state["held"]))
        return write_face(self.variant, int(state["discard"])) if phase == Phase.TAKE else None


def trace(hole: Hole, dealer: int, brain: Brain) -> Traces:
    """Follows a hole from its deal."""
    rules, seats, steps = hole.variant.rules, int(hole.state.seats), as_array(hole.steps)
    count = len(steps)
    traces = Traces(
        states=np.zeros(count, STATE),
        start=np.zeros(seats),
        move_values=np.full((count, MOVES, seats), np.inf),
        luck=np.zeros((count, seats)),
        mended=np.zeros((count, seats)),
    )
    state = fresh(STATE)
    deal(rules, state, seats, dealer)
    state.first = hole.state.first
    follow(rules, state, steps, brain.net, traces)
    return traces


def count_turns(hole: HoleAnalysis) -> tuple[list[int], list[int]]:
    """By step: which turn of its seat it belongs to (0 for teeing off), and which written move of the record."""
    turns, moves = [], []
    by_seat, written = [0] * hole.seats, 0
    for step in hole.steps:
        by_seat[step.seat] += step.phase == Phase.TAKE
        written += step.phase in (Phase.TEE_OFF, Phase.TAKE)
        turns.append(by_seat[step.seat])
        moves.append(written)
    return turns, moves


def as_json(reason: Why) -> dict[str, Any]:
    return {"key": reason.key, "params": reason.params}
