"""What every variant file must do, those of the package and any other."""

import tomllib
from collections import Counter
from itertools import chain
from random import Random

import minis
import numpy as np
import pytest
from effort import THOROUGH, tries
from minis import RULES
from reference_players import PLAYERS

from mulligan import simulation
from mulligan.engine.rules import lines_cross
from mulligan.engine.scoring import cost
from mulligan.game import referee, shipped, variants
from mulligan.game.hole import Game
from mulligan.game.notation import read_layout, write_layout

FILES = [*sorted(shipped.FOLDER.glob("*.toml")), *minis.OWN_FILES]


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def variant(request):
    return variants.load(str(request.param))


def test_it_loads_and_says_what_it_is(variant):
    assert variant.title
    assert len(set(variant.faces)) == len(variant.faces) == variant.rules.faces
    assert len(set(variant.slots)) == len(variant.slots) == variant.rules.slots
    assert variant.file in FILES


def test_it_is_dealt_at_every_number_of_seats(variant):
    slots = int(variant.rules.slots)
    for seats in variant.seats:
        pack = int(variants.for_seats(variant, seats).rules.copies.sum())
        for dealer in range(seats):
            hole = Game(variant, ["x"] * seats, dealer).deal()
            assert hole.awaits_card
            hole.turn_up(0)
            assert hole.turn == (dealer + 1) % seats
            assert hole.state.stock_left == pack - seats * slots - 1 > 0


@pytest.mark.long
@pytest.mark.parametrize("player", PLAYERS)
def test_whole_games_are_played_and_refereed(variant, player):
    for seats in some_seats(variant, player):
        games = tries(2, 4) if seats == variant.seats[0] else 1
        results = simulation.simulate(variant, seats, [player], seed=seats, games=games, threads=1)
        assert results.points.shape == (games, variant.rules.holes, seats)
        records = list(simulation.records(variant, seats, [player], seats, games))
        assert len(records) == games or results.abandoned
        for record in records:
            game = referee.replay(record, variant)
            holes = record["holes"][: game.counted]
            assert game.totals == [sum(hole["points"][seat] for hole in holes) for seat in range(seats)]
            assert record["winners"]
            assert len(record["winners"]) == 1 or not variant.rules.playoff


def some_seats(variant, player) -> list[int]:
    """The fewest and the most, and one number between: every number comes up, with one player or another."""
    between = variant.seats[1:-1]
    if THOROUGH or not between:
        return list(variant.seats)
    turn = list(PLAYERS).index(player) % len(between)
    return [variant.seats[0], between[turn], variant.seats[-1]]


def test_every_number_of_seats_is_played(variant):
    assert len(PLAYERS) >= len(variant.seats)
    assert {seats for player in PLAYERS for seats in some_seats(variant, player)} == set(variant.seats)


def test_layouts_cost_what_the_file_says(variant):
    """Summed up once more, from the file alone."""
    facts = tomllib.loads(variant.file.read_text(encoding="utf-8"))
    rng = Random(variant.name)
    for _ in range(1000):
        rows = layout_rich_in_lines(facts, rng)
        text = " / ".join(" ".join(row) for row in rows)
        layout = read_layout(variant, text)
        assert write_layout(variant, layout) == text
        points = cost(variant.rules, layout, 0)
        if not lines_cross(variant.rules):
            assert points == points_by_file(facts, rows), text
        if variant.name in RULES:
            assert points == RULES[variant.name].points(rows), text


def layout_rich_in_lines(facts, rng: Random) -> list[list[str]]:
    """Few faces, and whole lines of them; never more of a face than the pack has."""
    rows, columns = facts["layout"]["rows"], facts["layout"]["columns"]
    lines, length = (columns, rows) if facts["lines"] == "columns" else (rows, columns)
    while True:
        faces = rng.sample(list(facts["faces"]), min(rng.randint(1, 4), len(facts["faces"])))
        faces.append(rng.choice(list(facts["faces"])))
        cards = [[rng.choice(faces)] * length for _ in range(lines)]
        for line in cards:
            if rng.random() < 0.4:
                line[rng.randrange(length)] = rng.choice(faces)
        if facts["lines"] == "columns":
            cards = [list(row) for row in zip(*cards, strict=True)]
        if all(count <= facts["faces"][face]["copies"] for face, count in Counter(chain(*cards)).items()):
            return cards


def points_by_file(facts, rows: list[list[str]]) -> int:
    points, matched = 0, Counter()
    for line in zip(*rows, strict=True) if facts["lines"] == "columns" else rows:
        if len(set(line)) == 1:
            matched[line[0]] += 1
        else:
            points += sum(facts["faces"][face]["points"] for face in line)
    for face, lines in matched.items():
        if lines == 1 or not facts["bonus"]["replaces"]:
            points += lines * facts["faces"][face]["line"]
        if lines > 1:
            points += facts["bonus"]["lines"][lines - 2]
    return points


def test_every_hole_starts_from_the_whole_pack(variant):
    """What a hole leaves behind must not leak into the next."""
    game = Game(variant, ["x"] * variant.seats[-1], 0)
    first = game.deal().state.tobytes()
    results = simulation.simulate(variant, variant.seats[0], ["random"], seed=1, holes=50, threads=1)
    assert results.points.shape[:2] == (50, 1)
    assert Game(variant, ["x"] * variant.seats[-1], 0).deal().state.tobytes() == first
    assert np.all(results.winners.sum(axis=1) >= 1)
