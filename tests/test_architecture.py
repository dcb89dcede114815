"""The layers of the package: imports run downwards, and each outside library has its place."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
from syntax import nodes_in

from mulligan.game import shipped
from mulligan.machine_code import compiled_sources

PACKAGE = Path(__file__).parents[1] / "src/mulligan"
FILES = sorted(PACKAGE.rglob("*.py"))

# From the bottom up. A package may import what stands in a lower layer, and nothing of its own layer.
LAYERS = (
    {"file_locks", "folders", "machine_code", "program"},
    {"whole_files"},
    {"engine", "server.limits", "server.log", "server.overload", "server.processes", "server.store"},
    {"coach.findings", "compute", "game", "players.values", "server.admin", "server.first_start", "server.metrics"},
    {"players", "scorecard"},
    {"simulation", "terminal", "training", "server.wire"},
    {"coach", "envs", "server.table", "server.bots"},
    {"server.services", "server.bot_processes", "study", "gpu", "wasm"},
    {"server.rooms"},
    {"server.web"},
    {"cli"},
    {"__main__", "cli.research"},
)
RESEARCH = {"cli.research", "envs", "gpu", "study", "training"}  # one wing: nothing outside it needs it
LAYER_OF = {package: number for number, layer in enumerate(LAYERS) for package in layer}

# Inside `players`, from the bottom up. A file may import what stands on its own floor or lower.
FLOORS = (
    {"line_tables", "parts", "crossings", "equal_cards", "match_equity", "positions", "tastes"},
    {"expected_reveal", "crossing_lines", "quick_cost", "outlook", "after_close"},
    {"features", "net", "net_storage", "brain", "table_rows", "exchanges", "turn_rows", "value"},
    {"exact_turn", "net_turn", "look_ahead", "declining", "card_luck"},
    {"random", "greedy", "levels", "net_player", "search", "playouts"},
    {"roster", "net_files"},
)

# The modules of the engine, and those that each one imports.
ENGINE = {
    "compiled": set(),
    "rules": {"compiled"},
    "state": {"compiled", "rules"},
    "scoring": {"compiled", "rules", "state"},
    "chance": {"compiled", "rules", "state", "scoring"},
    "moves": {"compiled", "rules", "state", "chance", "scoring"},
    "replay": {"compiled", "rules", "state", "chance", "scoring", "moves"},
    "match": {"compiled", "rules", "state", "chance", "scoring", "moves"},
    "calls": {"compiled", "scoring", "moves", "replay"},
}
USERS = {  # the only files that import these libraries
    "numba": {"engine/compiled.py", "gpu/device.py", "wasm/linking.py", "wasm/wasm32.py"},
    "cupy": {"gpu/device.py"},
    "ray": {"compute/ray_cluster.py"},
    "jax": {"training/gpu_steps.py"},
    "sqlite3": {f"server/store/{name}.py" for name in ("sqlite", "backup", "copying", "moving_sqlite")},
    "uvicorn": {"server/web/run.py", "server/web/connections.py", "server/web/door.py", "server/web/request_ids.py"},
    "psycopg": {"server/store/postgres.py", "server/store/moving_postgres.py"},
    "prometheus_client": {"server/metrics.py"},
    "typst": {"scorecard/typeset.py"},
    "segno": {"server/web/routes/tables.py"},
}
INSIDE = {"h11", "litestar", "numba", "typer", "uvicorn", "websockets"}  # libraries whose insides we use or extend
IMPURE = {"asyncio", "time", "datetime", "random", "secrets", "os", "sys", "io", "pathlib", "socket", "threading"}


def name_of(file: Path) -> str:
    """`engine.state` for its file."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(module: str) -> str:
    """The longest entry of the layers that holds a module: `server.web` for `server.web.routes.client`."""
    parts = module.split(".")
    names = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((name for name in names if name in LAYER_OF), "")


@cache
def nodes_of(file: Path) -> list[ast.AST]:
    return nodes_in(file.read_text(encoding="utf-8"))


@cache
def imports_of(file: Path) -> set[str]:
    """Every module a file imports, wherever in it, under its full name."""
    package = file.relative_to(PACKAGE.parent).parent.parts
    found = set()
    for node in nodes_of(file):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (start, node.module) if part)
            inner = {f"{module}.{alias.name}" for alias in node.names if is_module(module, alias.name)}
            found |= inner | ({module} if len(inner) < len(node.names) else set())
    return found


def is_module(package: str, name: str) -> bool:
    place = PACKAGE.parent.joinpath(*package.split("."), name)
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()


def own(modules: set[str]) -> set[str]:
    """Our own modules among them, without the name of the package."""
    return {module.removeprefix("mulligan.") for module in modules if module.startswith("mulligan.")}


def test_every_module_has_its_layer() -> None:
    modules = {name_of(file) for file in FILES} - {"", "server"}
    assert {module for module in modules if not package_of(module)} == set()


@pytest.mark.parametrize("package", sorted(LAYER_OF))
def test_a_package_imports_only_from_lower_layers(package: str) -> None:
    for file in FILES:
        if package_of(name_of(file)) == package:
            others = {package_of(module) for module in own(imports_of(file))} - {package, ""}
            assert {other for other in others if LAYER_OF[other] >= LAYER_OF[package]} == set(), name_of(file)


def test_what_people_use_needs_nothing_of_what_is_for_researchers() -> None:
    for file in FILES:
        if name_of(file) and not is_in_research(name_of(file)):
            assert [module for module in own(imports_of(file)) if is_in_research(module)] == [], name_of(file)


def is_in_research(module: str) -> bool:
    return any(f"{module}.".startswith(f"{package}.") for package in RESEARCH)


def test_a_file_of_the_players_imports_from_its_floor_or_lower() -> None:
    files = {file.stem: file for file in (PACKAGE / "players").rglob("*.py") if file.stem != "__init__"}
    assert files.keys() == set().union(*FLOORS)
    for number, floor in enumerate(FLOORS):
        for name in sorted(floor):
            above = {file for other in FLOORS[number + 1 :] for file in other}
            used = {module.split(".")[-1] for module in own(imports_of(files[name])) if module.startswith("players.")}
            assert not used & above, name


def test_the_page_about_players_has_these_floors() -> None:
    page = (PACKAGE.parents[1] / "docs/players.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \|.*\| (.*) \|$", page, re.M)
    told = {int(floor): {name for name in re.findall(r"`(\w+)`", files)} for floor, files in rows}
    assert told == {number: floor for number, floor in enumerate(FLOORS, 1)}


def test_files_of_the_same_name_are_about_the_same_thing() -> None:
    """Then each of them uses another one, as a service its messages, or what uses it, as a command."""
    names = {file.stem for file in FILES if not file.stem.startswith("__")}
    for alike in ([file for file in FILES if file.stem == name] for name in sorted(names)):
        uses = {file: near(file) & {name_of(other) for other in alike} - {name_of(file)} for file in alike}
        used = set().union(*uses.values())
        apart = [name_of(file) for file in alike if not uses[file] and name_of(file) not in used]
        assert len(alike) == 1 or not apart, f"{apart[0]} shares its name with a file that it has nothing to do with"


def near(file: Path) -> set[str]:
    """Our modules that a file imports, and those that they import."""
    direct = own(imports_of(file))
    return direct.union(*(own(imports_of(other)) for other in FILES if name_of(other) in direct))


def test_no_import_runs_in_a_circle() -> None:
    needs = {f"mulligan.{name_of(file)}".rstrip("."): imports_of(file) for file in FILES}
    needs["mulligan"] = set()  # it imports a public name when it is asked for it
    done: set[str] = set()
    while len(done) < len(needs):
        ready = {name for name, modules in needs.items() if (modules & needs.keys()) - {name} <= done} - done
        assert ready, f"in a circle: {sorted(needs.keys() - done)}"
        done |= ready


def test_the_engine_has_these_modules_and_no_other() -> None:
    assert {file.stem for file in (PACKAGE / "engine").glob("*.py")} == {*ENGINE, "__init__"}


@pytest.mark.parametrize("module", ENGINE)
def test_a_module_of_the_engine_imports_those_below(module: str) -> None:
    modules = imports_of(PACKAGE / "engine" / f"{module}.py")
    below = {f"engine.{name}" for name in ENGINE[module]} | {"engine"}
    assert own(modules) <= below | ({"file_locks", "machine_code"} if module == "compiled" else set())
    foreign = {module.split(".")[0] for module in modules} - {"mulligan"} - set(sys.stdlib_module_names)
    assert foreign <= ({"numpy", "numba", "llvmlite"} if module == "compiled" else {"numpy"})


@pytest.mark.parametrize("library", USERS)
def test_a_library_is_imported_where_it_belongs(library: str) -> None:
    users = {file for file in FILES if library in {module.split(".")[0] for module in imports_of(file)}}
    assert {file.relative_to(PACKAGE).as_posix() for file in users} == USERS[library]


def test_a_library_whose_inside_we_use_has_an_upper_bound() -> None:
    private = {name for file in FILES for name in privately_imported(file)}
    assert private <= INSIDE
    project = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    requirements = project["dependencies"] + [one for extra in extras for one in extra]
    bounded = {re.split(r"[^\w-]", one)[0] for one in requirements if "<" in one}
    assert bounded >= INSIDE


def privately_imported(file: Path) -> set[str]:
    """The libraries of which a file imports something with a name that begins with an underscore."""
    found = set()
    for node in nodes_of(file):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [*node.module.split("."), *(alias.name for alias in node.names)]
            if any(name.startswith("_") and not name.endswith("__") for name in names):
                found.add(names[0])
    return found


def test_only_the_web_package_imports_the_web_framework() -> None:
    users = {package_of(name_of(file)) for file in FILES if any(m.startswith("litestar") for m in imports_of(file))}
    assert users == {"server.web"}


def test_engine_and_tables_use_no_clock_no_chance_no_files_and_no_sockets() -> None:
    """Everything they need is passed to them, so that a log replays to the same table."""
    for file in FILES:
        if package_of(name_of(file)) in ("engine", "server.table") and file.stem != "compiled":
            assert not imports_of(file) & IMPURE, name_of(file)


def test_the_cache_key_of_compiled_code_covers_all_that_is_compiled() -> None:
    """A compiled function may only use what comes from a file whose text is part of the key."""
    covered = compiled_sources()
    for file in covered:
        names = {
            node.id
            for function in nodes_of(file)
            if isinstance(function, ast.FunctionDef) and any(is_compiling(mark) for mark in function.decorator_list)
            for node in ast.walk(ast.Module(body=function.body, type_ignores=[]))
            if isinstance(node, ast.Name)
        }
        package = file.relative_to(PACKAGE.parent).parent.parts
        for node in nodes_of(file):
            if not isinstance(node, ast.ImportFrom):
                continue
            start = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (start, node.module) if part)
            for alias in node.names:
                if module.startswith("mulligan") and (alias.asname or alias.name) in names:
                    source = PACKAGE.parent.joinpath(*module.split("."))
                    sources = {source / f"{alias.name}.py", source / "__init__.py", source.with_suffix(".py")}
                    assert sources & covered.keys(), (file, module)


def is_compiling(mark: ast.expr) -> bool:
    return isinstance(mark, ast.Name) and mark.id.startswith("compiled")


def test_a_function_that_raises_says_so() -> None:
    """In its docstring: which exception, or `Raises …` where a variable holds it or another function makes it.

    Commands and routes are left out: their docstrings are help texts for users.
    """
    silent = []
    for file in FILES:
        if not any(isinstance(node, ast.Raise) for node in nodes_of(file)):
            continue
        for_users = package_of(name_of(file)) == "cli" or ".routes" in name_of(file)
        for function in outer_functions(file):
            if not (for_users and answers_users(function)):
                unnamed = raised_in(function) - set(re.findall(r"\w+", ast.get_docstring(function) or ""))
                silent += [f"{name_of(file)}.{function.name} does not say {error}" for error in sorted(unnamed)]
    assert silent == []


def outer_functions(file: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions of a file and the methods of its classes."""
    (module, *_) = nodes_of(file)
    assert isinstance(module, ast.Module)
    classes = [node.body for node in module.body if isinstance(node, ast.ClassDef)]
    nodes = [node for body in [module.body, *classes] for node in body]
    return [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def answers_users(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it is a command or a route."""
    marks = {ast.unparse(class_of(mark)).split(".")[-1] for mark in function.decorator_list}
    return bool(marks & {"command", "callback", "get", "post", "route"})


def raised_in(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """What a docstring must name: the exceptions that leave a function, not those of a function inside it."""
    nodes = list(ast.walk(function))
    inner = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.Lambda)]
    elsewhere = {node for other in inner if other is not function for node in ast.walk(other)}
    attempts = [node for node in nodes if isinstance(node, ast.Try)]
    caught = {node for one in attempts for part in one.body for node in ast.walk(part) if catches(one, node)}
    raised = [node.exc for node in nodes if isinstance(node, ast.Raise) and node not in elsewhere | caught]
    either = [
        part for error in raised for part in ([error.body, error.orelse] if isinstance(error, ast.IfExp) else [error])
    ]
    names = {ast.unparse(class_of(error)).split(".")[-1] for error in either if error}
    return {name if name[0].isupper() else "Raises" for name in names - {"AssertionError", "NotImplementedError"}}


def catches(attempt: ast.Try, node: ast.AST) -> bool:
    """Whether a handler of `try` names what is raised at a node."""
    if not isinstance(node, ast.Raise) or node.exc is None:
        return False
    handled = {
        name.id for one in attempt.handlers if one.type for name in ast.walk(one.type) if isinstance(name, ast.Name)
    }
    return ast.unparse(class_of(node.exc)) in handled


def class_of(error: ast.expr) -> ast.expr:
    """What is raised, without its arguments and without `.at(place)`, which returns the error itself."""
    while isinstance(error, ast.Call):
        error = error.func.value if isinstance(error.func, ast.Attribute) and error.func.attr == "at" else error.func
    return error


def test_no_function_is_longer_than_a_screen() -> None:
    """Without its signature, which has the options of a command, and without docstring, comments and blank lines."""
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        for function in nodes_of(file):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and "training" not in file.parts:
                first = function.body[1 if ast.get_docstring(function) and len(function.body) > 1 else 0]
                lines = [line.strip() for line in text.splitlines()[first.lineno - 1 : function.end_lineno]]
                count = sum(line != "" and not line.startswith("#") for line in lines)
                assert count <= 60, f"{name_of(file)}.{function.name} has {count} lines"


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


def test_the_engine_and_the_referee_load_no_interface():
    loaded = modules_after("import mulligan.game.referee, mulligan.simulation, mulligan.game.score_parts")
    assert not loaded & {"typer", "rich", "litestar", "msgspec", "uvicorn", "sqlite3"}


def test_no_code_names_a_variant() -> None:
    """What a variant is called and how it is shown stands in its file alone."""
    client = [file for file in (PACKAGE.parents[1] / "web/src").rglob("*") if file.suffix in (".ts", ".js", ".svelte")]
    ours = [file for file in client if "paraglide" not in file.parts]
    assert len(ours) > 100
    for file in [*FILES, *ours]:
        found = re.search("|".join(shipped.games()), file.read_text(encoding="utf-8"))
        assert found is None, f"{file}: {found[0]}"


def test_the_rules_stay_small() -> None:
    """Lines of code of the engine without `compiled` and `replay`: no blank ones, comments and docstrings."""
    lines = 0
    for module in ENGINE.keys() - {"compiled", "replay"}:
        tree = ast.parse((PACKAGE / "engine" / f"{module}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and ast.get_docstring(node):
                node.body[0] = ast.Pass()
        lines += sum(line.strip() != "pass" for line in ast.unparse(tree).splitlines() if line.strip())
    assert lines < 650
