"""The engine for pages: it is there without a network after one visit, and only its worker may compile it."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import CLIENT, Visit
from served import served, wait_until
from visiting import wait_until_kept

from mulligan.game import variants
from mulligan.machine_code import browser_layout
from mulligan.server.services import engine_games
from mulligan.server.services.engine_games import engine_game
from mulligan.server.web import static_files
from mulligan.server.web.static_files import ENGINE, Item, StaticFiles

MODULE = b"\0asm\1\0\0\0" + b"\0\5\4here"  # nothing but a section that says so
READ = """async (path) => {
  const answer = await fetch(path);
  return answer.ok ? Array.from(new Uint8Array(await answer.arrayBuffer())) : answer.status;
}"""
WORKER = b"""
WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => "compiled", (error) => error.name)
  .then(async (said) => postMessage([said, (await fetch("/api/facts")).status]));
"""
ASK = """(path) => new Promise((told) => {
  const worker = new Worker(path, { type: "module" });
  worker.onmessage = ({ data }) => told(data);
  worker.onerror = () => told("lost");
})"""


NEXT = "0123456789ab"  # the layout of the next version
# Looks for an update, and waits until it is installed, or has been given up.
UPDATE = """async () => {
  const registration = await navigator.serviceWorker.ready;
  navigator.serviceWorker.addEventListener("controllerchange", () => (window.taken = true));
  await registration.update().catch(() => {});
  const coming = registration.installing;
  if (coming) await new Promise((done) => coming.addEventListener("statechange", done, { once: true }));
}"""
STATES = """async () => {
  const { installing, waiting, active } = await navigator.serviceWorker.ready;
  return [installing, waiting, active].filter(Boolean).map(({ state }) => state);
}"""


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file that the server takes for the engine."""
    file = tmp_path / "built.wasm"
    file.write_bytes(MODULE)
    monkeypatch.setattr(static_files, "browser_engine", lambda: file)
    yield file
    static_files.read_engine.cache_clear()


def test_after_one_visit_the_engine_the_games_and_a_net_are_there_without_a_network(visit: Visit, engine: Path) -> None:
    last = variants.games()[-1]
    page = visit(installed=True)
    wait_until_kept(page, f"/api/engine/{last}")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    smallest = min(
        (size for game in variants.games() for size in engine_game(variants.load(game)).sizes),
        key=lambda size: size.net_bytes,
    )
    net = page.evaluate(READ, f"/{smallest.net}")
    assert len(net) == smallest.net_bytes
    page.evaluate(READ, f"/api/engine/{last}?chosen=jokers%3D-5&seats=2")
    wait_until_kept(page, f"/{smallest.net}")
    page.context.set_offline(True)
    page.goto("/pad")
    page.locator("main h1").wait_for()
    assert bytes(page.evaluate(READ, f"/{ENGINE}")) == MODULE
    for game in variants.games():
        told = page.evaluate("async (path) => (await fetch(path)).json()", f"/api/engine/{game}")
        assert [size["seats"] for size in told["sizes"]] == [*variants.load(game).seats]
    assert page.evaluate(READ, f"/{smallest.net}") == net
    (size,) = page.evaluate(
        "async (path) => (await fetch(path)).json()", f"/api/engine/{last}?chosen=jokers%3D-5&seats=2"
    )["sizes"]
    assert size["rules"] != told["sizes"][0]["rules"]
    page.context.set_offline(False)


def test_where_the_server_has_no_engine_the_app_is_kept_all_the_same(
    visit: Visit, engine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[None] = []
    monkeypatch.setattr(static_files, "browser_engine", lambda: asked.append(None))
    page = visit(installed=True)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    wait_until(lambda: asked)
    page.wait_for_timeout(500)
    assert page.evaluate("caches.match('/api/engine/play_nine').then(Boolean)") is False
    page.context.set_offline(True)
    page.goto("/pad")
    page.locator("main h1").wait_for()
    page.context.set_offline(False)


def test_an_update_waits_for_its_engine_and_records_and_the_open_tab_keeps_those_before(
    visit: Visit, engine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server's files are new at once; its other half comes a little later, as behind a proxy with two servers."""
    client, own = Path(shutil.copytree(CLIENT, tmp_path / "client")), "/api/engine/nine_card?chosen=jokers%3D-5&seats=2"
    with served(tmp_path / "games", client) as config:
        page = visit(base=f"http://127.0.0.1:{config.port}", installed=True)
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        page.evaluate(READ, own)
        for path in (*(f"/api/engine/{game}" for game in variants.games()), own, f"/{ENGINE}"):
            wait_until_kept(page, path)
        part = next((client / "assets").glob("Check-*.js"))
        script = (client / "sw.js").read_text(encoding="utf-8").replace(browser_layout(), NEXT)
        script = re.sub('VERSION = "[^"]+"', 'VERSION = "next"', script).replace(part.name, "next.js")
        (client / "sw.js").write_text(script, encoding="utf-8")
        part.rename(client / "assets/next.js")
        os.utime(client / "index.html", (1, 1))  # the server reads its files again
        page.evaluate(UPDATE)
        assert page.evaluate(STATES) == ["activated"]
        assert not page.evaluate("caches.has('shell-next')")
        page.context.set_offline(True)
        assert page.evaluate("async (path) => (await (await fetch(path)).json()).layout", own) == browser_layout()
        page.context.set_offline(False)
        monkeypatch.setattr(static_files, "ENGINE", f"engine-{NEXT}.wasm")
        monkeypatch.setattr(engine_games, "browser_layout", lambda: NEXT)
        page.evaluate(UPDATE)
        wait_until_kept(page, f"/engine-{NEXT}.wasm")
        page.wait_for_function("() => window.taken")
        page.context.set_offline(True)
        for path in (own, *(f"/api/engine/{game}" for game in variants.games())):
            assert page.evaluate("async (path) => (await (await fetch(path)).json()).layout", path) == NEXT
        for path in (f"/engine-{NEXT}.wasm", f"/{ENGINE}"):
            assert bytes(page.evaluate(READ, path)) == MODULE
        assert page.evaluate("(path) => fetch(path).then(({ ok }) => ok)", f"/assets/{part.name}")
        page.context.set_offline(False)


@pytest.mark.parametrize("name", ["engineWorker", "otherWorker"])
def test_only_the_worker_of_the_engine_compiles_webassembly(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path, find = f"assets/{name}-1a2b3c.js", StaticFiles.find
    item = Item(WORKER, "text/javascript", '"worker"', "no-store")
    monkeypatch.setattr(StaticFiles, "find", lambda self, asked: item if asked == path else find(self, asked))
    page = visit()
    assert page.evaluate(ASK, f"/{path}") == ["compiled" if name == "engineWorker" else "CompileError", 200]
    assert (
        page.evaluate("WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).catch(({ name }) => name)")
        == "CompileError"
    )
    said = [line for line in visit.complaints if "Content Security Policy" in line]
    visit.complaints[:] = [line for line in visit.complaints if line not in said]
