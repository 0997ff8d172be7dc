"""Means as whole numbers over a common denominator, and their differences without rounding.

Means of three ratings are thirds. As floating-point numbers 11/3 - 3 and 10/3 - 8/3 differ in
their last digits, so that a test of ranks would take equal differences for different ones. Here
sums are whole numbers, and only the last division rounds: equal fractions give equal numbers.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor, lcm, log10
from typing import Any

import numpy as np
import numpy.typing as npt

from .coding import FloatArray, IntArray

# Numbers such as 3.25 or an F1 of 2/3 are fractions with a denominator up to this.
LARGEST_DENOMINATOR = 10**6
ROUNDING = 4 * np.finfo(np.float64).eps
# Digits of the largest number that count in numbers that are no such fractions.
DIGITS = 12
# Up to here floating-point numbers hold every whole number, and their quotient is the nearest one.
MOST_EXACT = 2**53

# Of int64, or of Python's integers where those would not do.
Whole = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class ExactMeans:
    """The means sums / (sizes x denominator) of G groups.

    sums, sizes: (G,) whole numbers, sizes the numbers of values.
    """

    sums: Whole
    sizes: IntArray
    denominator: int

    @classmethod
    def of(cls, values: FloatArray, group: IntArray) -> "ExactMeans":
        """The means of values (N,), finite, by group (N,), codes 0 … G - 1 that all occur."""
        distinct, which = np.unique(values, return_inverse=True)
        wholes, denominator = _over_one_denominator(distinct.tolist())
        sizes = np.bincount(group)
        largest = max(map(abs, wholes), default=0) * int(sizes.max(initial=1))
        # The largest that a difference of two means multiplies.
        bound = 2 * max(largest, denominator) * int(sizes.max(initial=1)) ** 2
        kind: type = np.int64 if bound < MOST_EXACT else object
        sums: Whole = np.zeros(len(sizes), dtype=kind)
        np.add.at(sums, group, np.array(wholes, dtype=kind)[which])
        return cls(sums, sizes.astype(kind), denominator)

    def take(self, chosen: npt.NDArray[Any]) -> "ExactMeans":
        """The means at these places."""
        return ExactMeans(self.sums[chosen], self.sizes[chosen], self.denominator)

    @property
    def values(self) -> FloatArray:
        """The floating-point numbers nearest to the means: (G,)."""
        return _divide(self.sums, self.sizes * self.denominator)

    def minus(self, other: "ExactMeans") -> "Differences":
        """These means minus as many others over the same denominator."""
        return Differences(
            self.sums * other.sizes - other.sums * self.sizes,
            self.sizes * other.sizes * self.denominator,
        )


@dataclass(frozen=True, eq=False)
class Differences:
    """The fractions above / below, (n,) whole numbers each."""

    above: Whole
    below: Whole

    def __len__(self) -> int:
        return len(self.above)

    @property
    def values(self) -> FloatArray:
        """The floating-point numbers nearest to the differences, equal for equal ones: (n,)."""
        return _divide(self.above, self.below)

    @property
    def mean(self) -> float:
        """The number nearest to the mean of the n >= 1 differences."""
        sums: dict[int, int] = defaultdict(int)
        for above, below in zip(self.above.tolist(), self.below.tolist(), strict=True):
            sums[below] += above
        return float(sum(Fraction(*part) for part in _turned(sums)) / len(self.above))


def _turned(sums: dict[int, int]) -> Iterator[tuple[int, int]]:
    return ((above, below) for below, above in sums.items())


def _divide(above: Whole, below: Whole) -> FloatArray:
    return np.asarray(above / below, dtype=np.float64)


def _over_one_denominator(values: list[float]) -> tuple[list[int], int]:
    """The values as whole numbers over the least denominator that they share, or over a power of
    ten where some are no fractions of a small denominator."""
    fractions = []
    for value in values:
        fraction = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
        if abs(fraction - Fraction(value)) > ROUNDING * abs(value):
            return _decimal(values)
        fractions.append(fraction)
    shared = lcm(*(fraction.denominator for fraction in fractions))
    return [int(fraction * shared) for fraction in fractions], shared


def _decimal(values: list[float]) -> tuple[list[int], int]:
    largest = max(map(abs, values))
    unit = 10 ** max(0, DIGITS - 1 - floor(log10(largest)))
    return [round(Fraction(value) * unit) for value in values], unit
