"""Whatever comes in on a socket: it is answered or refused with a code, and the table goes on for the others."""

import asyncio
import json
import logging
import math
from contextlib import suppress
from itertools import count
from types import SimpleNamespace
from typing import get_args
from unittest.mock import AsyncMock

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from served import COMPUTER, FRIEND, ME
from tables import TableDriver, people, wish
from test_server_live_table import NO_SEEDS, Disk, Ear

from mulligan.engine.chance import many_dice
from mulligan.server.limits import Buckets
from mulligan.server.rooms.live_table import LiveTable
from mulligan.server.table.log_entries import decode, encode
from mulligan.server.table.table import Table
from mulligan.server.table.view import view
from mulligan.server.web import sockets
from mulligan.server.web.accounts import COOKIE, name_of
from mulligan.server.wire.base import ERRORS, PHRASES, REACTIONS, WIRE_VERSION
from mulligan.server.wire.commands import ClientMessage
from mulligan.server.wire.replies import Accepted, Refused, ServerMessage, Welcome

KINDS = get_args(ClientMessage)
TOKEN = "t" * 32
ANN = name_of(TOKEN)
CODES = {1000, 1001, 1011, 1013, *range(4001, 4008)}

read_answer = msgspec.json.Decoder(ServerMessage).decode


# Tables in every phase, where Ann holds all seats but one


def logs_by_phase():
    """The logs of one table in each of its phases, by the name of the phase."""
    with_a_place = TableDriver(seats=[wish("me", "Ann"), wish("here", "Bea"), wish("friend")], seed=3)
    logs = {"open": list(with_a_place.log)}
    driver = TableDriver(seats=people(3), seed=3)
    for phase in ("lobby", "draw", "tee_off", "take", "place", "flip", "hole_over", "over"):
        for _ in range(10_000):
            if driver.table.phase == phase:
                break
            driver.go_on()
        logs[phase] = list(driver.log)
    return logs


LOGS = {}


def table_in(phase):
    """A fresh table in that phase. The owner is the guest of our token."""
    LOGS.update(LOGS or {name: [encode(entry) for entry in log] for name, log in logs_by_phase().items()})
    return Table(decode(entry.replace(b'"ann"', json.dumps(ANN).encode())) for entry in LOGS[phase])


class Socket:
    """What uvicorn would hand to `live.serve`, with everything the client says already said."""

    def __init__(self, said):
        self.said = list(said)
        self.heard = []
        self.code = None
        self.scope = {"path": "/ws/t/BCDFGHJKL", "scheme": "ws", "client": None}
        self.scope["headers"] = [(b"cookie", f"{COOKIE}={TOKEN}".encode())]

    async def receive(self):
        await asyncio.sleep(0)
        if not self.said:
            return {"type": "websocket.disconnect", "code": 1005}
        said = self.said.pop(0)
        return {"type": "websocket.receive", "text" if isinstance(said, str) else "bytes": said}

    async def send(self, event):
        if event["type"] == "websocket.send":
            self.heard.append(read_answer(event["text"]))
        elif event["type"] == "websocket.close":
            self.code = event["code"]


async def never(_):
    await asyncio.Event().wait()


def converse(said, phase="take"):
    """Says all that at a table in that phase; returns the socket and the table, after some things that must hold."""

    async def story():
        table = table_in(phase)
        disk, other = Disk(), Ear("ben")
        live = LiveTable(table, disk, lambda: bytes(32), many_dice(1, 1)[0], lambda: 1e9, NO_SEEDS, never)
        registry = SimpleNamespace(
            is_warm=asyncio.Event(),
            put_away_later=lambda live: None,
            guest_of=AsyncMock(side_effect=lambda device: device),
            find=AsyncMock(return_value="BCDFGHJKL"),
            live_table=AsyncMock(return_value=live),
            compare=lambda *_: None,
            metrics=live.metrics,
            bans=(),
            announcement="",
        )
        registry.is_warm.set()
        await live.join(other, 0)
        socket = Socket([None, *said])
        shared = Buckets(math.inf, math.inf)
        await asyncio.wait_for(sockets.serve(socket.scope, socket.receive, socket.send, registry, shared, shared), 20)
        assert socket.code in CODES
        assert other.closed is None or table.link != "BCDFGHJKL", "another player was removed"
        assert not live.is_broken
        for message in socket.heard:
            assert not isinstance(message, Refused) or message.error in ERRORS
            assert not isinstance(message, Refused) or message.error != "server_fault"
        # the log alone makes the same table
        log = [decode(entry.replace(b'"ann"', json.dumps(ANN).encode())) for entry in LOGS[phase]]
        again = Table(log + [decode(entry) for entry in disk.kept])
        assert (again.event, view(again)) == (table.event, view(table))
        # and the other goes on being served
        other.heard.clear()
        await live.join_again(other, 0)
        assert isinstance(other.heard[0], Welcome)
        live.rest()
        return socket, table

    return asyncio.run(story())


HELLO = json.dumps({"is": "Hello", "client_version": WIRE_VERSION})


# What Hypothesis says

huge = st.sampled_from([2**31, 2**53, 2**63, -(2**63) - 1, 2**64, 10**30, 10**400, -1, -(10**100)])
numbers = st.integers() | huge | st.floats()
texts = st.text(max_size=40) | st.sampled_from(["", "\0", "\ud800", "\udfff\ud800", "a" * 3000, "‮x", "é" * 50, "{}"])
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
PLAUSIBLE = {
    "seat": st.integers(-2, 4),
    "move": st.sampled_from(["a1", "b2", "d2", "S", "D", "-", ".", "e9", ""]),
    "name": st.sampled_from(["Ann", "Zoe", "  ", "x" * 30, "👨‍👩‍👧", "Z̸̢̛͕̻͓"]),
    "phrase": st.sampled_from(PHRASES),
    "reaction": st.sampled_from(REACTIONS),
    "text": st.sampled_from(["hi", "", "x" * 300]),
    "player": st.sampled_from(["", "greedy", "random", "god"]),
    "fill": st.sampled_from(["", "greedy", "nobody"]),
    "seed": st.sampled_from(["0" * 32, "f" * 32, "F" * 32, "x", "0" * 33]),
    "commitment": st.sampled_from(["", "0" * 64, "x" * 2000]),
    "key": st.sampled_from(["0" * 32, "1" * 32, "", "é" * 32]),
    "options": st.sampled_from([{}, {"chat": True}, {"tempo": "quick"}, {"pace": "warp"}, {"chat": 1}, []]),
    "game": st.sampled_from(["play_nine", "nine_card", "", "../x", "x" * 100]),
    "house_rules": st.sampled_from([{}, {"jokers": -5}, {"jokers": 99}, {"x": "y"}, {"": 10**30}, []]),
    "holes": st.sampled_from([0, 1, 9, 2, -1]),
    "renew": st.booleans(),
    "watch": st.booleans(),
    "yes": st.booleans(),
    "knock": st.integers(-1, 9) | st.sampled_from([2**63]),
    "client_version": st.just(WIRE_VERSION),
    "last_event": st.integers(-1, 300),
    "tab": st.sampled_from(["", "one", "x" * 2000]),
    "id": st.integers(0, 10**6).map(str) | st.sampled_from(["1", "x" * 41, ""]),  # what was refused once stays refused
    "n": st.integers(),
    "visible": st.booleans(),
}


@st.composite
def objects(draw):
    """Something that looks more or less like a message."""
    kind = draw(st.sampled_from(KINDS))
    message = {"is": kind.__name__}
    for field in msgspec.structs.fields(kind):
        choice = draw(st.integers(0, 9))
        if choice == 0:
            message[field.name] = draw(values)
        elif choice > 1:
            message[field.name] = draw(PLAUSIBLE[field.name])
    if draw(st.integers(0, 9)) == 0:
        message[draw(texts)] = draw(values)
    if draw(st.integers(0, 19)) == 0:
        message["is"] = draw(
            values | st.sampled_from(["Welcome", "Step", "Held", "Secret", "Opened", "Command", "play"])
        )
    return message


@st.composite
def frames(draw):
    """Its bytes, or its text; now and then cut, doubled or spoilt."""
    text = json.dumps(draw(objects()), ensure_ascii=draw(st.booleans()))
    data = text.encode("utf-8", "surrogatepass")[: sockets.LARGEST]
    spoil = draw(st.integers(0, 11))
    place = draw(st.integers(0, len(data)))
    if spoil == 0:
        data = data[:place]
    elif spoil == 1:
        data = data[:place] + draw(st.binary(min_size=1, max_size=4)) + data[place:]
    elif spoil == 2:
        data += data
    elif spoil == 3:
        data = draw(st.binary(max_size=60))
    if draw(st.booleans()):
        try:
            return data.decode()
        except UnicodeDecodeError:
            return data
    return data


@pytest.mark.long
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    said=st.lists(frames(), max_size=12),
    phase=st.sampled_from(["open", "draw", "tee_off", "place", "flip", "hole_over", "over"]),
)
def test_whatever_is_said_is_answered_and_the_table_goes_on(said, phase):
    converse([HELLO, *said], phase)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(said=st.lists(frames(), min_size=1, max_size=3))
def test_whatever_is_said_first(said):
    converse(said, "tee_off")


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(data=frames() | st.binary(max_size=200))
def test_the_decoder_knows_no_other_way_to_fail(data):
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    try:
        message = sockets.read(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return
    assert type(message) in KINDS
    assert sockets.read(sockets.write(message)) == message


def test_every_field_of_every_message_was_thought_of():
    assert {field.name for kind in KINDS for field in msgspec.structs.fields(kind)} <= set(PLAUSIBLE)


# What is known to be nasty


def good(kind):
    """A message of that kind in which nothing is wrong."""
    best = {"id": "1", "seat": 0, "name": "Zoe", "move": "S", "phrase": "nice", "reaction": "clap", "text": "hi"}
    best |= {"player": "greedy", "fill": "", "seed": "0" * 32, "key": "0" * 32, "options": {}, "tab": "t", "n": 1}
    best |= {"client_version": WIRE_VERSION, "last_event": 0, "commitment": ""}
    best |= {"game": "nine_card", "house_rules": {}, "holes": 0}
    best |= {"renew": False, "watch": False, "yes": True, "knock": 1}
    best |= {"visible": True}
    return {"is": kind.__name__} | {field.name: best[field.name] for field in msgspec.structs.fields(kind)}


WRONG = [
    "null",
    "true",
    "[]",
    "{}",
    '"x"',
    "1.5",
    "1e400",
    "-1e400",
    "NaN",
    "-Infinity",
    "-1",
    str(2**63),
    "1" + "0" * 4000,
]
WRONG += [
    '"\\ud800"',
    '"\\u0000"',
    "[" * 1000 + "]" * 1000,
    '{"a":' * 500 + "1" + "}" * 500,
    '"' + "x" * 3800 + '"',
    "00",
    "+1",
]


def nasty(kind):
    """The message spoilt in every way, field by field, each under an id of its own."""
    numbers = count()

    def whole():
        message = good(kind)
        return message | {"id": f"n{next(numbers)}"} if "id" in message else message

    for name in good(kind):
        for wrong in WRONG:
            rest = {key: value for key, value in whole().items() if key != name}
            yield json.dumps(rest)[:-1] + f', "{name}": {wrong}}}'
        yield json.dumps({key: value for key, value in whole().items() if key != name})
        yield json.dumps(whole())[:-1] + f', "{name}": {json.dumps(good(kind)[name])}}}'  # twice
    yield json.dumps(whole() | {"guest": "ben", "owner": True, "__proto__": {}, "is_public": False})
    yield json.dumps(list(whole().values()))
    yield json.dumps(whole()).replace('"is"', '"Is"')


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_message_spoilt_in_every_way(kind):
    said = [text[: sockets.LARGEST] for text in nasty(kind)]
    for start in range(0, len(said), 30):
        some = said[start : start + 30]
        for form in (str, str.encode):
            socket, _ = converse([HELLO, *map(form, some)], "take")
            answered = [message for message in socket.heard if isinstance(message, Refused | Accepted)]
            assert answered or kind.__name__ in ("Ping", "Hello")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        b"\xff\xfe\xfd",
        b"\xef\xbb\xbf{}",
        b"\xc0\xaf",
        b"\xed\xa0\x80",
        b'{"is":"Say","id":"\xed\xa0\x80","seat":0,"phrase":"nice"}',
        b'{"is":"Say","id":"\xc0\x80","seat":0,"phrase":"nice"}',
        b'{"is":"Say","id":"\xf5\x80\x80\x80","seat":0,"phrase":"nice"}',
        b'{"is":"Say","id":"\\ud83d","seat":0,"phrase":"nice"}',
        b'{"is":"Sit","id":"1","seat":2,"name":"\\u0000\\u202e\\ud800"}',
        b"[" * 4096,
        b'{"a":' * 800,
        b'"' * 4096,
        b"1" * 4096,
        b'{"is":' + b"9" * 4000 + b"}",
        b"nan",
        b'{"is":"Ping","n":1}{"is":"Ping","n":2}',
        b"{",
        b"null",
        b"[]",
        b'"Hello"',
        b'{"is":"Cheat"}',
        b'{"is":"Play","id":1}',
        b"\0\xef\xbf\xbd",
        b'{"is":[]}',
    ],
)
def test_what_is_no_message_is_garbage_as_bytes_and_as_text(data):
    forms = [data]
    with suppress(UnicodeDecodeError):
        forms.append(data.decode())
    for said in forms:
        socket, _ = converse([HELLO, said])
        assert [message.error for message in socket.heard if isinstance(message, Refused)] == ["garbage"]


@pytest.mark.parametrize(
    "data",
    [
        b'{"is":"Chat","id":"c1","seat":0,"text":"\\ud83d"}',
        b'{"is":"Sit","seat":1,"name":"\\ud83d","id" : "c1"}',
        b'{"is":"Chat","seat":0,"text":"\\"id\\":\\"c2\\" \xff","id":"c1"}',
        b'{"is":"SetOptions","id":"c1","options":{"tempo":"zzz"}}',
        b'{"is":"AddSeed","id":"c1","seat":"one","seed":7}',
    ],
)
def test_a_command_that_makes_no_sense_is_refused_under_its_id(data):
    socket, _ = converse([HELLO, data])
    assert [(message.id, message.error) for message in socket.heard if isinstance(message, Refused)] == [
        ("c1", "garbage")
    ]


def test_hello_again_and_again_and_not_at_all():
    socket, _ = converse([HELLO] * 20)
    assert sum(isinstance(message, Welcome) for message in socket.heard) == 20
    socket, _ = converse([json.dumps(good(kind)) for kind in KINDS if kind.__name__ != "Hello"])
    assert [message.error for message in socket.heard] == ["hello_first"]
    assert socket.code == sockets.OLD_CLIENT
    for version in (0, -1, 10**400, WIRE_VERSION + 1):
        socket, _ = converse([json.dumps({"is": "Hello", "client_version": version})])
        assert [message.error for message in socket.heard] == ["old_client"]


def test_a_fault_of_ours_costs_nobody_the_table(monkeypatch, caplog):
    """What should never happen has happened in memory alone: the table is to be read again from disk."""

    def stumble(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("mulligan.server.rooms.live_table.do", stumble)

    async def story():
        live = LiveTable(table_in("take"), Disk(), lambda: bytes(32), many_dice(1, 1)[0], lambda: 1e9, NO_SEEDS, never)
        other = Ear("ben")
        await live.join(other, 0)
        await live.command(other, good_command())
        assert other.heard[-1].error == "server_fault"
        await asyncio.sleep(0)
        assert live.is_broken
        assert other.closed == 1011

    asyncio.run(story())
    assert "ZeroDivisionError" in caplog.text


def good_command():
    return sockets.read(b'{"is":"Play","id":"1","seat":0,"move":"S"}')


# The same against a real server


def test_a_real_server_bears_the_same_and_says_nothing_of_itself(ann, ben, caplog):
    codes = ann.open(ME, FRIEND, COMPUTER)
    with ben.at(codes["table"]) as other:
        assert other.do("Sit", seat=1, name="Ben")["is"] == "Accepted"
        heard = []
        for kind in KINDS:
            said = list(nasty(kind))[::7]
            for start in range(0, len(said), 40):
                with ann.at(codes["table"]) as table:
                    for number, text in enumerate(said[start : start + 40]):
                        table.socket.send(text[: sockets.LARGEST] if number % 2 else text.encode()[: sockets.LARGEST])
                    table.say("Ping", n=77)
                    while table.hear("Pong", "Refused") != {"is": "Pong", "n": 77}:
                        heard.append(table.heard[-1])
        assert {message["error"] for message in heard if message["is"] == "Refused"} <= set(ERRORS) - {"server_fault"}
        assert not any(word in json.dumps(heard) for word in ("Traceback", "site-packages", "mulligan/", "0x7f"))
        assert other.do("Say", seat=1, phrase="hello")["is"] == "Accepted"
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
