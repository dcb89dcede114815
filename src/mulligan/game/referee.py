"""Reads records and replays every move; stops at the first illegal one and names the rule."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, BinaryIO

from mulligan.engine.state import DISCARD_DRAWN, HIDDEN, NOBODY, PASS, Phase

from . import characters, variants
from .error_sentences import Problem
from .hole import Game, Hole
from .notation import NotationError, Step, as_array, read_face, read_move, read_slot, write_slot
from .objections import object_to
from .safe_text import printable
from .text_files import NotText, decode
from .typed_text import joined, one_of, plain_syntax
from .variants import OptionError, Variant

PASSING = Step(NOBODY, Phase.FLIP, PASS, HIDDEN)
KINDS = {int: "not_number", str: "not_text", list: "not_list", dict: "not_table"}
LONGEST_LINE = 4_000_000  # bytes; far above the longest game of eight players


class Fault(Problem):
    """A mistake in a record: what, where and by which rule."""

    def __init__(self, key: str, /, group: str = "fault", **params: str | int) -> None:
        super().__init__(key, group, **params)


def as_fault(problem: Problem) -> Fault:
    """Returns the problem as a Fault."""
    found = Fault(problem.key, problem.group, **problem.params)
    found.places = problem.places
    return found


def read_records(file: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields the records of an open JSON-lines file, each with its line number. Raises Fault."""
    number = 0
    while line := read_line(file):
        number += 1
        if len(line) > LONGEST_LINE:
            raise Fault("long_line", most=LONGEST_LINE).at("terminal_at_line", line=number)
        if line.strip():
            try:
                yield number, read_json(line)
            except Fault as fault:
                raise fault.at("terminal_at_line", line=number) from None


def read_line(file: BinaryIO) -> bytes:
    """Reads a line, or the beginning of one that is too long. Raises OSError, which names the file."""
    try:
        return file.readline(LONGEST_LINE + 1)
    except OSError as error:
        error.filename = getattr(file, "name", None)
        raise


def read_json(line: bytes) -> dict[str, Any]:
    """Reads one record. Raises Fault if the line is not a JSON object or has no moves."""
    try:
        record = value_of(decode(line))
    except RecursionError:
        raise Fault("nested") from None
    except NotText as error:
        raise as_fault(error) from None
    except json.JSONDecodeError as error:
        if error.pos >= len(error.doc.rstrip()):
            raise Fault("unfinished") from None
        raise Fault("not_json", character=error.pos + 1) from None
    except Fault:
        raise
    except ValueError:
        raise Fault("long_number") from None
    if not isinstance(record, dict):
        raise Fault("not_record")
    form = record.get("format")
    if isinstance(form, str) and form.startswith("score sheet "):
        raise Fault("score_sheet")
    return record


def value_of(text: str) -> Any:
    """Returns the value of JSON text, which may have the quotation marks and spaces of a word processor."""
    load = partial(json.loads, object_pairs_hook=no_key_twice, parse_constant=no_constant)
    try:
        return load(text)
    except json.JSONDecodeError:
        if (written := plain_syntax(text)) == text:
            raise
        return load(written)


def no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns the pairs as a dict. Raises Fault if a key occurs twice."""
    keys = dict(pairs)
    if len(keys) < len(pairs):
        raise Fault("key_twice")
    return keys


def no_constant(text: str) -> None:
    """Raises Fault for NaN and infinities, which are not JSON."""
    raise Fault("constant", text=text)


def replay(
    record: dict[str, Any], variant: Variant | None = None, watch: Callable[[Game, str], None] | None = None
) -> Game:
    """Replays a record and returns the finished match. Raises Fault.

    `variant` is needed for a game that is not part of the package. `watch(game, move)` is called after
    every move, and after the reveal with "".
    """
    if take(record, "format", int) != 1:
        raise Fault("format", format=shorten(record["format"]), ours=1)
    variant = variant_of(record, variant)
    players = take_players(record, variant)
    holes = take(record, "holes", list)
    game = Game(variant, players, first_dealer(holes, len(players)))
    for number, hole in enumerate(holes, 1):
        try:
            if game.is_over:
                raise Fault("match_over", "wrong")
            if not isinstance(hole, dict):
                raise Fault("not_object")
            replay_hole(game, hole, watch)
        except Fault as fault:
            raise fault.at("terminal_at_hole", hole=number) from None
    if not game.is_over:
        key = "playoff_missing" if game.match.playing_off else "match_unfinished"
        raise Fault(key).at("terminal_at_hole", hole=len(holes))
    expect(record, "totals", game.totals, "6.1")
    expect(record, "winners", game.winners, "6.2, 6.3")
    return game


def take(table: dict[str, Any], key: str, kind: type) -> Any:
    """Returns a required field of that type. Raises Fault."""
    if key not in table:
        raise Fault("missing", field=key)
    if type(table[key]) is not kind:
        raise Fault(KINDS[kind], field=key)
    return table[key]


def take_texts(table: dict[str, Any], key: str) -> list[str]:
    """Returns a required list of texts. Raises Fault."""
    texts = take(table, key, list)
    if not all(isinstance(text, str) for text in texts):
        raise Fault("not_texts", field=key)
    return texts


def expect(table: dict[str, Any], key: str, right: list[int], rule: str) -> None:
    """Checks a list of integers that has only one right value. Raises Fault."""
    given = take(table, key, list)
    if any(type(number) is not int for number in given) or given != right:
        raise Fault("should_be", field=key, right=str(right), rule=rule, given=shorten(given))


def shorten(value: Any) -> str:
    """Returns a value as short JSON text. (Python does not write integers of thousands of digits.)"""
    try:
        return printable(json.dumps(value, ensure_ascii=False), 60)
    except ValueError:
        return "…"


def variant_of(record: dict[str, Any], given: Variant | None) -> Variant:
    """Returns the variant of a record with the rules changed for its match. Raises Fault."""
    variant = game_of(record, given)
    if "match" not in record:
        return variant
    try:
        return variants.for_match(variant, variants.as_typed(variant, take(record, "match", dict)))
    except OptionError as error:
        raise as_fault(error).at("terminal_at_field", field="match") from None


def game_of(record: dict[str, Any], given: Variant | None) -> Variant:
    """Returns the variant of a record, without the changes of its match. Raises Fault."""
    name = take(record, "game", str)
    if given is not None and given.name == name:
        return given
    known = one_of(name, variants.games())
    if not known:
        raise Fault("terminal_no_such_game", game=printable(name), games=", ".join(variants.games()))
    return variants.load(known)


def take_players(record: dict[str, Any], variant: Variant) -> list[str]:
    """Returns the names of the players. Raises Fault."""
    players = take_texts(record, "players")
    if len(players) not in variant.seats:
        least, most = variant.seats[0], variant.seats[-1]
        raise Fault("player_count", count=len(players), least=least, most=most)
    for number, name in enumerate(players, 1):
        if len(name) > characters.LONGEST:
            raise Fault("name_long", most=characters.LONGEST).at("terminal_at_name", number=number)
        if found := characters.HIDDEN.search(name):
            raise Fault("name_hidden", code=f"U+{ord(found[0]):04X}").at("terminal_at_name", number=number)
    return players


def first_dealer(holes: list[Any], players: int) -> int:
    """Returns the dealer of the first hole. A draw decides it (2.1), so it may be any player. Raises Fault."""
    dealer = holes[0].get("dealer") if holes and isinstance(holes[0], dict) else 0
    if type(dealer) is not int or not 0 <= dealer < players:
        raise Fault("dealer_number", most=players - 1).at("terminal_at_hole", hole=1)
    return dealer


def replay_hole(game: Game, record: dict[str, Any], watch: Callable[[Game, str], None] | None) -> None:
    """Replays one hole of a record, from the deal to the points. Raises Fault."""
    if take(record, "dealer", int) != game.match.dealer:
        raise Fault("dealer", right=int(game.match.dealer))
    expect(record, "seats", game.at_table, "6.1, 6.3")
    hole = game.deal()
    deal_discard(hole, take(record, "first_discard", str))
    for number, text in enumerate(take_texts(record, "moves"), 1):
        try:
            play_text(game, hole, text)
        except Problem as problem:
            raise as_fault(problem).at("terminal_at_move", number=number, text=shorten(text)) from None
        if watch:
            watch(game, text)
    turn_up_rest(game, hole, take(record, "reveal", dict))
    if watch:
        watch(game, "")
    expect(record, "points", hole.points, "5")
    game.finish_hole()


def deal_discard(hole: Hole, text: str) -> None:
    """Turns up the first discard (2.3). Raises Fault."""
    try:
        hole.turn_up(read_face(hole.variant, text))
    except NotationError as error:
        raise as_fault(error).at("terminal_at_field", field="first_discard") from None


def play_text(game: Game, hole: Hole, text: str) -> None:
    """Plays one written move. Raises Fault or NotationError; the hole is then invalid."""
    steps = read_move(game.variant, text)
    play_steps(game, hole, steps)
    if steps[-1].move == DISCARD_DRAWN and hole.state.phase == Phase.FLIP:
        play_steps(game, hole, [PASSING])  # `S11-` leaves the last card face down (3.4)


def play_steps(game: Game, hole: Hole, steps: list[Step]) -> None:
    """Plays the steps of a hole. Raises Fault at the first illegal one."""
    taken = hole.take(as_array(steps))
    if taken < len(steps):
        seat = hole.steps[-1].seat if taken else hole.turn
        player = printable(game.players[game.at_table[seat]]) if seat != NOBODY else ""
        raise refusal(hole, steps[taken], player)


def refusal(hole: Hole, step: Step, player: str) -> Fault:
    """Returns why the step is illegal; `player` is the name of the player to move."""
    against = object_to(hole.variant, hole.state, step, player)
    return Fault(against.key, "wrong", **against.params)


def turn_up_rest(game: Game, hole: Hole, record: dict[str, Any]) -> None:
    """Turns up the remaining face-down cards, player by player (4.3). Raises Fault."""
    if hole.state.phase not in (Phase.REVEAL, Phase.OVER):
        raise Fault("turns_missing")
    revealed = {player: cards_revealed(hole.variant, record, player) for player in record}
    while not hole.is_over:
        player = str(game.at_table[hole.state.turn])
        slot = int(hole.state.awaited)
        if slot not in revealed.get(player, {}):
            raise Fault("reveal_missing", slot=write_slot(hole.variant, slot), player=player)
        step = Step(hole.turn, Phase.REVEAL, slot, revealed[player].pop(slot))
        if not hole.take(as_array([step])):
            where = {"player": player, "slot": write_slot(hole.variant, slot)}
            raise refusal(hole, step, player).at("terminal_at_reveal", **where)
    for player, cards in revealed.items():
        if player not in map(str, game.at_table):
            raise Fault("reveal_stranger", player=shorten(player))
        for slot in cards:
            raise Fault("reveal_open", slot=write_slot(hole.variant, slot), player=player)


def cards_revealed(variant: Variant, record: dict[str, Any], player: str) -> dict[int, int]:
    """Returns the cards that the record reveals for one player, as face by slot. Raises Fault."""
    cards: dict[int, int] = {}
    for text in take_texts(record, player):
        slot, _, face = joined(text).partition("=")
        try:
            number = read_slot(variant, slot)
            if number in cards:
                raise Fault("reveal_twice", slot=printable(slot), player=printable(player))
            cards[number] = read_face(variant, face)
        except NotationError as error:
            raise as_fault(error).at("terminal_at_reveal", player=printable(player), slot=printable(text)) from None
    return cards
