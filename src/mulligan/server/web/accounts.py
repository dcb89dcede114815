"""Identifies guests by a random token in a cookie; tables and logs only store its hash."""

import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping
from typing import NamedTuple

COOKIE = "mulligan_guest"
SAFE_COOKIE = f"__Host-{COOKIE}"  # over https: browsers accept this name only from this host itself
TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
SECONDS_KEPT = 400 * 24 * 3600  # the maximum that browsers allow


class Guest(NamedTuple):
    """`name` is whom the device stands for; `cookie` is the header for a new guest, or ""."""

    name: str
    device: str  # the hash of the token, which is also the name of a guest with one device
    cookie: str


def guest_of(cookies: Mapping[str, str], secure: bool, base_path: str = "") -> Guest:
    """Returns the guest of these cookies, or a new guest if there is no valid token.

    Over https, the cookie from http is accepted if there is no secure one, and then replaced. Servers with
    other base paths have other cookies: browsers accept `__Host-` only without a path.
    """
    part = base_path.replace("/", ".")
    usual = COOKIE + part
    cookie = SAFE_COOKIE + part if secure else usual
    token = cookies.get(cookie, "")
    if TOKEN.fullmatch(token):
        return guest_with(token, "")
    token = cookies.get(usual, "")
    return new_guest(secure, base_path, token if TOKEN.fullmatch(token) else "")


def new_guest(secure: bool, base_path: str = "", token: str = "") -> Guest:
    """Returns a guest with a cookie for a token, by default a new one."""
    token = token or secrets.token_urlsafe(24)
    cookie = (SAFE_COOKIE if secure else COOKIE) + base_path.replace("/", ".")
    path = "/" if secure else base_path or "/"
    attributes = f"Max-Age={SECONDS_KEPT}; Path={path}; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")
    return guest_with(token, f"{cookie}={token}; {attributes}")


def guest_with(token: str, cookie: str) -> Guest:
    return Guest(name_of(token), name_of(token), cookie)


def cookies(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Returns the cookies in the headers."""
    pairs = [pair for name, value in headers if name == b"cookie" for pair in value.decode("latin-1").split(";")]
    return {name.strip(): value for name, _, value in (pair.partition("=") for pair in pairs)}


def name_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
