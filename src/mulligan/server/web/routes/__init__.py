"""The list of all HTTP route handlers."""

from litestar.handlers import HTTPRouteHandler

from . import client, coach, facts, games, score_cards, tables

MODULES = (facts, tables, games, coach, score_cards, client)  # the client last: its page answers to any other path
HANDLERS = [thing for module in MODULES for thing in vars(module).values() if isinstance(thing, HTTPRouteHandler)]
