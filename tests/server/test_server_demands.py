"""What a request may cost: every route says it, every costly one has a limit for an address and is refused in time."""

import json
import re
from contextlib import ExitStack
from dataclasses import replace
from typing import get_args

import pytest
from litestar import get
from served import FRIEND, ME, Browser, run_sql, served
from test_server_cardboard import recorded, wish_of
from test_server_overload import Feigned, feign

from mulligan.server.limits import SHARE, Limits
from mulligan.server.metrics import Metrics
from mulligan.server.overload import FROM
from mulligan.server.web.app import LARGEST_BODY
from mulligan.server.web.demands import AUDIENCE, COSTLY, MESSAGES, NAME, OTHER, PARAMETER, Demand, Demands
from mulligan.server.web.rejections import Asked
from mulligan.server.web.routes import HANDLERS
from mulligan.server.wire.commands import AddSeed, ClientMessage, Command

EVERY = [
    (handler, method, path)
    for handler in HANDLERS
    for method in sorted(handler.http_methods)
    for path in sorted(handler.paths)
]
LARGEST_KEPT = 12_000  # bytes of a whole match of four in the file, compressed


def sample(path):
    """A path that belongs to a route."""
    return PARAMETER.sub(lambda found: "7" if found[1] == "int" else "WATCHWXZ-1", path)


def test_every_route_declares_what_it_demands():
    assert [path for handler, _, path in EVERY if not isinstance(handler.opt.get(NAME), Demand)] == []


def test_a_server_with_a_route_that_declares_nothing_does_not_start():
    @get("/api/new")
    async def new() -> None: ...

    with pytest.raises(KeyError):
        Demands([*HANDLERS, new])


@pytest.mark.parametrize(("handler", "method", "path"), EVERY)
def test_a_request_is_recognized_however_its_path_is_written(handler, method, path):
    demands = Demands(HANDLERS)
    for written in (sample(path), f"{sample(path)}/", sample(path).replace("/", "//")):
        assert demands.of(Asked(method, written)) == handler.opt[NAME], written


def test_what_costs_much_is_refused_in_an_overload_and_what_does_not_takes_no_large_body():
    for handler, _, path in EVERY:
        demand = handler.opt[NAME]
        assert not demand.kind or demand.kind in FROM, path
        assert demand.cost < COSTLY or demand.kind, path
        larger = isinstance(handler.request_max_body_size, int) and handler.request_max_body_size > LARGEST_BODY
        assert not larger or demand.cost >= COSTLY, path


def test_what_has_no_route_costs_something_too():
    demands = Demands(HANDLERS)
    for method, path in [("GET", "/api/nothing"), ("PUT", "/api/tables"), ("GET", "/schema/openapi.json")]:
        assert demands.of(Asked(method, path)) == OTHER
    assert demands.of(Asked("", "/ws/w/WATCHWXZ")).kind == "spectators"


def test_a_busy_server_refuses_every_costly_request_in_its_turn(tmp_path, client_folder):
    metrics = Metrics()
    metrics.overload = Feigned()
    with served(tmp_path, client_folder, metrics=metrics) as config:
        ann = Browser(config)
        feign(metrics.overload, "replays")
        for handler, method, path in EVERY:
            answer = ann.http.request(method, sample(path), json={} if method == "POST" else None)
            assert (answer.status_code == 503 and "overloaded" in answer.text) == bool(handler.opt[NAME].kind), path


@pytest.mark.parametrize("status", ["right", "wrong"])
def test_every_answer_says_whether_it_may_be_kept(server, status):
    """None that can be deleted, or that an error may have changed, is kept by others than its reader."""
    ann = Browser(server)
    wrong = [("GET", "/api/nothing"), ("PUT", "/api/tables"), ("POST", "/api/variant"), ("GET", "/schema/nothing")]
    for method, path in [(method, sample(path)) for _, method, path in EVERY] if status == "right" else wrong:
        answer = ann.http.request(method, path, content=b"x" * 70_000 if method == "POST" else None)
        kept = answer.headers.get_list("cache-control")
        assert len(kept) == 1, (path, kept)
        if path.startswith("/api/") and answer.status_code >= 400:
            assert kept == ["no-store"], path
        assert "public" not in kept[0] or "/games/" not in path, path


# Games with real cards


@pytest.fixture(scope="module")
def evening():
    return wish_of(recorded("play_nine"))


@pytest.mark.long
def test_moves_with_real_cards_are_counted(tmp_path, client_folder, evening):
    moves = sum(len(hole["moves"]) for hole in evening["holes"])
    limits = replace(Limits(), told=2 * moves, told_per_second=0.01)
    with served(tmp_path, client_folder, limits=limits) as config:
        ann = Browser(config)
        answers = [ann.http.post("/api/cardboard", json=evening) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert ann.http.post("/api/cardboard/hint", json=evening).json()["error"] == "too_fast"
        assert ann.http.post("/api/cardboard/games", json=evening).json()["error"] == "too_fast"
        assert ann.http.post("/api/cardboard", json=evening | {"holes": []}).status_code == 200


@pytest.mark.long
def test_games_with_real_cards_have_a_limit_of_their_own_and_are_compressed_at_once(tmp_path, client_folder, evening):
    with served(tmp_path, client_folder, limits=replace(Limits(), kept=2, kept_per_second=0.001)) as config:
        ann = Browser(config)
        answers = [ann.http.post("/api/cardboard/games", json=evening) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        game = answers[0].json()["game"]
        assert ann.http.get(f"/api/games/{game}").json()["winners"] == recorded("play_nine")["winners"]
        record = json.loads(ann.http.get(f"/api/games/{game}/record").text)
        assert [hole["moves"] for hole in record["holes"]] == [hole["moves"] for hole in evening["holes"]]
        ((code, kept),) = run_sql(
            tmp_path, "SELECT code, length(entries) FROM chunks WHERE code = (SELECT code FROM tables WHERE watch = ?)",
            (game.partition("-")[0],),
        )  # fmt: skip
        assert run_sql(tmp_path, "SELECT count(*) FROM entries WHERE code = ?", (code,)) == [(0,)]
        assert kept < LARGEST_KEPT
        assert ann.open(ME, FRIEND)  # tables have another limit


# Other sites


IMAGE = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}


def test_a_page_of_another_site_uses_up_nothing_of_its_visitors_limits(tmp_path, client_folder):
    """Pictures and frames there are refused before they count; a link there opens our page."""
    (client_folder / "preview.jpg").write_bytes(b"picture")
    limits = replace(Limits(), guesses=5, guesses_per_second=0.001, credit=100, credit_per_second=0.001)
    with served(tmp_path, client_folder, limits=limits) as config:
        ann, ben = Browser(config), Browser(config)
        code = ann.open(ME, FRIEND)["table"]
        for number in range(60):
            for path in (f"/api/tables/BBBBBBB{number:02}/qr.svg", f"/t/BBBBBBB{number:02}"):
                assert ben.http.get(path, headers=IMAGE).status_code == 403
            frame = IMAGE | {"sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
            assert ben.http.get("/api/games/WATCHWXZ-1", headers=frame).status_code == 403
            fetched = IMAGE | {"sec-fetch-mode": "cors", "sec-fetch-dest": "empty", "origin": "https://evil.example"}
            assert ben.http.get("/api/facts", headers=fetched).status_code == 403
            plain = {"origin": "http://evil.example", "referer": "http://evil.example/"}  # over http, without Sec-Fetch
            assert ben.http.get("/api/facts", headers=plain).status_code == 403
        assert ben.http.get("/api/tables/BBBBBBBBB").status_code == 404
        link = IMAGE | {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
        assert ben.http.get(f"/t/{code}", headers=link).status_code == 200
        assert ben.http.get(f"/api/tables/{code}", headers=IMAGE | {"sec-fetch-site": "same-origin"}).status_code == 200
        shared = ben.http.get("/preview.jpg", headers=IMAGE)
        assert (shared.status_code, shared.headers["cross-origin-resource-policy"]) == (200, "cross-origin")
        assert ben.http.get("/api/facts").headers["cross-origin-resource-policy"] == "same-origin"


def test_wrong_ids_of_games_count_as_guesses_at_the_spectators_code(tmp_path, client_folder):
    limits = replace(Limits(), guesses=4, guesses_per_second=0.001)
    with served(tmp_path, client_folder, limits=limits) as config:
        eve = Browser(config)
        paths = sorted(path for _, method, path in EVERY if "{game" in path and method == "GET")
        answers = [eve.http.get(re.sub(r"\{game:str\}", f"BBBBBBB{letter}-1", sample_hole(path))).status_code
                   for path, letter in zip(paths, "BCDFGHJKLM", strict=False)]  # fmt: skip
        assert answers[:4] == [404] * 4
        assert set(answers[4:]) == {429}


def sample_hole(path):
    return path.replace("{hole:int}", "1")


# Messages on sockets


def test_every_message_on_a_socket_declares_what_it_demands():
    assert set(MESSAGES) == set(get_args(ClientMessage))
    for message, demand in MESSAGES.items():
        is_put_off = issubclass(message, Command) and message is not AddSeed  # else the shuffle is not everyone's
        assert demand.kind == ("moves" if is_put_off else ""), message
        assert demand.cost >= 1


@pytest.mark.long
def test_what_many_are_told_counts_as_many_messages(tmp_path, client_folder):
    """One client opens many sockets at a table of its own: each thing that it says there is sent to all of them."""
    limits = replace(Limits(), messages=2 * AUDIENCE + 30, messages_per_second=0.001)
    with served(tmp_path, client_folder, limits=limits) as config, ExitStack() as stack:
        eve = Browser(config)
        code = eve.open(ME, FRIEND)["table"]
        *_, table = [stack.enter_context(eve.at(code)) for _ in range(2 * AUDIENCE)]
        said = 0
        while True:
            table.say("React", id=str(said), seat=0, reaction="clap")
            if table.hear("Accepted", "Refused")["is"] == "Refused":
                break
            said += 1
        limit = limits.messages * (1 + 1 / SHARE) - 2 * AUDIENCE
        assert limit / 3 - 2 <= said <= limit / 3
