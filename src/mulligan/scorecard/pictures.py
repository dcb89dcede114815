"""Derives the pictures of the scoring rules from the facts of a variant (5)."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from mulligan.engine.rules import OtherLines, slot_in_line
from mulligan.engine.scoring import lines_cost
from mulligan.game.notation import read_layout
from mulligan.game.score_parts import explain
from mulligan.game.variants import Variant, packs_for

from .card_words import MINUS, signed, words

LONG_RUN = 4  # a run of this many cards that score their number is one picture


def pictures(variant: Variant, language: str) -> dict[str, Any]:
    """Returns the pictures for the card: points of cards, matched lines and bonuses, penalty, winner."""
    text, rules = words(language), variant.rules
    penalty, factor = int(rules.closer_penalty), int(rules.penalty_factor)
    charged = text["closer_once" if rules.penalty_once else "closer"].format(points=penalty)
    return {
        "columns": int(rules.columns),
        "cards": cards(variant),
        "boards": [*single_lines(variant, text), *several_lines(variant, text), *squares(variant, text)],
        "example": example(variant),
        "heading": text[heading(variant)],
        "closer": charged if penalty else text["doubled"] if factor > 1 else None,
        "penalty": closing(penalty, factor) if penalty or factor > 1 else None,
        "winning": [
            text["until"].format(until=int(rules.until), holes=int(rules.holes))
            if rules.until
            else text["lowest"].format(holes=int(rules.holes)),
            text["playoffs" if rules.playoff else "share"],
        ],
    }


def heading(variant: Variant) -> str:
    """Returns the key of the heading: which lines match (5.2), and whether they leave (3.7)."""
    if variant.rules.other_lines:
        return "diagonals" if variant.rules.other_lines == OtherLines.DIAGONALS else "crossing"
    if variant.rules.lines_clear:
        return "clearing"
    return "columns" if variant.rules.lines_are_columns else "rows"


def cards(variant: Variant) -> list[dict[str, Any]]:
    """Returns the points of each card (5.1); a long run of cards that score their number is shown as first and last."""
    shown: list[dict[str, Any]] = []
    for is_plain, group in groupby(range(len(variant.faces)), lambda face: is_worth_its_name(variant, face)):
        run = list(group)
        if is_plain and len(run) >= LONG_RUN:
            shown.append({"from": picture(variant, run[0]), "to": picture(variant, run[-1])})
        else:
            shown += [{"card": picture(variant, face), "points": points_of(variant, face)} for face in run]
    return shown


def is_worth_its_name(variant: Variant, face: int) -> bool:
    return variant.faces[face] == str(int(variant.rules.points[face]))


def points_of(variant: Variant, face: int) -> str:
    return signed(int(variant.rules.points[face]))


def picture(variant: Variant, face: int) -> dict[str, Any]:
    """Returns a card's name and the height of its hill, as the client draws it."""
    return {"name": variant.faces[face], "hill": max(0, min(12, int(variant.rules.points[face])))}


def usual_faces(variant: Variant) -> list[int]:
    """Returns the faces whose matched line has the most common score, of those that can fill the most lines."""
    lines = {face: most_lines(variant, face) for face in range(len(variant.faces))}
    can = [face for face in lines if lines[face]]
    if not can:
        return []
    usual = Counter(int(variant.rules.line_points[face]) for face in can).most_common(1)[0][0]
    faces = [face for face in can if variant.rules.line_points[face] == usual]
    most = max(lines[face] for face in faces)
    return [face for face in faces if lines[face] == most]


def most_lines(variant: Variant, face: int) -> int:
    """Returns how many lines the copies of a face can fill, with the packs of a full table."""
    copies = int(variant.rules.copies[face]) * packs_for(variant.facts, variant.facts.most)
    return min(int(variant.rules.lines), copies // int(variant.rules.line_length))


def usual_face(variant: Variant) -> int | None:
    """Returns the middle one of the usual faces, as their example."""
    faces = usual_faces(variant)
    return faces[len(faces) // 2] if faces else None


def single_lines(variant: Variant, text: dict[str, str]) -> list[dict[str, Any]]:
    """Returns pictures of one matched line: of a usual card (5.2), and of cards whose lines score otherwise (5.3)."""
    usual = usual_face(variant)
    if usual is None:
        return []
    if variant.rules.other_lines:
        return [board(variant, usual, [line], text[key]) for line, key in one_of_each(variant)]
    kind = "column" if variant.rules.lines_are_columns else "row"
    boards = [board(variant, usual, [0], text[f"{kind}_1"])]
    for faces in unusual_faces(variant, usual):
        boards.append(board(variant, faces[0], [0], text[f"{kind}_of"].format(face=names(variant, faces, text))))
    return boards


def unusual_faces(variant: Variant, usual: int) -> list[list[int]]:
    """Returns the faces whose lines score otherwise, grouped by score."""
    points = variant.rules.line_points
    values = dict.fromkeys(int(value) for value in points[: len(variant.faces)] if value != points[usual])
    same = [
        [face for face in range(len(variant.faces)) if points[face] == value and most_lines(variant, face)]
        for value in values
    ]
    return [faces for faces in same if faces]


def several_lines(variant: Variant, text: dict[str, str]) -> list[dict[str, Any]]:
    """Returns pictures of several matched lines of one card if they earn a bonus (5.4, 5.5)."""
    usual = usual_face(variant)
    if usual is None:
        return []
    kind = "column" if variant.rules.lines_are_columns else "row"
    boards = []
    for count in range(2, most_lines(variant, usual) + 1):
        if together(variant, usual, count) != count * together(variant, usual, 1):
            boards.append(board(variant, usual, range(count), text[f"{kind}_n"].format(count=count)))
    for faces in unusual_faces(variant, usual):
        for count in range(2, max(most_lines(variant, face) for face in faces) + 1):
            able = [face for face in faces if most_lines(variant, face) >= count]
            whole = together(variant, able[0], count)
            if whole not in (together(variant, usual, count), count * together(variant, able[0], 1)):
                caption = text[f"{kind}_n_of"].format(count=count, face=names(variant, able, text))
                boards.append(board(variant, able[0], range(count), caption))
    return boards


def names(variant: Variant, faces: list[int], text: dict[str, str]) -> str:
    """Lists the names of faces; a face that is only a mark has a word."""
    return ", ".join(text.get(f"face_{variant.faces[face]}", variant.faces[face]) for face in faces)


def together(variant: Variant, face: int, count: int) -> int:
    """Returns the score of that many matched lines of a face, bonus included."""
    return int(lines_cost(variant.rules, face, count))


def one_of_each(variant: Variant) -> list[tuple[int, str]]:
    """Returns a column, a row and a diagonal, as far as they match (5.2): the line, and the key of its words."""
    rules = variant.rules
    lines = [(0, "column_1"), (int(rules.columns), "row_1"), (int(rules.columns + rules.rows), "diagonal_1")]
    return lines if rules.other_lines == OtherLines.DIAGONALS else lines[:2]


def squares(variant: Variant, text: dict[str, str]) -> list[dict[str, Any]]:
    """Returns a picture of a square of equal cards if it earns a bonus (5.4)."""
    usual, wide = usual_face(variant), int(variant.rules.columns)
    if usual is None or not variant.rules.block_points:
        return []
    return [marked(variant, usual, {0, 1, wide, wide + 1}, int(variant.rules.block_points), text["square"])]


def board(variant: Variant, face: int, lines: Sequence[int], words: str) -> dict[str, Any]:
    """Returns a layout with these lines of a face."""
    rules = variant.rules
    slots = {int(slot_in_line(rules, line, place)) for line in lines for place in range(rules.line_length)}
    return marked(variant, face, slots, together(variant, face, len(lines)), words)


def marked(variant: Variant, face: int, slots: set[int], points: int, words: str) -> dict[str, Any]:
    """Returns a layout with a face on these slots, and what they cost; the other cards are null and may be any."""
    card = picture(variant, face)
    return {
        "slots": [card if slot in slots else None for slot in range(len(variant.slots))],
        "points": signed(points),
        "words": words,
    }


def example(variant: Variant) -> dict[str, Any] | None:
    """Returns a scored layout: two matched lines if there is room for more lines, else one, and other cards."""
    usual = usual_face(variant)
    if usual is None:
        return None
    rules = variant.rules
    matched = 2 if rules.lines > 2 and most_lines(variant, usual) >= 2 else 1
    others = [face for face in range(len(variant.faces)) if face != usual]
    faces = [others[slot * 5 % len(others)] for slot in range(len(variant.slots))]
    for line in range(matched):
        for place in range(rules.line_length):
            faces[slot_in_line(rules, line, place)] = usual
    rows = [faces[start : start + rules.columns] for start in range(0, len(faces), rules.columns)]
    layout = " / ".join(" ".join(variant.faces[face] for face in row) for row in rows)
    counted = explain(variant, read_layout(variant, layout))
    first, *rest = (part.points for part in counted.parts)
    steps = "".join(f" {'+' if points >= 0 else MINUS} {abs(points)}" for points in rest)
    return {
        "slots": [picture(variant, face) for face in faces],
        "sum": f"{signed(first)}{steps}",
        "points": signed(counted.points),
    }


def closing(penalty: int, factor: int) -> dict[str, Any]:
    """Returns an example of the penalty: the closer's points, two others' (one has fewer), and the sum (5.6)."""
    others, own = (8, 12), 10
    times, whole = f" × {factor}" if factor > 1 else "", own * factor + penalty
    return {"own": own, "others": others, "sum": f"{own}{times}{f' + {penalty}' if penalty else ''} = {whole}"}
