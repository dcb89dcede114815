"""A game being played at the terminal: who sits there, the dice, every step so far; kept after each."""

import secrets
from pathlib import Path
from typing import Any

import numpy as np

from .. import shelf, variants
from ..engine import match as matches
from ..engine.chance import bag, draw, many_dice
from ..engine.compiled import fresh
from ..engine.match import MATCH
from ..engine.state import HIDDEN, NOBODY
from ..game import Game, Hole
from ..notation import Step, as_array
from ..players import NAMES, choose
from ..variants import Variant
from . import saving
from .seats import Seat, SeatError, read_seats
from .story import has_shown_nothing

Steps = list[tuple[int, int, int]]  # phase, move and face; whose step it was, the hole knows


class Sitting:
    """The game and all it takes to go on with it another day."""

    def __init__(self, variant: Variant, typed: list[str], seed: int | None, dice: np.ndarray, dealer: int) -> None:
        self.variant = variant
        self.typed = typed
        self.seats: list[Seat] = read_seats(variant, typed)
        self.seed = seed
        self.dice = dice
        self.first_dealer = dealer
        self.game = Game(variant, [seat.name for seat in self.seats], dealer)
        self.finished: list[Steps] = []  # holes
        self.file: Path | None = None
        self.trouble = ""  # why the game could not be kept

    @property
    def hole(self) -> Hole:
        assert self.game.hole is not None
        return self.game.hole

    @property
    def is_alone(self) -> bool:
        """Whether at most one person plays."""
        return sum(seat.is_person for seat in self.seats) < 2

    def on_turn(self) -> Seat:
        return self.seats[self.game.at_table[self.hole.turn]]

    def deal(self) -> None:
        """Deals the next hole and turns up the first discard (2.2, 2.3)."""
        self.game.deal()
        self.turn_up()

    def play(self, move: int) -> None:
        """Plays a move of whoever is on turn, and turns up what it shows."""
        self.hole.play(move)
        self.turn_up()

    def play_computer(self) -> None:
        rules, match, state = self.variant.rules, self.game.match, self.hole.state
        player = self.on_turn().player
        books = shelf.books_for([NAMES[player]], rules, int(state.seats))
        self.play(int(choose(player, rules, match, state, self.dice, books)))

    def turn_up(self) -> None:
        """Lets the dice name each card that is to be shown; the game is kept before anybody sees it."""
        while self.hole.awaits_card:
            self.hole.turn_up(int(draw(self.variant.rules, bag(self.hole.state), self.dice)))
        self.keep()

    def take_back(self) -> bool:
        """Takes the last step back, if it was a person's and showed nothing. Says whether it did."""
        steps = self.hole.steps
        if not has_shown_nothing(steps) or not self.seats[self.game.at_table[steps[-1].seat]].is_person:
            return False
        self.game.deal().take(as_array(steps[:-1]))
        self.keep()
        return True

    def finish_hole(self) -> None:
        self.finished.append(bare(self.hole.steps))
        self.game.finish_hole()
        self.keep()

    def keep(self) -> None:
        """Saves the game as it is; where that cannot be, the game goes on and says so."""
        try:
            if self.file is None:
                self.file = saving.new_file(self.variant.name)
            saving.write(self.file, self.facts())
            self.trouble = ""
        except OSError as error:
            self.trouble = f"The game cannot be saved ({error.filename or saving.data_folder()}: {error.strerror})."

    def put_away(self, record: dict[str, Any]) -> Path:
        """Keeps the record of the finished game, and returns where."""
        if self.file is None:
            self.file = saving.new_file(self.variant.name)
        return saving.keep_record(self.file, record)

    def facts(self) -> dict[str, Any]:
        return {
            "game": self.variant.name if is_ours(self.variant) else str(self.variant.file),
            "seats": self.typed,
            "seed": self.seed,
            "dice": int(self.dice[0]),
            "dealer": self.first_dealer,
            "holes": self.finished + ([bare(self.game.hole.steps)] if self.game.hole else []),
        }


def is_ours(variant: Variant) -> bool:
    """Whether the variant comes with the package; a user's own goes by the path of its file."""
    return variant.file.parent == variants.FOLDER.resolve()


def bare(steps: list[Step]) -> Steps:
    return [(int(step.phase), int(step.move), int(step.face)) for step in steps]


def begin(variant: Variant, typed: list[str], seed: int | None) -> tuple[Sitting, list[dict[int, int]]]:
    """A new game, and the rounds of the draw for the deal: the face each player drew. Raises SeatError."""
    dice = many_dice(secrets.randbits(64) if seed is None else seed, 1)[0]
    dealer, rounds = draw_dealer(variant, len(read_seats(variant, typed)), dice)
    sitting = Sitting(variant, typed, seed, dice, dealer)
    sitting.keep()
    return sitting, rounds


def draw_dealer(variant: Variant, players: int, dice: np.ndarray) -> tuple[int, list[dict[int, int]]]:
    """Draws for the deal until one card is lowest (2.1): the dealer, and the cards of each round by player."""
    match: Any = fresh(MATCH)
    matches.begin_match(variant.rules, match, players)
    rounds: list[dict[int, int]] = []
    while match.dealer == NOBODY:
        matches.draw_for_deal(variant.rules, match, dice)
        rounds.append({player: int(match.drawn[player]) for player in range(players) if match.at_table[player]})
        matches.compare_draw(variant.rules, match)
    return int(match.dealer), rounds


def go_on() -> Sitting:
    """The game played last and not finished, replayed to where it was left.

    Raises NoSavedGame; DamagedSave, and then the file has been put aside; or VariantError, where the
    file of the user's own variant is no longer there.
    """
    files = saving.unfinished()
    if not files:
        raise saving.NoSavedGame("There is no saved game to go on with; mulligan play begins one.")
    facts = saving.read(files[0])
    try:
        sitting = sit_down(facts)
    except (KeyError, TypeError, OverflowError, SeatError, Unfit) as error:
        reason = str(error) if isinstance(error, Unfit) else "something in it is missing or wrong"
        raise saving.put_aside(files[0], reason) from None
    sitting.file = files[0]
    return sitting


class Unfit(ValueError):
    """A saved game that the rules do not allow."""


def sit_down(facts: dict[str, Any]) -> Sitting:
    """Plays a saved game again, every step by the rules."""
    typed, seed, dice, dealer = facts["seats"], facts["seed"], facts["dice"], facts["dealer"]
    if not isinstance(typed, list) or not all(isinstance(text, str) for text in typed):
        raise TypeError
    if type(dice) is not int or not 0 < dice < 2**63 or not (seed is None or type(seed) is int):
        raise TypeError
    if type(dealer) is not int or not 0 <= dealer < len(typed):
        raise TypeError
    sitting = Sitting(variants.load(facts["game"]), typed, seed, np.array([dice], np.int64), dealer)
    for number, steps in enumerate(facts["holes"], 1):
        if sitting.game.is_over or sitting.game.hole:
            raise Unfit(f"hole {number} is one too many (6.1)")
        hole = sitting.game.deal()
        for step in steps:
            if len(step) != 3 or not all(type(number) is int and HIDDEN <= number < 2**7 for number in step):
                raise TypeError
        if hole.take(as_array(Step(NOBODY, *step) for step in steps)) < len(steps):
            raise Unfit(f"step {len(hole.steps) + 1} of hole {number} is not possible by the rules")
        if hole.is_over:
            sitting.finished.append(bare(hole.steps))
            sitting.game.finish_hole()
    return sitting
