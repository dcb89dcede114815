"""docs/strength.md, written from the pieces kept in docs/strength.jsonl."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

DOCS = Path(__file__).parents[1] / "docs"
KEPT = DOCS / "strength.jsonl"
TITLES = {"play_nine": "Play Nine", "nine_card": "Nine-card golf"}
LEVELS = ("beginner", "weekend", "regular", "club", "pro", "search")

Piece = dict[str, Any]

OPENING = """# Strength

How strong the computer players are, in strokes: one stroke is one point, and fewer points are better. Made by
`make strength`, which lets them play and writes this page; every figure is kept in [strength.jsonl](strength.jsonl).
Each comes with its 95 % interval. Seats are swapped from hole to hole. A shared win counts by its part.

**Levels for people**, each with weaknesses a person has, and none of them with dice: `beginner`, `weekend`, `regular`,
`club`, `pro`; above them stands `search`. **Reference opponents**, written from their published descriptions:
`random` plays any legal move. `greedy` looks one turn ahead, exactly, with the cards counted. `threshold` swaps a
card where that gains five points or more and otherwise throws away and turns up the next one (a public simulator
found five best). `patient` plays as `greedy` does, but closes only at −9 or better (a public genetic algorithm came to
such players). `linear` has learnt from its own games, by temporal differences, what features of the table are worth.
`plain_book` looks its own layout up by the number of the turn, and `book` by what the table shows of the others.
"""


def read_pieces() -> list[Piece]:
    return [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()] if KEPT.exists() else []


def report(pieces: list[Piece]) -> str:
    parts = [OPENING, goals(pieces), levels(pieces)]
    for game, title in TITLES.items():
        mine = [piece for piece in pieces if piece["game"] == game]
        if any(piece["kind"] == "pair" for piece in mine):
            parts += [f"## {title}\n", pairs(mine), fields(mine)]
    return "\n".join([*parts, limits(pieces)])


class Pairs:
    """What one player has over another at two seats, whichever way round it was played."""

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
        """The strongest first, by strokes against everybody."""
        names = {name for piece in self.pieces for name in piece["players"]}

        def mean(name: str) -> float:
            told = [self.over(name, other, "strokes") for other in names if other != name]
            had = [strokes[0] for strokes in told if strokes]
            return sum(had) / max(1, len(had))

        return sorted(names, key=mean, reverse=True)


class Goal(NamedTuple):
    """Something `report` looks up among the pieces, and what it should at least be."""

    text: str
    name: str  # of the piece
    what: str
    least: float
    write: Callable[[list[float]], str]


def strokes(told: list[float]) -> str:
    return f"{told[0]:+.2f} ± {told[1]:.2f}".replace("-", "−")


def percent(told: list[float]) -> str:
    """A share and its interval, which ends at none and at all."""
    mean, half = told
    return f"{100 * mean:.1f} % ({100 * max(0, mean - half):.0f}–{100 * min(1, mean + half):.0f})"


GOALS = (
    Goal("`book` beats `greedy`, strokes a hole", "pair play_nine 2 book greedy", "strokes", 7, strokes),
    Goal("`search` beats `greedy`, strokes a hole", "pair play_nine 2 search greedy", "strokes", 8.5, strokes),
    Goal("`search` beats `plain_book`, strokes a hole", "pair play_nine 2 search plain_book", "strokes", 3.5, strokes),
    Goal(
        "`search` wins nine-hole games against `greedy`", "pair play_nine 2 search greedy", "games_won", 0.97, percent
    ),
    Goal("`search` against three `greedy` wins games", "field play_nine 4 search greedy", "games_won", 0.5, percent),
)


def goals(pieces: list[Piece]) -> str:
    lines = ["## The goals\n", "Play Nine; two seats where nothing else is said.\n"]
    lines += ["| goal | wanted | reached | |", "|---|---|---|---|"]
    for goal in GOALS:
        kind, game, _, one, other = goal.name.split()
        told = next((p[goal.what] for p in pieces if p["name"] == goal.name), None)
        if kind == "pair":
            told = Pairs(pieces, game).over(one, other, goal.what)
        wanted = f"{goal.least:g}" if goal.what == "strokes" else f"{100 * goal.least:g} %"
        reached = goal.write(told) if told else "not played yet"
        met = "" if not told else "yes" if told[0] >= goal.least else "no"
        lines.append(f"| {goal.text} | {wanted} | {reached} | {met} |")
    return "\n".join([*lines, ""])


def levels(pieces: list[Piece]) -> str:
    lines = [
        "## The levels\n",
        "Each against the one below it, two seats: strokes a hole, and share of nine-hole games won.\n",
    ]
    lines += ["| | Play Nine | | Nine-card golf | |", "|---|---|---|---|---|"]
    for lower, upper in zip(("random", *LEVELS), LEVELS, strict=False):
        cells = []
        for game in TITLES:
            told = [Pairs(pieces, game).over(upper, lower, what) for what in ("strokes", "games_won")]
            cells += [strokes(told[0]), percent(told[1])] if told[0] and told[1] else ["", ""]
        if any(cells):
            lines.append(f"| `{upper}` over `{lower}` | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def pairs(pieces: list[Piece]) -> str:
    table = Pairs(pieces, pieces[0]["game"])
    ranked = table.ranked()
    holes = [piece["holes"] for piece in table.pieces]
    games = [piece["games"] for piece in table.pieces]
    said = f"{min(holes):,} to {max(holes):,} single holes and {min(games):,} to {max(games):,} games of nine a pair."
    parts = [f"### Two seats\n\n{said}\n"]
    for what, heading, write in (
        ("strokes", "Strokes a hole by which the row beats the column", strokes),
        ("holes_won", "Share of holes the row wins", percent),
        ("games_won", "Share of nine-hole games the row wins", percent),
    ):
        lines = [
            f"{heading}:\n",
            "| | " + " | ".join(f"`{name}`" for name in ranked) + " |",
            "|---" * (len(ranked) + 1) + "|",
        ]
        for row in ranked:
            told = [table.over(row, column, what) if row != column else None for column in ranked]
            lines.append(f"| `{row}` | " + " | ".join(write(cell) if cell else "" for cell in told) + " |")
        parts += ["\n".join([*lines, ""])]
    return "\n".join(parts)


def fields(pieces: list[Piece]) -> str:
    played = [piece for piece in pieces if piece["kind"] == "field"]
    parts = []
    for field in sorted({piece["players"][1] for piece in played}):
        against = [piece for piece in played if piece["players"][1] == field]
        seats = sorted({piece["seats"] for piece in against})
        heads = [f"{count} seats: strokes | holes | games" for count in seats]
        lines = [f"### One against a field of `{field}`\n"]
        lines += [
            "Strokes a hole better than the mean of the others; shares of holes and games won, where a fair share is "
            + ", ".join(f"{100 / count:.0f} %" for count in seats) + ".\n",
            f"| | {' | '.join(heads)} |",
            "|---" * (3 * len(seats) + 1) + "|",
        ]  # fmt: skip
        best = {piece["players"][0]: piece["strokes"][0] for piece in against if piece["seats"] == seats[0]}
        for name in sorted({piece["players"][0] for piece in against}, key=lambda name: -best.get(name, -99)):
            cells = []
            for count in seats:
                told = [piece for piece in against if piece["seats"] == count and piece["players"][0] == name]
                one = told[0] if told else None
                cells += (
                    [strokes(one["strokes"]), percent(one["holes_won"]), percent(one["games_won"])] if one else [""] * 3
                )
            lines.append(f"| `{name}` | {' | '.join(cells)} |")
        parts.append("\n".join([*lines, ""]))
    return "\n".join(parts)


def limits(pieces: list[Piece]) -> str:
    return "\n".join(["## How far from perfect\n", *gaps(pieces), *clairvoyance(pieces)])


def gaps(pieces: list[Piece]) -> Iterator[str]:
    """Lines of the kind `gap`: what a best response computed against `players[1]` beats it by."""
    found = [piece for piece in pieces if piece["kind"] == "gap"]
    if not found:
        return
    yield (
        "**Best response**: somebody who learns from holes against one of ours alone, until he gains no more. What he "
        "has over `eye` (the net's look-ahead, on which `search` builds) is what `eye` leaves to be gained; what he "
        "has over `greedy` is about the most anybody who does not see the cards can have "
        "(`python bench/best_response.py`).\n"
    )
    yield "| game | seats | against | `eye` has, strokes a hole | the best response has | how |\n" + "|---" * 6 + "|"
    for piece in found:
        cells = [
            TITLES[piece["game"]],
            piece["seats"],
            f"`{piece['players'][1]}`",
            strokes(piece["eye"]),
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
        "**The luck limit**: somebody who sees through every card of the pack, and knows how the other one will "
        "answer, sits down with him and plays for the difference. He looks for his moves with a beam search through "
        f"the rest of the hole (the best {found[0]['width']} tables a turn; `bench/clairvoyant.py`), so that he may do "
        "better still. No player who does not see the cards can come near.\n"
    )
    yield "| game | against | his points a hole | the other's | difference | holes won | holes |"
    yield "|---" * 7 + "|"
    for piece in found:
        mine, others = piece["points"]
        cells = [TITLES[piece["game"]], f"`{piece['players'][1]}`", f"{mine:.1f}".replace("-", "−"), f"{others:.1f}"]
        cells += [strokes(piece["strokes"]), percent(piece["holes_won"]), f"{piece['holes']:,}"]
        yield f"| {' | '.join(cells)} |"
    yield ""
