"""The names this server answers to.

A page of another site could get itself a name that leads to this machine (DNS rebinding), and would then be
taken for ours. So a request must be addressed to this machine by its number, by its name, or by one it was given.
"""

import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

AT_HOME = ("local", "lan", "home", "home.arpa", "internal", "localdomain")  # nobody can buy these
PORTS = {"http": 80, "https": 443}


def own_names(given: Collection[str]) -> frozenset[str]:
    """All names of this machine in its home network, and those it was given."""
    whole = plain(socket.gethostname())
    first = whole.partition(".")[0]
    machine = {whole, first} | {f"{first}.{end}" for end in AT_HOME} if whole else set()
    return frozenset({"localhost", *machine, *map(plain, given)})


def plain(name: str) -> str:
    return name.lower().removesuffix(".")


def split(host: str) -> tuple[str, int | None]:
    """The name and the port that a Host header gives. Raises ValueError for nonsense."""
    parts = urlsplit(f"//{host}")
    if not host.isascii() or not parts.hostname or parts.netloc != host or parts.username is not None:
        raise ValueError(host)
    return plain(parts.hostname), parts.port


def is_ours(host: str, names: Collection[str]) -> bool:
    """Whether the Host header names this machine. Nobody can lead its bare number elsewhere."""
    try:
        name, _ = split(host)
    except ValueError:
        return False
    return name in names or name.endswith(".localhost") or is_number(name)


def is_name(text: str) -> bool:
    """Whether it is the name of a host, and nothing else."""
    try:
        return split(text) == (plain(text), None) and not any(letter.isspace() for letter in text)
    except ValueError:
        return False


def is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_own_page(origin: str, host: str, secure: bool, given: Collection[str]) -> bool:
    """Whether a page of ours asks. A proxy may have left the port out of the name it was told of."""
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
    return name in given
