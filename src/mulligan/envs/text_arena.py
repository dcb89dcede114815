"""The games for TextArena, in which language models play by text (docs/environments.md).

Importing this registers every game as `Mulligan-NAME-v0`. `mulligan.envs` does not: TextArena takes seconds to import.
"""

import re
from typing import Any

import numpy as np

from mulligan.game import shipped, variants
from mulligan.game.house_book import book_of
from mulligan.game.position_text import game_lines
from mulligan.game.variants import Variant
from mulligan.game.words import Words
from mulligan.simulation import LEARNER

from .learning_table import Table
from .missing import missing
from .setup import Setup

try:
    import textarena
    from textarena import ObservationType
    from textarena.wrappers import ActionFormattingWrapper, LLMObservationWrapper
except ImportError:
    raise missing("TextArena", "textarena") from None

BRACKETS = re.compile(r"\[([^\[\]]*)\]")
TOLD = ("1", "2", "3", "4", "5", "6")  # the chapters of the rule book that a prompt has
PROMPT = """You are player {player} of {seats} in a golf card game. Your goal is a low score against the others'.
Slots have a letter for the column and a number for the row: a1 is at the top left, and ? is a face-down card.
Answer with one legal move in brackets, such as [stock], [discard], [discard_drawn], [pass] or a slot, [b2].

{rules}"""


class TextGolfEnv(textarena.Env):
    """A game for TextArena: its players are the learners, and computer players sit between them.

    setup: what is played, see `Setup`; `reset` says how many players there are. Raises ValueError as `Setup` does.

    A move is the last text in brackets. The first illegal one of a turn may be repeated, the second ends the game.
    TextArena's rewards are those of `Setup`, summed up over the game.
    """

    def __init__(self, game: str, **setup: Any) -> None:
        self._game, self._told = game, setup

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Starts a game; a seed gives the cards of `Table.reset`. Raises ValueError for a wrong number of players."""
        seats = {} if self._told.get("opponents") else {"seats": num_players}
        setup = Setup(self._game, **seats | self._told)
        self._players = np.flatnonzero(setup.chairs == LEARNER).tolist()
        if len(self._players) != num_players:
            raise ValueError(f"This setup has {len(self._players)} learners, not {num_players}.")
        self.table, self._earned = Table(setup), np.zeros(setup.seats)
        self.table.reset(seed)
        self.state = textarena.FFAMultiPlayerState(num_players=num_players)
        rules = rules_of(setup.variant, setup.seats)

        def prompt(player_id: int, game_state: dict[str, Any]) -> str:
            return PROMPT.format(player=self._players[player_id], seats=setup.seats, rules=rules)

        self.state.reset(game_state={}, player_prompt_function=prompt)
        self._go_on(self.table.player)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Plays the move of the player whose turn it is."""
        state = self.state
        state.add_observation(action, ObservationType.PLAYER_ACTION, from_id=state.current_player_id)
        try:
            move = self.table.read_move((BRACKETS.findall(action) or [action])[-1])
        except ValueError as error:
            if state.set_invalid_move(str(error)):
                self._play(-1, str(error))
        else:
            self._play(move, "The game is over.")
        done, info = state.step(rotate_player=False)
        return done, info

    def _play(self, move: int, reason: str) -> None:
        """Plays a move, or an illegal one, which ends the game."""
        moved = self.table.step(move)
        self._earned += self.table.rewards
        if moved.terminated or moved.truncated:
            earned = {number: float(self._earned[player]) for number, player in enumerate(self._players)}
            self.state.add_observation(self.table.text(), ObservationType.GAME_BOARD)
            self.state.set_game_outcome(earned, reason)
        else:
            self._go_on(moved.player)

    def _go_on(self, player: int) -> None:
        """Shows the position to the player to move."""
        number = self._players.index(player)
        self.state.manually_set_current_player_id(number)
        self.state.add_observation(self.table.text(), ObservationType.GAME_BOARD, to_id=number)


def rules_of(variant: Variant, seats: int) -> str:
    """Returns the rules in English with the house rules; of your own variant the facts, as programs get them."""
    if variant.name not in variants.games():
        return "\n".join(game_lines(variant, seats))
    chapters = book_of(Words("en"), variant, variants.load(variant.name).facts).chapters
    return "\n\n".join(chapter.text(variant.name) for chapter in chapters if chapter.number in TOLD)


for game in shipped.games():
    textarena.register(
        f"Mulligan-{game}-v0", TextGolfEnv, default_wrappers=[LLMObservationWrapper, ActionFormattingWrapper], game=game
    )
