"""Sockets, with a real server: whole games, lines that break, and messages that make no sense."""

import io
import json
import time

import pytest
from served import COMPUTER, FRIEND, HERE, ME, Browser, play_on

from mulligan.game import referee

pytestmark = pytest.mark.long


@pytest.mark.parametrize("game", ["play_nine", "nine_card"])
def test_a_whole_game_against_computer_players_leaves_a_record_that_referees_clean(ann, game):
    codes = ann.open(ME, COMPUTER, {"kind": "computer", "player": "random"}, game=game)
    with ann.at(codes["table"]) as table:
        finished = table.play_a_match()
        totals = [seat["total"] for seat in table.view["seats"]]
        assert table.do("Rematch")["is"] == "Accepted"
        assert table.view["match"] == 2
    record = ann.http.get(f"/api/games/{finished}/record")
    assert "attachment" in record.headers["content-disposition"]
    ((_, read),) = referee.read_records(io.BytesIO(record.content))
    assert referee.replay(read).totals == totals
    card = ann.http.get(f"/api/games/{finished.lower()}").json()
    assert card["totals"] == totals
    assert len(card["holes"]) >= 9
    assert 0 <= time.time() - card["opened"] < 3600
    parts = ("", "/holes/1", "/shuffles", "/record")
    shown = "".join(ann.http.get(f"/api/games/{finished}{part}").text for part in parts)
    assert codes["table"] not in shown  # who has the link of a finished match cannot find the table and take a seat
    hole = ann.http.get(f"/api/games/{finished}/holes/9").json()
    assert hole["frames"][-1]["view"]["seats"][0]["score_parts"]
    assert ann.http.get(f"/api/games/{finished}/holes/77").json()["error"] == "hole_gone"
    assert ann.http.get(f"/api/games/{codes['watch']}-2").json()["error"] == "game_gone"


def test_two_people_play_and_a_spectator_sees_the_same(ann, ben, server):
    codes = ann.open(ME, FRIEND)
    with (
        ann.at(codes["table"]) as first,
        ben.at(codes["table"]) as second,
        Browser(server).at(codes["watch"], watching=True) as spectator,
    ):
        assert (first.welcome["you"], first.welcome["owner"]) == ([0], True)
        assert (second.welcome["you"], second.welcome["owner"]) == ([], False)
        assert second.do("Start")["error"] == "not_owner"
        assert second.do("Sit", seat=-1, name="ann")["error"] == "name_taken"
        assert second.do("Sit", seat=-1, name="Ben")["is"] == "Accepted"
        second.welcome = next(message for message in second.heard[::-1] if message["is"] == "Welcome")
        assert second.welcome["you"] == [1]
        assert first.do("Start")["is"] == "Accepted"
        play_on(first, second, until=lambda view: view["phase"] == "hole_over")
        spectator.wait_for(lambda view: view["phase"] == "hole_over")
        assert spectator.view == first.view
        assert spectator.do("NextHole")["error"] == "watching"
        assert codes["table"] not in json.dumps(spectator.heard)
        said = second.do("Say", seat=1, phrase="nice")
        assert said["is"] == "Accepted"
        assert spectator.hear("Happened")["what"] == [{"is": "Said", "seat": 1, "phrase": "nice"}]
        assert first.do("Say", seat=1, phrase="nice")["error"] == "not_your_seat"


def test_everybody_is_told_the_very_same_bytes(ann, ben):
    codes = ann.open(ME, HERE)
    with ann.at(codes["table"]) as first, ben.at(codes["table"]) as second:
        first.do("Start")
        play_on(first, until=lambda view: view["phase"] == "take")
        second.wait_for(lambda view: view["phase"] == "take")
        happened = [[m for m in table.heard if m["is"] == "Happened"] for table in (first, second)]
        assert happened[0] == happened[1]


def test_a_broken_line_goes_on_where_it_was(ann, ben):
    codes = ann.open(ME, HERE, FRIEND)
    with ben.at(codes["table"]) as other:
        other.do("Sit", seat=2, name="Ben")
        with ann.at(codes["table"], tab="one") as table:
            table.do("Start")
            known = table.event
            before = table.view
        other.wait_for(lambda view: view["phase"] == "draw")
        while other.hear("Presence")["present"] != ["away", "away", "elsewhere"]:
            pass
        assert other.do("NextHole")["is"] == "Accepted"
        with ann.at(codes["table"], tab="one", last_event=known) as table:
            assert [event["is"] for event in table.welcome["missed"]] == ["Dealt"]
            assert table.welcome["you"] == [0, 1]
            assert table.view["match"] == before["match"]
        with ann.at(codes["table"], tab="one") as table:
            assert table.welcome["missed"] == []
            assert table.welcome["event"] == other.event


def test_a_new_socket_of_the_same_tab_replaces_the_old_one(ann):
    codes = ann.open(ME, FRIEND)
    with (
        ann.at(codes["table"], tab="one") as old,
        ann.at(codes["table"], tab="two") as beside,
        ann.at(codes["table"], tab="one") as new,
    ):
        assert old.hear_the_end() == 4001
        new.say("Ping", n=7)
        assert new.hear("Pong")["n"] == 7
        beside.say("Ping", n=8)
        assert beside.hear("Pong")["n"] == 8


def test_a_move_sent_twice_happens_once(ann):
    codes = ann.open(ME, HERE)
    with ann.at(codes["table"]) as table:
        table.do("Start")
        table.do("NextHole")
        turn = table.view["turn"]
        assert table.do("Play", "same", seat=turn, move="b1")["is"] == "Accepted"
        event = table.event
    with ann.at(codes["table"]) as table:
        assert table.do("Play", "same", seat=turn, move="b1")["is"] == "Accepted"
        assert table.event == event
        assert table.do("Play", seat=1 - turn, move="a1")["params"] == {"seat": turn}
        assert table.do("Play", "x" * 41, seat=turn, move="a1")["error"] == "id_too_long"


def test_who_is_too_fast_is_told_so(ann):
    codes = ann.open(ME, FRIEND)
    with ann.at(codes["table"]) as table:
        for number in range(85):
            table.say("React", id=f"r{number}", seat=0, reaction="clap")
        answers = [table.hear("Accepted", "Refused") for _ in range(85)]
        assert {answer.get("error") for answer in answers} == {None, "too_fast"}
        assert all(answer["id"] for answer in answers)


def test_a_table_that_is_gone_is_said_to_be(ann):
    for path in ("/ws/t/ZZZZZZ", "/ws/w/ZZZZZZZZ", "/ws/t/☃"):
        with ann.socket(path.replace("☃", "%E2%98%83")) as socket:
            assert json.loads(socket.recv(timeout=20))["error"] == "table_gone"


def test_computer_players_among_themselves_need_nobody_but_a_spectator(ann):
    codes = ann.open(COMPUTER, {"kind": "computer", "player": "random"})
    with ann.at(codes["table"]) as table:
        assert table.welcome["owner"]
        assert table.do("Start")["is"] == "Accepted"
        table.wait_for(lambda view: view["phase"] == "hole_over")
        assert table.do("NextHole")["is"] == "Accepted"


def test_a_reaction_does_not_hold_a_computer_player_up(ann):
    codes = ann.open(ME, COMPUTER, pace="fast")
    with ann.at(codes["table"]) as table:
        table.do("Start")
        table.do("NextHole")
        play_on(table, until=lambda view: view["turn"] == 1)
        started = time.monotonic()
        while table.view["turn"] == 1 and time.monotonic() - started < 10:
            table.do("React", seat=0, reaction="clap")
            time.sleep(0.1)
        assert table.view["turn"] == 0
