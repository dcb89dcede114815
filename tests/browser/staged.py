"""A real table at which a test says what happens, so that a rare moment comes when it is wanted."""

import json
from typing import Any

from visiting import ME, deal, sit_and_start, target


class StagedTable:
    """The page's own words go to the server; what `tell` says comes to the page as if from there.

    What happens at the server's own table from then on, such as a computer player's move, is another story.
    """

    def __init__(self, page: Any, *others: dict[str, str], **wish: Any):
        self.page, self.begun = page, False
        page.route_web_socket("**/ws/**", self.connect)
        sit_and_start(page, ME, *others, **wish)
        deal(page)
        target(page, "a1").wait_for()

    def connect(self, socket: Any) -> None:
        self.socket = socket
        socket.connect_to_server().on_message(self.hear)

    def hear(self, text: str) -> None:
        message = json.loads(text)
        if "event" in message:
            if self.begun:
                return
            self.event, self.view = message["event"], message["view"]
        self.socket.send(text)

    def tell(self, *what: dict[str, Any], layouts: dict[int, str] | None = None, **changes: Any) -> None:
        """These events happen, and the view changes; a layout reads "? 7 3 ?", row by row."""
        self.begun = True
        for seat, layout in (layouts or {}).items():
            cards = [None if card == "?" else card for card in layout.split()]
            self.view["seats"][seat] |= {"layout": cards, "hidden": cards.count(None)}
        self.event += 1
        self.view |= changes
        self.socket.send(json.dumps({"is": "Happened", "event": self.event, "what": what, "view": self.view}))


def step(seat: int, phase: str, move: str, face: str | None, went: str | None = None, **more: Any) -> dict[str, Any]:
    return {
        "is": "Step", "seat": seat, "phase": phase, "move": move, "face": face, "went": went,
        "from_hidden": False, "closed": False, "renewed": False, "cleared": [],
    } | more  # fmt: skip
