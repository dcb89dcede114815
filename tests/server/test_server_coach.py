"""The coach: hints for who plays alone, games in luck and skill, and mulligans, each only where it may be."""

import asyncio
import random
import sys
from base64 import b64decode

import msgspec
import numpy as np
import pytest
from served import COMPUTER, FRIEND, ME, Browser, play_on, served
from tables import TableDriver, wish, written
from translations import reasons

from mulligan.coach.advice import advise
from mulligan.engine.state import STATE
from mulligan.game import variants
from mulligan.game.hole import Hole
from mulligan.machine_code import browser_layout
from mulligan.server.limits import Limits
from mulligan.server.services.coach import WAITING, AboutMove, Coach, Desk, must_be_advised
from mulligan.server.table import finished, take_mulligan
from mulligan.server.table.commands import happen
from mulligan.server.table.log_entries import Opened, decode, encode
from mulligan.server.table.match_flow import give_up
from mulligan.server.table.rights import Refusal, may_be_advised
from mulligan.server.table.table import Table
from mulligan.server.table.view import view
from mulligan.server.wire.coach import Analysis, MulliganRequest, RefinedHole
from mulligan.server.wire.commands import FillSeat, Leave, NextHole, Rematch, TakeBack
from mulligan.server.wire.events import GivenUp, Sealed
from mulligan.server.wire.view import Step

pytestmark = pytest.mark.long
ALONE = [wish("me", "Ann"), wish("computer", "Gus", "greedy"), wish("computer", "Hal", "greedy")]


# Who may ask


def test_one_person_among_computer_players_may_be_advised():
    driver = TableDriver(seats=ALONE)
    assert not may_be_advised(driver.table)  # nothing is being played yet
    driver.play_to("tee_off")
    assert may_be_advised(driver.table)
    assert view(driver.table).hints


@pytest.mark.parametrize(
    "seats",
    [
        [wish("me", "Ann"), wish("here", "Bea"), wish("computer", "Gus", "greedy")],
        [wish("computer", "Gus", "greedy"), wish("computer", "Hal", "greedy")],
    ],
)
def test_where_two_persons_play_on_one_device_or_nobody_does_there_are_no_hints(seats):
    driver = TableDriver(seats=seats)
    driver.play_to("tee_off")
    assert not view(driver.table).hints


def test_a_game_between_people_has_no_hints_even_once_one_of_them_has_gone():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("here", "Bea"), wish("computer", "Gus", "greedy")])
    driver.play_to("take")
    driver.do(Leave, seat=1)
    assert not may_be_advised(driver.table)
    driver.do(FillSeat, seat=1, player="greedy")
    assert driver.table.people == 1
    assert not may_be_advised(driver.table)
    driver.play_to("over")
    driver.do(Rematch)
    driver.do(NextHole)
    assert may_be_advised(driver.table)  # a new match, and Ann has been alone in it from the start


def test_only_who_is_on_turn_is_answered():
    driver = TableDriver(seats=ALONE)
    with pytest.raises(Refusal, match="not_your_seat"):
        must_be_advised(driver.table, "ben", 0)
    with pytest.raises(Refusal, match="not_now"):
        must_be_advised(driver.table, "ann", 0)
    driver.play_to("take")
    while driver.table.turn != 1:
        driver.move()
    with pytest.raises(Refusal, match="not_your_turn"):
        must_be_advised(driver.table, "ann", 0)
    with pytest.raises(Refusal, match="not_your_seat"):
        must_be_advised(driver.table, "ann", 1)


# Over the wire


@pytest.fixture(scope="module")
def table(server):
    """Ann alone at a table, about to tee off; and a match of hers that is over."""
    ann = Browser(server)
    codes = ann.open(ME, COMPUTER, pace="instant")
    with ann.at(codes["table"]) as at:
        game = at.play_a_match()
        at.do("Rematch")
        at.do("NextHole")
        at.wait_for(lambda seen: seen["turn"] == 0)
    return ann, codes, game


def test_a_hint_ranks_every_legal_move_and_says_why(table):
    ann, codes, _ = table
    with ann.at(codes["table"]) as at:
        seen = at.view
        answer = ann.http.post(f"/api/tables/{codes['table']}/hint", json={"seat": 0})
        assert answer.status_code == 200, answer.text
        hint = answer.json()
        assert hint["event"] == at.event
        assert sorted(written(one["move"]) for one in hint["moves"]) == sorted(seen["legal"])
        losses = [one["loss"] for one in hint["moves"]]
        assert losses == sorted(losses)
        assert losses[0] == 0
        assert {one["why"]["key"] for one in hint["moves"]} <= reasons()
        assert answer.headers["cache-control"] == "no-store"


def test_a_page_with_an_engine_of_its_own_gets_the_position_of_a_hint(table):
    ann, codes, _ = table
    with ann.at(codes["table"]) as at:
        hint = ann.http.post(f"/api/tables/{codes['table']}/hint", json={"seat": 0}).json()
        told = ann.http.post(f"/api/tables/{codes['table']}/position", json={"seat": 0}).json()
        assert (told["event"], told["seat"], told["phase"]) == (at.event, 0, hint["phase"])
        state = np.frombuffer(bytearray(b64decode(told["state"])), STATE)[0]
        variant = variants.for_seats(variants.load("play_nine"), len(told["seats"]))
        assert told["layout"] == browser_layout()
    rated = advise(Hole.at(variant, state))
    assert [one.move for one in rated] == [one["move"] for one in hint["moves"]]


@pytest.mark.parametrize("path", ["hint", "position"])
def test_strangers_and_spectators_get_no_hint(table, ben, path):
    _, codes, _ = table
    answer = ben.http.post(f"/api/tables/{codes['table']}/{path}", json={"seat": 0})
    assert (answer.status_code, answer.json()["error"]) == (403, "not_your_seat")
    assert ben.http.post(f"/api/tables/BBBBBB/{path}", json={"seat": 0}).json()["error"] == "table_gone"


def test_two_people_at_a_table_get_no_hint(ann, ben):
    codes = ann.open(ME, FRIEND)
    with ann.at(codes["table"]) as anns, ben.at(codes["table"]) as bens:
        bens.do("Sit", seat=1, name="Ben")
        anns.do("Start")
        anns.do("NextHole")
        bens.do("NextHole")
        turn = anns.wait_for(lambda seen: seen["turn"] is not None)["turn"]
        asker = (ann, ben)[turn]
        answer = asker.http.post(f"/api/tables/{codes['table']}/hint", json={"seat": turn})
        assert (answer.status_code, answer.json()["error"]) == (403, "no_hints")
        assert anns.view["hints"] is False


def test_a_finished_game_in_luck_and_skill(table):
    ann, _, game = table
    answer = ann.http.get(f"/api/games/{game}/analysis")
    assert answer.status_code == 200, answer.text
    told = msgspec.json.decode(answer.content, type=Analysis)
    card = ann.http.get(f"/api/games/{game}").json()
    assert [hole.hole for hole in told.holes] == [hole["hole"] for hole in card["holes"]]
    for hole, line in zip(told.holes, card["card"], strict=True):
        for share, points in zip(hole.shares, line["points"], strict=True):
            assert share.points == points
            assert share.points == pytest.approx(share.at_deal + share.luck + share.mistakes, abs=0.002)
            assert share.mistakes >= 0
    assert [total.points for total in told.totals] == card["totals"]
    assert [one.loss for one in told.mistakes] == sorted((one.loss for one in told.mistakes), reverse=True)
    assert {one.why.key for one in told.mistakes} | {one.better.why.key for one in told.mistakes} <= reasons()


def test_a_mistake_is_in_the_replay_where_it_says(table):
    ann, _, game = table
    told = ann.http.get(f"/api/games/{game}/analysis").json()
    for one in told["mistakes"][:8]:
        frames = ann.http.get(f"/api/games/{game}/holes/{one['hole']}").json()["frames"]
        before, after = frames[one["step"] - 1]["view"], frames[one["step"]]["what"][0]  # the first step was the deal
        assert (before["turn"], before["phase"]) == (one["player"], one["phase"])
        assert (after["seat"], after["move"]) == (one["player"], written(one["played"]))
        assert one["layout"] == before["seats"][one["player"]]["layout"]
        assert written(one["better"]["move"]) in before["legal"]
        assert one["better"]["move"] != one["played"]


def test_each_player_has_a_luckiest_and_an_unluckiest_card_and_it_is_in_the_replay(table):
    ann, _, game = table
    told = ann.http.get(f"/api/games/{game}/analysis").json()
    seats = range(len(told["totals"]))
    assert [card["whom"] for card in told["cards"]] == [seat for seat in seats for _ in range(2)]
    for lucky, unlucky in zip(told["cards"][::2], told["cards"][1::2], strict=True):
        assert lucky["luck"] < 0 < unlucky["luck"]
    for card in told["cards"]:
        frames = ann.http.get(f"/api/games/{game}/holes/{card['hole']}").json()["frames"]
        before = frames[min(card["step"], len(frames)) - 1]["view"]  # what is revealed belongs to the last one
        lying = before["seats"][card["player"]]["layout"]
        if card["step"] < len(frames):
            assert card["layout"] == lying
            (step,) = [what for what in frames[card["step"]]["what"] if what["is"] == "Step"]
            assert step["seat"] == card["player"]
            assert step["move"] == written(card["slot"])
        if card["slot"] != "stock":
            slots = [f"{column}{row + 1}" for row in range(2) for column in "abcd"[: len(lying) // 2]]
            assert card["layout"][slots.index(card["slot"])] is None


def test_a_hole_is_refined_by_playing_its_costliest_moves_out(table):
    ann, _, game = table
    quick = msgspec.json.decode(ann.http.get(f"/api/games/{game}/analysis").content, type=Analysis)
    hole = quick.mistakes[0].hole
    answer = ann.http.get(f"/api/games/{game}/analysis/{hole}")
    assert answer.status_code == 200, answer.text
    told = msgspec.json.decode(answer.content, type=RefinedHole)
    assert told.hole.hole == hole
    for share, before in zip(told.hole.shares, quick.holes[hole - 1].shares, strict=True):
        assert (share.points, share.at_deal, share.turns) == (before.points, before.at_deal, before.turns)
        assert share.points == pytest.approx(share.at_deal + share.luck + share.mistakes, abs=0.002)
    widths = {one.step: one.high - one.low for one in quick.mistakes if one.hole == hole}
    both = [(one.high - one.low, widths[one.step]) for one in told.mistakes if one.step in widths]
    assert any(after < before for after, before in both)
    assert ann.http.get(f"/api/games/{game}/analysis/99").json() == {"error": "hole_gone", "params": {"hole": 99}}


@pytest.mark.parametrize("kind", ["hints", "analyses"])
def test_no_hole_is_refined_while_anybody_waits_for_the_coach(over, kind):
    card, record = finished.read(over.log, 1)

    async def refine():
        coach = Coach()
        getattr(coach, kind).answers.tasks["another"] = asyncio.create_task(asyncio.Event().wait())
        try:
            await coach.refine(card, record, over.table.variant, 1, lambda: None)
        finally:
            await coach.close()

    with pytest.raises(Refusal, match="coach_busy"):
        asyncio.run(refine())


def test_there_is_no_analysis_of_a_game_that_goes_on(table):
    ann, codes, _ = table
    assert ann.http.get(f"/api/games/{codes['watch']}-2/analysis").json()["error"] == "game_gone"


def test_a_mulligan_plays_on_from_the_position(table):
    ann, _, game = table
    frames = ann.http.get(f"/api/games/{game}/holes/4").json()["frames"]
    step = next(number for number in range(7, len(frames)) if frames[number]["view"]["turn"] == 1)
    lay = frames[step]["view"]
    answer = ann.http.post(f"/api/games/{game}/mulligan", json={"hole": 4, "step": step, "seat": 1, "pace": "instant"})
    assert answer.status_code == 201, answer.text
    codes = answer.json()
    with ann.at(codes["table"]) as at:
        seen = at.view
        for what in ("phase", "turn", "held", "discard", "discard_below", "stock_left", "legal", "latest", "closer"):
            assert seen[what] == lay[what], what
        assert [seat["layout"] for seat in seen["seats"]] == [seat["layout"] for seat in lay["seats"]]
        assert seen["practice"] == {"game": game, "hole": 4, "step": step, "name": 4, "playoff": 0}
        assert at.welcome["you"] == [1]
        assert [seat["kind"] for seat in seen["seats"]] == ["computer", "person"]
        assert seen["hints"] is True
        dealt = ann.http.get("/api/frequencies").json()
        play_on(at)
        mine = at.view["finished"][0]
        assert len(at.view["card"]) == 1
        assert at.view["winners"]
        at.do("Rematch")
        again = at.wait_for(lambda now: now["phase"] != "over")
        assert [seat["layout"] for seat in again["seats"]] == [seat["layout"] for seat in lay["seats"]]
    assert ann.http.get("/api/frequencies").json() == dealt
    card = ann.http.get(f"/api/games/{mine}").json()
    assert card["practice"]["game"] == game
    for path in ("record", "shuffles"):
        refused = ann.http.get(f"/api/games/{mine}/{path}")
        assert (refused.status_code, refused.json()["error"]) == (404, "practice_only")
    assert len(ann.http.get(f"/api/games/{mine}/analysis").json()["holes"]) == 1


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        ({"hole": 10, "step": 0, "seat": 0}, "no_such_position"),
        ({"hole": 1, "step": 10_000, "seat": 0}, "no_such_position"),
        ({"hole": 1, "step": -1, "seat": 0}, "no_such_position"),
        ({"hole": 1, "step": 3, "seat": 2}, "no_such_seat"),
        ({"hole": 1, "step": 3, "seat": 0, "player": "god"}, "no_such_player"),
        ({"hole": 1}, "bad_request"),
    ],
)
def test_a_position_that_is_not_there_cannot_be_played_on(table, wish, error):
    ann, _, game = table
    assert ann.http.post(f"/api/games/{game}/mulligan", json=wish).json()["error"] == error


def test_nobody_asks_the_coach_for_ever(tmp_path, client_folder):
    with served(tmp_path, client_folder, limits=Limits(questions=2, questions_per_second=0.001)) as config:
        ann = Browser(config)
        codes = ann.open(ME, COMPUTER, holes=3)
        with ann.at(codes["table"]) as at:
            game = at.play_a_match()
            first = ann.http.get(f"/api/games/{game}/analysis")
            assert first.status_code == 200, first.text
            for _ in range(5):  # it is remembered, and so costs nothing
                assert ann.http.get(f"/api/games/{game}/analysis").content == first.content
            at.do("Rematch")
            at.do("NextHole")
            answers = []
            for _ in range(2):
                legal = at.wait_for(lambda seen: seen["turn"] == 0)["legal"]
                answers.append(ann.http.post(f"/api/tables/{codes['table']}/hint", json={"seat": 0}))
                at.do("Play", seat=0, move=legal[0])
    assert [answer.status_code for answer in answers] == [200, 429]
    assert (answers[1].json()["error"], int(answers[1].headers["retry-after"]) > 0) == ("too_fast", True)


# The processes

ECHO = """
import sys
from mulligan.server.processes import answer_all
lives = sys.argv[1]
def answer(line):
    text = open(lives).read()
    if text:
        open(lives, "w").write(text[1:])
        sys.exit(1)
    return b"[]"
answer_all(answer)
"""


def ask(coach, driver):
    async def advise():
        try:
            return await coach.advise(driver.table, "ann", 0, lambda: None)
        finally:
            await coach.close()

    return asyncio.run(advise())


@pytest.fixture
def driver():
    driver = TableDriver(seats=ALONE)
    driver.play_to("tee_off")
    while driver.table.turn != 0:
        driver.move()
    return driver


def test_a_process_that_dies_is_replaced_and_asked_again(tmp_path, driver):
    (tmp_path / "lives").write_text("x")
    assert ask(Coach((sys.executable, "-c", ECHO, str(tmp_path / "lives"))), driver).moves == []


def test_however_many_wait_for_an_analysis_there_are_hints(tmp_path, driver, over):
    (tmp_path / "lives").write_text("")
    card, record = finished.read(over.log, 1)

    async def advise():
        coach = Coach((sys.executable, "-c", ECHO, str(tmp_path / "lives")))
        for number in range(WAITING):
            coach.analyses.answers.tasks[str(number)] = asyncio.create_task(asyncio.Event().wait())
        try:
            with pytest.raises(Refusal, match="coach_busy"):
                await coach.analyse(card, record, over.table.variant, lambda: None)
            return await coach.advise(driver.table, "ann", 0, lambda: None)
        finally:
            await coach.close()

    assert asyncio.run(advise()).moves == []


def test_where_nobody_lives_to_answer_the_coach_is_busy(tmp_path, driver):
    (tmp_path / "lives").write_text("xxxxxx")
    with pytest.raises(Refusal, match="coach_busy"):
        ask(Coach((sys.executable, "-c", ECHO, str(tmp_path / "lives"))), driver)


def test_the_coach_is_told_nothing_that_lies_face_down(driver, monkeypatch):
    """Two tables that look alike, with other cards face down, make the same question."""
    asked = []

    async def note(self, question):
        asked.append(question)
        return b"[]"

    monkeypatch.setattr(Desk, "ask", note)
    cards = driver.table.cards
    ask(Coach(), driver)
    random.Random(1).shuffle(cards.stock)
    for layout in cards.layouts:
        layout.reverse()
    ask(Coach(), driver)
    assert isinstance(asked[0], AboutMove)
    assert asked[0] == asked[1]


# Practice, by its log


def mulligan(driver, hole, step, seat=0, seed=1):
    """The log of a table that plays on from there."""
    wanted = MulliganRequest(hole=hole, step=step, seat=seat)
    opened = take_mulligan.opened(iter(driver.log), f"{driver.table.watch}-1", 1, wanted, "ann")
    opened.table, opened.watch = "BBBBBB", "CCCCCCCC"
    table = Table([opened])
    return [opened, *happen(table, take_mulligan.begin(table, seeds(seed)))]


def seeds(number):
    dice = random.Random(number)
    return lambda: dice.randbytes(32)


@pytest.fixture(scope="module", params=["play_nine", "nine_card"])
def over(request):
    driver = TableDriver(request.param, [wish("me", "Ann"), wish("computer", "Gus", "greedy"), wish("here", "Bea")])
    driver.play_to("over")
    return driver


def test_every_position_of_a_finished_game_can_be_played_on_from(over):
    card, _ = finished.read(over.log, 1)
    for hole in (1, 5, 9):
        frames = finished.replay(over.log, "", 1, hole).frames
        for step in range(0, card.holes[hole - 1].frames - 1, 4):
            log = mulligan(over, hole, step)
            shown, then = view(Table(log)), frames[step].view
            assert shown.legal == then.legal
            assert (shown.held, shown.discard, shown.discard_below) == (then.held, then.discard, then.discard_below)
            assert (shown.stock_left, shown.turn, shown.phase) == (then.stock_left, then.turn, then.phase)
            assert [seat.layout for seat in shown.seats] == [seat.layout for seat in then.seats]


def test_the_log_of_practice_is_read_again_as_it_was_written(over):
    log = mulligan(over, 2, 9)
    table = Table(log)
    dice = random.Random(3)
    driver = TableDriver()
    driver.table, driver.log = table, list(log)
    while table.phase != "over":
        driver.move(dice.choice(table.legal()))
    again = Table(decode(encode(entry)) for entry in driver.log)
    assert view(again) == view(table)
    card, record = finished.read(driver.log, 1)
    assert len(card.holes) == 1
    assert card.practice.name == 2
    assert sum(record["totals"]) == sum(record["holes"][0]["points"])
    assert len(finished.replay(driver.log, "", 1, 1).frames) == card.holes[0].frames


def test_what_nobody_had_seen_is_shuffled_anew_and_nothing_else(over):
    decks = []
    for seed in (1, 2, 3):
        table = Table(mulligan(over, 3, 12, seed=seed))
        cards = table.cards
        hidden = [
            cards.layouts[seat][slot]
            for seat, shown in enumerate(table.playing.sight.layouts[: len(cards.layouts)])
            for slot, face in enumerate(shown[: int(table.rules.slots)])
            if face < 0
        ]
        unseen = table.playing.state.unseen
        assert sorted(hidden + cards.stock) == [face for face, count in enumerate(unseen) for _ in range(count)]
        assert len(cards.stock) == table.playing.sight.stock_left
        decks.append(hidden + cards.stock)
    assert decks[0] != decks[1] != decks[2]


def test_a_mulligan_in_a_mulligan_still_knows_which_hole_it_was(over):
    first = TableDriver()
    first.log = mulligan(over, 6, 10)
    first.table = Table(first.log)
    dice = random.Random(8)
    while first.table.phase != "over":
        first.move(dice.choice(first.table.legal()))
    log = mulligan(first, 1, 4)
    again = Table(log).position.practice
    assert (again.game, again.hole, again.step, again.name) == ("CCCCCCCC-1", 1, 4, 6)


def test_practice_seals_nothing_and_can_be_given_up(over):
    log = mulligan(over, 1, 5)
    table = Table(log)
    ended = happen(table, give_up(table, seeds(5)))
    assert [type(entry) for entry in ended] == [GivenUp]
    assert not any(isinstance(entry, Sealed) for entry in log)
    assert happen(table, take_mulligan.begin(table, seeds(6)))
    assert table.phase == Table(log).phase


def test_a_card_taken_before_the_mulligan_can_be_laid_back(over):
    for hole in range(1, 10):
        steps = [step for step in over_steps(over, hole)]
        for number, step in enumerate(steps, 1):
            if step.move == "D" and step.seat == 0:
                driver = TableDriver()
                driver.log = mulligan(over, hole, number)
                driver.table = Table(driver.log)
                driver.do(TakeBack, seat=0)
                assert driver.table.phase == "take"
                assert Table(driver.log).legal() == driver.table.legal()
                return
    pytest.fail("nobody took a discard")


def over_steps(driver, hole):
    frames = finished.replay(driver.log, "", 1, hole).frames
    return [what for frame in frames for what in frame.what if isinstance(what, Step)]


def test_logs_of_tables_without_practice_open_as_before():
    opened = decode(
        b'{"is":"Opened","table":"BCDFGHJKL","watch":"WATCHWXZ","game":"play_nine","owner":"ann",'
        b'"seats":[{"kind":"me","name":"Ann"}],"options":{},"rules":""}'
    )
    assert isinstance(opened, Opened)
    assert opened.position is None
