"""Copies of compiled functions, made for another machine by another compiler, beside those of this one.

A compiled function calls the functions that its globals name. A copy has globals of its own, in which all these
functions are copies, too. So nothing is written twice, and both versions run in one process.
"""

from collections.abc import Callable
from dis import get_instructions
from types import CellType, CodeType, FunctionType
from typing import Any


class Copies:
    """Called with a compiled function, returns its copy; each is made once.

    make: compiles a plain function that calls compiled ones.
    """

    def __init__(self, make: Callable[[FunctionType], Any]) -> None:
        self._make = make
        self._made: dict[int, tuple[Any, Any]] = {}  # by identity: not everything in globals can be hashed

    def replace(self, value: Any, by: Any) -> None:
        """Lets functions copied from now on find something else in place of a value."""
        self._made[id(value)] = value, by  # the value is kept, else its identity could become another's

    def __call__(self, function: Any) -> Any:
        plain = plain_of(function)
        if id(plain) not in self._made:
            self.replace(plain, self._make(self.copy(plain)))
        return self._made[id(plain)][1]

    def copy(self, plain: FunctionType) -> FunctionType:
        """The copy of a plain function that calls copies, not compiled itself."""
        names = globals_of(plain.__code__) & plain.__globals__.keys()  # the others are built in
        own = {name: self._copied(plain.__globals__[name]) for name in names} | {"__name__": plain.__module__}
        cells = tuple(CellType(self._copied(cell.cell_contents)) for cell in plain.__closure__ or ())
        return FunctionType(plain.__code__, own, plain.__name__, plain.__defaults__, cells)

    def _copied(self, value: Any) -> Any:
        if id(value) in self._made:
            return self._made[id(value)][1]
        return self(value) if is_compiled(value) else value


def plain_of(function: Any) -> FunctionType:
    """The function as it was written, before Numba made another one of it."""
    plain: FunctionType = getattr(function, "py_func", function)
    return plain


def is_compiled(value: Any) -> bool:
    """Whether it is a function for compiled code. Compiled code calls none of ours that is not."""
    plain = plain_of(value)
    return isinstance(plain, FunctionType) and plain.__module__.startswith("mulligan.")


def globals_of(code: CodeType) -> set[str]:
    """The names of all globals in a function; fields may have the same names, so `co_names` has too many."""
    return {step.argval for step in get_instructions(code) if step.opname == "LOAD_GLOBAL"}
