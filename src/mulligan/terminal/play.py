"""The game in the terminal: asks the people, lets the computer players move, counts the holes."""

import shlex
from collections.abc import Callable

from rich.markdown import Markdown
from rich.table import Table as Grid
from rich.text import Text

from .. import rulebook
from ..engine.state import Phase
from ..explain import in_words
from ..variants import Variant
from . import saving
from .cards import draw_card, in_rows
from .entries import HELP, MORE_HELP, Misread, question, read_entry, rule_in_question
from .saving import DamagedSave, NoSavedGame
from .scores import heading, level, result, score_card, show_reckoning
from .screen import Screen
from .seats import SeatError
from .sitting import Sitting, begin, go_on, is_ours
from .story import Event, since_last_turn, tell
from .table import Table, draw_table, face_card

__all__ = ["DamagedSave", "NoSavedGame", "SeatError", "play", "resume"]

HOW_TO_RETURN = "mulligan play --resume"


def play(variant: Variant, seats: list[str], seed: int | None) -> None:
    """Plays a new game. `seats` are `you`, `you:NAME` or computer players. Raises SeatError."""
    kept = len(saving.unfinished())
    sitting, rounds = begin(variant, seats, seed)
    evening = Evening(Screen(), sitting)
    evening.spend(lambda: evening.draw_for_deal(rounds, kept))


def resume() -> None:
    """Goes on with the game played last. Raises NoSavedGame, or DamagedSave, or VariantError."""
    evening = Evening(Screen(), go_on())
    evening.spend(evening.welcome_back)


class Leave(Exception):
    """Somebody wants to go home."""


class Evening:
    """A game, the screen it is played on, and the person who sits at the near side of the table."""

    def __init__(self, screen: Screen, sitting: Sitting) -> None:
        self.screen = screen
        self.sitting = sitting
        self.game = sitting.game
        self.near: int | None = next((n for n, seat in enumerate(sitting.seats) if seat.is_person), None)

    def spend(self, opening: Callable[[], None]) -> None:
        """Plays to the end of the match, or until somebody leaves; the game is kept either way."""
        try:
            opening()
            while not self.game.is_over:
                self.play_hole()
            self.celebrate()
        except (KeyboardInterrupt, EOFError, Leave):
            self.screen.show("")
            self.screen.show_path(self.goodbye())

    def draw_for_deal(self, rounds: list[dict[int, int]], kept: int) -> None:
        """Shows who drew what, and so deals first (2.1)."""
        variant, names = self.sitting.variant, self.game.players
        holes = int(variant.rules.holes)
        self.screen.redraw([Text(f"{variant.title}: {holes} holes, and the fewest points win.", "bold")])
        self.screen.show("Type help for all you can type, and ? for the rule you need.")
        if kept:
            games = "1 unfinished game is" if kept == 1 else f"{kept} unfinished games are"
            self.screen.show(f"{games} still kept; this one is played first.")
        self.screen.show("", "Who deals first? Everybody draws a card, and the lowest deals (2.1).")
        for number, drawn in enumerate(rounds):
            if number:
                self.screen.show(f"Level for lowest, so {in_words([names[player] for player in drawn])} draw again.")
            cards = [
                [Text(names[player], "bold cyan"), *draw_card(face_card(variant, face), self.screen.has_boxes)]
                for player, face in drawn.items()
            ]
            self.screen.draw(in_rows(cards, self.screen.width, 3))
        dealer, first = names[self.game.dealer], names[(self.game.dealer + 1) % len(names)]
        self.screen.show(Text(f"First dealer: {dealer}. First turn, on the left: {first} (2.5).", "bold"))
        self.screen.wait("to begin")

    def welcome_back(self) -> None:
        self.screen.redraw([Text(f"{self.sitting.variant.title}: the game goes on with {self.heading()}.", "bold")])
        self.screen.show("", *score_card(self.game, self.screen))
        self.screen.wait("to go on")

    def play_hole(self) -> None:
        """One hole, from the deal to the counting."""
        if self.game.hole is None:
            self.sitting.deal()
        at_table = self.game.at_table
        if self.near not in at_table:
            self.near = next((player for player in at_table if self.sitting.seats[player].is_person), None)
        told = 0
        while not self.sitting.hole.is_over:
            if self.sitting.on_turn().is_person:
                self.near = at_table[self.sitting.hole.turn]
                self.ask_move()
            else:
                self.watch_computer()
            if self.near is None and not self.screen.live:
                told = self.tell_since(told)
        self.show_end()
        hole, title = self.sitting.hole, f"{self.sitting.variant.title} · {self.heading()}: the counting"
        self.sitting.finish_hole()
        names = [self.game.players[player] for player in at_table]
        totals = [self.game.totals[player] for player in at_table]
        show_reckoning(self.screen, title, hole, names, totals)
        if len(self.game.holes) >= self.sitting.variant.rules.holes and not self.game.is_over:
            self.screen.show(Text(level(self.game), "bold"))
        self.screen.wait("for the score card" if self.game.is_over else "for the next hole")

    def ask_move(self) -> None:
        """Shows the table to the person on turn, and asks until a move is typed."""
        hole, note = self.sitting.hole, self.sitting.trouble
        asked = question(hole, self.sitting.on_turn().name, self.sitting.is_alone)
        self.show_table(self.lines_of(note, asked))
        while True:
            typed = self.ask(note, asked)
            note = ""
            if typed.lower() in ("undo", "u"):
                if self.sitting.take_back():
                    return
                note = "There is nothing to take back: what was done last has shown a card."
            elif not self.is_errand(typed):
                try:
                    moves = read_entry(hole, typed)
                except Misread as misread:
                    note = str(misread)
                else:
                    for move in moves:
                        self.sitting.play(move)
                    return
            if self.screen.live:
                self.show_table(self.lines_of(note, asked))

    def ask(self, note: str, asked: str) -> str:
        if note:
            self.screen.show(Text(note, "bold yellow"))
        return self.screen.ask(Text(asked, "bold")).strip()

    def lines_of(self, note: str, asked: str) -> int:
        """How many lines of the screen go to what is said below the table, and to the answer."""
        texts = [Text(text) for text in (note, asked) if text]
        return 1 + sum(len(text.wrap(self.screen.console, self.screen.width)) for text in texts)

    def is_errand(self, typed: str) -> bool:
        """Does what is no move: shows a rule, the help, the card, or leaves. Says whether it was that."""
        word = typed.lower()
        if word in ("quit", "q", "exit"):
            raise Leave
        if word in ("help", "h"):
            self.show_help()
        elif word in ("card", "c"):
            self.screen.show(*score_card(self.game, self.screen))
        elif word.startswith("?"):
            self.show_rules([word.removeprefix("?").strip()] if word != "?" else rule_in_question(self.sitting.hole))
        else:
            return False
        self.screen.wait("to go back to the table")
        return True

    def show_help(self) -> None:
        grid = Grid.grid(padding=(0, 2))
        for key, meaning in HELP.items():
            grid.add_row(Text(key, "bold"), meaning)
        self.screen.show(grid, MORE_HELP)

    def show_rules(self, numbers: list[str]) -> None:
        name = self.sitting.variant.name
        for number in numbers:
            try:
                text = rulebook.rule(number, name if name in rulebook.GAMES.values() else None)
            except rulebook.RuleBookError as error:
                self.screen.show(Text(str(error), "bold yellow"))
            else:
                self.screen.show(Markdown(text))

    def watch_computer(self) -> None:
        """The computer player on turn plays the turn, at a pace one can follow."""
        hole, turn = self.sitting.hole, self.sitting.hole.turn
        while not hole.is_over and hole.turn == turn and hole.state.phase < Phase.REVEAL:
            self.sitting.play_computer()
        if self.screen.pace and not hole.is_over:
            self.show_table(1)
            self.screen.rest()

    def show_end(self) -> None:
        """The table as it lies when every card has been turned up (4.3)."""
        self.show_table(2)
        self.screen.show(Text("The hole is over: every card lies open.", "bold"))
        self.screen.wait("to count")

    def show_table(self, lines_below: int) -> None:
        hole, at_table = self.sitting.hole, self.game.at_table
        table = Table(
            variant=self.sitting.variant,
            state=hole.state,
            names=[self.game.players[player] for player in at_table],
            totals=[self.game.totals[player] for player in at_table],
            heading=self.heading(),
            me=at_table.index(self.near) if self.near in at_table else None,
            events=self.events(),
        )
        self.screen.redraw(draw_table(table, self.screen, lines_below))

    def events(self) -> list[Event]:
        """What happened since the person at the near side began the last turn; for onlookers, the last round."""
        steps, at_table = self.sitting.hole.steps, self.game.at_table
        names = [self.game.players[player] for player in at_table]
        seat = at_table.index(self.near) if self.near in at_table else self.sitting.hole.state.closer
        told = tell(self.sitting.variant, steps[since_last_turn(steps, max(seat, 0)) :], names)
        return told[-3 * len(names) - 1 :]

    def tell_since(self, told: int) -> int:
        """Tells onlookers at a pipe what came after so many steps, and returns how many there are now."""
        steps = self.sitting.hole.steps
        names = [self.game.players[player] for player in self.game.at_table]
        for event in tell(self.sitting.variant, steps[told:], names):
            self.screen.show(event.words)
        return len(steps)

    def heading(self) -> str:
        return heading(self.sitting.variant, len(self.game.holes))

    def celebrate(self) -> None:
        """The whole score card, the winner, and where the game's record is."""
        self.screen.redraw([])
        self.screen.show(*score_card(self.game, self.screen))
        self.screen.show(Text(result(self.game), "bold green"))
        self.screen.show("")
        for line in self.keep_record():
            self.screen.show_path(line)

    def keep_record(self) -> list[str]:
        record = self.game.record()
        record["kinds"] = [text.partition(":")[0] for text in self.sitting.typed]
        if self.sitting.seed is not None:
            record["seed"] = self.sitting.seed
        try:
            file = self.sitting.put_away(record)
        except OSError as error:
            return [f"The record cannot be kept ({error.filename}: {error.strerror})."]
        own = [] if is_ours(self.sitting.variant) else ["--game", str(self.sitting.variant.file)]
        command = shlex.join(["mulligan", "replay", str(file), *own])
        return ["The game is kept. To see it again, move by move:", f"  {command}"]

    def goodbye(self) -> str:
        return self.sitting.trouble or f"The game is saved. Go on with it: {HOW_TO_RETURN}"
