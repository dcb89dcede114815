"""Plays the game in the terminal: asks people for moves, runs the computer players, shows the score."""

import shlex
from collections.abc import Callable

from rich.markdown import Markdown
from rich.table import Table as Grid
from rich.text import Text

from mulligan.engine.state import Phase
from mulligan.game import house_book, house_rules, named_holes, variants
from mulligan.game.error_sentences import reason
from mulligan.game.safe_text import printable
from mulligan.game.typed_text import joined
from mulligan.game.variants import Variant
from mulligan.game.words import Words
from mulligan.players.net_files import untrained
from mulligan.program import Stopped

from . import saved_games
from .cards import draw_card, in_rows
from .history import Event, since_last_turn, tell
from .own_rules import nearest
from .saved_games import DamagedSave, NoSavedGame
from .score_tables import heading, level, result, score_card, show_hole_result, title
from .screen import Screen
from .seats import SeatError, tell_kind
from .session import Session, begin, draw_dealer, go_on
from .table_view import Table, draw_table, face_card
from .typed_moves import RETURN, Misread, help_on, question, read_entry, rule_in_question
from .wrapping import wrap_text

__all__ = ["DamagedSave", "NoSavedGame", "SeatError", "play", "resume"]


def play(words: Words, variant: Variant, seats: list[str], seed: int | None, named: str = "") -> None:
    """Plays a new game, or the hole that a match's name fixes. `seats` are `you`, `you:NAME` or computer players.

    Raises SeatError.
    """
    kept = len(saved_games.unfinished())
    session, rounds = begin(words, variant, seats, seed, named)
    game = TerminalGame(Screen(words), session)
    game.run(lambda: game.draw_for_deal(rounds, kept))


def resume(words: Words) -> None:
    """Continues the game played last. Raises NoSavedGame, DamagedSave or VariantError."""
    game = TerminalGame(Screen(words), go_on(words))
    game.run(game.welcome_back)


class Leave(Exception):
    """Raised when a player leaves the game."""


class TerminalGame:
    """A game, its screen, and the person whose layout is at the bottom of the table (`near`)."""

    def __init__(self, screen: Screen, session: Session) -> None:
        self.screen = screen
        self.words = screen.words
        self.session = session
        self.game = session.game
        self.near: int | None = next((n for n, seat in enumerate(session.seats) if seat.is_person), None)

    def run(self, opening: Callable[[], None]) -> None:
        """Plays to the end of the match, or until a player leaves; the game is saved in both cases.

        Raises Stopped, whose text says so.
        """
        try:
            opening()
            while not self.game.is_over:
                self.play_hole()
            self.show_winners()
        except (EOFError, Leave):
            self.screen.show("")
            self.screen.show_path(self.goodbye())
        except KeyboardInterrupt:
            self.screen.show("")
            raise Stopped(self.goodbye()) from None

    def draw_for_deal(self, rounds: list[dict[int, int]], kept: int) -> None:
        """Shows the cards drawn and the first dealer (2.1)."""
        variant, names, words = self.session.variant, self.game.players, self.words
        holes = words("length_holes", count=int(variant.rules.holes))
        self.screen.redraw([Text(words("terminal_title", game=words.game(variant.facts), holes=holes), "bold")])
        if told := house_rules.told(words, variant):
            self.screen.show(Text(told, "yellow"))
        players = dict.fromkeys(seat.player for seat in self.session.seats if not seat.is_person)
        for name in untrained(players, [self.game.variant.rules]):
            self.screen.show(words("house_options_untrained", level=name, player=tell_kind(words, name)))
        self.screen.show(words("terminal_intro", help="help", rule="?"))
        if kept:
            self.screen.show(words("terminal_kept", count=kept))
        self.screen.show("", words.sentences(words("table_draw_title"), words("table_draw_text")))
        for number, drawn in enumerate(rounds):
            if number:
                self.screen.show(words("terminal_draw_again", names=words.listed([names[player] for player in drawn])))
            cards = [
                [Text(names[player], "bold cyan"), *draw_card(face_card(variant, face), self.screen.has_boxes)]
                for player, face in drawn.items()
            ]
            self.screen.draw(in_rows(cards, self.screen.width, 3))
        levels = [(seat.name, tell_kind(words, seat.player)) for seat in self.session.seats if not seat.is_person]
        if levels:
            self.screen.show(" · ".join(words("terminal_brackets", text=name, more=level) for name, level in levels))
        dealer, starter = names[self.game.dealer], names[(self.game.dealer + 1) % len(names)]
        self.screen.show(Text(words.sentences(words("pad_deal", dealer=dealer, starter=starter)), "bold"))
        self.screen.wait("terminal_enter_begin")

    def welcome_back(self) -> None:
        game = self.words.game(self.session.variant.facts)
        self.screen.redraw([Text(self.words("terminal_back", game=game, hole=self.heading()), "bold")])
        if self.game.holes:
            self.screen.show("", *score_card(self.game, self.screen))
        self.screen.wait("terminal_enter_continue")

    def play_hole(self) -> None:
        """Plays one hole, from the deal to the score."""
        if self.game.hole is None:
            self.session.deal()
        at_table = self.game.at_table
        if self.near not in at_table:
            self.near = next((player for player in at_table if self.session.seats[player].is_person), None)
        shown = 0
        while not self.session.hole.is_over:
            if self.session.on_turn().is_person:
                self.near = at_table[self.session.hole.turn]
                self.ask_move()
            else:
                self.watch_computer()
            if self.near is None and not self.screen.live:
                shown = self.tell_since(shown)
        self.show_end()
        hole, over = self.session.hole, title(self.words, self.session.variant, len(self.game.holes))
        self.session.finish_hole()
        names = [self.game.players[player] for player in at_table]
        totals = [self.game.totals[player] for player in at_table]
        show_hole_result(self.screen, over, hole, names, totals)
        if len(self.game.holes) >= self.session.variant.rules.holes and not self.game.is_over:
            self.screen.show(Text(level(self.words, self.game), "bold"))
        self.screen.wait("terminal_enter_card" if self.game.is_over else "terminal_enter_next")

    def ask_move(self) -> None:
        """Shows the table to the person to move, and asks until they type a move."""
        hole, note = self.session.hole, self.session.trouble
        name = self.session.on_turn().name
        asked = question(self.words, hole, "" if self.session.is_alone else name)
        self.show_table(self.lines_of(note, asked))
        while True:
            typed = self.ask(note, asked)
            note = ""
            if joined(typed) in ("undo", "u"):
                if self.session.take_back():
                    return
                note = self.words("terminal_no_undo")
            elif not self.is_errand(typed):
                try:
                    moves = read_entry(self.words, hole, name, typed)
                except Misread as misread:
                    note = str(misread)
                else:
                    for move in moves:
                        self.session.play(move)
                    return
            if self.screen.live:
                self.show_table(self.lines_of(note, asked))

    def ask(self, note: str, asked: str) -> str:
        if note:
            self.screen.show(Text(note, "bold yellow"))
        return self.screen.ask(Text(asked, "bold")).strip()

    def lines_of(self, note: str, asked: str) -> int:
        """Returns the number of screen lines needed below the table for the note, the question and the answer."""
        return 1 + sum(len(wrap_text(Text(text), self.screen.width)) for text in (note, asked) if text)

    def is_errand(self, typed: str) -> bool:
        """Handles input other than moves: a rule, help, the card, leaving. Returns whether it did. Raises Leave."""
        word = joined(typed)
        if word in ("quit", "q", "exit"):
            raise Leave
        if word in ("help", "h"):
            self.show_help()
        elif word in ("card", "c"):
            self.screen.show(*score_card(self.game, self.screen))
        elif word.startswith("?"):
            self.show_rules([word.removeprefix("?")] if word != "?" else rule_in_question(self.session.hole))
        else:
            return False
        self.screen.wait("terminal_enter_table")
        return True

    def show_help(self) -> None:
        meanings, more = help_on(self.words)
        grid = Grid.grid(padding=(0, 2))
        for key, meaning in meanings.items():
            grid.add_row(Text(key, "bold"), meaning)
        self.screen.show(grid, "", more)

    def show_rules(self, numbers: list[str]) -> None:
        game, differs = nearest(self.words, self.session.variant)
        rules = house_book.book_of(self.words, self.session.variant, variants.load(game).facts).rules
        if differs:
            self.screen.show(Text(differs, "yellow"))
        for number in (typed.strip(".") for typed in numbers):
            if number in rules:
                self.screen.show(Markdown(rules[number].text(game)))
            else:
                unknown = self.words("terminal_no_rule", number=printable(number), first=min(rules), last=max(rules))
                self.screen.show(Text(unknown, "bold yellow"))

    def watch_computer(self) -> None:
        """Plays the turn of a computer player, at a pace that people can follow."""
        hole, turn = self.session.hole, self.session.hole.turn
        while not hole.is_over and hole.turn == turn and hole.state.phase < Phase.REVEAL:
            self.session.play_computer()
        if self.screen.pace and not hole.is_over:
            self.show_table(1)
            self.screen.rest()

    def show_end(self) -> None:
        """Shows the table after all cards have been turned up (4.3)."""
        self.show_table(2)
        self.screen.show(Text(self.words("cardboard_wrong_hole_over"), "bold"))
        self.screen.wait("terminal_enter_count")

    def show_table(self, lines_below: int) -> None:
        hole, at_table = self.session.hole, self.game.at_table
        table = Table(
            variant=self.session.variant,
            state=hole.state,
            names=[self.game.players[player] for player in at_table],
            totals=[self.game.totals[player] for player in at_table],
            heading=self.heading(),
            me=at_table.index(self.near) if self.near in at_table else None,
            events=self.events(),
        )
        self.screen.redraw(draw_table(table, self.screen, lines_below))

    def events(self) -> list[Event]:
        """Returns the events since the near person's last turn began; without a person, those of the last round."""
        hole, at_table = self.session.hole, self.game.at_table
        names = [self.game.players[player] for player in at_table]
        seat = at_table.index(self.near) if self.near in at_table else hole.state.closer
        shown = tell(self.words, hole, names, since_last_turn(hole.steps, max(seat, 0)))
        return shown[-3 * len(names) - 1 :]

    def tell_since(self, shown: int) -> int:
        """Prints the events after that number of steps to a pipe, and returns the number of steps now."""
        hole = self.session.hole
        names = [self.game.players[player] for player in self.game.at_table]
        for event in tell(self.words, hole, names, shown):
            self.screen.show(event.words)
        return len(hole.steps)

    def heading(self) -> str:
        return heading(self.words, self.session.variant, len(self.game.holes))

    def show_winners(self) -> None:
        """Shows the whole score card, the winner, and the path of the game's record."""
        self.screen.redraw([])
        self.screen.show(*score_card(self.game, self.screen))
        self.screen.show(Text(result(self.words, self.game), "bold green"))
        self.screen.show("")
        for line in self.keep_record():
            self.screen.show_path(line)

    def keep_record(self) -> list[str]:
        record = self.game.record()
        record["kinds"] = [text.partition(":")[0] for text in self.session.typed]
        if self.session.seed is not None:
            record["seed"] = self.session.seed
        if named := self.session.named:
            _, rounds = draw_dealer(self.game.variant, len(self.game.players), self.session.dice, named)
            record |= {"id": named, "shuffles": named_holes.shuffles(named, self.game.variant, rounds)}
        try:
            file = self.session.put_away(record)
        except OSError as error:
            return [self.words("terminal_record_failed", why=f"{error.filename}: {reason(self.words, error)}")]
        own = [] if self.session.variant.is_ours else ["--game", str(self.session.variant.file)]
        command = shlex.join(["mulligan", "replay", str(file), *own])
        return [self.words("terminal_record"), f"  {command}"]

    def goodbye(self) -> str:
        return self.session.trouble or self.words("terminal_saved", command=RETURN)
