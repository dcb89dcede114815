import asyncio
import traceback
from functools import wraps

import pytest
from served import Browser, served

from mulligan.server.store.postgres import PostgresStore


@pytest.fixture(autouse=True)
def no_event_loop_waits_for_a_database(monkeypatch):
    """It may answer after seconds, or not at all; a server that asks it in its event loop stands still until then."""
    waited = []

    def in_threads_only(work):
        @wraps(work)
        def checked(*arguments):
            if asyncio._get_running_loop():
                waited.append("".join(traceback.format_stack()[-6:-1]))
            return work(*arguments)

        return checked

    for name in ("connect", "leads", "reading"):
        monkeypatch.setattr(PostgresStore, name, in_threads_only(getattr(PostgresStore, name)))
    yield
    assert waited == []


@pytest.fixture(scope="session")
def client_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("client")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<!doctype html><title>Mulligan</title>" + " " * 2000, encoding="utf-8")
    (folder / "assets" / "index-1a2b3c.js").write_text("export {}", encoding="utf-8")
    (folder / "assets" / "engineWorker-1a2b3c.js").write_text("export {}", encoding="utf-8")
    (folder / "manifest.webmanifest").write_text("{}", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def server(tmp_path_factory, client_folder):
    with served(tmp_path_factory.mktemp("games"), client_folder) as config:
        yield config


@pytest.fixture
def ann(server):
    return Browser(server)


@pytest.fixture
def ben(server):
    return Browser(server)
