"""Compiles functions with Numba. No other file knows Numba.

With ``MULLIGAN_PLAIN=1`` in the environment nothing is compiled: the results are the same, only
much slower, and a debugger can step through every line.
"""

import logging
import os
import time
import warnings
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from pkgutil import resolve_name

import numpy as np

from mulligan.file_locks import lock
from mulligan.machine_code import FAMILY, PACKAGE, cache_folder, key, processor

PLAIN = os.environ.get("MULLIGAN_PLAIN", "") not in ("", "0")
PATIENCE = 300.0  # seconds that a process waits for another one to compile a function and all that it calls
OPTIONS = {"nopython": True, "boundscheck": None, "nogil": True, "error_model": "numpy"}
HOOKS = (  # what is used here of Numba's inside, which any of its versions may change
    "numba.core.caching:CompileResultCacheImpl._locator_classes",
    "numba.core.caching:FunctionCache._impl_class",
    "numba.core.caching:FunctionCache.cache_path",
    "numba.core.caching:FunctionCache.load_overload",
    "numba.core.caching:FunctionCache.save_overload",
    "numba.core.caching:_CacheLocator.ensure_cache_path",
    "numba.core.codegen:JITCodeLibrary._finalize_dynamic_globals",
    "numba.core.codegen:JITCodeLibrary._finalize_final_module",
    "numba.core.codegen:JITCodeLibrary._finalized",
    "numba.core.codegen:JITCodeLibrary._optimize_final_module",
    "numba.core.codegen:JITCodeLibrary.serialize_using_bitcode",
    "numba.core.codegen:JITCodeLibrary.serialize_using_object_code",
    "numba.core.codegen:JITCPUCodegen._library_class",
    "numba.core.codegen:JITCPUCodegen._pass_builder",
    "numba.core.codegen:JITCPUCodegen.set_env",
    "numba.core.codegen:ll.ValueRef.add_function_attribute",
    "numba.core.codegen:ll.ValueRef.linkage",
    "numba.core.compiler_lock:global_compiler_lock",
    "numba.core.cpu:CPUTargetOptions._nrt",
    "numba.core.cpu:CPUTargetOptions.no_cfunc_wrapper",
    "numba.core.cpu:CPUTargetOptions.no_cpython_wrapper",
    "numba.core.errors:TypingError",
    "numba.core.registry:CPUDispatcher.compile",
    "numba.core.registry:CPUDispatcher.get_call_template",
    "numba.core.registry:CPUDispatcher.get_overload",
    "numba.core.serialize:dumps",
    "numba.core.targetconfig:ConfigStack.top_or_none",
)


def stay_plain():
    """Compiles nothing in this process and those it starts. Call it before importing anything compiled."""
    global PLAIN
    PLAIN = True
    os.environ["MULLIGAN_PLAIN"] = "1"


def record(fields):
    """A structure whose fields read `state.field`, compiled and plain alike (a NumPy dtype).

    Compiled sums are of 64 bits whatever the fields are; NumPy's overflow, so plain fields are wide.
    """
    if PLAIN:
        wide = [field[1][0] + "8" if isinstance(field[1], str) else field[1] for field in fields]
        fields = [(field[0], kind, *field[2:]) for field, kind in zip(fields, wide, strict=True)]
    return np.dtype((Record, np.dtype(fields, align=True)))


class Record(np.void):  # type: ignore[misc]  # as `np.record` itself does
    """Reads and sets fields as attributes, as `np.record` does, which takes much longer."""

    def __getattr__(self, name):
        """Returns the field of that name. Raises AttributeError."""
        try:
            return self[name]
        except ValueError as error:
            raise AttributeError(*error.args) from None

    def __setattr__(self, name, value):
        self[name] = value


def fresh(structure):
    """One record of that structure, every field 0."""
    return np.zeros(1, structure)[0]


def compiled(function):
    """Compiles a function on its first call, and keeps the result for later runs.

    The function makes no arrays and gets none from others that do, so it need not count references, which would
    slow a move down.
    """
    return function if PLAIN else numba_function()(function, fastmath=False, arrays=False)


def compiled_with_arrays(function):
    """Like `compiled`, for a function that makes or returns arrays, or gets them from one that does."""
    return function if PLAIN else numba_function()(function, fastmath=False, arrays=True)


def compiled_in_any_order(function):
    """Like `compiled`, but sums may be added in any order, so their last digits may differ."""
    return function if PLAIN else numba_function()(function, fastmath={"reassoc", "contract", "nsz"}, arrays=False)


def merged(*apart):
    """Marks a compiled function that takes the code of all it calls into its own, but for the functions `apart`.

    That pays for what runs at every move, where calls would take as long as the small functions called. A function that
    runs seldom, and is called from many places, only makes the code longer: keep it apart.
    """

    def mark(function):
        if hasattr(function, "draft"):  # not where nothing is compiled, or as Numba usually does
            function.apart = function.draft.apart = apart
        return function

    return mark


@cache
def numba_function():
    """Returns what compiles a function; where Numba lacks a hook, Numba's own `jit`, which takes longer."""
    choose_processor()
    if all(map(has_hook, HOOKS)):
        return function_with_draft()
    import numba

    warnings.warn(
        f"Mulligan does not know Numba {numba.__version__} yet. It plays the same, but compiling takes longer.",
        RuntimeWarning,
        stacklevel=2,
    )
    return usual_function


def choose_processor():
    """Has Numba compile for a whole family of processors, if this one belongs to it and the user does not choose."""
    from numba import config

    if processor() == FAMILY and config.CPU_NAME is None:
        config.CPU_NAME, config.CPU_FEATURES = FAMILY, ""


def has_hook(name):
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


def usual_function(function, fastmath, arrays):
    from numba import jit

    tell_apart(function)
    with caching_in("usual"):
        return jit(function, **OPTIONS, fastmath=fastmath, cache=cache_folder() is not None)


def function_with_draft():
    """Returns the class of functions compiled by Numba. Calls from Python and calls in compiled code are kept apart.

    A caller takes over the code of what it calls and optimises it again with its own. So for compiled callers a
    function is only drafted: optimised little, without machine code, and for one type of integers.
    """
    from numba.core import types
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.errors import TypingError
    from numba.core.registry import CPUDispatcher
    from numba.core.targetconfig import ConfigStack

    class Function(CPUDispatcher):
        apart = None

        def __init__(self, function, fastmath, arrays):
            chosen = OPTIONS | {"fastmath": fastmath, "_nrt": arrays, "no_cfunc_wrapper": True}
            tell_apart(function)
            super().__init__(function, targetoptions=chosen)
            self.locks = keep(self, "functions")
            self.draft = Draft(function, targetoptions=chosen | {"no_cpython_wrapper": True})
            self.draft.locks = keep(self.draft, "drafts")

        def get_call_template(self, kinds, named):
            return self.draft.get_call_template(kinds, named)

        def get_overload(self, kinds):
            return self.draft.get_overload(kinds)

        def compile(self, kinds):
            code = changed(self.targetctx.codegen(), _library_class=code_of(self, JITCodeLibrary))
            with global_compiler_lock, self.locks, code:
                return super().compile(kinds)

    class Draft(CPUDispatcher):
        apart = None

        def get_call_template(self, kinds, named):
            kinds = widened(kinds, types)
            template = super().get_call_template(kinds, named)
            if makes_arrays(self.overloads[kinds].signature.return_type) and not ConfigStack.top_or_none().nrt:
                raise TypingError(f"A caller of {self.py_func.__name__} must be marked as compiled_with_arrays.")
            return template

        def compile(self, kinds):
            code = drafting(self.targetctx.codegen(), code_of(self, DraftCode))
            with global_compiler_lock, self.locks, code:
                return super().compile(kinds)

    class DraftCode(JITCodeLibrary):
        def _finalize_final_module(self):
            self._finalize_dynamic_globals()
            self._finalized = True  # without machine code

        def serialize_using_object_code(self):
            return self.serialize_using_bitcode()

    def makes_arrays(kind):
        """Whether the caller has to free what it gets. The array of a record's field goes with its record."""
        if isinstance(kind, types.BaseTuple):
            return any(map(makes_arrays, kind))
        return isinstance(kind, types.Array) and not isinstance(kind, types.NestedArray)

    return Function


def tell_apart(function):
    """Adds a digest of the values that a function has from the one it is made in to its name.

    Machine code is found by name. Numba's names for several functions made in one place differ only by a number that
    it counts in each process: of two such functions that two processes had compiled, a third would call only one.
    """
    if function.__closure__ and cache_folder() and has_hook("numba.core.serialize:dumps"):
        from numba.core.serialize import dumps

        with suppress(ValueError):  # it calls itself, and is not there yet
            values = tuple(cell.cell_contents for cell in function.__closure__)
            function.__qualname__ += f"_{sha256(dumps(values)).hexdigest()[:16]}"


def widened(kinds, types):
    """One type for all integers: there are faces of 8 bits, slots of 64, and literal ones.

    `types` is Numba's module of types, or that of its compiler for another machine.
    """
    kinds = (types.unliteral(kind) if isinstance(kind, types.IntegerLiteral) else kind for kind in kinds)
    return tuple(types.int64 if isinstance(kind, types.Integer) and kind.signed else kind for kind in kinds)


def code_of(function, library):
    """The class of the function's code: `library`, or one in which everything is merged."""
    if function.apart is None:
        return library

    class MergedCode(library):
        def _optimize_final_module(self):
            apart = tuple(map(begin_of_symbol, function.apart))
            for called in self._final_module.functions:
                if called.linkage.name == "linkonce_odr":  # that is what Numba makes of the code it takes over
                    called.add_function_attribute("noinline" if called.name.startswith(apart) else "alwaysinline")
            super()._optimize_final_module()

    return MergedCode


def begin_of_symbol(function):
    """How the names of a compiled function in machine code begin, whatever the types of its arguments."""
    places = f"{function.__module__}.{function.__qualname__}".split(".")
    return f"_ZN{''.join(f'{len(place)}{place}' for place in places)}B"


def keep(function, folder):
    """Keeps the compiled code between runs, if it can be written anywhere. Returns the locks of one compilation."""
    locks = ExitStack()
    if cache_folder() and (is_ours(function.py_func) or os.access(cache_folder(), os.W_OK)):
        with caching_in(folder):
            function._cache = shared_cache()(function.py_func, locks)
    return locks


def is_ours(function):
    return Path(function.__code__.co_filename).is_relative_to(PACKAGE)


@contextmanager
def caching_in(folder):
    """Lets Numba keep what it compiles in a folder of ours, if there is one."""
    from numba import config

    others = config.CACHE_DIR
    if cache_folder():
        config.CACHE_DIR = str(cache_folder() / folder)
    try:
        yield
    finally:
        config.CACHE_DIR = others


@cache
def shared_cache():
    """Returns the class of caches of processes that start together, which would otherwise all compile the same."""
    from numba import config
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

    class PlaceInFolder(_CacheLocator):
        """Where a function of the package is kept, wherever the package is: its folder is for these sources alone."""

        def __init__(self, function, file):
            self.path = str(Path(config.CACHE_DIR, "mulligan", Path(file).relative_to(PACKAGE).parent))
            self.line = function.__code__.co_firstlineno

        @classmethod
        def from_function(cls, function, file):
            return cls(function, file) if is_ours(function) else None

        def get_cache_path(self):
            return self.path

        def ensure_cache_path(self):
            os.makedirs(self.path, exist_ok=True)

        def get_source_stamp(self):
            return key()

        def get_disambiguator(self):
            return str(self.line)

    class Kept(CompileResultCacheImpl):
        _locator_classes = (PlaceInFolder, *CompileResultCacheImpl._locator_classes)

    class SharedCache(FunctionCache):
        _impl_class = Kept

        def __init__(self, function, locks):
            super().__init__(function)
            self.locks, self.is_alone = locks, False
            self.lock_file = Path(self.cache_path) / f"{function.__module__}.{function.__qualname__}.lock"

        def load_overload(self, kinds, target):
            """Where nothing is found, waits until no other process compiles the function, and looks again."""
            found = super().load_overload(kinds, target)
            if found is None:
                self.is_alone = False
                with suppress(OSError):  # where nothing can be written, nothing is shared
                    self._impl.locator.ensure_cache_path()
                    self.is_alone = self.wait_for(self.locks.enter_context(self.lock_file.open("wb")))
                found = super().load_overload(kinds, target)
            return found

        def save_overload(self, kinds, compiled):
            """Keeps nothing after a wait in vain: two processes that write an index at once may mix up their code."""
            if self.is_alone:
                with suppress(OSError):  # a complete cache serves also where it cannot be written
                    super().save_overload(kinds, compiled)

        def wait_for(self, file):
            """Returns whether no other process compiles the function now."""
            until = time.monotonic() + PATIENCE
            while not (is_alone := lock(file.fileno())) and time.monotonic() < until:
                time.sleep(0.01)
            return is_alone

    return SharedCache


def drafting(codegen, library):
    """Lets Numba optimise little and make no machine code. The caller holds the compiler's lock.

    Loops are not unrolled: what calls the function could hardly vectorise them any more.
    """
    from llvmlite.binding import create_pass_builder, create_pipeline_tuning_options

    def passes(opt=1, **others):
        options = create_pipeline_tuning_options(opt)
        options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
        return create_pass_builder(codegen._tm, options)

    return changed(codegen, _library_class=library, set_env=lambda name, value: None, _pass_builder=passes)


@contextmanager
def changed(place, **settings):
    """Sets attributes of an object for a while."""
    usual = {name: getattr(place, name) for name in settings}
    try:
        change(place, settings)
        yield
    finally:
        change(place, usual)


def change(place, settings):
    for name, value in settings.items():
        setattr(place, name, value)


def address(function, arguments):
    """A number by which `call` finds a compiled function that returns an integer of 64 bits.

    The function is compiled for arguments of these types; their values do not matter.
    """
    if PLAIN:
        return CALLED.setdefault(id(function), (id(function), function))[0]
    import numba

    kinds = tuple(map(numba.typeof, arguments))
    function.compile(kinds)  # as a call would, so that its code is kept only once
    result = function.get_compile_result(numba.int64(*kinds))
    return result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


CALLED: dict = {}


def call_plain(place, arguments):
    return CALLED[place][1](*arguments)


def call_by_numba():
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    @intrinsic
    def call(typing, place, arguments):
        def generate(context, builder, signature, values):
            convention, kinds = context.call_conv, signature.args[1].types
            kind = convention.get_function_type(types.int64, kinds).as_pointer()
            function, passed = builder.inttoptr(values[0], kind), cgutils.unpack_tuple(builder, values[1])
            status, result = convention.call_function(builder, function, types.int64, kinds, passed)
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return result

        return types.int64(place, arguments), generate

    return call


# `call(address, arguments)` calls the function there. Compiled code that gets its functions by address is compiled and
# kept once, whichever functions they are; Numba keeps nothing between runs where the functions themselves are passed.
call = call_plain if PLAIN else call_by_numba()


def say_when_compiling():
    """Logs a warning when Numba first compiles a function of this package: a program would seem to be stuck.

    Where nobody has set up logging, Python prints it to the standard error.
    """
    from numba.core.event import Listener, register

    class Compiling(Listener):
        is_said = False

        def on_start(self, event):
            ours = event.data["dispatcher"].py_func.__module__.startswith("mulligan.")
            if ours and not self.is_said:
                self.is_said = True
                logging.getLogger(__name__).warning("Mulligan is compiling what this needs; that is done only once.")

        def on_end(self, event):
            pass

    register("numba:compile", Compiling())


if not PLAIN and has_hook("numba.core.event:register"):
    say_when_compiling()
