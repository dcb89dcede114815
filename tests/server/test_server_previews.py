"""A link in a message shows who invites to which game, in a language that the reader knows."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from served import PATIENCE, Browser, served

from mulligan.game.rulebook import LANGUAGES
from mulligan.server.web.routes import client as client_routes

WEB = Path(__file__).parents[2] / "web"
ME = {"kind": "me", "name": "Ann"}
FRIEND = {"kind": "friend"}
COMPUTER = {"kind": "computer", "player": "club", "name": "Birdie"}


@pytest.fixture(scope="module", autouse=True)
def patiently():
    """A page waits as long as it takes for the table, however busy the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client_routes, "AT_ONCE", PATIENCE)
        yield


@pytest.fixture(scope="module")
def ann(tmp_path_factory):
    """At a server with the client's page as it is in the source, and a manifest in each language."""
    client = tmp_path_factory.mktemp("client")
    (client / "index.html").write_bytes((WEB / "index.html").read_bytes())
    for language in LANGUAGES:
        words = json.loads((WEB / "messages" / f"{language}.json").read_text(encoding="utf-8"))
        about = {"name": f"Mulligan – {words['page_start_title']}", "description": words["page_description"]}
        (client / f"manifest.{language}.webmanifest").write_text(json.dumps(about), encoding="utf-8")
    with served(tmp_path_factory.mktemp("games"), client) as config:
        yield Browser(config)


def opened(browser, *seats, **wish):
    answer = browser.http.post("/api/tables", json={"game": "play_nine", "seats": list(seats), **wish})
    assert answer.status_code == 201, answer.text
    return answer.json()["table"]


def previewed(browser, path, language=""):
    """The title and the tags of a page, asked for by someone without a cookie."""
    stranger = Browser(browser.config)
    page = stranger.http.get(path, headers={"accept-language": language})
    assert page.headers["vary"].lower().replace(" ", "") in ("accept-language", "accept-language,accept-encoding")
    assert page.headers["cache-control"] == ("private, " if "set-cookie" in page.headers else "") + "no-cache"
    assert "script-src 'self';" in page.headers["content-security-policy"]
    tags = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', page.text)
    assert len(dict(tags)) == len(tags)
    (title,) = re.findall("<title>(.*?)</title>", page.text)
    (shown,) = re.findall('<html lang="(.*?)">', page.text)
    return {"title": unescape(title), "lang": shown, **{name: unescape(content) for name, content in tags}}


@pytest.mark.parametrize(
    ("language", "locale", "title"),
    [
        ("en-GB", "en_US", "Mulligan – Golf card games"),
        ("fr-CA,en;q=0.5", "fr_FR", "Mulligan – Jeux de golf aux cartes"),
        ("de", "de_DE", "Mulligan – Golf-Kartenspiele"),
        ("ja", "ja_JP", "Mulligan – ゴルフのカードゲーム"),
        ("es", "en_US", "Mulligan – Golf card games"),
    ],
)
def test_every_page_has_a_preview_in_the_visitors_language(ann, language, locale, title):
    for path in ("/", "/rules", "/t/BCDFGHJKL", "/index.html"):
        seen = previewed(ann, path, language)
        assert (seen["title"], seen["og:title"], seen["og:locale"]) == (title, title, locale)
        assert (seen["lang"], seen["og:description"]) == (locale[:2], seen["description"])
        assert seen["og:image"] == f"http://127.0.0.1:{ann.config.port}/preview.jpg"


def test_the_picture_is_one_of_ours_and_as_large_as_the_tags_say(ann):
    picture = (WEB / "public" / "preview.jpg").read_bytes()
    size = re.search(rb"\xff\xc0\x00\x11\x08(..)(..)", picture, re.DOTALL)
    height, width = (int.from_bytes(number, "big") for number in size.groups())
    seen = previewed(ann, "/")
    assert (seen["og:image:width"], seen["og:image:height"]) == (str(width), str(height))


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "Ann invites you to a match of Nine-card golf"),
        ("fr", "Ann vous invite à une partie\u00a0: Golf à neuf cartes"),
        ("de", "Ann lädt dich zu einer Partie Neun-Karten-Golf ein"),
        ("ja", "Annさんから「ナインカードゴルフ」への招待です"),
    ],
)
def test_an_invitation_says_who_invites_to_what(ann, language, title):
    code = opened(ann, ME, FRIEND, game="nine_card")
    for path in (f"/t/{code}", f"/T/{code.lower()}/"):
        seen = previewed(ann, path, language)
        assert (seen["title"], seen["og:title"], seen["lang"]) == (title, title, language)


def test_who_asks_in_no_language_reads_the_tables(ann):
    code = opened(ann, ME, FRIEND, language="de")
    assert previewed(ann, f"/t/{code}")["og:title"] == "Ann lädt dich zu einer Partie Play Nine ein"
    assert previewed(ann, f"/t/{code}", "es, *;q=0.1")["lang"] == "de"
    assert previewed(ann, f"/t/{code}", "fr")["lang"] == "fr"
    strange = opened(ann, ME, FRIEND, language="../../etc")
    assert previewed(ann, f"/t/{strange}")["og:title"] == "Ann invites you to a match of Play Nine"


def test_names_cannot_break_out_of_the_tags(ann):
    code = opened(ann, {"kind": "me", "name": '"><b>&'}, FRIEND)
    page = ann.http.get(f"/t/{code}").text
    assert "<b>" not in page
    assert previewed(ann, f"/t/{code}")["og:title"] == '"><b>& invites you to a match of Play Nine'


def test_a_stranger_reads_no_name_of_a_full_table(ann):
    code = opened(ann, ME, COMPUTER)
    assert ann.http.get(f"/t/{code}").status_code == 200
    for browser in (ann, Browser(ann.config)):
        assert "Ann" not in browser.http.get(f"/t/{code}").text


def test_the_page_is_asked_for_again_and_sent_when_it_has_changed(ann):
    code = opened(ann, ME, FRIEND)
    first = ann.http.get(f"/t/{code}", headers={"accept-language": "de"})
    again = {"if-none-match": first.headers["etag"]}
    assert ann.http.get(f"/t/{code}", headers={**again, "accept-language": "de"}).status_code == 304
    assert ann.http.get(f"/t/{code}", headers={**again, "accept-language": "fr"}).status_code == 200


def test_looking_for_tables_by_their_pages_counts_as_guessing(tmp_path, ann):
    limits = replace(ann.config.limits, guesses=3, guesses_per_second=0.001)
    with served(tmp_path, ann.config.client, limits=limits) as config:
        code = opened(Browser(config), ME, FRIEND)
        stranger = Browser(config)
        assert "invites" in stranger.http.get(f"/t/{code}").text
        for guess in ("BCDFGHJKL", "BCDFGHJKM", "BCDFGHJKN"):
            assert stranger.http.get(f"/t/{guess}").status_code == 200
        assert stranger.http.get("/api/tables/BCDFGHJKP").status_code == 429
        assert "invites" in stranger.http.get(f"/t/{code}").text  # a right code is never refused
