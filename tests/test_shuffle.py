"""The shuffle: the same by a second, plain computation, the same in every language, and every order as likely."""

import hashlib
import json
import math
import random
from collections import Counter
from itertools import count
from pathlib import Path

import pytest

from mulligan.game import shuffle, variants

pytestmark = pytest.mark.long

VECTORS = Path(__file__).parent / "vectors" / "shuffle.json"
PACKS = {name: [int(copies) for copies in variants.load(name).rules.copies] for name in ("play_nine", "nine_card")}

# A second computation, word for word from docs/fairness.md, with nothing of ours


def by_hand(case):
    """The cards of a test vector."""
    pack = []
    for face, copies in enumerate(case["copies"]):
        pack += [face] * copies
    purpose = "/".join([case["game"], str(case["hole"]), ",".join(case["seeds"]), case["what"]])
    key = bytes.fromhex(case["seed"]).ljust(64, b"\0")
    waiting, blocks = [], count()
    for sides in range(len(pack), 1, -1):
        while True:
            if not waiting:
                message = f"{purpose}/{next(blocks)}".encode()
                inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
                block = hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).hexdigest()
                waiting = [block[place : place + 8] for place in range(0, 64, 8)]
            number = int(waiting.pop(0), 16)
            if number // sides < 2**32 // sides:  # the last, broken round of `sides` numbers is passed over
                break
        chosen = number % sides
        pack[sides - 1], pack[chosen] = pack[chosen], pack[sides - 1]
    return pack


def cases():
    """What the vectors are made for: both games, every use, nobody's seed to eight people's, and a rare number."""
    rare = "d343b43488b5a78fd027da16961f497d00be453106b1d6bd15959c6ed6659c52"  # its stream holds a number too high
    for number, (copies, hole, people, what) in enumerate(
        [
            (PACKS["play_nine"], 1, 0, "pack"),
            (PACKS["play_nine"], 9, 1, "pack"),
            (PACKS["nine_card"], 4, 3, "pack"),
            (PACKS["nine_card"], 12, 8, "pack"),
            (PACKS["play_nine"], 0, 2, "draw 1"),
            (PACKS["nine_card"], 0, 2, "draw 2"),
            ([0, 3, 0, 5, 1, 0, 0, 2, 0, 0, 0, 0, 4, 1], 5, 2, "stock 1"),
            ([1, 1], 5, 2, "stock 2"),
            ([1], 1, 0, "pack"),
            ([0, 0], 1, 0, "pack"),
            (PACKS["nine_card"], 3, 0, "pack"),
        ]
    ):
        last = number == 10  # seed and game are one of a million where that happens
        yield {
            "game": "WATCHWXZ-1" if last else f"WATCHWXZ-{number + 1}",
            "hole": hole,
            "seeds": [digest(f"player {number} {person}")[:32] for person in range(people)],
            "seed": rare if last else digest(f"server {number}"),
            "copies": copies,
            "what": what,
        }


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def complete(case):
    commitment = hashlib.sha256(bytes.fromhex(case["seed"])).hexdigest()
    return case | {"commitment": commitment, "cards": by_hand(case)}


def test_the_vectors_are_what_the_recipe_says():
    """`python tests/test_shuffle.py` writes them anew."""
    assert json.loads(VECTORS.read_text(encoding="utf-8")) == [complete(case) for case in cases()]


@pytest.mark.parametrize("case", json.loads(VECTORS.read_text(encoding="utf-8")), ids=lambda case: case["what"])
def test_the_shuffle_is_the_one_of_the_vectors(case):
    seed = bytes.fromhex(case["seed"])
    purpose = f"{shuffle.label(case['game'], case['hole'], case['seeds'])}/{case['what']}"
    assert shuffle.commitment(seed) == case["commitment"]
    assert shuffle.shuffled(shuffle.whole_pack(case["copies"]), seed, purpose) == case["cards"]


def test_one_vector_has_a_number_that_must_be_passed_over():
    used = []
    for case in json.loads(VECTORS.read_text(encoding="utf-8")):
        numbers = shuffle.stream(
            bytes.fromhex(case["seed"]), f"{shuffle.label(case['game'], case['hole'], case['seeds'])}/{case['what']}"
        )
        passed = 0
        for sides in range(sum(case["copies"]), 1, -1):
            while next(numbers) >= 2**32 - 2**32 % sides:
                passed += 1
        used.append(passed)
    assert sum(used) == used[-1] == 1


def test_anything_else_in_the_label_is_another_pack():
    cards, seed = list(range(52)), bytes(32)
    purposes = ["A-1/1//pack", "A-1/2//pack", "A-2/1//pack", "A-1/1/00/pack", "A-1/1//draw 1", "A-1/11//pack"]
    assert len({tuple(shuffle.shuffled(cards, seed, purpose)) for purpose in purposes}) == len(purposes)
    assert shuffle.shuffled(cards, bytes(31) + b"\1", purposes[0]) != shuffle.shuffled(cards, seed, purposes[0])
    assert cards == list(range(52))


def test_low_numbers_are_not_favoured():
    highest = 2**32 - 1
    assert shuffle.below(3, iter([highest, 7])) == 1  # 2^32 = 1 mod 3: the very last number has no two to go with it
    assert shuffle.below(3, iter([highest - 1])) == (highest - 1) % 3
    assert shuffle.below(2, iter([highest])) == 1
    assert shuffle.below(1, iter([highest])) == 0


def test_the_cards_go_round_one_at_a_time():
    layouts, discard, stock = shuffle.dealt(list(range(20)), 3, 4)
    assert layouts == [[0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11]]
    assert (discard, stock) == (12, [13, 14, 15, 16, 17, 18, 19])


# Chance. Seeds are fixed, so every test always comes out the same; and each is seen to catch shuffles that are wrong.

CARDS, SHUFFLES = 12, 24_000
RARE = 4.5  # standard deviations: once in 300,000 for a fair shuffle


def ours(cards, number):
    return shuffle.shuffled(cards, hashlib.sha256(b"%d" % number).digest(), "CHANCEXY-1/1//pack")


def shuffle_by(below):
    """The same shuffle by other numbers, or by other mistakes."""

    def shuffled(cards, number):
        cards, numbers = list(cards), random.Random(number)
        for last in range(len(cards) - 1, 0, -1):
            chosen = below(last + 1, numbers)
            cards[last], cards[chosen] = cards[chosen], cards[last]
        return cards

    return shuffled


def everywhere(cards, number):
    """Each card changes places with any: the mistake most often made."""
    cards, numbers = list(cards), random.Random(number)
    for place in range(len(cards)):
        chosen = numbers.randrange(len(cards))
        cards[place], cards[chosen] = cards[chosen], cards[place]
    return cards


def cut(cards, number):
    """Every card may be everywhere, but always on the same other."""
    place = random.Random(number).randrange(len(cards))
    return [*cards[place:], *cards[:place]]


WRONG = {
    "bytes modulo": shuffle_by(lambda sides, numbers: numbers.randrange(256) % sides),
    "a range too small": shuffle_by(lambda sides, numbers: numbers.randrange(32) % sides),
    "one short (Sattolo)": shuffle_by(lambda sides, numbers: numbers.randrange(sides - 1)),
    "the last card stays": shuffle_by(lambda sides, numbers: sides - 1 if sides == CARDS else numbers.randrange(sides)),
    "everywhere": everywhere,
    "cut": cut,
}


def orders_of(shuffled):
    return [shuffled(range(CARDS), number) for number in range(SHUFFLES)]


def positions(orders):
    """How far card by place is from even, in standard deviations; in each shuffle every card has one place."""
    seen = Counter((place, card) for order in orders for place, card in enumerate(order))
    even = dict.fromkeys(((place, card) for place in range(CARDS) for card in range(CARDS)), len(orders) / CARDS)
    return deviation(chi_square(seen, even) * (CARDS - 1) / CARDS, (CARDS - 1) ** 2)


def pairs(orders):
    """The same for two places at once, near each other and far: the largest of four."""
    worst = 0.0
    for here, there in ((0, 1), (5, 6), (CARDS - 2, CARDS - 1), (0, CARDS - 1)):
        seen = Counter((order[here], order[there]) for order in orders)
        cells = [(one, other) for one in range(CARDS) for other in range(CARDS) if one != other]
        even = dict.fromkeys(cells, len(orders) / len(cells))
        worst = max(worst, deviation(chi_square(seen, even), len(cells) - 1), key=abs)
    return worst


def chi_square(seen, even):
    return sum((seen[cell] - expected) ** 2 / expected for cell, expected in even.items())


def deviation(square, freedom):
    """A chi-square in standard deviations (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return ((square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)


def test_the_measure_knows_the_critical_values_of_the_tables():
    for freedom, square, standard in (
        (10, 18.307, 1.645),
        (10, 29.588, 3.090),
        (100, 124.342, 1.645),
        (100, 61.918, -3.090),
    ):
        assert deviation(square, freedom) == pytest.approx(standard, abs=0.02)


def faces(shuffled, copies, shuffles=2500):
    """The same for face by place in a whole pack, where a face has several cards."""
    pack = shuffle.whole_pack(copies)
    seen = Counter(cell for number in range(shuffles) for cell in enumerate(shuffled(pack, number)))
    even = {(place, face): shuffles * copies[face] / len(pack) for place in range(len(pack)) for face in set(pack)}
    freedom = (len(pack) - 1) * (len(set(pack)) - 1)
    return deviation(chi_square(seen, even) * (len(pack) - 1) / len(pack), freedom)


@pytest.mark.parametrize("measure", [positions, pairs])
def test_every_order_is_as_likely_as_any(measure):
    assert abs(measure(orders_of(ours))) < RARE


@pytest.mark.parametrize("game", PACKS)
def test_every_face_lies_as_often_in_every_place_of_a_real_pack(game):
    assert abs(faces(ours, PACKS[game])) < RARE


def test_a_fair_shuffle_by_other_numbers_passes_too():
    fair = shuffle_by(lambda sides, numbers: numbers.randrange(sides))
    orders = orders_of(fair)
    assert max(abs(positions(orders)), abs(pairs(orders)), abs(faces(fair, PACKS["nine_card"]))) < RARE


@pytest.mark.parametrize("wrong", WRONG)
def test_a_shuffle_that_is_wrong_is_caught(wrong):
    orders = orders_of(WRONG[wrong])
    assert all(sorted(order) == list(range(CARDS)) for order in orders[:100])
    far = max(abs(positions(orders)), abs(pairs(orders)), abs(faces(WRONG[wrong], PACKS["nine_card"])))
    assert far > 2 * RARE


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(complete(case)) for case in cases())
    VECTORS.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
