"""The server's configuration: its address, and the folders of its data and pages."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mulligan.server.limits import Limits
from mulligan.server.rooms.housekeeping import KEEP_DAYS

CLIENT = Path(__file__).parents[2] / "client"  # created by hatch_build.py
INSTALLED_MANUAL = Path(__file__).parents[2] / "manual"
MANUAL = INSTALLED_MANUAL if INSTALLED_MANUAL.is_dir() else Path(__file__).parents[4] / "dist" / "docs"  # `make docs`
EVERYWHERE = ("0.0.0.0", "::", "")
AT_HOME = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Config:
    host: str
    port: int  # 0 for any free one
    data: Path
    client: Path = CLIENT
    manual: Path = MANUAL
    names: tuple[str, ...] = ()  # accepted host names besides this machine's own
    behind: tuple[str, ...] = ()  # trusted proxies, by address or network
    limits: Limits = field(default_factory=Limits)
    store: str = ""  # the address of a PostgreSQL database, instead of a file in the data folder
    must_exist: bool = False  # do not start without existing games
    base_path: str = ""  # such as /golf, before all paths
    keep_days: int = KEEP_DAYS  # without a visit, until a table is deleted
    contact: str = ""  # of the operator, for push services: a mailto: or https: address
    push_hosts: tuple[str, ...] = ()  # push services besides those of the browsers
    channels: Mapping[str, str] = field(default_factory=dict, repr=False)  # URLs of Apprise with passwords, by name
    is_managed: bool = True  # by `mulligan admin`, through a socket file

    @property
    def address(self) -> str:
        """The URL for this machine."""
        return address("localhost" if self.host in EVERYWHERE else self.host, self.port) + self.base_path

    @property
    def lan_address(self) -> str:
        """The URL for other devices in the same network, or "" if they cannot connect."""
        name = lan_name() if self.host in EVERYWHERE else "" if self.host in AT_HOME else self.host
        return address(name, self.port) + self.base_path if name else ""

    @property
    def push_contact(self) -> str:
        """Whom push services can turn to: by default the server's own address."""
        name = self.names[0].partition(":")[0] if self.names else ""
        return self.contact or (f"https://{name}" if "." in name else "mailto:nobody@example.org")

    def base(self, scheme: str, host: str) -> str:
        """Returns the base URL for links to share, given the host that the client used."""
        name = host.rsplit(":", 1)[0].strip("[]") if not host.endswith("]") else host.strip("[]")
        if name in AT_HOME and self.lan_address:
            return self.lan_address
        return f"{scheme}://{host}{self.base_path}"


def address(name: str, port: int) -> str:
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def lan_name() -> str:
    """Returns this machine's address in its network, without sending a packet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a reserved address (RFC 5737)
            name = probe.getsockname()[0]
        except OSError:
            return ""
    return "" if name.startswith("127.") else name
