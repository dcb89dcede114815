"""The files of deploy/: the programs accept them, and they lead the players of a table to one server."""

import os
import re
import shutil
import subprocess
import threading
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle

import httpx
import pytest
import typer
import yaml
from postgres import free_port
from proxies import DEPLOY, haproxy_config, with_addresses

from mulligan.cli import server as cli
from mulligan.server.table.codes import LETTERS, ROUTE

pytestmark = pytest.mark.long
PLAYERS = ("/t/{}", "/ws/t/{}", "/api/tables/{}", "/api/tables/{}/hint", "/golf/t/{}", "/golf/ws/t/{}")
CODES = [f"{LETTERS[n % 28]}{LETTERS[n * 5 % 28]}{LETTERS[n * 11 % 28]}" for n in range(1, 24)]


def need(program):
    found = shutil.which(program, path="/usr/sbin:/usr/bin:/bin")
    if not found:
        missing = f"{program} is not installed; on Debian: apt-get install {program}"
        if os.environ.get("MULLIGAN_NEED_PROXIES") and program in ("haproxy", "nginx", "caddy"):
            pytest.fail(missing)
        pytest.skip(missing)
    return found


class Named(ThreadingHTTPServer):
    """A server that only says its name."""

    daemon_threads = True

    def __init__(self, name):
        super().__init__(("127.0.0.1", 0), Answer)
        self.name, self.is_ready, self.is_busy, self.is_gone = name, True, False, False
        self.address = f"127.0.0.1:{self.server_port}"


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.server.is_gone:  # a connection that was open
            self.close_connection = True
            return
        body = self.server.name.encode()
        refuses = not self.server.is_ready if self.path in ("/api/ready", "/api/tables") else self.server.is_busy
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(503 if refuses else 200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815

    def log_message(self, *_):
        pass


@pytest.fixture
def servers():
    servers = [Named("one"), Named("two")]
    for server in servers:
        threading.Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
    yield servers
    for server in servers:
        server.shutdown()
        server.server_close()


def haproxy(folder, port, addresses):
    (folder / "haproxy.cfg").write_text(haproxy_config(port, addresses), encoding="utf-8")
    return [need("haproxy"), "-db", "-f", folder / "haproxy.cfg"]


def nginx(folder, port, addresses):
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    text = re.sub(r".*ssl_certificate.*\n", "", text).replace("listen 443 ssl", f"listen 127.0.0.1:{port}")
    (folder / "mulligan.conf").write_text(with_addresses(text, addresses), encoding="utf-8")
    own = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {own} include {folder}/mulligan.conf; }}",
        encoding="utf-8",
    )
    return [need("nginx"), "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"]


def caddy(folder, port, addresses):
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    text = text.replace("golf.example.org {", f"http://127.0.0.1:{port} {{").replace(
        "health_interval 1s", "health_interval 100ms"
    )
    options = "{\n\tadmin off\n\tauto_https off\n}\n"
    (folder / "Caddyfile").write_text(options + with_addresses(text, addresses), encoding="utf-8")
    return [need("caddy"), "run", "--adapter", "caddyfile", "--config", folder / "Caddyfile"]


@contextmanager
def proxy(kind, folder, servers):
    """The proxy in front of the servers, once it answers."""
    port = free_port()
    command = kind(folder, port, [server.address for server in servers])
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "PATH": "/usr/sbin:/usr/bin:/bin"}
    with open(folder / "log", "wb") as log, subprocess.Popen(command, stdout=log, stderr=log, env=home) as process:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as http:
                while not answers(http):
                    assert process.poll() is None, (folder / "log").read_text(encoding="utf-8")
                yield http
        finally:
            process.terminate()


def answers(http):
    try:
        return all(http.get(path).text in ("one", "two") for path in ("/", "/t/BCD"))
    except httpx.TransportError:
        return False


@pytest.mark.parametrize("kind", [haproxy, nginx, caddy])
def test_the_players_of_a_table_reach_one_server_and_everybody_else_any(kind, tmp_path, servers):
    with proxy(kind, tmp_path, servers) as http:
        reached = Counter()
        for letters in CODES:
            assert len(letters) == ROUTE
            links = [path.format(letters + rest) for path, rest in zip(PLAYERS, cycle(["FGHJKL", "MNPQRS"]))]
            (name,) = {http.get(link).text for link in links}
            reached[name] += 1
        assert set(reached) == {"one", "two"}
        assert {http.get(f"/ws/w/BCDFGHJ{letter}").text for letter in LETTERS} == {"one", "two"}


@pytest.mark.parametrize("kind", [haproxy, caddy])
def test_a_server_that_is_not_ready_gets_nothing_new(kind, tmp_path, servers):
    with proxy(kind, tmp_path, servers) as http:
        servers[0].is_ready = False
        while {http.get(f"/t/{letters}FGHJKL").text for letters in CODES} != {"two"}:
            pass
        servers[0].is_ready = True
        while {http.get(f"/t/{letters}FGHJKL").text for letters in CODES} != {"one", "two"}:
            pass


def links():
    return [f"/api/tables/{letters}FGHJKL" for letters in CODES]


@pytest.mark.parametrize("kind", [haproxy, nginx, caddy])
def test_a_server_that_refuses_something_keeps_its_tables(kind, tmp_path, servers):
    """503 with `coach_busy` or `overloaded` is an answer: elsewhere it would move all tables of the server."""
    with proxy(kind, tmp_path, servers) as http:
        home = {link: http.get(link).text for link in links()}
        servers[0].is_busy = True
        for link in links() * 2:
            for answer in (http.get(link), http.post(f"{link}/hint", json={})):
                assert (answer.text, answer.status_code) == (home[link], 503 if home[link] == "one" else 200)
        servers[0].is_busy = False
        assert {link: http.get(link).text for link in links()} == home


@pytest.mark.parametrize("kind", [haproxy, nginx, caddy])
def test_while_a_server_drains_another_one_opens_the_new_tables(kind, tmp_path, servers):
    with proxy(kind, tmp_path, servers) as http:
        servers[0].is_ready = False
        while {http.post("/api/tables", json={}).text for _ in range(20)} != {"two"}:
            pass
        assert {http.post("/api/tables", json={}).status_code for _ in range(20)} == {200}


@pytest.mark.parametrize("kind", [haproxy, nginx, caddy])
def test_the_tables_of_a_server_that_is_gone_are_played_at_another(kind, tmp_path, servers):
    with proxy(kind, tmp_path, servers) as http:
        servers[0].is_gone = True
        servers[0].shutdown()
        servers[0].socket.close()
        assert {http.get(link).text for link in links()} == {"two"}


def test_the_options_in_the_files_exist():
    options = {option for parameter in serve_options() for option in parameter.opts}
    for file in DEPLOY.iterdir():
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")]
        used = [line for line in lines if "mulligan serve" in line or "ENTRYPOINT" in line or "command: [" in line]
        for option in re.findall(r"(?<![\w-])--[a-z-]+", " ".join(used)):
            assert option in options, f"{file.name}: {option}"


def serve_options():
    return typer.main.get_command(cli.app).commands["serve"].params


def test_both_files_for_caddy_differ_in_the_addresses_alone():
    one, other = ((DEPLOY / name).read_text(encoding="utf-8") for name in ("Caddyfile", "Caddyfile.compose"))
    text = one.replace("127.0.0.1:8001 127.0.0.1:8002", "server-one:8000 server-two:8000")
    assert text.partition("\n")[2] == other.partition("\n")[2]


UNITS = sorted(file.name for file in DEPLOY.glob("*.service"))
EXPOSED = 15  # tenths; systemd calls 0 to 20 "OK" or "SAFE", and nothing is better than 10 without a root of its own


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_gives_its_service_few_rights(unit):
    done = subprocess.run(
        [need("systemd-analyze"), "security", "--offline=true", f"--threshold={EXPOSED}", DEPLOY / unit],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "unrecognized option" in done.stderr:
        pytest.skip("this systemd-analyze reads no files")
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_runs_as_a_user_that_systemd_makes_and_may_compile(unit):
    text = (DEPLOY / unit).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for line in ("DynamicUser=yes", "NoNewPrivileges=yes", "CapabilityBoundingSet=", "ProtectSystem=strict"):
        assert line in lines
    (start,) = [line for line in lines if line.startswith("ExecStart=")]
    assert ("MemoryDenyWriteExecute=yes" in lines) is ("mulligan serve" not in start)
    for folder in re.findall(r"%S/(\S+)", start):
        assert f"StateDirectory={folder}" in lines


def test_no_container_has_rights_that_it_does_not_need():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    for name, service in services.items():
        assert (service["cap_drop"], service["security_opt"]) == (["ALL"], ["no-new-privileges:true"]), name
        assert not service.get("privileged"), name


def test_every_image_from_elsewhere_has_an_exact_version_and_can_be_pinned_to_a_digest():
    found = [(DEPLOY / name).read_text(encoding="utf-8") for name in ("compose.yaml", "Containerfile")]
    images = re.findall(r"^ *(?:image|PYTHON_IMAGE): (\S+)$", found[0], re.M)
    assert len(images) == 4
    for image in images:
        assert image == "mulligan" or re.fullmatch(r"\$\{[A-Z]+_IMAGE:-[a-z]+:\d+(\.\d+)+(-slim)?\}", image), image
    assert re.findall(r"^FROM (\S+)", found[1], re.M) == ["${PYTHON_IMAGE}"] * 2
    assert re.search(r"^ARG PYTHON_IMAGE=(\S+)", found[1], re.M)[1] in found[0]


def test_the_image_brings_the_manual_and_the_engine_for_browsers():
    """A server without them has no pages at /docs, and nobody plays on their device."""
    steps = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    assert "/opt/manual/bin/python tools/manual.py\n" in steps.partition("/opt/mulligan/bin/pip install")[0]
    (packages,) = re.findall(r"^ && /opt/manual/bin/pip install .*--constraint requirements.txt (.+) \\$", steps, re.M)
    pinned = re.findall(r"^([\w-]+)==", (DEPLOY.parent / "requirements.txt").read_text(encoding="utf-8"), re.M)
    assert set(packages.split()) <= set(pinned)
    assert "\nRUN mulligan prepare --browsers\n" in steps


def test_the_image_is_made_of_sources_alone():
    """What the checkout has built may be of other sources, or for another Python."""
    built = {"dist", "src/mulligan/client", "src/mulligan/prepared"}
    for name in (".gitignore", ".dockerignore"):
        lines = (DEPLOY.parent / name).read_text(encoding="utf-8").splitlines()
        assert built <= {line.rstrip("/") for line in lines}, name


def test_the_steps_of_the_page_restore_a_backup_into_a_folder_that_is_a_link(tmp_path):
    """As `/var/lib/mulligan` is, with `DynamicUser`."""
    page = (DEPLOY.parent / "docs" / "operations.md").read_text(encoding="utf-8")
    steps = page.partition("**To restore**")[2].partition("```console\n")[2].partition("```")[0]
    assert steps.count("\n") == steps.count("$ ") == 5
    for folder, file in ((tmp_path / "private", "games.sqlite"), (tmp_path / "backups", "golf.sqlite")):
        folder.mkdir()
        (folder / file).write_text(file, encoding="utf-8")
    (tmp_path / "private" / "games.sqlite-wal").write_text("later", encoding="utf-8")
    (tmp_path / "srv").symlink_to("private")
    script = (
        steps.replace("$ ", "").replace("/srv/mulligan", f"{tmp_path}/srv").replace("/backups", f"{tmp_path}/backups")
    )
    subprocess.run(["bash", "-ec", script.replace("systemctl", "true")], check=True)
    assert (tmp_path / "srv").is_symlink()
    assert {file.name: file.read_text(encoding="utf-8") for file in (tmp_path / "srv").iterdir()} == {
        "games.sqlite": "golf.sqlite"
    }
    assert {file.name for file in (tmp_path / "backups" / "before").iterdir()} == {"games.sqlite", "games.sqlite-wal"}


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_accepts_the_units(unit, tmp_path):
    """It finds fault with the missing program alone, which is not installed here."""
    text = (DEPLOY / unit).read_text(encoding="utf-8")
    for program in ("/opt/mulligan/bin/mulligan", "/usr/bin/litestream"):
        text = text.replace(program, "/bin/true")
    (tmp_path / unit).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [need("systemd-analyze"), "verify", tmp_path / unit], capture_output=True, text=True, check=False
    )
    assert unit not in done.stderr
