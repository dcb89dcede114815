"""Which file may know what: SQL is the store's alone, and the game knows no web framework."""

import ast
from pathlib import Path

import mulligan.server

FILES = sorted(Path(mulligan.server.__file__).parent.glob("*.py"))


def imported(file):
    """The packages a file imports from, by their first names."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def who_imports(package):
    return {file.name for file in FILES if package in imported(file)}


def test_only_the_store_sees_sql():
    assert who_imports("sqlite3") == {"store.py"}


def test_only_pages_and_their_frame_see_the_web_framework():
    assert who_imports("litestar") == {"app.py", "pages.py"}
    assert who_imports("uvicorn") == {"run.py", "wires.py"}


def test_the_table_and_its_commands_know_no_clock_no_dice_and_no_sockets():
    impure = {"asyncio", "time", "datetime", "random", "secrets", "os", "socket", "threading"}
    pure = {
        "table.py",
        "view.py",
        "commands.py",
        "play.py",
        "seats.py",
        "rights.py",
        "names.py",
        "entries.py",
        "pack.py",
    }
    for file in FILES:
        if file.name in pure:
            assert not imported(file) & impure, file.name
