"""Who is let in by which name: no page of another site reaches a table, and no proxy is believed that was not named."""

import json
import socket

import pytest
from served import FRIEND, ME, Browser, served
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from mulligan.server.web import hosts
from mulligan.server.web.config import Config
from mulligan.server.web.run import ServeError, serve

NAMES = {"localhost", "kitchen", "kitchen.local", "golf.example"}


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8000",
        "localhost.",
        "app.localhost:5173",
        "127.0.0.1:8000",
        "192.168.1.5:8000",
        "[::1]:8000",
        "[2001:db8::7]",
        "kitchen",
        "Kitchen.local:8000",
        "kitchen.local.:8000",
        "golf.example",
        "golf.example:443",
    ],
)
def test_this_machine_answers_to_its_own_names(host):
    assert hosts.is_ours(host, NAMES)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8000",
        "kitchen.evil.example",
        "localhost.evil.example",
        "evillocalhost",
        "127.0.0.1.evil.example",
        "golf.example.evil.example",
        "xn--glf-0na.example",
        "golf.example:port",
        "golf.example:99999999",
        "golf.example/",
        "golf.example?",
        "evil.example#golf.example",
        "evil.example@golf.example",
        "golf.example@evil.example",
        "golf.example, evil.example",
        "golf.example evil.example",
        "[::1",
        "::1]",
        "[evil.example]",
        "0x7f.1",
        "2130706433",
        "..",
        "\u212aitchen",
    ],
)
def test_it_answers_to_no_other(host):
    assert not hosts.is_ours(host, NAMES)


def test_a_machine_goes_by_its_name_at_home_but_not_in_the_world(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "Kitchen.fritz.example.")
    names = hosts.own_names(["Golf.Example."])
    for host in ("kitchen", "kitchen.local:8000", "kitchen.lan", "kitchen.home.arpa", "kitchen.fritz.example"):
        assert hosts.is_ours(host, names)
    assert hosts.is_ours("golf.example", names)
    for host in ("kitchen.example", "kitchen.com", "fritz.example", "local", "dining.local"):
        assert not hosts.is_ours(host, names)


@pytest.mark.parametrize(
    ("origin", "host", "secure"),
    [
        ("http://localhost:8000", "localhost:8000", False),
        ("http://LOCALHOST:8000", "localhost:8000", False),
        ("http://localhost:8000", "localhost.:8000", False),
        ("http://kitchen.local", "kitchen.local", False),
        ("http://kitchen.local", "kitchen.local:80", False),
        ("http://[::1]:8000", "[::1]:8000", False),
        ("https://kitchen.local", "kitchen.local", True),
        ("https://kitchen.local", "kitchen.local", False),  # a proxy that tells us nothing took off the s
        ("https://golf.example:8443", "golf.example:8443", False),
        ("https://golf.example", "127.0.0.1:8000", False),  # … or the name
        ("https://golf.example:443", "127.0.0.1:8000", True),
        ("https://club.example:8443", "club.example", False),  # … or the port, which we were given
    ],
)
def test_our_own_pages_may_ask(origin, host, secure):
    assert hosts.is_own_page(origin, host, secure, {"golf.example", "club.example:8443"})


@pytest.mark.parametrize(
    ("origin", "host", "secure"),
    [
        ("null", "localhost:8000", False),
        ("", "localhost:8000", False),
        ("localhost:8000", "localhost:8000", False),
        ("file://", "localhost:8000", False),
        ("ftp://localhost:8000", "localhost:8000", False),
        ("chrome-extension://localhost:8000", "localhost:8000", False),
        ("http://localhost:3000", "localhost:8000", False),
        ("http://localhost", "localhost:8000", False),
        ("https://localhost", "localhost:80", False),
        ("http://golf.example", "golf.example", True),
        ("https://evil.example", "golf.example", True),
        ("https://golf.example.evil.example", "golf.example", True),
        ("https://golf.example@evil.example", "golf.example", True),
        ("http://127.0.0.1:8000", "localhost:8000", False),
        ("http://[::1", "localhost:8000", False),
        ("http://localhost:x", "localhost:8000", False),
        ("https://golf.example:8443", "golf.example", False),  # another server of the same machine
        ("http://golf.example:8080", "golf.example", False),
        ("https://club.example:9443", "club.example", False),
    ],
)
def test_pages_of_others_may_not(origin, host, secure):
    assert not hosts.is_own_page(origin, host, secure, {"golf.example", "club.example:8443"})


def test_a_strange_name_is_told_so_everywhere(ann):
    code = ann.open(ME, FRIEND)["table"]
    strange = {"host": "evil.example"}
    for path in ("/api/facts", f"/api/tables/{code}", "/api/health", "/schema/openapi.json"):
        answer = ann.http.get(path, headers=strange)
        assert (answer.status_code, answer.json()) == (421, {"error": "wrong_host", "params": {"host": "evil.example"}})
    page = ann.http.get(f"/t/{code}", headers=strange)
    assert page.status_code == 421
    assert "--host-name" in page.text
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in page.headers
    posted = ann.http.post("/api/tables", headers=strange, json={"game": "play_nine", "seats": [ME, FRIEND]})
    assert posted.status_code == 421


def test_a_socket_by_a_strange_name_is_told_so_and_closed(ann):
    code = ann.open(ME, FRIEND)["table"]
    for host in ("evil.example", f"evil.example:{ann.config.port}"):
        with (
            socket.create_connection(("127.0.0.1", ann.config.port), timeout=20) as sock,
            connect(f"ws://{host}/ws/t/{code}", sock=sock, origin=f"http://{host}", compression=None) as opened,
        ):
            assert json.loads(opened.recv(timeout=20)) == {
                "is": "Refused",
                "id": "",
                "error": "wrong_host",
                "params": {"host": host},
            }
            with pytest.raises(ConnectionClosed) as closed:
                opened.recv(timeout=20)
            assert closed.value.rcvd.code == 4007


@pytest.mark.parametrize(
    "origin", ["null", "https://evil.example", "http://127.0.0.1:1", "http://localhost", "https://127.0.0.1"]
)
def test_only_our_own_pages_open_tables_and_sockets(ann, origin):
    wish = {"game": "play_nine", "seats": [ME, FRIEND]}
    answer = ann.http.post("/api/tables", json=wish, headers={"origin": origin})
    assert (answer.status_code, answer.json()["error"]) == (403, "wrong_host")
    code = ann.open(ME, FRIEND)["table"]
    with ann.socket(f"/ws/t/{code}", origin=origin) as opened:
        assert json.loads(opened.recv(timeout=20))["error"] == "wrong_host"
        with pytest.raises(ConnectionClosed) as closed:
            opened.recv(timeout=20)
        assert closed.value.rcvd.code == 4007


def test_our_own_page_and_who_is_no_browser_come_in(ann):
    own = f"http://127.0.0.1:{ann.config.port}"
    answer = ann.http.post("/api/tables", json={"game": "play_nine", "seats": [ME, FRIEND]}, headers={"origin": own})
    assert answer.status_code == 201
    for origin in (own, None):
        with ann.socket(f"/ws/t/{answer.json()['table']}", origin=origin) as opened:
            opened.ping()
            opened.send("{}")
            assert json.loads(opened.recv(timeout=20))["error"] == "garbage"


# Behind a proxy


def test_nobody_is_believed_who_says_that_he_speaks_for_another(ann, monkeypatch):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    headers = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https"}
    wish = {"game": "play_nine", "seats": [ME, FRIEND]}
    answer = ann.http.post("/api/tables", json=wish, headers=headers)
    assert answer.json()["link"].startswith("http://127.0.0.1")
    assert "Secure" not in answer.headers["set-cookie"]


def test_a_named_proxy_is_believed_and_what_it_was_told_by_others_is_not(tmp_path, client_folder):
    behind = ("127.0.0.1", "10.0.0.0/8")
    limits = served_limits(tables=2)
    with served(tmp_path, client_folder, names=("Golf.Example",), behind=behind, limits=limits) as config:
        ann = Browser(config)
        wish = {"game": "play_nine", "seats": [ME, FRIEND]}
        headers = {"host": "golf.example", "x-forwarded-proto": "https", "origin": "https://golf.example"}

        def opened(*told):
            more = {"x-forwarded-for": ", ".join(told)} if told else {}
            return ann.http.post("/api/tables", json=wish, headers=headers | more)

        answer = opened("203.0.113.1")
        assert answer.json()["link"].startswith("https://golf.example/t/")
        assert ann.http.get("/api/facts", headers=headers).json()["origin"] == "https://golf.example"
        cookie = answer.headers["set-cookie"]
        assert all(word in cookie for word in ("HttpOnly", "SameSite=Lax", "Secure", "Path=/"))
        assert opened("203.0.113.1").status_code == 201
        assert opened("203.0.113.1").status_code == 429
        # an address that a client adds in front of its own changes nothing, nor does a second proxy of ours in between
        assert opened("198.51.100.7", "203.0.113.1").status_code == 429
        assert opened("198.51.100.7", "203.0.113.1", "10.1.2.3").status_code == 429
        assert opened("203.0.113.2").status_code == 201
        assert ann.http.get("/api/facts", headers={"host": "evil.example"}).status_code == 421


def test_over_https_the_cookie_is_for_this_name_alone_and_the_browser_is_to_stay_with_https(tmp_path, client_folder):
    with served(tmp_path, client_folder, names=("golf.example",), behind=("127.0.0.1",)) as config:
        ann = Browser(config)
        secure = {"host": "golf.example", "x-forwarded-proto": "https"}

        def seated(**cookies):
            cookie = "; ".join(f"{name.replace('host_', '__Host-')}={token}" for name, token in cookies.items())
            answer = ann.http.get(f"/api/tables/{code}", headers=secure | {"cookie": cookie})
            return answer.json()["seated"], answer.headers.get("set-cookie", "").partition(";")[0]

        opened = ann.http.post("/api/tables", json={"game": "play_nine", "seats": [ME, FRIEND]}, headers=secure)
        code = opened.json()["table"]
        token = opened.headers["set-cookie"].partition(";")[0].removeprefix("__Host-mulligan_guest=")
        assert seated(host_mulligan_guest=token) == (True, "")
        # a cookie of before, or one that a neighbour's page has set, counts only where there is no safe one
        assert seated(mulligan_guest=token) == (True, f"__Host-mulligan_guest={token}")
        assert seated(host_mulligan_guest=token, mulligan_guest="x" * 32) == (True, "")
        assert seated(host_mulligan_guest="x" * 32, mulligan_guest=token) == (False, "")
        assert opened.headers["strict-transport-security"] == "max-age=31536000"
        assert "strict-transport-security" not in ann.http.get("/api/facts").headers
        with (
            socket.create_connection(("127.0.0.1", config.port), timeout=20) as sock,
            connect(
                f"ws://golf.example/ws/t/{code}", sock=sock, additional_headers={"x-forwarded-proto": "https"}
            ) as line,
        ):
            assert line.response.headers["set-cookie"].startswith("__Host-mulligan_guest=")


def served_limits(**changes):
    from dataclasses import replace

    from mulligan.server.limits import Limits

    return replace(Limits(), tables_per_second=0.001, **changes)


@pytest.mark.parametrize("proxy", ["*", "proxy", "127.0.0.1/8", "::1/200", ""])
def test_what_is_no_proxy_is_named_in_one_sentence(tmp_path, proxy):
    with pytest.raises(ServeError, match="is not a proxy's address"):
        serve(Config("127.0.0.1", 0, tmp_path, behind=(proxy,)))


@pytest.mark.parametrize(
    "name", ["https://golf.example", "golf.example:", "golf.example:x", "golf.example/", "", "a b"]
)
def test_what_is_no_name_is_named_in_one_sentence(tmp_path, name):
    with pytest.raises(ServeError, match="is not a host name"):
        serve(Config("127.0.0.1", 0, tmp_path, names=(name,)))
