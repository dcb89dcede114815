"""The list of all HTTP route handlers."""

from litestar.handlers import HTTPRouteHandler

from . import client, coach, engine_games, facts, games, manual, me, me_passkeys, score_cards, tables, ways

# The client's page answers to all paths that no other route has.
MODULES = (facts, engine_games, tables, me, me_passkeys, ways, games, coach, score_cards, manual, client)
HANDLERS = [thing for module in MODULES for thing in vars(module).values() if isinstance(thing, HTTPRouteHandler)]
