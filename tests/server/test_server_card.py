"""Score cards printed by the server: to write on, of a finished match, and of a score pad; and what it refuses."""

import asyncio
import io
import json
import xml.etree.ElementTree as ElementTree

import httpx
import pytest
from pypdf import PdfReader
from served import COMPUTER, ME, Browser, served

from mulligan.game import variants
from mulligan.scorecard.card_words import signed
from mulligan.server.limits import Limits
from mulligan.server.services import print_worker, printing
from mulligan.server.services.printing import PrintShop, check, variant_of
from mulligan.server.table.rights import Refusal
from mulligan.server.wire.score_card import CardHole, CardRequest

pytestmark = pytest.mark.long
WISH = {"game": "play_nine", "players": ["Ann", "Ben"], "language": "en", "paper": "a4"}


def text_of(answer) -> str:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    (page,) = PdfReader(io.BytesIO(answer.content)).pages
    return page.extract_text()


def refused(answer) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


# To write on


def test_a_blank_card_comes_as_pdf_under_a_name_of_its_own(ann):
    answer = ann.http.get("/api/card/nine_card", params={"players": 8, "language": "fr", "paper": "letter"})
    assert "Golf à neuf cartes" in text_of(answer)
    assert answer.headers["content-disposition"] == 'inline; filename="mulligan-nine_card.pdf"'


def test_names_stand_on_it_whatever_they_are(ann):
    text = text_of(ann.http.get("/api/card/play_nine", params={"names": ["#[A] & B", "佐藤, 花子"], "dealer": 1}))
    assert "1 #[A] & B" in text
    assert "2 佐藤, 花子" in text


def test_a_picture_of_it_is_a_drawing_without_any_script_or_address(ann):
    answer = ann.http.get("/api/card/play_nine/picture", params={"players": 2, "language": "ja"})
    assert answer.headers["content-type"] == "image/svg+xml"
    drawing = ElementTree.fromstring(answer.content)
    assert drawing.tag.endswith("svg")
    for part in drawing.iter():
        assert not part.tag.endswith(("script", "foreignObject", "image"))
        assert not [name for name, value in part.items() if name.endswith("href") and not value.startswith("#")]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("nope?players=2", (400, "no_such_game")),
        ("play_nine?players=7", (400, "wrong_seat_count")),
        ("play_nine?players=0", (400, "wrong_seat_count")),
        ("play_nine?players=1000000", (400, "bad_request")),
        ("play_nine?players=1&names=A&names=B", (400, "bad_request")),
        ("play_nine?players=2&dealer=2", (400, "bad_request")),
        ("play_nine?players=2&dealer=-1", (400, "bad_request")),
        ("play_nine?players=2&language=tlh", (404, "no_such_language")),
        ("play_nine?players=2&paper=a5", (400, "bad_request")),
        ("nine_card?players=2&court=XYZ", (400, "bad_request")),
        (f"play_nine?players=2&names={'x' * 41}", (400, "name_too_long")),
    ],
)
def test_what_there_is_no_card_for_is_refused(ann, asked, code):
    assert refused(ann.http.get(f"/api/card/{asked}")) == code


@pytest.mark.parametrize(("asked", "letters"), [("language=fr", "V D R"), ("language=fr&court=JQK", "J Q K")])
def test_the_letters_on_the_cards_are_the_languages_or_those_asked_for(ann, asked, letters):
    said = text_of(ann.http.get(f"/api/card/nine_card?players=2&{asked}")).split()
    assert set(letters.split()) <= set(said)
    assert not ({*"JQKVDR"} - set(letters.split())) & set(said)


# Of a finished match


@pytest.fixture(scope="module")
def over(tmp_path_factory, client_folder):
    """A server on which a game was finished, and its number."""
    with served(tmp_path_factory.mktemp("games"), client_folder) as config:
        ann = Browser(config)
        with ann.at(ann.open(ME, COMPUTER)["table"]) as table:
            yield ann, table.play_a_match()


@pytest.mark.parametrize("language", ["de", "ja"])
def test_the_card_of_a_finished_game_says_what_its_record_says(over, language):
    ann, game = over
    record = json.loads(ann.http.get(f"/api/games/{game}/record").text)
    text = text_of(ann.http.get(f"/api/games/{game}/card", params={"language": language})).split()
    for seat, name in enumerate(record["players"]):
        at = text.index(str(seat + 1), text.index(name.split()[0]) - 1) + 1 + len(name.split())
        points = [hole["points"][seat] for hole in record["holes"][:9]]
        expected = [signed(number) for hole in range(9) for number in (points[hole], sum(points[: hole + 1]))]
        assert text[at : at + 18] == expected
        assert signed(record["totals"][seat]) in text[at + 18 : at + 20 + len(record["holes"]) - 9]


def test_the_card_of_a_short_match_has_no_more_holes_than_were_played(over):
    ann, _ = over
    with ann.at(ann.open(ME, COMPUTER, game="nine_card", holes=3)["table"]) as table:
        game = table.play_a_match()
    text = text_of(ann.http.get(f"/api/games/{game}/card", params={"language": "en"}))
    assert "after hole 3 wins" in text
    story = ann.http.get(f"/api/games/{game}/analysis").json()
    assert len(story["holes"]) == 3


def test_a_game_that_is_nowhere_has_no_card(over):
    assert refused(over[0].http.get("/api/games/NONE-1/card")) == (404, "game_gone")


# Of a score pad


def test_a_pad_has_its_game_printed_as_far_as_it_has_come(ann):
    told = WISH | {"holes": [{"points": [12, -3], "dealer": 1}, {"points": [0, 25]}], "dealer": 1}
    text = text_of(ann.http.post("/api/card", json=told))
    assert "1 Ann 12\n12\n0\n12" in text
    assert "2 Ben −3\n−3\n25\n22" in text


def test_a_pad_may_bring_the_facts_of_a_game_the_server_has_never_heard_of(ann):
    facts = ann.http.get("/api/facts").json()["games"][1] | {"name": "ours", "title": "Ours #1", "holes": 4}
    facts |= {"closer_penalty": 7}
    text = text_of(ann.http.post("/api/card", json=WISH | {"game": "ours", "rules": facts}))
    assert "Ours #1" in text
    assert "adds 7 for every" in " ".join(text.split())


@pytest.mark.parametrize(
    "wrong",
    [{"holes": 0}, {"rows": 100}, {"columns": -1}, {"faces": []}, {"bonus": [1000] * 20}, {"most": 99}, {"title": ""}],
)
def test_facts_that_no_game_can_have_are_refused(ann, wrong):
    facts = ann.http.get("/api/facts").json()["games"][0] | wrong
    assert refused(ann.http.post("/api/card", json=WISH | {"rules": facts})) == (400, "bad_variant")


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"players": ["Ann"]}, "wrong_seat_count"),
        ({"players": []}, "wrong_seat_count"),
        ({"holes": [{"points": [1]}]}, "bad_request"),
        ({"holes": [{"points": [1, 10**6]}]}, "bad_request"),
        ({"holes": [{"points": [1, 2], "dealer": 2}]}, "bad_request"),
        ({"holes": [{"points": [1, 2]}] * 60}, "bad_request"),
        ({"winners": [2]}, "bad_request"),
        ({"paper": "a0"}, "bad_request"),
        ({"players": "Ann"}, "bad_request"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(ann, wrong, error):
    assert refused(ann.http.post("/api/card", json=WISH | wrong)) == (400, error)


@pytest.mark.parametrize("name", variants.games())
def test_a_variant_made_of_its_facts_is_the_variant(name):
    variant = variants.load(name)
    made = variant_of(variant.facts)
    assert (made.name, made.title, made.faces, made.slots) == (
        variant.name,
        variant.title,
        variant.faces,
        variant.slots,
    )
    assert made.rules.tobytes() == variant.rules.tobytes()


# How it is printed


def test_the_server_goes_on_while_it_prints(ann):
    """The first card waits for its process; others are answered meanwhile."""

    async def ask():
        async with httpx.AsyncClient(base_url=ann.http.base_url, timeout=60) as http:
            cards = [
                asyncio.create_task(http.get("/api/card/play_nine", params={"names": [f"N{number}", "x"]}))
                for number in range(5)
            ]
            meanwhile = 0
            while not any(card.done() for card in cards):
                assert (await http.get("/api/health")).status_code == 200
                meanwhile += not any(card.done() for card in cards)
            assert {(await card).status_code for card in cards} == {200}
            return meanwhile

    assert asyncio.run(ask()) > 1  # the first may have come before the cards


def test_who_asks_for_ever_more_cards_has_to_wait_but_not_for_the_same_one(tmp_path, client_folder):
    with served(tmp_path, client_folder, limits=Limits(questions=2, questions_per_second=0.01)) as config:
        ann = Browser(config)
        for _ in range(4):
            assert ann.http.get("/api/card/play_nine?players=2").status_code == 200
        assert ann.http.get("/api/card/play_nine?players=3").status_code == 200
        answer = ann.http.get("/api/card/play_nine?players=4")
        assert refused(answer) == (429, "too_fast")
        assert int(answer.headers["retry-after"]) > 0


def wish(number: int) -> CardRequest:
    return CardRequest("play_nine", [f"N{number}", ""], "en", "a4", holes=[CardHole([number, 1])])


def test_a_printer_that_has_printed_enough_makes_room_for_another():
    async def print_many():
        shop, starts = PrintShop(), []
        started = shop.processes.start
        shop.processes.start = lambda: starts.append(1) or started()
        try:
            cards = [await shop.print(wish(number), "pdf", lambda: None) for number in range(print_worker.CARDS + 1)]
        finally:
            await shop.close()
        return cards, len(starts)

    cards, starts = asyncio.run(print_many())
    assert all(card.startswith(b"%PDF") for card in cards)
    assert starts == 2


def test_where_nothing_can_be_printed_it_is_said(monkeypatch):
    monkeypatch.setattr(printing, "TRIES", 1)

    async def print_one(command):
        shop = PrintShop(command)
        try:
            await shop.print(wish(1), "pdf", lambda: None)
        finally:
            await shop.close()

    for broken in (["false"], ["sh", "-c", "read order; echo '!no ink'; read order"], ["/nowhere/to/print"]):
        with pytest.raises(Refusal, match="server_fault"):
            asyncio.run(print_one(broken))


def test_what_the_process_cannot_read_it_says(monkeypatch):
    monkeypatch.setattr(print_worker, "printed", 0)
    assert print_worker.answer(b"nonsense").startswith(b"!")
    assert b"\n" not in print_worker.answer(b"{}")


def test_a_wish_is_checked_before_anybody_prints():
    with pytest.raises(Refusal, match="no_such_game"):
        check(CardRequest("../../etc/passwd", ["a", "b"], "en", "a4"))
