"""The table by itself: whole games, everybody's rights, and nothing that could give a hidden card away."""

import json
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import WATCH, Evening, people, wish

from mulligan import explain, referee, variants
from mulligan.notation import read_layout, write_layout
from mulligan.server import finished, messages
from mulligan.server.entries import Held, Secret, decode, encode, is_public
from mulligan.server.messages import (
    Chat,
    Chatted,
    DealerDrawn,
    Dealt,
    Drew,
    FillSeat,
    GiveBack,
    Leave,
    Lend,
    MatchOver,
    NextHole,
    Play,
    React,
    Rematch,
    Remove,
    Said,
    Say,
    SetOptions,
    Sit,
    Start,
    Started,
    Step,
    TableOptions,
    TakeBack,
    Unsealed,
)
from mulligan.server.rights import Refusal
from mulligan.server.table import Table
from mulligan.server.view import view

GAMES = ("play_nine", "nine_card")


def refused(evening, kind, guest="ann", **fields):
    """The refusal of a command, which must change nothing."""
    before = msgspec.json.encode(view(evening.table)), evening.table.event
    with pytest.raises(Refusal) as caught:
        evening.do(kind, guest, **fields)
    assert (msgspec.json.encode(view(evening.table)), evening.table.event) == before
    return caught.value.error, caught.value.params


# Whole games


@settings(deadline=None, max_examples=12)
@given(game=st.sampled_from(GAMES), seats=st.integers(2, 6), seed=st.integers(0, 2**32))
def test_any_whole_game_can_be_played_refereed_and_read_back(game, seats, seed):
    evening = Evening(game, people(seats), seed)
    evening.play_to("over")
    record = json.loads(json.dumps(evening.table.record()))
    assert referee.replay(record).winners == evening.table.winners
    again = Table(decode(encode(entry)) for entry in evening.log)
    assert view(again) == view(evening.table)
    assert again.record() == evening.table.record()


@settings(deadline=None, max_examples=12)
@given(game=st.sampled_from(GAMES), seed=st.integers(0, 2**32), data=st.data())
def test_any_command_at_any_time_happens_or_is_refused_and_the_log_tells_it_all(game, seed, data):
    evening = Evening(game, [wish("me", "Ann"), wish("friend"), wish("computer", "Rob", "greedy")], seed)
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
        event = evening.table.event
        try:
            evening.do(kind, who, **fields)
        except Refusal:
            assert evening.table.event == event
        if evening.table.is_playing and data.draw(st.booleans()):
            on_turn = evening.table.seats[evening.table.turn]
            if on_turn.guest or on_turn.computer:
                evening.move()
    again = Table(decode(encode(entry)) for entry in evening.log)
    assert view(again, {"ann"}) == view(evening.table, {"ann"})
    assert again.event == evening.table.event == len(evening.log)


@pytest.mark.parametrize("game", GAMES)
def test_a_rematch_keeps_everybody_seated_and_counts_the_matches_won(game):
    evening = Evening(game)
    evening.play_to("over")
    first = evening.table.winners
    happened = evening.do(Rematch)
    assert isinstance(happened[0], Started)
    assert happened[0].match == 2
    assert [seat.name for seat in evening.table.seats] == ["Ann", "Ben", "Cyd"]
    evening.play_to("over")
    second = evening.table.winners
    won = Counter([*first, *second])
    assert [seat.wins for seat in view(evening.table).seats] == [won[0], won[1], won[2]]
    assert evening.table.finished == [f"{WATCH}-1", f"{WATCH}-2"]


def test_every_card_that_shows_is_a_card_of_the_pack():
    evening = Evening("nine_card", people(8), seed=5)
    evening.play_to("reckoning")
    shown = view(evening.table)
    copies = dict(zip(evening.table.variant.faces, evening.table.rules.copies, strict=False))
    lying = Counter(face for seat in shown.seats for face in seat.layout)
    assert all(count <= copies[face] for face, count in lying.items())
    assert all(None not in seat.layout for seat in shown.seats)


def test_an_empty_stock_is_made_anew_of_the_discards():
    evening = Evening("nine_card", people(8), seed=5)
    renewed = 0
    while evening.table.phase != "over" and renewed < 2:
        before = evening.table.playing.state.stock_left if evening.table.is_playing else 0
        discards = len(evening.table.discards)
        for event in evening.go_on():
            if isinstance(event, Step) and event.renewed:
                renewed += 1
                now = view(evening.table)
                assert before == 1 or event.move != "S"
                assert now.stock_left == discards
                assert now.discard == event.went
                assert now.discard_below is None
    assert renewed == 2
    assert Table(evening.log).cards.stock == evening.table.cards.stock


def test_play_off_holes_are_for_those_who_are_level():
    for seed in range(400):
        evening = Evening("play_nine", people(6), seed)
        evening.table.variant = single_hole(evening.table.variant)
        evening.play_to("reckoning")
        if evening.table.phase == "reckoning":
            break
        evening = None
    evening.do(NextHole)
    now = view(evening.table)
    assert now.playoff == 1
    assert 2 <= sum(seat.at_table for seat in now.seats) < 6
    assert [bool(seat.layout) for seat in now.seats] == [seat.at_table for seat in now.seats]
    evening.play_to("over")
    out = [number for number, seat in enumerate(now.seats) if not seat.at_table]
    assert all(view(evening.table).card[1].points[number] is None for number in out)


def single_hole(variant):
    """The game with a match of one hole, so that play-offs come soon."""
    from dataclasses import replace

    rules = variant.rules.copy()
    rules.holes = 1
    return replace(variant, rules=rules)


# The draw for the deal (2.1)


@given(seed=st.integers(0, 2**32), seats=st.integers(2, 8))
@settings(deadline=None, max_examples=60)
def test_the_lowest_card_deals_and_only_those_level_draw_again(seed, seats):
    evening = Evening("nine_card", people(seats), seed)
    happened = evening.do(Start)
    variant = evening.table.variant
    rounds: dict[int, dict[int, int]] = {}
    for event in happened:
        if isinstance(event, Drew):
            points = int(variant.rules.points[variant.faces.index(event.face)])
            rounds.setdefault(event.round, {})[event.seat] = points
    drawing = set(range(seats))
    for cards in rounds.values():
        assert set(cards) == drawing
        drawing = {seat for seat, points in cards.items() if points == min(cards.values())}
    assert drawing == {view(evening.table).dealer}
    assert any(isinstance(event, DealerDrawn) for event in happened)
    assert view(evening.table).phase == "draw"
    dealt = next(event for event in evening.do(NextHole) if isinstance(event, Dealt))
    assert dealt.dealer in drawing


# Nothing hidden


def test_no_message_could_tell_a_seed_or_a_guest():
    evening = Evening(seats=[wish("me", "Ann"), wish("friend")])
    evening.do(Sit, "ben-the-guest", seat=1, name="Ben")
    evening.play_to("reckoning")
    shown = [entry.seed for entry in evening.log if isinstance(entry, Unsealed)]
    secrets = [entry.seed for entry in evening.log if isinstance(entry, Secret) and entry.seed not in shown]
    secrets.append("ben-the-guest")
    told = b"".join(msgspec.json.encode(entry) for entry in evening.log if is_public(entry))
    told += msgspec.json.encode(view(evening.table, {"ann", "ben-the-guest"}))
    assert len(secrets) == 2
    assert not [secret for secret in secrets if secret.encode() in told]


# Rights and refusals


def test_who_is_not_on_turn_or_plays_against_the_rules_is_told_so():
    evening = Evening("play_nine", [wish("me", "Ann"), wish("friend")])
    evening.do(Sit, "ben", seat=1, name="Ben")
    assert refused(evening, Play, seat=0, move="S") == ("not_now", {"phase": "lobby"})
    evening.play_to("tee_off")
    turn = evening.table.turn
    mine, other = ("ann", "ben") if turn == 0 else ("ben", "ann")
    assert refused(evening, Play, other, seat=1 - turn, move="a1") == ("not_your_turn", {"seat": turn})
    assert refused(evening, Play, other, seat=turn, move="a1") == ("not_your_seat", {"seat": turn})
    error, params = refused(evening, Play, mine, seat=turn, move="S")
    assert (error, params["rule"]) == ("not_legal", "2.4")
    assert params["allowed"] == ["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2"]
    evening.play_to("take")
    turn = evening.table.turn
    evening.move("D")
    error, params = refused(evening, Play, evening.table.seats[turn].guest, seat=turn, move="-")
    assert (error, params["rule"]) == ("not_legal", "3.5")
    assert refused(evening, Play, seat=9, move="a1")[0] == "not_your_turn"


def test_in_nine_card_golf_nothing_is_thrown_away():
    evening = Evening("nine_card")
    evening.play_to("place")
    error, params = refused(evening, Play, seat=evening.table.turn, move="-")
    assert (error, params["rule"]) == ("not_legal", "3.3")


def test_a_card_from_the_discard_pile_can_be_taken_back_and_nothing_has_changed():
    evening = Evening("play_nine")
    evening.play_to("take")
    before = view(evening.table)
    turn = evening.table.turn
    assert refused(evening, TakeBack, seat=turn)[0] == "nothing_to_take_back"
    evening.move("D")
    held = view(evening.table)
    assert (held.held.face, held.held.pile) == (before.discard, "D")
    assert (held.discard, held.may_take_back) == (before.discard_below, True)
    evening.do(TakeBack, seat=turn)
    assert msgspec.structs.replace(view(evening.table), latest=None) == msgspec.structs.replace(before, latest=None)
    evening.move("S")
    assert not view(evening.table).may_take_back
    assert refused(evening, TakeBack, seat=turn)[0] == "nothing_to_take_back"


def test_throwing_away_can_be_taken_back_until_a_card_is_turned_up():
    evening = Evening("play_nine")
    evening.play_to("take")
    turn = evening.table.turn
    evening.move("S")
    before = view(evening.table)
    evening.move("-")
    assert view(evening.table).phase == "flip"
    evening.do(TakeBack, seat=turn)
    assert msgspec.structs.replace(view(evening.table), latest=before.latest) == before
    evening.move("-")
    evening.move("." if "." in evening.table.legal() else "")
    assert refused(evening, TakeBack, seat=turn)[0] in ("not_your_turn", "nothing_to_take_back")


def test_the_same_command_sent_twice_happens_once_even_after_a_restart():
    evening = Evening("play_nine")
    evening.play_to("tee_off")
    turn = evening.table.turn
    command = Play(id="the-very-same", seat=turn, move="a1")
    assert evening.send(command)
    assert evening.send(command) == []
    evening.table = Table(evening.log)
    assert evening.send(command) == []
    assert sum(face is not None for face in view(evening.table).seats[turn].layout) == 1


def test_names_are_tidied_and_checked():
    evening = Evening(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
    assert refused(evening, Sit, "ben", seat=1, name="  \u200b ")[0] == "name_empty"
    assert refused(evening, Sit, "ben", seat=1, name="x" * 21) == ("name_too_long", {"most": 20})
    assert refused(evening, Sit, "ben", seat=1, name=" aNN ")[0] == "name_taken"
    assert refused(evening, Sit, "ben", seat=0, name="Ben") == ("seat_taken", {"seat": 0})
    assert refused(evening, Sit, "ben", seat=7, name="Ben") == ("no_such_seat", {"seat": 7})
    evening.do(Sit, "ben", seat=1, name="  Ben\n the   Great ")
    assert view(evening.table).seats[1].name == "Ben the Great"
    evening.do(Sit, "cyd", seat=-1, name="花子")
    assert refused(evening, Sit, "dee", seat=-1, name="Dee")[0] == "table_full"


def test_the_owner_has_powers_the_others_have_not():
    evening = Evening(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
    evening.do(Sit, "ben", seat=1, name="Ben")
    for kind, fields in [
        (Remove, {"seat": 0}),
        (Start, {"fill": "greedy"}),
        (FillSeat, {"seat": 2, "player": "greedy"}),
        (SetOptions, {"options": TableOptions(chat=True)}),
    ]:
        assert refused(evening, kind, "ben", **fields)[0] == "not_owner"
    assert refused(evening, Start) == ("seats_open", {"seats": [2]})
    assert refused(evening, FillSeat, seat=2, player="god")[0] == "no_such_player"
    evening.do(FillSeat, seat=2, player="greedy")
    evening.do(Remove, seat=1)
    assert view(evening.table).seats[1].kind == "open"
    evening.do(Remove, seat=1)
    assert [seat.name for seat in view(evening.table).seats] == ["Ann", "Greedy"]
    evening.do(Remove, seat=1)
    assert refused(evening, Remove, seat=1) == ("wrong_seat_count", {"least": 2, "most": 6, "seats": 1})


def test_an_absent_seat_is_lent_and_given_back():
    evening = Evening(seats=[wish("me", "Ann"), wish("friend")])
    evening.do(Sit, "ben", seat=1, name="Ben")
    evening.play_to("tee_off")
    assert refused(evening, Lend, seat=1) == ("not_absent", {"seat": 1})
    evening.present.discard("ben")
    evening.do(Lend, seat=1)
    lent = view(evening.table, evening.present).seats[1]
    assert (lent.lent, lent.kind, lent.name, lent.present) == (True, "person", "Ben", False)
    while evening.table.turn != 1:
        evening.move()
    assert evening.table.computer_on_turn
    assert refused(evening, Play, "ben", seat=1, move="a1")[0] == "not_your_turn"
    evening.do(GiveBack, "ben", seat=1)
    assert not evening.table.computer_on_turn
    evening.do(Play, "ben", seat=1, move="a1")


def test_while_the_owner_is_away_nobody_waits_for_ever():
    evening = Evening(seats=[wish("me", "Ann"), wish("friend"), wish("friend")])
    evening.do(Sit, "ben", seat=1, name="Ben")
    evening.present.discard("ann")
    evening.do(FillSeat, "ben", seat=2, player="random")
    evening.do(Start, "ben")
    evening.do(NextHole, "ben")
    evening.do(Lend, "ben", seat=0)
    assert refused(evening, Remove, "ben", seat=0)[0] == "not_owner"
    assert refused(evening, Lend, "eve", seat=1)[0] == "not_seated"


def test_a_place_left_in_the_middle_of_a_hole_can_be_taken_by_somebody_else():
    evening = Evening(seats=[wish("me", "Ann"), wish("friend")])
    evening.do(Sit, "ben", seat=1, name="Ben")
    evening.play_to("take")
    layout = view(evening.table).seats[1].layout
    evening.do(Leave, "ben", seat=1)
    assert view(evening.table).seats[1].kind == "open"
    happened = evening.do(Sit, "eve", seat=1, name="Eve")
    assert Held(seat=1, guest="eve") in happened
    assert view(evening.table).seats[1].layout == layout
    evening.play_to("over")
    assert evening.table.record()["players"] == ["Ann", "Eve"]


def test_talk_is_phrases_and_reactions_and_text_only_where_the_owner_allows_it():
    evening = Evening(seats=[wish("me", "Ann"), wish("here", "Ben")])
    assert Said(seat=0, phrase="nice") in evening.do(Say, seat=0, phrase="nice")
    assert evening.do(React, seat=1, reaction="clap")
    assert refused(evening, Say, seat=0, phrase="rude")[0] == "no_such_phrase"
    assert refused(evening, React, seat=0, reaction="rude")[0] == "no_such_reaction"
    assert refused(evening, Say, "eve", seat=0, phrase="nice")[0] == "not_your_seat"
    assert refused(evening, Chat, seat=0, text="hi")[0] == "chat_off"
    evening.do(SetOptions, options=TableOptions(chat=True))
    assert Chatted(seat=0, text="hi there") in evening.do(Chat, seat=0, text=" hi \n there\u0007 ")
    assert refused(evening, Chat, seat=0, text="\n")[0] == "chat_empty"
    assert refused(evening, Chat, seat=0, text="x" * 201) == ("chat_too_long", {"most": 200})


def test_who_comes_back_is_told_what_was_missed():
    evening = Evening()
    evening.play_to("take")
    known = evening.table.event
    evening.move("S")
    missed = evening.table.told_since(known)
    assert [type(event) for event in missed] == [Step]
    assert evening.table.told_since(evening.table.event) == []
    evening.play_to("over")
    assert evening.table.told_since(1) == []  # too long ago: the view has to do


# The reckoning, and finished games


@pytest.mark.parametrize("game", GAMES)
def test_the_parts_of_every_reckoning_add_up(game):
    evening = Evening(game, people(4), seed=11)
    variant = evening.table.variant
    penalties = 0
    while evening.table.phase != "over":
        evening.play_to("reckoning") if len(evening.table.card) < 8 else evening.play_to("over")
        for seat in view(evening.table).seats:
            if seat.points is None:
                continue
            assert sum(part.points for part in seat.reckoning) == seat.points
            layout = read_layout(variant, write_layout(variant, [variant.faces.index(face) for face in seat.layout]))
            penalty = [part for part in seat.reckoning if part.kind == "penalty"]
            assert (
                sum(part.points for part in seat.reckoning if part not in penalty)
                == explain.explain(variant, layout).points
            )
            covered = [slot for part in seat.reckoning if part.kind in ("cards", "line") for slot in part.slots]
            assert len(covered) == len(set(covered))
            for part in penalty:
                penalties += 1
                assert part.points == 5 * len(part.beaten_by)
        if evening.table.phase == "reckoning":
            evening.do(NextHole)
    assert penalties or game == "play_nine"


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_game_can_be_looked_at_move_by_move(game):
    evening = Evening(game, people(3), seed=8)
    evening.play_to("take")
    evening.move("D")
    evening.do(TakeBack, seat=evening.table.turn)
    evening.play_to("over")
    evening.do(Rematch)
    card, record = finished.read(evening.log, 1)
    assert finished.read(evening.log, 2) is None
    assert (card.totals, card.winners) == (record["totals"], record["winners"])
    referee.replay(json.loads(json.dumps(record)))
    for hole in card.holes:
        replay = finished.replay(evening.log, card.id, 1, hole.hole)
        assert len(replay.frames) == hole.frames
        assert isinstance(replay.frames[0].what[0], Dealt)
        steps = [event for frame in replay.frames for event in frame.what if isinstance(event, Step)]
        assert len(steps) == len(replay.frames) - 1
        written = record["holes"][hole.hole - 1]["moves"]
        assert len(written) == sum(step.phase in ("tee_off", "take") for step in steps)
        last = replay.frames[-1].view
        assert [seat.points for seat in last.seats] == card.card[hole.hole - 1].points
    assert finished.replay(evening.log, card.id, 1, 99) is None
    assert isinstance(replay.frames[-1].what[-1], MatchOver)


# The messages


def test_every_event_is_known_to_the_log_and_to_the_wire():
    evening = Evening(seats=[wish("me", "Ann"), wish("friend"), wish("computer", "Rob", "random")])
    evening.do(Sit, "ben", seat=1, name="Ben")
    evening.do(Say, seat=0, phrase="hello")
    evening.play_to("over")
    for entry in evening.log:
        assert decode(encode(entry)) == entry
    message = messages.Happened(
        event=3, what=[entry for entry in evening.log if is_public(entry)], view=view(evening.table)
    )
    assert msgspec.json.decode(msgspec.json.encode(message), type=messages.ServerMessage) == message


def test_a_view_is_small():
    evening = Evening("nine_card", people(8), seed=4)
    evening.play_to("take")
    assert len(msgspec.json.encode(view(evening.table))) < 3500


def test_a_damaged_log_is_noticed():
    from mulligan.server.table import BrokenLog

    evening = Evening()
    evening.play_to("place")
    log = list(evening.log)
    number = max(place for place, entry in enumerate(log) if isinstance(entry, Step))
    del log[number - 2]
    with pytest.raises((BrokenLog, ValueError, AssertionError)):
        Table(log)


def test_both_games_are_known():
    assert set(variants.names()) >= set(GAMES)
