"""Sees to the tables by turns: ends turns and knocks whose time is over, reminds people, goes on after a restart."""

import asyncio

from mulligan.server.store.knocks import knock_lapses, knocks_to_end
from mulligan.server.store.turns import NotedTurn, is_reminded, turns_to_see_to
from mulligan.server.store.ways import tells
from mulligan.server.table.rights import Refusal

from .registry import Registry


async def see_to_turns(registry: Registry) -> None:
    """Sees once to the tables of this process, and if it leads, to those of none. Raises StoreError."""
    for turn in await registry.ask(turns_to_see_to, registry.store):
        if await registry.is_ours(turn.code):
            await see_to(registry, turn)


async def see_to_knocks(registry: Registry) -> None:
    """Ends the knocks that nobody has answered. Raises StoreError."""
    for knock in await registry.ask(knocks_to_end, registry.store):
        if await registry.is_ours(knock.code):
            await asyncio.wrap_future(registry.store.put(knock_lapses(knock)))
            if live := registry.tables.get(knock.code):
                live.knocks.run_out(knock)


async def see_to(registry: Registry, turn: NotedTurn) -> None:
    if turn.guest and not turn.is_over:
        reminder = tells(turn.code, turn.guest, turn.number, "reminder")
        await asyncio.wrap_future(registry.store.put(is_reminded(turn) + reminder))
        registry.post.set()
        return
    try:
        if live := await registry.live_table(turn.code):
            await live.run_out(turn)
    except Refusal:  # its log is damaged, as was logged
        return
