"""Which Chromium the tests use, and what they say of a slow one."""

import chromium
import pytest


@pytest.mark.parametrize(
    ("installed", "found", "is_slow"),
    [
        (("chromium", "chromium-headless-shell"), "/usr/bin/chromium-headless-shell", False),
        (("chromium",), "/usr/bin/chromium", True),
        ((), None, False),
    ],
)
def test_the_headless_shell_is_preferred_and_named_where_it_is_missing(monkeypatch, installed, found, is_slow):
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(chromium.shutil, "which", lambda name: f"/usr/bin/{name}" if name in installed else None)
    assert chromium.find() == found
    assert ("apt-get install chromium-headless-shell" in chromium.warning(found or "")) is (is_slow or found is None)


def test_a_browser_that_somebody_chose_is_nobodys_business(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "/opt/chrome")
    assert (chromium.find(), chromium.warning("/opt/chrome")) == ("/opt/chrome", "")
