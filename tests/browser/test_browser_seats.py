"""What stands above a player's cards: name, points and marks are in sight, however long, on every screen."""

import json
from typing import Any

import pytest
from conftest import Visit
from test_browser_board import SCREENS, resize
from test_browser_steady import LONG
from visiting import COMPUTER, ME, NO_PAGE, deal, sit_and_start

FIGURES = [(124, -104), (20, 137), (-20, 280), (108, 99), (7, -137)]  # this hole so far, and the total

# Texts and signs above a seat that leave it, or of which a corner lies under something else.
HIDDEN = """
async () => {
  const found = [];
  const frame = () => new Promise(requestAnimationFrame);
  for (const seat of document.querySelectorAll(".board .seat")) {
    seat.scrollIntoView({ block: "nearest", inline: "center" });
    await frame(); // the arrows beside a row that scrolls
    await frame();
    const parts = [...seat.querySelectorAll("header :is(.name, .mark, .so-far, .total)")];
    const name = seat.querySelector(".name").innerText;
    const own = seat.getBoundingClientRect();
    const cards = seat.querySelector(".layout").getBoundingClientRect();
    for (const one of parts) {
      const range = document.createRange();
      range.selectNodeContents(one.querySelector("[aria-hidden]") ?? one);
      const { left, right, top, bottom, width } = range.getBoundingClientRect();
      const says = `${one.className} ${one.innerText.trim()} of ${name}`;
      if (!width || left < own.left || right > own.right || top < own.top - 1) found.push(`${says} leaves its seat`);
      else if (bottom > cards.top + 2) found.push(`${says} lies under the cards`);
      const at = (x) => [top + 3, bottom - 3].map((y) => document.elementFromPoint(x, y));
      if ([left + 1, right - 1].flatMap(at).some((there) => there && !seat.contains(there)))
        found.push(`${says} is covered`);
    }
    const boxes = parts.map((one) => one.getBoundingClientRect());
    const meet = (one, other) =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3;
    if (boxes.some((one, place) => boxes.slice(0, place).some((other) => meet(one, other))))
      found.push(`texts of ${name} meet`);
  }
  return found;
}
"""


def with_figures(text: str, marks: dict[str, Any]) -> str:
    """A message of the server with large figures, and with marks at the first opponent."""
    message = json.loads(text)
    view = message.get("view")
    if not view:
        return text
    for seat, player in enumerate(view["seats"]):
        player["so_far"], player["total"] = FIGURES[seat % len(FIGURES)]
        player["hidden"] = 1  # so that the points so far are shown
        if seat == 1:
            player["lent"] = marks["lent"]
    view["closer"] = marks["closer"]
    return json.dumps(message)


def at_a_table_with_large_figures(visit: Visit, game: str, others: int, marks: dict[str, Any]) -> Any:
    page = visit(NO_PAGE)

    def enlarge(socket: Any) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(with_figures(text, marks)))

    page.route_web_socket("**/ws/**", enlarge)
    names = [{"kind": "here", "name": name} for name in LONG[: others - 1]]
    sit_and_start(page, ME | {"name": LONG[-1]}, *names, COMPUTER, game=game)
    deal(page)
    return page


PLAIN, MARKED = {"lent": False, "closer": None}, {"lent": True, "closer": 1}


@pytest.mark.parametrize("marks", [PLAIN, MARKED], ids=["plain", "marked"])
@pytest.mark.parametrize(("game", "others"), [("nine_card", 2), ("nine_card", 4), ("four_card", 4), ("play_nine", 4)])
def test_whatever_stands_above_the_cards_is_in_sight(
    visit: Visit, game: str, others: int, marks: dict[str, Any]
) -> None:
    page = at_a_table_with_large_figures(visit, game, others, marks)
    for name, screen in SCREENS.items():
        resize(page, screen)
        assert (name, page.evaluate(HIDDEN)) == (name, [])
