"""Work for several threads whose results come in the order of the items."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any


def in_order(work: Callable[[Any], Any], items: Iterable[Any], threads: int = 0) -> Generator[Any, None, None]:
    """Yields the results of the items in their order; at most four for each thread are under way.

    0 threads are one for each core.
    """
    threads = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        under_way: deque[Future[Any]] = deque()
        for item in items:
            under_way.append(pool.submit(work, item))
            if len(under_way) >= 4 * threads:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
