"""What the score pad asks the server: the facts of a variant that someone brings as a file."""

import minis
import msgspec
import pytest
from served import Browser

from mulligan.game import shipped, variants
from mulligan.server.wire.base import VARIANT_LENGTH

FILES = [*sorted(shipped.FOLDER.glob("*.toml")), *minis.OWN_FILES]
NINE_CARD = variants.load("nine_card").text


def ask(ann: Browser, text: str, name: str = "ours") -> tuple[int, dict]:
    answer = ann.http.post("/api/variant", json={"name": name, "text": text})
    return answer.status_code, answer.json()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_variant_from_a_file_is_what_the_engine_reads(ann, file):
    told = ask(ann, file.read_text(encoding="utf-8"), file.stem)
    assert told == (200, msgspec.to_builtins(variants.load(str(file)).facts))


def test_a_variant_of_its_own_is_not_taken_for_one_of_the_package(ann):
    ours = (
        NINE_CARD.partition("[options]")[0]
        .replace('"Nine-card golf"', '"Ours"')
        .replace("closer_penalty = 5", "closer_penalty = 7")
    )
    status, facts = ask(ann, ours, "nine_card")
    assert (status, facts["name"], facts["title"], facts["closer_penalty"]) == (200, "nine_card_own", "Ours", 7)
    assert ask(ann, NINE_CARD, "nine_card")[1]["name"] == "nine_card"
    assert ask(ann, ours, "../../our game!")[1]["name"] == "_our_game_"
    assert ask(ann, ours, "")[1]["name"] == "own"
    assert len(ask(ann, ours, "x" * 500)[1]["name"]) <= 40


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "ours.toml: title is missing; it should be a text."),
        (NINE_CARD.replace("rows = 3", "rows = 30"), "layout.rows must be a whole number from 1 to 12, not 30."),
        (NINE_CARD.replace("holes = 9", ""), "ours.toml: holes is missing"),
        (NINE_CARD.replace('"rows" ', '"diagonals" '), 'lines must be "columns" or "rows"'),
        (NINE_CARD.replace("lines = [-30]", "lines = [-30, -40, -50]"), "bonus.lines has 3 entries"),
    ],
)
def test_a_file_that_is_no_variant_is_refused_in_words(ann, text, words):
    status, note = ask(ann, text)
    assert (status, note["error"]) == (400, "bad_variant")
    assert words in note["params"]["detail"]
    assert len(note["params"]["detail"]) <= 300
    assert note["params"]["detail"].isprintable()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Dear diary", "ours.toml, ligne 1 : Ce n’est pas du TOML"),
        ("x = " + "[" * 3000, "Trop de niveaux imbriqués."),
        ("x" + ".x" * 3000 + " = 1", "Trop de niveaux imbriqués."),
        ("x = " + "9" * 7000, "Un nombre est trop long."),
        ("game = 'six_card'\n[options]\nwild = 2", "n’a pas d’option « wild »"),
    ],
)
def test_a_file_that_is_none_or_has_wrong_house_rules_is_refused_in_the_language(ann, text, words):
    for path in ("/api/variant", "/api/house-rules"):
        answer = ann.http.post(path, json={"name": "ours", "text": text, "language": "fr"})
        assert (answer.status_code, answer.json()["error"]) == (400, "bad_house_rules")
        assert words in answer.json()["params"]["detail"]


def test_a_file_that_is_far_too_long_is_not_read(ann):
    assert ask(ann, " " * (VARIANT_LENGTH + 1)) == (
        400,
        {"error": "variant_too_long", "params": {"most": VARIANT_LENGTH}},
    )
    assert ask(ann, "x" * 30_000)[0] == 413
    assert ask(ann, NINE_CARD + " " * (VARIANT_LENGTH - len(NINE_CARD)))[0] == 200


def test_nothing_of_it_is_kept(ann):
    kept = variants.parse.cache_info().currsize
    for number in range(5):
        assert ask(ann, NINE_CARD.replace("Nine-card golf", f"Game {number}"))[0] == 200
        assert ask(ann, f"title = {number}")[0] == 400
    assert variants.parse.cache_info().currsize == kept


def test_what_makes_no_sense_is_refused_with_a_code(ann):
    for body in ({}, {"name": "x"}, {"name": "x", "text": 5}, [], "text"):
        answer = ann.http.post("/api/variant", json=body)
        assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")
    assert ann.http.get("/api/variant").status_code in (404, 405)
