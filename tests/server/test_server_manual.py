"""The manual at /docs, as a server of files; what is in it, tests/test_manual.py says."""

import pytest
from served import Browser, served

from mulligan.server.web.safe_headers import POLICY

FILES = {
    "index.html": "<title>All</title>" + " " * 2000,
    "guide.html": "<title>Guide</title>",
    "fr/index.html": "<title>Tout</title>",
    "search.json": "{}",
    "strength.jsonl": "{}",
    "assets/bundle.1a2b3c4d.js": "go()",
    ".stamp": "0123",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    for path, text in FILES.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    (folder.parent / "secret.html").write_text("secret", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def ann(tmp_path_factory, client_folder, folder):
    with served(tmp_path_factory.mktemp("games"), client_folder, manual=folder) as config:
        yield Browser(config)


def test_pages_and_files_come_with_their_types_and_the_apps_own_policy(ann):
    kinds = {
        "": "text/html; charset=utf-8",
        "guide.html": "text/html; charset=utf-8",
        "fr/": "text/html; charset=utf-8",
        "search.json": "application/json",
        "strength.jsonl": "text/plain; charset=utf-8",
        "assets/bundle.1a2b3c4d.js": "text/javascript; charset=utf-8",
    }
    for path, kind in kinds.items():
        answer = ann.http.get(f"/docs/{path}")
        assert (answer.status_code, answer.headers["content-type"]) == (200, kind), path
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.text == FILES[path or "index.html"] if path != "fr/" else "Tout" in answer.text


def test_a_browser_keeps_scripts_and_asks_for_pages_again(ann):
    page = ann.http.get("/docs/", headers={"accept-encoding": "gzip"})
    assert (page.headers["cache-control"], page.headers["content-encoding"]) == ("no-cache", "gzip")
    assert ann.http.get("/docs/", headers={"if-none-match": page.headers["etag"]}).status_code == 304
    assert "immutable" in ann.http.get("/docs/assets/bundle.1a2b3c4d.js").headers["cache-control"]
    assert ann.http.head("/docs/guide.html").content == b""


def test_a_folder_gets_the_slash_at_which_its_links_begin(ann):
    for path in ("/docs", "/docs/fr"):
        answer = ann.http.get(path)
        assert (answer.status_code, answer.headers["location"]) == (308, f"{path}/")


def test_what_is_not_there_is_not_found_and_nothing_outside_is(ann):
    for path in (
        "nope.html",
        "assets",
        "guide.html/x",
        ".stamp",
        "%2e%2e/secret.html",
        "..%2fsecret.html",
        "//etc/passwd",
    ):
        answer = ann.http.get(f"/docs/{path}")
        assert answer.status_code == 404, path
        assert "Mulligan" in answer.text, path  # the app's page for unknown addresses
        assert "secret" not in answer.text, path


def test_it_lies_below_the_base_path_too(tmp_path, client_folder, folder):
    with served(tmp_path, client_folder, manual=folder, base_path="/golf") as config:
        ann = Browser(config)
        assert ann.http.get("/golf/docs").headers["location"] == "/golf/docs/"
        assert "Guide" in ann.http.get("/golf/docs/guide.html").text


def test_a_server_without_it_says_how_to_build_it_and_has_it_from_then_on(tmp_path, client_folder):
    manual = tmp_path / "docs"
    with served(tmp_path / "games", client_folder, manual=manual) as config:
        ann = Browser(config)
        for path in ("/docs", "/docs/", "/docs/guide.html"):
            answer = ann.http.get(path)
            assert answer.status_code == 404
            assert "run <code>make docs</code>" in answer.text
        manual.mkdir()
        (manual / "index.html").write_text("<title>All</title>")
        assert "All" in ann.http.get("/docs/").text
