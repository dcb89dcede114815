"""What the server logs: one object a line, nothing that is anyone's secret, and never so that a game waits for it."""

import ast
import hashlib
import json
import logging
import os
import re
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from served import COMPUTER, FRIEND, ME, Browser, play_on
from test_server_run import is_up, running

import mulligan
from mulligan.server import log as logs
from mulligan.server.log import RareLog, log, logging_to, reason
from mulligan.server.web.config import Config

pytestmark = pytest.mark.long


@contextmanager
def lines(form):
    """What is logged meanwhile, once it is over, through a pipe."""
    reading, writing = os.pipe()
    found = []
    try:
        with logging_to(writing, form):
            yield found
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            found += pipe.read().decode().splitlines()
    finally:
        assert logging.getLogger("mulligan").level == logging.NOTSET


def test_a_line_is_one_object_with_when_how_grave_and_what_first():
    with lines("json") as found:
        log.info("table_opened", table="WATCHWXZ", seats=3)
        logging.getLogger("uvicorn.error").error("Something %s\nin two lines", "odd")
        logging.getLogger("asyncio").info("too much detail")
    first, second = map(json.loads, found)
    assert list(first) == ["time", "level", "event", "table", "seats"]
    assert (first["level"], first["event"], first["table"], first["seats"]) == ("info", "table_opened", "WATCHWXZ", 3)
    when = datetime.fromisoformat(first["time"])
    assert abs((datetime.now(UTC) - when).total_seconds()) < 60
    assert first["time"].endswith("Z")
    assert (second["level"], second["event"]) == ("error", "Something odd\nin two lines")


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_traceback_shows_the_place_and_no_values(form):
    def fail(token):
        raise RuntimeError("no good")

    with lines(form) as found:
        try:
            fail("a secret " + "token")
        except RuntimeError as error:
            log.error("request_failed", route="/api/tables", exc_info=error)
    text = "\n".join(found)
    assert "RuntimeError: no good" in text
    assert "in fail" in text
    assert "a secret token" not in text
    if form == "json":
        (line,) = found
        assert json.loads(line)["level"] == "error"


def test_people_read_lines_with_the_time_of_day():
    with lines("text") as found:
        log.info("table_opened", table="WATCHWXZ")
    assert re.fullmatch(r"\d\d:\d\d:\d\d \[info +\] table_opened +table=WATCHWXZ", found[0])


def test_odd_letters_are_written_and_break_nothing():
    with lines("json") as found:
        log.info("odd", what="ü \N{SNOWMAN} \ud800 \x1b[2J \u2028", thing=object)
    assert json.loads(found[0])["what"].startswith("ü \N{SNOWMAN} ")
    assert "\x1b" not in found[0]


def test_what_happens_very_often_is_said_seldom(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(logs.time, "monotonic", lambda: now[0])
    rare = RareLog()
    with lines("json") as found:
        for second in range(150):
            now[0] = float(second)
            rare.say("refused", "too_fast")
        rare.say("refused", "too_many")
    said = [(line["why"], line["times"]) for line in map(json.loads, found)]
    assert said == [("too_fast", 1), ("too_fast", 60), ("too_fast", 60), ("too_many", 1)]


def test_a_log_nobody_reads_holds_up_nobody_and_does_not_keep_the_server_from_ending():
    program = """
import os
from mulligan.server import log
reading, writing = os.pipe()
with log.logging_to(writing, "json"):
    for number in range(20_000):
        log.log.info("much", number=number, text="x" * 200)
    assert log.logging.getLogger().handlers[0].waiting.full()
print("through")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "through\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
def test_a_game_leaves_lines_of_its_matches_and_nothing_that_is_secret(tmp_path):
    with running(tmp_path) as (process, ann):
        codes = ann.open({**ME, "name": "Annabel"}, FRIEND, COMPUTER)
        ben = Browser(ann.config)
        with ann.at(codes["table"]) as table, ben.at(codes["table"]) as other:
            table.do("SetOptions", options={"chat": True, "pace": "instant", "holes": 3})
            other.do("Sit", seat=1, name="Benedict")
            table.do("Chat", seat=0, text="Marzipan for everyone")
            seeds, key = ["0123456789abcdef" * 2], "fedcba9876543210" * 2
            table.do("AddSeed", seat=0, seed=seeds[0])
            assert table.do("Offer", key=key)["is"] == "Accepted"
            table.do("Start")
            for _ in range(100):
                table.socket.send("{")
            assert table.hear_the_end() == 4003
        with ann.at(codes["table"]) as table, ben.at(codes["table"]) as other:
            other.welcome["you"] = [1]
            play_on(table, other)
            table.do("Rematch")
            other.do("Rematch")
            table.do("GiveUp")
        ann.http.get("/api/tables/nonsense", headers={"host": "evil.example"})
        with pytest.raises(AssertionError):
            Browser(ann.config).open({**ME, "name": ""})
        shuffles = ann.http.get(f"/api/games/{codes['watch']}-1/shuffles").json()["shuffles"]
        process.terminate()
        _, logged = process.communicate(timeout=20)
    found = [json.loads(line) for line in logged.splitlines()]
    events = [line["event"] for line in found]
    assert events[0] == "started"
    assert events[-2:] == ["closing", "closed"]
    matches = [line["event"] for line in found if line["event"].startswith(("table_", "match_"))]
    assert matches == ["table_opened", "match_started", "match_over", "match_started", "match_given_up"]
    assert all(line["table"] == codes["watch"] for line in found if line["event"].startswith(("table_", "match_")))
    assert events.count("flood_ended") == 1
    assert "refused" in events
    tokens = [browser.http.cookies["mulligan_guest"] for browser in (ann, ben)]
    secret = [codes["table"], "Annabel", "Benedict", "Marzipan", "127.0.0.1:", key, *seeds, *tokens]
    secret += [hashlib.sha256(token.encode()).hexdigest() for token in tokens]
    secret += [shuffle["seed"] for shuffle in shuffles] + [shuffle["commitment"] for shuffle in shuffles]
    without_address = "\n".join(line for line in logged.splitlines() if '"started"' not in line)
    for text in secret:
        assert text not in without_address
    assert "evil.example" not in logged


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
def test_with_json_asked_for_there_is_nothing_but_json(tmp_path):
    command = [sys.executable, "-m", "mulligan", "serve", "--port", "0", "--data", str(tmp_path), "--log", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = json.loads(process.stderr.readline())["address"]
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+", address)
            while not is_up(Browser(Config("127.0.0.1", int(address.rpartition(":")[2]), tmp_path))):
                time.sleep(0.05)
            process.terminate()
            said, logged = process.communicate(timeout=20)
        finally:
            process.kill()
    assert said == ""
    assert [json.loads(line)["event"] for line in logged.splitlines()] == ["closing", "closed"]


# The pages for those who run a server

ROOT = Path(__file__).parents[2]
PAGES = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("operations.md", "server-reference.md")]


def test_the_page_names_every_event_and_no_other():
    source = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "src/mulligan/server").rglob("*.py"))
    logs = r"log\.(?:info|warning|error)\(|log_rarely\(|LatestAnswers\(\w+, \w+,"
    logged = set(re.findall(rf'\b(?:{logs})\s*"(\w+)"', source))
    (table,) = re.findall(r"\| event \| level \| with \|\n(.*?)\n\n", PAGES[1], re.S)
    named = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named == logged


@pytest.mark.parametrize("command", ["serve", "backup"])
def test_the_page_names_only_options_there_are(command):
    words = [sys.executable, "-m", "mulligan", command, "--help"]
    told = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout
    lines = [line for page in PAGES for line in page.splitlines() if f"mulligan {command} " in line]
    options = {option for line in lines for option in re.findall(r"(?<!\S)--[a-z-]+", line)}
    assert options
    assert {option for option in options if option not in told} == set()


def test_a_failure_without_a_text_is_logged_by_its_name():
    assert reason(TimeoutError()) == "TimeoutError"
    assert reason(OSError(28, "No space left on device")) == "[Errno 28] No space left on device"
    assert reason(ValueError("two\nlines")) == "two lines"


def test_no_line_of_the_log_takes_the_bare_text_of_an_error():
    """It may be empty."""
    found = []
    for file in sorted((Path(mulligan.__file__).parent / "server").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[0] in ("log", "log_rarely"):
                bare = re.search(r"str\((error|failure)\)|\{(error|failure)\}", ast.unparse(node))
                found += [f"{file.name}:{node.lineno}"] if bare else []
    assert found == []
