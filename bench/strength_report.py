"""The pages on strength, written from the results kept in docs/strength.jsonl."""

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from marked_parts import replaced
from strength_chart import Mark, Panel, chart

from mulligan.game import variants
from mulligan.players.roster import LEVELS

DOCS = Path(__file__).parents[1] / "docs"
KEPT = DOCS / "strength.jsonl"
TITLES = {"play_nine": "Play Nine", "nine_card": "Nine-card golf"}
SEARCH = "search"  # too slow to be measured in every game
QUICK = [name for name in LEVELS if name != SEARCH]
LADDER = ("random", *QUICK, "net")
BASELINES = ("random", *QUICK, "greedy", "net", SEARCH)
ZERO = "greedy"  # the player that chart and baselines compare with

Piece = dict[str, Any]

OPENING = """# Strength

How strong the computer players are. For anyone who chooses an opponent, writes a player or compares with one.
"""

SUMMARY = """\
One stroke is one point, and fewer points are better. Every figure comes with its 95 % interval. Seats are swapped from
hole to hole; a shared win counts by its part. `search` plays few holes, so most of its strokes are less the luck of the
cards, as in [the arena](arena.md#the-columns). `make strength` plays all pairs and writes this page, [the
tables](strength-tables.md) and the chart from [strength.jsonl](strength.jsonl). Each line there names the commit that
measured or published it, and newer ones the machine. Strokes do not depend on the machine: `search` gets a number of
turns to look at, and no time.

![Strokes per hole over {zero}, two seats, with 95 % intervals](pictures/strength.svg)

Strokes per hole that each player gains against `{zero}` at two seats. Green: levels for people, and `search`. Grey:
reference players. `random` is off the scale: {random}.

## Players

- **Levels for people**: {levels}. They have human weaknesses and no dice.
  In some games the net keeps them from their worst mistakes. `search` is the strongest and thinks longest.
- `net` searches its turn exactly and judges the rest with a net; `search` builds on it.
- **Reference players**: `random` plays any legal move. `greedy` looks one turn ahead exactly, with the cards counted.
- **Reference players written from published descriptions**, only for measurements (`bench/reference_players.py`):
  `threshold` swaps a card if it gains five points or more, else discards and turns up the next card (a public simulator
  found five best). `patient` plays like `greedy` but closes only at −9 or better (a public genetic algorithm found such
  players).
"""

TABLES = """# Strength: the tables

All results behind [the summary](strength.md), written by `make strength`. For anyone who needs the figure of one pair.
"""


def read_pieces() -> list[Piece]:
    return [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()] if KEPT.exists() else []


def pages(pieces: list[Piece]) -> dict[str, str]:
    """What each file in docs/ says, by its name."""
    return {
        "strength.md": summary(pieces),
        "strength-tables.md": tables(pieces),
        "study.md": replaced((DOCS / "study.md").read_text(encoding="utf-8"), "baselines", baselines(pieces)),
        "pictures/strength.svg": picture(pieces),
    }


def summary(pieces: list[Piece]) -> str:
    random = [
        f"{strokes(over)} ({title})"
        for game, title in TITLES.items()
        if (over := Pairs(pieces, game).over("random", ZERO, "strokes"))
    ]
    quick = ", ".join(f"`{name}`" for name in QUICK)
    text = SUMMARY.format(zero=ZERO, levels=quick, random=", ".join(random) or "not played yet")
    return "\n".join([OPENING, steps(pieces), text, levels(pieces), other_games(pieces), distance(pieces)])


def tables(pieces: list[Piece]) -> str:
    parts = [TABLES, targets(pieces)]
    for game, title in TITLES.items():
        mine = [piece for piece in pieces if piece["game"] == game]
        if any(piece["kind"] == "pair" for piece in mine):
            parts += [f"## {title}\n", pairs(mine), fields(mine)]
    parts += ["## How far from perfect\n", *gaps(pieces), *clairvoyance(pieces), *rounding(pieces)]
    return "\n".join(parts)


def picture(pieces: list[Piece]) -> str:
    panels = []
    for game, title in TITLES.items():
        table = Pairs(pieces, game)
        marks = [Mark(ZERO, 0.0, 0.0, False)]
        for name in {name for piece in table.pieces for name in piece["players"]} - {ZERO, "random"}:
            if over := table.over(name, ZERO, "strokes"):
                marks.append(Mark(name, over[0], over[1], name in LEVELS))
        panels.append(Panel(title, sorted(marks, key=lambda mark: (-mark.mean, mark.name))))
    return chart(panels, f"strokes per hole better than {ZERO}, two seats", -15, 15, 5)


class Pairs:
    """One player's result against another at two seats, whichever of them came first."""

    def __init__(self, pieces: list[Piece], game: str) -> None:
        self.pieces = [piece for piece in pieces if piece["kind"] == "pair" and piece["game"] == game]

    def over(self, one: str, other: str, what: str) -> list[float] | None:
        for piece in self.pieces:
            if piece["players"] == [one, other]:
                return list(piece[what])
            if piece["players"] == [other, one]:
                mean, half = piece[what]
                return [-mean if what == "strokes" else 1 - mean, half]
        return None

    def ranked(self) -> list[str]:
        """The strongest first, by mean strokes against everyone."""
        names = {name for piece in self.pieces for name in piece["players"]}

        def mean(name: str) -> float:
            results = [self.over(name, other, "strokes") for other in names if other != name]
            means = [result[0] for result in results if result]
            return sum(means) / max(1, len(means))

        return sorted(names, key=mean, reverse=True)


class Target(NamedTuple):
    """A result we wanted, and the least it should be."""

    text: str
    name: str  # of the piece
    what: str
    least: float
    write: Callable[[list[float]], str]


def strokes(result: list[float]) -> str:
    return f"{result[0]:+.2f} ± {result[1]:.2f}".replace("-", "−")


def percent(result: list[float]) -> str:
    """A share and its interval, limited to 0 and 100."""
    mean, half = result
    return f"{100 * mean:.1f} % ({100 * max(0, mean - half):.0f}–{100 * min(1, mean + half):.0f})"


GREEDY, THREE_GREEDY = "pair play_nine 2 search greedy", "field play_nine 4 search greedy"
THINKING = "thinking play_nine 2 search net"
TARGETS = (
    Target("`search` beats `greedy`, strokes per hole", GREEDY, "strokes", 8.5, strokes),
    Target("`search` beats `net`, strokes per hole", THINKING, "strokes", 1, strokes),
    Target("`search` wins matches against `greedy`", GREEDY, "games_won", 0.97, percent),
    Target("`search` wins matches against three `greedy`", THREE_GREEDY, "games_won", 0.6, percent),
)


def targets(pieces: list[Piece]) -> str:
    lines = ["## Targets\n", "What we aimed for in Play Nine; two seats unless stated.\n"]
    lines += ["| target | wanted | reached | met |", "|---|---|---|---|"]
    for target in TARGETS:
        kind, game, _, one, other = target.name.split()
        result = next((piece[target.what] for piece in pieces if piece["name"] == target.name), None)
        if kind == "pair":
            result = Pairs(pieces, game).over(one, other, target.what)
        wanted = f"{target.least:g}" if target.what == "strokes" else f"{100 * target.least:g} %"
        reached = target.write(result) if result else "not played yet"
        met = "" if not result else "yes" if result[0] >= target.least else "no"
        lines.append(f"| {target.text} | {wanted} | {reached} | {met} |")
    for bound in (piece for piece in pieces if piece["name"] == "gap play_nine 2 greedy"):
        lines.append(
            f"\nAgainst `greedy`, a player trained only against it gains {strokes(bound['strokes'])} strokes per hole "
            "([how far from perfect](#how-far-from-perfect))."
        )
    return "\n".join([*lines, ""])


def steps(pieces: list[Piece]) -> str:
    """How much better each level is than the one below it, in every game."""
    games = [variants.load(name) for name in variants.games()]
    lines = [
        "## The ladder\n",
        "Strokes per hole that each level gains over the one below it, two seats. `search` builds on `net` and thinks "
        "too long for so many holes. So its gain is measured decision by decision (`bench/thinking.py`).\n",
        "| | " + " | ".join(game.title for game in games) + " |",
        "|---" * (len(games) + 1) + "|",
    ]
    for lower, upper in itertools.pairwise(LADDER):
        results = [Pairs(pieces, game.name).over(upper, lower, "strokes") for game in games]
        cells = [strokes(result) if result else "" for result in results]
        lines.append(f"| `{upper}` over `{lower}` | {' | '.join(cells)} |")
    thinking = {piece["game"]: strokes(piece["strokes"]) for piece in pieces if piece["kind"] == "thinking"}
    lines.append(f"| `search` over `net` | {' | '.join(thinking.get(game.name, '') for game in games)} |")
    return "\n".join([*lines, ""])


def heading(*columns: str) -> list[str]:
    """The first two lines of a table; a text may hold several columns."""
    line = f"| {' | '.join(columns)} |"
    return [line, "|---" * (line.count("|") - 1) + "|"]


def baselines(pieces: list[Piece]) -> str:
    """The table in the page for researchers."""
    lines = heading("player", *TITLES.values())
    for name in BASELINES:
        results = [Pairs(pieces, game).over(name, ZERO, "strokes") for game in TITLES]
        if any(results):
            lines.append(f"| `{name}` | {' | '.join(strokes(result) if result else '' for result in results)} |")
    return "\n".join(lines)


def levels(pieces: list[Piece]) -> str:
    lines = [
        "## Levels\n",
        "Each against the one below it, two seats: strokes per hole, and share of nine-hole matches won.\n",
    ]
    lines += ["| | Play Nine | | Nine-card golf | |", "|---|---|---|---|---|"]
    for lower, upper in zip(("random", *LEVELS), LEVELS, strict=False):
        cells = []
        for game in TITLES:
            results = [Pairs(pieces, game).over(upper, lower, what) for what in ("strokes", "games_won")]
            cells += [strokes(results[0]), percent(results[1])] if results[0] and results[1] else ["", ""]
        if any(cells):
            lines.append(f"| `{upper}` over `{lower}` | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def other_games(pieces: list[Piece]) -> str:
    """What `net` gains in the games of which little else was measured."""
    others = [variant for variant in map(variants.load, variants.games()) if variant.name not in TITLES]
    found = {(piece["game"], piece["seats"], *piece["players"]): strokes(piece["strokes"]) for piece in pieces}
    seats = sorted({count for game, count, *players in found if game not in TITLES and players == ["net", "greedy"]})
    if not seats:
        return ""
    lines = [
        "## The other games\n",
        "Strokes per hole that `net` gains on the mean of the others, all of them `greedy`.\n",
        f"| | {' | '.join(f'{count} seats' for count in seats)} |",
        "|---" * (len(seats) + 1) + "|",
    ]
    for variant in others:
        cells = [found.get((variant.name, count, "net", "greedy"), "") for count in seats]
        lines.append(f"| {variant.title} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def distance(pieces: list[Piece]) -> str:
    """The section on perfection in a few lines."""
    lines = ["## How far from perfect\n"]
    for piece in pieces:
        if piece["kind"] == "gap":
            lines.append(
                f"- A player trained only against `{piece['players'][1]}` gains {strokes(piece['strokes'])} strokes "
                f"per hole against it; `net` gains {strokes(piece['net'])} ({TITLES[piece['game']]})."
            )
    for piece in pieces:
        if piece["kind"] == "clairvoyant":
            lines.append(
                f"- A player who sees the whole pack gains {strokes(piece['strokes'])} against `{piece['players'][1]}` "
                f"({TITLES[piece['game']]})."
            )
    return "\n".join([*lines, ""])


def pairs(pieces: list[Piece]) -> str:
    table = Pairs(pieces, pieces[0]["game"])
    ranked = table.ranked()
    holes = [piece["holes"] for piece in table.pieces]
    games = [piece["games"] for piece in table.pieces]
    size = f"{min(holes):,} to {max(holes):,} single holes and {min(games):,} to {max(games):,} matches per pair."
    parts = [f"### Two seats\n\n{size}\n"]
    for what, heading, write in (
        ("strokes", "Strokes per hole by which the row beats the column", strokes),
        ("holes_won", "Share of holes the row wins", percent),
        ("games_won", "Share of nine-hole matches the row wins", percent),
    ):
        lines = [
            f"{heading}:\n",
            "| | " + " | ".join(f"`{name}`" for name in ranked) + " |",
            "|---" * (len(ranked) + 1) + "|",
        ]
        for row in ranked:
            results = [table.over(row, column, what) if row != column else None for column in ranked]
            lines.append(f"| `{row}` | " + " | ".join(write(cell) if cell else "" for cell in results) + " |")
        parts += ["\n".join([*lines, ""])]
    return "\n".join(parts)


def fields(pieces: list[Piece]) -> str:
    played = [piece for piece in pieces if piece["kind"] == "field"]
    parts = []
    for field in sorted({piece["players"][1] for piece in played}):
        against = [piece for piece in played if piece["players"][1] == field]
        seats = sorted({piece["seats"] for piece in against})
        heads = [f"{count} seats: strokes | holes | matches" for count in seats]
        lines = [f"### One against a field of `{field}`\n"]
        lines += [
            "Strokes per hole better than the mean of the others; shares of holes and matches won. A fair share is "
            + ", ".join(f"{100 / count:.0f} %" for count in seats) + ".\n",
            f"| | {' | '.join(heads)} |",
            "|---" * (3 * len(seats) + 1) + "|",
        ]  # fmt: skip
        best = {piece["players"][0]: piece["strokes"][0] for piece in against if piece["seats"] == seats[0]}
        for name in sorted({piece["players"][0] for piece in against}, key=lambda name: -best.get(name, -99)):
            cells = []
            for count in seats:
                found = [piece for piece in against if piece["seats"] == count and piece["players"][0] == name]
                one = found[0] if found else None
                cells += (
                    [strokes(one["strokes"]), percent(one["holes_won"]), percent(one["games_won"])] if one else [""] * 3
                )
            lines.append(f"| `{name}` | {' | '.join(cells)} |")
        parts.append("\n".join([*lines, ""]))
    return "\n".join(parts)


def gaps(pieces: list[Piece]) -> Iterator[str]:
    """Lines of the kind `gap`: what a best response trained against `players[1]` gains."""
    found = [piece for piece in pieces if piece["kind"] == "gap"]
    if not found:
        return
    yield (
        "**Best response**: a player trained only against one of ours, until it gains no more. Its gain over `net` "
        "(the net's look-ahead, on which `search` builds) is what `net` leaves to gain; its gain over `greedy` is "
        "about the most that anyone can have without seeing the cards (`python bench/best_response.py`).\n"
    )
    yield "| game | seats | against | `net` gains, strokes per hole | best response gains | how |\n" + "|---" * 6 + "|"
    for piece in found:
        cells = [
            TITLES[piece["game"]],
            piece["seats"],
            f"`{piece['players'][1]}`",
            strokes(piece["net"]),
            strokes(piece["strokes"]),
            piece["how"],
        ]
        yield f"| {' | '.join(map(str, cells))} |"
    yield ""


def clairvoyance(pieces: list[Piece]) -> Iterator[str]:
    found = [piece for piece in pieces if piece["kind"] == "clairvoyant"]
    if not found:
        return
    yield (
        "**The luck limit**: a player who sees every card of the pack and knows how the other will answer, and plays "
        "for the difference. A beam search through the rest of the hole finds its moves (the best "
        f"{found[0]['width']} tables per turn; `bench/clairvoyant.py`), so the true limit is at least as high. No "
        "player who does not see the cards can come near.\n"
    )
    yield "| game | against | its points per hole | the other's | difference | holes won | holes |"
    yield "|---" * 7 + "|"
    for piece in found:
        mine, others = piece["points"]
        cells = [TITLES[piece["game"]], f"`{piece['players'][1]}`", f"{mine:.1f}".replace("-", "−"), f"{others:.1f}"]
        cells += [strokes(piece["strokes"]), percent(piece["holes_won"]), f"{piece['holes']:,}"]
        yield f"| {' | '.join(cells)} |"
    yield ""


def rounding(pieces: list[Piece]) -> Iterator[str]:
    """Lines of the kind `nets`: what a net gains on itself before it was rounded for its file."""
    found = [piece for piece in pieces if piece["kind"] == "nets"]
    if not found:
        return
    yield "## Rounded nets\n"
    yield (
        "Nets are rounded in their files ([why](decisions.md#nets-are-rounded-in-their-files)). Each against itself "
        "before that: how far their values of the turn differ (root mean square) and in how many of 10,000 positions "
        "their moves differ; then strokes per hole gained by rounding, in the same deals with seats exchanged "
        "(`bench/two_nets.py`). In square golf many moves are mirror images of others, and equally good: the last "
        "digit decides between them.\n"
    )
    yield from heading("game", "seats", "values differ by", "other moves", "strokes per hole", "holes")
    for piece in found:
        cells = [variants.load(piece["game"]).title, str(piece["seats"]), f"{piece['error']:.3f}"]
        cells += [f"{100 * piece['other_moves']:.1f} %", strokes(piece["strokes"]), f"{piece['holes']:,}"]
        yield f"| {' | '.join(cells)} |"
    yield ""
