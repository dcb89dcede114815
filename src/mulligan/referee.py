"""Reads records and replays every move: the first thing that cannot be is named, and there it ends."""

import codecs
import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from . import variants
from .engine.state import HIDDEN, NOBODY, PASS, THROW_AWAY, Phase
from .game import Game, Hole
from .inert import inert
from .notation import NotationError, Step, as_array, read_face, read_move, read_slot, write_slot
from .objections import objection
from .variants import Variant, VariantError

PASSING = Step(NOBODY, Phase.FLIP, PASS, HIDDEN)
LONGEST_LINE = 4_000_000  # bytes; eight players who turn their cards for ever stay well below it


class Fault(ValueError):
    """What is wrong with a record, where, and by which rule, in one sentence."""


def read_records(file: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of an open JSON-lines file, each with its line's number. Raises Fault."""
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise Fault(f"line {number}: is longer than {LONGEST_LINE:,} bytes; no game is.")
        if line.strip():
            try:
                yield number, read_json(line)
            except Fault as fault:
                raise Fault(f"line {number}: {fault}") from None


def read_json(line: bytes) -> dict[str, Any]:
    """One record. Raises Fault where the line is not a JSON object, or tells of no moves."""
    if line.startswith(codecs.BOM_UTF8):
        raise Fault("begins with a byte order mark, which JSON does not have.")
    try:
        record = json.loads(line.decode("utf-8"), object_pairs_hook=no_key_twice, parse_constant=no_constant)
    except RecursionError:
        raise Fault("is nested too deeply to be a record.") from None
    except UnicodeDecodeError as error:
        raise Fault(f"is not UTF-8 text (byte {error.start + 1}).") from None
    except json.JSONDecodeError as error:
        raise Fault(f"is not JSON ({error.msg} at character {error.pos + 1}).") from None
    except Fault:
        raise
    except ValueError:
        raise Fault("is not JSON that a record could hold (a number is too long).") from None
    if not isinstance(record, dict):
        raise Fault("is not a record; a record is one JSON object.")
    form = record.get("format")
    if isinstance(form, str) and form.startswith("score sheet "):
        raise Fault("is a score sheet of the score pad: it tells what the holes cost, and has no moves to go through.")
    return record


def no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = dict(pairs)
    if len(keys) < len(pairs):
        raise Fault("names a key twice in one object.")
    return keys


def no_constant(text: str) -> None:
    raise Fault(f"holds {text}, which is not JSON.")


def replay(
    record: dict[str, Any], variant: Variant | None = None, watch: Callable[[Game, str], None] | None = None
) -> Game:
    """Plays a record through, and returns the finished game. Raises Fault.

    `variant` is the game for records of one that does not come with the package. `watch(game, move)`
    is called after every move, and after the reveal with "".
    """
    if take(record, "format", int) != 1:
        raise Fault(f"format is {shorten(record['format'])}; this referee reads format 1.")
    variant = variant_of(record, variant)
    players = take_players(record, variant)
    holes = take(record, "holes", list)
    game = Game(variant, players, first_dealer(holes, len(players)))
    for number, hole in enumerate(holes, 1):
        try:
            if game.is_over:
                raise Fault("the match is over already (6.1, 6.2).")
            if not isinstance(hole, dict):
                raise Fault("is not a JSON object.")
            replay_hole(game, hole, watch)
        except Fault as fault:
            raise Fault(f"hole {number}, {fault}") from None
    if not game.is_over:
        what = (
            "a play-off hole is missing (6.3)" if len(holes) >= variant.rules.holes else "the match is not over (6.1)"
        )
        raise Fault(f"after hole {len(holes)}: {what}.")
    expect(record, "totals", game.totals, "6.1")
    expect(record, "winners", game.winners, "6.2, 6.3")
    return game


def take(table: dict[str, Any], key: str, kind: type) -> Any:
    """A field that must be there and be of that kind."""
    if key not in table:
        raise Fault(f"{key} is missing.")
    if type(table[key]) is not kind:
        words = {int: "a whole number", str: "a text", list: "a list", dict: "an object"}
        raise Fault(f"{key} must be {words[kind]}.")
    return table[key]


def take_texts(table: dict[str, Any], key: str) -> list[str]:
    texts = take(table, key, list)
    if not all(isinstance(text, str) for text in texts):
        raise Fault(f"{key} must be a list of texts.")
    return texts


def expect(table: dict[str, Any], key: str, right: list[int], rule: str) -> None:
    """A list of whole numbers that can only be one thing."""
    given = take(table, key, list)
    if any(type(number) is not int for number in given) or given != right:
        raise Fault(f"{key} should be {right} ({rule}), not {shorten(given)}.")


def shorten(value: Any) -> str:
    """A value as JSON writes it, cut short. (Python will not write numbers of thousands of digits.)"""
    try:
        return inert(json.dumps(value), 60)
    except ValueError:
        return "a number too long to write"


def variant_of(record: dict[str, Any], given: Variant | None) -> Variant:
    name = take(record, "game", str)
    if given is not None and given.name == name:
        return given
    if name not in variants.names():
        known = ", ".join(variants.names())
        raise Fault(f"game {shorten(name)} is not known; the games are {known}, or the variant you give by its file.")
    try:
        return variants.load(name)
    except VariantError as error:
        raise Fault(str(error)) from None


def take_players(record: dict[str, Any], variant: Variant) -> list[str]:
    players = take_texts(record, "players")
    if len(players) not in variant.seats:
        least, most = variant.seats[0], variant.seats[-1]
        raise Fault(f"players names {len(players)}; {variant.title} is for {least} to {most} (1.1).")
    return players


def first_dealer(holes: list[Any], players: int) -> int:
    """Who deals the first hole was drawn by lot (2.1), so the record's word is taken."""
    dealer = holes[0].get("dealer") if holes and isinstance(holes[0], dict) else 0
    if type(dealer) is not int or not 0 <= dealer < players:
        raise Fault(f"hole 1, dealer must be a player's number, from 0 to {players - 1}.")
    return dealer


def replay_hole(game: Game, record: dict[str, Any], watch: Callable[[Game, str], None] | None) -> None:
    """Plays one hole of a record, from the deal to the points."""
    if take(record, "dealer", int) != game.match.dealer:
        raise Fault(f"dealer should be {game.match.dealer}: the deal passes to the left (6.1, 6.3).")
    expect(record, "seats", game.at_table, "6.1, 6.3")
    hole = game.deal()
    deal_discard(hole, take(record, "first_discard", str))
    for number, text in enumerate(take_texts(record, "moves"), 1):
        try:
            play_text(game, hole, text)
        except (Fault, NotationError) as fault:
            raise Fault(f"move {number} ({shorten(text)}): {fault}") from None
        if watch:
            watch(game, text)
    turn_up_rest(game, hole, take(record, "reveal", dict))
    if watch:
        watch(game, "")
    expect(record, "points", hole.points, "5")
    game.finish_hole()


def deal_discard(hole: Hole, text: str) -> None:
    try:
        hole.turn_up(read_face(hole.variant, text))
    except NotationError as error:
        raise Fault(f"first_discard: {error}") from None


def play_text(game: Game, hole: Hole, text: str) -> None:
    """Plays one written move. Raises Fault or NotationError, and then the hole is not to be used any more."""
    steps = read_move(game.variant, text)
    play_steps(game, hole, steps)
    if steps[-1].move == THROW_AWAY and hole.state.phase == Phase.FLIP:
        play_steps(game, hole, [PASSING])  # `S11-` leaves the last card face down (3.4)


def play_steps(game: Game, hole: Hole, steps: list[Step]) -> None:
    taken = hole.take(as_array(steps))
    if taken < len(steps):
        seat = hole.steps[-1].seat if taken else hole.turn
        player = inert(game.players[game.at_table[seat]]) if seat != NOBODY else "Nobody"
        raise Fault(objection(game.variant, hole.state, steps[taken], player))


def turn_up_rest(game: Game, hole: Hole, record: dict[str, Any]) -> None:
    """Turns up what lay face down to the end, player by player (4.3)."""
    if hole.state.phase not in (Phase.REVEAL, Phase.OVER):
        raise Fault("after the last move: the hole is not over, some turns are missing (4.2).")
    revealed = {player: cards_revealed(hole.variant, record, player) for player in record}
    while not hole.is_over:
        player = str(game.at_table[hole.state.turn])
        slot = int(hole.state.awaited)
        if slot not in revealed.get(player, {}):
            raise Fault(f"reveal does not say what lies on {write_slot(hole.variant, slot)} of player {player} (4.3).")
        step = Step(hole.turn, Phase.REVEAL, slot, revealed[player].pop(slot))
        if not hole.take(as_array([step])):
            against = objection(hole.variant, hole.state, step, player)
            raise Fault(f"reveal of player {player}, {write_slot(hole.variant, slot)}: {against}")
    for player, cards in revealed.items():
        if player not in map(str, game.at_table):
            raise Fault(f"reveal names {shorten(player)}, who does not sit at the table (4.3).")
        for slot in cards:
            name = write_slot(hole.variant, slot)
            raise Fault(f"reveal turns up {name} of player {player}, which is not face down (4.3).")


def cards_revealed(variant: Variant, record: dict[str, Any], player: str) -> dict[int, int]:
    """What the record says lay face down at one player's, as face by slot."""
    cards: dict[int, int] = {}
    for text in take_texts(record, player):
        slot, _, face = text.partition("=")
        try:
            number = read_slot(variant, slot)
            if number in cards:
                raise Fault(f"reveal of player {inert(player)} names {inert(slot)} twice (4.3).")
            cards[number] = read_face(variant, face)
        except NotationError as error:
            raise Fault(f"reveal of player {inert(player)}, {inert(text)}: {error}") from None
    return cards
