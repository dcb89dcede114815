"""The reference for the load: a server that plays nothing, but stores and sends what Mulligan does.

For each command it appends two entries, as long as those of a move, to a log in Mulligan's store, and once they are on
disk it answers with as many frames of the same size, through the same uvicorn with the same settings. The difference is
the cost of the game, its rules and its checks.

    python load_echo.py PORT FRAME FOLDER    FRAME is a file with one message as Mulligan sent it
"""

import asyncio
import itertools
import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from mulligan.server.store.opening import open_store
from mulligan.server.store.shared_sql import Store
from mulligan.server.web.run import listen, server_of

NUMBER = re.compile(r'"event":(\d+)')
codes = itertools.count()
events: dict[str, int] = defaultdict(int)
tables: dict[str, list[Any]] = defaultdict(list)
sample: list[str] = []  # what stands before and after the number in the frame
WHAT = re.compile(r'"what":\[(.*?)\],"view"')
entries: list[bytes] = []  # of each command
stores: list[Store] = []  # one


def main() -> None:
    text = Path(sys.argv[2]).read_text(encoding="utf-8").strip()
    before, _, after = NUMBER.split(text, maxsplit=1)
    sample[:] = before, after
    what = WHAT.search(text)
    assert what
    entries[:] = what[1].encode(), b'{"is":"Done","guest":"%s","id":"100000"}' % (b"0" * 22)
    stores.append(open_store(Path(sys.argv[3])))
    listening = listen("127.0.0.1", int(sys.argv[1]))
    print(f"Echo is at http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    server_of(app).run(sockets=[listening])


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        while (await receive())["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})
    elif scope["type"] == "http":
        code = f"{next(codes):06d}"
        await asyncio.wrap_future(stores[0].open_table(code, f"W{code}", "play_nine", 0.0, []))
        body = json.dumps({"table": code}).encode()
        await send({"type": "http.response.start", "status": 201, "headers": [(b"content-length", b"%d" % len(body))]})
        await send({"type": "http.response.body", "body": body})
    else:
        await echo(scope["path"], receive, send)


async def echo(code: str, receive: Any, send: Any) -> None:
    """One socket: a Welcome, then for every command an answer and a view for each player."""
    await receive()
    await send({"type": "websocket.accept"})
    await receive()
    await send({"type": "websocket.send", "text": frame(0).replace('"Happened"', '"Welcome"', 1)})
    tables[code].append(send)
    while (event := await receive())["type"] == "websocket.receive":
        command = json.loads(event.get("text") or event["bytes"])
        if "id" in command:
            events[code] += 1
            text = frame(events[code])
            await asyncio.wrap_future(stores[0].append(code, 2 * events[code] - 1, entries))
            for other in tables[code]:
                await other({"type": "websocket.send", "text": text})
            await send({"type": "websocket.send", "text": accepted(command["id"])})
        else:
            await send({"type": "websocket.send", "text": '{"is":"Pong","n":1}'})
    tables[code].remove(send)


def accepted(number: str) -> str:
    return json.dumps({"is": "Accepted", "id": number}, separators=(",", ":"))


def frame(number: int) -> str:
    return f'{sample[0]}"event":{number}{sample[1]}'


if __name__ == "__main__":
    main()
