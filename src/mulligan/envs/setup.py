"""What is played in an environment: the game, the seats, the opponents and the rewards."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mulligan.game.variants import Variant, VariantError, for_match, for_seats, is_path, load_game
from mulligan.simulation import LEARNER, seat_players, single_hole

from .observation import Layout
from .rewards import REWARDS

ONE_HOLE = {"holes": 1, "level": "share"}  # the house rules of a record of one hole
TURN_LIMIT = 100  # turns per seat in one hole, far more than a long one takes


class Setup:
    """What is played. Raises ValueError for anything that the game or the package does not have.

    game: the name of a game, or the path of a variant file.
    opponents: the names of computer players for all seats but the first, dealt out in turn; None is another seat of the
        learner's. If there are none, every seat is.
    seats: how many play; 0 for one more than the opponents named, or for as few as the game allows from 2 upward.
    house_rules: the options of the game that differ, such as `{"jokers": -5}`.
    reward: "field", "points" or "match" (see `rewards`).
    whole_match: whether an episode is a match (6) or a single hole.
    turn_limit: how many turns each seat may have in a hole, teeing off included; then the episode is truncated.
    recorded: whether the games are kept, so that `record` returns the last one (docs/notation.md).
    """

    def __init__(
        self,
        game: str,
        opponents: Sequence[str | None] = (),
        seats: int = 0,
        house_rules: Mapping[str, Any] | None = None,
        reward: str = "field",
        whole_match: bool = False,
        turn_limit: int = TURN_LIMIT,
        recorded: bool = False,
    ) -> None:
        if is_path(game):
            game = os.path.abspath(game)  # a pickled environment opens from any folder
        told = dict(house_rules or {})
        self._arguments = (game, tuple(opponents), seats, told, reward, whole_match, turn_limit, recorded)
        named = load_game(game, house_rules)
        self.seats = seats or (len(opponents) + 1 if opponents else max(2, named.seats[0]))
        check(named, self.seats, opponents, reward, turn_limit)
        self.variant: Variant = for_seats(named, self.seats)
        rules = self.variant.rules if whole_match else single_hole(self.variant.rules)
        self.rules = np.array([rules])
        self.kind = REWARDS[reward]
        self.limit = turn_limit * self.seats
        self.recorded = recorded
        self.recorded_variant = self.variant if whole_match else for_match(self.variant, ONE_HOLE)
        of_chairs = [opponents[at % len(opponents)] if opponents else None for at in range(self.seats - 1)]
        self.names = ["learner", *(name or "learner" for name in of_chairs)]
        self.chairs, self.brain = np.full(self.seats, LEARNER, np.int64), None
        if names := [name for name in opponents if name is not None]:
            seated, self.brain = seat_players(names, rules, self.seats)
            found: dict[str | None, int] = dict(zip(names, seated.tolist(), strict=False))
            self.chairs[1:] = [found.get(name, LEARNER) for name in of_chairs]
        self.layout = Layout(rules, self.seats)

    @property
    def told(self) -> tuple[Any, ...]:
        """The arguments that the functions of `playing` begin with."""
        return self.rules, self.kind, self.limit, self.chairs, self.brain

    def __deepcopy__(self, copies: dict[int, Any]) -> "Setup":
        return self  # it never changes

    def __reduce__(self) -> tuple[Any, ...]:
        return Setup, self._arguments  # the addresses of the opponents are another process's


def check(variant: Variant, seats: int, opponents: Sequence[str | None], reward: str, turn_limit: int) -> None:
    """Raises VariantError or ValueError, in one sentence."""
    if isinstance(opponents, str):
        raise ValueError(f"opponents is a list of names, such as [{opponents!r}].")
    if seats not in variant.seats:
        least, most = variant.seats[0], variant.seats[-1]
        raise VariantError(f"{variant.title} is for {least} to {most} players, not {seats}.")
    if len(opponents) >= seats:
        raise ValueError(f"{len(opponents)} opponents and the learner need {len(opponents) + 1} seats, not {seats}.")
    if reward not in REWARDS:
        raise ValueError(f"There is no reward “{reward}”; there are {', '.join(REWARDS)}.")
    if not 1 <= turn_limit <= 10_000:
        raise ValueError(f"turn_limit is from 1 to 10,000, not {turn_limit}.")


def check_one_learner(setup: Setup, library: str) -> None:
    """Raises ValueError if a table has more than one learner."""
    if (setup.chairs[1:] == LEARNER).any():
        raise ValueError(f"{library} plays with one learner at a table: name the opponents, such as ['greedy'].")
