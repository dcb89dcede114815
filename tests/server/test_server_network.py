"""Whole games on a bad network: lines that drop, freeze and break, letters that come late, twice or never."""

import asyncio
import json
import random
import sys
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "torture"))

import pytest
from ledger import Reading, check_all
from parties import Alive, check_records, invite_all
from people import QUICK
from postman import Postman
from proxy import TROUBLES, USUAL_FAULTS, Proxy
from served import FRIEND, HERE, ME, ON_POSTGRES, store_in
from websockets.exceptions import ConnectionClosed

pytestmark = pytest.mark.long
LONGEST = 120.0  # seconds for everyone to finish a match
CURIOUS = replace(QUICK, silence=0.05)  # asks soon: a letter to be swapped is held back until the next one


async def play_through(server, through, seed, **more):
    """Three tables play a match each by way of that port; the faults, and how many games there were."""
    parties = await invite_all(server.port, random.Random(seed), through=through, think=0.003, **more)
    async with Alive(parties) as alive:
        await alive.until_over(parties, LONGEST)
        games = sum([await check_records(server.port, party) for party in parties])

    def compare():  # in a thread, as a server asks a database
        with closing(store_in(server.data)) if ON_POSTGRES else nullcontext(Reading(server.data)) as store:
            return check_all([party.ledger for party in parties], store)

    faults = await asyncio.to_thread(compare)
    for party in parties:
        views = {json.dumps(strip(person.view), sort_keys=True) for person in party.players}
        faults += [f"table {party.ledger.code} ends differently for its players"] * (len(views) > 1)
    return faults, games


def strip(view):
    """Who is connected differs with the moment."""
    return view | {"seats": [seat | {"present": None} for seat in view["seats"]]}


def test_whole_games_on_a_foul_network_end_as_the_log_says(server):
    async def play():
        async with Proxy(server.port, seed=5, network_faults=USUAL_FAULTS) as proxy:
            return *await play_through(server, proxy.port, 5), proxy.met

    faults, games, met = asyncio.run(play())
    print(dict(met))
    assert faults == []
    assert games == 3
    assert set(met) >= set(TROUBLES)  # there was trouble of every kind


def test_letters_that_come_twice_late_swapped_or_never_do_no_harm(server):
    async def play():
        async with Postman(server.port, seed=6) as postman:
            return *await play_through(server, postman.port, 6, patience=CURIOUS, in_order=False), postman.did

    faults, games, did = asyncio.run(play())
    print(dict(did))
    assert faults == []
    assert games == 3
    assert set(did) >= {"broke", "lost", "swapped", "doubled", "late"}


def test_what_was_refused_does_not_happen_when_it_comes_again_late(ann, ben):
    codes = ann.open(ME, FRIEND)
    with ann.at(codes["table"]) as table, ben.at(codes["table"], tab="old") as other:
        other.do("Sit", seat=1, name="Ben")
        table.do("Start")
        assert other.do("Play", "late", seat=1, move="a1")["error"] == "not_now"
        table.do("NextHole")
        other.wait_for(lambda view: view["phase"] == "tee_off")
        if other.view["turn"] == 0:
            table.do("Play", seat=0, move="b2")
            table.do("Play", seat=0, move="a1")
            other.wait_for(lambda view: view["turn"] == 1)
        event = other.event
        assert other.do("Play", "late", seat=1, move="a1")["error"] == "not_now"
        assert other.event == event
        assert other.do("Play", seat=1, move="a1")["is"] == "Accepted"


def test_a_socket_that_was_replaced_has_no_say_any_more(ann):
    """Its last words arrive after those of the new one, which gave the same command again."""
    codes = ann.open(ME, HERE)
    with ann.at(codes["table"], tab="one") as old:
        old.do("Start")
        old.do("NextHole")
        turn = old.view["turn"]
        with ann.at(codes["table"], tab="one") as new:
            assert new.do("Play", "again", seat=turn, move="a1")["is"] == "Accepted"
            event = new.event
            with suppress(ConnectionClosed):
                old.say("Play", id="again", seat=turn, move="a1")
                old.say("Play", id="late", seat=turn, move="b2")
            assert old.hear_the_end() == 4001
            assert [message for message in old.heard if message.get("id") in ("again", "late")] == []
            new.say("Ping", n=3)
            new.hear("Pong")
            assert new.event == event
