"""Games with real cards: told move by move, advised on, and gone through like any other."""

import json
from pathlib import Path
from random import Random

import msgspec
import pytest
from served import Browser, served
from tables import written
from translations import reasons

from mulligan.coach.advice import advise
from mulligan.envs import Setup
from mulligan.envs import Table as LearningTable
from mulligan.game import referee, variants
from mulligan.game.hole import Hole
from mulligan.game.position import set_table
from mulligan.server.limits import Limits
from mulligan.server.services import cardboard
from mulligan.server.table.finished import read
from mulligan.server.table.log_entries import decode, encode
from mulligan.server.table.table import Table
from mulligan.server.table.view import view
from mulligan.server.wire.cardboard import CardboardGame, CardboardTable, HoleEntered

pytestmark = pytest.mark.long
GAMES = Path(__file__).parents[1] / "games"
HALF, OTHER = "7 ? 1 ? / ? ? ? 5", "? ? 3 ? / ? ? ? 9"


def recorded(game, number=0):
    return json.loads((GAMES / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()[number])


def wish_of(record, holes=None):
    """A record as the browser tells it."""
    told = [{key: hole[key] for key in ("first_discard", "moves", "reveal")} for hole in record["holes"][:holes]]
    names = [f"P{seat}" for seat in range(len(record["players"]))]
    return {"game": record["game"], "players": names, "dealer": record["holes"][0]["dealer"], "holes": told}


def told_of(record, holes=None):
    return msgspec.convert(wish_of(record, holes), CardboardGame)


@pytest.mark.parametrize("game", ["play_nine", "nine_card"])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_whole_game_told_is_the_game_of_its_record(game, number):
    record = recorded(game, number)
    table = cardboard.table_entered(told_of(record))
    assert (table.view.phase, table.view.winners) == ("over", record["winners"])
    for mine, hole in zip(table.holes, record["holes"], strict=True):
        assert {key: getattr(mine, key) for key in hole} == hole


def test_the_record_of_an_environment_opens_as_a_match_of_one_hole():
    learning = LearningTable(Setup("nine_card", ["greedy"], house_rules={"jokers": 0}, recorded=True))
    learning.reset(1)
    moved, dice = None, Random(1)
    while not moved or not moved.terminated:
        moved = learning.step(dice.choice([move for move, may in enumerate(learning.mask) if may]))
    record = learning.record()
    table = cardboard.table_entered(msgspec.convert(wish_of(record) | {"house_rules": record["match"]}, CardboardGame))
    assert (table.view.phase, table.view.winners) == ("over", record["winners"])


@pytest.mark.parametrize("game", ["play_nine", "nine_card"])
def test_a_hole_told_piece_by_piece_stands_where_its_moves_do(game):
    """After every piece it is one step further, and what may be done next is what comes next."""
    record = recorded(game)
    whole = cardboard.table_entered(told_of(record, 1)).holes[0]
    told = told_of(record, 0)
    for count in range(len(whole.pieces) + 1):
        told.holes = [HoleEntered(whole.first_discard, whole.pieces[:count])]
        table = cardboard.table_entered(told)
        assert table.holes[0].pieces == whole.pieces[:count]
        moves = table.holes[0].moves  # the last may be half a move
        assert moves[:-1] == whole.moves[: max(0, len(moves) - 1)]
        following = whole.pieces[count : count + 1]
        if table.awaited:
            assert following[0].startswith(f"{table.awaited.slot}=")
            assert (table.view.phase, table.view.legal) == ("reveal", [])
        elif following:
            assert move_of(following[0], table.view.phase) in table.view.legal
            assert_may_come(table, following[0])
    assert table.view.seats[0].points is not None


def move_of(piece, phase):
    """The move a piece stands for, as it travels: S7 is S, >b2x9 is b2; before a card is taken - declines (4.2)."""
    if piece == "-" and phase == "take":
        return "."
    return piece[0] if piece[0] in "SD-." else piece.strip(">").split("x")[0].split("=")[0]


def assert_may_come(table, piece):
    if piece[0] == "S":
        assert table.stock[piece[1:]] > 0
    elif "=" in piece:
        assert table.unseen[piece.split("=")[1]] > 0


def test_leaving_the_last_card_face_down_is_a_piece_of_its_own():
    told = CardboardGame("play_nine", ["Ann", "Ben"], 1, [HoleEntered("7", ["a1=4", "a2=5", "a1=1", "a2=2"])])
    for lay in ("b1x3", "b2x6", "c1x8", "c2x10", "d1x11"):  # Ann opens one after the other, Ben his first again
        told.holes[0].moves += [f"S0>{lay}", "S1>a1x1"]
    told.holes[0].moves += ["S12", "-"]
    table = cardboard.table_entered(told)
    assert (table.view.phase, sorted(table.view.legal)) == ("flip", [".", "d2"])
    told.holes[0].moves.append(".")
    left = cardboard.table_entered(told)
    assert left.holes[0].pieces[-2:] == ["-", "."]
    assert left.holes[0].moves[-1] == "S12-"
    told.holes[0].moves[-3:] = ["S12-", "S9"]  # as a record writes it: something else follows
    assert cardboard.table_entered(told).holes[0].pieces[-3:] == ["-", ".", "S9"]


def test_declining_a_last_turn_is_a_piece_of_its_own():
    """Between two people nothing is left to play then."""
    record = next(one for one in map(recorded_nine, range(20)) if "-" in one["holes"][0]["moves"])
    moves = record["holes"][0]["moves"]
    told = told_of(record, 1)
    told.holes = [HoleEntered(record["holes"][0]["first_discard"], moves[: moves.index("-")])]
    assert "." in cardboard.table_entered(told).view.legal
    told.holes[0].moves.append("-")
    table = cardboard.table_entered(told)
    assert table.holes[0].pieces[-1] == "-"
    assert table.holes[0].moves[-1] == "-"
    assert (table.what[0].phase, table.what[0].move, table.what[0].face) == ("take", ".", None)


def recorded_nine(number):
    return recorded("nine_card", number)


def test_before_the_first_card_everybody_waits_for_it():
    table = cardboard.table_entered(CardboardGame("nine_card", ["Ann", "Ben", "Cyd"], 2, [HoleEntered()]))
    assert (table.view.phase, table.dealer, table.seats, table.holes) == ("draw", 2, [0, 1, 2], [])
    dealt = cardboard.table_entered(CardboardGame("nine_card", ["Ann", "Ben", "Cyd"], 2, [HoleEntered("K")]))
    assert (dealt.view.turn, dealt.view.discard) == (0, "K")
    assert [type(event).__name__ for event in dealt.what] == ["Dealt"]


# Over the wire


@pytest.fixture(scope="module")
def people(server):
    return Browser(server).http


def asked(http, path, body, status=200):
    answer = http.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


@pytest.mark.parametrize(
    ("moves", "number", "why", "named"),
    [
        (["a1=4", "a1=5"], 2, "tee_off_open", {"slot": "a1", "player": "P0"}),
        (["S7"], 1, "tee_off_first", {"count": 2}),
        (["a1=4", "b1=4", "a1=1", "b1=1", "D7-"], 5, "discard_must_place", {"player": "P0"}),
        (["a1=4", "b1=4", "a1=1", "b1=1", "D9"], 5, "other_discard", {"face": "9", "lying": "7"}),
        (["a1=4", "b1=4", "a1=1", "b1=1", "S9", ">a1x7"], 6, "other_card", {"slot": "a1", "lying": "4"}),
        (["a1=4", "b1=4", "a1=1", "b1=1", "S9-", "a1=3"], 6, "turned_up", {"slot": "a1"}),
        (["a1=4", "b1=4", "a1=1", "b1=1", "S9-", "."], 6, "must_turn_up", {}),
        (["a1=H", "b1=H", "a1=H", "b1=H", "SH"], 5, "all_seen", {"face": "H", "copies": 4}),
        (["a1=4", "hello"], 2, "no_move", {"move": "hello"}),
        (["a1=4", "e9=1"], 2, "no_slot", {"slot": "e9", "last": "d2"}),
        (["a1=J"], 1, "no_card", {"face": "J"}),
        (["a1=4"], 1, "hole_unfinished", {}),
    ],
)
def test_the_first_wrong_move_is_named_with_its_number_and_why(people, moves, number, why, named):
    holes = [{"first_discard": "7", "moves": moves}, *([{"first_discard": "3"}] if why == "hole_unfinished" else [])]
    wish = {"game": "play_nine", "players": ["P0", "P1"], "dealer": 1, "holes": holes}
    refused = asked(people, "/api/cardboard", wish, 400)
    assert refused["error"] == "wrong_move"
    assert refused["params"] | named | {"hole": 1, "number": number, "why": why} == refused["params"]


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"game": "poker"}, "no_such_game"),
        ({"players": ["Ann"]}, "wrong_seat_count"),
        ({"players": ["Ann", "ann"]}, "name_taken"),
        ({"players": ["Ann", " "]}, "name_empty"),
        ({"dealer": 7}, "no_such_seat"),
        ({"holes": [{"first_discard": "3"}] * 41}, "game_too_long"),
        ({"holes": [{"moves": ["a1=4"]}]}, "wrong_move"),
        ({"holes": "none"}, "bad_request"),
        ({"computers": ["", "greedy", ""]}, "wrong_seat_count"),
        ({"computers": ["", "nobody"]}, "no_such_player"),
    ],
)
def test_a_game_that_cannot_be_is_refused(people, changed, error):
    wish = {"game": "play_nine", "players": ["Ann", "Ben"], "dealer": 0, "holes": []} | changed
    assert asked(people, "/api/cardboard", wish, 400)["error"] == error


def test_after_a_hole_the_deal_passes_on(people):
    record = recorded("nine_card")
    for count in (1, 2, 3):
        table = asked(people, "/api/cardboard", wish_of(record, count))
        assert table["view"]["phase"] == "hole_over"
        assert (table["dealer"], table["seats"]) == tuple(record["holes"][count][key] for key in ("dealer", "seats"))


def test_a_match_that_is_over_goes_no_further(people):
    wish = wish_of(recorded("play_nine"))
    wish["holes"].append({"first_discard": "3"})
    assert asked(people, "/api/cardboard", wish, 400)["params"]["why"] == "match_over"


def random_layout(variant, rng, hidden):
    """So many cards face down, the others as dealt."""
    pack = [face for number, face in enumerate(variant.faces) for _ in range(int(variant.rules.copies[number]))]
    rng.shuffle(pack)
    slots = int(variant.rules.slots)
    down = set(rng.sample(range(slots), hidden))
    cards = ["?" if slot in down else pack.pop() for slot in range(slots)]
    columns = int(variant.rules.columns)
    return " / ".join(" ".join(cards[row : row + columns]) for row in range(0, slots, columns)), pack


@pytest.mark.parametrize("game", ["play_nine", "nine_card"])
def test_a_position_is_ranked_as_advice_ranks_it(people, game):
    variant, rng = variants.load(game), Random(5)
    for seats in (2, 3):
        layouts = [random_layout(variant, rng, 3)[0] for _ in range(seats)]
        for held in (None, variant.faces[3]):
            wish = {"game": game, "layouts": layouts, "discard": variant.faces[5], "turn": 1, "held": held}
            hint = asked(people, "/api/cardboard/position", wish)
            state = set_table(variant, layouts, variant.faces[5], 1, held)
            right = advise(Hole.at(variant, state))
            assert [one["move"] for one in hint["moves"]] == [one.move for one in right]
            assert [one["loss"] for one in hint["moves"]] == pytest.approx([one.loss for one in right], abs=0.0006)
            assert {one["why"]["key"] for one in hint["moves"]} <= reasons()
            assert (hint["seat"], hint["phase"]) == (1, "place" if held else "take")


OPEN = "7 3 1 2 / 7 6 8 5"


@pytest.mark.parametrize(
    ("layouts", "told", "why", "named"),
    [
        (["8 8 8 8 / 8 ? ? ?", "8 8 8 ? / ? ? ? ?"], {"discard": "8"}, "too_many", {"face": "8", "count": 9}),
        ([HALF, OPEN, OPEN], {}, "who_closed", {}),
        ([HALF, HALF, OPEN], {"closer": 1}, "closer_hidden", {"player": 1}),
        ([OPEN, HALF], {}, "closer_on_turn", {"player": 0}),
        (["? ? ? ? / ? ? ? ?", HALF], {"held": "4"}, "tee_off_no_card", {"player": 0}),
        ([HALF, "? ? ? ? / ? ? ? ?"], {}, "all_tee_off", {"player": 1, "count": 2}),
        ([HALF, HALF], {"held": "4", "taken": True}, "one_in_hand", {}),
        ([HALF, HALF], {"turn": -1}, "no_player", {}),
        ([HALF], {}, "player_count", {"least": 2}),
        (["7 ?", HALF], {}, "shape", {"player": 0}),
        ([HALF, HALF], {"discard": "J"}, "no_card", {"face": "J"}),
    ],
)
def test_a_table_that_cannot_lie_like_that_is_explained(people, layouts, told, why, named):
    wish = {"game": "play_nine", "layouts": layouts, "discard": "4", "turn": 0} | told
    refused = asked(people, "/api/cardboard/position", wish, 400)
    assert (refused["error"], refused["params"]["why"]) == ("impossible_table", why)
    assert refused["params"] | named == refused["params"]


def test_a_hint_in_a_game_is_about_where_it_stands(people):
    record = recorded("play_nine")
    whole = cardboard.table_entered(told_of(record, 1)).holes[0]
    wish = wish_of(record, 0) | {"holes": [{"first_discard": whole.first_discard, "moves": whole.pieces[:7]}]}
    table = asked(people, "/api/cardboard", wish)
    hint = asked(people, "/api/cardboard/hint", wish)
    assert sorted(written(one["move"]) for one in hint["moves"]) == sorted(table["view"]["legal"])
    assert (hint["seat"], hint["phase"]) == (table["view"]["turn"], table["view"]["phase"])
    assert asked(people, "/api/cardboard/hint", wish_of(record), 400)["error"] == "nothing_to_decide"


# Gone through like any other


@pytest.fixture(scope="module")
def kept(people):
    """A game told to its end, and one left after two holes and a half, with their ids."""
    whole, left = recorded("play_nine"), recorded("nine_card")
    begun = wish_of(left, 3)
    begun["holes"][2] |= {"moves": begun["holes"][2]["moves"][:9], "reveal": {}}
    return {
        "whole": (whole, asked(people, "/api/cardboard/games", wish_of(whole), 201)["game"]),
        "left": (left, asked(people, "/api/cardboard/games", begun, 201)["game"]),
    }


def test_a_game_told_is_a_finished_game_with_replay_and_record(people, kept):
    record, game = kept["whole"]
    card = people.get(f"/api/games/{game}").json()
    assert card["real_cards"] is True
    assert (card["totals"], card["winners"]) == (record["totals"], record["winners"])
    frames = people.get(f"/api/games/{game}/holes/1").json()["frames"]
    assert frames[-1]["view"]["card"][0]["points"] == record["holes"][0]["points"]
    line = json.loads(people.get(f"/api/games/{game}/record").text)
    assert line["holes"] == record["holes"]
    assert "shuffles" not in line


def test_its_shuffle_was_nobody_s_here(people, kept):
    for _, game in kept.values():
        refused = people.get(f"/api/games/{game}/shuffles")
        assert (refused.status_code, refused.json()["error"]) == (404, "real_cards")


def test_real_cards_do_not_count_among_those_dealt_here(people, kept):
    before = people.get("/api/frequencies").json()
    asked(people, "/api/cardboard/games", wish_of(kept["whole"][0], 1), 201)
    assert people.get("/api/frequencies").json() == before


def test_a_match_of_a_device_has_its_computer_players(people):
    record = recorded("play_nine")
    wish = wish_of(record) | {"computers": ["", *["greedy"] * (len(record["players"]) - 1)]}
    game = asked(people, "/api/cardboard/games", wish, 201)["game"]
    card = people.get(f"/api/games/{game}").json()
    assert (card["real_cards"], card["on_device"]) == (False, True)
    assert [seat["player"] for seat in card["seats"]] == wish["computers"]
    kinds = ["person"] + ["computer"] * (len(card["seats"]) - 1)
    assert [seat["kind"] for seat in card["seats"]] == kinds
    assert json.loads(people.get(f"/api/games/{game}/record").text)["kinds"] == kinds
    seats = people.get(f"/api/games/{game}/holes/1").json()["frames"][0]["view"]["seats"]
    assert [(seat["kind"], seat["player"]) for seat in seats] == list(zip(kinds, wish["computers"], strict=True))
    practice = asked(people, f"/api/games/{game}/mulligan", {"hole": 1, "step": 3, "seat": 0, "player": "pro"}, 201)
    table = people.get(f"/api/tables/{practice['table']}").json()
    assert [seat["kind"] for seat in table["seats"]] == kinds
    assert people.get(f"/api/games/{game}/shuffles").json()["error"] == "real_cards"


def test_a_game_entered_before_devices_played_by_themselves_is_one_with_real_cards():
    (opened, *log) = [
        msgspec.json.decode(encode(entry)) for entry in cardboard.finished_log(told_of(recorded("play_nine")))
    ]
    del opened["on_device"]
    card, _ = read([decode(json.dumps(entry)) for entry in (opened, *log)], 1)
    assert (card.real_cards, card.on_device) == (True, False)
    assert {seat.kind for seat in card.seats} == {"person"}


@pytest.mark.parametrize("which", ["whole", "left"])
def test_luck_and_skill_of_a_game_told(people, kept, which):
    record, game = kept[which]
    told = people.get(f"/api/games/{game}/analysis").json()
    holes = 2 if which == "left" else len(record["holes"])
    assert len(told["holes"]) == holes
    for hole, right in zip(told["holes"], record["holes"][:holes], strict=True):
        shares = [hole["shares"][player] for player in right["seats"]]
        assert [share["points"] for share in shares] == right["points"]
        for share in shares:
            assert share["points"] == pytest.approx(share["at_deal"] + share["luck"] + share["mistakes"], abs=0.002)


def test_a_game_left_early_is_a_match_of_so_many_holes(people, kept):
    record, game = kept["left"]
    card = people.get(f"/api/games/{game}").json()
    points = [hole["points"] for hole in record["holes"][:2]]
    assert card["totals"] == [sum(each) for each in zip(*points, strict=True)]
    assert len(card["holes"]) == 2
    assert [line["playoff"] for line in card["card"]] == [0, 0]
    kept_record = json.loads(people.get(f"/api/games/{game}/record").text)
    assert referee.replay(kept_record).winners == card["winners"]


def test_a_mulligan_can_be_taken_in_it(people, kept):
    _, game = kept["left"]
    opened = asked(people, f"/api/games/{game}/mulligan", {"hole": 2, "step": 5, "seat": 1}, 201)
    assert people.get(f"/api/tables/{opened['table']}").json()["game"] == "nine_card"


def test_without_a_finished_hole_there_is_nothing_to_go_through(people):
    wish = {"game": "play_nine", "players": ["Ann", "Ben"], "dealer": 0, "holes": [{"first_discard": "7"}]}
    assert asked(people, "/api/cardboard/games", wish, 400)["error"] == "no_hole_over"


def test_nobody_can_sit_down_at_it_or_play_on(people, kept, server):
    """Only the spectators' code is known, and the seats are nobody's."""
    _, game = kept["whole"]
    watch = game.partition("-")[0]
    assert people.get(f"/api/tables/{watch}").json()["error"] == "table_gone"
    written = list(map(encode, cardboard.finished_log(told_of(recorded("play_nine")))))
    log = list(map(decode, cardboard.under(written, "BBBBBB", "CCCCCCCC")))
    table = Table(log)
    assert (table.owner, [seat.guest for seat in table.seats]) == ("", [""] * len(table.seats))
    assert view(table).hints is False
    card, record = read(log, 1)
    assert card.id == "CCCCCCCC-1"
    assert record["totals"] == recorded("play_nine")["totals"]


def test_nobody_keeps_games_for_ever(tmp_path, client_folder):
    with served(tmp_path, client_folder, limits=Limits(tables=2, tables_per_second=0.001)) as config:
        http = Browser(config).http
        wish = wish_of(recorded("play_nine"), 1)
        answers = [http.post("/api/cardboard/games", json=wish) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert int(answers[2].headers["retry-after"]) > 0


def test_a_game_no_table_could_play_is_too_long(people):
    wish = {"game": "play_nine", "players": ["Ann", "Ben"], "dealer": 0}
    wish["holes"] = [{"first_discard": "7", "moves": ["a1=4"] * 4001}]
    assert asked(people, "/api/cardboard", wish, 400)["error"] == "game_too_long"
    wish["holes"] = [{"first_discard": "7", "moves": ["a1=4"] * 9000}]
    assert people.post("/api/cardboard", json=wish).status_code == 413


def test_the_table_told_travels_whole():
    table = cardboard.table_entered(told_of(recorded("play_nine"), 2))
    assert msgspec.json.decode(msgspec.json.encode(table), type=CardboardTable) == table
