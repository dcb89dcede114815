import pytest
from served import Browser, served


@pytest.fixture(scope="session")
def client_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("client")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<!doctype html><title>Mulligan</title>" + " " * 2000, encoding="utf-8")
    (folder / "assets" / "index-1a2b3c.js").write_text("export {}", encoding="utf-8")
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
