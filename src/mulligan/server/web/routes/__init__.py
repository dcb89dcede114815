"""The list of all HTTP route handlers."""

from litestar.handlers import HTTPRouteHandler

from . import client, coach, engine_games, facts, games, score_cards, tables

MODULES = (facts, engine_games, tables, games, coach, score_cards, client)  # the client's page answers to all others
HANDLERS = [thing for module in MODULES for thing in vars(module).values() if isinstance(thing, HTTPRouteHandler)]
