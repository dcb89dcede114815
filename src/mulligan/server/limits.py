"""The server's limits: rate limits per address, and limits on simultaneous connections."""

import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

REMEMBERED = 10_000  # visitors; above this number the full buckets are forgotten
SHARE = 4  # a table has a quarter of what its address may do, once the address has used up all


@dataclass(frozen=True)
class Limits:
    """The limits of a server, far above the use of a class of forty or a club evening behind one address."""

    sockets: int = 20_000  # players and spectators, in total
    sockets_per_address: int = 500
    connections: int = 24_000  # of any kind, in total
    connections_per_address: int = 1_000
    credit: float = 2_000  # requests from one address at once; expensive ones count several times
    credit_per_second: float = 60
    messages: float = 4_000  # on all sockets from one address at once
    messages_per_second: float = 400
    tables: float = 60  # opened from one address at once
    tables_per_second: float = 1
    questions: float = 60  # to the coach from one address at once
    questions_per_second: float = 1
    guesses: float = 200  # codes of non-existent tables and games, from one address at once
    guesses_per_second: float = 5
    told: float = 20_000  # moves with real cards to follow, from one address at once
    told_per_second: float = 1_000
    kept: float = 20  # games with real cards kept from one address at once; compressed, they are small
    kept_per_second: float = 0.02
    tries: float = 5  # wrong come-back words from one address
    tries_per_second: float = 5 / 3600
    ways: float = 60  # push subscriptions taken or changed from one address at once
    ways_per_second: float = 0.1
    codes: float = 5  # sent to channels from one address, for one guest, or to one place
    codes_per_second: float = 5 / 3600
    puts_off: bool = field(default=True, kw_only=True)  # refuses requests that can wait while it is overloaded

    @classmethod
    def of(cls, people: int, per_address: int) -> "Limits":
        """Returns limits for a number of people, up to `per_address` behind one address; scales other limits."""
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
            guesses=usual.guesses * max(1.0, share),
            guesses_per_second=usual.guesses_per_second * max(1.0, share),
            told=usual.told * max(1.0, share),
            told_per_second=usual.told_per_second * max(1.0, share),
            kept=usual.kept * max(1.0, share),
            kept_per_second=usual.kept_per_second * max(1.0, share),
            tries=usual.tries * max(1.0, share),
            tries_per_second=usual.tries_per_second * max(1.0, share),
            ways=usual.ways * max(1.0, share),
            ways_per_second=usual.ways_per_second * max(1.0, share),
        )

    @classmethod
    def none(cls) -> "Limits":
        """Returns limits that are never reached, for measurements; moves are still put off in an overload."""
        most = 2**60
        return cls(most, most, most, most, *[math.inf] * 20, puts_off=False)


class Bucket:
    """A token bucket for one visitor, refilled over time."""

    __slots__ = ("left", "most", "per_second", "since")

    def __init__(self, most: float, per_second: float, now: float) -> None:
        self.left = self.most = most
        self.per_second = per_second
        self.since = now

    def take(self, now: float) -> bool:
        """Takes one token. Returns False if none is left."""
        self.left = min(self.most, self.left + max(0.0, now - self.since) * self.per_second)
        self.since = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Buckets:
    """A token bucket for each address, refilled over time.

    People at a table, and those who come with a right link, need not wait for a rude neighbour: what belongs to a table
    is taken from a bucket of the table at that address while the address's own one is empty.
    """

    def __init__(self, most: float, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.per_second = per_second
        self.clock = clock
        self.buckets: dict[str, tuple[float, float]] = {}

    @cached_property
    def shares(self) -> "Buckets":
        """The buckets of the tables at each address."""
        return Buckets(self.most / SHARE, self.per_second / SHARE, self.clock)

    def ask(self, address: str, cost: float = 1, table: str = "") -> float:
        """Takes tokens and returns 0, or returns the seconds until enough tokens are available."""
        if math.isinf(self.most):
            return 0
        now = self.clock()
        left = self.left(address, now)
        if left < cost:
            return self.shares.ask(share(address, table), cost) if table else (cost - left) / self.per_second
        if len(self.buckets) >= REMEMBERED and address not in self.buckets:
            self.forget(now)
        self.buckets[address] = (left - cost, now)
        return 0

    def wait(self, address: str, cost: float = 1, table: str = "") -> float:
        """Returns the seconds until enough tokens are available, without taking them."""
        if math.isinf(self.most):
            return 0
        left = self.left(address, self.clock())
        wait = (cost - left) / self.per_second if left < cost else 0
        return min(wait, self.shares.wait(share(address, table), cost)) if wait and table else wait

    def left(self, address: str, now: float) -> float:
        left, since = self.buckets.get(address, (self.most, now))
        return min(self.most, left + max(0.0, now - since) * self.per_second)

    def forget(self, now: float) -> None:
        """Frees memory: keeps the half with the emptiest buckets, and of these only buckets that are not full."""
        emptiest = sorted(self.buckets, key=lambda address: self.left(address, now))[: REMEMBERED // 2]
        self.buckets = {name: self.buckets[name] for name in emptiest if self.left(name, now) < self.most}


class Guesses(Buckets):
    """Limits wrong guesses at codes. The same guess again is free: a page and its socket ask for the same code."""

    def __init__(self, most: float, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(most, per_second, clock)
        self.latest: dict[str, str] = {}  # the last wrong guess of each address that has a bucket

    def miss(self, address: str, guess: str) -> float:
        """Counts a wrong guess, unless it is the address's last one again. Returns 0 or the seconds to wait."""
        if self.latest.get(address) == guess:
            return 0
        wait = self.ask(address)
        if not wait and address in self.buckets:
            self.latest[address] = guess
        return wait

    def forget(self, now: float) -> None:
        super().forget(now)
        self.latest = {address: guess for address, guess in self.latest.items() if address in self.buckets}


class Crowd:
    """Counts the current connections, in total and per address."""

    def __init__(self, most: int, most_per_address: int) -> None:
        self.most = most
        self.most_per_address = most_per_address
        self.inside: Counter[str] = Counter()
        self.all = 0

    def is_full(self, address: str) -> bool:
        return self.inside[address] >= self.most_per_address

    def enter(self, address: str, part: int = 1) -> bool:
        """Adds one connection. Returns False if a limit is reached, or this part of the address's limit."""
        if self.all >= self.most or self.inside[address] * part >= self.most_per_address:
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
    def visit(self, address: str, table: str = "") -> Iterator[bool]:
        """Yields True if there is room, at the table if not at the address, and counts the connection until the end."""
        place = share(address, table) if table and self.is_full(address) else address
        is_in = self.enter(place, SHARE if place != address else 1)
        try:
            yield is_in
        finally:
            if is_in:
                self.leave(place)


def share(address: str, table: str) -> str:
    """Returns the key of a table's share of an address's limits."""
    return f"{address} {table}"


@lru_cache(REMEMBERED)
def visitor(address: str) -> str:
    """Returns the key for an address's limits: the /64 network for IPv6, since one owner has all its addresses."""
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(number, ipaddress.IPv4Address):
        return str(number)
    if number.ipv4_mapped:
        return str(number.ipv4_mapped)
    return str(ipaddress.ip_network((int(number), 64), strict=False).network_address)
