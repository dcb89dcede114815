"""Holds a game in the terminal: seats, random generator and every step; saves it after each step."""

import secrets
from pathlib import Path
from typing import Any

import numpy as np

from mulligan.engine import match as matches
from mulligan.engine.chance import many_dice
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH
from mulligan.engine.state import HIDDEN, NOBODY
from mulligan.game import named_holes, variants
from mulligan.game.error_sentences import reason
from mulligan.game.hole import Game, Hole
from mulligan.game.notation import Step, as_array
from mulligan.game.variants import Variant
from mulligan.game.words import Words
from mulligan.players import net_files
from mulligan.players.roster import PLAYERS

from . import saved_games
from .history import has_shown_nothing
from .seats import Seat, SeatError, read_seats

Steps = list[tuple[int, int, int]]  # phase, move and face; the hole knows the seat


class Session:
    """A game and everything needed to continue it later."""

    def __init__(
        self,
        words: Words,
        variant: Variant,
        typed: list[str],
        seed: int | None,
        dice: np.ndarray,
        dealer: int,
        named: str = "",
    ) -> None:
        self.words = words
        self.variant = variant
        self.typed = typed
        self.seats: list[Seat] = read_seats(words, variant, typed)
        self.seed = seed
        self.dice = dice
        self.first_dealer = dealer
        self.named = named  # the match whose cards are the same for everyone, or ""
        self.game = Game(variant, [seat.name for seat in self.seats], dealer)
        self.finished: list[Steps] = []  # holes
        self.file: Path | None = None
        self.trouble = ""  # why the game could not be saved

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
        """Plays a move of the player whose turn it is, and turns up the card it shows."""
        self.hole.play(move)
        self.turn_up()

    def play_computer(self) -> None:
        rules, match, state = self.variant.rules, self.game.match, self.hole.state
        player = self.on_turn().player
        brain = net_files.brain_for([player], rules, int(state.seats))
        self.play(int(PLAYERS[player].choose(rules, match, state, self.dice, brain)))

    def turn_up(self) -> None:
        """Draws each card to turn up, and saves the game before it is shown."""
        while self.hole.awaits_card:
            if self.named:
                self.hole.turn_up(named_holes.next_face(self.named, self.hole))
            else:
                self.hole.draw_card(self.dice)
        self.keep()

    def take_back(self) -> bool:
        """Takes back the last step if a person made it and it revealed no card. Returns whether it did."""
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
        """Saves the game; if that fails, the game continues and `trouble` says why."""
        try:
            if self.file is None:
                self.file = saved_games.new_file(self.variant.name)
            saved_games.write(self.file, self.facts())
            self.trouble = ""
        except OSError as error:
            why = f"{error.filename or saved_games.data_folder()}: {reason(self.words, error)}"
            self.trouble = self.words("terminal_unsaved", why=why)

    def put_away(self, record: dict[str, Any]) -> Path:
        """Writes the record of the finished match, and returns its path."""
        if self.file is None:
            self.file = saved_games.new_file(self.variant.name)
        return saved_games.keep_record(self.file, record)

    def facts(self) -> dict[str, Any]:
        return {
            "game": self.variant.name if self.variant.is_ours else str(self.variant.file),
            "seats": self.typed,
            "seed": self.seed,
            "dice": int(self.dice[0]),
            "dealer": self.first_dealer,
            "named": self.named,
            "match": dict(self.variant.match),
            "holes": self.finished + ([bare(self.game.hole.steps)] if self.game.hole else []),
        }


def bare(steps: list[Step]) -> Steps:
    return [(int(step.phase), int(step.move), int(step.face)) for step in steps]


def begin(
    words: Words, variant: Variant, typed: list[str], seed: int | None, named: str = ""
) -> tuple[Session, list[dict[int, int]]]:
    """Starts a game; returns it and the draw for the deal: each round's faces by player. Raises SeatError."""
    dice = many_dice(secrets.randbits(64) if seed is None else seed, 1)[0]
    players = len(read_seats(words, variant, typed))
    dealer, rounds = draw_dealer(variants.for_seats(variant, players), players, dice, named)
    session = Session(words, variant, typed, seed, dice, dealer, named)
    session.keep()
    return session, rounds


def draw_dealer(variant: Variant, players: int, dice: np.ndarray, named: str = "") -> tuple[int, list[dict[int, int]]]:
    """Draws for the deal until one card is lowest (2.1); returns the dealer and each round's faces by player."""
    match: Any = fresh(MATCH)
    matches.begin_match(variant.rules, match, players)
    rounds: list[dict[int, int]] = []
    while match.dealer == NOBODY:
        matches.draw_for_deal(variant.rules, match, dice)
        if named:
            pack = iter(named_holes.shuffled(named, 0, variant.rules.copies, f"draw {len(rounds) + 1}"))
            for player in range(players):
                if match.at_table[player]:
                    match.drawn[player] = next(pack)
        rounds.append({player: int(match.drawn[player]) for player in range(players) if match.at_table[player]})
        matches.compare_draw(variant.rules, match)
    return int(match.dealer), rounds


def go_on(words: Words) -> Session:
    """Returns the unfinished match played last, replayed to its last step.

    Raises NoSavedGame; DamagedSave, after renaming the file; or VariantError, if the file of the user's own
    variant no longer exists.
    """
    files = saved_games.unfinished()
    if not files:
        raise saved_games.NoSavedGame(words("terminal_no_saved", command="mulligan play"))
    facts = saved_games.read(words, files[0])
    try:
        session = sit_down(words, facts)
    except (KeyError, TypeError, OverflowError, SeatError, Unfit) as error:
        why = str(error) if isinstance(error, Unfit) else words("terminal_damaged_wrong")
        raise saved_games.put_aside(words, files[0], why) from None
    session.file = files[0]
    return session


class Unfit(ValueError):
    """A saved match that breaks the rules."""


def sit_down(words: Words, facts: dict[str, Any]) -> Session:
    """Replays a saved match by the rules. Raises Unfit; TypeError or KeyError for malformed facts."""
    typed, seed, dice, dealer = facts["seats"], facts["seed"], facts["dice"], facts["dealer"]
    named = facts.get("named", "")  # as in saves of earlier versions
    if not isinstance(typed, list) or not all(isinstance(text, str) for text in [*typed, named]):
        raise TypeError
    if type(dice) is not int or not 0 < dice < 2**63 or not (seed is None or type(seed) is int):
        raise TypeError
    if type(dealer) is not int or not 0 <= dealer < len(typed):
        raise TypeError
    match = facts["match"]
    if not isinstance(match, dict):
        raise TypeError
    variant = variants.load(facts["game"])
    try:
        variant = variants.for_match(variant, match)
    except variants.VariantError:
        raise Unfit(words("terminal_damaged_wrong")) from None
    session = Session(words, variant, typed, seed, np.array([dice], np.int64), dealer, named)
    for number, steps in enumerate(facts["holes"], 1):
        if session.game.is_over or session.game.hole:
            raise Unfit(words("terminal_damaged_hole", hole=number))
        hole = session.game.deal()
        for step in steps:
            if len(step) != 3 or not all(type(number) is int and HIDDEN <= number < 2**7 for number in step):
                raise TypeError
        if hole.take(as_array(Step(NOBODY, *step) for step in steps)) < len(steps):
            raise Unfit(words("terminal_damaged_step", step=len(hole.steps) + 1, hole=number))
        if hole.is_over:
            session.finished.append(bare(hole.steps))
            session.game.finish_hole()
    return session
