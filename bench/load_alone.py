"""A person alone among computer players, for the load generator: who asks for hints, as its page does."""

import asyncio
import http.client
import json
import random

from load_crowd import PATIENCE, Crowd, Four, Glance, Player, look

PAGE = {"Content-Type": "application/json"}
COMPUTERS = [{"kind": "computer", "player": "greedy"}] * 3


class Alone(Four):
    """A table of one person and three computer players, who do not pause."""

    def __init__(self, crowd: Crowd, address: str) -> None:
        super().__init__(crowd, [address])
        self.has_news = asyncio.Event()

    async def sit(self, game: str) -> None:
        """Opens a table, and starts the match."""
        me = self.players[0]
        seats = [{"kind": "me", "name": "Ann"}, *COMPUTERS]
        self.code = await asyncio.to_thread(self.crowd.open_table, me, seats, "instant", game)
        await me.connect()
        await self.crowd.welcomed([me])
        await me.do("Start")

    def see(self, player: Player) -> None:
        self.has_news.set()

    async def turn(self) -> Glance:
        """Goes on until it is the person's turn."""
        me = self.players[0]
        while True:
            self.has_news.clear()
            seen = look(me.latest).view
            if seen.turn == 0:
                return seen
            if seen.turn is None:
                await me.do("Rematch" if seen.phase == "over" else "NextHole")
            else:
                await asyncio.wait_for(self.has_news.wait(), PATIENCE)

    async def play(self, choices: int, question: str) -> None:
        """Plays that many choices of the person, each after a question: `hint`, `position`, or none."""
        page = http.client.HTTPConnection(self.crowd.host, self.crowd.port, timeout=PATIENCE)
        for _ in range(choices):
            seen = await self.turn()
            if question:
                await asyncio.to_thread(self.ask, page, question)
            await self.players[0].do("Play", seat=0, move=random.choice(seen.legal))
        page.close()

    def ask(self, page: http.client.HTTPConnection, what: str) -> None:
        """Raises RuntimeError for a refusal."""
        cookie = {"Cookie": self.players[0].cookie}
        page.request("POST", f"/api/tables/{self.code}/{what}", json.dumps({"seat": 0}), PAGE | cookie)
        answer = page.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"no {what}: {body.decode()}")

    def go(self) -> None:
        if wire := self.players[0].wire:
            wire.transport.abort()
