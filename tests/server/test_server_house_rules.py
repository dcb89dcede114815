"""House rules at a table: offered in the player's language, checked, kept in the log, and told to everyone."""

import pytest
from served import COMPUTER, ME
from tables import GUESTS, TableDriver

from mulligan.game import referee, variants
from mulligan.server.services import cardboard, printing
from mulligan.server.table import finished, take_mulligan
from mulligan.server.table.log_entries import decode, encode
from mulligan.server.table.rights import Refusal
from mulligan.server.table.table import Table
from mulligan.server.table.view import view
from mulligan.server.wire.cardboard import CardboardGame, HoleEntered
from mulligan.server.wire.coach import MulliganRequest

OURS = {"jokers": -5, "tee_off": 2}
PATCHED = variants.for_match(variants.load("nine_card"), OURS).facts


def test_a_game_offers_its_options_in_the_language_of_the_player(ann):
    asked = {"chosen": "jokers=-5,holes=3", "language": "fr"}
    told = ann.http.get("/api/house-rules/nine_card", params=asked).json()
    assert told["house_rules"] == {"jokers": -5, "holes": 3}
    assert told["text"] == "jokers=-5,holes=3"
    assert told["file"].splitlines()[0] == 'game = "nine_card"'
    assert told["facts"]["faces"][-1]["points"] == -5
    options = {option["option"]: option for option in told["options"]}
    jokers = options["jokers"]
    assert (jokers["name"], jokers["rules"], jokers["chosen"]) == ("Jokers", ["5.1", "2.1"], -5)
    assert [choice["value"] for choice in jokers["choices"]] == [-3, "none", 0, -1, -2, -5]
    assert jokers["choices"][1] == {"value": "none", "name": "Aucun", "sentence": "Vous jouez sans jokers."}
    assert options["kings"]["chosen"] == 0
    assert [choice["value"] for choice in options["holes"]["choices"]] == [9, 18, 3]


def test_who_has_not_learned_the_rules_is_said(ann):
    assert ann.http.get("/api/house-rules/nine_card").json()["untrained"] == []
    asked = {"chosen": "jokers=-5"}
    assert ann.http.get("/api/house-rules/nine_card", params=asked).json()["untrained"] == [
        "regular",
        "club",
        "pro",
        "search",
    ]
    assert ann.http.get("/api/house-rules/six_card", params=asked).json()["untrained"] == ["search"]


@pytest.mark.parametrize("chosen", ["wild=1", "jokers=7", "jokers"])
def test_wrong_house_rules_are_refused_in_the_language_of_the_player(ann, chosen):
    answer = ann.http.get("/api/house-rules/nine_card", params={"chosen": chosen, "language": "de"})
    assert (answer.status_code, answer.json()["error"]) == (400, "bad_house_rules")
    assert any(word in answer.json()["params"]["detail"] for word in ("keine Option", "kann nicht „7“ sein", "schreib"))


def test_a_table_is_opened_with_house_rules(ann):
    wish = {"game": "nine_card", "seats": [ME, COMPUTER], "house_rules": OURS | {"kings": 0}}
    opened = ann.http.post("/api/tables", json=wish).json()
    with ann.at(opened["table"]) as table:
        welcome = table.welcome
        assert welcome["view"]["house_rules"] == OURS
        assert welcome["facts"]["tee_off"] == 2
    named = ann.http.post("/api/tables", json={"game": "nine_card", "seats": [ME, COMPUTER]}).json()
    with ann.at(named["table"]) as table:
        assert (table.welcome["view"]["house_rules"], table.welcome["facts"]) == ({}, None)
    refused = ann.http.post("/api/tables", json=wish | {"house_rules": {"jokers": 7}})
    assert (refused.status_code, refused.json()["error"]) == (400, "bad_house_rules")


def test_a_file_of_house_rules_is_a_game_of_its_own_for_the_score_pad(ann):
    file = {"name": "nine_card", "text": 'game = "nine_card"\n[options]\njokers = -5\n'}
    facts = ann.http.post("/api/variant", json=file).json()
    assert (facts["name"], facts["options"], facts["faces"][-1]["points"]) == ("nine_card_own", {}, -5)


def test_a_file_of_house_rules_is_read_by_the_server_as_by_the_command_line(ann):
    file = {"name": "ours", "language": "ja", "text": "# „ours“\nGame = “Nine–card”\noptions = { Jokers = −5 }\n"}
    chosen = ann.http.get("/api/house-rules/nine_card", params={"chosen": "jokers=-5", "language": "ja"}).json()
    assert ann.http.post("/api/house-rules", json=file).json() == chosen
    own = ann.http.post("/api/house-rules", json=file | {"text": variants.load("six_card").text.partition("[opt")[0]})
    assert (own.status_code, own.json()["error"]) == (400, "bad_house_rules")
    assert "ハウスルールのファイルではありません" in own.json()["params"]["detail"]


def test_the_log_keeps_them_and_every_reader_of_it_has_them():
    driver = TableDriver("nine_card", house_rules=OURS, holes=1)
    driver.play_to("over")
    table = Table(decode(encode(entry)) for entry in driver.log)
    assert view(table).house_rules == OURS
    assert table.record()["match"] == OURS | {"holes": 1}
    assert referee.replay(table.record()).totals == driver.table.record()["totals"]
    found = finished.read(driver.log, 1)
    assert found is not None
    card, _ = found
    assert (card.house_rules, card.facts) == (OURS, PATCHED)
    assert printing.wish_of(card, "en", "a4").rules.tee_off == 2
    again = take_mulligan.opened(driver.log, "G", 1, MulliganRequest(hole=1, step=8, seat=0), GUESTS[0])
    again.table = again.watch = "BCDFGHJK"
    assert Table([again]).variant.facts.tee_off == 2
    driver.play_to("lobby" if driver.table.phase == "lobby" else "over")
    assert driver.table.house_rules == OURS


def test_a_game_with_real_cards_has_house_rules():
    teeing_off = HoleEntered(first_discard="7", moves=["a1=4", "b1=*"])
    entered = CardboardGame("nine_card", ["Ann", "Ben"], 1, [teeing_off], house_rules=OURS)
    shown = cardboard.table_entered(entered).view
    assert (shown.phase, shown.house_rules, shown.seats[0].so_far) == ("take", OURS, -1)
    entered.house_rules = {"wild": 1}
    with pytest.raises(Refusal, match="bad_house_rules"):
        cardboard.table_entered(entered)


def test_the_rule_book_is_that_of_the_house_rules(ann):
    asked = {"game": "eight_card", "chosen": "jokers=-1"}
    book = ann.http.get("/api/rulebook/en", params=asked).json()
    rule = next(rule for chapter in book["chapters"] for rule in chapter["rules"] if rule["number"] == "5.3")
    note, *blocks = [block for block in rule["blocks"] if not block["games"] or "eight_card" in block["games"]]
    assert (note["house"], note["text"]) == (
        "note",
        "> **House rule.** You play with jokers, and each counts −1. A line of jokers counts −2.",
    )
    changed = [block["text"] for block in blocks if block["house"] == "changed"]
    assert changed[0].startswith("**House rules change this.** **Eight-card golf.** A column with two jokers")
    assert any("`* 4 6 2 / * 7 A K` | 18 |" in block["text"] for block in blocks)
    assert next(face["points"] for face in book["facts"]["faces"] if face["name"] == "*") == -1
    assert ann.http.get("/api/rulebook/en").json()["facts"] is None
    refused = ann.http.get("/api/rulebook/en", params=asked | {"chosen": "jokers=-1,jokers=-2"})
    assert refused.json()["params"]["detail"] == "jokers is given twice. Leave one of them out."


def test_pointless_house_rules_are_refused_for_a_new_table(ann):
    wish = {"game": "twelve_card", "seats": [ME, COMPUTER], "language": "de"}
    refused = ann.http.post("/api/tables", json=wish | {"house_rules": {"pack": "numbers", "kings": -2}})
    assert "„Könige“" in refused.json()["params"]["detail"]
