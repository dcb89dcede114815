"""How many people one server carries: thousands of real sockets, compared with an echo server that stores as much.

    make load                                 all of these, at these sizes
    python bench/load.py moves  [--tables 1000] [--rate 3000] [--seconds 10] [--runs 3]
    python bench/load.py overload [--tables 2000] [--rate 3000] [--seconds 10] [--flood 400]
    python bench/load.py idle   [--tables 4000]
    python bench/load.py restart [--tables 1000]
    python bench/load.py start  [--runs 3]
    python bench/load.py bots   [--tables 250] [--rate 500] [--thinkers 50] [--player greedy]
    python bench/load.py hints  [--runs 3]

`--json` adds a last line with what bench/figures.py keeps.

Commands come at a steady rate whatever the server does (an open loop), and latency counts from the moment each was due.
Server, echo server and crowd are separate processes on loopback. Needs Linux, because it reads /proc.
"""

import argparse
import asyncio
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import uvloop
from load_alone import Alone
from load_crowd import ADDRESSES, HAPPENED, Crowd
from load_flood import Flood
from load_past import write_past

from mulligan.server.first_start import is_compiled

TICKS = os.sysconf("SC_CLK_TCK")
ECHO = Path(__file__).with_name("load_echo.py")
KEEPING_UP = 0.9  # the share of a rate that a machine has to reach
QUESTIONS = ("", "hint", "position")  # before each choice of the person in `hints`
CHOICES, WARM_UP = 100, 40
RUN = ("accepted p50 ms", "accepted p99 ms", "seen by all p99 ms", "server CPU µs", "done per second")  # of `play`


class Process:
    """A server process, from its start to its end."""

    def __init__(self, command: Sequence[str]) -> None:
        self.started_at = time.monotonic()
        self.log = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self.process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, stderr=self.log, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http://([\d.]+):(\d+)", self.process.stdout.readline())
        if not found:
            self.process.wait(30)
            self.log.seek(0)
            sys.exit(f"The server did not start: {' '.join(self.log.read().split())}")
        self.host, self.port = found[1], int(found[2])

    @property
    def cpu(self) -> float:
        """CPU seconds so far."""
        return cpu(self.process.pid)

    @property
    def all_cpu(self) -> float:
        """CPU seconds so far, with the processes that it has started."""
        return self.cpu + sum(map(cpu, children(self.process.pid)))

    @property
    def resident(self) -> float:
        """Megabytes of memory."""
        return resident(self.process.pid)

    @property
    def coach(self) -> float:
        """Megabytes of memory of the coach's process, the largest that the server has started."""
        return max(map(resident, children(self.process.pid)), default=0.0)

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        with suppress(ProcessLookupError):
            self.process.send_signal(how)
        self.process.wait(30)
        self.log.seek(0)
        for line in self.log:
            if '"level": "info"' not in line:
                print(f"  the server says: {line.rstrip()}")


@contextmanager
def mulligan(data: str, *options: str) -> Iterator[Process]:
    with running(["-m", "mulligan", "serve", "--port", "0", "--data", data, *options]) as process:
        yield process


@contextmanager
def running(command: Sequence[str]) -> Iterator[Process]:
    process = Process(command)
    try:
        yield process
    finally:
        process.end()


class Watch:
    """CPU use meanwhile: the server, this generator and everything else."""

    def __init__(self, server: Process) -> None:
        self.server = server
        self.began, self.cpu, self.own, self.all = time.monotonic(), server.cpu, time.process_time(), busy()

    def __str__(self) -> str:
        seconds = time.monotonic() - self.began
        server, own, everything = self.server.cpu - self.cpu, time.process_time() - self.own, busy() - self.all
        others = max(0.0, everything - server - own)
        return (
            f"cores used: server {server / seconds:.2f}, generator {own / seconds:.2f}, "
            f"others {others / seconds:.2f} of {os.cpu_count()}; load {os.getloadavg()[0]:.1f}"
        )


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def cpu(process: int) -> float:
    """CPU seconds of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS  # in the program, and in the system on its behalf


def resident(process: int) -> float:
    """Megabytes of memory of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def busy() -> float:
    """CPU seconds of the whole machine since its start."""
    user, nice, system, _, _, irq, softirq, *_ = map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:])
    return (user + nice + system + irq + softirq) / TICKS


def percentile(values: list[float], share: float) -> float:
    if not values:
        return float("nan")
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


# The measurements -----------------------------------------------------------------------------------


async def moves(tables: int, rate: float, seconds: float, runs: int) -> dict[str, list[float]]:
    """Durable commands per second and their latency, in turn with those of an echo server that stores as much."""
    print(
        f"{tables} tables, {4 * tables} sockets, {rate:.0f} commands a second offered, {runs} runs of {seconds:.0f} s"
    )
    with tempfile.TemporaryDirectory() as data, mulligan(data) as server:
        crowd = Crowd(server.host, server.port)
        began = time.monotonic()
        await crowd.take_seats(tables)
        print(f"  set up in {time.monotonic() - began:.1f} s", flush=True)
        await play(crowd, server, rate, 1.0)
        sample = Path(data) / "frame.json"
        sample.write_bytes(typical_frame(crowd))
        with running([str(ECHO), "0", str(sample), str(Path(data) / "echo")]) as reference:
            others = Crowd(reference.host, reference.port)
            async with crowd.staying():
                await others.take_seats(tables)
            ours, echo = [], []
            for _ in range(runs):
                print("Mulligan, then the echo server that stores", flush=True)
                ours.append(await play(crowd, server, rate, seconds))
                async with crowd.staying():
                    echo.append(await play(others, reference, rate, seconds))
            others.go()
        print(f"  resident {server.resident:.0f} MB")
        crowd.go()
    medians = {
        what: [statistics.median(run[number] for run in of) for of in (ours, echo)] for number, what in enumerate(RUN)
    }
    print("medians                ours   echo that stores   ratio")
    for what, (one, two) in medians.items():
        print(f"  {what:18s}{one:8.1f}  {two:17.1f}  {one / two:6.2f}")
    return medians


async def play(crowd: Crowd, server: Process, rate: float, seconds: float) -> tuple[float, ...]:
    """One run; returns the figures named in `RUN`."""
    crowd.messages = crowd.bytes = crowd.done = crowd.lost = 0
    crowd.refused.clear()
    watch = Watch(server)
    cpu, began = server.cpu, time.monotonic()
    await crowd.play(rate, seconds, warm_up=1.0)
    took = time.monotonic() - began
    microseconds = (server.cpu - cpu) / max(1, crowd.done) * 1e6
    figures = [
        1000 * percentile(values, share)
        for values, share in ((crowd.accepted, 0.5), (crowd.accepted, 0.99), (crowd.seen, 0.99))
    ]
    print(
        f"  {len(crowd.accepted) / seconds:6.0f}/s done; accepted p50 {figures[0]:.1f} ms, p99 {figures[1]:.1f} ms, "
        f"slowest {1000 * max(crowd.accepted, default=0):.0f} ms; last of four views p99 {figures[2]:.1f} ms; "
        f"server {microseconds:.0f} µs a command; {crowd.bytes / took / 1e6:.0f} MB/s to clients; {watch}"
        + (f"; refused {crowd.refused}" if crowd.refused else "")
        + (f"; {crowd.lost} SOCKETS LOST" if crowd.lost else "")
    )
    return (*figures, microseconds, len(crowd.accepted) / seconds)


async def overload(tables: int, rate: float, seconds: float, flood: float, runs: int) -> dict[str, dict[str, float]]:
    """Goodput, the moves accepted within a second of their sending, at several rates around one near the capacity.

    Then at double that rate, in turn without and beside a flood of other requests, which should be refused in favour of
    the moves.
    """
    minutes = (4 * runs + 2 * (2 * runs + 1)) * (seconds + 2) / 60
    print(f"{tables} tables, {4 * tables} sockets; about {minutes:.0f} minutes, once the tables are set up", flush=True)
    with tempfile.TemporaryDirectory() as data, mulligan(data) as server:
        crowd = Crowd(server.host, server.port)
        await crowd.take_seats(tables)
        await crowd.spread()
        good: dict[float, list[float]] = {times * rate: [] for times in (0.5, 1.0, 2.0, 4.0)}
        for _ in range(runs):
            for offered, found in good.items():
                print(f"{offered:.0f} moves per second offered", flush=True)
                found.append(await goodput(crowd, server, offered, seconds))
                if offered < rate:
                    must_keep_up(offered, found[-1])
        means = {offered: statistics.mean(found) for offered, found in good.items()}
        for offered, mean in means.items():
            share = mean / max(means.values())
            print(f"goodput at {offered:.0f} moves per second offered: {mean:.0f}, {share:.0%} of the best")
        shares = {}
        for requests in (flood / 4, flood):
            print(
                f"{2 * rate:.0f} moves per second offered, in turn alone and beside {4 * requests:.0f} other requests"
            )
            alone, beside = [], []
            for _ in range(runs):
                alone.append(await goodput(crowd, server, 2 * rate, seconds))
                beside.append(await goodput_beside(Flood(crowd), requests, crowd, server, 2 * rate, seconds))
            alone.append(await goodput(crowd, server, 2 * rate, seconds))
            shares[f"{4 * requests:.0f}"] = statistics.mean(beside) / statistics.mean(alone)
            print(f"goodput beside them: {shares[f'{4 * requests:.0f}']:.0%} of that alone")
        crowd.go()
    return {"goodput": {f"{offered:.0f}": mean for offered, mean in means.items()}, "beside": shares}


def must_keep_up(offered: float, good: float) -> None:
    """Ends the program if a rate far below the capacity is too much: what follows would measure other programs."""
    if good < KEEPING_UP * offered:
        sys.exit(
            f"The machine is too slow: {good:.0f} of {offered:.0f} moves per second were accepted within a second. "
            f"Measure while it is idle, or with a lower --rate."
        )


async def goodput_beside(
    others: Flood, requests: float, crowd: Crowd, server: Process, rate: float, seconds: float
) -> float:
    """The goodput beside so many requests a second of each of four kinds."""
    flooding = asyncio.create_task(others.run(requests))
    good = await goodput(crowd, server, rate, seconds)
    flooding.cancel()
    print(f"  sent {others.sent} of each kind; by then {others}")
    await others.end()
    half, most = (1000 * percentile(others.waits, share) for share in (0.5, 0.99))
    print(f"  in the end {others}; players were back in {half:.0f} ms, p99 {most:.0f} ms", flush=True)
    return good


async def goodput(crowd: Crowd, server: Process, rate: float, seconds: float) -> float:
    """The moves per second that were accepted within a second of their sending."""
    await play(crowd, server, rate, seconds)
    good = sum(took <= 1.0 for took in crowd.answered) / seconds
    half, most = (1000 * percentile(crowd.answered, share) for share in (0.5, 0.99))
    print(f"  goodput {good:.0f}/s; from sending to acceptance {half:.0f} ms, p99 {most:.0f} ms", flush=True)
    return good


def typical_frame(crowd: Crowd) -> bytes:
    """A typical message after a move."""
    frames = [player.latest for player in crowd.players if player.latest.startswith(HAPPENED)]
    frames = [frame for frame in frames if b'"phase":"take"' in frame] or frames
    return sorted(frames, key=len)[len(frames) // 2]


async def idle(tables: int, seconds: float) -> dict[str, float]:
    """Memory of a server whose players mostly think."""
    with tempfile.TemporaryDirectory() as data, mulligan(data) as server:
        crowd = Crowd(server.host, server.port)
        await crowd.take_seats(1)
        before = server.resident
        began = time.monotonic()
        await crowd.take_seats(tables)
        print(f"{tables} tables in play, {4 * tables} sockets, set up in {time.monotonic() - began:.1f} s")
        watch = Watch(server)
        await crowd.stay(seconds)
        figures = {"one table MB": before, "all tables MB": server.resident, "coach MB": server.coach}
        figures["kB a socket"] = (figures["all tables MB"] - before) * 1024 / (4 * tables)
        print(
            f"  resident {before:.0f} MB with one table, {figures['all tables MB']:.0f} MB with all: "
            f"{figures['kB a socket']:.1f} kB a socket, its share of the table included; "
            f"the coach {figures['coach MB']:.0f} MB; {watch}"
        )
        crowd.go()
    return figures


def start(runs: int) -> dict[str, list[float]]:
    """How soon a server without games listens, answers and has started, and the CPU time of it."""
    figures = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as data, mulligan(data) as server:
            moments = [(time.monotonic(), server.cpu)]
            for path in ("health", "ready"):
                while not answers(f"http://{server.host}:{server.port}/api/{path}"):
                    time.sleep(0.01)
                moments.append((time.monotonic(), server.cpu))
            figures.append([figure for moment, cpu in moments for figure in (moment - server.started_at, cpu)])
    medians = [statistics.median(of) for of in zip(*figures, strict=True)]
    print("start, median of {}: listens after {:.2f} s (CPU {:.2f} s), ".format(runs, *medians[:2]), end="")
    print("answers after {:.2f} s ({:.2f} s), has started after {:.2f} s ({:.2f} s)".format(*medians[2:]))
    return {what: medians[2 * nth : 2 * nth + 2] for nth, what in enumerate(("listens", "answers", "has started"))}


def answers(url: str) -> bool:
    """True if the answer is a success."""
    try:
        with urlopen(url):
            return True
    except HTTPError:
        return False


async def restart(tables: int) -> list[dict[str, Any]]:
    """How soon everyone is back after SIGKILL and after SIGTERM."""
    found = []
    with tempfile.TemporaryDirectory() as data:
        crowd = Crowd("127.0.0.1", 0)
        crowd.gather(tables)
        began = time.monotonic()
        entries = await asyncio.to_thread(write_past, crowd, Path(data))
        print(
            f"{tables} tables in the middle of a match, {entries / tables:.0f} entries in each log "
            f"(written in {time.monotonic() - began:.0f} s)"
        )
        server = Process(["-m", "mulligan", "serve", "--port", "0", "--data", data])
        crowd.port = server.port
        try:
            await asyncio.gather(*(player.connect() for player in crowd.players))
            await crowd.welcomed(crowd.players)
            for table in crowd.tables:
                table.is_full = True
            crowd.comes_back = True
            for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGTERM):
                crowd.welcome.clear()
                began = time.monotonic()
                await asyncio.to_thread(server.end, how)
                ended = time.monotonic() - began
                command = ["-m", "mulligan", "serve", "--port", str(server.port), "--data", data]
                server = await asyncio.to_thread(Process, command)
                said = time.monotonic() - began
                watch = Watch(server)
                with suppress(TimeoutError):
                    await crowd.welcomed(crowd.players)
                back = sorted(moment - began for moment in crowd.welcome.values())
                first, half, most, last = (percentile(back, share) for share in (0.0, 0.5, 0.99, 1.0))
                print(
                    f"{how.name}: {len(back)} of {4 * tables} back; ended after {ended:.1f} s, "
                    f"listening after {said:.1f} s, first back after {first:.1f} s, "
                    f"half {half:.1f} s, 99 of 100 {most:.1f} s, last {last:.1f} s; {watch}"
                )
                found.append({"how": how.name, "listening": said, "first": first, "half": half, "last": last})
                await play(crowd, server, tables / 2, 2.0)
            crowd.go()
        finally:
            server.end()
    return found


async def bots(tables: int, rate: float, seconds: float, thinkers: int, player: str) -> None:
    """Whether people wait while computer players think."""
    with tempfile.TemporaryDirectory() as data, mulligan(data) as server:
        crowd = Crowd(server.host, server.port)
        await crowd.take_seats(tables)
        print(f"{tables} tables of people, {rate:.0f} commands a second")
        await play(crowd, server, rate, seconds)
        others = Crowd(server.host, server.port)
        await others.let_computers_play(thinkers, player)
        print(f"and {thinkers} tables where four computer players ({player}) are on the move")
        await play(crowd, server, rate, seconds)
        print(f"  {others.messages / (seconds + 2):.0f} messages a second from those tables")
        others.go()
        crowd.go()


async def hints(runs: int) -> dict[str, dict[str, float]]:
    """CPU of the whole server for a choice of a person among three computer players, which play at once.

    In turn without a question, with a hint of the server's coach, and with the position alone, for a page that rates
    the moves itself. Medians in milliseconds; the last two are shares of the first one in the same run.
    """
    found = {}
    with tempfile.TemporaryDirectory() as data, mulligan(data, "--no-limits") as server:
        for game in ("play_nine", "nine_card"):
            table = Alone(Crowd(server.host, server.port), ADDRESSES[0])
            await table.sit(game)
            for question in QUESTIONS:
                await table.play(WARM_UP, question)
            rows = []
            for _ in range(runs):
                spent = []
                for question in QUESTIONS:
                    before = server.all_cpu
                    await table.play(CHOICES, question)
                    spent.append(1000 * (server.all_cpu - before) / CHOICES)
                rows.append((spent[0], spent[1] / spent[0], spent[2] / spent[0]))
                print("  {}: {:.2f} ms, with a hint × {:.2f}, with the position × {:.2f}".format(game, *rows[-1]))
            table.go()
            medians = [statistics.median(of) for of in zip(*rows, strict=True)]
            found[game] = dict(zip(("ms", "with a hint", "with the position"), medians, strict=True))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="How many people one server carries.")
    parser.add_argument("mode", choices=("moves", "overload", "idle", "start", "restart", "bots", "hints", "all"))
    parser.add_argument("--tables", type=int, default=0)
    parser.add_argument("--rate", type=float, default=0)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--flood", type=float, default=400)
    parser.add_argument("--thinkers", type=int, default=50)
    parser.add_argument("--player", default="greedy")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    allow_many_files()
    compile_first()
    print(f"{time.strftime('%Y-%m-%d %H:%M:%S')}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    figures: dict[str, Any] = {}
    if given.mode in ("moves", "all"):
        figures["moves"] = uvloop.run(moves(given.tables or 1000, given.rate or 3000, given.seconds, given.runs))
    if given.mode in ("overload", "all"):
        figures["overload"] = uvloop.run(
            overload(given.tables or 2000, given.rate or 3000, given.seconds, given.flood, given.runs)
        )
    if given.mode in ("start", "all"):
        figures["start"] = start(given.runs)
    if given.mode in ("restart", "all"):
        figures["restart"] = uvloop.run(restart(given.tables or 1000))
    if given.mode in ("bots", "all"):
        uvloop.run(bots(given.tables or 250, given.rate or 500, given.seconds, given.thinkers, given.player))
    if given.mode in ("hints", "all"):
        figures["hints"] = uvloop.run(hints(given.runs))
    if given.mode in ("idle", "all"):
        figures["idle"] = uvloop.run(idle(given.tables or 4000, given.seconds))
    if given.json:
        print(json.dumps(figures if given.mode == "all" else figures.get(given.mode)))


def compile_first() -> None:
    """Compiles what is not compiled yet: a server would play uncompiled at first, and then restart."""
    if not is_compiled():
        subprocess.run([sys.executable, "-m", "mulligan", "prepare"], check=True)


def allow_many_files() -> None:
    """Raises the limit of open files (one per socket) here and in the server, which inherits it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    main()
