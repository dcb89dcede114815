"""Measures how long matches take, and writes it where the client finds it: web/src/golf/lengths.json.

    python bench/minutes.py [--matches 60] [--seed 1] [--json]

The turns by simulation, all seats being those whom people play against (PLAYERS in turn); the seconds of a computer's
turn in a browser, at the pace that is called normal. How long people think is an assumption. bench/figures.py keeps the
result too, and writes the minutes into docs/games.md.
"""

import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np
from browser import PHONE, served
from chromium import must_find
from playwright.sync_api import Page, WebSocket, sync_playwright

from mulligan.engine.chance import many_dice
from mulligan.engine.replay import STEP
from mulligan.engine.state import Phase
from mulligan.game import variants
from mulligan.game.variants import Variant, for_seats
from mulligan.simulation import LOG_STEPS, TURN_LIMIT, blank_sheets, play_games, seat_players

FILE = Path(__file__).parents[1] / "web/src/golf/lengths.json"
PLAYERS = ("weekend", "regular", "club")
PERSON_SECONDS = 6  # of a person's turn: an assumption, no match of people has been timed
HOLE_SECONDS = 15  # of people between two holes, and to tee off: likewise

# Plays whatever is lit, at once, until the hole is over.
TAPS = """
() => setInterval(() => {
  const lit = [...document.querySelectorAll('button[data-move][aria-disabled="false"]')];
  (document.querySelector(".draw .next button") ?? lit.find(({ dataset }) => dataset.move === "S") ?? lit[0])?.click();
}, 50)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    games = {}
    for variant in map(variants.load, variants.games()):
        measured = [lengths(variant, seats, told.matches, told.seed) for seats in variant.seats]
        games[variant.name] = {"turns": [turns for turns, _ in measured], "most": [most for _, most in measured]}
    found = {"person": PERSON_SECONDS, "hole": HOLE_SECONDS, "computer": computer_seconds(), "games": games}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=None if told.json else 1))


def lengths(variant: Variant, seats: int, matches: int, seed: int) -> tuple[float, float]:
    """The turns of a seat in a hole, without teeing off before play, and the points of the last in a hole."""
    rules = for_seats(variant, seats).rules
    chairs, brain = seat_players(PLAYERS, rules, seats)
    sheets = blank_sheets(rules, matches, seats)
    log = np.zeros(matches * LOG_STEPS // 4, STEP)
    steps = play_games(rules, chairs, 0, many_dice(seed, matches), TURN_LIMIT, brain, sheets, log)
    assert steps <= len(log)
    points, _, _, played, counted, _ = sheets
    turns = np.count_nonzero(log["phase"][:steps] == Phase.TAKE) / seats / played.sum()
    most = (points.sum(axis=1).max(axis=1) / counted).mean()
    return round(float(turns), 2), round(float(most), 2)


def computer_seconds() -> float:
    """The seconds of a computer player's turn on a page, over a hole with three of them at normal pace."""
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=must_find(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(base_url=address, viewport=PHONE, locale="en")  # type: ignore[arg-type]
        turns = watched(page)
        browser.close()
    return round(statistics.mean(turns), 2)


def watched(page: Page) -> list[float]:
    """The seconds of each turn of a computer player, from the step before it to its last one."""
    turns: list[float] = []
    before = 0.0

    def note(frame: str | bytes) -> None:
        nonlocal before
        message, now = json.loads(frame), time.monotonic()
        for event in message.get("what", []) if message["is"] == "Happened" else []:
            if event["is"] == "Step" and event["seat"] and event["phase"] != "tee_off":
                if event["phase"] == "take":
                    turns.append(0.0)
                turns[-1] += now - before
        if message["is"] == "Happened":
            before = now

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", note)

    page.on("websocket", listen)
    computers = [{"kind": "computer", "player": player} for player in PLAYERS]
    seats = [{"kind": "me", "name": "Ann"}, *computers]
    wish = {"game": "play_nine", "seats": seats, "options": {"pace": "normal", "holes": 1}}
    table = page.request.post("/api/tables", data=wish).json()["table"]
    page.goto("/icon.svg")
    page.evaluate("code => sessionStorage.setItem('mulligan.start', code)", table)
    page.goto(f"/t/{table}")
    page.evaluate(TAPS)
    page.locator(".won").wait_for(timeout=600_000)
    return turns


if __name__ == "__main__":
    main()
