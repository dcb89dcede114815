"""Turns the Numba of this process into a compiler for WebAssembly. Import it before anything that is compiled.

Numbers keep their size, so results do not change: only addresses have 32 bits.
"""

import llvmlite.binding as llvm
import llvmlite.ir as ir
import numba
from numba.core import cgutils, codegen

from mulligan import machine_code

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
HOOKS = (  # what this wing uses of Numba's inside, besides those of engine/compiled.py
    "numba.core.callconv:CPUCallConv.call_function",
    "numba.core.codegen:CPUCodegen._create_empty_module",
    "numba.core.codegen:CPUCodegen._init",
    "numba.core.codegen:CPUCodegen._module_pass_manager",
    "numba.core.codegen:JITCPUCodegen._get_host_cpu_name",
    "numba.core.codegen:JITCodeLibrary._get_module_for_linking",
    "numba.np.arrayobj:make_array",
    "numba.np.arrayobj:populate_array",
)


class NoEngine:
    """Stands for the engine that runs code: nothing is in it."""

    def is_symbol_defined(self, name):
        return False


class Wasm32(codegen.JITCPUCodegen):
    """Makes modules for WebAssembly, and nothing that could run in this process."""

    def _init(self, module):
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        self._tm_features = FEATURES
        self._tm = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)
        self._engine = NoEngine()
        self._loopvect, self._opt_level = False, 0

    def _create_empty_module(self, name):
        module = ir.Module(cgutils.normalize_ir_text(name))
        module.triple = TRIPLE
        if self._data_layout:
            module.data_layout = self._data_layout
        return module

    def _get_host_cpu_name(self):
        return "generic"


codegen.JITCPUCodegen = Wasm32  # type: ignore[misc]
machine_code.compile_for("wasm32" + FEATURES.replace(",", ""))


def check():
    """Raises RuntimeError if Numba lacks something inside that is used here."""
    from mulligan.engine import compiled

    if missing := [hook for hook in (*compiled.HOOKS, *HOOKS) if not compiled.has_hook(hook)]:
        raise RuntimeError(f"Numba {numba.__version__} lacks {', '.join(missing)}.")
