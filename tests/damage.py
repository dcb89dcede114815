"""Ways to damage a record in one place."""

import copy
import json
from random import Random
from typing import Any

JUNK = (None, True, False, 0, 1, -1, 2, 3, 7, 1.0, 2.5, 10**30, "", "0", "1", "7", "H", "K", "?", "a1", "a1=4", "S7-",
        "S7>b2x9", "D3", "x", "\ud800", "a1=H\n", "é", [], [0], [[]], ["a1=4"], {}, {"0": []}, {"a": 1})  # fmt: skip
SIGNS = "0123456789HAJQK*SD>-=xabcd?/ "


def damage(record: dict, rng: Random) -> dict:
    """A copy of the record, changed in one place. (By chance the change may be none.)"""
    record = copy.deepcopy(record)
    rng.choice(WAYS)(record, rng)
    return record


def damage_again(record: dict, rng: Random) -> dict:
    """The same for a record in which not everything is where it should be: it may stay as it is."""
    try:
        return damage(record, rng)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return record


def some_hole(record: dict, rng: Random) -> dict:
    return rng.choice(record["holes"])


def change_sign(record: dict, rng: Random) -> None:
    """One sign of a move is another, one more, or gone."""
    moves = some_hole(record, rng)["moves"]
    at = rng.randrange(len(moves))
    moves[at] = garble(moves[at], rng)


def garble(text: str, rng: Random) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice((rng.choice(SIGNS), "")) + text[place + rng.choice((0, 1, 1, 1)) :]


def change_card(record: dict, rng: Random) -> None:
    """A card of a move is one that stands in another move of the hole."""
    moves = some_hole(record, rng)["moves"]
    at = rng.randrange(len(moves))
    old, new = (rng.choice(cards_of(text)) for text in (moves[at], rng.choice(moves)))
    place = moves[at].find(old, 1)
    if place > 0:
        moves[at] = moves[at][:place] + new + moves[at][place + len(old) :]


def cards_of(text: str) -> list[str]:
    for sign in ">-x=SD":
        text = text.replace(sign, " ")
    return [word for word in text.split() if not (word[0].islower() and len(word) == 2)] or ["?"]


def exchange_slot(record: dict, rng: Random) -> None:
    moves = some_hole(record, rng)["moves"]
    at = rng.randrange(len(moves))
    for place, sign in enumerate(moves[at]):
        if sign.islower() and sign != "x":
            slot = rng.choice("abcd") + rng.choice("123")
            moves[at] = moves[at][:place] + slot + moves[at][place + 2 :]
            return


def drop_move(record: dict, rng: Random) -> None:
    moves = some_hole(record, rng)["moves"]
    moves.pop(rng.randrange(len(moves)))


def drop_flip(record: dict, rng: Random) -> None:
    """A discarded card turns nothing up."""
    moves = some_hole(record, rng)["moves"]
    flips = [at for at, text in enumerate(moves) if "-" in text and not text.endswith("-")]
    if flips:
        at = rng.choice(flips)
        moves[at] = moves[at].split("-")[0] + "-"


def repeat_move(record: dict, rng: Random) -> None:
    moves = some_hole(record, rng)["moves"]
    moves.insert(rng.randrange(len(moves) + 1), rng.choice(moves))


def last_move_again(record: dict, rng: Random) -> None:
    moves = some_hole(record, rng)["moves"]
    moves.append(rng.choice(moves))


def swap_moves(record: dict, rng: Random) -> None:
    moves = some_hole(record, rng)["moves"]
    one = rng.randrange(len(moves))
    other = rng.choice((min(one + 1, len(moves) - 1), rng.randrange(len(moves))))
    moves[one], moves[other] = moves[other], moves[one]


def cut_moves(record: dict, rng: Random) -> None:
    moves = some_hole(record, rng)["moves"]
    del moves[rng.randrange(len(moves)) :]


def change_number(record: dict, rng: Random) -> None:
    """Points, totals, winners, seats, dealer: one number is another."""
    hole = some_hole(record, rng)
    if rng.random() < 0.2:
        hole["dealer"] += rng.choice((-1, 1, 2))
        return
    numbers = rng.choice((hole["points"], hole["seats"], record["totals"], record["winners"]))
    numbers[rng.randrange(len(numbers))] += rng.choice((-10, -5, -1, 1, 5, 10))


def change_list(record: dict, rng: Random) -> None:
    hole = some_hole(record, rng)
    numbers = rng.choice((hole["points"], hole["seats"], record["totals"], record["winners"], record["players"]))
    way = rng.randrange(4)
    if way == 0:
        numbers.pop(rng.randrange(len(numbers)))
    elif way == 1:
        numbers.insert(rng.randrange(len(numbers) + 1), rng.choice(numbers))
    elif way == 2:
        numbers.reverse()
    else:
        rng.shuffle(numbers)


def change_dealer_everywhere(record: dict, rng: Random) -> None:
    moved = rng.randrange(1, len(record["players"]) + 1)
    for hole in record["holes"]:
        hole["dealer"] = (hole["dealer"] + moved) % len(record["players"])


def change_first_discard(record: dict, rng: Random) -> None:
    hole = some_hole(record, rng)
    hole["first_discard"] = rng.choice(cards_of(rng.choice(hole["moves"])))


def change_reveal(record: dict, rng: Random) -> None:
    reveal = some_hole(record, rng)["reveal"]
    way = rng.randrange(9)
    if way == 0 or not reveal:
        reveal[rng.choice("0123x")] = rng.choice(([], ["a1=4"], ["b2=H", "b2=H"]))
        return
    player = rng.choice(list(reveal))
    cards = reveal[player]
    at = rng.randrange(len(cards))
    if way == 1:
        cards[at] = garble(cards[at], rng)
    elif way == 2:
        cards.pop(at)
    elif way == 3:
        cards.append(cards[at])
    elif way == 4:
        reveal[rng.choice("012 x")] = reveal.pop(player)
    elif way == 5:
        del reveal[player]
    elif way == 6:
        rng.shuffle(cards)
    elif way == 7:
        record_cards = [list(turned) for turned in reveal.values()]
        names = list(reveal)
        rng.shuffle(names)
        reveal.clear()
        reveal.update(zip(names, record_cards, strict=True))
    else:
        one, other = cards[at].split("=")[0], rng.choice(cards).split("=")[1]
        cards[at] = f"{one}={other}"


def change_holes(record: dict, rng: Random) -> None:
    holes = record["holes"]
    at = rng.randrange(len(holes))
    way = rng.randrange(5)
    if way == 0:
        holes.pop(at)
    elif way == 1:
        holes.insert(at, copy.deepcopy(holes[at]))
    elif way == 2:
        other = rng.randrange(len(holes))
        holes[at], holes[other] = holes[other], holes[at]
    elif way == 3:
        holes.append(copy.deepcopy(holes[at]))
    else:
        del holes[at:]


def nodes(value: Any, place: tuple = ()) -> list[tuple]:
    """The way to every value in a record."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place] * bool(place) + [way for key, item in inner for way in nodes(item, (*place, key))]


def some_node(record: dict, rng: Random) -> tuple[Any, Any]:
    """Some value's owner and key; values near the top come as often as all the moves together."""
    ways = nodes(record)
    shallow = [way for way in ways if len(way) < 4]
    *path, key = rng.choice(rng.choice((ways, shallow)))
    owner: Any = record
    for step in path:
        owner = owner[step]
    return owner, key


def put_junk(record: dict, rng: Random) -> None:
    owner, key = some_node(record, rng)
    owner[key] = copy.deepcopy(rng.choice(JUNK))


def change_kind(record: dict, rng: Random) -> None:
    """The same, as another kind of value."""
    owner, key = some_node(record, rng)
    value = owner[key]
    if isinstance(value, int):
        owner[key] = rng.choice((float(value), str(value), bool(value), [value]))
    else:
        owner[key] = rng.choice((json.dumps(value), [value], {"0": value}))


def remove_node(record: dict, rng: Random) -> None:
    owner, key = some_node(record, rng)
    del owner[key]


def rename_key(record: dict, rng: Random) -> None:
    owner, key = some_node(record, rng)
    if isinstance(owner, dict):
        owner[rng.choice((f"{key} ", key.upper(), "x", "1"))] = owner.pop(key)


def add_key(record: dict, rng: Random) -> None:
    rng.choice((record, some_hole(record, rng)))[rng.choice(("seed", "note", "Dealer"))] = copy.deepcopy(
        rng.choice(JUNK)
    )


WAYS = (
    change_sign, change_sign, change_card, change_card, change_card, exchange_slot, drop_move, drop_flip, repeat_move,
    last_move_again, swap_moves, swap_moves, cut_moves, change_number, change_list, change_dealer_everywhere,
    change_first_discard, change_reveal, change_reveal, change_reveal, change_holes, put_junk, change_kind,
    remove_node, rename_key, add_key,
)  # fmt: skip
