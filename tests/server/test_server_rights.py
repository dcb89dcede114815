"""Who may do what: every command, given by everyone who has no business giving it, changes nothing."""

import json
import logging
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from served import COMPUTER, FRIEND, ME, Browser, play_on, served
from tables import TableDriver, refused, wish
from test_server_live_table import Clock, Disk, Ear, live_of

from mulligan.server.table.log_entries import decode, encode
from mulligan.server.table.rights import Caller, Refusal
from mulligan.server.table.table import Table
from mulligan.server.table.view import view
from mulligan.server.web.accounts import COOKIE, guest_of, name_of
from mulligan.server.wire import base
from mulligan.server.wire.commands import (
    AddSeed,
    AnswerKnock,
    Chat,
    ClientMessage,
    Command,
    FillSeat,
    GiveBack,
    GiveUp,
    HandOver,
    Knock,
    Leave,
    Lend,
    MoveHere,
    NewLink,
    Next,
    NextHole,
    Offer,
    OpenSeat,
    Play,
    PlayOn,
    React,
    Readmit,
    Rematch,
    Remove,
    Rename,
    Say,
    SetOptions,
    Sit,
    Start,
    TakeBack,
    TakeOver,
)
from mulligan.server.wire.tables import TableOptions

WEB = Path(__file__).parents[2] / "web" / "src"
COMMANDS = [kind for kind in get_args(ClientMessage) if issubclass(kind, Command)]
BEN, OPEN, ROBOT = 1, 3, 4
KEY = "0123456789abcdef" * 2


def driver_of(phase, owner_here=True):
    """Ann owns the table and sits at it with Ben, Cyd, an empty chair that was Fay's, and a computer player."""
    driver = TableDriver(
        seats=[wish("me", "Ann"), wish("friend"), wish("friend"), wish("friend"), wish("friend")], seed=5
    )
    driver.do(Sit, "ben", seat=BEN, name="Ben")
    driver.do(Sit, "cyd", seat=2, name="Cyd")
    driver.do(Sit, "fay", seat=OPEN, name="Fay")
    driver.do(FillSeat, seat=ROBOT, player="random")
    driver.do(SetOptions, options=TableOptions(chat=True, pace="instant"))
    driver.do(Leave, "fay", seat=OPEN)
    if phase != "lobby":
        driver.do(Start, fill="random")
        while not (driver.table.phase == phase and (phase in RESTING or driver.table.turn == BEN)):
            driver.move("D") if phase == "place" and may_take(driver) else driver.go_on()
    if not owner_here:
        driver.present.discard("ann")
    return driver


RESTING = ("draw", "hole_over", "over")


def may_take(driver):
    """Ben takes the discard, since that is what can be taken back."""
    return driver.table.phase == "take" and driver.table.turn == BEN


def lent(driver):
    driver.present.discard("ben")
    driver.do(Lend, seat=BEN)
    driver.present.add("ben")


def looks_away(driver):
    driver.elsewhere.add("ben")


def offered(driver):
    driver.do(Offer, "ben", key=KEY)


def knocked(driver):
    driver.knocks[1] = Caller("eve", "Eve")


def host_gone(driver):
    driver.present.discard("ann")
    driver.left["ann"] = 25 * 3600.0


def removed(driver):
    """Someone who sat there and was removed."""
    driver.do(Sit, "gus", seat=OPEN, name="Gus")
    driver.do(Remove, seat=OPEN)


# Every command: when it may be given and by whom, and what everyone else receives.
# "stranger" never sat there; "former" did, and left; "other" holds another seat; "owner" is Ann, for Ben's seat.

NOBODY_ELSE = {
    "stranger": "not_your_seat",
    "former": "not_your_seat",
    "other": "not_your_seat",
    "owner": "not_your_seat",
}
OWNER_ALONE = {"stranger": "not_owner", "former": "not_owner", "other": "not_owner"}
SEATED_ALONE = {"stranger": "not_seated", "former": "not_seated"}
WHO = {"stranger": "eve", "former": "fay", "other": "cyd", "owner": "ann", "himself": "ben"}

CASES = {
    Sit: ("lobby", {"seat": OPEN, "name": "Eve"}, "eve", {}),
    Leave: ("lobby", {"seat": BEN}, "ben", NOBODY_ELSE),
    Start: ("lobby", {"fill": "greedy"}, "ann", OWNER_ALONE),
    Play: ("take", {"seat": BEN, "move": "S"}, "ben", NOBODY_ELSE),
    TakeBack: ("place", {"seat": BEN}, "ben", NOBODY_ELSE),
    NextHole: ("draw", {}, "cyd", SEATED_ALONE),
    Say: ("take", {"seat": BEN, "phrase": "nice"}, "ben", NOBODY_ELSE),
    React: ("take", {"seat": BEN, "reaction": "clap"}, "ben", NOBODY_ELSE),
    Chat: ("take", {"seat": BEN, "text": "hello"}, "ben", NOBODY_ELSE),
    Lend: ("take", {"seat": BEN}, "ben", OWNER_ALONE | {"owner": "not_absent"}),
    GiveBack: ("take", {"seat": BEN}, "ben", OWNER_ALONE),
    Remove: ("lobby", {"seat": BEN}, "ann", OWNER_ALONE),
    Readmit: ("lobby", {}, "ann", OWNER_ALONE),
    NewLink: ("lobby", {}, "ann", OWNER_ALONE),
    FillSeat: ("lobby", {"seat": OPEN, "player": "greedy"}, "ann", OWNER_ALONE),
    SetOptions: ("lobby", {"options": TableOptions()}, "ann", OWNER_ALONE),
    Rematch: ("over", {}, "cyd", SEATED_ALONE),
    GiveUp: ("take", {}, "ann", OWNER_ALONE),
    AddSeed: ("lobby", {"seat": BEN, "seed": "a" * 32}, "ben", NOBODY_ELSE),
    Offer: ("take", {"key": KEY}, "ben", SEATED_ALONE),
    MoveHere: ("take", {"key": KEY}, "eve", {}),
    HandOver: ("take", {"seat": BEN}, "ann", OWNER_ALONE),
    OpenSeat: ("take", {"seat": ROBOT}, "ann", OWNER_ALONE),
    Rename: ("take", {"seat": BEN, "name": "Benny"}, "ben", NOBODY_ELSE),
    Next: ("over", {"game": "nine_card"}, "ann", OWNER_ALONE),
    Knock: ("take", {"name": "Eve"}, "eve", {"other": "not_now", "owner": "not_now"}),
    AnswerKnock: ("take", {"knock": 1, "yes": True}, "ann", OWNER_ALONE),
    TakeOver: ("take", {}, "cyd", SEATED_ALONE),
    PlayOn: ("take", {"seat": BEN}, "cyd", {"stranger": "not_seated", "former": "not_seated", "himself": "not_absent"}),
}
BEFORE = {
    GiveBack: lent,
    PlayOn: looks_away,
    MoveHere: offered,
    Readmit: removed,
    TakeOver: host_gone,
    AnswerKnock: knocked,
}
NOT_LOGGED = {Knock}  # nothing has happened at the table yet


def scene(kind, **changes):
    phase, fields, rightful, refusals = CASES[kind]
    driver = driver_of(phase, **changes)
    BEFORE.get(kind, lambda driver: None)(driver)
    return driver, kind(id="it", **fields), rightful, refusals


def must_be_refused(driver, command, guest):
    """The code; and that nothing at all has happened."""
    log, before = list(driver.log), view(driver.table, driver.present)
    event, done = driver.table.event, str(driver.table.done.things)
    with pytest.raises(Refusal) as refusal:
        driver.send(command, guest)
    assert (driver.log, driver.table.event, str(driver.table.done.things)) == (log, event, done)
    assert view(driver.table, driver.present) == before
    assert view(Table(decode(encode(entry)) for entry in log), driver.present) == before
    assert refusal.value.error in base.ERRORS
    return refusal.value.error


def test_no_command_was_forgotten():
    assert set(CASES) == set(COMMANDS) == set(Command.__subclasses__())


def test_the_browser_gives_every_command_by_a_method_that_a_page_calls():
    files = {
        file.name: file.read_text(encoding="utf-8") for file in WEB.rglob("*.*") if file.suffix in (".ts", ".svelte")
    }
    session = files.pop("session.svelte.ts")
    assert {kind.__name__ for kind in COMMANDS} - set(re.findall(r'\{ is: "(\w+)"', session)) == set()
    methods = re.findall(r"^  (\w+) = \(", session, re.MULTILINE)
    assert [method for method in methods if not any(f"session.{method}" in file for file in files.values())] == []


@pytest.mark.parametrize("kind", COMMANDS)
def test_who_may_give_a_command_may(kind):
    driver, command, rightful, _ = scene(kind)
    assert bool(driver.send(command, rightful)) == (kind not in NOT_LOGGED)


@pytest.mark.parametrize("kind", COMMANDS)
def test_who_may_not_give_it_changes_nothing(kind):
    driver, command, rightful, refusals = scene(kind)
    for role, guest in WHO.items():
        if role in refusals:
            assert must_be_refused(driver, command, guest) == refusals[role], role
    assert bool(driver.send(command, rightful)) == (kind not in NOT_LOGGED)  # nothing else stood in the way


@pytest.mark.parametrize("kind", COMMANDS)
def test_while_the_owner_is_away_strangers_may_do_no_more(kind):
    driver, command, _, refusals = scene(kind, owner_here=False)
    for role in ("stranger", "former"):
        if role in refusals:
            owners = (Remove, Readmit, NewLink, SetOptions, GiveBack, HandOver, OpenSeat, Next)
            wanted = {"not_owner"} if kind in owners else {"not_seated", refusals[role]}
            assert must_be_refused(driver, command, WHO[role]) in wanted - ({"not_owner"} if len(wanted) > 1 else set())


@pytest.mark.parametrize("kind", COMMANDS)
async def test_who_watches_has_no_say_even_where_he_sits(kind):
    driver, command, rightful, _ = scene(kind)
    disk, ear = Disk(), Ear(rightful, watching=True)
    live = live_of(driver, disk, Clock(most=1))
    await live.join(ear, 0)
    event = driver.table.event
    await live.command(ear, command)
    assert ear.heard[-1].error == "watching"
    assert (disk.kept, driver.table.event) == ([], event)
    live.rest()


@pytest.mark.parametrize("kind", [kind for kind in COMMANDS if "seat" in kind.__struct_fields__])
def test_a_seat_that_is_none_is_named(kind):
    driver, command, rightful, _ = scene(kind)
    for seat in (-2, 5, 6, 2**31, -(2**63), 10**40):
        error = must_be_refused(driver, msgspec.structs.replace(command, seat=seat), rightful)
        assert error == ("not_your_turn" if kind in (Play, TakeBack) else "no_such_seat")


def test_nobody_sits_down_on_somebody():
    driver = driver_of("lobby")
    for guest in WHO.values():
        for seat in (0, BEN, 2, ROBOT):
            assert must_be_refused(driver, Sit(id="x1", seat=seat, name="Zoe"), guest) == "seat_taken"
    for name in ("Ben", "BEN", " ben\u200b", "\u0412en"):
        assert must_be_refused(driver, Sit(id="x1", seat=OPEN, name=name), "eve") == "name_taken"


def test_nobody_plays_out_of_turn():
    driver = driver_of("take")
    for seat, guest in enumerate(["ann", "ben", "cyd"]):
        if seat != BEN:
            assert must_be_refused(driver, Play(id="x1", seat=seat, move="S"), guest) == "not_your_turn"
            assert must_be_refused(driver, TakeBack(id="x1", seat=seat), guest) == "not_your_turn"
    for guest in ("ann", "ben", "eve"):
        assert must_be_refused(driver, Play(id="x1", seat=ROBOT, move="S"), guest) == "not_your_turn"
    for phase in ("lobby", *RESTING):
        driver = driver_of(phase)
        assert must_be_refused(driver, Play(id="x1", seat=BEN, move="S"), "ben") == "not_now"
        assert must_be_refused(driver, TakeBack(id="x1", seat=BEN), "ben") == "not_now"


def test_nobody_plays_for_a_computer_player_on_turn():
    driver = driver_of("take")
    while driver.table.turn != ROBOT:
        driver.move()
    for guest in ("ann", "ben", "eve", ""):
        assert (
            must_be_refused(driver, Play(id="x1", seat=ROBOT, move=driver.table.legal()[0]), guest) == "not_your_seat"
        )


def test_a_lent_seat_is_played_by_nobody_but_the_computer_player():
    driver = driver_of("take")
    lent(driver)
    for guest, error in [("ben", "not_your_turn"), ("ann", "not_your_seat"), ("eve", "not_your_seat")]:
        assert must_be_refused(driver, Play(id="x1", seat=BEN, move="S"), guest) == error
    assert must_be_refused(driver, TakeBack(id="x1", seat=BEN), "ben") == "nothing_to_take_back"
    assert must_be_refused(driver, Lend(id="x1", seat=BEN), "ann") == "seat_taken"
    assert must_be_refused(driver, Sit(id="x1", seat=BEN, name="Eve"), "eve") == "table_full"
    driver.do(GiveBack, "ben", seat=BEN)
    assert driver.do(Play, "ben", seat=BEN, move="S")


def test_who_was_shown_the_door_has_no_more_say():
    driver = driver_of("take")
    driver.do(Remove, seat=BEN)
    for command in (
        Play(id="x1", seat=BEN, move="S"),
        Say(id="x2", seat=BEN, phrase="bye"),
        GiveBack(id="x3", seat=BEN),
        NextHole(id="x4"),
        AddSeed(id="x5", seat=BEN, seed="a" * 32),
        Offer(id="x6", key=KEY),
    ):
        assert must_be_refused(driver, command, "ben") in ("not_your_seat", "not_owner", "not_seated")


def test_a_key_moves_a_seat_once_and_not_for_ever_and_no_other_does():
    driver = driver_of("take")
    driver.do(Offer, "ben", key=KEY)
    for key in ("", "0" * 32, KEY.upper(), KEY[:-1], KEY + "0", KEY + "\n"):
        assert must_be_refused(driver, MoveHere(id="x1", key=key), "eve") == "no_such_offer"
    driver.now += 3601
    assert must_be_refused(driver, MoveHere(id="x1", key=KEY), "eve") == "no_such_offer"
    driver.do(Offer, "ben", key=KEY)
    driver.do(Offer, "ben", key="f" * 32)
    assert must_be_refused(driver, MoveHere(id="x1", key=KEY), "eve") == "no_such_offer"
    driver.do(MoveHere, "eve", key="f" * 32)
    assert must_be_refused(driver, MoveHere(id="x1", key="f" * 32), "gus") == "no_such_offer"
    for command in (Play(id="x1", seat=BEN, move="S"), Say(id="x2", seat=BEN, phrase="bye"), Leave(id="x3", seat=BEN)):
        assert must_be_refused(driver, command, "ben") == "not_your_seat"
    assert driver.do(Play, "eve", seat=BEN, move="S")
    assert KEY not in repr(driver.log)


def test_an_owner_who_moved_away_owns_the_table_no_more():
    driver = driver_of("lobby")
    driver.do(Offer, "ann", key=KEY)
    driver.do(MoveHere, "eve", key=KEY)
    assert must_be_refused(driver, Remove(id="x1", seat=BEN), "ann") == "not_owner"
    assert driver.do(Remove, "eve", seat=BEN)


# Cookies


def test_a_guest_is_known_by_his_token_and_by_nothing_else():
    new = guest_of({}, secure=False)
    token = new.cookie.partition("=")[2].partition(";")[0]
    assert guest_of({COOKIE: token}, False) == (new.name, new.name, "")
    for wrong in (new.name, token[:-1], token + "a", token.swapcase(), "", token + "\n", "é" * 32, token[:-1] + "é"):
        assert guest_of({COOKIE: wrong}, False).name != new.name
    assert token not in new.name
    assert guest_of({}, False).name != guest_of({}, False).name
    assert "Secure" in guest_of({}, secure=True).cookie
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(new.cookie.split("; "))


# Secrets


@pytest.mark.long
def test_no_token_is_ever_sent_logged_or_stored(tmp_path, client_folder, caplog):
    """Everything that is sent to anyone, and all that is logged, while a game goes through every command."""
    caplog.set_level(logging.DEBUG)
    tokens = {"ann": "AnnsOwnTokenNobodyElseMaySee-123", "ben": "BensOwnTokenNobodyElseMaySee-456"}
    tokens |= {"eve": "EvesOwnTokenNobodyElseMaySee-789", "new": "TheNewDevicesTokenNobodySees-000"}
    assert all(len(token) == 32 for token in tokens.values())
    sent = []
    with served(tmp_path, client_folder) as config:

        def browser(name):
            someone = Browser(config)
            someone.http.cookies.set(COOKIE, tokens[name])
            someone.http.event_hooks["response"] = [
                lambda answer: sent.append(f"{answer.headers} {answer.read().decode(errors='replace')}")
            ]
            return someone

        ann, ben, eve, new = map(browser, tokens)
        codes = ann.open(ME, FRIEND, COMPUTER)
        with (
            ann.at(codes["table"]) as first,
            ben.at(codes["table"]) as second,
            eve.at(codes["watch"], watching=True) as watcher,
        ):
            assert second.do("Sit", seat=1, name="Ben")["is"] == "Accepted"
            second.welcome = next(message for message in second.heard[::-1] if message["is"] == "Welcome")
            for table, seat in ((first, 0), (second, 1)):
                table.do("SetOptions", options={"chat": True, "pace": "instant"})
                table.do("Say", seat=seat, phrase="hello")
                table.do("Chat", seat=seat, text="hello there")
                table.do("React", seat=seat, reaction="clap")
                table.do("AddSeed", seat=seat, seed=f"{seat}" * 32)
            assert first.do("Start")["is"] == "Accepted"
            play_on(first, second, until=lambda view: view["phase"] == "hole_over")
            assert second.do("Offer", key=KEY)["is"] == "Accepted"
            assert first.do("Remove", seat=9)["is"] == "Refused"
            with new.at(codes["table"]) as third:
                assert third.do("MoveHere", key="9" * 32)["is"] == "Refused"
                assert third.do("MoveHere", key=KEY)["is"] == "Accepted"
                assert third.do("Leave", seat=1)["is"] == "Accepted"
                assert first.do("FillSeat", seat=1, player="random")["is"] == "Accepted"
                play_on(first)
                (game,) = first.view["finished"]
                told = [first, second, watcher, third]
                watcher.wait_for(lambda view: view["phase"] == "over")
                second.wait_for(lambda view: view["phase"] == "over")
                third.wait_for(lambda view: view["phase"] == "over")
        for path in (
            "/",
            f"/t/{codes['table']}",
            "/nowhere",
            "/api/nothing",
            "/api/facts",
            "/api/frequencies",
            "/api/health",
            "/schema/openapi.json",
            f"/api/tables/{codes['table']}",
            f"/api/tables/{codes['table']}/qr.svg",
            f"/api/games/{game}",
            f"/api/games/{game}/holes/1",
            f"/api/games/{game}/shuffles",
            f"/api/games/{game}/record",
        ):
            for someone in (ann, eve):
                someone.http.get(path)
    heard = "\n".join(json.dumps(table.heard) for table in told)
    answers = "\n".join(sent)
    ours = [
        record for record in caplog.records if not record.name.startswith(("httpx", "httpcore", "websockets.client"))
    ]
    assert any(record.name == "mulligan" for record in ours)
    logged = "\n".join(f"{record.getMessage()} {vars(record)}" for record in ours)
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file()).decode("latin-1")
    assert len(heard) > 100_000
    assert len(answers) > 10_000
    assert "BensOwnName" not in stored
    for token in tokens.values():
        for text in (heard, answers, logged, stored):
            assert token not in text
        for text in (heard, answers, logged):
            assert name_of(token) not in text  # what the log knows a guest by stays there
    for text in (heard, answers, logged, stored):
        assert KEY not in text
    assert codes["table"] not in json.dumps(watcher.heard) + logged
    public = "".join(text for text in sent if f"/t/{codes['table']}" not in text and '"link"' not in text)
    assert not re.search(rf"\b{codes['table']}\b", public)


def test_who_was_removed_sits_down_again_when_the_owner_allows_it_or_the_match_is_over():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")

    def remove_ben():
        driver.do(Remove, seat=1)
        assert refused(driver, Sit, "ben", seat=1, name="Benny")[0] == "removed"
        assert Table(driver.log).removed == {"ben"}, "after a restart too"

    remove_ben()
    driver.do(Sit, "cyd", seat=1, name="Cyd")
    driver.do(Leave, "cyd", seat=1)
    driver.do(Readmit)
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.do(Start)
    remove_ben()
    driver.do(GiveUp)
    driver.do(Sit, "ben", seat=1, name="Ben")
    assert driver.table.seats[1].name == "Ben"


async def test_the_owner_alone_is_told_how_many_were_removed():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("friend")])
    driver.do(Sit, "ben", seat=1, name="Ben")
    driver.do(Remove, seat=1)
    live, ears = live_of(driver, Disk(), Clock()), [Ear("ann"), Ear("ben"), Ear("ann", watching=True)]
    for ear in ears:
        await live.join(ear, 0)
    assert [ear.heard[0].removed for ear in ears] == [1, 0, 0]


def test_an_owner_who_removes_their_own_second_seat_may_sit_there_again():
    driver = TableDriver(seats=[wish("me", "Ann"), wish("here", "Bea"), wish("friend")])
    driver.do(Sit, "ben", seat=2, name="Ben")
    for seat in (1, 2):
        driver.do(Remove, seat=seat)
    assert driver.table.removed == {"ben"}
    driver.do(Sit, seat=1, name="Bea")
