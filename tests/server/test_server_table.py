"""The table by itself: whole games, everyone's rights, and nothing that could give a hidden card away."""

import json
from collections import Counter

import independent
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import WATCH, TableDriver, people, refused, wish

from mulligan.game import referee, score_parts
from mulligan.game.notation import read_layout, write_layout
from mulligan.server.table import commands, finished
from mulligan.server.table.log_entries import Held, Secret, decode, encode, is_public
from mulligan.server.table.rights import Refusal
from mulligan.server.table.table import Table
from mulligan.server.table.view import view
from mulligan.server.wire import replies
from mulligan.server.wire.commands import (
    Chat,
    FillSeat,
    GiveBack,
    Leave,
    Lend,
    NextHole,
    Play,
    React,
    Rematch,
    Remove,
    Say,
    SetOptions,
    Sit,
    Start,
    TakeBack,
)
from mulligan.server.wire.events import Chatted, DealerDrawn, Dealt, Drew, MatchOver, Said, Started, Unsealed
from mulligan.server.wire.tables import TableOptions
from mulligan.server.wire.view import Step

GAMES = ("play_nine", "nine_card")


# The length of a log


def test_a_match_has_room_for_so_much_and_moves_have_room_always(monkeypatch):
    monkeypatch.setattr(commands, "MOST_ENTRIES", 120)
    monkeypatch.setattr(commands, "MOST_TALK", 10)
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("here", "Cyd")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.play_to("tee_off")
    driver.do(SetOptions, options=TableOptions(pace="instant", chat=True, holes=0))
    for _ in range(5):
        driver.do(Say, seat=0, phrase="nice")
        driver.do(React, seat=0, reaction="clap")
    assert refused(driver, Chat, seat=0, text="Hello") == ("too_much_talk", {"most": 10})
    driver.do(Lend, "ben", seat=1)
    while driver.table.length < 120 or not driver.table.may_take_back():
        driver.move("D" if driver.table.phase == "take" and driver.table.length >= 120 else "")
    assert refused(driver, TakeBack, seat=driver.table.turn) == ("match_full", {})
    assert refused(driver, SetOptions, options=TableOptions()) == ("match_full", {})
    driver.do(GiveBack, "ben", seat=1)
    assert refused(driver, Lend, "ben", seat=1) == ("match_full", {})
    driver.play_to("over")
    again = Table(driver.log)
    assert (again.length, again.talked) == (driver.table.length, 10)
    assert driver.table.length > 300


def test_the_next_match_has_room_again(monkeypatch):
    monkeypatch.setattr(commands, "MOST_TALK", 1)
    driver = TableDriver()
    driver.do(Say, seat=0, phrase="nice")
    assert refused(driver, Say, seat=0, phrase="nice") == ("too_much_talk", {"most": 1})
    driver.do(Start)
    driver.do(Say, seat=0, phrase="nice")


# Whole games


@settings(deadline=None, max_examples=12)
@given(game=st.sampled_from(GAMES), seats=st.integers(2, 6), seed=st.integers(0, 2**32))
def test_any_whole_game_can_be_played_refereed_and_read_back(game, seats, seed):
    driver = TableDriver(game, people(seats), seed)
    driver.play_to("over")
    record = json.loads(json.dumps(driver.table.record()))
    assert referee.replay(record).winners == driver.table.winners
    again = Table(decode(encode(entry)) for entry in driver.log)
    assert view(again) == view(driver.table)
    assert again.record() == driver.table.record()


@settings(deadline=None, max_examples=12)
@given(game=st.sampled_from(GAMES), seed=st.integers(0, 2**32), data=st.data())
def test_any_command_at_any_time_happens_or_is_refused_and_the_log_tells_it_all(game, seed, data):
    driver = TableDriver(game, [wish("me", "Ann"), wish("friend"), wish("computer", "Rob", "greedy")], seed)
    seat = st.integers(-1, 3)
    guest = st.sampled_from(["ann", "ben", "cyd"])
    text = st.sampled_from(["S", "D", "-", ".", "a1", "b2", "c3", "z9", "", "☃"])
    commands = st.one_of(
        st.builds(lambda s, m: (Play, {"seat": s, "move": m}), seat, text),
        st.sampled_from([(Start, {}), (Start, {"fill": "greedy"}), (NextHole, {}), (Rematch, {})]),
        st.builds(lambda k, s: (k, {"seat": s}), st.sampled_from([TakeBack, Leave, Lend, GiveBack, Remove]), seat),
        st.builds(lambda s, n: (Sit, {"seat": s, "name": n}), seat, st.sampled_from(["Ben", "Ann", "", "x" * 99])),
        st.builds(lambda s, p: (FillSeat, {"seat": s, "player": p}), seat, st.sampled_from(["greedy", "god"])),
        st.builds(lambda s: (Say, {"seat": s, "phrase": "nice"}), seat),
        st.builds(lambda s, t: (Chat, {"seat": s, "text": t}), seat, st.text(max_size=5)),
        st.just((SetOptions, {"options": TableOptions(chat=True)})),
    )
    for _ in range(60):
        kind, fields = data.draw(commands)
        who = data.draw(guest)
        event = driver.table.event
        try:
            driver.do(kind, who, **fields)
        except Refusal:
            assert driver.table.event == event
        if driver.table.is_playing and data.draw(st.booleans()):
            on_turn = driver.table.seats[driver.table.turn]
            if on_turn.guest or on_turn.computer:
                driver.move()
    again = Table(decode(encode(entry)) for entry in driver.log)
    assert view(again, {"ann"}) == view(driver.table, {"ann"})
    assert again.event == driver.table.event == len(driver.log)


@pytest.mark.parametrize("game", GAMES)
def test_a_rematch_keeps_everybody_seated_and_counts_the_matches_won(game):
    driver = TableDriver(game)
    driver.play_to("over")
    first = driver.table.winners
    happened = driver.do(Rematch)
    assert isinstance(happened[0], Started)
    assert happened[0].match == 2
    assert [seat.name for seat in driver.table.seats] == ["Ann", "Ben", "Cyd"]
    driver.play_to("over")
    second = driver.table.winners
    won = Counter([*first, *second])
    assert [seat.wins for seat in view(driver.table).seats] == [won[0], won[1], won[2]]
    assert driver.table.finished == [f"{WATCH}-1", f"{WATCH}-2"]


def test_every_card_that_shows_is_a_card_of_the_pack():
    driver = TableDriver("nine_card", people(8), seed=5)
    driver.play_to("hole_over")
    shown = view(driver.table)
    copies = dict(zip(driver.table.variant.faces, driver.table.rules.copies, strict=False))
    on_table = Counter(face for seat in shown.seats for face in seat.layout)
    assert all(count <= copies[face] for face, count in on_table.items())
    assert all(None not in seat.layout for seat in shown.seats)


def test_an_empty_stock_is_made_anew_of_the_discards():
    driver = TableDriver("nine_card", people(8), seed=5)
    renewed = 0
    while driver.table.phase != "over" and renewed < 2:
        before = driver.table.playing.state.stock_left if driver.table.is_playing else 0
        discards = len(driver.table.discards)
        for event in driver.go_on():
            if isinstance(event, Step) and event.renewed:
                renewed += 1
                now = view(driver.table)
                assert before == 1 or event.move != "S"
                assert now.stock_left == discards
                assert now.discard == event.went
                assert now.discard_below is None
    assert renewed == 2
    assert Table(driver.log).cards.stock == driver.table.cards.stock


def test_play_off_holes_are_for_those_who_are_level():
    for seed in range(400):
        driver = TableDriver("play_nine", people(6), seed, holes=1)
        while driver.table.phase not in ("hole_over", "over"):
            driver.go_on()
        if driver.table.phase == "hole_over":
            break
    driver.do(NextHole)
    now = view(driver.table)
    assert now.playoff == 1
    assert 2 <= sum(seat.at_table for seat in now.seats) < 6
    assert [bool(seat.layout) for seat in now.seats] == [seat.at_table for seat in now.seats]
    driver.play_to("over")
    out = [number for number, seat in enumerate(now.seats) if not seat.at_table]
    assert all(view(driver.table).card[1].points[number] is None for number in out)


# How long a match is


@pytest.mark.parametrize(("game", "holes"), [("play_nine", 1), ("play_nine", 3), ("nine_card", 3), ("nine_card", 18)])
def test_a_match_has_as_many_holes_as_the_table_agreed_on(game, holes):
    driver = TableDriver(game, people(3), holes=holes)
    assert view(driver.table).length == holes
    driver.play_to("over")
    record = json.loads(json.dumps(driver.table.record()))
    assert len([line for line in driver.table.card if not line.playoff]) == holes
    assert record["match"] == {"holes": holes}
    assert referee.replay(record).winners == driver.table.winners
    independent.judge(record)
    card, kept = finished.read(driver.log, 1)
    assert (card.length, kept["match"]) == (holes, {"holes": holes})
    assert view(Table(decode(encode(entry)) for entry in driver.log)) == view(driver.table)


def test_the_usual_length_leaves_no_trace_in_the_record():
    driver = TableDriver("nine_card", people(2), holes=9)
    driver.play_to("over")
    assert "match" not in driver.table.record()


def test_the_length_can_be_changed_until_the_match_begins_and_for_the_next_one():
    driver = TableDriver("nine_card", people(2))
    driver.do(SetOptions, options=TableOptions(holes=1))
    assert view(driver.table).length == 1
    driver.do(Start)
    driver.do(SetOptions, options=TableOptions(holes=18, chat=True))
    assert (driver.table.options.chat, driver.table.options.holes, view(driver.table).length) == (True, 1, 1)
    driver.play_to("over")
    driver.do(SetOptions, options=TableOptions(holes=3))
    assert view(driver.table).length == 1  # the card that lies there is of one hole
    driver.do(Rematch)
    assert view(driver.table).length == 3
    assert finished.read(driver.log, 1)[0].length == 1


def test_a_length_nobody_plays_is_refused():
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"is": "SetOptions", "id": "1", "options": {"holes": 2}}', type=SetOptions)


@pytest.mark.parametrize(
    ("match", "said"),
    [
        ({"holes": 0}, "match: Nine-card golf: holes cannot be “0”. Choose from 1–99."),
        ({"holes": True}, "match: Nine-card golf: holes cannot be “True”. Choose from 1–99."),
        ({"level": "toss"}, "match: Nine-card golf: level cannot be “toss”. Choose from share, playoff."),
        ({"faces": {}}, "match: Nine-card golf has no option “faces”. Its options are jokers, "),
        (3, "match must be an object."),
        ({"holes": 3}, "The match is already over (6.1, 6.2)."),
        ({"holes": 18}, "The match isn’t over after it (6.1)."),
    ],
)
def test_a_record_says_how_long_its_match_was_and_is_held_to_it(match, said):
    driver = TableDriver("nine_card", people(2))
    driver.play_to("over")
    with pytest.raises(referee.Fault) as fault:
        referee.replay(driver.table.record() | {"match": match})
    assert said in str(fault.value)


# The draw for the deal (2.1)


@given(seed=st.integers(0, 2**32), seats=st.integers(2, 8))
@settings(deadline=None, max_examples=60)
def test_the_lowest_card_deals_and_only_those_level_draw_again(seed, seats):
    driver = TableDriver("nine_card", people(seats), seed)
    happened = driver.do(Start)
    variant = driver.table.variant
    rounds: dict[int, dict[int, int]] = {}
    for event in happened:
        if isinstance(event, Drew):
            points = int(variant.rules.points[variant.faces.index(event.face)])
            rounds.setdefault(event.round, {})[event.seat] = points
    drawing = set(range(seats))
    for cards in rounds.values():
        assert set(cards) == drawing
        drawing = {seat for seat, points in cards.items() if points == min(cards.values())}
    assert drawing == {view(driver.table).dealer}
    assert any(isinstance(event, DealerDrawn) for event in happened)
    assert view(driver.table).phase == "draw"
    dealt = next(event for event in driver.do(NextHole) if isinstance(event, Dealt))
    assert dealt.dealer in drawing


# Nothing hidden


def test_no_message_could_tell_a_seed_or_a_guest():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    driver.do(Sit, "ben-the-guest", seat=1, name="Ben")
    driver.play_to("hole_over")
    shown = [entry.seed for entry in driver.log if isinstance(entry, Unsealed)]
    secrets = [entry.seed for entry in driver.log if isinstance(entry, Secret) and entry.seed not in shown]
    secrets.append("ben-the-guest")
    told = b"".join(msgspec.json.encode(entry) for entry in driver.log if is_public(entry))
    told += msgspec.json.encode(view(driver.table, {"ann", "ben-the-guest"}))
    assert len(secrets) == 2
    assert not [secret for secret in secrets if secret.encode() in told]


# Rights and refusals


def test_who_is_not_on_turn_or_plays_against_the_rules_is_told_so():
    driver = TableDriver("play_nine", [wish("me", "Ann"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    assert refused(driver, Play, seat=0, move="S") == ("not_now", {"phase": "lobby"})
    driver.play_to("tee_off")
    turn = driver.table.turn
    mine, other = ("ann", "ben") if turn == 0 else ("ben", "ann")
    assert refused(driver, Play, other, seat=1 - turn, move="a1") == ("not_your_turn", {"seat": turn})
    assert refused(driver, Play, other, seat=turn, move="a1") == ("not_your_seat", {"seat": turn})
    error, params = refused(driver, Play, mine, seat=turn, move="S")
    assert (error, params["rule"]) == ("not_legal", "2.4")
    assert params["allowed"] == ["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2"]
    driver.play_to("take")
    turn = driver.table.turn
    driver.move("D")
    error, params = refused(driver, Play, driver.table.seats[turn].guest, seat=turn, move="-")
    assert (error, params["rule"]) == ("not_legal", "3.5")
    assert refused(driver, Play, seat=9, move="a1")[0] == "not_your_turn"


def test_a_last_turn_is_declined():
    driver = TableDriver("nine_card", people(3), seed=5)
    while not view(driver.table).last_turns:
        assert "." not in driver.table.legal()
        driver.go_on()
    seen, turn = view(driver.table), driver.table.turn
    assert seen.legal == ["S", "D", "."]
    happened = driver.move(".")
    assert isinstance(happened[0], Step)
    assert (happened[0].seat, happened[0].phase, happened[0].move, happened[0].face) == (turn, "take", ".", None)
    after = view(driver.table)
    assert (after.discard, after.stock_left, after.may_take_back) == (seen.discard, seen.stock_left, False)
    assert after.seats[turn].layout == seen.seats[turn].layout
    assert after.turn == (turn + 1) % 3
    driver.move(".")
    assert driver.table.phase in ("hole_over", "over")
    assert view(Table([decode(encode(entry)) for entry in driver.log])) == view(driver.table)


def test_a_card_from_the_discard_pile_can_be_taken_back_and_nothing_has_changed():
    driver = TableDriver("play_nine")
    driver.play_to("take")
    before = view(driver.table)
    turn = driver.table.turn
    assert refused(driver, TakeBack, seat=turn)[0] == "nothing_to_take_back"
    driver.move("D")
    held = view(driver.table)
    assert (held.held.face, held.held.pile) == (before.discard, "D")
    assert (held.discard, held.may_take_back) == (before.discard_below, True)
    driver.do(TakeBack, seat=turn)
    assert msgspec.structs.replace(view(driver.table), latest=None) == msgspec.structs.replace(before, latest=None)
    driver.move("S")
    assert not view(driver.table).may_take_back
    assert refused(driver, TakeBack, seat=turn)[0] == "nothing_to_take_back"


def test_a_discard_can_be_taken_back_until_a_card_is_turned_up():
    driver = TableDriver("play_nine")
    driver.play_to("take")
    turn = driver.table.turn
    driver.move("S")
    before = view(driver.table)
    driver.move("-")
    assert view(driver.table).phase == "flip"
    driver.do(TakeBack, seat=turn)
    assert msgspec.structs.replace(view(driver.table), latest=before.latest) == before
    driver.move("-")
    driver.move("." if "." in driver.table.legal() else "")
    assert refused(driver, TakeBack, seat=turn)[0] in ("not_your_turn", "nothing_to_take_back")


def test_the_same_command_sent_twice_happens_once_even_after_a_restart():
    driver = TableDriver("play_nine")
    driver.play_to("tee_off")
    turn = driver.table.turn
    command = Play(id="the-very-same", seat=turn, move="a1")
    assert driver.send(command)
    assert driver.send(command) == []
    driver.table = Table(driver.log)
    assert driver.send(command) == []
    assert sum(face is not None for face in view(driver.table).seats[turn].layout) == 1


def test_names_are_tidied_and_checked():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
    assert refused(driver, Sit, "ben", seat=1, name="  \u200b ")[0] == "name_empty"
    assert refused(driver, Sit, "ben", seat=1, name="x" * 21) == ("name_too_long", {"most": 20})
    assert refused(driver, Sit, "ben", seat=1, name=" aNN ")[0] == "name_taken"
    assert refused(driver, Sit, "ben", seat=0, name="Ben") == ("seat_taken", {"seat": 0})
    assert refused(driver, Sit, "ben", seat=7, name="Ben") == ("no_such_seat", {"seat": 7})
    driver.do(Sit, "ben", seat=1, name="  Ben\n the   Great ")
    assert view(driver.table).seats[1].name == "Ben the Great"
    driver.do(Sit, "cyd", seat=-1, name="花子")
    assert refused(driver, Sit, "dee", seat=-1, name="Dee")[0] == "table_full"


def test_the_owner_starts_when_no_place_is_open_and_frees_and_takes_away_places():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    assert refused(driver, Start) == ("seats_open", {"seats": [2]})
    assert refused(driver, FillSeat, seat=2, player="god")[0] == "no_such_player"
    driver.do(FillSeat, seat=2, player="greedy")
    driver.do(Remove, seat=1)
    assert view(driver.table).seats[1].kind == "open"
    driver.do(Remove, seat=1)
    assert [seat.name for seat in view(driver.table).seats] == ["Ann", "Greedy"]
    driver.do(Remove, seat=1)
    assert refused(driver, Remove, seat=1) == ("wrong_seat_count", {"least": 2, "most": 6, "seats": 1})


def test_an_absent_seat_is_lent_and_given_back():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.play_to("tee_off")
    assert refused(driver, Lend, seat=1) == ("not_absent", {"seat": 1})
    driver.present.discard("ben")
    driver.do(Lend, seat=1)
    lent = view(driver.table, driver.present).seats[1]
    assert (lent.lent, lent.kind, lent.name, lent.present) == (True, "person", "Ben", "away")
    while driver.table.turn != 1:
        driver.move()
    assert driver.table.computer_on_turn
    assert refused(driver, Play, "ben", seat=1, move="a1")[0] == "not_your_turn"
    driver.do(GiveBack, "ben", seat=1)
    assert not driver.table.computer_on_turn
    driver.do(Play, "ben", seat=1, move="a1")


def test_while_the_owner_is_away_nobody_waits_for_ever():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.present.discard("ann")
    driver.do(FillSeat, "ben", seat=2, player="random")
    driver.do(Start, "ben")
    driver.do(NextHole, "ben")
    driver.do(Lend, "ben", seat=0)


def test_a_place_left_in_the_middle_of_a_hole_can_be_taken_by_somebody_else():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.play_to("take")
    layout = view(driver.table).seats[1].layout
    driver.do(Leave, "ben", seat=1)
    assert view(driver.table).seats[1].kind == "open"
    happened = driver.do(Sit, "eve", seat=1, name="Eve")
    assert Held(seat=1, guest="eve") in happened
    assert view(driver.table).seats[1].layout == layout
    driver.play_to("over")
    assert driver.table.record()["players"] == ["Ann", "Eve"]


def test_talk_is_phrases_and_reactions_and_text_only_where_the_owner_allows_it():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("here", "Ben")])
    assert Said(seat=0, phrase="nice") in driver.do(Say, seat=0, phrase="nice")
    assert driver.do(React, seat=1, reaction="clap")
    assert refused(driver, Say, seat=0, phrase="rude")[0] == "no_such_phrase"
    assert refused(driver, React, seat=0, reaction="rude")[0] == "no_such_reaction"
    assert refused(driver, Say, "eve", seat=0, phrase="nice")[0] == "not_your_seat"
    assert refused(driver, Chat, seat=0, text="hi")[0] == "chat_off"
    driver.do(SetOptions, options=TableOptions(chat=True))
    assert Chatted(seat=0, text="hi there") in driver.do(Chat, seat=0, text=" hi \n there\u0007 ")
    assert refused(driver, Chat, seat=0, text="\n")[0] == "chat_empty"
    assert refused(driver, Chat, seat=0, text="x" * 201) == ("chat_too_long", {"most": 200})


def test_who_comes_back_is_told_what_was_missed():
    driver = TableDriver()
    driver.play_to("take")
    known = driver.table.event
    driver.move("S")
    missed = driver.table.told_since(known)
    assert [type(event) for event in missed] == [Step]
    assert driver.table.told_since(driver.table.event) == []
    driver.play_to("over")
    assert driver.table.told_since(1) == []  # too long ago: the view has to do


# Scores, and finished matches


@pytest.mark.parametrize("game", GAMES)
def test_the_parts_of_every_score_add_up(game):
    driver = TableDriver(game, people(4), seed=11)
    variant = driver.table.variant
    penalties = 0
    while driver.table.phase != "over":
        driver.play_to("hole_over") if len(driver.table.card) < 8 else driver.play_to("over")
        for seat in view(driver.table).seats:
            if seat.points is None:
                continue
            assert sum(part.points for part in seat.score_parts) == seat.points
            layout = read_layout(variant, write_layout(variant, [variant.faces.index(face) for face in seat.layout]))
            penalty = [part for part in seat.score_parts if part.kind == "penalty"]
            assert (
                sum(part.points for part in seat.score_parts if part not in penalty)
                == score_parts.explain(variant, layout).points
            )
            covered = [slot for part in seat.score_parts if part.kind in ("cards", "line") for slot in part.slots]
            assert len(covered) == len(set(covered))
            for part in penalty:
                penalties += 1
                assert part.points == 5 * len(part.beaten_by)
        if driver.table.phase == "hole_over":
            driver.do(NextHole)
    assert penalties or game == "play_nine"


@pytest.mark.parametrize("game", GAMES)
def test_the_points_of_a_hole_are_shown_when_it_is_over_and_not_before(game):
    driver = TableDriver(game, people(2), seed=5)
    seen = set()
    while driver.table.phase != "over" and len(driver.table.card) < 3:
        driver.go_on()
        over = driver.table.phase in ("hole_over", "over")
        if driver.table.hole is None or driver.table.phase == "draw":
            continue
        seen.add(over)
        for seat in view(driver.table).seats:
            assert (seat.points is not None) == over
            assert (seat.score_parts is not None) == over
    assert seen == {True, False}


@pytest.mark.parametrize("game", GAMES)
def test_the_points_so_far_are_what_the_open_cards_cost(game):
    driver = TableDriver(game, people(3), seed=11)
    variant = driver.table.variant
    told = set()
    while driver.table.phase != "over" and len(driver.table.card) < 3:
        driver.go_on()
        for seat in view(driver.table).seats:
            if not seat.layout:
                assert seat.so_far is None
                continue
            columns = int(variant.rules.columns)
            rows = [seat.layout[at : at + columns] for at in range(0, len(seat.layout), columns)]
            lies = " / ".join(" ".join(face or "?" for face in row) for row in rows)
            assert seat.so_far == score_parts.explain(variant, read_layout(variant, lies)).points
            told.add(seat.so_far)
            if seat.score_parts:
                assert seat.so_far == sum(part.points for part in seat.score_parts if part.kind != "penalty")
    assert len(told) > 20


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_game_can_be_looked_at_move_by_move(game):
    driver = TableDriver(game, people(3), seed=8)
    driver.play_to("take")
    driver.move("D")
    driver.do(TakeBack, seat=driver.table.turn)
    driver.play_to("over")
    driver.do(Rematch)
    card, record = finished.read(driver.log, 1)
    assert finished.read(driver.log, 2) is None
    assert (card.totals, card.winners) == (record["totals"], record["winners"])
    referee.replay(json.loads(json.dumps(record)))
    for hole in card.holes:
        replay = finished.replay(driver.log, card.id, 1, hole.hole)
        assert len(replay.frames) == hole.frames
        assert isinstance(replay.frames[0].what[0], Dealt)
        steps = [event for frame in replay.frames for event in frame.what if isinstance(event, Step)]
        assert len(steps) == len(replay.frames) - 1
        written = record["holes"][hole.hole - 1]["moves"]
        assert len(written) == sum(step.phase in ("tee_off", "take") for step in steps)
        last = replay.frames[-1].view
        assert [seat.points for seat in last.seats] == card.card[hole.hole - 1].points
    assert finished.replay(driver.log, card.id, 1, 99) is None
    assert isinstance(replay.frames[-1].what[-1], MatchOver)


# The messages


def test_every_event_is_known_to_the_log_and_to_the_wire():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend"), wish("computer", "Rob", "random")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.do(Say, seat=0, phrase="hello")
    driver.play_to("over")
    for entry in driver.log:
        assert decode(encode(entry)) == entry
    message = replies.Happened(
        event=3, what=[entry for entry in driver.log if is_public(entry)], view=view(driver.table)
    )
    assert msgspec.json.decode(msgspec.json.encode(message), type=replies.ServerMessage) == message


def test_a_view_is_small():
    driver = TableDriver("nine_card", people(8), seed=4)
    driver.play_to("take")
    assert len(msgspec.json.encode(view(driver.table))) < 3500


def test_a_damaged_log_is_noticed():
    from mulligan.server.table.table import BrokenLog

    driver = TableDriver()
    driver.play_to("place")
    log = list(driver.log)
    number = max(place for place, entry in enumerate(log) if isinstance(entry, Step))
    del log[number - 2]
    with pytest.raises((BrokenLog, ValueError, AssertionError)):
        Table(log)
