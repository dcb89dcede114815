"""What the compiler refuses, so that no game can use more and more memory."""

import numpy as np
import pytest

from mulligan.engine.compiled import PLAIN, compiled, compiled_with_arrays

pytestmark = pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")


@compiled_with_arrays
def zeros():
    return np.zeros(2)


@compiled_with_arrays
def zeros_and_size():
    return zeros(), 2


def test_a_function_that_makes_arrays_has_to_be_marked() -> None:
    @compiled
    def unmarked():
        return len(np.zeros(2))

    with pytest.raises(Exception, match="NRT required"):
        unmarked()


@pytest.mark.parametrize("maker", [zeros, zeros_and_size])
def test_a_function_that_gets_an_array_which_it_would_not_free_has_to_be_marked(maker) -> None:
    @compiled
    def unmarked():
        return len(maker())

    with pytest.raises(Exception, match=f"calls {maker.py_func.__name__} has to be marked as compiled_with_arrays"):
        unmarked()
