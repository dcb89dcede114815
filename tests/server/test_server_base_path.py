"""A server that is one part of a site: everything is below a path such as /golf."""

import json

import pytest
from served import COMPUTER, FRIEND, ME, AtTable, Browser, served

from mulligan.server.web.config import Config
from mulligan.server.web.run import ServeError, serve
from mulligan.server.wire.base import WIRE_VERSION

PAGE = """<!doctype html><html lang="en"><head><!-- preview --><title>Mulligan</title><!-- /preview -->
<meta name="words-en" content="/assets/en-1a2b3c.js" /><link rel="icon" href="/icon.svg" />
<link rel="manifest" href="/manifest.webmanifest" />
<script src="/assets/index-1a2b3c.js"></script></head></html>"""


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("client")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    for name in ("index", "engineWorker"):
        (folder / "assets" / f"{name}-1a2b3c.js").write_text("export {}", encoding="utf-8")
    (folder / "manifest.en.webmanifest").write_text(json.dumps({"name": "M", "description": "D"}), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def golf(tmp_path_factory, client):
    with served(tmp_path_factory.mktemp("games"), client, base_path="/golf", behind=("127.0.0.1",)) as config:
        yield config


@pytest.fixture
def ann(golf):
    return Browser(golf)


@pytest.mark.long
def test_the_page_and_its_files_are_below_the_path(ann):
    page = ann.http.get("/golf/")
    for part in (
        'content="/golf/assets/',
        'href="/golf/icon.svg"',
        'href="/golf/manifest.webmanifest"',
        'src="/golf/assets/',
    ):
        assert part in page.text
    assert '"/icon' not in page.text
    assert ann.http.get("/golf/assets/index-1a2b3c.js").text == "export {}"
    assert ann.http.get("/golf/pad/7").status_code == 200
    assert ann.http.get("/golf/nowhere").status_code == 404
    assert ann.http.get("/golf/api/nothing").json()["error"] == "not_found"


@pytest.mark.long
@pytest.mark.parametrize("proxy", ["/golf", ""], ids=["keeps the path", "removes the path"])
def test_what_pages_need_to_play_without_the_server_is_below_the_path(ann, proxy):
    size = ann.http.get(f"{proxy}/api/engine/play_nine").json()["sizes"][0]
    assert len(ann.http.get(f"{proxy}/{size['net']}").content) == size["net_bytes"]
    worker = ann.http.get(f"{proxy}/assets/engineWorker-1a2b3c.js")
    assert "wasm-unsafe-eval" in worker.headers["content-security-policy"]


@pytest.mark.long
@pytest.mark.parametrize("proxy", ["/golf", ""], ids=["keeps the path", "removes the path"])
def test_links_tell_the_whole_path_whatever_the_proxy_does(ann, golf, proxy):
    opened = ann.http.post(f"{proxy}/api/tables", json={"game": "play_nine", "seats": [ME, FRIEND]}).json()
    site = f"http://127.0.0.1:{golf.port}/golf"
    assert opened["link"] == f"{site}/t/{opened['table']}"
    assert opened["watch_link"] == f"{site}/w/{opened['watch']}"
    assert ann.http.get(f"{proxy}/api/facts").json()["origin"] == site
    preview = Browser(golf).http.get(f"{proxy}/t/{opened['table']}").text
    assert f'<meta property="og:image" content="{site}/preview.jpg" />' in preview
    assert 'content="/golf/assets/' in preview
    with ann.socket(f"{proxy}/ws/t/{opened['table']}") as socket:
        table = AtTable(socket)
        table.say("Hello", client_version=WIRE_VERSION)
        assert table.hear("Welcome")["you"] == [0]


def test_a_table_is_played_below_the_path(ann):
    code = ann.open(ME, COMPUTER)["table"]
    with ann.socket(f"/golf/ws/t/{code}") as socket:
        table = AtTable(socket)
        table.say("Hello", client_version=WIRE_VERSION)
        table.hear("Welcome")
        assert table.do("Start")["is"] == "Accepted"


def test_the_path_without_its_last_slash_leads_there(ann):
    answer = ann.http.get("/golf?x=1")
    assert (answer.status_code, answer.headers["location"]) == (308, "/golf/?x=1")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert ann.http.get("/golfer").status_code == 404


def test_the_cookie_is_for_this_path_and_for_this_server(ann):
    wish = {"game": "play_nine", "seats": [ME, FRIEND]}
    cookie = ann.http.post("/golf/api/tables", json=wish).headers["set-cookie"]
    assert cookie.startswith("mulligan_guest.golf=")
    assert "Path=/golf;" in cookie
    secure = {"x-forwarded-proto": "https"}
    answer = ann.http.post("/golf/api/tables", json=wish, headers=secure | {"cookie": ""})
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-mulligan_guest.golf=")  # browsers accept this only with Path=/
    assert "Path=/;" in cookie
    token = cookie.partition(";")[0]
    table = f"/golf/api/tables/{answer.json()['table']}"
    assert ann.http.get(table, headers=secure | {"cookie": token}).json()["seated"]
    assert not ann.http.get(table, headers=secure | {"cookie": token.replace(".golf", "")}).json()["seated"]


def test_the_schema_names_the_path(ann):
    assert ann.http.get("/golf/schema/openapi.json").json()["servers"] == [{"url": "/golf"}]


@pytest.mark.parametrize("path", ["golf", "//golf", "/golf/../x", "/gölf", "https://example.org/golf", "/a b", "/<"])
def test_what_is_no_path_is_refused_in_a_sentence(tmp_path, path):
    with pytest.raises(ServeError, match="is not a base path; --base-path takes one such as /golf"):
        serve(Config("127.0.0.1", 0, tmp_path, base_path=path))
