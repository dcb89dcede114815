"""Shuffles the packs of a recorded game again, and compares every card that was seen (docs/fairness.md)."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from . import shuffle
from .engine import match as matches
from .engine.compiled import fresh
from .engine.match import MATCH
from .engine.state import NOBODY, STOCK, is_hidden
from .game import Game, Hole
from .inert import inert
from .notation import Step, as_array, write_face, write_slot
from .referee import Fault, replay, shorten, take, take_texts
from .variants import Variant

SEED = re.compile(rf"[0-9a-f]{{{2 * shuffle.SEED_BYTES}}}")

Shuffled = Callable[[list[int], str], list[int]]  # cards, and what they are shuffled for: in their order then


class Verdict(NamedTuple):
    """How much of a game was checked; all of it was right."""

    id: str
    holes: int
    cards: int

    def __str__(self) -> str:
        holes = f"{self.holes} {'hole' if self.holes == 1 else 'holes'}"
        return f"{inert(self.id)}: {holes}, {self.cards} cards, all from the packs that were fixed before the deal."


class Played(NamedTuple):
    """A hole as it was played; the dealer and the steps by seat, `players` says whose seats."""

    players: list[int]
    dealer: int
    steps: list[Step]


def verify(record: dict[str, Any], variant: Variant | None = None) -> Verdict:
    """Referees a record, and checks its shuffles. Raises Fault at the first thing that does not fit."""
    holes: list[Played] = []

    def note(game: Game, move: str) -> None:
        if not move and game.hole:  # the reveal is the last of a hole
            holes.append(Played(game.at_table, game.at_table.index(game.dealer), list(game.hole.steps)))

    game = replay(record, variant, note)
    if "shuffles" not in record:
        raise Fault("the record holds no seeds; those of games at a server's table do, once they are over.")
    name, shuffles = take(record, "id", str), take(record, "shuffles", list)
    if [entry.get("hole") if isinstance(entry, dict) else None for entry in shuffles] != list(range(len(holes) + 1)):
        raise Fault(f"shuffles must tell of the draw, which is hole 0, and then of the holes 1 to {len(holes)}.")
    cards = 0
    for number, entry in enumerate(shuffles):
        try:
            pack_of = read_shuffle(name, entry)
            if number:
                cards += check_hole(game.variant, game.players, holes[number - 1], pack_of)
            else:
                cards += check_draw(game.variant, game.players, entry, pack_of, first_dealer(holes))
        except Fault as fault:
            raise Fault(f"hole {number}, {fault}" if number else f"the draw for the deal, {fault}") from None
    return Verdict(name, len(holes), cards)


def first_dealer(holes: list[Played]) -> int:
    return holes[0].players[holes[0].dealer]


def read_shuffle(game: str, entry: dict[str, Any]) -> Shuffled:
    """How the cards of this hole were shuffled. Raises Fault where another seed was fixed than was shown."""
    seed, added = take(entry, "seed", str), take_texts(entry, "seeds")
    if not SEED.fullmatch(seed):
        raise Fault(f"seed must be {2 * shuffle.SEED_BYTES} digits from 0 to f, not {shorten(seed)}.")
    for text in added:
        if not shuffle.ADDED.fullmatch(text):
            raise Fault(f"seeds holds {shorten(text)}; what a player adds is 32 digits from 0 to f.")
    secret = bytes.fromhex(seed)
    if take(entry, "commitment", str) != shuffle.commitment(secret):
        raise Fault(f"the seed is not the one fixed before the deal: its SHA-256 is {shuffle.commitment(secret)}.")
    label = shuffle.label(game, entry["hole"], added)
    return lambda cards, what: shuffle.shuffled(cards, secret, f"{label}/{what}")


def check_draw(variant: Variant, players: Sequence[str], entry: dict[str, Any], pack_of: Shuffled, dealer: int) -> int:
    """Lets everybody draw again, round by round, until one alone is lowest (2.1). Returns how many cards that was."""
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
            said = shorten(rounds[number - 1]) if len(rounds) >= number else "nothing"
            raise Fault(f"round {number}: by the pack it is {shorten(drawn)}, and the record says {said} (2.1).")
        cards += len(drawn)
        matches.compare_draw(variant.rules, draw)
    if len(rounds) > number:
        raise Fault(f"one alone was lowest in round {number}, and the record goes on (2.1).")
    if draw.dealer != dealer:
        raise Fault(f"{inert(players[int(draw.dealer)])} drew the lowest card, and somebody else dealt (2.1).")
    return cards


def check_hole(variant: Variant, names: Sequence[str], played: Played, pack_of: Shuffled) -> int:
    """Compares every card seen in a hole with the pack. Returns how many that was."""
    cards = 0
    for place, right, seen in cards_seen(variant, names, played, pack_of):
        cards += 1
        if right != seen:
            by_pack, said = write_face(variant, right), write_face(variant, seen)
            raise Fault(f"{place}: by the pack it is {by_pack}, and the record says {said}.")
    return cards


def cards_seen(
    variant: Variant, names: Sequence[str], played: Played, pack_of: Shuffled
) -> Iterator[tuple[str, int, int]]:
    """Every card that left the pack: which one, its face by the pack, and its face in the record."""
    seats, slots = len(played.players), int(variant.rules.slots)
    pack = pack_of(shuffle.whole_pack(variant.rules.copies), "pack")
    dealt, discard, cards = shuffle.dealt(pack, seats, slots)
    layouts = {(played.dealer + 1 + place) % seats: layout for place, layout in enumerate(dealt)}
    stock, stocks, drawn = iter(cards), 0, 0
    hole = Hole(variant, seats, played.dealer)
    for number, step in enumerate(played.steps):
        state, stock_left = hole.state, int(hole.state.stock_left)
        if number == 0:
            yield "the first discard", discard, step.face
        elif step.move == STOCK:
            drawn += 1
            where = f"new stock {stocks}" if stocks else "the stock"
            yield f"card {drawn} of {where}", next(stock), step.face
        elif 0 <= step.move < slots and is_hidden(state.players[step.seat], step.move):
            name = inert(names[played.players[step.seat]])
            yield f"{write_slot(variant, step.move)} of {name}", layouts[step.seat][step.move], step.face
        hole.take(as_array([step]))
        if number and hole.state.stock_left > stock_left:  # 2.6
            stocks, drawn = stocks + 1, 0
            stock = iter(pack_of(shuffle.whole_pack(hole.state.stock), f"stock {stocks}"))
