"""Makes the pictures of the client in the browser, one of them a turn that moves, and that of the printed card.

The server's shuffle is always the same; the devices add their own numbers, so the cards differ.

.venv/bin/python tools/table_pictures.py [NAME…]
"""

import io
import sys
import time
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import ViewportSize, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from chromium import must_find
from played import COMPILING, advice, follow_coach, served, sit

from mulligan.game import variants
from mulligan.scorecard.order import order
from mulligan.scorecard.typeset import typeset

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
PHONE = (ViewportSize(width=390, height=844), 1.5)
LONG_PHONE = (ViewportSize(width=390, height=1100), 1.5)
DESKTOP = (ViewportSize(width=1440, height=900), 1)
HOLES, TURNS = 2, 4  # played before the picture is taken
FOUR = ("Ann", "Ben", "Cyd", "Dan")
SCORES = ((12, -3, 20, 8), (5, 11, -10, 17))  # of two holes; then Ann enters her cards
LYING = ["7", "3", "1", "2", "7", "6"]
MATCHES_KEPT = "Object.keys(localStorage).filter(key => key.startsWith('mulligan.match/'))"
MATCHES, SLIP = 5, 7  # for the statistics, and of so many moves one is the second best
SLOWNESS = 12  # of what moves while it is recorded
# Makes timers as slow as animations, so that the client waits for what moves.
SLOW_TIMERS = """
const later = setTimeout;
window.slowness = 1;
window.setTimeout = (act, wait = 0, ...more) => later(act, wait * window.slowness, ...more);
"""
POINTS = """seats => seats.map(seat => {
  const number = (part) => Number((seat.querySelector(part)?.innerText ?? "0").replace("−", "-"));
  return [seat.classList.contains("mine"), number(".total [aria-hidden]"), number(".so-far [aria-hidden]")];
})"""  # of each seat: whether it is that of this device, the points of the match, and those of the open cards
FIRST, HELD, LAST = 700, 900, 1_000  # milliseconds that the turn rests: before it, with the card in the hand, after it

LONGEST = 0.9  # seconds of a flight

Frames = list[tuple[Image.Image, int]]  # each with the milliseconds that it is shown


def main() -> None:
    chromium, wanted = must_find(), sys.argv[1:] or [*(name for name, *_ in SHOTS), "card"]
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, (viewport, scale), language, act in [shot for shot in SHOTS if shot[0] in wanted]:
            with served() as address:
                page = browser.new_page(
                    base_url=address,
                    viewport=viewport,
                    device_scale_factor=scale,
                    reduced_motion="reduce",
                    locale=language,
                    service_workers="block",
                )
                page.add_init_script(SLOW_TIMERS)
                page.goto("/")
                page.locator("main h1").first.wait_for()
                if frames := act(page, language):
                    write_moving(frames, name)
                else:
                    write(picture_of(page), name)
                page.close()
        browser.close()
    if "card" in wanted:
        (PICTURES / "card.png").write_bytes(typeset(order(variants.load("play_nine"), 4, FOUR, "en", "a4"), "png"))


def picture_of(page: Any, **where: Any) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot(**where))).convert("RGB")


def write(picture: Image.Image, name: str) -> None:
    """Writes a picture with 256 colours: the felt is dithered, which is invisible and makes PNG files large."""
    fewer = picture.quantize(256, dither=Image.Dither.NONE)
    fewer.save(PICTURES / f"{name}.png", optimize=True)


def write_moving(frames: Frames, name: str) -> None:
    """Writes what moves, once and not for ever, and the picture at rest with the card in the hand."""
    pictures, durations = zip(*frames, strict=True)
    file = PICTURES / f"{name}.webp"
    pictures[0].save(file, save_all=True, append_images=pictures[1:], duration=durations, loop=1, quality=60, method=3)
    write(max(frames[1:-1], key=lambda frame: frame[1])[0], name)


def play(page: Any, language: str) -> None:
    """Ann plays until she leads and it is her turn, and draws a card."""
    lead_at_turn(page)
    page.locator('button.legal[data-move="S"]').click()
    page.locator(".held.lifted").wait_for()


def lead_at_turn(page: Any) -> None:
    """Ann plays two holes, in a match that she then leads, and some turns; now she leads with the open cards too."""
    holes = turns = 0

    def is_there(page: Any) -> bool:
        nonlocal holes, turns
        holes += page.locator(".hole-result").count()
        drawing = bool(page.locator('button.legal[data-move="S"]').count())
        turns += drawing and holes >= HOLES
        return drawing and turns >= TURNS and leads(page)

    sit(page)
    while not follow_coach(page, is_there):
        holes = turns = 0
        sit(page)


def leads(page: Any) -> bool:
    """Whether Ann has fewer points than everyone else in the match, and still has with what lies open."""
    seats = page.locator(".seat").evaluate_all(POINTS)
    mine = next(points for is_mine, *points in seats if is_mine)
    others = [points for is_mine, *points in seats if not is_mine]
    return all(total > mine[0] and total + so_far > sum(mine) for total, so_far in others)


def turn(page: Any, language: str) -> Frames:
    """Ann draws a card and swaps it for one of hers."""
    lead_at_turn(page)
    while True:
        page.emulate_media(reduced_motion="no-preference")
        frames = [(clipped(page), FIRST), *moving(page, "S")]
        page.locator(".held.lifted").wait_for()
        frames.append((clipped(page), HELD))
        choice = advice(page)[0]
        if choice[0].isalpha() and choice[1:].isdigit():
            frames += moving(page, choice)
            return [*frames, (clipped(page), LAST)]
        page.emulate_media(reduced_motion="reduce")
        follow_coach(page, lambda page: bool(page.locator('button.legal[data-move="S"]').count()))


def moving(page: Any, move: str) -> Frames:
    """What is seen from a tap until no card flies any more; at most as long as one flight lasts."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWNESS})
    page.evaluate("slowness => { window.slowness = slowness; }", SLOWNESS)
    page.locator(f'button.legal[data-move="{move}"]').click(no_wait_after=True)
    page.locator(".flight").first.wait_for(state="attached")
    taken: list[tuple[float, Image.Image]] = []
    while page.locator(".flight").count() and (not taken or time.monotonic() - taken[0][0] < LONGEST * SLOWNESS):
        taken.append((time.monotonic(), clipped(page)))
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 1})
    page.evaluate("() => { window.slowness = 1; }")
    ends = [*(at for at, _ in taken[1:]), time.monotonic()]
    return [(picture, round((end - at) / SLOWNESS * 1000)) for (at, picture), end in zip(taken, ends, strict=True)]


def clipped(page: Any) -> Image.Image:
    """The piles, what is to do, and Ann's cards."""
    middle, mine = (page.locator(part).bounding_box() for part in (".middle", ".seat.mine"))
    left, top = (min(middle[side], mine[side]) for side in "xy")
    right = max(box["x"] + box["width"] for box in (middle, mine))
    bottom = max(box["y"] + box["height"] for box in (middle, mine))
    return picture_of(page, clip={"x": left, "y": top, "width": right - left, "height": bottom - top})


def keep(page: Any, language: str) -> None:
    """Four players enter the totals of two holes, then Ann enters most of her cards for the third."""
    page.goto("/pad")
    for seat, name in enumerate(FOUR):
        page.get_by_role("textbox").nth(seat).fill(name)
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator(".mode label").filter(has_text="Points").click()
    for points in (points for hole in SCORES for points in hole):
        page.keyboard.type(str(points))
        if page.locator(".keys button.next:enabled").count():
            page.keyboard.press("Enter")
    page.locator(".mode label").filter(has_text="Cards").click()
    for face in LYING:
        page.locator(f'[data-face="{face}"]').click()
    page.wait_for_timeout(600)


def learn(page: Any, language: str) -> None:
    """Someone answers the first task of the lesson well."""
    page.goto("/learn/play_nine")
    page.locator(".instruction").wait_for(timeout=COMPILING)
    task = page.request.get("/api/tutorial/play_nine").json()["ideas"][0]["tasks"][0]
    right = next(move for move in task["moves"] if move["right"])
    page.locator(f'button[data-move="{right["move"]}"]').click()
    page.locator(".instruction.good .answer").wait_for()


def agree(page: Any, language: str) -> None:
    """A family chooses how it plays six-card golf."""
    page.goto("/new")
    page.get_by_role("button", name="games").click()
    page.get_by_role("radio", name="Six-card golf").check(force=True)
    page.get_by_role("button", name="House rules").click()
    for option, value in (("Jokers", "−5"), ("After discarding", "Turn one up")):
        page.get_by_role("group", name=option, exact=True).get_by_role("radio", name=value, exact=True).check()
    page.get_by_role("group", name="Jokers", exact=True).scroll_into_view_if_needed()


def ask(page: Any, language: str) -> None:
    """Ann has drawn a card and asks the coach."""
    play(page, language)
    page.get_by_role("button", name="Hint", exact=True).click()
    page.locator(".hint li").first.wait_for(timeout=COMPILING)


def look_back(page: Any, language: str) -> None:
    """Ann has played a match, and reads what was luck in it."""
    finish(page, holes=3, slip=SLIP)
    page.wait_for_timeout(300)


def count(page: Any, language: str) -> None:
    """Ann has played some matches, and looks at all of them."""
    for _ in range(MATCHES):
        finish(page, holes=1, slip=0)
    page.goto("/stats")
    page.locator("svg[role=img]").first.wait_for()
    page.wait_for_timeout(600)


def finish(page: Any, holes: int, slip: int) -> None:
    """Ann plays a match, with `slip` now and then the second best move, and opens what the coach says of it."""
    sit(page, holes)
    follow_coach(page, lambda page: bool(page.locator(".won .winner, .won .place, .won h2").count()), slip=slip)
    page.wait_for_function(f"{MATCHES_KEPT}.length > 0")
    number = page.evaluate(f"{MATCHES_KEPT}.at(-1)")
    page.goto(f"/g/{number.partition('/')[2]}#story")
    page.locator(".story figure").first.wait_for(timeout=COMPILING)


SHOTS = [  # name, device, language, what happens before the picture is taken
    ("desktop", DESKTOP, "en", play),
    ("pad", PHONE, "en", keep),
    ("lesson", PHONE, "en", learn),
    ("house-rules", PHONE, "en", agree),
    ("hint", PHONE, "en", ask),
    ("story", LONG_PHONE, "en", look_back),
    ("statistics", LONG_PHONE, "en", count),
    *((f"phone-{language}", PHONE, language, play) for language in ("fr", "de", "ja")),
    ("turn-en", PHONE, "en", turn),
]

if __name__ == "__main__":
    main()
