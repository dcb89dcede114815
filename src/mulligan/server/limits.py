"""How much one visitor, and all together, may ask of the server."""

import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

REMEMBERED = 10_000  # visitors; the full buckets among them are forgotten then


@dataclass(frozen=True)
class Limits:
    """What the server bears. A class of forty behind one address never meets any of these, nor does a club evening."""

    sockets: int = 20_000  # people at tables or watching, in all
    sockets_per_address: int = 500
    connections: int = 24_000  # of any kind, in all
    connections_per_address: int = 1_000
    credit: float = 2_000  # requests from one address in one go; what is costly counts for several
    credit_per_second: float = 60
    messages: float = 4_000  # on all sockets from one address in one go
    messages_per_second: float = 400
    tables: float = 60  # opened from one address in one go
    tables_per_second: float = 1
    questions: float = 60  # to the coach from one address in one go
    questions_per_second: float = 1

    @classmethod
    def of(cls, people: int, per_address: int) -> "Limits":
        """Limits for so many people, who may share one address by so many; all else grows with them."""
        usual = cls()
        share = per_address / usual.sockets_per_address
        return cls(
            sockets=people,
            sockets_per_address=per_address,
            connections=people + people // 5 + 2 * per_address,
            connections_per_address=2 * per_address,
            credit=usual.credit * max(1.0, share),
            credit_per_second=usual.credit_per_second * max(1.0, share),
            messages=usual.messages * max(1.0, share),
            messages_per_second=usual.messages_per_second * max(1.0, share),
            tables=usual.tables * max(1.0, share),
            tables_per_second=usual.tables_per_second * max(1.0, share),
            questions=usual.questions * max(1.0, share),
            questions_per_second=usual.questions_per_second * max(1.0, share),
        )

    @classmethod
    def none(cls) -> "Limits":
        """Nothing is too much: for measurements."""
        most = 2**60
        return cls(most, most, most, most, *[math.inf] * 8)


class Bucket:
    """What one visitor may still ask: a bucket that fills up again with time."""

    __slots__ = ("left", "most", "per_second", "since")

    def __init__(self, most: float, per_second: float, now: float) -> None:
        self.left = self.most = most
        self.per_second = per_second
        self.since = now

    def take(self, now: float) -> bool:
        """Whether there was one left."""
        self.left = min(self.most, self.left + (now - self.since) * self.per_second)
        self.since = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Buckets:
    """What each visitor may still ask: a bucket for every address, which fills up again with time."""

    def __init__(self, most: float, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.per_second = per_second
        self.clock = clock
        self.buckets: dict[str, tuple[float, float]] = {}

    def ask(self, address: str, cost: float = 1) -> float:
        """Seconds until the visitor may ask for that much, or 0 where it may be now."""
        if math.isinf(self.most):
            return 0
        now = self.clock()
        if len(self.buckets) >= REMEMBERED and address not in self.buckets:
            self.forget(now)
        left = self.left(address, now)
        if left < cost:
            return (cost - left) / self.per_second
        self.buckets[address] = (left - cost, now)
        return 0

    def left(self, address: str, now: float) -> float:
        left, since = self.buckets.get(address, (self.most, now))
        return min(self.most, left + (now - since) * self.per_second)

    def forget(self, now: float) -> None:
        """Makes room: only the half who asked for most are remembered, and of those nobody whose bucket is full."""
        emptiest = sorted(self.buckets, key=lambda address: self.left(address, now))[: REMEMBERED // 2]
        self.buckets = {name: self.buckets[name] for name in emptiest if self.left(name, now) < self.most}


class Crowd:
    """Who is inside: so many in all, and so many of each address."""

    def __init__(self, most: int, most_per_address: int) -> None:
        self.most = most
        self.most_per_address = most_per_address
        self.inside: Counter[str] = Counter()
        self.all = 0

    def enter(self, address: str) -> bool:
        """Lets one more in, unless it is full."""
        if self.all >= self.most or self.inside[address] >= self.most_per_address:
            return False
        self.inside[address] += 1
        self.all += 1
        return True

    def leave(self, address: str) -> None:
        self.all -= 1
        self.inside[address] -= 1
        if not self.inside[address]:
            del self.inside[address]

    @contextmanager
    def visit(self, address: str) -> Iterator[bool]:
        """Whether there is room; it is taken until the end."""
        is_in = self.enter(address)
        try:
            yield is_in
        finally:
            if is_in:
                self.leave(address)


def visitor(address: str) -> str:
    """Whom an address stands for: one of version 6 is one of 2**64 which its owner may use as he likes."""
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(number, ipaddress.IPv4Address):
        return str(number)
    if number.ipv4_mapped:
        return str(number.ipv4_mapped)
    return str(ipaddress.ip_network((int(number), 64), strict=False).network_address)
