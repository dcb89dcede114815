"""Whatever a file holds, the referee answers in one clear sentence."""

import io
import json
from copy import deepcopy
from functools import cache

import pytest
from test_damage import must_be_a_sentence

from mulligan import simulation
from mulligan.game import referee, variants


@cache
def line() -> bytes:
    """One good record, as its line in a file."""
    record = next(simulation.records(variants.load("play_nine"), 2, ["greedy"], 3, 1))
    return json.dumps(record).encode()


def record() -> dict:
    return json.loads(line())


def referee_file(content: bytes) -> int:
    """How many records a file holds, all of them good."""
    return sum(1 for _, record in referee.read_records(io.BytesIO(content)) if referee.replay(record))


def fault_in(content: bytes) -> str:
    with pytest.raises(referee.Fault) as caught:
        referee_file(content)
    sentence = str(caught.value)
    must_be_a_sentence(sentence)
    return sentence


def test_good_files_are_good():
    assert referee_file(line()) == 1
    assert referee_file(line() + b"\n") == 1
    assert referee_file(line() + b"\r\n\n   \n" + line() + b"\n") == 2
    assert referee_file(b"") == 0


def test_the_line_is_named():
    assert fault_in(line() + b"\n\n{}").startswith(("line 3: ", "format"))
    assert fault_in(line() + b"\n\n{").startswith("line 3: ")


NOT_RECORDS = {
    "a word": b"hello",
    "a number": b"17",
    "a list": b"[1, 2]",
    "nothing": b"null",
    "a text": b'"record"',
    "an open brace": b"{",
    "two on one line": b"{} {}",
    "single quotes": b"{'format': 1}",
    "a trailing comma": b'{"format": 1,}',
    "a comment": b'{"format": 1} // mine',
    "an unfinished text": b'{"format": "1',
    "UTF-16": '{"format": 1}'.encode("utf-16"),
    "Latin-1": '{"players": ["Zoé"]}'.encode("latin-1"),
    "half a character": b'{"players": ["Zo\xc3',
    "an encoded surrogate": b'{"players": ["\xed\xa0\x80"]}',
    "zero bytes": bytes(1000),
    "all bytes": bytes(range(256)) * 40,
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "a raw control character": b'{"players": ["\x07"]}',
    "a thousand open brackets": b"[" * 1_000,
    "10,000 nested brackets": b"[" * 10_000 + b"]" * 10_000,
    "10,000 nested braces": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "nested brackets in a record": b'{"format": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a number of 100,000 digits": b'{"format": ' + b"1" * 100_000 + b"}",
    "NaN": b'{"format": NaN}',
    "Infinity": b'{"format": Infinity}',
    "-Infinity": b'{"format": -Infinity}',
    "a key twice": b'{"format": 1, "format": 1}',
    "a key twice, deep down": b'{"format": 1, "holes": [{"dealer": 1, "dealer": 1}]}',
    "megabytes on one line": b'{"format": 1, "game": "' + b"x" * 5_000_000 + b'"}',
    "megabytes of spaces": b" " * 5_000_000 + b"{}",
    "megabytes without a line's end": b"x" * 9_000_000,
    "a gap in a text": b'{"format": "\n"}',
}


@pytest.mark.parametrize("what", NOT_RECORDS)
def test_what_is_no_record_is_refused_with_its_line(what):
    assert fault_in(NOT_RECORDS[what]).startswith("line 1: ")
    assert fault_in(line() + b"\n" + NOT_RECORDS[what]).startswith("line 2: ")


@pytest.mark.parametrize("cut", [1, 10, 60, 200, 1000, -200, -20, -2, -1])
def test_a_truncated_line_is_refused(cut):
    assert fault_in(line()[:cut]).startswith("line 1: ")


HOSTILE_VALUES = {
    "nothing": None,
    "true": True,
    "a fraction": 1.5,
    "one as a fraction": 1.0,
    "a number of 4,000 digits": 10**4000,
    "minus that": -(10**4000),
    "a huge power": 1e308,
    "an empty text": "",
    "a megabyte of text": "x" * 1_000_000,
    "a lone surrogate": "\ud800",
    "surrogates the wrong way round": "\udc00\ud800",
    "a terminal's escape": "\x1b[2J\x1b[31m",
    "lines": "a\nb\r\nc",
    "right to left": "\u202eabc",
    "a zero": "\0",
    "a percent": "%s%n{0}{name}",
    "an Arabic digit": "\u0663",
    "a full-width digit": "\uff17",
    "an empty list": [],
    "an empty object": {},
    "a long list": [0] * 100_000,
    "deep lists": json.loads("[" * 400 + "]" * 400),
    "deep objects": json.loads('{"a":' * 400 + "1" + "}" * 400),
}
STRANGE_NAMES = ("", "%s%n{0}{name}", "\u0663", "\uff17")
PLACES = [
    ("format",), ("game",), ("players",), ("players", 0), ("holes",), ("holes", 0), ("holes", 0, "dealer"),
    ("holes", 0, "seats"), ("holes", 0, "seats", 0), ("holes", 0, "first_discard"), ("holes", 0, "moves"),
    ("holes", 0, "moves", 0), ("holes", 0, "moves", 7), ("holes", 0, "reveal"), ("holes", 0, "reveal", "0"),
    ("holes", 0, "reveal", "0", 0), ("holes", 0, "points"), ("holes", 0, "points", 1), ("totals",), ("totals", 0),
    ("winners",), ("winners", 0), ("holes", 8),
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES, ids=lambda place: ".".join(map(str, place)))
@pytest.mark.parametrize("what", HOSTILE_VALUES)
def test_hostile_values_are_refused_wherever_they_stand(what, place):
    damaged = record()
    damaged["holes"][0]["reveal"].setdefault("0", ["a1=4"])
    *path, key = place
    owner = damaged
    for step in path:
        owner = owner[step]
    owner[key] = HOSTILE_VALUES[what]
    if place == ("players", 0) and owner[key] in STRANGE_NAMES:
        return
    if place == ("holes", 0, "reveal", "0") and what == "an empty list":
        return  # nothing is told of a player who has nothing face down
    with pytest.raises(referee.Fault) as caught:
        referee.replay(damaged)
    must_be_a_sentence(str(caught.value))


@pytest.mark.parametrize("name", STRANGE_NAMES, ids=ascii)
def test_strange_names_are_names_and_faults_still_sentences(name):
    damaged = record()
    damaged["players"] = [name, name]
    assert referee.replay(damaged).players == [name, name]
    for move in ("a1=4", "D3-", "S3-", "S3>a1xH"):
        for at in (0, 5, 10):
            broken = deepcopy(damaged)
            broken["holes"][0]["moves"][at:at] = [move, move]
            with pytest.raises(referee.Fault) as caught:
                referee.replay(broken)
            must_be_a_sentence(str(caught.value))


@pytest.mark.parametrize("key", ["9" * 5000, "\ud800", "\x1b[2J", "0\n", "٠", "-1", " 0", "00", "0x0", "a" * 10**6])
def test_hostile_keys_in_the_reveal_are_refused(key):
    damaged = record()
    damaged["holes"][0]["reveal"][key] = ["a1=4"]
    with pytest.raises(referee.Fault) as caught:
        referee.replay(damaged)
    must_be_a_sentence(str(caught.value))


@pytest.mark.long
@pytest.mark.parametrize("place", ["game", "format", "holes", "totals", "winners"])
def test_no_depth_of_nesting_escapes(place):
    """Whatever can just be read must not be too deep to be quoted."""
    key = f'"{place}": '.encode()
    start = line().index(key)
    for depth in (*range(10, 800, 79), *range(800, 1010)):
        fault_in(line()[:start] + key + b"[" * depth + b"]" * depth + b', "x' + line()[start + 1 :])


def test_unknown_fields_are_ignored():
    more = record() | {"seed": 10**40, "times": [[1]] * 3}
    more["holes"][3]["note"] = {"a": None}
    assert referee.replay(more).is_over
