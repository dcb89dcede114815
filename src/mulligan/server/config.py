"""Where the server listens, keeps its games, and finds the client."""

import socket
from dataclasses import dataclass, field
from pathlib import Path

from .limits import Limits

CLIENT = Path(__file__).parents[1] / "client"
EVERYWHERE = ("0.0.0.0", "::", "")
AT_HOME = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Config:
    host: str
    port: int
    data: Path
    client: Path = CLIENT
    names: tuple[str, ...] = ()  # it answers to besides this machine's own
    behind: tuple[str, ...] = ()  # proxies that are believed when they say who asks, by number or network
    limits: Limits = field(default_factory=Limits)

    @property
    def address(self) -> str:
        """The address to open on this machine."""
        return address("localhost" if self.host in EVERYWHERE else self.host, self.port)

    @property
    def lan_address(self) -> str:
        """The address for other devices in the same network, or "" where they cannot come in."""
        name = lan_name() if self.host in EVERYWHERE else "" if self.host in AT_HOME else self.host
        return address(name, self.port) if name else ""

    def base(self, scheme: str, host: str) -> str:
        """The address to put into a link for friends, where somebody came in by that one."""
        name = host.rsplit(":", 1)[0].strip("[]") if not host.endswith("]") else host.strip("[]")
        if name in AT_HOME and self.lan_address:
            return self.lan_address
        return f"{scheme}://{host}"


def address(name: str, port: int) -> str:
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def lan_name() -> str:
    """This machine's number in its network. No packet is sent to learn it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that is nobody's (RFC 5737)
            name = probe.getsockname()[0]
        except OSError:
            return ""
    return "" if name.startswith("127.") else name
