"""Generates the engine's records and functions for the client, web/src/engine/records.ts, and a digest of them.

A page has to meet the engine that it was built for, with all of it. So the digest is in the name of the engine's file.
Run `python -m mulligan.wasm.record_types`.
"""

import ast
import hashlib
import inspect
import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mulligan.coach.advice import RATING
from mulligan.coach.analysis import SHARE
from mulligan.coach.calibration import STAGES
from mulligan.coach.reasons import REASON, Why
from mulligan.engine import state
from mulligan.engine.match import MATCH
from mulligan.engine.replay import STEP
from mulligan.engine.rules import RULES
from mulligan.machine_code import LAYOUT
from mulligan.players.values.features import FEATURES
from mulligan.players.values.net import NO_NET

from .exports import EXPORTS

FILE = Path(__file__).parents[3] / "web" / "src" / "engine" / "records.ts"
HEAD = """\
// Written by `python -m mulligan.wasm.record_types` from engine, coach and wasm/exports.py. Change them, not this file.
import { Place } from "./place.ts";
"""
RECORDS = {
    **{"Rules": RULES, "Player": state.PLAYER, "State": state.STATE, "Match": MATCH, "Step": STEP},
    **{"Reason": REASON, "Rating": RATING, "Share": SHARE},
}
VIEWS = {
    "i1": "Int8",
    "i2": "Int16",
    "i4": "Int32",
    "i8": "BigInt64",
    "f8": "Float64",
}  # by NumPy's name: what JavaScript calls it
MOVES = ("STOCK", "DISCARD", "DISCARD_DRAWN", "PASS", "MOVES")
NAMES = {"STAGES": STAGES, "REASONS": [why.name.lower() for why in Why]}  # by number
INSTEAD = ("HIDDEN", "NO_CARD", "NOTHING", "NOBODY")


def typescript() -> str:
    """The text of records.ts. Where nothing is compiled, records are laid out differently, and it would be wrong."""
    constants = [f"export const {name} = {getattr(state, name)};" for name in (*MOVES, *INSTEAD)]
    constants.append(f"export const NET = {[array.ndim for array in NO_NET]} as const; // the dimensions of its arrays")
    constants.append(f"export const FEATURES = {len(FEATURES)}; // of a net")
    phases = ", ".join(f"{phase.name}: {phase.value}" for phase in state.Phase)
    constants.append(f"export const Phase = {{ {phases} }} as const;")
    constants += [f"export const {name} = {json.dumps(names)} as const;" for name, names in NAMES.items()]
    parts = [*("\n".join(class_of(name, record)) for name, record in RECORDS.items()), "\n".join(functions())]
    digest = hashlib.sha256("\n".join(constants + parts).encode()).hexdigest()[:12]
    constants.append(f'export const LAYOUT = "{digest}"; // of all this, as in the name of the engine\'s file')
    return "\n\n".join([HEAD + "\n" + "\n".join(constants), *parts]) + "\n"


def layout_in(text: str) -> str:
    """The digest in the text of records.ts."""
    return text.partition('LAYOUT = "')[2].partition('"')[0]


def class_of(name: str, record: np.dtype) -> Iterator[str]:
    """The lines of a class with a field, or a list, for each field of the record."""
    yield f"export class {name} extends Place {{"
    yield f"  static readonly size = {record.itemsize};"
    for field, (kind, offset, *_) in (record.fields or {}).items():
        one, begin = kind.base, f"this.address + {offset}"
        if one.names:
            inner = next(other for other, its in RECORDS.items() if its == one)
            nth = f"{begin} + {one.itemsize} * nth"
            take = f"{field}(nth: number)" if kind.shape else f"get {field}()"
            place = nth if kind.shape else begin
            yield f"  {take}: {inner} {{ return new {inner}(this.memory, {place}); }}"
        elif kind.shape:
            view, count = f"{VIEWS[one.str[1:]]}Array", np.prod(kind.shape)
            yield f"  get {field}(): {view} {{ return new {view}(this.memory.buffer, {begin}, {count}); }}"
        else:
            view, little = VIEWS[one.str[1:]], ", true" if one.itemsize > 1 else ""
            yield f"  get {field}(): number {{ return this.view.get{view}({offset}{little}); }}"
            yield f"  set {field}(value: number) {{ this.view.set{view}({offset}, value{little}); }}"
    yield "}"


def functions() -> Iterator[str]:
    """The lines of the interface of all that the module exports. Records and arrays are passed by address."""
    yield "export interface Exports {"
    yield "  memory: WebAssembly.Memory;"
    yield "  reserve(bytes: number): number;"
    yield "  release(address: number): void;"
    for name, function in EXPORTS.items():
        plain = getattr(function, "py_func", function)
        arguments = ", ".join(f"{argument}: number" for argument in inspect.signature(plain).parameters)
        yield f"  {name}({arguments}): {'number' if returns_something(plain) else 'void'};"
    yield "}"


def returns_something(plain: Any) -> bool:
    tree = ast.parse(textwrap.dedent(inspect.getsource(plain)))
    return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(tree))


def main() -> None:
    for file, text in ((FILE, typescript()), (LAYOUT, f"{layout_in(typescript())}\n")):
        file.write_text(text, encoding="utf-8", newline="\n")
        print(f"{file} is current.")


if __name__ == "__main__":
    main()
