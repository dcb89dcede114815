"""Generates the client's types in web/src/lib/messages.ts; run `python -m mulligan.server.wire.typescript`."""

import dataclasses
import json
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from mulligan.game import facts as game_facts

from . import (
    base,
    cardboard,
    coach,
    commands,
    engine_games,
    events,
    facts,
    finished,
    lessons,
    offered_options,
    persons,
    replies,
    score_card,
    shuffles,
    tables,
    view,
    ways,
)

HEAD = (
    "// Written by `python -m mulligan.server.wire.typescript` from server/wire, game/facts.py and coach/findings.py.\n"
    "// Change them, not this file.\n"
)
MODULES = (
    base,
    game_facts,
    facts,
    engine_games,
    tables,
    view,
    events,
    commands,
    replies,
    offered_options,
    finished,
    shuffles,
    score_card,
    coach,
    cardboard,
    lessons,
    persons,
    ways,
)
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}
ABSTRACT = (base.Message, base.Thing, commands.Command, game_facts.Key)


def typescript() -> str:
    """Returns the text of messages.ts."""
    parts = [HEAD]
    parts += [constant(name, value) for name, value in constants().items() if not isinstance(value, tuple | dict)]
    parts.append("")
    parts += [f"export type {name} = {written(alias, '')};" for name, alias in aliases().items()]
    asked = (tables.NewTable, facts.VariantFile, coach.HintRequest, coach.MulliganRequest)
    posted = (cardboard.CardboardGame, cardboard.CardboardPosition, score_card.CardRequest)
    sent = set(reachable(commands.ClientMessage, *asked, *posted))
    only_sent = sent - set(reachable(*(struct for struct in structs() if struct not in sent)))
    parts += [interface(struct, optional=struct in only_sent) for struct in structs()]
    return "\n".join(parts) + "\n"


def lists() -> str:
    """Returns the text of lists.ts: lists and tables, which the first page does not need."""
    parts = [constant(name, value) for name, value in constants().items() if isinstance(value, tuple | dict)]
    return "\n".join([HEAD, *parts, rule_fields()]) + "\n"


def constant(name: str, value: Any) -> str:
    return f"export const {name} = {json.dumps(value)} as const;"


def rule_fields() -> str:
    """Returns RULE_FIELDS, the rule fields of GameFacts; the pad reads rules from links and files with it."""
    lines = ["\n/** The rules of a game but its cards, in the order of links. `otherwise`: what earlier games mean. */"]
    lines.append("export const RULE_FIELDS = {")
    for entry in game_facts.entries(game_facts.GameFacts).values():
        if entry.field not in (*game_facts.SHOWN, "faces"):
            fact: dict[str, Any] = {"is": written(entry.kind)}
            if entry.kind is not bool:
                most = len(entry.key.words) - 1 if entry.key.words else entry.key.most
                fact |= {"least": entry.key.least, "most": most}
            if entry.default is not dataclasses.MISSING:
                fact["otherwise"] = entry.default
            inner = ", ".join(f"{key}: {json.dumps(value)}" for key, value in fact.items())
            lines.append(f"  {entry.field}: {{ {inner} }},")
    return "\n".join([*lines, "} as const;"])


def interface(struct: type, optional: bool) -> str:
    """Returns the interface of a struct; with `optional`, fields with a default may be left out."""
    lines = [f"\n/** {struct.__doc__.split(chr(10))[0]} */"] if "__doc__" in vars(struct) and struct.__doc__ else [""]
    lines.append(f"export interface {struct.__name__} {{")
    if issubclass(struct, msgspec.Struct) and struct.__struct_config__.tag_field:
        lines.append(f"  {struct.__struct_config__.tag_field}: {json.dumps(struct.__struct_config__.tag)};")
    hints = get_type_hints(struct)
    for name, required in fields(struct).items():
        mark = "" if required or not optional else "?"
        lines.append(f"  {name}{mark}: {written(hints[name])};")
    return "\n".join([*lines, "}"])


def fields(struct: Any) -> dict[str, bool]:
    """Returns whether each field of a struct or dataclass is required."""
    if issubclass(struct, msgspec.Struct):
        return {field.name: field.required for field in msgspec.structs.fields(struct)}
    missing = (dataclasses.MISSING, dataclasses.MISSING)
    return {field.name: (field.default, field.default_factory) == missing for field in dataclasses.fields(struct)}


def is_struct(hint: Any) -> bool:
    return isinstance(hint, type) and (issubclass(hint, msgspec.Struct) or dataclasses.is_dataclass(hint))


def written(hint: Any, skip: str | None = None) -> str:
    """Returns a Python type in TypeScript; aliases keep their names unless `skip` is given. Raises TypeError."""
    if skip is None:
        for name, alias in aliases().items():
            if hint == alias:
                return name
    if hint in PLAIN:
        return PLAIN[hint]
    if get_origin(hint) is Literal:
        return " | ".join(json.dumps(value) for value in get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(written(part) for part in get_args(hint)))
    if get_origin(hint) is list:
        part = written(get_args(hint)[0])
        return f"({part})[]" if "|" in part else f"{part}[]"
    if get_origin(hint) is dict:
        return f"Record<{', '.join(written(part) for part in get_args(hint))}>"
    if is_struct(hint):
        return str(hint.__name__)
    raise TypeError(f"{hint!r} has no TypeScript yet; add it to {Path(__file__).name}")


def constants() -> dict[str, Any]:
    return {name: value for name, value in vars(base).items() if name.isupper()}


def aliases() -> dict[str, Any]:
    """Returns the named types: Pace, Params, Event, …"""
    kinds = (Literal, Union, types.UnionType, dict)
    return {
        name: value
        for module in MODULES
        for name, value in vars(module).items()
        if name[0].isupper() and get_origin(value) in kinds
    }


def structs() -> list[type]:
    found = (value for module in MODULES for value in vars(module).values())
    return list(dict.fromkeys(value for value in found if is_struct(value) and value not in ABSTRACT))


def reachable(*roots: Any) -> Iterator[type]:
    """Yields the structs in these types, and those in their fields."""
    for root in roots:
        if is_struct(root):
            yield root
            yield from reachable(*get_type_hints(root).values())
        else:
            yield from reachable(*(part for part in get_args(root) if not isinstance(part, str)))


def main() -> None:
    folder = Path(__file__).parents[4] / "web" / "src" / "lib"
    for name, text in (("messages.ts", typescript()), ("lists.ts", lists())):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{folder / name} is current.")


if __name__ == "__main__":
    main()
