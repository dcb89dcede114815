"""Imports run one way through the house."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1] / "src/mulligan"
FILES = sorted(HOUSE.rglob("*.py"))

# Each room of the ground floor, and the rooms it stands on.
ENGINE = {
    "compiled": set(),
    "rules": {"compiled"},
    "state": {"compiled", "rules"},
    "chance": {"compiled", "rules", "state"},
    "scoring": {"compiled", "rules", "state"},
    "moves": {"compiled", "rules", "state", "chance", "scoring"},
    "replay": {"compiled", "rules", "state", "chance", "scoring", "moves"},
    "match": {"compiled", "rules", "state", "chance", "scoring", "moves"},
}
ALWAYS_THERE = set(sys.stdlib_module_names)


def name_of(file: Path) -> str:
    """`mulligan.engine.state` for its file."""
    parts = file.relative_to(HOUSE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(file: Path) -> set[str]:
    """Every module a file imports, wherever in it, under its full name."""
    package = file.relative_to(HOUSE.parent).parent.parts
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (start, node.module) if part)
            found |= {module} | {f"{module}.{alias.name}" for alias in node.names if is_module(module, alias.name)}
    return found


def is_module(package: str, name: str) -> bool:
    place = HOUSE.parent.joinpath(*package.split("."), name)
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()


def own(modules: set[str]) -> set[str]:
    """The parts of our own house among them, without the house's name."""
    return {module.removeprefix("mulligan.") for module in modules if module.startswith("mulligan.")}


def test_the_engine_has_its_rooms_and_no_other():
    assert {file.stem for file in (HOUSE / "engine").glob("*.py")} == {*ENGINE, "__init__"}


@pytest.mark.parametrize("room", ENGINE)
def test_a_room_of_the_engine_stands_on_those_below(room):
    modules = imports_of(HOUSE / "engine" / f"{room}.py")
    assert own(modules) <= {f"engine.{below}" for below in ENGINE[room]} | {"engine"}
    foreign = {module.split(".")[0] for module in modules} - {"mulligan"} - ALWAYS_THERE
    assert foreign <= ({"numpy", "numba"} if room == "compiled" else {"numpy"})


def test_the_engine_neither_reads_nor_writes_nor_looks_at_the_clock():
    for room in ENGINE.keys() - {"compiled"}:
        modules = imports_of(HOUSE / "engine" / f"{room}.py")
        assert not modules & {"time", "datetime", "random", "os", "sys", "io", "pathlib", "json", "logging", "socket"}


def test_only_one_file_names_numba():
    assert [file.name for file in FILES if any(m.split(".")[0] == "numba" for m in imports_of(file))] == ["compiled.py"]


TOP_FLOOR = ("cli", "terminal", "server", "gym")
MIDDLE = (
    "variants",
    "notation",
    "game",
    "objections",
    "positions",
    "written",
    "referee",
    "explain",
    "rulebook",
    "tutorial",
    "inert",
    "players",
    "shelf",
    "simulate",
    "shuffle",
    "verify",
    "par",
    "rollouts",
    "reasons",
    "mistakes",
    "analysis",
    "advice",
    "solve",
    "learn",
    "scorecard",
)


@pytest.mark.parametrize("module", MIDDLE)
def test_the_middle_floor_knows_nothing_of_the_top(module):
    files = [file for file in FILES if name_of(file).split(".")[1:2] == [module]]
    assert files
    for file in files:
        rooms = {name.split(".")[0] for name in own(imports_of(file))}
        assert not rooms & {*TOP_FLOOR, "__main__"}, name_of(file)


def test_players_stand_on_the_engine_alone():
    for file in (HOUSE / "players").glob("*.py"):
        assert {name.split(".")[0] for name in own(imports_of(file))} <= {"engine", "players"}


def test_products_on_the_top_floor_do_not_know_each_other():
    for file in FILES:
        room = name_of(file).split(".")[1:2]
        if room and room[0] in TOP_FLOOR and room[0] != "cli":
            rooms = {name.split(".")[0] for name in own(imports_of(file))}
            assert not rooms & ({*TOP_FLOOR} - {room[0]}), name_of(file)


def test_no_import_runs_in_a_circle():
    """Within the floors below the top."""
    below = [file for file in FILES if name_of(file).split(".")[1:2] not in ([room] for room in TOP_FLOOR)]
    needs = {name_of(file): imports_of(file) - {name_of(file)} for file in below}
    done: set[str] = set()
    while len(done) < len(needs):
        ready = {name for name, modules in needs.items() if modules & needs.keys() <= done} - done
        assert ready, f"in a circle: {sorted(needs.keys() - done)}"
        done |= ready


def modules_after(statement: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", f"{statement}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.split(".")[0] for name in run.stdout.split()}


def test_importing_the_package_loads_nothing_heavy():
    assert not modules_after("import mulligan") & {"numpy", "numba", "typer", "rich", "litestar", "msgspec", "uvicorn"}


def test_the_engine_and_the_referee_load_no_shop_front():
    loaded = modules_after("import mulligan.referee, mulligan.simulate, mulligan.explain")
    assert not loaded & {"typer", "rich", "litestar", "msgspec", "uvicorn", "sqlite3"}


def test_no_variant_is_named_in_the_code_of_the_engine():
    for file in (HOUSE / "engine").glob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "play_nine" not in text
        assert "nine_card" not in text


def test_the_engine_stays_small():
    """Lines of code: without blank ones, comments and docstrings."""
    lines = 0
    for file in (HOUSE / "engine").glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and ast.get_docstring(node):
                node.body[0] = ast.Pass()
        lines += sum(line.strip() != "pass" for line in ast.unparse(tree).splitlines() if line.strip())
    assert lines < 600
