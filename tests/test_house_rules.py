"""House rules: every game plays by every set of options it offers, as a second reading of its file says."""

import re
import tomllib
from functools import cache
from pathlib import Path

import independent
import pytest
from commands import mulligan
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from minis import RULES
from test_every_variant import points_by_file

from mulligan import simulation
from mulligan.engine.scoring import lines_cost
from mulligan.game import house_options, house_rules, referee, shipped, variants
from mulligan.game.notation import read_layout
from mulligan.game.rulebook import LANGUAGES
from mulligan.game.score_parts import explain
from mulligan.game.variants import OptionError, VariantError
from mulligan.game.words import Words
from mulligan.players.net_files import best, edition

GAMES = [name for name in variants.games() if variants.load(name).facts.options]
FITTING = (
    "house_options_wrong_cards",
    "house_options_wrong_tee_off",
    "house_options_wrong_until",
)  # why options of one game may not fit together
DISCARDING = {  # may discard, the turn is over, the last one may stay down, any one may
    "must_place": (False, False, False, False), "ends_turn": (True, True, False, False),
    "must_flip": (True, False, False, False), "may_leave_last": (True, False, True, False),
    "may_flip": (True, False, False, True),
}  # fmt: skip


NO_BOOK_DEPENDS_ON = (
    "packs",
    "holes",
    "until",
    "level",
)  # nets are for one hole, and for the packs of a number of seats


@cache
def table_of(game: str) -> dict:
    return tomllib.loads((shipped.FOLDER / f"{game}.toml").read_text(encoding="utf-8"))


def patched(table: dict, patch: dict) -> dict:
    """The file of a game, rewritten for its house rules."""
    length = table["layout"]["columns" if table["lines"] == "rows" else "rows"]
    faces = {name: dict(face) for name, face in table["faces"].items()}
    if patch.get("pack") == "numbers":
        counts = {"-2": 5, "-1": 10, "0": 15} | {str(number): 10 for number in range(1, 13)}
        faces = {name: {"copies": count, "points": int(name), "line": 0} for name, count in counts.items()}
        table = table | {"packs": []}
    jokers = patch.get("jokers", ...)
    if jokers == "none":
        faces.pop("*", None)
    elif jokers is not ...:
        faces.setdefault("*", {"copies": 2, "points": 0, "line": 0})
    for option, face in (("jokers", "*"), ("kings", "K"), ("twos", "2")):
        points = patch.get(option, "none")
        if points != "none" and face in faces:
            faces[face]["points"] = points
    table = table | {"faces": faces}
    if "tee_off" in patch:
        table["tee_off"] = table["tee_off"] | {"cards": patch["tee_off"]}
    if "discarding" in patch:
        keys = ("may_discard_drawn", "discard_ends_turn", "may_leave_last", "may_leave_any")
        table |= dict(zip(keys, DISCARDING[patch["discarding"]], strict=True))
    if "tee_off_place" in patch:
        table["tee_off"] = table["tee_off"] | {"place": patch["tee_off_place"]}
    if "knock" in patch:
        table["knock"] = {"no": 0, "any": 12}.get(patch["knock"], patch["knock"])
    if "last_turns" in patch:
        table["has_last_turns"] = patch["last_turns"] == "yes"
    other = {"rows_and_columns": "crossing", "all": "diagonals"}.get(patch.get("lines"))
    if "lines" in patch:
        table |= {"other_lines": other or "none"} | ({} if other else {"lines": patch["lines"]})
        table["bonus"] = table["bonus"] | {"lines": [] if other else table["bonus"]["lines"] or [0] * 2}
    if "block" in patch:
        table["bonus"] = table["bonus"] | {"block": 0 if patch["block"] == "none" else patch["block"]}
    if patch.get("bonus") == "none":
        table["bonus"] = {"lines": [0 for _ in table["bonus"]["lines"]], "replaces": False}
    elif "bonus" in patch:
        bonuses = [patch["bonus"] * (2 + more) // 2 for more, _ in enumerate(table["bonus"]["lines"])]
        table["bonus"] = table["bonus"] | {"lines": bonuses}
    if "penalty" in patch:
        kind = patch["penalty"]
        table["closer_penalty"] = {"none": 0, "5_each": 5, "double": 0}.get(kind, kind)
        table["penalty_once"] = type(kind) is int
        table["penalty_factor"] = 2 if kind == "double" else 1
        table["ties_beat_closer"] = kind == "double"
    if offered := table["options"].get("negative_lines"):
        keeps = patch.get("negative_lines", offered[0]) == "keep"
        for face in faces.values():
            face["line"] = length * face["points"] if keeps and face["points"] < 0 else 0
    if "until" in patch:
        table["until"] = 0 if patch["until"] == "none" else patch["until"]
    if "packs" in patch and patch["packs"] != "by_players":
        table["packs"] = [0] * (patch["packs"] - 1) + [table["seats"]["most"]]
    for key in ("holes", "level"):
        table[key] = patch.get(key, table[key])
    return table


def rules_of(table: dict) -> independent.Rules:
    """What the independent referee needs to know of a file."""
    return independent.Rules(
        players=range(table["seats"]["least"], table["seats"]["most"] + 1),
        pack={name: face["copies"] for name, face in table["faces"].items()},
        rows=table["layout"]["rows"],
        columns=table["layout"]["columns"],
        tee_off=table["tee_off"]["cards"],
        tee_off_first=table["tee_off"]["before_play"],
        may_discard_drawn=table["may_discard_drawn"],
        may_leave_last=table["may_leave_last"],
        may_decline=table.get("may_decline_last_turn", False),
        points=lambda rows: points_of(table, rows),
        penalty=table["closer_penalty"],
        playoff=table["level"] == "playoff",
        holes=table["holes"],
        discard_ends_turn=table.get("discard_ends_turn", False),
        last_turns=table.get("has_last_turns", True),
        packs=tuple(table.get("packs", ())),
        tee_off_place=table["tee_off"].get("place", "any"),
        may_leave_any=table.get("may_leave_any", False),
        knock=table.get("knock", 0),
        penalty_once=table.get("penalty_once", False),
        penalty_factor=table.get("penalty_factor", 1),
        ties_count=table.get("ties_beat_closer", False),
        until=table.get("until", 0),
        columns_clear=table.get("lines_clear", False),
        closer_starts=worth_of(table) if table.get("closer_starts") else None,
    )


def worth_of(table: dict) -> dict[str, int]:
    return {name: face["points"] for name, face in table["faces"].items()}


def points_of(table: dict, rows: list[list[str]]) -> int:
    """What a layout costs, by its file."""
    if table.get("lines_clear"):
        return independent.clear_points(rows, worth_of(table))
    if table.get("other_lines", "none") == "none" and not table["bonus"].get("block"):
        return points_by_file(table, rows)
    directions = {"none": table["lines"], "crossing": "rows columns", "diagonals": "rows columns diagonals"}
    lines = directions[table.get("other_lines", "none")]
    return independent.square_points(rows, table["bonus"].get("block", 0), worth_of(table), lines)


@st.composite
def patches(draw, game: str) -> dict:
    """Some options of a game with any of their values; a short match."""
    offered = variants.load(game).facts.options
    names = draw(st.lists(st.sampled_from(sorted(offered)), unique=True, max_size=5))
    return {name: draw(st.sampled_from(offered[name])) for name in names} | {"holes": draw(st.integers(1, 2))}


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_house_rules_are_dealt_played_and_refereed(game, data):
    """At the fewest and the most seats; the record says which they were, and another referee agrees."""
    patch = data.draw(patches(game))
    try:
        variant = variants.for_match(variants.load(game), patch)
    except OptionError as error:
        if error.key not in FITTING:
            raise
        return
    rules = rules_of(patched(table_of(game), patch))
    for seats in (variant.seats[0], variant.seats[-1]):
        for player in ("random", "greedy"):
            for record in simulation.records(variant, seats, [player], seed=1, games=1):
                assert record.get("match", {}) == variant.match
                replayed = referee.replay(record)
                assert replayed.variant.facts == variants.for_seats(variant, seats).facts
                assert replayed.totals == record["totals"]
                independent.judge({key: record[key] for key in record if key != "match"}, {game: rules})


@pytest.mark.parametrize("game", GAMES)
def test_each_value_is_told_in_every_language(game):
    variant = variants.load(game)
    for words in map(Words, LANGUAGES):
        for option, values in variant.facts.options.items():
            told = {house_rules.value_of(words, option, value) for value in values}
            sentences = {house_rules.value_sentence(words, variant, option, value) for value in values}
            assert len(told) == len(sentences) == len(values), f"{option} in {words.language}"
            assert house_rules.name_of(words, option)
            assert all(sentence[-1] in ".。" for sentence in sentences)


def test_every_option_has_its_own_words():
    for words in map(Words, LANGUAGES):
        names = [house_rules.name_of(words, option) for option in house_options.OPTIONS]
        assert [name for name in names if names.count(name) > 1] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_own_value_changes_nothing_and_every_other_something(game):
    variant = variants.load(game)
    for option, (own, values) in house_rules.choices(variant.facts).items():
        for value in values:
            changed = variants.for_match(variant, {option: value})
            assert (changed.facts == variant.facts) == (value == own) == (not changed.match)
            assert variants.for_match(changed, {option: own}).facts == variant.facts
            read = [patched(table_of(game), {option: one}) for one in (value, own)]
            assert value == own or read[0] != read[1], f"patched() does not read {option}={value}"


def test_house_rules_add_up_and_the_last_word_counts():
    variant = variants.for_match(variants.load("nine_card"), {"jokers": -5, "kings": -2})
    variant = variants.for_match(variant, {"holes": 3, "kings": 0})
    assert variant.match == {"jokers": -5, "holes": 3}
    assert variant.name == "nine_card"
    assert [changed.rules for changed in house_rules.changes(variant)] == [("5.1", "2.1"), ("6.1",)]


def test_another_length_is_no_house_rule_to_tell():
    variant = variants.for_match(variants.load("nine_card"), {"holes": 1})
    assert house_rules.told(Words("en"), variant) == ""
    told = house_rules.told(Words("en"), variants.for_match(variant, {"kings": -2}))
    assert told == "Your house rules differ from Nine-card golf: A king counts −2."


BONUSES = {  # two lines, three, …: by a second reading of rule 5.4
    "play_nine": {-10: "−10 for 2, −15 for 3 and −20 for 4"},
    "nine_card": {-30: "−30 for 2"},
    "six_card": {-10: "−10 for 2 and −15 for 3", -20: "−20 for 2 and −30 for 3"},
    "eight_card": {-10: "−10 for 2, −15 for 3 and −20 for 4", -20: "−20 for 2, −30 for 3 and −40 for 4"},
    "ten_card": {-10: "−10 for 2, −15 for 3 and −20 for 4", -20: "−20 for 2, −30 for 3 and −40 for 4"},
    "four_card": {-10: "−10 for 2", -20: "−20 for 2"},
}


@pytest.mark.parametrize("game", BONUSES)
def test_the_sentence_on_a_bonus_has_all_its_values(game):
    """And the engine gives each of them: so many columns or rows of one face, all others different."""
    variant = variants.load(game)
    assert {value for value in variant.facts.options["bonus"] if value != "none"} == set(BONUSES[game])
    for value, listed in BONUSES[game].items():
        assert f": {listed}." in house_rules.value_sentence(Words("en"), variant, "bonus", value)
        rules = variants.for_match(variant, {"bonus": value}).rules
        for points, count in re.findall(r"(−\d+) for (\d)", listed):
            assert lines_cost(rules, 5, int(count)) == int(points.replace("−", "-"))


def test_a_sentence_on_a_target_says_when_the_match_ends_at_the_latest():
    six = variants.load("six_card")
    for patch, hole in (({}, 9), ({"holes": 18}, 18)):
        variant = variants.for_match(six, {"until": 100, **patch})
        for words in map(Words, LANGUAGES):
            sentence = house_rules.sentence(words, variant.facts, "until", 100)
            assert re.findall(r"\d+", sentence) == ["100", str(hole)]


@pytest.mark.parametrize("game", GAMES)
def test_each_sentence_states_its_number(game):
    """Those of other numbers of cards, points and holes have them too: none is written into a text."""
    variant = variants.load(game)
    for words in map(Words, LANGUAGES):
        for option, values in variant.facts.options.items():
            for value in values:
                number = str(value).partition("_")[0].replace("-", "−")
                if not re.fullmatch(r"−?\d+", number) or number in ("0", "1"):  # these have words
                    continue
                sentence = house_rules.value_sentence(words, variant, option, value)
                assert number in re.findall(r"−?\d+", sentence), sentence


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("option", [name for name, option in house_options.OPTIONS.items() if option.has(1)])
def test_one_card_point_pack_or_hole_is_singular(option, language):
    """Also where only a variant of your own offers the value."""
    words = Words(language)
    told = (
        house_rules.value_of(words, option, 1),
        house_rules.sentence(words, variants.load("nine_card").facts, option, 1),
    )
    for text in told:
        assert not re.search(r"\b1[ \u00a0][a-zA-Zäöü]*(s|te|ten|er)\b|einer verdeckten Karten", text), text


def test_the_number_cards_are_told_with_their_copies():
    told = house_rules.value_sentence(Words("en"), variants.load("twelve_card"), "pack", "numbers")
    faces = variants.for_match(variants.load("twelve_card"), {"pack": "numbers"}).facts.faces
    names = {5: "five", 10: "ten", 15: "fifteen"}
    for face in faces[:3]:
        assert f"{names[face.copies]} of {face.name.replace('-', '−')}" in told
    assert {face.copies for face in faces[3:]} == {10}
    assert "ten of each number from 1 to 12" in told
    assert f"{sum(face.copies for face in faces)} number cards" in told


@pytest.mark.parametrize("game", GAMES)
def test_added_jokers_are_told_with_their_number(game):
    own = variants.load(game)
    for value in own.facts.options.get("jokers", [])[1:]:
        if value == "none":
            continue
        variant = variants.for_match(own, {"jokers": value})
        is_added = "two jokers in each pack" in house_rules.value_sentence(Words("en"), own, "jokers", value)
        assert is_added == ("*" not in own.faces)
        for seats in own.seats if is_added else ():
            jokers = next(face.copies for face in variants.for_seats(variant, seats).facts.faces if face.name == "*")
            assert jokers == 2 * variants.packs_for(variant.facts, seats)


def test_a_number_of_holes_is_the_most_where_there_is_a_target():
    for game, patch, sentence in (
        ("twelve_card", {"holes": 5}, "A match has at most 5 holes."),
        ("six_card", {"holes": 18, "until": 100}, "A match has at most 18 holes."),
        ("six_card", {"holes": 18}, "A match has 18 holes."),
    ):
        variant = variants.for_match(variants.load(game), patch)
        assert house_rules.sentence(Words("en"), variant.facts, "holes", patch["holes"]) == sentence


def test_fewer_cards_than_rows_lie_in_different_rows():
    square = variants.load("nine_card_square")
    told = house_rules.told(Words("en"), variants.for_match(square, {"tee_off": 2, "tee_off_place": "each_row"}))
    assert told.endswith("You turn up 2 cards to tee off. You tee off with cards in different rows.")


def test_a_bonus_is_that_of_the_rule_which_tells_it():
    """5.5 is about Holes-in-One and jokers; the bonus for other lines below zero is in 5.4."""
    variant = variants.for_match(variants.load("eight_card"), {"kings": -2})
    for layout, rules in (("K K 3 4 / K K 5 6", ["5.3", "5.4", "5.1"]), ("* * 3 4 / * * 5 6", ["5.3", "5.5", "5.1"])):
        assert [part.rule for part in explain(variant, read_layout(variant, layout)).parts] == rules


WRONG = {
    "an unknown option": ({"wild": 1}, "no option “wild”", "jokers"),
    "a value not offered": ({"jokers": 7}, "jokers cannot be “7”", "-5"),
    "a truth": ({"tee_off": True}, "tee_off cannot be “True”"),
    "a fraction": ({"tee_off": 2.0}, "tee_off cannot be “2.0”"),
    "a list": ({"level": ["share"]}, "level cannot be", "share, playoff"),
    "no holes": ({"holes": 0}, "holes cannot be “0”", "1–99"),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_house_rules_are_refused_in_words(what):
    patch, *said = WRONG[what]
    with pytest.raises(OptionError) as caught:
        variants.for_match(variants.load("nine_card"), patch)
    for words in map(Words, LANGUAGES):
        assert caught.value.in_words(words)[-1] in ".。"
    for word in said:
        assert word in str(caught.value)


@pytest.mark.parametrize("text", ["", "jokers", "jokers=", "=5"])
def test_an_option_is_written_with_its_value(text):
    with pytest.raises(house_rules.FormError, match="jokers=-5"):
        house_rules.read([text])


TOGETHER = {  # what does not go together, and what would be right, without the names of options
    "a column too short": ("six_card", {"tee_off": 3, "tee_off_place": "one_column"}, "A column has only 2 cards"),
    "nothing to tee off": ("six_card", {"tee_off": 0, "tee_off_place": "one_column"}, "can’t choose where to tee off"),
    "a target and a play-off": ("six_card", {"until": 100, "level": "playoff"}, "Share the win"),
    "kings among numbers": ("twelve_card", {"pack": "numbers", "kings": -2}, "Leave out “Kings”"),
    "jokers among numbers": ("twelve_card", {"pack": "numbers", "jokers": "none"}, "Leave out “Jokers”"),
    "packs of numbers": ("twelve_card", {"pack": "numbers", "packs": 2}, "Leave out “Packs”"),
}


@pytest.mark.parametrize("what", TOGETHER)
def test_what_does_not_go_together_is_refused_in_words(what, tmp_path):
    game, patch, said = TOGETHER[what]
    with pytest.raises(OptionError, match=re.escape(said)) as caught:
        variants.as_entered(variants.load(game), patch)
    for words in map(Words, LANGUAGES):
        sentence = caught.value.in_words(words)
        assert sentence[-1] in ".。"
        assert not re.search(r"[a-z]_[a-z]|=", sentence), "names of files"
    with pytest.raises(OptionError, match=re.escape(said)):
        house_rules.with_options(variants.load(game), [f"{name}={value}" for name, value in patch.items()])
    file = tmp_path / "ours.toml"
    table = "".join(f"{name} = {value!r}\n" for name, value in patch.items())
    file.write_text(f'game = "{game}"\n[options]\n{table}', encoding="utf-8")
    with pytest.raises(VariantError, match=re.escape(said)):
        variants.load(str(file))


def test_a_stored_match_with_pointless_house_rules_still_opens():
    variant = variants.for_match(variants.load("twelve_card"), {"pack": "numbers", "kings": -2, "holes": 1})
    for record in simulation.records(variant, 2, ["random"], seed=1, games=1):
        assert referee.replay(record).totals == record["totals"]


@pytest.mark.parametrize("text", ["jokers=-5,twos=2", "jokers=−5、 twos=2,", "“jokers=-5, twos=2”"])
def test_several_options_stand_in_one_text_as_in_links(text):
    assert house_rules.read([text, "knock=any"]) == {"jokers": -5, "twos": 2, "knock": "any"}


def test_an_option_is_given_once():
    with pytest.raises(house_rules.FormError, match="jokers is given twice"):
        house_rules.read(["jokers=-5", "twos=2", "jokers=-2"])
    with pytest.raises(house_rules.FormError, match="jokers is given twice"):
        house_rules.read(["jokers=-5,jokers=-2"])


def test_a_number_in_quotation_marks_is_read(tmp_path):
    file = tmp_path / "ours.toml"
    file.write_text('game = "eight_card"\n[options]\njokers = "-2"\nbonus = "none"\n', encoding="utf-8")
    assert variants.load(str(file)).match == {"jokers": -2, "bonus": "none"}


def test_house_rules_are_kept_in_a_file(tmp_path):
    variant = variants.for_match(variants.load("nine_card"), {"jokers": -5, "lines": "columns"})
    file = tmp_path / "ours.toml"
    file.write_text(house_rules.in_file(variant), encoding="utf-8")
    kept = variants.load(str(file))
    assert (kept.facts, kept.match, kept.name) == (variant.facts, variant.match, "nine_card")


BY_HAND = [
    'Game = "Six-card"\n[Options]\nJokers = −5\nDiscarding = “May flip”\n',
    "ｇａｍｅ　＝　‘six card’\r［options］\rjokers = 「－５」\rdiscarding = „may_flip“\r",
    'game = "six_card"\noptions = { jokers = -5, discarding = "MAY_FLIP" }',
]


@pytest.mark.parametrize("text", BY_HAND)
def test_a_file_of_house_rules_is_read_as_people_write_it(text, tmp_path):
    file = tmp_path / "ours.toml"
    file.write_text(text, encoding="utf-8", newline="")
    assert variants.load(str(file)).match == {"jokers": -5, "discarding": "may_flip"}


FILES = {
    "another game": ('game = "poker"', "game", "play_nine"),
    "another key": ('game = "nine_card"\nholes = 3', "holes", "options"),
    "no table": ('game = "nine_card"\noptions = 3', "options must be a table"),
    "an unknown option": ('game = "nine_card"\n[options]\nwild = 1', "no option “wild”"),
    "an option twice": ('game = "nine_card"\n[options]\nkings = 0\nKings = -2', "kings is given twice"),
    "no TOML": ('game = "nine_card"\n[options]\nlines = columns', "line 3", 'name = "text"'),
    "a key twice": ('game = "nine_card"\nGame = "six_card"', "named twice"),
}


@pytest.mark.parametrize("what", FILES)
def test_a_wrong_file_of_house_rules_is_refused(what, tmp_path):
    text, *said = FILES[what]
    file = tmp_path / "ours.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(VariantError) as caught:
        variants.load(str(file))
    for word in [str(file), *said]:
        assert word in str(caught.value)
    told = {language: mulligan("play", "-g", file, "-l", language, code=2).stderr for language in LANGUAGES}
    assert told["en"] == f"{caught.value}\n"
    assert len(set(told.values())) == len(LANGUAGES), "not in the reader's language"


TABLES = {
    "an unknown option": ("wild = [1, 2]", "options.wild is not an option", "jokers"),
    "one value": ("tee_off = [2]", "options.tee_off must be a list of two values"),
    "no list": ("tee_off = 2", "options.tee_off must be a list"),
    "a wrong value": ("tee_off = [2, 90]", "options.tee_off, entry 2", "90"),
    "a value twice": ("tee_off = [2, 2]", "options.tee_off has a value twice"),
    "not the game's own": ("tee_off = [0, 1]", "options.tee_off must begin with the value that changes nothing"),
    "cards it lacks": (
        "kings = [0, -2]",
        "options.kings must begin with",
        "(all do)",
    ),
    "a value that does not fit": ("tee_off = [2, 8]", "options.tee_off cannot be 8 here", "less than the 8 slots"),
}


@pytest.mark.parametrize("what", TABLES)
def test_a_wrong_table_of_options_is_refused(what):
    text = (shipped.FOLDER / "play_nine.toml").read_text(encoding="utf-8").partition("[options]")[0]
    wrong, *said = TABLES[what]
    with pytest.raises(VariantError) as caught:
        variants.parse(f"{text}\n[options]\n{wrong}\n", Path("mine.toml"))
    for word in said:
        assert word in str(caught.value)


def test_books_are_for_the_named_game_only():
    """House rules for a hole change the edition of the rules, so no net fits; the length of a match does not."""
    for game in RULES.keys() & set(GAMES):
        variant = variants.load(game)
        own = edition(variant.rules)
        for option, (usual, values) in house_rules.choices(variant.facts).items():
            for value in values:
                changed = edition(variants.for_match(variant, {option: value}).rules)
                assert (changed == own) == (value == usual or option in NO_BOOK_DEPENDS_ON)
                assert changed == own or best(changed, 4) is None
