"""The error function: the only one that our functions use and JavaScript's `Math` has not."""

from math import exp, pi, sqrt

NEAR = 2.0  # up to here the series needs few terms, from here on the fraction
FAR = 6.0  # from here on the result is 1 in double precision


def erf(x):
    """2/√π ∫₀ˣ exp(-t²) dt, within 2e-15 (Abramowitz and Stegun 7.1.5 and 7.1.14)."""
    size = abs(x)
    if size >= FAR:
        return 1.0 if x > 0 else -1.0
    if size < NEAR:
        term, total = x, x
        for n in range(1, 60):
            term *= -x * x / n
            total += term / (2 * n + 1)
        return 2 / sqrt(pi) * total
    fraction = size
    for n in range(100, 0, -1):
        fraction = size + n / 2 / fraction
    rest = exp(-x * x) / fraction / sqrt(pi)
    return 1 - rest if x > 0 else rest - 1
