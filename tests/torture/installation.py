"""Several server processes behind HAProxy, over PostgreSQL with a synchronous standby: all that can be killed."""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import httpx
import psycopg
from killable import Killable, quiet_port
from postgres import Cluster
from proxies import haproxy_config

HAPROXY = Path("/usr/sbin/haproxy")


def is_ready(port: int) -> bool:
    """True if a server behind the proxy can take players."""
    try:
        return httpx.get(f"http://127.0.0.1:{port}/api/ready", timeout=5).status_code == 200
    except httpx.TransportError:
        return False


class Installation:
    """Its public port is `port`. Everything keeps its port through all its lives."""

    def __init__(self, folder: Path, processes: int, dice: random.Random, compiled: bool = False) -> None:
        self.folder = folder
        self.dice = dice
        self.port = quiet_port()
        self.proxy: subprocess.Popen[bytes] | None = None
        self.primary = Cluster.new()
        self.standby: Cluster | None = None
        name = self.primary.database().rpartition("/")[2]
        self.ports = self.primary.port, quiet_port()
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.ports)
        self.address = f"postgresql://mulligan@{hosts}/{name}?target_session_attrs=read-write"
        self.follow()
        with psycopg.connect(self.primary.address(name), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
            connection.execute("SELECT pg_reload_conf()")
        self.servers = [
            Killable(folder / str(number), 0, "--store", self.address, "--behind-proxy", "127.0.0.1", compiled=compiled)
            for number in range(processes)
        ]

    def follow(self) -> None:
        """Starts a standby of the present primary, on the port that is free."""
        (port,) = {*self.ports} - {self.primary.port}
        self.standby = self.primary.standby(port)

    def start(self) -> None:
        for server in self.servers:
            server.folder.parent.mkdir()
            server.start()
        self.start_proxy()

    # The proxy

    def start_proxy(self) -> None:
        addresses = [f"127.0.0.1:{server.port}" for server in self.servers]
        config = self.folder / "haproxy.cfg"
        config.write_text(haproxy_config(self.port, addresses), encoding="utf-8")
        with open(self.folder / "haproxy.log", "ab") as log:
            self.proxy = subprocess.Popen([HAPROXY, "-db", "-f", config], stdout=log, stderr=log)
        while not is_ready(self.port):
            assert self.proxy.poll() is None, (self.folder / "haproxy.log").read_text(encoding="utf-8")
            time.sleep(0.05)

    def kill_proxy(self) -> None:
        assert self.proxy is not None
        self.proxy.kill()
        self.proxy.wait()

    # The servers

    def kill_server(self) -> Killable:
        server = self.dice.choice(self.servers)
        server.kill()
        server.bury()
        return server

    def stop_server(self) -> Killable:
        server = self.dice.choice(self.servers)
        server.terminate()
        server.bury()
        return server

    # The database

    def fail_over(self) -> None:
        """The primary dies, its standby goes on, and a new standby follows that."""
        assert self.standby is not None
        dead, self.primary = self.primary, self.standby
        dead.kill()
        dead.stop()
        self.primary.promote()
        self.follow()

    def cut_database(self) -> None:
        """Ends every connection to the database, in the middle of whatever it does."""
        with psycopg.connect(self.primary.address("postgres"), autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )

    def freeze_database(self, seconds: float) -> None:
        """For a while the database answers nothing, and nobody is told."""
        assert self.primary.process is not None
        os.killpg(self.primary.process.pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.killpg(self.primary.process.pid, signal.SIGCONT)

    def complaints(self) -> list[str]:
        return [line for server in self.servers for line in server.complaints_so_far()]

    def end(self) -> None:
        for server in self.servers:
            server.end()
        if self.proxy is not None:
            self.kill_proxy()
        self.primary.stop()
        if self.standby:
            self.standby.stop()
