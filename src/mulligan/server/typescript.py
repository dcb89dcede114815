"""Writes the client's types, web/src/lib/messages.ts: renewed by `python -m mulligan.server.typescript`."""

import json
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from . import cards, coaching, kitchen, messages, tutoring

HEAD = (
    "// Written by `python -m mulligan.server.typescript` from server/messages.py and the parts of it beside it: "
    "cards.py, coaching.py, kitchen.py, tutoring.py.\n"
    "// Change it there, not here.\n"
)
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}
ABSTRACT = (messages.Message, messages.Thing, messages.Command)


def typescript() -> str:
    """The whole of messages.ts."""
    parts = [HEAD]
    parts += [f"export const {name} = {json.dumps(value)} as const;" for name, value in constants().items()]
    parts.append("")
    parts += [f"export type {name} = {written(alias, '')};" for name, alias in aliases().items()]
    tables = (messages.NewTable, messages.VariantFile, coaching.HintWish, coaching.MulliganWish)
    told = (kitchen.CardboardGame, kitchen.CardboardPosition, cards.CardWish)
    sent = set(reachable(messages.ClientMessage, *tables, *told))
    only_sent = sent - set(reachable(*(struct for struct in structs() if struct not in sent)))
    parts += [interface(struct, optional=struct in only_sent) for struct in structs()]
    return "\n".join(parts) + "\n"


def interface(struct: type[msgspec.Struct], optional: bool) -> str:
    """One struct; what only the client sends may leave fields with a default out, as the server never does."""
    lines = [f"\n/** {struct.__doc__.split(chr(10))[0]} */"] if "__doc__" in vars(struct) and struct.__doc__ else [""]
    lines.append(f"export interface {struct.__name__} {{")
    if struct.__struct_config__.tag_field:
        lines.append(f"  {struct.__struct_config__.tag_field}: {json.dumps(struct.__struct_config__.tag)};")
    hints = get_type_hints(struct)
    for field in msgspec.structs.fields(struct):
        mark = "" if field.required or not optional else "?"
        lines.append(f"  {field.name}{mark}: {written(hints[field.name])};")
    return "\n".join([*lines, "}"])


def written(hint: Any, skip: str | None = None) -> str:
    """A Python type in TypeScript; aliases go by their names, unless `skip` asks for what they stand for."""
    if skip is None:
        for name, alias in aliases().items():
            if hint == alias:
                return name
    if hint in PLAIN:
        return PLAIN[hint]
    if get_origin(hint) is Literal:
        return " | ".join(json.dumps(value) for value in get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        return " | ".join(written(part) for part in get_args(hint))
    if get_origin(hint) is list:
        part = written(get_args(hint)[0])
        return f"({part})[]" if "|" in part else f"{part}[]"
    if get_origin(hint) is dict:
        return f"Record<{', '.join(written(part) for part in get_args(hint))}>"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return hint.__name__
    raise TypeError(f"{hint!r} has no TypeScript yet; add it to {Path(__file__).name}")


def constants() -> dict[str, Any]:
    return {name: value for name, value in vars(messages).items() if name.isupper()}


def aliases() -> dict[str, Any]:
    """The types with a name of their own: Pace, Params, Event, …"""
    kinds = (Literal, Union, types.UnionType, dict)
    return {name: value for name, value in vars(messages).items() if name[0].isupper() and get_origin(value) in kinds}


def structs() -> list[type[msgspec.Struct]]:
    return [
        value
        for value in (vars(messages) | vars(cards) | vars(coaching) | vars(kitchen) | vars(tutoring)).values()
        if isinstance(value, type) and issubclass(value, msgspec.Struct) and value not in ABSTRACT
    ]


def reachable(*roots: Any) -> Iterator[type[msgspec.Struct]]:
    """The structs named by these types, and those that their fields name."""
    for root in roots:
        if isinstance(root, type) and issubclass(root, msgspec.Struct):
            yield root
            yield from reachable(*get_type_hints(root).values())
        else:
            yield from reachable(*(part for part in get_args(root) if not isinstance(part, str)))


def main() -> None:
    target = Path(__file__).parents[3] / "web" / "src" / "lib" / "messages.ts"
    target.write_text(typescript(), encoding="utf-8", newline="\n")
    print(f"{target} is current.")


if __name__ == "__main__":
    main()
