"""A temporary server with known cards, and someone who plays in the real client: for the pictures of Mulligan."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from mulligan.game import variants
from mulligan.game.notation import write_choice
from mulligan.server.rooms.registry import Registry
from mulligan.server.web.app import build
from mulligan.server.web.config import Config
from mulligan.server.web.run import listen, server_of

SEED = b"mulligan".ljust(32, b".")
COMPILING = 300_000  # milliseconds for the first hint
GAME = "play_nine"
COMPUTERS = ("Birdie", "Caddie", "Eagle")
ASKED = ".next button.first, button.legal"  # what one taps


@contextmanager
def served() -> Iterator[str]:
    """Yields the address of a temporary server with known cards."""
    with tempfile.TemporaryDirectory() as data:
        listening = listen("127.0.0.1", 0)
        config = Config("127.0.0.1", listening.getsockname()[1], Path(data))
        server = server_of(build(config, partial(Registry, seed=lambda: SEED)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield config.address
        finally:
            server.should_exit = True
            thread.join()


def sit(page: Any, holes: int = 9) -> None:
    """Ann opens a table with three computer players, and is there."""
    computers = ({"kind": "computer", "player": "regular", "name": name} for name in COMPUTERS)
    seats = [{"kind": "me", "name": "Ann"}, *computers]
    wish = {"game": GAME, "seats": seats, "options": {"pace": "instant", "holes": holes}}
    page.goto("/icon.svg")
    code = page.request.post("/api/tables", data=wish).json()["table"]
    page.evaluate("code => sessionStorage.setItem('mulligan.start', code)", code)
    page.goto(f"/t/{code}")


def follow_coach(page: Any, until: Callable[[Any], bool], slip: int = 0) -> bool:
    """Plays as the coach advises until that is so; with `slip`, each so many moves the second best one.

    Returns False if the match ended before.
    """
    moves = 0
    while True:
        page.locator(f"{ASKED}, .won").first.wait_for()
        if until(page):
            return True
        if page.locator(".won").count():
            return False
        if (on := page.locator(".next button.first")).count():
            on.click()
            on.wait_for(state="detached")
            continue
        choices = advice(page)
        if slip and moves % slip == slip - 1:
            choices = [*choices[1:], *choices[:1]]
        buttons = (page.locator(f'button.legal[data-move="{choice}"]') for choice in choices)
        if button := next((button for button in buttons if button.count()), None):
            button.first.click()
            moves += 1
        page.wait_for_timeout(60 if button else 1_000)  # the page is behind, or the coach was asked too soon


def advice(page: Any) -> list[str]:
    """The moves of Ann's turn, the best first; none if it is someone else's."""
    asked = f"/api/tables/{page.url.rpartition('/')[2]}/hint"
    hint = page.request.post(asked, data={"seat": 0}, timeout=COMPILING).json()
    return [write_choice(variants.load(GAME), one["code"]) for one in hint.get("moves", [])]
