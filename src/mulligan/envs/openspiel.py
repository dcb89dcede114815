"""Holes for OpenSpiel, with cards as chance nodes (docs/environments.md)."""

from functools import cache
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote, unquote

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from mulligan.engine.rules import MAX_SEATS
from mulligan.engine.state import MOVES, NO_CARD, Phase
from mulligan.game import house_rules, variants
from mulligan.game.hole import Game, look_at
from mulligan.game.notation import write_choice, write_face, write_layout
from mulligan.game.safe_text import printable
from mulligan.simulation import numbered

from .chosen_cards import CHANCE, IMPOSSIBLE, OVER, act, deal_by, odds
from .learning_table import Table
from .setup import TURN_LIMIT, Setup

PARAMETERS: dict[str, Any] = {"players": 0, "house_rules": "", "reward": "field", "turn_limit": TURN_LIMIT}
UTILITY = pyspiel.GameType.Utility
NO_DICE = np.ones(1, np.int64)  # chance deals instead


def type_of(name: str, title: str, most_players: int, zero_sum: bool, parameters: dict[str, Any]) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=UTILITY.ZERO_SUM if zero_sum else UTILITY.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most_players,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class HoleGame(pyspiel.Game):
    """One hole. Chance deals: first who deals, then every card that is turned up, by its face.

    Parameters: `players` (0 for as few as the game allows from 2 upward), `house_rules` as text such as
    `jokers:-5;knock:any`, `reward`, `turn_limit`, and for the game `mulligan` also `game`: a name, or
    the path of a file, in a text with `%2C` for a comma; see `Setup`.
    """

    name, game = "mulligan", variants.games()[0]
    parameters: ClassVar[dict[str, Any]] = PARAMETERS | {"game": game}

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {name: value for name, value in (params or {}).items() if value != self.parameters[name]}
        if "game" in chosen:
            chosen["game"] = written_path(chosen["game"])
        given = {"game": self.game} | PARAMETERS | chosen
        self.setup = Setup(
            unquote(given["game"]),
            seats=given["players"],
            house_rules=read_house_rules(given["house_rules"]),
            reward=given["reward"],
            turn_limit=given["turn_limit"],
        )
        variant, players = self.setup.variant, self.setup.seats
        rules = variant.rules
        turns = self.setup.limit + players + 1
        cards = int(rules.slots) * players
        zero_sum = given["reward"] == "field" and players > 1  # who plays alone has no field
        least, most = utilities(rules, players, given["reward"])
        info = pyspiel.GameInfo(
            num_distinct_actions=MOVES,
            max_chance_outcomes=max(int(rules.faces), players),
            num_players=players,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=cards + 3 * turns,  # teeing off; then to take, place and turn up
        )
        self.most_cards = 2 + 2 * cards + 2 * turns  # the dealer, the first discard; teeing off, turns, the reveal
        kind = type_of(self.name, variant.title, rules.most_seats, zero_sum, self.parameters)
        super().__init__(kind, info, chosen)

    def __reduce__(self) -> tuple[Any, ...]:
        return load, (str(self),)

    def new_initial_state(self) -> "HoleState":
        return HoleState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.most_cards

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return HoleObserver(self.setup)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class HoleState(pyspiel.State):
    """A position of a hole. Actions are the engine's moves, chance outcomes are faces; the first one is the dealer."""

    def __init__(self, game: HoleGame) -> None:
        super().__init__(game)
        self.table = Table(game.setup, dice=NO_DICE)
        self.dealt = False
        self._next = CHANCE

    def current_player(self) -> int:
        return self._next

    def is_terminal(self) -> bool:
        return self._next == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return moves_of(int(self.table.records["legal"][0]))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        setup = self.table.setup
        if not self.dealt:
            return [(player, 1 / setup.seats) for player in range(setup.seats)]
        chances = np.empty(int(setup.rules["faces"][0]))
        odds(setup.rules, self.table.records, chances)
        return [(face, chance) for face, chance in enumerate(chances.tolist()) if chance]

    def _apply_action(self, action: int) -> None:
        """Raises ValueError for what cannot be."""
        setup, records = self.table.setup, self.table.records
        if self.dealt:
            after = act(setup.rules, setup.kind, setup.limit, records, action)
            if after == IMPOSSIBLE:
                raise ValueError(f"Action {action} is not possible now; possible are {self.legal_actions()}.")
            self._next = after
        else:
            self._next = deal_by(setup.rules, setup.kind, setup.limit, records, setup.seats, action)
            self.dealt = True

    def returns(self) -> list[float]:
        return self.table.rewards.tolist()

    def record(self) -> dict[str, Any]:
        """Returns the record of the hole, a match of one (docs/notation.md).

        Raises ValueError before the end, and where the turn limit ended the hole.
        """
        if not self.is_terminal():
            raise ValueError("There is no record: the hole is not over yet.")
        if self.table.records["truncated"][0]:
            raise ValueError("There is no record: the turn limit ended the hole before anyone closed.")
        setup, (dealer, *actions) = self.table.setup, self.history()
        game = Game(setup.recorded_variant, numbered(setup.names), dealer)
        hole = game.deal()
        for action in actions:
            if hole.awaits_card:
                hole.turn_up(action)
            else:
                hole.play(action)
        game.finish_hole()
        return game.record()

    def _action_to_string(self, player: int, action: int) -> str:
        variant = self.table.setup.variant
        if player != CHANCE:
            return write_choice(variant, action)
        return f"card {write_face(variant, action)}" if self.dealt else f"dealer {action}"

    def __str__(self) -> str:
        if not self.dealt:
            return "before the deal"
        variant, sight = self.table.setup.variant, look_at(self.table.state)
        lines = [f"{seat}: {write_layout(variant, sight.layouts[seat])}" for seat in range(sight.seats)]
        if sight.discard != NO_CARD:
            lines.append(f"discard {write_face(variant, sight.discard)}")
        if sight.held != NO_CARD:
            lines.append(
                f"held {write_face(variant, sight.held)} from {'stock' if sight.held_from_stock else 'discard'}"
            )
        turn = f"turn {sight.turn}, closer {sight.closer}, dealer {sight.dealer}, turns {sight.turns}"
        unseen, stock = (
            self.table.records["state"][bag][0, : len(variant.faces)].tolist() for bag in ("unseen", "stock")
        )
        lines += [f"{Phase(sight.phase).name.lower()}, awaited {sight.awaited}, {turn}"]
        return "\n".join([*lines, f"unseen {unseen}", f"stock {sight.stock_left}: {stock}"])


class HoleObserver:
    """The observation of all environments (docs/environments.md) as float32 `tensor`, and as `dict` of named views."""

    def __init__(self, setup: Setup) -> None:
        self.tensor = np.zeros(setup.layout.size, np.float32)
        self.dict = setup.layout.named(self.tensor)

    def set_from(self, state: HoleState, player: int) -> None:
        self.tensor[:] = state.table.observe(player)[0] if state.dealt else 0

    def string_from(self, state: HoleState, player: int) -> str:
        return str(state)


@cache
def moves_of(bits: int) -> list[int]:
    return [move for move in range(MOVES) if bits >> move & 1]


def written_path(game: str) -> str:
    """Returns the path of a variant file as it stands in a game's text: absolute, so that a pickled game opens from any
    folder, and with `%2C` for a comma and the like, which OpenSpiel keeps for itself. A name stays as it is."""
    return quote(str(Path(unquote(game)).absolute()), safe="/") if variants.is_path(game) else game


def read_house_rules(text: str) -> dict[str, Any]:
    """Reads `jokers:-5;knock:any`: OpenSpiel keeps equals signs and commas for itself. Raises FormError."""
    parts = [part for part in text.split(";") if part]
    for part in parts:
        if not all(part.partition(":")):
            raise house_rules.FormError("house_options_wrong_form", text=printable(part, 40), example="jokers:-5")
    return house_rules.read(part.replace(":", "=") for part in parts)


def utilities(rules: Any, players: int, reward: str) -> tuple[float, float]:
    """Returns bounds of what a player may earn. They are safe, and seldom reached."""
    if reward == "match":
        return 0.0, 1.0
    points, lines = rules.points[: rules.faces].astype(float), rules.line_points[: rules.faces].astype(float)
    most = rules.slots * max(0.0, points.max(), lines.max())
    most += abs(int(rules.closer_penalty)) * players + (int(rules.penalty_factor) - 1) * most
    least = rules.slots * min(0.0, points.min()) + rules.lines * min(0.0, lines.min())
    least -= rules.lines * abs(rules.bonus.astype(float)).max() + abs(int(rules.block_points))
    return (-most, -least) if reward == "points" else (least - most, most - least)


def load(text: str) -> pyspiel.Game:
    """Returns a game from its text. Unlike OpenSpiel's function, pickle finds this one together with the games."""
    return pyspiel.load_game(text)


def register() -> None:
    """Tells OpenSpiel of every game, as `mulligan_NAME`, and of `mulligan`, whose parameter `game` may be a file.

    OpenSpiel drops what it has registered after Python has ended, which only classes survive.
    """
    for game in variants.games():
        add(type(f"HoleGame_{game}", (HoleGame,), {"name": f"mulligan_{game}", "game": game, "parameters": PARAMETERS}))
    add(HoleGame)


def add(kind: type[HoleGame]) -> None:
    variant = variants.load(kind.game)
    pyspiel.register_game(type_of(kind.name, variant.title, MAX_SEATS, True, kind.parameters), kind)
