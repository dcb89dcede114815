"""The loss of every move of a recorded match, and how much of the result was luck.

    points = at_deal + luck + mistakes

`at_deal` is what the seat could expect before the first card was shown, `mistakes` what its own
moves gave away against the best ones, `luck` all the rest: see docs/analysis.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mulligan.compute.in_order import in_order
from mulligan.compute.pieces import LOCAL
from mulligan.engine.compiled import compiled, compiled_with_arrays, fresh, record
from mulligan.engine.moves import deal, play, turn_up
from mulligan.engine.state import HIDDEN, MOVES, NOTHING, STATE, STOCK, Phase
from mulligan.game.hole import Game, Hole
from mulligan.game.notation import Step, as_array, name_of_move, write_face
from mulligan.game.referee import replay
from mulligan.game.variants import Variant
from mulligan.players import net_files
from mulligan.players.exact_turn import values_of_turn, weigh_for_all
from mulligan.players.positions import copy_state
from mulligan.players.values.brain import Brain
from mulligan.players.values.value import values_by_net

from .advice import RATING, place_of, ranked, rate
from .calibration import Correction, corrected, corrections, refined, stage_of, table_of, unbiased
from .findings import (
    CLOSE_CALL,
    Analysis,
    Better,
    Decision,
    HoleFindings,
    Loss,
    LuckParts,
    MovePhase,
    RankedMove,
    Rollouts,
    SeatFindings,
    Share,
    ShownCard,
    Total,
    only,
    summed,
)
from .par import par
from .reasons import in_notation
from .rollouts import FULL, Doubt, Effort, roll_out, truncated

MOVE_PHASES: dict[int, MovePhase] = {
    Phase.TEE_OFF: "tee_off",
    Phase.TAKE: "take",
    Phase.PLACE: "place",
    Phase.FLIP: "flip",
}


SHARE = record(
    [
        ("at_deal", "f8"),  # what makes the points: these three, see docs/analysis.md
        ("luck", "f8"),
        ("mistakes", "f8"),
        ("own_cards", "f8"),  # what makes the luck: these five
        ("others_cards", "f8"),
        ("gifts", "f8"),
        ("field", "f8"),
        ("evaluator", "f8"),
        ("points", "i2"),
        ("turns", "i2"),
        ("errors", "i2"),  # turns with a mistake
    ]
)
LUCK_PARTS = tuple(field.name for field in fields(LuckParts))


class Traces(NamedTuple):
    """What `follow` records about a hole. Values are expected strokes relative to the others: lower is better."""

    states: np.ndarray  # [step] STATE: the position before the step
    start: np.ndarray  # [seat] the values before the first card
    move_values: np.ndarray  # [step, move, seat] the values after each legal move; inf if there is none
    luck: np.ndarray  # [step, seat] how the card that was shown changed the values
    revisions: np.ndarray  # [step, seat] how far another look at the position differs from the one before


@compiled_with_arrays
def follow(rules, state, steps, net, traces):
    """Plays the steps of a dealt hole and records how each changed the values."""
    values_of_turn(rules, net, state, traces.start)
    values, looked = traces.start.copy(), traces.start.copy()
    for number in range(len(steps)):
        move, phase, turns = steps[number].move, state.phase, state.turns
        copy_state(state, traces.states[number])
        if state.awaited == NOTHING:
            weigh_for_all(rules, net, state, traces.move_values[number])
            looked[:] = traces.move_values[number, best_move(traces.move_values[number], state.turn)]
            traces.revisions[number] = looked - values
            values[:] = traces.move_values[number, move]
            play(rules, state, move)
        else:
            values_of_turn(rules, net, state, looked)
            traces.revisions[number] = looked - values
            values[:] = looked
        if state.awaited != NOTHING and state.phase == phase:
            turn_up(rules, state, steps[number].face)
            if state.turns != turns or state.phase in (Phase.TAKE, Phase.REVEAL, Phase.OVER):
                values_by_net(rules, net, state, looked)
            else:
                values_of_turn(rules, net, state, looked)
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


@compiled
def share_out(steps, traces, judged, points, mean_points, gifts, shares):
    """Fills the shares (SHARE) of all seats in the `points` (by seat) of a hole that `follow` has followed.

    `judged` [step] RATING: of each step with a choice, the rating of its move. `mean_points`: par. Fills also
    `gifts` [step, seat]: what each of these moves gave everyone else.
    """
    for seat in range(len(points)):
        share, turn_of_error, stated = shares[seat], -1, 0.0
        share.points, share.turns, share.errors = points[seat], 0, 0
        share.mistakes = share.own_cards = share.others_cards = share.gifts = share.evaluator = 0.0
        for number in range(len(steps)):
            step, rating = steps[number], judged[number]
            share.evaluator += traces.revisions[number, seat]
            if step.seat == seat:
                share.own_cards += traces.luck[number, seat]
            else:
                share.others_cards += traces.luck[number, seat]
            if not is_choice(step.phase):
                continue
            stated += effect(traces.move_values[number], step, seat)
            if step.seat != seat:
                gifts[number, seat] = true_part(traces.move_values[number], step, rating.loss)
                gifts[number, seat] *= effect(traces.move_values[number], step, seat)
                share.gifts += gifts[number, seat]
                continue
            share.mistakes += rating.loss
            share.turns += step.phase == Phase.TAKE
            if not rating.equal and turn_of_error != share.turns:
                turn_of_error = share.turns
                share.errors += 1
        others = (points.sum() - points[seat]) / max(1, len(points) - 1)
        share.at_deal = mean_points + traces.start[seat] * (len(points) - 1) / len(points)
        share.field = others - (share.at_deal - traces.start[seat])
        share.evaluator = share.evaluator + stated - share.mistakes - share.gifts
        share.luck = share.own_cards + share.others_cards + share.gifts + share.field + share.evaluator


@compiled
def is_choice(phase):
    """Whether a step of that phase is a player's choice."""
    return Phase.TEE_OFF <= phase <= Phase.FLIP


@compiled
def effect(move_values, step, seat):
    """How much worse for a seat the move of a step was than the one best for the mover, as the judgement says."""
    return move_values[step.move, seat] - move_values[best_move(move_values, step.seat), seat]


@compiled
def true_part(move_values, step, loss):
    """Which part the `loss` of a move is of what the judgement says."""
    stated = effect(move_values, step, step.seat)
    return loss / stated if stated else 1.0


def analyse(
    record: dict[str, Any],
    variant: Variant | None = None,
    deep: bool = False,
    progress: Callable[[int, int], None] = lambda done, of: None,
    on: str = LOCAL,
    journal: Path | None = None,
) -> Analysis:
    """The analysis of a record. Raises referee.Fault where it breaks a rule.

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
    holes = [hole.findings() for hole in analysed]
    totals = [total_of(player, name, holes) for player, name in enumerate(game.players)]
    depth = "deep" if deep else "normal"
    return Analysis(game.variant.name, game.players, depth, holes, totals, summed(totals).per_turn)


def analyse_hole(record: dict[str, Any], variant: Variant, number: int, most: int) -> HoleFindings:
    """The analysis of one hole, from 1, on one core, with truncated rollouts of its `most` costliest moves.

    Raises referee.Fault where the record breaks a rule.
    """
    _, played = replayed(record, variant)
    hole = HoleAnalysis(*played[number - 1])
    refine([hole], truncated(hole.seats), most, threads=1)
    return hole.findings()


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
        hole.rollouts[number] = unbiased(rollouts, correction) if correction else rollouts


def total_of(player: int, name: str, holes: list[HoleFindings]) -> Total:
    total = summed(seat for hole in holes for seat in hole.seats if seat.player == player)
    return Total(**vars(total), player=player, name=name, error_rate=total.per_turn)


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
        self.table = table_of(self.corrections)
        self.rollouts: dict[int, Rollouts] = {}  # by step: what its move cost when it was played out

    def findings(self) -> HoleFindings:
        moves: list[list[Decision]] = [[] for _ in self.at_table]
        cards: list[list[ShownCard]] = [[] for _ in self.at_table]
        ratings = {number: self.ratings(number) for number, step in enumerate(self.steps) if is_decision(step)}
        gifts, shares = self.share_out(ratings)
        for number, step in enumerate(self.steps):
            if number in ratings:
                moves[step.seat].append(self.decision(number, ratings[number], gifts[number].tolist()))
            if self.shows_card(number):
                cards[step.seat].append(self.shown_card(number))
        seats = [self.seat_findings(seat, shares[seat], moves[seat], cards[seat]) for seat in range(self.seats)]
        closer = int(self.hole.state.closer)
        return HoleFindings(self.number, self.dealer, self.at_table[closer] if closer >= 0 else None, seats)

    def ratings(self, number: int) -> np.ndarray:
        """The RATING records of all legal moves of a step, best first."""
        step, found, known = self.steps[number], np.zeros(MOVES, RATING), np.full(3, np.nan)
        own = self.traces.move_values[number, :, step.seat].copy()
        if rollouts := self.rollouts.get(number):
            known[:] = astuple(refined(corrected(own[step.move] - own.min(), self.correction_of(number)), rollouts))
        about = self.variant.rules, self.brain.net, self.traces.states[number], step.move
        return found[: rate(*about, CLOSE_CALL, own, self.table, known, found)]

    def share_out(self, ratings: Mapping[int, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """What each move gave the others, by step and seat, and the shares of all seats: see `share_out`."""
        judged, gifts = np.zeros(len(self.steps), RATING), np.zeros((len(self.steps), self.seats))
        shares, points = np.zeros(self.seats, SHARE), np.array(self.hole.points, float)
        for number, found in ratings.items():
            judged[number] = played_of(found, self.steps[number].move)
        share_out(as_array(self.steps), self.traces, judged, points, par(self.variant, self.seats), gifts, shares)
        return gifts, shares

    def seat_findings(self, seat: int, found: Any, moves: list[Decision], cards: list[ShownCard]) -> SeatFindings:
        """The seat's share (SHARE): what makes its points, and every event of its turns."""
        share = Share(**{field.name: found[field.name].item() for field in fields(Share)})
        return SeatFindings(
            **vars(share),
            player=self.at_table[seat],
            luck_parts=LuckParts(*(float(found[part]) for part in LUCK_PARTS)),
            error_rate=share.per_turn,
            moves=moves,
            cards=cards,
        )

    def shows_card(self, number: int) -> bool:
        """Whether chance named the step's card: one from the stock, or one that lay face down."""
        step, state = self.steps[number], self.traces.states[number]
        if step.move == STOCK or step.phase in (Phase.TEE_OFF, Phase.REVEAL):
            return True
        lying = state["players"]["layout"][step.seat]
        return 0 <= step.move < self.variant.rules.slots and lying[step.move] == HIDDEN and step.face != HIDDEN

    def shown_card(self, number: int) -> ShownCard:
        step = self.steps[number]
        return ShownCard(
            step=number,
            turn=self.turn_of[number],
            phase=Phase(step.phase).name.lower(),
            slot=name_of_move(self.variant, step.move),
            face=write_face(self.variant, step.face),
            luck=self.traces.luck[number].tolist(),
            layout=self.layout_before(number),
        )

    def doubts(self) -> list[tuple[int, Doubt]]:
        """Returns the moves worth being played out with their steps, those that seem to cost most first."""
        found = []
        for number, step in enumerate(self.steps):
            if is_decision(step):
                mine = self.traces.move_values[number, :, step.seat]
                state, best = self.traces.states[number], int(mine.argmin())
                if (stated := mine[step.move] - mine[best]) > CLOSE_CALL:
                    found.append((stated, number, Doubt(self.variant.rules, self.brain, state, step.move, best)))
        return [(number, doubt) for _, number, doubt in sorted(found, key=lambda one: -one[0])]

    def correction_of(self, number: int) -> Correction | None:
        """How the losses of a step are corrected."""
        return self.corrections.get(stage_of(self.traces.states[number]))

    def decision(self, number: int, ratings: np.ndarray, gifts: list[float]) -> Decision:
        """A decision: what it gave away, and what else there was."""
        step, state = self.steps[number], self.traces.states[number]
        every = [ranked(self.variant, one, int(state.phase), int(state.closer)) for one in ratings]
        played = next(one for one in every if one.code == step.move)
        return Decision(
            **vars(only(Loss, played)),
            step=number,
            move=self.move_of[number],
            turn=self.turn_of[number],
            phase=MOVE_PHASES[step.phase],
            played=played.move,
            code=played.code,
            face=self.face_at_stake(number),
            worth=played.worth,
            equal=played.equal,
            gifts=gifts,
            ranked=every,
            **({} if played.equal else self.explained(number, ratings, every[0])),
            rollouts=self.rollouts.get(number),
        )

    def explained(self, number: int, ratings: np.ndarray, best: RankedMove) -> dict[str, Any]:
        """Why the move was wrong, and what would have been better."""
        step, state = self.steps[number], self.traces.states[number]
        against, praise = (
            in_notation(self.variant, one["why"], int(state.phase), int(state.closer)).by_player(self.at_table)
            for one in (played_of(ratings, step.move), ratings[0])
        )
        return {
            "why": against,
            "better": Better(best.move, best.code, place_of(self.variant, ratings[0]), praise),
            "layout": self.layout_before(number),
        }

    def layout_before(self, number: int) -> list[str | None]:
        """The cards of a step's player before it; None for a face-down card."""
        lying = self.traces.states[number]["players"]["layout"][self.steps[number].seat]
        lying = lying[: self.variant.rules.slots]
        return [None if face == HIDDEN else self.variant.faces[face] for face in lying]

    def face_at_stake(self, number: int) -> str | None:
        """The card in hand, or the one that may be taken."""
        phase, state = self.steps[number].phase, self.traces.states[number]
        if phase == Phase.PLACE:
            return write_face(self.variant, int(state["held"]))
        return write_face(self.variant, int(state["discard"])) if phase == Phase.TAKE else None


def is_decision(step: Step) -> bool:
    return step.phase in MOVE_PHASES


def played_of(ratings: np.ndarray, move: int) -> Any:
    """Of RATING records, that of a move."""
    return ratings[ratings["move"] == move][0]


def trace(hole: Hole, dealer: int, brain: Brain) -> Traces:
    """Follows a hole from its deal."""
    rules, seats, steps = hole.variant.rules, int(hole.state.seats), as_array(hole.steps)
    count = len(steps)
    traces = Traces(
        states=np.zeros(count, STATE),
        start=np.zeros(seats),
        move_values=np.full((count, MOVES, seats), np.inf),
        luck=np.zeros((count, seats)),
        revisions=np.zeros((count, seats)),
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
