"""The engine's functions as functions of a CUDA device. No other file knows numba-cuda and CuPy."""

from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from mulligan.engine.chance import bag, stock_bag
from mulligan.engine.compiled import PLAIN, call, widened
from mulligan.engine.state import NOTHING
from mulligan.players.roster import PLAYERS
from mulligan.players.values.crossing_lines import shapes_of

from .copies import Copies, plain_of

RETURN_ARRAYS = {plain_of(function).__name__ for function in (bag, stock_bag, shapes_of)}
ROOM = 256  # elements of an array whose size is known only when it is made; each thread reserves them


cuda: Any = object()  # a placeholder: in copies of kernels it is the module numba.cuda


def numba_cuda() -> Any:
    from numba import cuda

    return cuda


def cupy() -> Any:
    """The module CuPy, whose arrays are handed over to other libraries."""
    import cupy

    return cupy


@cache
def missing() -> str:
    """Returns what is missing for a GPU in one sentence, or an empty string."""
    try:
        device, _ = numba_cuda(), cupy()
    except ImportError as problem:
        library = "CuPy" if problem.name == "cupy" else "numba-cuda"
        return f"A GPU needs {library}; install it with: pip install '.[gpu]' in a clone of Mulligan"
    try:
        is_there = device.is_available()
    except Exception as problem:  # each release has its own for a driver that it cannot use
        return f"The GPU cannot be used: {problem}"
    return "" if is_there else "There is no CUDA GPU here, or no driver for it."


def check_device() -> None:
    """Raises ValueError if there is no GPU, or something to use it is missing."""
    if sentence := missing():
        raise ValueError(sentence)


def numbers_of(players: Sequence[str]) -> dict[str, int]:
    """The numbers by which `call` finds these players on the device: from 1, by name.

    Raises ValueError for a player who is unknown or needs a net: nets stay on the processor.
    """
    able = [name for name, player in PLAYERS.items() if not player.needs_net]
    for name in players:
        if name not in able:
            raise ValueError(f"On a GPU play {', '.join(able)}, not “{name}”.")
    return {name: number for number, name in enumerate(dict.fromkeys(players), 1)}


@cache
def kernel(function: FunctionType, players: tuple[str, ...]) -> Any:
    """The kernel that runs a plain function, in which `call` finds these players by their numbers."""
    return numba_cuda().jit(device_copies(players).copy(function))


@cache
def device_copies(players: tuple[str, ...]) -> Copies:
    """Makes device functions of compiled ones, and of what a kernel calls."""
    copies = Copies(device_function)
    copies.replace(cuda, numba_cuda())
    if not PLAIN:
        copies.replace(np, numpy_on_device())
    copies.replace(call, choosing([copies(PLAYERS[name].choose) for name in numbers_of(players)], device_function))
    return copies


def device_function(function: FunctionType) -> Any:
    """One device function for all types of integers: else each of the faces, slots and numbers would have its own.

    Device functions cannot return arrays, so Numba puts those that do into their callers.
    """
    if PLAIN:  # the simulator calls functions as they are
        return function
    from numba.cuda import types

    made = numba_cuda().jit(function, device=True, inline="always" if function.__name__ in RETURN_ARRAYS else "never")
    usual = made.get_call_template
    made.get_call_template = lambda kinds, named: usual(widened(kinds, types), named)
    return made


def choosing(choosers: Sequence[Any], make: Callable[[Any], Any]) -> Any:
    """Returns the device's `call`: a function that lets the player with a number choose. Numbers begin at 1."""
    if not choosers:

        def nobody(player, arguments):
            return NOTHING

        return make(nobody)
    first, others = choosers[0], choosing(choosers[1:], make)

    def choose(player, arguments):
        if player == 1:
            rules, match, state, dice, brain = arguments
            return first(rules, match, state, dice, brain)
        return others(player - 1, arguments)

    return make(choose)


@cache
def numpy_on_device() -> ModuleType:
    """NumPy whose `zeros` takes the thread's own memory: a device has no heap for arrays that is fast enough."""
    from llvmlite import ir
    from numba.core import cgutils
    from numba.cuda import types
    from numba.cuda.extending import intrinsic

    @intrinsic
    def zeros(typing, shape, kind=None):
        sizes = tuple(shape) if isinstance(shape, types.BaseTuple) else (shape,)
        room = shape.literal_value if isinstance(shape, types.IntegerLiteral) else ROOM
        array = types.Array(getattr(kind, "dtype", types.float64), len(sizes), "C")
        if isinstance(array.dtype, types.Record) and room == ROOM:
            return None  # Numba asks again with the number

        def generate(context, builder, signature, values):
            def number(value):
                return context.get_constant(types.intp, value)

            element = context.get_data_type(array.dtype)
            lengths = cgutils.unpack_tuple(builder, values[0]) if len(sizes) > 1 else [values[0]]
            lengths = [
                context.cast(builder, length, size, types.intp) for length, size in zip(lengths, sizes, strict=True)
            ]
            steps = [number(context.get_abi_sizeof(element))]
            for length in reversed(lengths):
                steps.insert(0, builder.mul(steps[0], length))
            with cgutils.if_unlikely(builder, builder.icmp_signed(">", steps[0], builder.mul(steps[-1], number(room)))):
                builder.call(builder.module.declare_intrinsic("llvm.trap", (), ir.FunctionType(ir.VoidType(), [])), [])
            made = context.make_array(array)(context, builder)
            memory = cgutils.alloca_once(builder, ir.ArrayType(element, room))
            memory.align = 8  # a record is bytes, but its numbers are read whole
            cgutils.memset(builder, memory, steps[0], 0)
            made.data = builder.bitcast(memory, element.as_pointer())
            made.nitems, made.itemsize = builder.sdiv(steps[0], steps[-1]), steps[-1]
            made.shape, made.strides = cgutils.pack_array(builder, lengths), cgutils.pack_array(builder, steps[1:])
            return made._getvalue()

        return array(shape, types.Omitted(None) if kind is None else kind), generate

    module = ModuleType("numpy_on_device")
    vars(module).update(vars(np) | {"zeros": zeros})
    return module
