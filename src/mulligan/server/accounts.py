"""Guests: whoever comes is known by a random token in a cookie, and to the tables by its hash."""

import hashlib
import re
import secrets
from collections.abc import Mapping
from typing import NamedTuple

COOKIE = "mulligan_guest"
TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
SECONDS_KEPT = 400 * 24 * 3600  # what browsers allow at most


class Guest(NamedTuple):
    """`name` is what tables and logs know; `cookie` is the header to send to somebody new, or ""."""

    name: str
    cookie: str


def guest_of(cookies: Mapping[str, str], secure: bool) -> Guest:
    """Who comes with these cookies. Who has none, or a strange one, is a new guest."""
    token = cookies.get(COOKIE, "")
    if TOKEN.fullmatch(token):
        return Guest(name_of(token), "")
    token = secrets.token_urlsafe(24)
    attributes = f"Max-Age={SECONDS_KEPT}; Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")
    return Guest(name_of(token), f"{COOKIE}={token}; {attributes}")


def name_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
