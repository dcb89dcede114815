"""Which tests are long, and how hard Hypothesis looks: many more examples with --hypothesis-profile=long."""

import gc
import os
from functools import cache
from itertools import groupby, islice
from pathlib import Path

import postgres
import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent

# These take longer than five seconds each. They run first, so that all processes end together, and not with --quick.
LONG_FOLDERS = ("browser", "worlds")
LONG_TESTS = {
    "analysis", "arena", "calibration", "client", "compute", "deploy", "docs", "every_variant", "exact_turn", "exploit",
    "learn", "openspiel", "pad", "paths", "plain", "players", "rollouts", "scorecard", "search", "simulate",
    "terminal",
    "server_admin", "server_backup", "server_bots", "server_card", "server_cardboard", "server_coach", "server_copies",
    "server_drain", "server_floods", "server_http_fuzz", "server_installation", "server_kill", "server_live",
    "server_logs", "server_migrations", "server_move", "server_network", "server_overload", "server_postgres",
    "server_processes", "server_rights", "server_run", "server_start", "server_wall_clock",
}  # fmt: skip

os.environ.setdefault("MULLIGAN_THINK", "0")  # seconds; how `search` thinks is tested in test_search.py

os.environ["LC_ALL"] = "C.UTF-8"  # the commands speak the language of the system; here, English

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
    return (config.getoption("--quick") and is_long(collection_path)) or None


def pytest_collection_modifyitems(items):
    """Gives every process some files of long tests first: each begins with a part of the list (--dist=worksteal).

    A file stays together: what its tests have in common, such as a cluster, is made once. So do most browser tests:
    an open page costs processor time as long as it is open, and the more of them, the longer that is.
    """
    long = [item for item in items if is_long(item.path)]
    files = [list(tests) for _, tests in groupby(long, lambda item: item.path)]
    short = iter([item for item in items if not is_long(item.path)])
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
    folder = path.relative_to(HERE).parts[0] if path.is_relative_to(HERE) and path != HERE else ""
    return folder in LONG_FOLDERS or path.stem.removeprefix("test_") in LONG_TESTS


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is imported and collected stays, so nobody looks for garbage in it, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_sessionfinish():
    postgres.stop_shared_cluster()
    gc.unfreeze()
