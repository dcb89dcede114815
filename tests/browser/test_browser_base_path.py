"""Mulligan as one part of a site: nginx in front passes /golf on, and keeps or removes the path."""

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import CLIENT, Visit, cannot
from served import served
from visiting import FRIEND, ME, check_app, messages

WORDS = messages("en")

NGINX = shutil.which("nginx")
CONFIG = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/errors;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  map $http_upgrade $passed_on {{ default upgrade; '' close; }}
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $passed_on;
  server {{
    listen 127.0.0.1:{keeps};
    location / {{ return 404 "another part of the site"; }}
    location /golf/ {{ proxy_pass http://127.0.0.1:{port}; }}
  }}
  server {{
    listen 127.0.0.1:{removes};
    location / {{ return 404 "another part of the site"; }}
    location /golf/ {{ proxy_pass http://127.0.0.1:{port}/; }}
  }}
}}
"""


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The addresses of two sites, whose proxies keep and remove the path, and of the server itself."""
    if not NGINX:
        pytest.skip("No nginx here: apt-get install nginx-light.")
    if not (CLIENT / "index.html").exists():
        cannot("The client is not built: cd web && npm ci --ignore-scripts && npm run build")
    with served(tmp_path_factory.mktemp("games"), CLIENT, base_path="/golf") as config:
        ports = dict(zip(("keeps", "removes"), free_ports(2), strict=True))
        folder = tmp_path_factory.mktemp("nginx")
        written = folder / "nginx.conf"
        written.write_text(CONFIG.format(folder=folder, port=config.port, **ports), encoding="utf-8")
        proxy = subprocess.Popen([NGINX, "-p", folder, "-c", written, "-e", folder / "errors"])
        try:
            wait_for(ports["removes"], proxy, folder / "errors")
            yield {way: f"http://127.0.0.1:{port}" for way, port in (ports | {"server": config.port}).items()}
        finally:
            proxy.terminate()
            proxy.wait(10)


def free_ports(number: int) -> list[int]:
    listening = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [one.getsockname()[1] for one in listening]
    for one in listening:
        one.close()
    return ports


def wait_for(port: int, proxy: "subprocess.Popen[bytes]", errors: Path) -> None:
    while True:
        assert proxy.poll() is None, errors.read_text()
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return


@pytest.fixture(params=["keeps", "removes"])
def site(request: Any, sites: dict[str, str]) -> str:
    return sites[request.param]


def links(page: Any) -> list[str]:
    """Where the page's links and files lie."""
    return page.locator("a[href], img[src], link[href], script[src]").evaluate_all(
        "all => all.map(one => new URL(one.href || one.src).pathname)"
    )


def test_a_table_its_invitation_and_a_reload(visit: Visit, site: str) -> None:
    ann = visit("/golf", base=site)
    ann.get_by_role("button", name="Play", exact=True).wait_for()
    assert [link for link in links(ann) if not link.startswith("/golf/")] == []
    ann.get_by_role("button", name="Play", exact=True).click()
    ann.locator("main.table").wait_for()
    assert re.fullmatch(f"{site}/golf/t/[A-Z0-9]+", ann.url)
    ann.reload()
    ann.locator(".board .seat").first.wait_for()
    wish = {"game": "play_nine", "seats": [ME, FRIEND]}
    opened = ann.request.post("/golf/api/tables", data=wish).json()
    assert opened["link"] == f"{site}/golf/t/{opened['table']}"
    ann.goto(opened["link"])
    assert ann.locator("p.address").first.text_content() == opened["link"].removeprefix("http://")
    ben = visit(f"/golf/t/{opened['table']}", base=site)
    ben.get_by_label(WORDS["start_name"]).fill("Ben")
    ben.get_by_role("button", name=WORDS["join_sit"]).click()
    ann.get_by_text("Ben").first.wait_for()
    ben.get_by_role("link", name=WORDS["page_home"]).click()
    ben.wait_for_url(f"{site}/golf/")
    ben.go_back()
    ben.wait_for_url(opened["link"])


def test_the_score_pad_its_link_and_the_printed_card(visit: Visit, site: str) -> None:
    pad = visit("/golf/pad", base=site, permissions=["clipboard-read", "clipboard-write"])
    pad.get_by_role("button", name=WORDS["pad_begin"], exact=True).click()
    pad.wait_for_url(re.compile(f"^{site}/golf/pad/."))
    pad.reload()
    pad.wait_for_url(re.compile(f"^{site}/golf/pad/."))
    pad.get_by_role("button", name=WORDS["pad_menu"]).click()
    pad.get_by_role("button", name=WORDS["lobby_copy"], exact=True).click()
    link = pad.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{site}/golf/pad#")
    other = visit(link, base=site)
    other.get_by_role("heading", name=WORDS["pad_shared"]).wait_for()
    card = visit("/golf/card", base=site)
    card.locator("img[src^='/golf/api/card/']").wait_for()
    address = card.get_by_role("link", name=WORDS["card_download"]).get_attribute("href")
    assert card.request.get(site + address).headers["content-type"] == "application/pdf"


def test_a_deep_link_that_leads_nowhere_leads_home(visit: Visit, site: str) -> None:
    page = visit("/golf/nowhere", base=site)
    for path in ("/golf/t/NOTABLE99", "/golf/g/x-1", "/golf/learn/x/y"):
        answer = page.goto(path)
        assert answer.status == (404 if path.endswith("/y") else 200)
        page.get_by_role("link", name=WORDS["page_new_game"]).click()
        page.wait_for_url(f"{site}/golf/")
        page.get_by_role("button", name="Play", exact=True).wait_for()


def test_a_visitor_past_the_proxy_is_led_to_the_path(visit: Visit, sites: dict[str, str]) -> None:
    page = visit("/rules?game=play_nine#3.3", base=sites["server"])
    page.wait_for_url(f"{sites['server']}/golf/rules?game=play_nine#3.3")
    page.get_by_role("heading", level=1).wait_for()


def test_it_is_installed_below_the_path_and_opens_without_a_network(visit: Visit, site: str) -> None:
    page = visit("/golf/", base=site, installed=True)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller")
    assert page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)") == f"{site}/golf/"
    page.context.set_offline(True)
    page.goto(f"{site}/golf/pad")
    page.locator("main h1").wait_for()
    page.context.set_offline(False)
    page.reload()
    check_app(page, f"{site}/golf", "en")
