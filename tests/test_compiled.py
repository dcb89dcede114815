"""What the compiler refuses, because it would use more and more memory."""

import numpy as np
import pytest

from mulligan.engine.compiled import PLAIN, compiled, compiled_with_arrays


@compiled
def unmarked_maker():
    return len(np.zeros(2))


@compiled_with_arrays
def zeros():
    return np.zeros(2)


@compiled_with_arrays
def zeros_and_size():
    return zeros(), 2


@compiled
def keeps_zeros():
    return len(zeros())


@compiled
def keeps_zeros_and_size():
    return len(zeros_and_size())


@pytest.mark.skipif(PLAIN, reason="Nothing is compiled.")
@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (unmarked_maker, "array"),
        (keeps_zeros, "A caller of zeros must be marked"),
        (keeps_zeros_and_size, "A caller of zeros_and_size must be marked"),
    ],
)
def test_a_function_that_makes_or_gets_arrays_has_to_be_marked(function, reason) -> None:
    with pytest.raises(Exception, match=reason):
        function()
