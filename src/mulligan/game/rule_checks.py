"""Checks that the rules of a game fit together."""

from typing import NamedTuple

from mulligan.engine.rules import MAX_FACES, MAX_SLOTS, OtherLines, TeeOff

from .facts import GameFacts

MOST_COPIES = 100  # of one face, in all packs


class VariantError(ValueError):
    """An unknown variant, or an invalid variant file; the message names the file, the key and the error."""


def check_whole(facts: GameFacts) -> None:
    """Checks the rules that involve several keys. Raises VariantError."""
    slots = facts.rows * facts.columns
    copies = [face.copies for face in facts.faces]
    line_length = facts.rows if facts.lines_are_columns else facts.columns
    if facts.least > facts.most:
        raise VariantError(f"seats.least is {facts.least}, more than seats.most, {facts.most}.")
    if slots > MAX_SLOTS:
        raise VariantError(
            f"layout of {facts.rows} rows and {facts.columns} columns has {slots} slots; {MAX_SLOTS} is the most."
        )
    if line_length < 2:
        lines = "columns" if facts.lines_are_columns else "rows"
        raise VariantError(f"lines of {lines} would be single cards here; a line has 2 cards or more.")
    if facts.tee_off >= slots:
        raise VariantError(f"tee_off.cards is {facts.tee_off}; it must be less than the {slots} slots.")
    if facts.tee_off > tee_off_room(facts):
        place = TeeOff(facts.tee_off_place).name.lower()
        raise VariantError(f'tee_off.place "{place}" has no room for {facts.tee_off} cards in this layout.')
    if facts.closer_starts and not facts.tee_off_before_play:
        raise VariantError("closer_starts needs tee_off.before_play: the first cards decide who starts.")
    if not 2 <= len(copies) <= MAX_FACES:
        raise VariantError(f"faces has {len(copies)} faces; a pack has from 2 to {MAX_FACES}.")
    if facts.packs and (facts.packs != sorted(facts.packs) or facts.packs[-1] < facts.most):
        raise VariantError(f"packs is {facts.packs}; the numbers must rise, and the last be {facts.most} or more.")
    if short := too_few_cards(facts):
        raise VariantError(
            f"faces has {short.cards} cards; {short.seats} players with {slots} cards each, a discard and a stock "
            f"need at least {short.needed}."
        )
    most_copies = packs_for(facts, facts.most) * max(copies)
    if most_copies > MOST_COPIES:
        raise VariantError(f"packs makes {most_copies} cards of one face; {MOST_COPIES} is the most.")
    if facts.until and facts.playoff:
        raise VariantError('until needs level = "share": a match up to a total has no play-off.')
    if lines_cross(facts):
        check_crossing(facts)
        return
    matching = min(slots // line_length, most_copies // line_length)
    if len(facts.bonus) < matching - 1:
        raise VariantError(
            f"bonus.lines has {len(facts.bonus)} entries; up to {matching} lines can match in one face, "
            f"so it needs {matching - 1}, for 2 lines upward."
        )
    if len(facts.bonus) > slots // line_length - 1:
        raise VariantError(
            f"bonus.lines has {len(facts.bonus)} entries; a layout has {slots // line_length} lines, "
            f"so {slots // line_length - 1} are the most, for 2 lines upward."
        )


def tee_off_room(facts: GameFacts) -> int:
    """Returns how many cards may be turned up where the place of the tee-off allows (2.4)."""
    rows, columns = facts.rows, facts.columns
    room = {TeeOff.ONE_COLUMN: rows, TeeOff.DIFFERENT_COLUMNS: columns, TeeOff.EACH_ROW: rows}
    return room.get(TeeOff(facts.tee_off_place), rows * columns)


class Short(NamedTuple):
    """A number of players for whom the cards are too few."""

    seats: int
    cards: int
    needed: int


def too_few_cards(facts: GameFacts) -> Short | None:
    """Returns the largest number of players for whom the cards do not suffice, or None."""
    for seats in range(facts.most, facts.least - 1, -1):
        cards = packs_for(facts, seats) * sum(face.copies for face in facts.faces)
        needed = seats * facts.rows * facts.columns + 2  # a discard and a stock
        if cards < needed:
            return Short(seats, cards, needed)
    return None


def lines_cross(facts: GameFacts) -> bool:
    return facts.other_lines != OtherLines.NONE or facts.block_points != 0


def check_crossing(facts: GameFacts) -> None:
    """Checks the rules of a game in which a card may be in several lines or squares. Raises VariantError."""
    if facts.other_lines != OtherLines.NONE and facts.rows != facts.columns:
        raise VariantError("other_lines needs as many rows as columns: all lines have the same length.")
    if facts.block_points and min(facts.rows, facts.columns) < 2:
        raise VariantError("bonus.block needs 2 rows and 2 columns or more.")
    if facts.bonus:
        raise VariantError("bonus.lines must be empty where lines cross or squares count.")
    if facts.lines_clear:
        raise VariantError("lines_clear does not go with lines that cross or squares that count.")
    for face in facts.faces:
        if face.line_points:
            raise VariantError(f"faces.{face.name}.line must be 0 where lines cross or squares count.")


def packs_for(facts: GameFacts, seats: int) -> int:
    """Returns how many packs so many players use (1.2)."""
    return next((packs for packs, most in enumerate(facts.packs, 1) if seats <= most), 1)
