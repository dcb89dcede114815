"""Work in pieces: the same bytes wherever it runs, whatever is interrupted or lost."""

import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from secrets import token_hex

import minis
import numpy as np
import pytest
import strength_pieces

from mulligan import simulation
from mulligan.coach import analysis
from mulligan.compute import pieces, ray_cluster
from mulligan.compute.digests import digest_of
from mulligan.compute.journal import JournalError
from mulligan.engine.chance import many_dice
from mulligan.engine.state import STATE
from mulligan.game import variants
from mulligan.study.many_games import dice_of, simulate_on
from mulligan.training import parameters
from mulligan.training.course import Course
from mulligan.training.rival import rival_named
from mulligan.training.training_loop import Where, train

pytestmark = pytest.mark.long


os.environ |= {
    "RAY_AUTH_MODE": "token",  # Ray listens on every address
    "RAY_AUTH_TOKEN": token_hex(32),
    "RAY_health_check_period_ms": "500",  # finds a lost node sooner
    "RAY_health_check_timeout_ms": "1000",
    "RAY_health_check_failure_threshold": "2",
}
PLAY_NINE = variants.load("play_nine")
LONG_ENOUGH = {"games": 6_000}  # that a node can be lost in the middle


class Squares:
    facts = {"what": "squares"}  # noqa: RUF012

    def __init__(self, fails_at: int = -1) -> None:
        self.fails_at, self.computed = fails_at, 0

    def __call__(self, piece: int) -> bytes:
        if piece == self.fails_at:
            raise KeyboardInterrupt
        self.computed += 1
        return b"%d" % piece**2


def same(one: simulation.Results, other: simulation.Results) -> bool:
    sheets = ("chair", "points", "counted", "winners")
    return all(getattr(one, sheet).tobytes() == getattr(other, sheet).tobytes() for sheet in sheets) and (
        (one.moves, one.playoffs, one.abandoned) == (other.moves, other.playoffs, other.abandoned)
    )


@pytest.mark.parametrize("threads", [1, 3])
def test_results_come_in_the_order_of_the_pieces(threads):
    assert list(pieces.run(Squares(), range(50), threads=threads)) == [b"%d" % number**2 for number in range(50)]


def test_an_interrupted_run_goes_on_from_its_journal(tmp_path):
    journal = tmp_path / "squares.journal"
    with pytest.raises(KeyboardInterrupt):
        list(pieces.run(Squares(fails_at=30), range(50), threads=1, journal=journal))
    assert list(tmp_path.iterdir()) == [journal]
    with journal.open("ab") as file:
        file.write(b"\1\0\0\0half a piece")
    again, done = Squares(), []
    results = list(pieces.run(again, range(50), threads=1, journal=journal, progress=done.append))
    assert results == [b"%d" % number**2 for number in range(50)]
    assert 0 < again.computed < 50
    assert sorted(done) == list(range(50))
    assert not journal.exists()


def test_a_journal_of_another_run_is_refused_with_the_difference(tmp_path):
    journal = tmp_path / "squares.journal"
    with pytest.raises(KeyboardInterrupt):
        list(pieces.run(Squares(fails_at=3), range(5), threads=1, journal=journal))
    with pytest.raises(JournalError, match="of another run \\(pieces: 5, not 6\\)"):
        list(pieces.run(Squares(), range(6), journal=journal))
    journal.write_text("letters\n")
    with pytest.raises(JournalError, match="is not a journal"):
        list(pieces.run(Squares(), range(5), journal=journal))


def test_equal_states_are_the_same_for_a_journal_whatever_memory_lies_between_their_fields():
    """A later process has other bytes there."""
    one, other = (np.full(STATE.itemsize, filling, np.uint8).view(STATE) for filling in (0, 255))
    for name in STATE.names:
        other[name] = one[name]
    for name in one["players"].dtype.names:
        other["players"][name] = one["players"][name]
    assert one.tobytes() != other.tobytes()
    assert digest_of(one) == digest_of(other)
    other["players"]["points"][0, 0] += 1
    assert digest_of(one) != digest_of(other)


def test_two_runs_do_not_use_a_journal_at_the_same_time(tmp_path):
    journal = tmp_path / "squares.journal"
    running = pieces.run(Squares(), range(50), threads=1, journal=journal)
    next(running)
    with pytest.raises(JournalError, match=r"^Another process uses .*squares\.journal; wait until it is done"):
        next(pieces.run(Squares(), range(50), threads=1, journal=journal))
    assert len(list(running)) == 49
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("how", [{"games": 300}, {"holes": 700}], ids=["games", "holes"])
def test_games_in_pieces_are_the_games_of_simulate(how, tmp_path):
    whole = simulation.simulate(PLAY_NINE, 3, ["greedy", "random"], 5, **how)
    parts = simulate_on("local", PLAY_NINE, 3, ["greedy", "random"], 5, **how, journal=tmp_path / "journal")
    assert same(whole, parts)
    assert np.array_equal(dice_of(5, 20, 60), many_dice(5, 60)[20:])


def strength_run(holes: int) -> tuple[strength_pieces.Batches, list[strength_pieces.Batch]]:
    pair = strength_pieces.Piece("pair", "play_nine", 2, ("greedy", "threshold"))
    return strength_pieces.Batches([pair], 4, holes), list(strength_pieces.batches_of(pair, 4, holes))


def test_strength_plays_the_same_rows_in_any_number_of_threads():
    work, batches = strength_run(holes=30)
    assert [(batch.what, batch.size) for batch in batches] == [("holes", 4)] * 8 + [("games", 2)] * 8
    assert len({batch.seed for batch in batches}) == 8
    rows = list(pieces.run(work, batches, threads=1))
    assert rows == list(pieces.run(work, batches, threads=3))
    assert rows[8] == batches[8].piece.play("games", 2, 400, threads=1).tobytes()


def test_strength_refuses_a_machine_with_another_bench(monkeypatch):
    sent = pickle.dumps(strength_run(holes=30)[0])
    monkeypatch.setattr(strength_pieces, "sources_of_bench", lambda: "other")
    with pytest.raises(ValueError, match="of the cluster has another bench/ than this one"):
        pickle.loads(sent)


def test_an_unknown_place_is_told_the_known_ones():
    with pytest.raises(ValueError, match="local, ray and ray://HOST:PORT"):
        list(pieces.run(Squares(), range(5), on="mars"))


def test_without_ray_the_command_to_install_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ray_cluster.ClusterError, match=r"pip install '\.\[ray\]' in a clone"):
        list(pieces.run(Squares(), range(5), on="ray://127.0.0.1:6379"))


def test_a_cluster_that_does_not_answer_is_said_at_once():
    pytest.importorskip("ray")
    with pytest.raises(ray_cluster.ClusterError, match=r"No Ray cluster answers at 127\.0\.0\.1:9"):
        list(pieces.run(Squares(), range(5), on="ray://127.0.0.1:9"))


class Cluster:
    """Two nodes on this machine, with one core each."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="mr", dir="/tmp"))  # short, for the names of sockets
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.nodes: list[subprocess.Popen[bytes]] = []

    def start_nodes(self) -> None:
        quiet = ["--disable-usage-stats", "--include-dashboard=false", f"--temp-dir={self.folder}"]
        port = self.address.rpartition(":")[2]
        self.start("--head", f"--port={port}", *quiet)
        self.start(f"--address={self.address}")

    def start(self, *options: str) -> None:
        small = ("--num-cpus=1", "--object-store-memory=80000000", "--node-ip-address=127.0.0.1")
        workers = ("--min-worker-port=0", "--max-worker-port=0", "--include-log-monitor=false")
        ray = Path(sys.executable).with_name("ray")
        node = subprocess.Popen(
            [ray, "start", "--block", *small, *workers, *options],
            env=os.environ
            | {"RAY_USAGE_STATS_ENABLED": "0", "RAY_TMPDIR": str(self.folder), "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.nodes.append(node)
        assert node.stdout is not None
        told = []
        while b"Ray runtime started" not in b"".join(told[-1:]):
            told.append(node.stdout.readline())
            assert told[-1], b"".join(told).decode()

    def have_two_nodes(self) -> None:
        """Starts another node if the last one was killed."""
        if self.nodes[-1].returncode is not None:
            self.start(f"--address={self.address}")

    def kill(self, node: subprocess.Popen[bytes]) -> None:
        """Kills a node with all its processes."""
        os.killpg(node.pid, signal.SIGKILL)
        node.wait()

    def end(self) -> None:
        for node in self.nodes:
            if node.returncode is None:
                self.kill(node)
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(scope="module")
def cluster():
    pytest.importorskip("ray")
    if sys.platform == "win32":
        pytest.skip("Ray starts no clusters on Windows")
    running = Cluster()
    try:
        running.start_nodes()
        yield running
    finally:
        running.end()


def test_other_versions_on_the_cluster_are_named(cluster, monkeypatch):
    ours = ray_cluster.versions() | {"NumPy": "1.0"}
    monkeypatch.setattr(ray_cluster, "versions", lambda: ours)
    with pytest.raises(ray_cluster.ClusterError, match=r"of the cluster has NumPy .*, this one 1\.0\."):
        simulate_on(f"ray://{cluster.address}", PLAY_NINE, 2, ["random"], 1, holes=10)


def test_several_runs_use_one_connection(cluster, monkeypatch):
    place, connections = f"ray://{cluster.address}", []
    connect = ray_cluster.connect
    monkeypatch.setattr(ray_cluster, "connect", lambda on: connections.append(on) or connect(on))
    with pieces.connected(place):
        for _ in range(2):
            assert list(pieces.run(Squares(), range(5), place)) == [b"0", b"1", b"4", b"9", b"16"]
    assert connections == [place]


@pytest.mark.skipif(not os.environ.get("MULLIGAN_CLUSTER"), reason="make torture analyses on a cluster too")
def test_a_deep_analysis_on_a_cluster_is_the_same(cluster):
    one_hole = variants.for_match(PLAY_NINE, {"holes": 1})
    (record,) = simulation.records(one_hole, 2, ["greedy", "threshold"], 3, 1)
    there = analysis.analyse(record, deep=True, on=f"ray://{cluster.address}")
    assert there == analysis.analyse(record, deep=True)
    assert any(move.rollouts for hole in there.holes for seat in hole.seats for move in seat.moves)


@pytest.mark.skipif(not os.environ.get("MULLIGAN_CLUSTER"), reason="make torture trains on a cluster too")
def test_a_net_trained_on_a_cluster_that_loses_a_node_is_the_same(cluster):
    cluster.have_two_nodes()
    rules, done = minis.load("mini_columns").rules, []
    lay, rival = parameters.plan(rules, 2, 3), rival_named("greedy", rules, 2)

    def lose_a_node(share: float) -> None:
        done.append(share)
        if len(done) == 1:
            cluster.kill(cluster.nodes[-1])

    first, course = parameters.blank_numbers(rules, lay, 1), Course(rounds=3, loose=0.5, share=0.2)
    there = train(rules, lay, first, rival, course, lose_a_node, Where(f"ray://{cluster.address}", device="cpu"))
    assert there.tobytes() == train(rules, lay, first, rival, course, where=Where(device="cpu")).tobytes()
    assert done == pytest.approx([1 / 3, 2 / 3, 1])


def test_a_cluster_that_loses_a_node_gives_the_same_bytes(cluster, tmp_path):
    cluster.have_two_nodes()
    here = simulation.simulate(PLAY_NINE, 2, ["greedy"], 3, **LONG_ENOUGH)
    done = []

    def lose_a_node(games: int) -> None:
        done.append(games)
        if len(done) == 20:
            cluster.kill(cluster.nodes[-1])

    there = simulate_on(
        f"ray://{cluster.address}",
        PLAY_NINE,
        2,
        ["greedy"],
        3,
        **LONG_ENOUGH,
        progress=lose_a_node,
        journal=tmp_path / "journal",
    )
    assert same(here, there)
    assert sum(done) == 6_000
    assert cluster.nodes[-1].returncode is not None


@pytest.mark.skipif(not os.environ.get("MULLIGAN_CLUSTER"), reason="make torture loses a node in strength too")
def test_strength_on_a_cluster_that_loses_a_node_plays_the_same_rows(cluster, tmp_path):
    cluster.have_two_nodes()
    lost, done = cluster.nodes[-1], []

    def lose_a_node(batch: strength_pieces.Batch) -> None:
        done.append(batch)
        if len(done) == 2:
            cluster.kill(lost)

    work, batches = strength_run(holes=20_000)
    there = pieces.run(
        work, batches, f"ray://{cluster.address}", progress=lose_a_node, journal=tmp_path / "strength.journal"
    )
    assert list(there) == list(pieces.run(work, batches))
    assert len(done) == len(batches)
    assert lost.returncode is not None
