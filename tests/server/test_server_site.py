"""The game as files: what is written into a folder, what is left alone, and how the pages find one another."""

import json
import re

import msgspec
import pytest

from mulligan.server.web import static_site
from mulligan.server.web.routes.client import PAGES
from mulligan.server.web.safe_headers import POLICY
from mulligan.server.web.static_files import ENGINE
from mulligan.server.web.static_site import LIST, SiteError, earlier_files, files_of_site, write_site

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8" />
<link rel="icon" href="/icon.svg" /><script src="/assets/index-1a2b3c.js"></script></head></html>"""
FILES = {"index.html": "start", "pad/index.html": "pad", "assets/a-1.js": "old"}
OTHERS = "holds other files. Give a new folder, an empty one, or one with an earlier site."


def write(folder, files):
    return list(write_site(folder, {path: lambda text=text: text.encode() for path, text in files.items()}))


def read(folder):
    return {
        file.relative_to(folder).as_posix(): file.read_text("utf-8")
        for file in folder.rglob("*")
        if file.is_file() and file.name != LIST
    }


def test_a_site_takes_the_place_of_an_earlier_one_and_of_nothing_else(tmp_path):
    folder = tmp_path / "new" / "golf"
    assert write(folder, FILES) == [5, 3, 3]
    assert read(folder) == FILES
    (folder / "CNAME").write_text("golf.example")
    (folder / "pad" / "mine.txt").write_text("mine")
    later = {"index.html": "start again", "b/c/d.js": "new"}
    write(folder, later)
    assert read(folder) == later | {"CNAME": "golf.example", "pad/mine.txt": "mine"}
    assert not (folder / "assets").exists()
    write(folder, FILES)
    assert not (folder / "b").exists()


def test_other_files_are_not_touched(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(SiteError, match=OTHERS):
        write(tmp_path, FILES)
    (tmp_path / LIST).write_text("[1, 2]")
    with pytest.raises(SiteError, match=OTHERS):
        write(tmp_path, FILES)
    assert sorted(file.name for file in tmp_path.iterdir()) == [LIST, "thesis.txt"]
    (tmp_path / LIST).write_text(json.dumps(["thesis.txt", "../up.txt", "/etc/passwd"]))
    assert earlier_files(tmp_path) == {"thesis.txt"}


def test_a_file_that_is_not_from_an_earlier_site_keeps_its_name(tmp_path):
    write(tmp_path, {"index.html": "start"})
    (tmp_path / "robots.txt").write_text("mine")
    with pytest.raises(SiteError, match=re.escape(f"{tmp_path / 'robots.txt'} is not from an earlier site")):
        write(tmp_path, {"index.html": "another", "robots.txt": "ours"})
    assert read(tmp_path) == {"index.html": "start", "robots.txt": "mine"}


def test_a_folder_of_a_version_control_system_counts_as_empty(tmp_path):
    (tmp_path / ".git").mkdir()
    write(tmp_path, FILES)
    assert read(tmp_path) == FILES


def test_what_an_interruption_leaves_is_replaced_by_the_next_try(tmp_path):
    def stopped():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(write_site(tmp_path, {"index.html": lambda: b"start", "sw.js": stopped}))
    assert read(tmp_path) == {"index.html": "start"}
    write(tmp_path, FILES)
    assert read(tmp_path) == FILES


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The files of a site at /golf; those of the games are written in tests/browser."""
    (tmp_path / "client").mkdir()
    (tmp_path / "client" / "index.html").write_text(PAGE, "utf-8")
    (tmp_path / "client" / "icon.svg").write_text("<svg/>", "utf-8")
    (tmp_path / "engine").write_bytes(b"\0asm")
    monkeypatch.setattr(static_site, "files_of_game", lambda game: {})
    return files_of_site(tmp_path / "client", tmp_path / "manual", tmp_path / "engine", "/golf")


def test_pages_link_up_to_the_folder_of_the_site(files):
    assert b'href="./icon.svg"' in files["index.html"]()
    assert b'src="../assets/index-1a2b3c.js"' in files["pad/index.html"]()
    assert b'href="../../icon.svg"' in files["learn/play_nine/index.html"]()
    assert b'href="../../../icon.svg"' in files["learn/play_nine/better/index.html"]()
    assert b'href="/golf/icon.svg"' in files["404.html"]()
    assert (files["icon.svg"](), files[ENGINE]()) == (b"<svg/>", b"\0asm")


def test_every_page_is_one_of_the_servers(files):
    pages = [path for path in files if not path.startswith("docs/")]
    folders = [path.removesuffix("/index.html") for path in pages if path.endswith("/index.html")]
    assert len(folders) > 10
    assert [path for path in folders if not PAGES.fullmatch(path)] == []


def test_pages_have_the_servers_policy_and_may_run_the_engine(files):
    (policy,) = re.findall(rb'<meta http-equiv="Content-Security-Policy" content="([^"]+)" />', files["index.html"]())
    told, server = ({part.split()[0]: part for part in text.split("; ")} for text in (policy.decode(), POLICY))
    assert told["script-src"] == "script-src 'self' 'wasm-unsafe-eval'"
    assert server.keys() - told.keys() == {"frame-ancestors"}
    assert {name for name in told if told[name] != server[name]} == {"script-src"}


def test_the_manual_is_part_of_it_with_the_servers_policy(tmp_path):
    (tmp_path / "index.html").write_text('<meta charset="utf-8"><script src="a.js"></script>', "utf-8")
    (tmp_path / "a.js").write_text("go()", "utf-8")
    files = static_site.files_of_manual(tmp_path)
    html = files["docs/index.html"]().decode()
    (policy,) = re.findall(r'<meta charset="utf-8">\n    <meta http-equiv="[^"]+" content="([^"]+)"', html)
    assert policy == POLICY.partition("; frame-ancestors")[0]
    assert files["docs/a.js"]() == b"go()"


def test_where_the_manual_is_not_built_its_place_says_how(files):
    for path in ("docs/index.html", "docs/fr/index.html"):
        assert b"<code>make docs</code>" in files[path]()


def test_the_facts_say_that_there_is_no_server_and_name_no_host(files):
    facts = msgspec.json.decode(files["api/facts"]())
    assert (facts["serverless"], facts["origin"]) == (True, "")


def test_a_client_that_is_not_built_is_said_so(tmp_path):
    with pytest.raises(SiteError, match="make client"):
        files_of_site(tmp_path, tmp_path / "manual", tmp_path / "engine")
