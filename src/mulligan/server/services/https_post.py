"""One HTTPS request to an address that a stranger chose: to known hosts alone, and not into the server's own network.

The name is resolved here, all its addresses are checked, and the connection goes to one of these: a name that leads
elsewhere a moment later leads nowhere. No redirect is followed, and a slow or endless answer is cut off.
"""

import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import NamedTuple

PUSH_SERVICES = (  # of Chrome, Chromium, Firefox, Safari and Edge
    "fcm.googleapis.com",
    "jmt17.google.com",
    "*.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)
HTTPS = 443
SECONDS = 5.0  # for all of a request, also the resolving of the name
MOST_READ = 2048  # bytes of the answer
MOST_ADDRESSES = 4  # that are tried
LABEL = "[a-z0-9-]{1,63}"
URL = re.compile(rf'https://((?:{LABEL}\.)*{LABEL})(?::([0-9]{{1,5}}))?(/[!"$-\[\]-~]*)')  # no user, no fragment
STATUS = re.compile(rb"HTTP/1\.[01] ([0-9]{3})[ \r\n]")
RETRY_AFTER = re.compile(rb"\r\nretry-after:[ \t]*([^\r\n]*)\r\n", re.IGNORECASE)
NAT64 = ipaddress.ip_network("64:ff9b::/96")  # IPv4 addresses as a network of IPv6 alone shows them

resolvers = ThreadPoolExecutor(4, "resolver")  # to stop waiting for a name server that is silent


class Place(NamedTuple):
    """Where a request goes."""

    host: str
    port: int
    path: str  # with the query
    is_own: bool  # the operator named the host, which may be in the server's own network

    @property
    def origin(self) -> str:
        return f"https://{self.authority}"

    @property
    def authority(self) -> str:
        return self.host if self.port == HTTPS else f"{self.host}:{self.port}"


class Answer(NamedTuple):
    status: int
    retry_after: str  # the header, or ""


class ForbiddenPlace(OSError):
    """The reason why a request may not go where it should."""


def place_of(url: str, own_hosts: Collection[str] = ()) -> Place:
    """Returns where a URL leads. Raises ForbiddenPlace unless that is a push service, or a host of the operator.

    `own_hosts` are names, with a port unless it is that of HTTPS.
    """
    parts = URL.fullmatch(url)
    if not parts:
        raise ForbiddenPlace("not an address of a push service")
    host, port, path = parts[1], int(parts[2] or HTTPS), parts[3]
    place = Place(host, port, path, is_own=False)
    if place.authority in own_hosts:
        return place._replace(is_own=True)
    if port != HTTPS or not any(matches(host, service) for service in PUSH_SERVICES):
        raise ForbiddenPlace(f"{place.authority[:100]} is not a known push service")
    return place


def matches(host: str, service: str) -> bool:
    return host.endswith(service[1:]) if service.startswith("*") else host == service


def post(place: Place, headers: Mapping[str, str], body: bytes, context: ssl.SSLContext | None = None) -> Answer:
    """Sends a request and returns what its answer begins with. Raises OSError, ForbiddenPlace among others."""
    until = time.monotonic() + SECONDS
    with connected(place, addresses_of(place, until), context or usual_context(), until) as line:
        lines = {"Host": place.authority, "Content-Length": str(len(body)), "Connection": "close", **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        line.settimeout(left(until))
        line.sendall(f"POST {place.path} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body)
        return read(line, until)


def addresses_of(place: Place, until: float) -> list[str]:
    """Returns the addresses of a host. Raises OSError, and ForbiddenPlace if one of them is not public."""
    asked = resolvers.submit(socket.getaddrinfo, place.host, place.port, type=socket.SOCK_STREAM)
    addresses = [str(found[4][0]) for found in asked.result(left(until))]
    if not place.is_own and not all(map(is_public, addresses)):
        raise ForbiddenPlace(f"{place.host} leads to an address that is not public")
    return list(dict.fromkeys(addresses))[:MOST_ADDRESSES]


def is_public(text: str) -> bool:
    """True if an address belongs to a machine in the internet, outside of all private networks."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address in NAT64 or address.ipv4_mapped:
            address = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        elif address.sixtofour or address.teredo or address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def connected(place: Place, addresses: list[str], context: ssl.SSLContext, until: float) -> ssl.SSLSocket:
    """Connects to the first address that answers, whose certificate must be for the host. Raises OSError."""
    failure: OSError = ConnectionError(f"{place.host} has no address")
    for number, address in enumerate(addresses):
        try:
            raw = socket.create_connection((address, place.port), left(until) / (len(addresses) - number))
        except OSError as error:
            failure = error
            continue
        try:
            raw.settimeout(left(until))
            return context.wrap_socket(raw, server_hostname=place.host)
        except BaseException:
            raw.close()
            raise
    raise failure


def read(line: ssl.SSLSocket, until: float) -> Answer:
    """Reads the head of an answer. Raises OSError: ConnectionError unless it is one of HTTP, and others."""
    got = b""
    while b"\r\n\r\n" not in got and len(got) < MOST_READ:
        line.settimeout(left(until))
        piece = line.recv(MOST_READ - len(got))
        if not piece:
            break
        got += piece
    status, wait = STATUS.match(got), RETRY_AFTER.search(got)
    if not status:
        raise ConnectionError("the answer is not one of HTTP")
    return Answer(int(status[1]), wait[1].decode("latin-1").strip() if wait else "")


def left(until: float) -> float:
    """Returns the seconds that are left. Raises TimeoutError."""
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("no answer in time")
    return seconds


@cache
def usual_context() -> ssl.SSLContext:
    """Returns the authorities that this system trusts, which take long to read."""
    return ssl.create_default_context()
