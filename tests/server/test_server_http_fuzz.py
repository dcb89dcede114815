"""HTTP does what its description says, whatever is asked: schemathesis asks, and nothing of ours ever falls over."""

import json
import logging
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from push_service import Subscription
from schemathesis import GenerationMode
from served import COMPUTER, FRIEND, ME, PATIENCE, Browser, served

from mulligan.game import variants
from mulligan.server.limits import Limits
from mulligan.server.web.demands import PARAMETER
from mulligan.server.web.routes import HANDLERS
from mulligan.server.wire import base

pytestmark = pytest.mark.long
METHODS = {"get", "post", "put", "patch", "delete", "head", "options", "trace"}


@pytest.fixture(scope="module")
def busy(tmp_path_factory, client_folder):
    """A server without limits on which a game was finished, and another is being played."""
    with served(tmp_path_factory.mktemp("games"), client_folder, limits=Limits.none()) as config:
        ann = Browser(config)
        codes = ann.open(ME, COMPUTER)
        with ann.at(codes["table"]) as table:
            game = table.play_a_match()
            table.do("Rematch")
        known = {
            "code": [codes["table"], codes["table"].lower(), codes["watch"], ann.open(ME, FRIEND)["table"]],
            "game": [game, game.lower(), f"{codes['watch']}-2"],
            "hole": [1, 9, 10, 0],
            "language": ["en", "ja"],
            "variant": ["play_nine", "nine_card"],
            "name": [ann.http.get("/api/engine/play_nine").json()["sizes"][0]["net"].removeprefix("nets/")],
        }
        yield config, schemathesis.openapi.from_url(f"http://127.0.0.1:{config.port}/schema/openapi.json"), known


def test_every_operation_is_described_with_all_its_answers(busy):
    """Each by a schema of its own, so that the checks below have something to hold it to."""
    _, schema, _ = busy
    for path, operations in schema.raw_schema["paths"].items():
        for operation in operations.values():
            answers = operation["responses"]
            assert {"421", "429"} <= set(answers), path
            assert ("400" in answers) == ("{" in path or "requestBody" in operation), path
            for status, answer in answers.items():
                ((kind, content),) = answer["content"].items()
                if status[0] == "4":
                    assert (kind, content["schema"]) == ("application/json", {"$ref": "#/components/schemas/ErrorNote"})
    assert {result.ok().label for result in schema.get_all_operations()} == set(OPERATIONS)


OPERATIONS = [
    f"{method} {PARAMETER.sub(lambda found: found[0].partition(':')[0] + '}', path)}"
    for handler in HANDLERS
    if handler.include_in_schema is not False
    for method in sorted(handler.http_methods & {"GET", "POST", "DELETE"})
    for path in sorted(handler.paths)
]
EXAMPLES = 25
GOOD = {
    "POST /api/games/{game}/mulligan": {"hole": 4, "step": 7, "seat": 1, "player": ""},
    "POST /api/tables/{code}/hint": {"seat": 0},  # at the tables of someone else
    "POST /api/tables/{code}/position": {"seat": 0},
    "POST /api/house-rules": {"name": "ours", "text": "game = 'six_card'", "language": "de"},
    "POST /api/variant": {"name": "ours", "text": variants.load("nine_card").text},
}
OPENED = {
    "game": "play_nine",
    "players": ["Ann", "Ben"],
    "dealer": 0,
    "holes": [{"first_discard": "7", "moves": ["a1=4"]}],
}
LYING = {"game": "play_nine", "layouts": ["7 ? 1 ? / ? ? ? 5"] * 2, "discard": "4", "turn": 0} | {
    "held": None,
    "gone": [],
}
LYING |= {"taken": False, "discarded": False, "closer": None}
RECORDED = json.loads(
    (Path(__file__).parents[1] / "games" / "play_nine.jsonl").read_text(encoding="utf-8").splitlines()[0]
)
TOLD = [{key: hole[key] for key in ("first_discard", "moves", "reveal")} for hole in RECORDED["holes"][:1]]
GOOD |= {"POST /api/cardboard": OPENED, "POST /api/cardboard/hint": OPENED, "POST /api/cardboard/position": LYING}
GOOD["POST /api/cardboard/games"] = OPENED | {"dealer": RECORDED["holes"][0]["dealer"], "holes": TOLD}
ANSWERED = {
    **dict.fromkeys(("POST /api/tables/{code}/hint", "POST /api/tables/{code}/position"), 403),
    "POST /api/tables": 201,
    "POST /api/games/{game}/mulligan": 201,
}
ANSWERED |= {"POST /api/me/words": 201, "POST /api/me/come-back": 403}
ANSWERED |= {  # none at an address; test_server_passkeys.py asks at a name
    f"POST /api/me/{path}": 404 for path in ("passkeys", "passkeys/question", "come-back/passkey")
} | {"GET /api/me/come-back/question": 404}
ANSWERED |= {"POST /api/me/ways/channel": 400, "POST /api/me/ways/channel/code": 403}  # here are no channels
GOOD["POST /api/me/ways/push"] = Subscription("https://fcm.googleapis.com/fcm/send/1").wish()
ANSWERED["POST /api/cardboard/games"] = 201  # what a good question brings; all others 200
MISSING = {
    "GET /api/engine/{variant}": 400,
    "DELETE /api/me/devices/{device}": 200,
    "DELETE /api/me/passkeys/{passkey}": 200,
    "DELETE /api/me/ways/{way}": 200,
}  # what brings one about something that is not there; all others 404
GOOD["POST /api/card"] = {"game": "nine_card", "players": ["Ann", ""], "language": "ja", "rules": None} | {
    "dealer": 1,
    "holes": [{"points": [7, -3], "dealer": 1}],
    "winners": [],
}
GOOD_CARD = {"language": "fr"}
SEATS = [[ME, FRIEND], [FRIEND, ME, COMPUTER], [COMPUTER] * 6, [ME]]


RIGHT, WRONG = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
QUESTIONS = [(label, RIGHT) for label in OPERATIONS]
QUESTIONS += [(label, WRONG) for label in OPERATIONS if "POST" in label or "qr" in label or "{hole}" in label]


@pytest.mark.parametrize(("label", "mode"), QUESTIONS)
def test_whatever_is_asked_is_answered_as_described(busy, label, mode, caplog):
    _, schema, known = busy
    operation = schema.find_operation_by_label(label)
    seen = set()

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
    def ask(case, data):
        for name, values in known.items():
            if name in (case.path_parameters or {}) and data.draw(st.integers(0, 2)):
                case.path_parameters[name] = data.draw(st.sampled_from(values))
        if mode is RIGHT and "/card" in label and "POST" not in label and data.draw(st.booleans()):
            case.query = GOOD_CARD
        if mode is RIGHT and isinstance(case.body, dict) and data.draw(st.booleans()):
            case.body |= GOOD.get(label) or {"game": "play_nine", "seats": data.draw(st.sampled_from(SEATS))}
        answer = case.call(timeout=PATIENCE)
        seen.add(answer.status_code)
        assert answer.status_code < 500
        assert b"Traceback" not in answer.content
        case.validate_response(answer, checks=CHECKS)
        if answer.status_code >= 400:
            assert answer.json()["error"] in base.ERRORS

    ask()
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    # The questions were good ones: what is there was found, and what is wrong was refused.
    if mode is RIGHT:
        assert ANSWERED.get(label, 200) in seen
        assert MISSING.get(label, 404) in seen or "{" not in label
    elif label == "POST /api/tables":
        assert 400 in seen


def checks():
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    return [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
    ]


CHECKS = checks()


WISH = {"game": "play_nine", "seats": [ME, FRIEND], "options": {"pace": "normal", "chat": False}}
NASTY = ["null", "true", "[]", "{}", '"x"', "-1", "1e400", "9" * 4000, "NaN", '"\\ud800"', '"\\u0000"', "[" * 2000]


def test_a_table_asked_for_in_every_wrong_way(busy):
    config, _, _ = busy
    ann = Browser(config)
    for name in count_paths(WISH):
        for nasty in NASTY:
            text = json.dumps(spoilt(WISH, name, "?!?")).replace('"?!?"', nasty)
            answer = ann.http.post("/api/tables", content=text.encode(), headers={"content-type": "application/json"})
            assert answer.status_code in (201, 400), (text[:80], answer.text)
            assert answer.status_code == 201 or answer.json()["error"] in base.ERRORS
    for kind in (
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/json; charset=utf-16",
    ):
        answer = ann.http.post("/api/tables", content=json.dumps(WISH).encode(), headers={"content-type": kind})
        assert answer.status_code in (201, 400, 415)
    for content in (b"", b"{{{", b"[" * 15_000, b"\xff\xfe", b"\x1f\x8b" + b"x" * 100, b'{"game": "\xed\xa0\x80"}'):
        answer = ann.http.post("/api/tables", content=content)
        assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")
    huge = ann.http.post("/api/tables", content=b'"' + b"x" * 50_000)
    assert (huge.status_code, huge.json()["error"]) == (413, "bad_request")


def count_paths(thing, before=()):
    """The place of everything inside a thing."""
    inside = thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ()
    for key, value in inside:
        yield (*before, key)
        yield from count_paths(value, (*before, key))


def spoilt(thing, place, value):
    """A copy in which another value stands there."""
    if not place:
        return value
    copy = dict(thing) if isinstance(thing, dict) else list(thing)
    copy[place[0]] = spoilt(copy[place[0]], place[1:], value)
    return copy


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "OPTIONS", "FOO", "HEAD", "POST"])
def test_other_methods_are_refused_without_a_word_too_many(busy, method):
    config, _, known = busy
    ann = Browser(config)
    for path in ("/", "/api/facts", "/api/tables", f"/api/tables/{known['code'][0]}", "/ws/t/BCDFGHJKL", "/nowhere"):
        answer = ann.http.request(method, path)
        assert answer.status_code in (200, 204, 400, 404, 405)
        assert b"Traceback" not in answer.content
        assert "site-packages" not in answer.text


PATHS = [
    "%00",
    "%ff",
    "%c3%28",
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e",
    "x" * 4000,
    "☃",
    "a\\b",
    "%0d%0aSet-Cookie:x=1",
    "{}",
    "{{7*7}}",
    "'",
    "-1",
    "1e9",
]


@pytest.mark.parametrize(
    "path",
    [
        "/api/tables/{}",
        "/api/tables/{}/qr.svg",
        "/api/games/{}",
        "/api/games/{}/record",
        "/api/games/{}/shuffles",
        "/api/rulebook/{}",
        "/api/games/X-1/holes/{}",
        "/t/{}",
        "/assets/{}",
        "/{}",
    ],
)
def test_nasty_paths_lead_nowhere(busy, path):
    config, _, _ = busy
    ann = Browser(config)
    for nasty in PATHS:
        answer = ann.http.get(path.format(nasty))
        assert answer.status_code in (200, 400, 404), (nasty, answer.status_code)
        assert "root:" not in answer.text
        assert "x" not in answer.cookies
