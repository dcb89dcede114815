"""Nothing that the server sends depends on a card that is not face up.

Two whole servers live through the same driver, in virtual time and from the same seeds. With every
deal and before every step the cards nobody has seen are laid out anew in the second one: in any order, as
long as what the step shows is the same. All bytes that leave the two must be equal, and leave at the same
moment: to every seat and spectator, over HTTP, into the log, onto the disk, and to the computer players.
At last a step shows another card in the second world, and then that card alone may differ.
"""

import json
import logging
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parents[1] / "worlds"))

from disk import Disk
from sites import Application, Site
from timeline import Timeline
from worlds import short_games, take_games_from

from mulligan.engine.state import HIDDEN
from mulligan.server import bots
from mulligan.server import log as logs
from mulligan.server.table.log_entries import Secret, decode
from mulligan.server.table.pack import Seal
from mulligan.server.web.accounts import name_of
from mulligan.server.wire import base, events
from mulligan.server.wire.events import Dealt, Revealed, Unsealed
from mulligan.server.wire.view import Step

pytestmark = pytest.mark.long

GAMES = ("mini_columns", "mini_rows", "play_nine", "nine_card")
SEATS = [("me", "Ann", ""), ("friend", "", ""), ("computer", "", "greedy"), ("here", "Ada", "")]
GUESTS = ("ann", "ben", "cyd", "eve")  # ann opens the table, ben joins it, cyd only looks in, eve watches
PATHS = (
    "/api/tables/{code}", "/api/tables/{code}/qr.svg", "/api/health", "/api/facts", "/api/frequencies",
    "/api/games/{watch}-1/shuffles", "/api/games/{watch}-2/shuffles", "/api/games/{watch}-1", "/api/games/{watch}-2",
    "/api/games/{watch}-1/record", "/api/games/{watch}-1/holes/1", "/api/games/{watch}-2/holes/1",
    "/api/games/{watch}-1/holes/99", "/api/tables/BBBBBB", "/t/{code}", "/nothing",
    "/api/tables/{code}/meanwhile?seat=0", "/api/tables/{code}/meanwhile?seat=1",
)  # fmt: skip


class Ear:
    """One socket, and all that is heard on it, with the time."""

    def __init__(self, half, guest):
        self.half, self.guest, self.guests = half, guest, [guest]
        self.view = None

    def hears(self, pipe, text):
        self.half.heard.append((self.half.timeline.now, self.guest, text))
        message = json.loads(text)
        self.view = message.get("view", self.view)

    def is_closed(self, pipe, code):
        self.half.heard.append((self.half.timeline.now, self.guest, code))
        if self.half.pipes.get(self.guest) is pipe:
            del self.half.pipes[self.guest]


class Half(logging.Handler):
    """One of the two servers, and everything that comes out of it."""

    def __init__(self, game, seats):
        super().__init__(logging.DEBUG)
        self.timeline = Timeline(0.0)
        self.disk = Disk(Random("disk"))
        self.site = Site(self.timeline, self.disk, Random("server"), Random("network"), Application())
        self.heard, self.lines, self.thoughts = [], [], []
        self.ears = {guest: Ear(self, guest) for guest in GUESTS}
        self.pipes = {}
        self.commands = 0
        self.sent = []
        self.since = [0, 0, 0, 0]
        self.deals = {}
        self.site.start()
        self.pass_time(1.0)
        wish = {
            "game": game,
            "seats": [{"kind": kind, "name": name, "player": player} for kind, name, player in SEATS[:seats]],
            "options": {"pace": "normal", "tempo": "quick"},
        }
        self.ask("POST", "/api/tables", json.dumps(wish).encode())
        self.pass_time(1.0)
        opened = json.loads(self.heard.pop()[3])
        self.code, self.watch = opened["table"], opened["watch"]

    def pass_time(self, seconds):
        self.timeline.run_until(self.timeline.now + seconds)
        assert not self.site.process.faults

    # What comes out

    def emit(self, record):
        line = (
            {key: value for key, value in record.msg.items() if key != "time"} if isinstance(record.msg, dict) else {}
        )
        self.lines.append((self.timeline.now, record.levelname, str(line) or record.getMessage()))

    def think(self, player, rules, match, state, dice):
        """What a computer player is given, and what comes of it."""
        given = (player, fields(match), fields(state), dice.tobytes())
        move = THINK(player, rules, match, state, dice)
        self.thoughts.append((self.timeline.now, *given, move))
        return move

    def news(self):
        """All that anyone can see of this server, and when, since this was last asked."""
        since, self.since = self.since, [len(self.heard), len(self.lines), len(self.thoughts), self.count()]
        return {
            "told": self.heard[since[0] :],
            "logged": self.lines[since[1] :],
            "thought": self.thoughts[since[2] :],
            "on disk": self.disk.rows("SELECT * FROM entries WHERE number > ? ORDER BY code, number", since[3]),
            "counted": self.disk.rows("SELECT * FROM dealt ORDER BY game, face"),
            "callbacks": self.timeline.callbacks,
        }

    def count(self):
        return self.disk.rows("SELECT count(*) FROM entries")[0][0]

    # The cards

    @property
    def table(self):
        return self.site.registry.tables[self.code].table

    def unseen(self):
        """Where the cards lie that nobody has seen, and which they are: the stock, and the layouts by seat and slot."""
        live = self.site.registry.tables.get(self.code)
        if live is None or not live.table.is_playing:
            return {}
        table, cards = live.table, live.table.cards
        places = {("stock", depth): face for depth, face in enumerate(reversed(cards.stock))}
        for seat, layout in enumerate(cards.layouts):
            for slot, face in enumerate(layout):
                if int(table.playing.state.players[seat].layout[slot]) == HIDDEN:
                    places[seat, slot] = face
        return places

    def shown_since(self, event, slots, seats):
        """Which of the places unseen at that event have been shown: so many of the stock, and cards of layouts."""
        shown, drawn, is_renewed = [], 0, False
        for entry in self.entries(event):
            if isinstance(entry, Dealt):
                break
            if isinstance(entry, Step):
                if entry.move == "S" and not is_renewed:
                    shown.append(("stock", drawn))
                    drawn += 1
                elif entry.move in slots and (entry.phase in ("tee_off", "flip") or entry.from_hidden):
                    shown.append((seats.index(entry.seat), slots.index(entry.move)))
                is_renewed = is_renewed or entry.renewed
            elif isinstance(entry, Revealed):
                shown.append((seats.index(entry.seat), slots.index(entry.slot)))
        return shown

    def deals_since(self, event):
        """Every deal since then, by the label of its pack, and which cards of the pack have been shown."""
        deals, match, dealt = {}, self.table.match if self.code in self.site.registry.tables else 1, None
        for entry in self.entries(event):
            if isinstance(entry, Dealt):
                dealt, variant = entry, self.table.variant
                first = dealt.seats.index(dealt.dealer) + 1
                order, slots = dealt.seats[first:] + dealt.seats[:first], variant.slots
                bottom = len(order) * len(slots)
                shown = deals[f"{self.watch}-{match}/{dealt.hole}/"] = [bottom]
            elif dealt and isinstance(entry, Step):
                if entry.move == "S":
                    bottom += 1
                    shown.append(bottom)
                elif entry.move in slots and (entry.phase in ("tee_off", "flip") or entry.from_hidden):
                    shown.append(slots.index(entry.move) * len(order) + order.index(entry.seat))
                if entry.renewed:
                    bottom = 10_000
            elif dealt and isinstance(entry, Revealed):
                shown.append(slots.index(entry.slot) * len(order) + order.index(entry.seat))
        return deals

    def shuffled(self, seal, copies, what):
        """Deals another pack than the seed makes, but for the cards that will be shown at once."""
        cards = SHUFFLED(seal, copies, what)
        label = next((label for label in self.deals if seal.label.startswith(label)), None)
        if what != "pack" or label is None:
            return cards
        free = [place for place in range(len(cards)) if place not in self.deals[label]]
        faces = [cards[place] for place in free]
        Random(label).shuffle(faces)
        for place, face in zip(free, faces, strict=True):
            cards[place] = face
        return cards

    def entries(self, event):
        rows = self.disk.rows(
            "SELECT entry FROM entries WHERE code = ? AND number > ? ORDER BY number", self.code, event
        )
        return [decode(row[0]) for row in rows]

    def lay_out(self, places):
        """The unseen cards lie so from now on."""
        table = self.table
        cards = table.cards
        for place, face in places.items():
            if place[0] == "stock":
                cards.stock[-1 - place[1]] = face
            else:
                cards.layouts[place[0]][place[1]] = face
        if not cards.stocks:  # the pack as it would have been dealt
            seats, slots = len(cards.order), len(cards.layouts[0])
            drawn = len(cards.pack) - seats * slots - 1 - len(cards.stock)
            dealt = [cards.layouts[seat][slot] for slot in range(slots) for seat in cards.order]
            played = cards.pack[seats * slots + 1 :][:drawn]
            cards.pack[:] = [*dealt, cards.first_discard, *played, *reversed(cards.stock)]

    # What is done

    def do(self, what):
        kind, *rest = what
        getattr(self, f"do_{kind}")(*rest)

    def do_time(self, seconds):
        self.pass_time(seconds)

    def do_connect(self, guest, known):
        if guest not in self.pipes:
            path = f"/ws/w/{self.watch}" if guest == "eve" else f"/ws/t/{self.code}"
            self.pipes[guest] = self.site.connect(self.ears[guest], path, token(guest), 0.01)
        self.do_hello(guest, known)

    def do_hello(self, guest, known):
        self.say(
            guest,
            {"is": "Hello", "client_version": base.WIRE_VERSION, "last_event": known, "tab": guest, "visible": False},
        )

    def do_here(self, guest, visible):
        self.say(guest, {"is": "Here", "visible": visible})

    def do_drop(self, guest):
        if guest in self.pipes:
            self.pipes.pop(guest).hang_up()

    def do_play(self, choice):
        """The player to move plays, if it is one of the people."""
        view = self.ears["eve"].view
        if view and view["turn"] is not None and view["legal"]:
            seat = view["turn"]
            for guest in ("ann", "ben"):
                self.give(guest, "Play", seat=seat, move=view["legal"][choice % len(view["legal"])])

    def do_cheat(self, move):
        """The player to move tries a move that is none, or not now."""
        view = self.ears["eve"].view
        if view and view["turn"] is not None:
            for guest in ("ann", "ben"):
                self.give(guest, "Play", seat=view["turn"], move=move)

    def do_give(self, guest, command, fields):
        self.give(guest, command, **fields)

    def do_repeat(self, guest, which):
        if self.sent:
            self.say(guest, self.sent[which % len(self.sent)])

    def do_nonsense(self, guest, text):
        if guest in self.pipes:
            self.pipes[guest].say(text)

    def do_http(self, path):
        self.ask("GET", path.format(code=self.code, watch=self.watch))

    def give(self, guest, command, /, **fields):
        self.commands += 1
        self.sent.append({"is": command, "id": str(self.commands), **fields})
        self.say(guest, self.sent[-1])

    def say(self, guest, message):
        if guest in self.pipes:
            self.pipes[guest].say(json.dumps(message))

    def ask(self, method, path, body=b""):
        def then(status, answer, headers):
            self.heard.append((self.timeline.now, path, status, answer, headers))

        self.site.ask(method, path, token("ann"), body, then)


THINK = bots.think
SHUFFLED = Seal.shuffled


def fields(record):
    """A record without the bytes between its fields, which nobody fills."""
    if record.dtype.names is None:
        return record.tobytes()
    return {name: fields(record[name]) for name in record.dtype.names}


def token(guest):
    return (guest + "0" * 32)[:32]


class Pair:
    """The two servers side by side."""

    def __init__(self, game, seats, seed):
        self.dice = Random(seed)
        self.folder = take_games_from(short_games())
        self.halves = []
        self.halves = [self.on_the_air(lambda: Half(game, seats)) for _ in range(2)]
        self.compare()

    def close(self):
        take_games_from(self.folder)
        for half in self.halves:
            half.site.bury()

    def on_the_air(self, do, half=None):
        """Lets one of the servers do something: it alone is heard, logs, and has the clock."""
        logger = logging.getLogger("mulligan")
        before = logger.level, logger.propagate
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
        logs.log_rarely.__self__.said.clear()
        try:
            if half is None:
                return do()
            logger.addHandler(half)
            bots.think = half.think
            Seal.shuffled = lambda seal, copies, what: half.shuffled(seal, copies, what)
            with half.timeline.on_the_wall():
                return do()
        finally:
            bots.think = THINK
            Seal.shuffled = SHUFFLED
            logger.level, logger.propagate = before
            if half is not None:
                logger.removeHandler(half)

    def both(self, what, seconds):
        """The same in both, once the second has laid out its unseen cards anew."""
        one, other = self.halves

        def happen(half):
            half.do(what)
            half.pass_time(seconds)

        unseen, event = one.unseen(), one.count()
        slots, seats = (one.table.variant.slots, one.table.dealt.seats) if unseen else ((), ())
        self.on_the_air(lambda: happen(one), one)
        other.deals = one.deals_since(event)
        if unseen:
            shown = one.shown_since(event, slots, seats)
            other.lay_out(self.shuffled(other.unseen(), {place: unseen[place] for place in shown}))
        self.on_the_air(lambda: happen(other), other)
        self.compare()

    def shuffled(self, places, fixed):
        """Any layout of the unseen cards that has these where they are. A new stock is a pile of its own."""
        laid = dict(fixed)
        is_renewed = bool(self.halves[1].table.cards.stocks)
        pools = [[place for place in places if (place[0] == "stock") == is_stock] for is_stock in (True, False)]
        for pool in pools if is_renewed else [list(places)]:
            left = Counter(places[place] for place in pool) - Counter(fixed[place] for place in pool if place in fixed)
            faces = sorted(left.elements())
            self.dice.shuffle(faces)
            free = [place for place in pool if place not in fixed]
            assert len(free) == len(faces)
            laid |= dict(zip(free, faces, strict=True))
        return laid

    def compare(self):
        one, other = (half.news() for half in self.halves)
        for name in one:
            assert one[name] == other[name], f"what is {name} differs"

    def secrets(self):
        """Seeds that are not shown yet, guests, and tokens: none of these may come out at all."""
        seeds = []
        for entry in self.halves[0].entries(0):
            if isinstance(entry, Secret):
                seeds.append(entry.seed)
            elif isinstance(entry, Unsealed):
                seeds.remove(entry.seed)
        return seeds + [word for guest in GUESTS for word in (token(guest), name_of(token(guest)))]


seat = st.integers(-1, 4)
guest = st.sampled_from(GUESTS)
people = st.sampled_from(("ann", "ben"))
word = st.sampled_from(("S", "D", "-", ".", "a1", "b2", "z9", "", "☃"))


def gives(command, who=people, /, **fields):
    return st.tuples(st.just("give"), who, st.just(command), st.fixed_dictionaries(fields))


plays = st.tuples(st.just("play"), st.integers(0, 20))
things = st.one_of(
    plays,
    plays,
    plays,
    plays,
    st.tuples(st.just("cheat"), word),
    st.tuples(st.just("cheat"), word),
    gives("Play", guest, seat=seat, move=word),
    gives("TakeBack", seat=seat),
    gives("TakeBack", seat=seat),
    gives("NextHole"),
    gives("Rematch"),
    gives("Sit", guest, seat=seat, name=st.sampled_from(("Ben", "Ann", "", "x" * 99))),
    gives("Leave", st.just("ben"), seat=seat),
    gives("Lend", seat=seat, player=st.sampled_from(("", "random", "god"))),
    gives("GiveBack", seat=seat),
    gives("GiveBack", seat=seat),
    gives("Remove", seat=seat),
    gives("FillSeat", seat=seat, player=st.just("greedy")),
    gives("Start", fill=st.sampled_from(("", "greedy"))),
    gives("GiveUp", st.just("ben")),
    gives("AddSeed", seat=seat, seed=st.sampled_from(("0" * 32, "f" * 32, "no"))),
    gives("Offer", key=st.just("a" * 32)),
    gives("Say", guest, seat=seat, phrase=st.sampled_from(("nice", "rude"))),
    gives("React", seat=seat, reaction=st.sampled_from(("clap", "boo"))),
    gives("Chat", guest, seat=seat, text=st.text(max_size=9)),
    gives(
        "SetOptions",
        options=st.fixed_dictionaries({"pace": st.sampled_from(("instant", "slow")), "chat": st.booleans()}),
    ),
    st.tuples(st.just("connect"), guest, st.integers(-1, 60)),
    st.tuples(st.just("hello"), guest, st.integers(-1, 60)),
    st.tuples(st.just("here"), guest, st.booleans()),
    st.tuples(st.just("drop"), guest),
    st.tuples(st.just("repeat"), guest, st.integers(0, 50)),
    st.tuples(st.just("nonsense"), guest, st.sampled_from(("{", "[]", '{"is":"Play","id":"x","seat":0}', "x" * 5000))),
    st.tuples(st.just("http"), st.sampled_from(PATHS)),
    st.tuples(st.just("http"), st.sampled_from(PATHS)),
    st.tuples(st.just("http"), st.just(PATHS[0])),
    st.tuples(st.just("http"), st.just(PATHS[0])),
    st.tuples(st.just("time"), st.sampled_from((0.5, 3.0, 30.0, 700.0))),
)


def begun(game, seats, seed):
    """Both tables up to the first hole: everyone is there, and it is someone's turn to tee off."""
    pair = Pair(game, seats, seed)
    for name in GUESTS:
        pair.both(("connect", name, 0), 0.5)
    pair.both(("give", "ben", "Sit", {"seat": -1, "name": "Ben"}), 0.5)
    pair.both(("give", "ann", "AddSeed", {"seat": 0, "seed": "1" * 32}), 0.1)
    pair.both(("give", "ann", "Start", {"fill": ""}), 2.0)  # Ben adds no seed
    for name in ("ann", "ben"):
        pair.both(("give", name, "NextHole", {}), 2.0)
    assert pair.halves[0].table.is_playing
    return pair


@given(
    game=st.sampled_from(GAMES),
    seats=st.integers(2, 3),
    driver=st.lists(st.tuples(things, st.sampled_from((0.05, 0.3, 2.0))), min_size=5, max_size=40),
    seed=st.integers(0, 2**32),
)
def test_nothing_anybody_is_told_depends_on_a_card_face_down(game, seats, driver, seed):
    pair = begun(game, seats, seed)
    try:
        for what, seconds in driver:
            pair.both(what, seconds)
        out = str(pair.halves[0].heard) + str(pair.halves[0].lines)
        assert not [secret for secret in pair.secrets() if secret in out]
    finally:
        pair.close()


@given(
    game=st.sampled_from(GAMES),
    steps=st.lists(st.integers(0, 20), max_size=25),
    choice=st.integers(0, 20),
    seed=st.integers(0, 2**32),
)
def test_a_step_shows_its_own_card_and_nothing_else(game, steps, choice, seed):
    pair = begun(game, 2, seed)
    one, other = pair.halves
    try:
        for step in steps:
            pair.both(("play", step), 0.3)
        event, table = one.count(), one.table
        if not table.is_playing:
            return
        unseen, slots, seated = one.unseen(), table.variant.slots, table.dealt.seats
        before = len(one.heard)
        for half in (one, other):
            if half is other:
                shown = one.shown_since(event, slots, seated)
                if len(shown) != 1 or Dealt in map(type, one.entries(event)):
                    return  # it showed nothing, or the whole hole
                another = [place for place, face in unseen.items() if face != unseen[shown[0]]]
                if not another:
                    return
                laid = dict(unseen)
                laid[shown[0]], laid[another[0]] = unseen[another[0]], unseen[shown[0]]
                other.lay_out(laid)
            pair.on_the_air(lambda half=half: (half.do(("play", choice)), half.pass_time(0.3)), half)
        faces = [table.variant.faces[face] for face in (unseen[shown[0]], laid[shown[0]])]
        if any(isinstance(entry, events.HoleOver) or getattr(entry, "closed", 0) for entry in one.entries(event)):
            return  # what a card costs is told too
        assert one.timeline.callbacks == other.timeline.callbacks
        told, told_other = one.heard[before:], other.heard[before:]
        assert len(told) == len(told_other)
        assert any(frame != frame_other for frame, frame_other in zip(told, told_other, strict=True))
        for frame, frame_other in zip(told, told_other, strict=True):
            assert frame[:2] == frame_other[:2]
            assert set(differences(json.loads(frame[2]), json.loads(frame_other[2]))) <= {tuple(faces)}
    finally:
        pair.close()


def test_the_two_servers_do_differ_in_what_nobody_sees_and_computer_players_are_overheard():
    pair = begun("play_nine", 3, 1)
    one, other = pair.halves
    try:
        for choice in range(30):
            pair.both(("play", choice), 1.0)
        assert len(one.thoughts) > 5
        assert one.unseen() != other.unseen()
        assert Counter(one.unseen().values()) == Counter(other.unseen().values())
    finally:
        pair.close()


def differences(one, other):
    """Every leaf that differs, as a pair; what the open cards cost so far follows from the others."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [pair for key in one if key != "so_far" for pair in differences(one[key], other[key])]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [pair for left, right in zip(one, other, strict=True) for pair in differences(left, right)]
    return [] if one == other else [(one, other)]
