"""The public names: what README, docs and examples may use, with docstrings and types."""

import ast
import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest
from syntax import nodes_in

import mulligan
import mulligan.envs

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("tutorials/*.ipynb")]
EXAMPLES = sorted((ROOT / "docs/examples").glob("*.py"))
ENVS = {"Setup", "Table", "GolfVecEnv", "MOVES", "STOCK", "DISCARD", "DISCARD_DRAWN", "PASS"}
NAMES = {"mulligan": {*mulligan.PUBLIC, "envs", "gpu"}, "mulligan.envs": ENVS, "mulligan.gpu": {"DeviceTables"}}
CLASSES = [mulligan.Variant, mulligan.Hole, mulligan.Game, mulligan.Results, mulligan.Analysis]
FUNCTIONS = [found for name in mulligan.PUBLIC if inspect.isfunction(found := getattr(mulligan, name))]


def code_of(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")
    blocks = re.findall(r"^( *)```python\n(.*?)^ *```", text, re.S | re.M)
    return "\n".join(inspect.cleandoc(block) if indent else block for indent, block in blocks)


def used_in(code: str) -> set[tuple[str, str]]:
    """Each name of ours that a program uses, with its module."""
    found: set[tuple[str, str]] = set()
    for node in nodes_in(code):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mulligan"):
            found |= {(node.module or "", alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {("mulligan", alias.name.partition(".")[2]) for alias in node.names if "mulligan." in alias.name}
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in NAMES:
            found.add((ast.unparse(node.value), node.attr))
    return found


@pytest.mark.parametrize("page", [*PAGES, *EXAMPLES], ids=lambda page: page.name)
def test_what_people_are_shown_uses_public_names_alone(page: Path) -> None:
    used = used_in(page.read_text(encoding="utf-8") if page.suffix == ".py" else code_of(page))
    assert {(module, name) for module, name in used if name not in NAMES.get(module, set())} == set()


def test_pages_and_examples_show_most_of_them() -> None:
    used = {one for page in PAGES for one in used_in(code_of(page))}
    used |= {one for example in EXAMPLES for one in used_in(example.read_text(encoding="utf-8"))}
    assert len(used) > 15


def test_what_type_checkers_see_is_what_there_is() -> None:
    tree = ast.parse(Path(mulligan.__file__).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]
    assert {alias.name: node.module for node in imports for alias in node.names} == mulligan.PUBLIC


def test_a_name_that_there_is_not_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'birdie'"):
        mulligan.birdie  # noqa: B018


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_public_function_says_what_it_does(function: Any) -> None:
    assert inspect.getdoc(function)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_a_public_class_says_what_it_and_its_methods_do(kind: type) -> None:
    silent = [name for name, what in vars(kind).items() if is_method(what) and name[0] != "_" and not what.__doc__]
    assert inspect.getdoc(kind)
    assert silent == []


def is_method(what: Any) -> bool:
    return inspect.isfunction(what) or isinstance(what, (property, classmethod))
