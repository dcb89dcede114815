"""Which tests are long, and how hard Hypothesis looks: many more examples with --hypothesis-profile=long."""

import asyncio
import gc
import inspect
import os
import re
from contextlib import suppress
from functools import cache
from itertools import groupby, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import postgres
import pytest
from hypothesis import HealthCheck, settings

from mulligan.machine_code import cache_folder

# A test that keeps a processor busy for more than a second or two says so: by `pytestmark = pytest.mark.long` in its
# file, or in the conftest.py of a folder for all its files, or by the mark alone above it. Long tests run first, so
# that all processes end together, and not with --quick.
LONG = re.compile(r"^pytestmark = [^\]]*\bpytest\.mark\.long\b", re.MULTILINE)

os.environ.setdefault("MULLIGAN_THINK", "0")  # seconds; how `search` thinks is tested in test_search.py

os.environ["LC_ALL"] = "C.UTF-8"  # the commands speak the language of the system; here, English

# Nets that the user trained come before ours, so the tests get a cache without any. Compiled code stays where it is.
CACHE = TemporaryDirectory(prefix="mulligan-cache-")
if (kept := cache_folder()) and "PYTEST_XDIST_WORKER" not in os.environ:  # a worker has the cache of who started it
    with suppress(OSError):  # Windows allows no links to everyone
        Path(CACHE.name, "mulligan").symlink_to(kept.parent, target_is_directory=True)
        os.environ["MULLIGAN_CACHE"] = CACHE.name

settings.register_profile("daily", max_examples=25, derandomize=True, deadline=None, database=None)
settings.register_profile(
    "long", max_examples=2000, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("daily")


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="leave out the tests that take long")


@pytest.hookimpl(optionalhook=True)  # only where xdist runs
def pytest_xdist_auto_num_workers(config):
    waiting = 1 if config.getoption("--quick") else 4  # long tests wait more: for pages, processes and clocks
    return (os.cpu_count() or 1) + waiting


def pytest_ignore_collect(collection_path, config):
    """Files and folders in which everything is long are not even imported."""
    return (config.getoption("--quick") and is_long(collection_path)) or None


def pytest_itemcollected(item):
    if is_long(item.path.parent):
        item.add_marker("long")


def pytest_collection_modifyitems(config, items):
    """Gives every process some files of long tests first: each begins with a part of the list (--dist=worksteal).

    A file stays together: what its tests have in common, such as a cluster, is made once. So do most browser tests:
    an open page costs processor time as long as it is open, and the more of them, the longer that is.
    """
    if config.getoption("--quick"):
        items[:] = [item for item in items if not item.get_closest_marker("long")]
    with_long = {item.path for item in items if item.get_closest_marker("long")}
    long = [item for item in items if item.path in with_long]
    files = [list(tests) for _, tests in groupby(long, lambda item: item.path)]
    short = iter([item for item in items if item.path not in with_long])
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    ordered = []
    for process in range(count):
        part = (len(items) - len(ordered)) // (count - process)
        mine = [item for file in share(files, process, count) for item in file]
        ordered += [*mine, *islice(short, max(0, part - len(mine)))]
    items[:] = [*ordered, *short]


def share(items, nth, count):
    return items[len(items) * nth // count : len(items) * (nth + 1) // count]


@cache
def is_long(path):
    """Whether a file, or a folder by its conftest.py, says that all its tests are long."""
    source = path / "conftest.py" if path.is_dir() else path
    return source.suffix == ".py" and source.is_file() and bool(LONG.search(source.read_text(encoding="utf-8")))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Runs a test that is a coroutine in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keeps the collector out of what is imported and collected, which stays, and lets it run seldom elsewhere."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        gc.set_threshold(50_000, 20, 20)


def pytest_terminal_summary(terminalreporter):
    """What tests counted and is no fault, but should be seen (`record_property`)."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            terminalreporter.write_line(f"{name}: {value}.")


def pytest_sessionfinish():
    postgres.stop_shared_cluster()
