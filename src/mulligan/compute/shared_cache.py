"""Lets several processes fill the cache of compiled code at the same time.

Numba reads a function's index, adds an entry and writes the index. Two processes that do so at once may name the same
file for different code, so here only one at a time does.
"""

from functools import cache
from typing import Any

from mulligan.engine.compiled import has_hook
from mulligan.machine_code import cache_folder


@cache
def share_cache() -> None:
    """Locks a file while this process writes to the cache.

    Nothing changes on Windows, which has no such locks, and with a Numba that writes its cache in another way.
    """
    folder = cache_folder()
    try:
        import fcntl
    except ImportError:
        return
    if folder is None or not has_hook("numba.core.caching:IndexDataCacheFile.save"):
        return
    from numba.core.caching import IndexDataCacheFile

    save = IndexDataCacheFile.save

    def save_alone(self: Any, key: Any, data: Any) -> None:
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            save(self, key, data)

    IndexDataCacheFile.save = save_alone  # type: ignore[method-assign]
