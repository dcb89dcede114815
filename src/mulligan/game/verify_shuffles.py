"""Repeats the shuffles of a recorded match and compares every card that was seen (docs/fairness.md)."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from mulligan.engine import match as matches
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH
from mulligan.engine.state import NOBODY, STOCK, is_hidden

from . import named_holes, shuffle
from .hole import Game, Hole
from .notation import Step, as_array, write_face, write_slot
from .referee import Fault, replay, shorten, take, take_texts
from .safe_text import printable
from .variants import Variant
from .words import Words

SEED = re.compile(rf"[0-9a-f]{{{2 * shuffle.SEED_BYTES}}}")

Shuffled = Callable[[list[int], str], list[int]]  # (cards, purpose) -> the shuffled cards


class Verdict(NamedTuple):
    """The result of a successful check: the game's id, and the numbers of holes and cards checked."""

    id: str
    holes: int
    cards: int

    def in_words(self, words: Words) -> str:
        holes, cards = words("length_holes", count=self.holes), words("terminal_cards", count=self.cards)
        return words("terminal_verified", game=printable(self.id), holes=holes, cards=cards)


class Played(NamedTuple):
    """A hole as played; dealer and steps by seat; `players` maps seats to players."""

    players: list[int]
    dealer: int
    steps: list[Step]


def verify(record: dict[str, Any], variant: Variant | None = None) -> Verdict:
    """Replays a record by the rules and checks its shuffles. Raises Fault at the first difference."""
    holes: list[Played] = []

    def note(game: Game, move: str) -> None:
        if not move and game.hole:  # "": the reveal, which ends a hole
            holes.append(Played(game.at_table, game.at_table.index(game.dealer), list(game.hole.steps)))

    game = replay(record, variant, note)
    if "shuffles" not in record:
        raise Fault("no_seeds")
    name, shuffles = take(record, "id", str), take(record, "shuffles", list)
    if [entry.get("hole") if isinstance(entry, dict) else None for entry in shuffles] != list(range(len(holes) + 1)):
        raise Fault("shuffles", holes=len(holes))
    cards = 0
    for number, entry in enumerate(shuffles):
        try:
            pack_of = read_shuffle(name, entry)
            if number:
                cards += check_hole(game.variant, game.players, holes[number - 1], pack_of)
            else:
                cards += check_draw(game.variant, game.players, entry, pack_of, first_dealer(holes))
        except Fault as fault:
            place = fault.at("terminal_at_hole", hole=number) if number else fault.at("terminal_at_draw")
            raise place from None
    return Verdict(name, len(holes), cards)


def first_dealer(holes: list[Played]) -> int:
    return holes[0].players[holes[0].dealer]


def read_shuffle(game: str, entry: dict[str, Any]) -> Shuffled:
    """Returns the shuffle function of a hole. Raises Fault if the revealed seed is not the published one."""
    seed, added = take(entry, "seed", str), take_texts(entry, "seeds")
    if not SEED.fullmatch(seed):
        raise Fault("seed", digits=2 * shuffle.SEED_BYTES, given=shorten(seed))
    for text in added:
        if not shuffle.ADDED.fullmatch(text):
            raise Fault("added_seed", given=shorten(text))
    secret = bytes.fromhex(seed)
    if take(entry, "commitment", str) != shuffle.commitment(secret):
        raise Fault("commitment", hash=shuffle.commitment(secret))
    if named_holes.is_named(game) and secret != named_holes.seed_of(game):
        raise Fault("named_seed", match=printable(game))
    label = shuffle.label(game, entry["hole"], added)
    return lambda cards, what: shuffle.shuffled(cards, secret, f"{label}/{what}")


def check_draw(variant: Variant, players: Sequence[str], entry: dict[str, Any], pack_of: Shuffled, dealer: int) -> int:
    """Repeats the draw for the deal, round by round (2.1). Returns the number of cards drawn. Raises Fault."""
    rounds, cards = take(entry, "drawn", list), 0
    draw: Any = fresh(MATCH)
    matches.begin_match(variant.rules, draw, len(players))
    number = 0
    while draw.dealer == NOBODY:
        number += 1
        pack = iter(pack_of(shuffle.whole_pack(variant.rules.copies), f"draw {number}"))
        drawn = {}
        for player in range(len(players)):
            if draw.at_table[player]:
                draw.drawn[player] = next(pack)
                drawn[str(player)] = write_face(variant, int(draw.drawn[player]))
        if len(rounds) < number or rounds[number - 1] != drawn:
            given = shorten(rounds[number - 1]) if len(rounds) >= number else "–"
            raise Fault("drawn", right=shorten(drawn), given=given).at("terminal_at_round", round=number)
        cards += len(drawn)
        matches.compare_draw(variant.rules, draw)
    if len(rounds) > number:
        raise Fault("drawn_on", round=number)
    if draw.dealer != dealer:
        raise Fault("drawn_dealer", name=printable(players[int(draw.dealer)]))
    return cards


def check_hole(variant: Variant, names: Sequence[str], played: Played, pack_of: Shuffled) -> int:
    """Compares every card seen in a hole with the pack. Returns the number of cards. Raises Fault."""
    cards = 0
    for place, right, seen in cards_seen(variant, names, played, pack_of):
        cards += 1
        if right != seen:
            by_pack, given = write_face(variant, right), write_face(variant, seen)
            raise Fault("other_card", right=by_pack, given=given).at(place.pop("key"), **place)
    return cards


def cards_seen(
    variant: Variant, names: Sequence[str], played: Played, pack_of: Shuffled
) -> Iterator[tuple[dict[str, Any], int, int]]:
    """Yields every card seen: its place (a message), its face by the pack, and its face in the record."""
    seats, slots = len(played.players), int(variant.rules.slots)
    pack = pack_of(shuffle.whole_pack(variant.rules.copies), "pack")
    dealt, discard, cards = shuffle.dealt(pack, seats, slots)
    layouts = {(played.dealer + 1 + place) % seats: layout for place, layout in enumerate(dealt)}
    stock, stocks, drawn = iter(cards), 0, 0
    hole = Hole(variant, seats, played.dealer)
    for number, step in enumerate(played.steps):
        state, stock_left = hole.state, int(hole.state.stock_left)
        if number == 0:
            yield {"key": "terminal_at_field", "field": "first_discard"}, discard, step.face
        elif step.move == STOCK:
            drawn += 1
            key = "terminal_at_new_stock" if stocks else "terminal_at_stock"
            yield {"key": key, "number": drawn, "stock": stocks}, next(stock), step.face
        elif 0 <= step.move < slots and is_hidden(state.players[step.seat], step.move):
            name = printable(names[played.players[step.seat]])
            place = {"key": "terminal_at_slot", "slot": write_slot(variant, step.move), "name": name}
            yield place, layouts[step.seat][step.move], step.face
        hole.take(as_array([step]))
        if number and hole.state.stock_left > stock_left:  # 2.6
            stocks, drawn = stocks + 1, 0
            stock = iter(pack_of(shuffle.whole_pack(hole.state.stock), f"stock {stocks}"))
