"""PostgreSQL for the tests: clusters of their own on loopback, which are stopped, killed and promoted as needed."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path

import psycopg
import pytest

TOOLS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
MISSING = "PostgreSQL is not installed; on Debian: apt-get install postgresql"
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",  # a killed process loses nothing; only a power cut would
    "shared_buffers": "16MB",
    "max_connections": "200",
    "wal_level": "replica",
    "hot_standby": "on",
    "log_min_messages": "fatal",
}
NAMES = count(1)


def need_postgres() -> None:
    """Skips the test without PostgreSQL, unless it is required."""
    if not TOOLS:
        if os.environ.get("MULLIGAN_NEED_POSTGRES"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def as_owner(*command: object) -> list[str]:
    """PostgreSQL refuses to run as root."""
    words = [str(word) for word in command]
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *words] if os.geteuid() == 0 else words


class Cluster:
    """One PostgreSQL server with its folder."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @classmethod
    def new(cls, **settings: str) -> "Cluster":
        """Makes an empty cluster and starts it."""
        cluster = cls(own_folder())
        run("initdb", "--no-sync", "--auth=trust", "--username=mulligan", "-E", "UTF8", "--locale=C", cluster.folder)
        cluster.start(**settings)
        return cluster

    def start(self, **settings: str) -> None:
        """Starts the server and waits until it answers."""
        options = [f"-c{name}={value}" for name, value in (SETTINGS | settings).items()]
        command = as_owner(TOOLS[-1] / "postgres", "-D", self.folder, f"-p{self.port}", *options)
        with open(self.folder.with_suffix(".log"), "ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        while True:
            with suppress(psycopg.OperationalError), psycopg.connect(self.address("postgres"), connect_timeout=5):
                return
            assert self.process.poll() is None, self.folder.with_suffix(".log").read_text(encoding="utf-8")

    def address(self, database: str) -> str:
        return f"postgresql://mulligan@127.0.0.1:{self.port}/{database}"

    def database(self) -> str:
        """Makes an empty database, and returns its address."""
        name = f"games_{os.getpid()}_{next(NAMES)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.address(name)

    def standby(self, port: int = 0, **settings: str) -> "Cluster":
        """Starts a copy that follows this cluster."""
        other = Cluster(own_folder(), port)
        source = f"host=127.0.0.1 port={self.port} user=mulligan application_name=standby"
        run("pg_basebackup", "--no-sync", "-R", "-c", "fast", "-X", "stream", "-d", source, "-D", other.folder)
        other.start(**settings)
        return other

    def promote(self) -> None:
        run("pg_ctl", "promote", "-w", "-D", self.folder)

    def kill(self) -> None:
        """SIGKILL to every process of the cluster."""
        if self.process:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        """Ends the cluster and removes its folder."""
        if self.process:
            self.process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.with_suffix(".log").unlink(missing_ok=True)


def own_folder() -> Path:
    """A new folder that belongs to the user who runs PostgreSQL."""
    folder = Path(tempfile.mkdtemp(prefix="mulligan-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    return folder


def run(tool: str, *arguments: object) -> None:
    done = subprocess.run(as_owner(TOOLS[-1] / tool, *arguments), capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, done.stderr


@cache
def shared_cluster() -> Cluster:
    """The cluster of this process's tests; `conftest.py` stops it at the end."""
    need_postgres()
    return Cluster.new()


def stop_shared_cluster() -> None:
    if shared_cluster.cache_info().currsize:
        shared_cluster().stop()
        shared_cluster.cache_clear()
