"""Players read every rule, or have a reason not to: a new fact that they overlook is named here.

Nothing else would fail. Legal moves and scores come from the engine, so they still play by the rule, only badly.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

from mulligan.engine.rules import RULES

PACKAGE = Path(__file__).parents[1] / "src/mulligan"
FILES = {file.stem: file for folder in ("engine", "players") for file in (PACKAGE / folder).rglob("*.py")}
PLAYING = {("moves", name) for name in ("play", "advance", "turn_up", "is_legal", "legal_moves")}  # they know all rules

IN_HOLES = {
    "least_seats": "the state has the seats",
    "most_seats": "the state has the seats",
    "closer_starts": "it is about the next hole",
    "playoff": "a tie is a share of a win in either way",
}
IGNORED = {  # what each way of thinking does without, and why
    "net_turn": IN_HOLES | {"copies": "the state counts the cards not yet seen"},
    "look_ahead": IN_HOLES
    | {
        "tee_off_before_play": "it judges its own layout, not who moves next",
        "has_last_turns": "it closes by its own points, as people do",
        "ties_beat_closer": "it guesses how many end lower, and does not count to a stroke",
    },
}


@cache
def functions_of(module: str) -> dict[str, tuple[set[str], set[tuple[str, str]]]]:
    """By function: the facts it reads, and the functions it uses, each by module and name."""
    tree = ast.parse(FILES[module].read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    places = {function.name: (module, function.name) for function in functions}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            places |= {one.asname or one.name: (node.module.split(".")[-1], one.name) for one in node.names}
    found = {}
    for function in functions:
        nodes = list(ast.walk(function))
        read = {one.attr for one in nodes if isinstance(one, ast.Attribute) and ast.unparse(one.value) == "rules"}
        used = {places[one.id] for one in nodes if isinstance(one, ast.Name) and one.id in places}
        found[function.name] = (read, used)
    return found


def facts_read_by(module: str) -> set[str]:
    """The facts that a file of the players reads, itself or in functions it uses, without the engine's own play."""
    facts: set[str] = set()
    seen, ahead = set(PLAYING), {(module, name) for name in functions_of(module)}
    while ahead:
        place = ahead.pop()
        if place not in seen and place[0] in FILES and place[1] in functions_of(place[0]):
            read, used = functions_of(place[0])[place[1]]
            facts |= read
            ahead |= used
            seen.add(place)
    return facts


@pytest.mark.parametrize("module", IGNORED)
def test_a_player_reads_every_rule_or_has_a_reason_not_to(module: str) -> None:
    read = facts_read_by(module) | facts_read_by("match_equity")  # which weighs the match for all of them
    overlooked = set(RULES.names) - read - IGNORED[module].keys()
    assert not overlooked, f"read {overlooked} where {FILES[module].name} weighs a turn, or say in IGNORED why not"
    assert not IGNORED[module].keys() & facts_read_by(module), "it does read what IGNORED says it need not"
