"""Work on a Ray cluster. Ray schedules the pieces and repeats those of a lost worker; here is only what it is asked."""

import logging
import os
import pickle
import platform
import socket
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

from .digests import program

SECONDS_TO_CONNECT = 5.0
PIECES_A_CORE = 4  # under way at a time
RETRIES = 10  # of a piece whose worker or machine was lost


class ClusterError(ValueError):
    pass


def compute(work: Any, todo: Iterable[tuple[int, Any]], on: str) -> Generator[tuple[int, bytes], None, None]:
    """Yields the number and result of each piece as it is done, in any order. Raises ClusterError."""
    with connected(on) as ray:
        yield from compute_with(ray, work, todo)


@contextmanager
def connected(on: str) -> Iterator[Any]:
    """Gives the module `ray`, connected until the end of the outermost block. Raises ClusterError."""
    ray = sys.modules.get("ray")
    if ray is not None and ray.is_initialized():
        yield ray
        return
    ray = connect(on)
    try:
        yield ray
    finally:
        ray.shutdown()


def compute_with(ray: Any, work: Any, todo: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, bytes]]:
    """Yields as `compute` does, over this connection. Raises ClusterError."""
    try:
        remote = ray.remote(num_cpus=1, max_retries=RETRIES)(compute_piece)
        sent, here = ray.put(pickle.dumps(work)), versions()
        most = PIECES_A_CORE * max(1, int(ray.cluster_resources().get("CPU", 1)))
        under_way: dict[Any, int] = {}
        for number, piece in todo:
            under_way[remote.remote(sent, here, piece)] = number
            if len(under_way) >= most:
                yield from finished(ray, under_way)
        while under_way:
            yield from finished(ray, under_way)
    except ray.exceptions.RayError as error:
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise ClusterError(f"The cluster could not compute a piece: {said[-1].strip()}") from None


def finished(ray: Any, under_way: dict[Any, int]) -> Iterator[tuple[int, bytes]]:
    """Waits for a piece. Raises ClusterError if a machine has other versions than this one."""
    done, _ = ray.wait(list(under_way))
    for task in done:
        result = ray.get(task)
        if isinstance(result, str):
            raise ClusterError(result)
        yield under_way.pop(task), result


def connect(on: str) -> Any:
    """Connects to the cluster and returns the module `ray`. Raises ClusterError."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", "1")  # else it tries for many minutes
    try:
        import ray
        import ray.exceptions
    except ModuleNotFoundError:
        raise ClusterError(f"--on {on} needs Ray; pip install '.[ray]' in a clone of Mulligan installs it.") from None
    address = on.removeprefix("ray://") if on != "ray" else "auto"
    if address != "auto":
        check_address(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError, AssertionError) as error:
        why = "has other versions than this machine" if "ersion mismatch" in str(error) else "cannot be used from here"
        raise ClusterError(
            f"The Ray cluster of --on {on} {why}; it has to be started with ray start, on this machine too."
        ) from None
    return ray


def check_address(address: str) -> None:
    """Raises ClusterError if nothing listens there, at once: Ray itself would try for long."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), SECONDS_TO_CONNECT).close()
    except (OSError, ValueError, OverflowError):
        raise ClusterError(
            f"No Ray cluster answers at {address}; its address is the one that ray start --head printed, "
            "usually with port 6379."
        ) from None


def versions() -> dict[str, str]:
    """What has to be the same everywhere for the same results."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {"Mulligan": program(), "Python": python, "NumPy": version("numpy"), "Numba": version("numba")}


def compute_piece(work: bytes, wanted: dict[str, str], piece: Any) -> bytes | str:
    """Runs on a worker. Returns a sentence in place of the result if this machine has other versions."""
    for name, found in versions().items():
        if found != wanted[name]:
            return f"The machine {platform.node()} of the cluster has {name} {found}, this one {wanted[name]}."
    return worker(work)(piece)


_worker: tuple[bytes, Any] = (b"", None)


def worker(work: bytes) -> Any:
    """The unpickled work; a worker keeps that of its last piece."""
    global _worker
    if _worker[0] != work:
        _worker = work, pickle.loads(work)
    return _worker[1]
