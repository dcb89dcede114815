"""The games of tests/variants, and for some of them what the independent referee has to know."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from independent import GAMES, Rules, clear_points, nine_card_points, play_nine_points, square_points

from mulligan.game import variants

FOLDER = Path(__file__).parent / "variants"
OWN_FILES = sorted(FOLDER.glob("*.toml"))

MINI_COLUMNS = Rules(
    players=range(2, 4), pack={"0": 6, "5": 6, "H": 4}, rows=2, columns=2, tee_off=1, tee_off_first=True,
    may_discard_drawn=True, may_leave_last=True, may_decline=False, points=play_nine_points, penalty=0, playoff=True,
    holes=2,
)  # fmt: skip
MINI_ROWS = Rules(
    players=range(2, 4), pack={"A": 5, "K": 6, "*": 4}, rows=2, columns=2, tee_off=1, tee_off_first=False,
    may_discard_drawn=False, may_leave_last=False, may_decline=True, points=nine_card_points, penalty=5, playoff=False,
    holes=3,
)  # fmt: skip
MINI_QUIET = replace(MINI_COLUMNS, discard_ends_turn=True, may_leave_last=False, last_turns=False, packs=(2, 3))
WORTH = {"0": 0, "1": 1, "5": 5, "H": -5}
MINI_SQUARE = replace(
    MINI_COLUMNS, pack={"1": 6, "5": 6, "H": 4}, may_leave_last=False, discard_ends_turn=True, playoff=False,
    points=partial(square_points, block=-10, worth=WORTH),
)  # fmt: skip
MINI_CLEAR = replace(
    MINI_COLUMNS, may_leave_last=False, closer_starts=WORTH, columns_clear=True, penalty_factor=2, ties_count=True,
    holes=20, until=12, playoff=False, points=partial(clear_points, worth=WORTH),
)  # fmt: skip
MINI_KNOCK = replace(
    MINI_COLUMNS, tee_off=2, tee_off_place="different_columns", may_leave_last=False, may_leave_any=True, knock=1,
    penalty=10, penalty_once=True,
)  # fmt: skip
RULES = GAMES | {
    "mini_columns": MINI_COLUMNS,
    "mini_rows": MINI_ROWS,
    "mini_quiet": MINI_QUIET,
    "mini_square": MINI_SQUARE,
    "mini_clear": MINI_CLEAR,
    "mini_knock": MINI_KNOCK,
}


def load(name: str) -> variants.Variant:
    """A game that comes with the package, or one of the tests' own."""
    own = FOLDER / f"{name}.toml"
    return variants.load(str(own)) if own.exists() else variants.load(name)
