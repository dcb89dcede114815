"""Checks the host names that this server accepts, against DNS rebinding.

Another site could point its own name at this machine to be treated as ours. So a request must use this
machine's address, its name, or a configured name.
"""

import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from mulligan.server.services.ip_addresses import is_address

AT_HOME = ("local", "lan", "home", "home.arpa", "internal", "localdomain")  # top-level names that nobody can register
PORTS = {"http": 80, "https": 443}


def own_names(given: Collection[str]) -> frozenset[str]:
    """Returns all names of this machine in its local network, and the configured ones."""
    whole = plain(socket.gethostname())
    first = whole.partition(".")[0]
    machine = {whole, first} | {f"{first}.{end}" for end in AT_HOME} if whole else set()
    return frozenset({"localhost", *machine, *map(plain, given)})


def plain(name: str) -> str:
    return name.lower().removesuffix(".")


def split(host: str) -> tuple[str, int | None]:
    """Returns the name and port in a Host header. Raises ValueError if it is invalid."""
    parts = urlsplit(f"//{host}")
    if not host.isascii() or not parts.hostname or parts.netloc != host or parts.username is not None:
        raise ValueError(host)
    return plain(parts.hostname), parts.port


def is_ours(host: str, names: Collection[str]) -> bool:
    """True if the Host header names this machine. Plain addresses are safe from DNS rebinding."""
    try:
        name, _ = split(host)
    except ValueError:
        return False
    return name in names or name.endswith(".localhost") or is_address(name)


def is_name(text: str) -> bool:
    """True if the text is only a host name, with or without a port."""
    try:
        name, port = split(text)
    except ValueError:
        return False
    return plain(text) in (name, f"{name}:{port}") and not any(letter.isspace() for letter in text)


def is_own_page(origin: str, host: str, secure: bool, given: Collection[str]) -> bool:
    """True for an origin of ours: the name and port in the Host header, or a configured name.

    Proxies may change the Host header. A configured name allows only the default port, or the port given with it.
    """
    try:
        page = urlsplit(origin)
        name, port = split(page.netloc)
        asked, asked_port = split(host)
    except ValueError:
        return False
    if page.scheme not in PORTS or (secure and page.scheme != "https"):
        return False
    usual = PORTS[page.scheme]
    if name == asked and (port or usual) == (asked_port or usual):
        return True
    return (name in given and port in (None, usual)) or f"{name}:{port}" in given
