"""HTTP: the facts, errors as codes, the client's files, and what every answer tells the browser."""

import gzip
import io
import json
import random
import re
import urllib.request
from pathlib import Path

import pytest
from served import COMPUTER, FRIEND, HERE, ME, SQLITE_ONLY, Browser, served

import mulligan.server
from mulligan.game import rulebook, variants
from mulligan.machine_code import browser_layout
from mulligan.server.rooms.registry import CODE_LENGTH
from mulligan.server.web import static_files
from mulligan.server.web.config import CLIENT, Config
from mulligan.server.web.routes.client import PAGES
from mulligan.server.web.run import ServeError, serve
from mulligan.server.web.static_files import StaticFiles
from mulligan.server.wire import base

ROOT = Path(__file__).parents[2]


def test_the_facts_are_what_the_engine_knows(ann):
    facts = ann.http.get("/api/facts").json()
    assert [game["name"] for game in facts["games"]] == variants.games()
    play_nine, nine_card, *_ = facts["games"]
    assert (play_nine["rows"], play_nine["columns"], play_nine["bonus"]) == (2, 4, [-10, -15, -20])
    assert (nine_card["bonus"], nine_card["bonus_replaces"], nine_card["closer_penalty"]) == ([-30], True, 5)
    assert {"name": "H", "copies": 4, "points": -5, "line_points": -10} in play_nine["faces"]
    assert facts["languages"] == [*rulebook.LANGUAGES]
    health = ann.http.get("/api/health")
    assert health.json()["status"] in ("well", "starting")
    assert (health.status_code, health.json()["version"]) == (200, facts["version"])
    assert health.headers["cache-control"] == "no-store"


def test_the_rule_book_comes_in_chapters_and_blocks(ann):
    book = ann.http.get("/api/rulebook/en").json()
    rules = {rule["number"]: rule for chapter in book["chapters"] for rule in chapter["rules"]}
    assert rules["3.5"]["title"] == "A taken discard must be placed"
    assert any(block["games"] == ["nine_card"] for block in rules["3.3"]["blocks"])
    answer = ann.http.get("/api/rulebook/tlh")
    assert (answer.status_code, answer.json()["error"]) == (404, "no_such_language")


def test_a_new_table_makes_a_guest_and_keeps_the_token_to_itself(ann):
    answer = ann.http.post("/api/tables", json={"game": "play_nine", "seats": [ME, FRIEND]})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    token = ann.http.cookies["mulligan_guest"]
    note = ann.http.get(f"/api/tables/{answer.json()['table']}")
    assert "set-cookie" not in note.headers
    assert token not in note.text
    assert note.json()["seated"] is True
    assert note.json()["seats"] == [{"name": "Ann", "kind": "person"}, {"name": "", "kind": "open"}]
    assert note.json()["link"].endswith(f"/t/{answer.json()['table']}")


def test_a_full_table_tells_strangers_no_names(ann, ben):
    code = ann.open(ME, COMPUTER)["table"]
    assert [seat["name"] for seat in ann.http.get(f"/api/tables/{code}").json()["seats"]] == ["Ann", "Greedy"]
    told = ben.http.get(f"/api/tables/{code}").json()
    assert [seat["kind"] for seat in told["seats"]] == ["person", "computer"]
    assert [seat["name"] for seat in told["seats"]] == ["", ""]


def test_a_table_is_found_however_its_code_is_written(ann, ben):
    code = ann.open(ME, FRIEND)["table"]
    assert len(code) == CODE_LENGTH == 9
    assert ben.http.get(f"/api/tables/{code.lower()}").json()["seated"] is False
    picture = ben.http.get(f"/api/tables/{code}/qr.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert picture.text != ben.http.get(f"/api/tables/{code}/qr.svg?watch=1").text


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        ({"game": "poker", "seats": [ME, FRIEND]}, "no_such_game"),
        ({"game": "play_nine", "seats": [ME]}, "wrong_seat_count"),
        ({"game": "play_nine", "seats": [ME] + [FRIEND] * 6}, "wrong_seat_count"),
        ({"game": "play_nine", "seats": [ME, {"kind": "computer", "player": "god"}]}, "no_such_player"),
        ({"game": "play_nine", "seats": [ME, {"kind": "here", "name": "ann"}]}, "name_taken"),
        ({"game": "play_nine", "seats": [{"kind": "me", "name": " "}, FRIEND]}, "name_empty"),
        ({"game": "play_nine", "seats": [{"kind": "me", "name": "x" * 21}, FRIEND]}, "name_too_long"),
        ({"game": "play_nine", "seats": [{"kind": "cat"}, FRIEND]}, "bad_request"),
        ({"game": "play_nine"}, "bad_request"),
        ([], "bad_request"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_a_code(ann, wish, error):
    answer = ann.http.post("/api/tables", json=wish)
    assert (answer.status_code, answer.json()["error"]) == (400, error)


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/api/tables/BCDFGHJKL", "table_gone"),
        ("/api/tables/☃", "table_gone"),
        ("/api/tables/BCDFGHJKL/qr.svg", "table_gone"),
        ("/api/games/WATCHWXZ-1", "game_gone"),
        ("/api/games/nonsense", "game_gone"),
        ("/api/games/WATCHWXZ-1/holes/1", "game_gone"),
        ("/api/games/WATCHWXZ-99999999999/record", "game_gone"),
        ("/api/nothing", "not_found"),
    ],
)
def test_what_is_not_there_says_so(ann, path, error):
    answer = ann.http.get(path)
    assert (answer.status_code, answer.json()["error"]) == (404, error)


def test_computer_players_get_names_of_their_own(ann):
    code = ann.open({"kind": "me", "name": "Greedy"}, COMPUTER, COMPUTER, {**COMPUTER, "name": "Rob"}, HERE)["table"]
    names = [seat["name"] for seat in ann.http.get(f"/api/tables/{code}").json()["seats"]]
    assert names == ["Greedy", "Greedy 2", "Greedy 3", "Rob", "Bea"]


def test_every_answer_is_strict_with_the_browser(ann):
    for path in ("/", "/api/facts", "/api/nothing", "/nowhere", "/assets/index-1a2b3c.js", "/schema"):
        headers = ann.http.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe-eval" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


def test_only_the_worker_of_the_engine_may_compile_webassembly(ann):
    for path in ("/", "/assets/index-1a2b3c.js", "/assets/engineWorker-gone.js", "/assets/x/engineWorker-1a2b3c.js"):
        assert "wasm" not in ann.http.get(path).headers["content-security-policy"], path
    worker = ann.http.get("/assets/engineWorker-1a2b3c.js")
    tag = {"if-none-match": worker.headers["etag"]}
    for answer in (worker, ann.http.get("/assets/engineWorker-1a2b3c.js", headers=tag)):
        policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
        assert policy == {
            "default-src": "'none'", "script-src": "'self' 'wasm-unsafe-eval'", "connect-src": "'self'"
        }  # fmt: skip
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_hashed_files_are_kept_for_ever_and_the_page_is_asked_for_again(ann):
    asset = ann.http.get("/assets/index-1a2b3c.js")
    assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert asset.headers["content-type"].startswith("text/javascript")
    page = ann.http.get("/")
    assert page.headers["cache-control"] == "no-cache"
    again = ann.http.get("/", headers={"if-none-match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert ann.http.get("/manifest.webmanifest").headers["content-type"].startswith("application/manifest+json")


def test_the_page_is_compressed_for_browsers_that_can_read_that(ann):
    plain, zipped = (ann.http.get("/", headers={"accept-encoding": kind}) for kind in ("identity", "gzip, br"))
    assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert int(zipped.headers["content-length"]) < 300 < int(plain.headers["content-length"])
    assert zipped.text == plain.text
    assert zipped.headers["vary"] == plain.headers["vary"] == "accept-language, accept-encoding"
    assert "content-encoding" not in ann.http.get("/assets/index-1a2b3c.js").headers  # eight bytes


def test_a_file_is_compressed_once_and_not_at_all_where_that_saves_little(tmp_path):
    (tmp_path / "index.html").write_bytes(b"<!doctype html>" * 100)
    (tmp_path / "noise.jpg").write_bytes(random.Random(1).randbytes(500))
    files = StaticFiles(tmp_path)
    index, picture = files.index(), files.find("noise.jpg")
    assert gzip.decompress(index.zipped) == index.content
    assert files.index().zipped is index.zipped
    assert picture.zipped == b""


def test_the_engine_for_browsers_is_served_where_there_is_one(tmp_path, monkeypatch):
    (tmp_path / "index.html").touch()
    files, engine = StaticFiles(tmp_path), tmp_path / "0123-numba-0.1.wasm"
    engine.write_bytes(b"the engine")
    monkeypatch.setattr(static_files, "browser_engine", lambda: None)
    name = f"engine-{browser_layout()}.wasm"
    assert files.find(name) is None
    monkeypatch.setattr(static_files, "browser_engine", lambda: engine)
    item = files.find(name)
    assert (item.content, item.kind, item.caching) == (b"the engine", "application/wasm", "no-cache")
    assert files.find("engine-0123456789ab.wasm") is None  # of another version: its pages could not use this one


def test_a_look_without_the_content_is_enough_for_some(ann):
    answer = ann.http.head("/")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["etag"] == ann.http.get("/").headers["etag"]


def test_what_never_changes_may_be_kept_and_what_lives_may_not(ann):
    code = ann.open(ME, FRIEND)["table"]
    assert ann.http.get(f"/api/tables/{code}").headers["cache-control"] == "no-store"
    assert ann.http.get("/api/facts").headers["cache-control"] == "no-cache"
    assert "max-age=3600" in ann.http.get("/api/rulebook/en").headers["cache-control"]
    assert ann.http.get("/api/games/WATCHWXZ-1").headers["cache-control"] == "no-store"  # there may be one later


def test_every_page_is_the_client_and_what_is_none_is_not_found(ann):
    for path in ("/", "/t/BCDFGHJKL", "/T/BCDFGHJKL", "/w/BCDFGHJK", "/g/BCDFGHJK-1", "/rules", "/rules/5.4"):
        assert ann.http.get(path).status_code == 200
    for path in ("/nowhere", "/t", "/t/a/b", "/assets/gone.js", "/%2e%2e/secret", "/..%2f..%2fetc/passwd"):
        assert ann.http.get(path).status_code == 404
    assert "Mulligan" in ann.http.get("/nowhere").text


def test_every_page_of_the_client_has_a_component_a_path_at_the_server_and_visits_by_tests():
    router, components, visits = (
        (ROOT / file).read_text(encoding="utf-8")
        for file in ("web/src/lib/router.svelte.ts", "web/src/allPages.ts", "tests/browser/visiting.py")
    )
    pages, paths = re.findall(r'\| { page: "(\w+)"', router), set(re.findall(r'first === "([\w-]+)"', router))
    assert {*pages} == {*re.findall(r"^  (\w+): \(\) =>", components, re.M)}
    assert {path for path in paths if not PAGES.fullmatch(path) and not PAGES.fullmatch(f"{path}/CODE")} == set()
    assert {path for path in paths if f'"/{path}' not in visits} == {"move"}  # with a key of its own


def test_long_answers_are_sent_small(server):
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}/api/rulebook/en", headers={"Accept-Encoding": "gzip"}
    )
    with urllib.request.urlopen(request) as answer:
        assert answer.headers["content-encoding"] == "gzip"
        packed = answer.read()
    assert len(packed) < len(gzip.GzipFile(fileobj=io.BytesIO(packed)).read()) / 2


def test_the_interface_is_described_without_help_from_elsewhere(ann):
    answer = ann.http.get("/schema/openapi.json")
    paths = json.loads(answer.text)["paths"]
    assert {"/api/facts", "/api/tables", "/api/games/{game}/record"} <= set(paths)
    assert ann.http.get("/schema").json()["openapi"].startswith("3.")


def test_without_a_client_a_page_says_how_to_build_it(tmp_path):
    with served(tmp_path / "games", tmp_path / "client") as config:
        page = Browser(config).http.get("/")
        assert page.status_code == 200
        assert "not built" in page.text
        (tmp_path / "client").mkdir()
        (tmp_path / "client" / "index.html").write_text("<title>built</title>", encoding="utf-8")
        assert "built</title>" in Browser(config).http.get("/").text


def test_a_busy_port_and_an_unusable_folder_get_one_sentence(tmp_path, server):
    with pytest.raises(ServeError, match=f"Port {server.port} is taken"):
        serve(Config("127.0.0.1", server.port, tmp_path))
    with pytest.raises(ServeError, match="no address"):
        serve(Config("no.such.host.invalid", 0, tmp_path))
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ServeError, match="file is not a folder; give one for the games"):
        serve(Config("127.0.0.1", 0, tmp_path / "file"))


@SQLITE_ONLY
def test_a_folder_in_use_gets_one_sentence(server):
    with pytest.raises(ServeError, match="Another Mulligan"):
        serve(Config("127.0.0.1", 0, server.data))


def test_links_for_friends_can_be_opened_on_other_devices(monkeypatch):
    monkeypatch.setattr("mulligan.server.web.config.lan_name", lambda: "192.168.1.5")
    at_home = Config("127.0.0.1", 8000, None)
    everywhere = Config("0.0.0.0", 8000, None)
    assert at_home.lan_address == ""
    assert at_home.base("http", "localhost:8000") == "http://localhost:8000"
    assert everywhere.address == "http://localhost:8000"
    assert everywhere.base("http", "localhost:8000") == "http://192.168.1.5:8000"
    assert everywhere.base("http", "127.0.0.1") == "http://192.168.1.5:8000"
    assert everywhere.base("https", "golf.example") == "https://golf.example"
    assert everywhere.base("http", "[::1]:8000") == "http://192.168.1.5:8000"


def test_every_code_a_guest_may_meet_is_on_the_list_the_client_translates():
    source = "".join(file.read_text(encoding="utf-8") for file in Path(mulligan.server.__file__).parent.rglob("*.py"))
    raised = set(re.findall(r'(?:Refusal|note)\([^")]*"([a-z_]+)"', source))
    raised |= set(re.findall(r'(?:error=|send_away\(|Rejection\(\d+, [A-Z_]+, )"([a-z_]+)"', source))
    assert raised == set(base.ERRORS)


def test_the_server_looks_for_the_client_where_the_build_puts_it() -> None:
    assert Path(mulligan.__file__).parent / "client" == CLIENT
