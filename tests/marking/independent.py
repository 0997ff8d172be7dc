"""A report's figures from its table of labels alone, by other means than the program's."""

import csv
from collections.abc import Callable, Mapping
from itertools import combinations
from math import sqrt
from pathlib import Path

import numpy as np
from scipy import optimize, stats

Row = Mapping[str, str]
Figure = tuple[float, float, float]
Z = stats.norm.ppf(0.975)


def read_labels(path: Path) -> list[Row]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def said(row: Row) -> list[str]:
    """What its people said who could say something."""
    people = [name for name in row if name.startswith("worker-")]
    return [row[name] for name in people if row[name] not in ("", "cannot say")]


class Total:
    """A sum over the file with the distances to its bounds, from the rows of each verdict."""

    def __init__(
        self, rows: list[Row], sizes: Mapping[str, int], of: Callable[[Row], float]
    ) -> None:
        self.value, self.down, self.up = 0.0, 0.0, 0.0
        for verdict, size in sizes.items():
            values = [of(row) for row in rows if row["judge"] == verdict]
            p, n = float(np.mean(values)), float(len(values))
            self.value += size * p
            if n == size:
                continue
            n = n / (1 - n / size)
            low, high = np.sort(np.roots([1 + Z**2 / n, -2 * p - Z**2 / n, p * p]).real)
            self.down += (size * (p - low)) ** 2
            self.up += (size * (high - p)) ** 2

    def figure(self, size: int) -> Figure:
        low, high = self.value - sqrt(self.down), self.value + sqrt(self.up)
        return self.value / size, low / size, high / size


def agreement(rows: list[Row], sizes: Mapping[str, int]) -> Figure:
    rows = [row for row in rows if said(row)]
    of = Total(rows, sizes, lambda row: said(row).count(row["judge"]) / len(said(row)))
    return of.figure(sum(sizes.values()))


def ceiling(rows: list[Row], sizes: Mapping[str, int]) -> Figure:
    def alike(row: Row) -> float:
        return float(np.mean([one == other for one, other in combinations(said(row), 2)]))

    rows = [row for row in rows if len(said(row)) > 1]
    return Total(rows, sizes, alike).figure(sum(sizes.values()))


def recall(rows: list[Row], sizes: Mapping[str, int], label: str) -> Figure:
    """By inverting the square-and-add interval of (1 - t) A - t B."""
    rows = [row for row in rows if said(row)]

    def of(row: Row) -> float:
        return said(row).count(label) / len(said(row))

    hit = Total(rows, {label: sizes[label]}, of)
    missed = Total(rows, {v: size for v, size in sizes.items() if v != label}, of)

    def gap(t: float, one: float, other: float) -> float:
        middle = (1 - t) * hit.value - t * missed.value
        return middle + (1 if one > 0 else -1) * sqrt((1 - t) ** 2 * abs(one) + t**2 * abs(other))

    low = optimize.brentq(gap, 0, 1, args=(-hit.down, missed.up))
    high = optimize.brentq(gap, 0, 1, args=(hit.up, missed.down))
    return hit.value / (hit.value + missed.value), float(low), float(high)
