"""A world: a server, its disk, its network and everyone who plays there, all from one seed.

First there is a storm, in which people do as they please, lines break and the server is killed; then it
is calm, and whatever was begun must come to its end. `python tests/worlds/worlds.py 4711` plays one
world and tells everything that happens in it.
"""

import atexit
import gc
import hashlib
import json
import logging
import re
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1])]

import independent
import minis
import msgspec
from audit import Auditor, Broken, Ledger, must, without_presence
from crowd import COMPUTERS, Device
from disk import Disk
from pushes import A_LIBRARY_FAILS, PushServices
from sites import Site, applications
from table_state import state_of
from timeline import Timeline

from mulligan.game import referee, shipped, variants, verify_shuffles
from mulligan.server.rooms import postman
from mulligan.server.rooms.registry import replay
from mulligan.server.services import come_back_words, web_push
from mulligan.server.services.log_parts import latest
from mulligan.server.table.log_entries import decode
from mulligan.server.table.table import Table
from mulligan.server.table.view import view
from mulligan.server.web import sockets
from mulligan.server.wire import base
from mulligan.server.wire.tables import NewTable, SeatRequest, TableOpened, TableOptions

HOUR, DAY = 3600.0, 86_400.0
GAMES = ("mini_columns", "mini_columns", "mini_rows", "mini_rows", "play_nine", "nine_card")
NIGHTS = (700.0, 4000.0, 27 * 3600.0, 4.5 * DAY, 31.5 * DAY, 31.5 * DAY, 92.0 * DAY)
PATIENCE = 7200.0  # seconds of calm after which a match must be over
SHARED = 0.4  # of the worlds have two processes over one database
STEADY = 40.0  # seconds in which a table that waits for nobody has to go on
BY_LETTER = 0.25  # of the worlds last for days, and people come when they are told

TELLING = logging.getLogger("mulligan")


@cache
def short_games() -> Path:
    """The games of the tests, and those of the package with a single hole."""
    folder = Path(tempfile.mkdtemp(prefix="worlds"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for file in minis.OWN_FILES:
        if file.stem.startswith("mini"):
            shutil.copy(file, folder)
    for file in shipped.FOLDER.glob("*.toml"):
        text = file.read_text(encoding="utf-8").partition("[options]")[0]  # which offer nine holes as the game's own
        (folder / file.name).write_text(re.sub(r"^holes = \d+", "holes = 1", text, flags=re.M), encoding="utf-8")
    return folder


def take_games_from(folder: Path) -> Path:
    """From now on the games of the package are those of the folder. Returns the folder they came from before."""
    before, shipped.FOLDER = shipped.FOLDER, folder
    for read in (shipped.tables, shipped.titles, variants.load):
        read.cache_clear()
    return before


class Listening(logging.Handler):
    """The server's own log: nothing secret may stand there, and no fault of the server's own."""

    def __init__(self, world: "World") -> None:
        super().__init__(logging.DEBUG)
        self.world = world

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = record.getMessage()
        except Exception as error:
            self.world.fail(Broken(f"a log line cannot be written: {error!r}"))
            return
        self.world.log.append((record.levelno, text, repr(record.exc_info[1]) if record.exc_info else ""))


class World:
    """One seed's world. `play` runs it, and raises what went wrong."""

    def __init__(self, seed: int, is_telling: bool = False) -> None:
        self.seed = seed
        self.is_telling = is_telling
        self.trace = hashlib.blake2b(digest_size=12)
        self.dice = self.dice_for("world")
        self.timeline = Timeline(0.0)
        self.disk = Disk(self.dice_for("disk"))
        self.is_shared = self.dice_for("sharing").random() < SHARED
        self.sites = [
            Site(self.timeline, self.disk, self.dice_for(f"server{name}"), self.dice_for(f"network{name}"), serving)
            for name, serving in zip(("", " 2"), applications(), strict=True)
        ][: 1 + self.is_shared]
        self.disk.is_shared = self.is_shared
        self.preferred = self.victim = self.sites[0]  # where the proxy leads players, and what is killed next
        self.auditor = Auditor(self)
        self.pushes = PushServices(self, self.dice_for("pushes"))
        self.is_by_letter = self.dice_for("letters").random() < BY_LETTER
        self.devices: list[Device] = []
        self.given: dict[tuple[str, str, str], list[Any]] = {}
        self.log: list[tuple[int, str, str]] = []
        self.used_keys: list[str] = []
        self.words: list[str] = []  # with which someone comes back
        self.deleted: set[str] = set()  # guests who wanted to be deleted
        self.tokens: set[str] = set()
        self.floods: dict[str, list[Any]] = {}
        self.is_stormy, self.is_over = True, False
        self.failure: BaseException | None = None
        self.kills = self.stops = self.nights = 0
        self.armed = ""  # what triggers the next kill
        self.armed_callbacks = 0
        self.looked_at: dict[str, float] = {}
        self.waiting_since: dict[tuple[str, int], float] = {}
        self.removed: set[str] = set()
        self.opened: list[TableOpened] = []
        self.games: list[str] = []
        self.storm_ends = 0
        self.leisure = 1.0  # how many times slower than others the people of this world are
        self.slowness = 1.0  # … and its disasters

    def dice_for(self, what: str) -> Random:
        return Random(f"{self.seed} {what}")

    # What is noted

    def note(self, *facts: Any) -> None:
        line = f"{self.timeline.now:.6f} {facts}"
        self.trace.update(line.encode())
        if self.is_telling:
            print(line[:400])

    def fail(self, error: BaseException) -> None:
        if self.failure is None:
            self.failure = error

    def told(self, pipe: Any, text: str) -> None:
        self.note("told", pipe.owner.name, text)
        try:
            self.auditor.told(pipe, text)
        except Exception as error:  # the server would take it for its own
            self.fail(error)

    def committed(self) -> None:
        try:
            self.auditor.read_disk()
            self.pushes.read_disk()
            self.trigger("commit")
        except Exception as error:
            self.fail(error)

    def secrets_of(self, ledger: Ledger, device: Device) -> set[str]:
        """What nobody may be told at this table: guests, seeds not shown yet, keys; spectators not even the code."""
        return ledger.secrets | self.tokens | ({ledger.code} if device.watching else set())

    # Beginning

    def play(self) -> str:
        """Runs the world from its first second to its last, and returns the trace's hash."""
        listening, level = Listening(self), TELLING.level
        folder = take_games_from(short_games())
        TELLING.addHandler(listening)
        TELLING.setLevel(logging.DEBUG)
        propagate, TELLING.propagate = TELLING.propagate, False
        cost, come_back_words.COST["n"] = come_back_words.COST["n"], 2
        keys, look = (web_push.new_key, web_push.public_key), postman.LOOK
        web_push.new_key, web_push.public_key = lambda: "a key", lambda key: key  # type: ignore
        was_collecting = gc.isenabled()
        gc.disable()
        try:
            with self.timeline.on_the_wall():
                self.live()
        finally:
            self.is_over = True
            TELLING.removeHandler(listening)
            TELLING.setLevel(level)
            TELLING.propagate = propagate
            come_back_words.COST["n"] = cost
            web_push.new_key, web_push.public_key = keys
            postman.LOOK = look
            take_games_from(folder)
            for site in self.sites:
                site.bury()
            if was_collecting:
                gc.enable()
        return self.trace.hexdigest()

    def live(self) -> None:
        dice = self.dice
        for site in self.sites:
            site.when_told = self.told
            site.when_killed = self.killed
            site.when_pushed = self.pushes.take
        self.disk.when_put = lambda: self.trigger("put")
        self.disk.when_committed = self.committed
        self.disk.delay = dice.choice([0.0002, 0.002, 0.02, 0.3])
        self.leisure = self.slowness = dice.choice([1.0, 1.0, 1.0, 1.0, 40.0])
        if self.is_by_letter:
            self.leisure, self.slowness, postman.LOOK = 1.0, 1500.0, postman.REST
        for site in self.sites:
            site.start()
        self.pass_time(0.2)
        for number in range(dice.choice([1, 1, 1, 2])):
            self.open_table(number)
        self.storm()
        self.rest()
        self.calm()
        self.look_back()

    def open_table(self, number: int) -> None:
        dice = self.dice
        game = dice.choice(GAMES)
        most = 3
        kinds = [
            "me",
            *(dice.choice(["here", "friend", "friend", "computer"]) for _ in range(dice.randint(2, most) - 1)),
        ]
        dice.shuffle(kinds)
        seats = [
            SeatRequest(
                kind=kind,  # type: ignore[arg-type]
                name=f"{kind} {place}" if kind in ("me", "here") else "",
                player=dice.choice(COMPUTERS) if kind == "computer" else "",
            )
            for place, kind in enumerate(kinds)
        ]
        options = TableOptions(
            pace=dice.choice(["instant", "instant", "fast", "slow"]),
            chat=dice.random() < 0.5,
            tempo=dice.choice(["day", "three_days", *["quick", "quick", "family"] * (not self.is_by_letter)]),
        )
        owner = self.add_device(f"owner {number}")
        wish = msgspec.json.encode(NewTable(game=game, seats=seats, options=options))
        answers: list[tuple[int, bytes, Any]] = []
        self.some_site().ask("POST", "/api/tables", owner.token, wish, lambda *answer: answers.append(answer))
        self.pass_time(3.0)
        must(answers and answers[0][0] == 201, f"no table was opened: {answers}")
        opened = msgspec.json.decode(answers[0][1], type=TableOpened)
        self.opened.append(opened)
        self.games.append(game)
        crowd = [owner]
        for place in range(kinds.count("friend") + dice.choice([0, 0, 1])):
            crowd.append(self.add_device(f"friend {number}.{place}"))
        if dice.random() < 0.4:
            crowd.append(self.add_device(f"watcher {number}", watching=True))
        for device in crowd:
            device.code = opened.watch if device.watching else opened.table
            device.wake_after(dice.random() * 2)
            if options.tempo in base.TURN_HOURS and not device.watching and dice.random() < 0.8:
                device.tell_here()

    def add_device(self, name: str, watching: bool = False) -> Device:
        device = Device(self, name, self.dice_for(name), watching)
        self.tokens |= {device.token, device.guest}
        self.devices.append(device)
        return device

    def another_device(self, old: Device, key: str) -> None:
        """Someone's second device, which knows the key of the first."""
        device = self.add_device(f"{old.name} moved {len(self.devices)}")
        device.code = old.code
        self.used_keys.append(key)

        def go() -> None:
            from mulligan.server.wire.commands import MoveHere

            device.give_new(MoveHere, key=key)
            device.wake_after(0.0)

        self.timeline.after(self.dice.random() * 3, go)

    def may_grow(self, device: Device) -> bool:
        return len(self.devices) < 9 and "moved" not in device.name

    def wants_more(self, device: Device) -> bool:
        """Whether another match is worth its time: only where nobody has seen one end yet."""
        ledger = self.auditor.ledgers.get(device.table_code)
        return ledger is not None and not ledger.finished and ledger.given_up < 3

    # Time

    def pass_time(self, seconds: float, is_done: Any = lambda: False) -> bool:
        """Lets time pass, and stops at the first thing that is wrong."""
        ended = self.timeline.run_until(self.timeline.now + seconds, lambda: self.failure is not None or is_done())
        if self.failure is not None:
            raise self.failure
        for site in self.sites:
            if site.process and site.process.faults:
                raise Broken(f"the server: {site.process.faults[0]}")
        for levelno, text, error in self.log:
            if levelno >= logging.ERROR and not self.disk.failures and A_LIBRARY_FAILS not in text:
                raise Broken(f"the server's log: {text} {error}")
            for secret in self.tokens.union(*(ledger.secrets for ledger in self.auditor.ledgers.values())):
                must(secret not in text, f"a secret in the log: {text}")
            for code in self.auditor.ledgers:
                must(code not in text, f"a table's code in the log: {text}")
        self.log.clear()
        return ended

    def is_quiet(self) -> bool:
        """Whether the server hears everything at once, and has been up for a while."""
        return self.disk.delay < 1 and not self.disk.failing and self.timeline.now - self.sites[0].since > 60

    # The storm

    def storm(self) -> None:
        dice = self.dice
        self.storm_ends = sum(len(ledger.entries) for ledger in self.auditor.ledgers.values()) + dice.choice(
            [15, 50, 120] if not self.is_by_letter else [120, 250]
        )
        disasters = [dice.choice(DISASTERS) for _ in range(dice.choice([1, 2, 3, 5]))]
        until = self.timeline.now + (900.0 * (1 if self.slowness == 1 else 8) if not self.is_by_letter else 10 * DAY)
        while self.timeline.now < until and not self.is_storm_over():
            if self.is_by_letter and self.are_matches_over():
                break
            self.pass_time(dice.choice([0.3, 2.0, 8.0]) * self.slowness, self.is_storm_over)
            self.watch_steadiness()
            if disasters and dice.random() < 0.4:
                disaster = disasters.pop()
                self.note(disaster.__name__)
                disaster(self)

    def is_storm_over(self) -> bool:
        return sum(len(ledger.entries) for ledger in self.auditor.ledgers.values()) >= self.storm_ends

    def kill_soon(self) -> None:
        """SIGKILL between two lines: when something is put, committed or pushed, or at any time; and up again."""
        self.victim = self.dice.choice(self.sites)
        self.armed = self.dice.choice(["put", "commit", "commit", "now", *["push"] * (3 * self.is_by_letter)])
        self.armed_callbacks = self.dice.choice([0, 1, 2, 3, 4, 6, 9, 14])
        if self.armed == "now":
            self.trigger("now")
        self.pass_time(20.0 * self.slowness, lambda: not self.victim.is_up)
        self.armed = ""
        self.victim.kill()
        self.pass_time(self.dice.choice([0.01, 0.5, 5.0]))
        self.victim.start()

    def trigger(self, what: str) -> None:
        if self.armed == what:
            self.armed = ""
            self.victim.kill(self.armed_callbacks)

    def killed(self) -> None:
        self.kills += 1
        self.note("killed")

    def stop(self) -> None:
        """SIGTERM: everything acknowledged is on disk, and then it comes up again."""
        self.stops += 1
        site = self.dice.choice(self.sites)
        site.stop()
        self.pass_time(10.0, lambda: not site.is_up)
        site.kill()
        self.pass_time(self.dice.choice([0.01, 1.0]))
        site.start()

    def fail_disk(self) -> None:
        """The next commit fails, with nothing or with all of it on disk."""
        self.disk.failing = self.dice.choice(["before", "before", "after"])

    def slow_disk(self) -> None:
        self.disk.delay = self.dice.choice([0.001, 1.5])

    def reroute(self) -> None:
        """The proxy leads players to the other process, which takes their tables over, even during a commit."""
        self.preferred = self.dice.choice(self.sites)
        for device in self.devices:
            if self.dice.random() < 0.5:
                device.drop(self.dice.random() < 0.5)

    def compress(self) -> None:
        """Logs are compressed now, and not only those of tables that nobody uses."""
        registry = self.some_site().registry
        for code in sorted(self.auditor.ledgers) if registry else ():
            if self.dice.random() < 0.7:
                registry.store.compress(code)

    # The proxy

    def some_site(self) -> Site:
        """Any process that is up, as for requests that are not about a table in play."""
        return self.dice.choice([site for site in self.sites if site.is_up] or self.sites)

    def site_for(self, watching: bool) -> Site:
        """Where the proxy leads a new connection."""
        if watching or not self.preferred.is_up:
            return self.some_site()
        return self.preferred

    def part_all(self) -> None:
        """All lines break at once."""
        for device in self.devices:
            device.drop(self.dice.random() < 0.5)

    def night(self, length: float = 0.0) -> None:
        """Everyone goes, and comes back after a long time."""
        self.nights += 1
        length = length or self.dice.choice(NIGHTS)
        for device in self.devices:
            device.go_away(self.dice.random() < 0.7, length + self.dice.random() * 20)
        postman.LOOK = postman.REST
        self.pass_time(length)
        for ledger in self.auditor.ledgers.values():
            if ledger.turn and not self.disk.failures and ledger.code not in self.removed:
                up = self.timeline.now - max(site.since for site in self.sites)
                hours = min(up, ledger.turn_lasts()) / 3600 - base.TURN_HOURS[ledger.shadow.options.tempo]
                must(hours < 3, f"a turn lasts {hours:.1f} hours longer than it may")
        if length > 31 * DAY:
            for ledger in self.auditor.ledgers.values():
                if ledger.code not in self.removed and self.is_untouched_for(ledger, 31 * DAY):
                    phase = ledger.shadow.phase
                    must(phase in ("lobby", "over"), f"nobody came back for {length / DAY:.0f} days, and it is {phase}")
        if length > 91 * DAY:
            for ledger in self.auditor.ledgers.values():
                must(ledger.code in self.removed, "nobody came back for 92 days, and the table is still there")

    def set_clock(self) -> None:
        """Someone sets the wall clock of the server: years ahead or back, or right again."""
        off = self.dice.choice([0.0, 91.0, -400.0, 3650.0]) * DAY
        self.pushes.clock_set_at = self.timeline.now
        for site in self.sites:
            site.clock_off = off

    def two_nights(self) -> None:
        """A month, an driver, and a month again."""
        for _ in range(2):
            self.night(31.5 * DAY)
            self.pass_time(60.0)

    def is_untouched_for(self, ledger: Ledger, seconds: float) -> bool:
        return (
            self.timeline.now - max(site.since for site in self.sites) > 7200
            and not self.disk.failures
            and self.timeline.now - self.looked_at.get(ledger.code, 0) > seconds
        )

    def is_forgotten(self, code: str, days: float) -> bool:
        """Whether nobody has looked at that table for so long; a disk that failed may not know that someone did."""
        return self.timeline.now - self.looked_at.get(code, 0) > days * DAY or self.disk.failures > 0

    def is_removed(self, code: str) -> None:
        """A table is deleted from the disk: only after ninety days without anyone."""
        if code not in self.removed:
            must(self.is_forgotten(code, 89.9), "a table is deleted that was in use")
            self.removed.add(code)

    def watch_steadiness(self) -> None:
        """A table that waits for nobody goes on, as long as anyone looks."""
        shown = {
            code for site in self.sites if site.registry for code in (*site.registry.tables, *site.registry.followed)
        }
        for code, ledger in self.auditor.ledgers.items():
            is_looked_at = code in shown and any(
                device.is_welcome and device.pipe and not device.pipe.is_cut and not device.pipe.was_frozen
                for device in self.devices
                if device.table_code == code
            )
            if not self.is_stormy:
                ledger.check_returned()
            if is_looked_at:
                self.looked_at[code] = self.timeline.now
            is_seldom_seen = self.is_stormy and self.is_by_letter
            if is_looked_at and ledger.waits_for_nobody() and self.disk.delay < 1 and not is_seldom_seen:
                since = self.waiting_since.setdefault((code, len(ledger.entries)), self.timeline.now)
                must(self.timeline.now - since < STEADY, f"nothing happens any more at event {len(ledger.entries)}")
            else:
                self.waiting_since.pop((code, len(ledger.entries)), None)

    # Floods

    def flood_begins(self, device: Device) -> None:
        self.floods[device.name] = [self.timeline.now, 0]

    def flood_answered(self, device: Device, sent: float) -> None:
        """No more pings are answered than the limits let through."""
        begun, answered = self.floods[device.name]
        self.floods[device.name][1] = answered + 1
        allowed = sockets.AT_ONCE + (self.timeline.now - begun + 2) * sockets.PER_SECOND
        if answered + 1 > allowed:
            self.fail(Broken(f"{answered + 1} messages in a moment were answered, and {allowed:.0f} are allowed"))

    # The rest

    def rest(self) -> None:
        """Nobody has a page open, and nothing fails: people hear what they are still to be told, when they allow it."""
        if not self.pushes.owners:
            return
        self.note("rest")
        if self.dice.random() < 0.5:
            self.dice.choice(self.sites).kill()
            self.pass_time(0.1)
        self.mend()
        self.pushes.are_failing = False
        postman.LOOK = postman.REST
        for device in self.devices:
            device.go_away(self.dice.random() < 0.7, 100 * DAY)
        self.pass_time(3 * HOUR)  # pages time out, and pauses end
        for _ in range(26):
            if not self.pushes.held_back(self.sites[0].clock()):
                break
            self.pass_time(HOUR)
        for row, since in self.pushes.unsent_since.items():
            must(self.timeline.now - since < DAY, f"nobody was told of {row} for a day")
        self.pushes.check_told()

    def mend(self) -> None:
        self.disk.delay, self.disk.failing = 0.002, ""
        for site in self.sites:
            if site.process is None or not site.process.is_alive:  # else it may just be starting
                site.start()

    # The calm

    def calm(self) -> None:
        """No more mischief: those who come back play on, and every match comes to its end."""
        dice = self.dice
        self.is_stormy = False
        self.note("calm")
        self.mend()
        players = [device for device in self.devices if not device.watching]
        by_turns = any(ledger.shadow.is_by_turns for ledger in self.auditor.ledgers.values())
        come_back = players if by_turns or dice.random() < 0.6 else self.enough(players)
        for device in self.devices:
            device.is_lost = device in players and device not in come_back
            device.away_until = self.timeline.now
            if device.pipe:
                device.pipe.thaw()
            if device.code:
                device.wake_after(dice.random())
            if device.is_lost:
                device.drop(True)
        until = self.timeline.now + PATIENCE
        while self.timeline.now < until and not self.are_matches_over():
            self.pass_time(5.0, self.are_matches_over)
            self.watch_steadiness()
        must(self.are_matches_over(), f"two hours of calm, and no end: {self.states()}")
        self.pass_time(30.0)
        for device in self.devices:
            if device.is_welcome and not device.is_lost:
                late = [
                    text for number, text in device.waiting.items() if device.given_at[number] < self.timeline.now - 15
                ]
                must(not late, f"{device.name} never heard what became of {late}")

    def enough(self, players: list[Device]) -> list[Device]:
        """Some of them, so that at each table with people someone who sits there is back.

        Second devices always are: one may be about to take its first device's seat.
        """
        back = [device for device in players if "moved" in device.name]
        for code, ledger in self.auditor.ledgers.items():
            guests = [seat.guest for seat in ledger.shadow.seats if seat.guest]
            seated = [device for device in players if device.guest in guests and device.code == code]
            if seated:
                back += self.dice.sample(seated, max(1, len(seated) - 1))
            else:
                back += [device for device in players if device.code == code]
        return back

    def are_matches_over(self) -> bool:
        return all(
            code in self.removed
            or self.is_deserted(ledger)
            or (ledger.shadow.phase == "over" and (ledger.finished or ledger.given_up))
            for code, ledger in self.auditor.ledgers.items()
        )

    def is_deserted(self, ledger: Ledger) -> bool:
        """Whether all who could go on are deleted or signed out: a table by turns waits for days, others for ever."""
        table = ledger.shadow
        some = [one for one in self.devices if not (one.is_lost or one.table_gone or one.watching)]
        there = {one.guest for one in some if one.table_code == ledger.code}
        waits = table.is_by_turns and table.turn is not None and table.seats[table.turn].guest not in there
        at_home = {table.owner, *(seat.guest for seat in table.seats)}
        return bool(self.words or self.deleted) and (waits or at_home.isdisjoint(there))

    def states(self) -> list[str]:
        return [
            f"{ledger.shadow.phase}, seat {ledger.shadow.turn} to move, "
            f"{[(seat.kind, seat.lent, bool(seat.guest)) for seat in ledger.shadow.seats]}"
            for ledger in self.auditor.ledgers.values()
        ]

    # Looking back

    def look_back(self) -> None:
        """What the disk holds at the end makes the same tables, and its finished matches are sound."""
        for code, ledger in self.auditor.ledgers.items():
            if code in self.removed:
                continue
            log = self.some_site().registry.store.entries(code)
            kept = [decode(entry) for entry in log]
            must(kept == ledger.entries, "the log is not what was written")
            again = Table(kept)
            known = latest(self.some_site().registry.store, code)
            is_older = not again.match or again.position or again.real_cards or ledger.former  # a new log has none yet
            must(known.state or is_older, "no start is kept")
            brief = replay(known)
            must(state_of(brief) == state_of(again), "read from the latest start, another table")
            must(without_presence(view(again)) == ledger.views[len(ledger.entries)], "a second reading, another table")
            for game in ledger.finished:
                self.referee(game)

    def referee(self, game: str) -> None:
        answers: list[tuple[int, bytes, Any]] = []
        self.some_site().ask("GET", f"/api/games/{game}/record", "", b"", lambda *answer: answers.append(answer))
        self.pass_time(3.0, lambda: bool(answers))
        must(answers and answers[0][0] == 200, f"no record of {game}: {answers}")
        record = json.loads(answers[0][1])
        variant = variants.load(record["game"])
        referee.replay(record, variant)
        verify_shuffles.verify(record, variant)
        from dataclasses import replace

        rules = {name: replace(rules, holes=int(variant.rules.holes)) for name, rules in minis.RULES.items()}
        independent.judge(record, rules)
        self.note("record", hashlib.md5(answers[0][1]).hexdigest())

    def told_of_itself(self) -> str:
        events = sum(len(ledger.entries) for ledger in self.auditor.ledgers.values())
        finished = sum(len(ledger.finished) for ledger in self.auditor.ledgers.values())
        return (
            f"seed {self.seed}: {', '.join(self.games)}; {len(self.devices)} devices, {events} events, "
            f"{self.auditor.messages} messages, {self.timeline.callbacks} callbacks, {finished} finished, "
            f"{self.kills} kills, {self.disk.failures} disk failures, {self.timeline.now / 3600:.1f} hours; "
            f"pushed: {self.pushes.summary()}"
        )


DISASTERS = (
    World.kill_soon, World.kill_soon, World.kill_soon, World.kill_soon, World.stop, World.fail_disk, World.fail_disk,
    World.slow_disk, World.part_all, World.night, World.two_nights, World.set_clock, World.reroute, World.reroute,
    World.compress, World.compress,
)  # fmt: skip


if __name__ == "__main__":
    told = World(int(sys.argv[1]), is_telling=True)
    print(told.play())
    print(told.told_of_itself())
