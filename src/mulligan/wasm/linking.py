"""Joins compiled functions into one module for LLVM, with what surrounds them, and lets LLVM make an object file of it.

A browser passes numbers. A record is given by its address. An array is given by the address of where its data lie and
its lengths, numbers of 32 bits in a row; a tuple of arrays has those of one array after another.
"""

import inspect
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import llvmlite.ir as ir
import numba
from numba.core import cgutils, types
from numba.core.caching import NullCache
from numba.core.registry import cpu_target
from numba.np.arrayobj import make_array, populate_array

from mulligan.engine.compiled import compiled, fresh

from .error_function import erf
from .exports import EXAMPLES, EXPORTS, RECORDS
from .wasm32 import TRIPLE

RUNTIME = Path(__file__).with_name("runtime.ll")
MEMORY = ("reserve", "release")  # functions of the runtime that browsers call, too
CALLED_BY_LLVM = {"__multi3"}  # by the code that it generates, when everything else is optimised
WORD, ADDRESS = ir.IntType(32), ir.IntType(8).as_pointer()


def object_file() -> tuple[bytes, list[str]]:
    """The object file, and the names of what a browser can call. Compiles what is not in the cache yet."""
    whole = runtime()
    names = sorted({*MEMORY, *EXPORTS})
    for name, function in EXPORTS.items():
        add(whole, function.draft, name, kinds_of(function))
    add(whole, uncached(erf), "erf", (types.float64,))
    for part in (*whole.functions, *whole.global_variables):
        if not part.is_declaration and part.name not in {*names, *CALLED_BY_LLVM}:
            part.linkage = "internal"
    codegen = cpu_target.target_context.codegen()
    optimise(codegen, whole)
    whole.verify()
    return codegen._tm.emit_object(whole), names


def runtime() -> Any:
    layout = cpu_target.target_context.codegen()._data_layout
    head = f'target datalayout = "{layout}"\ntarget triple = "{TRIPLE}"\n'
    return llvm.parse_assembly(head + RUNTIME.read_text(encoding="utf-8"))


def kinds_of(function: Any) -> tuple[Any, ...]:
    """The types of the arguments, by their names."""
    return tuple(kind_of(name) for name in inspect.signature(function.py_func).parameters)


def kind_of(name: str) -> Any:
    if name in RECORDS:
        return numba.typeof(fresh(RECORDS[name]))
    return numba.typeof(EXAMPLES[name]) if name in EXAMPLES else types.int64


def uncached(function: Callable[..., Any]) -> Any:
    """A draft that is never kept: the cache would not notice an edit of this function, which bears no mark."""
    draft = compiled(function).draft
    draft._cache = NullCache()
    return draft


def add(whole: Any, draft: Any, name: str, kinds: tuple[Any, ...]) -> None:
    """Adds a function to the module, and a function of that name which takes numbers and calls it."""
    draft.compile(kinds)
    code, context = draft.overloads[kinds], draft.targetctx
    result = code.signature.return_type
    module = context.create_module(name)
    passed = ir.FunctionType(passed_as(context, result), [passed_as(context, kind) for kind in kinds])
    function = ir.Function(module, passed, name)
    builder = ir.IRBuilder(function.append_basic_block())
    arguments = [received(context, builder, kind, it) for kind, it in zip(kinds, function.args, strict=True)]
    callee = ir.Function(module, context.call_conv.get_function_type(result, kinds), code.fndesc.llvm_func_name)
    status, value = context.call_conv.call_function(builder, callee, result, kinds, arguments)
    with cgutils.if_unlikely(builder, status.is_error):
        builder.call(ir.Function(module, ir.FunctionType(ir.VoidType(), []), "llvm.trap"), [])
        builder.unreachable()
    if isinstance(result, types.NoneType):
        builder.ret_void()
    else:
        builder.ret(context.cast(builder, value, result, kind_passed(result)))
    whole.link_in(llvm.parse_assembly(str(module)))
    whole.link_in(code.library._get_module_for_linking(), preserve=True)


def kind_passed(kind: Any) -> Any:
    """How JavaScript sees a number: of 32 bits, or with a fraction."""
    return types.float64 if isinstance(kind, types.Float) else types.int32


def passed_as(context: Any, kind: Any) -> Any:
    if isinstance(kind, types.NoneType):
        return ir.VoidType()
    if isinstance(kind, types.Record | types.Array | types.BaseTuple):
        return ADDRESS
    return context.get_value_type(kind_passed(kind))


def received(context: Any, builder: Any, kind: Any, passed: Any) -> Any:
    """What the function expects, made of what the browser passed."""
    if isinstance(kind, types.Record):
        return builder.bitcast(passed, context.get_value_type(kind))
    if isinstance(kind, types.Array | types.BaseTuple):
        return described(context, builder, kind, count(), builder.bitcast(passed, WORD.as_pointer()))
    return context.cast(builder, passed, kind_passed(kind), kind)


def described(context: Any, builder: Any, kind: Any, places: Any, words: Any) -> Any:
    """The array, or the tuple of arrays, whose addresses and lengths are the words at the next of the places."""
    if not isinstance(kind, types.Array):
        members = [described(context, builder, member, places, words) for member in kind.types]
        return context.make_tuple(builder, kind, members)

    def next_word() -> Any:
        return builder.load(builder.gep(words, [WORD(next(places))]))

    address, wide = next_word(), context.get_value_type(types.intp)
    lengths = [builder.zext(next_word(), wide) for _ in range(kind.ndim)]
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [wide(size)]
    for length in reversed(lengths[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    array = make_array(kind)(context, builder)
    data = builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer())
    populate_array(array, data, lengths, strides, size, None)
    return array._getvalue()


def optimise(codegen: Any, whole: Any) -> None:
    """As Numba does: it puts small functions into their callers first, and removes pairs of reference counts there.

    Level 3 would make the file larger by a twentieth, and nothing faster.
    """
    for settings in ({"opt": 0, "loop_vectorize": False, "slp_vectorize": False, "cost": "cheap"}, {"opt": 2}):
        passes, builder = codegen._module_pass_manager(**settings)
        passes.run(whole, builder)
