"""Values fitted on people's answers, for judges that do not read: base rates and curves."""

import hashlib
import random
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import fmean
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from agreement import monotone_curve
from tasktypes.machines.parts import Part, Value
from tasktypes.schemas import Schema

By = Literal["commonest", "random", "length", "overlap", "embedding"]
# A number of a scale has at most so many values here: quantiles of those that people gave.
MOST_VALUES = 101
Number = Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]


class Base(Schema):
    """How often people gave each value; of numbers without points, equally frequent quantiles."""

    values: tuple[Number | str, ...]
    shares: tuple[Number, ...]
    mean: Number | None = None


class Curve(Schema):
    """A value by what is seen; linear between the points, constant beyond the ends."""

    at: tuple[Number, ...]
    values: tuple[Number, ...]


class Fitted(Schema):
    """What was fitted on the people's answers to a block about half of the sources.

    bases: by facet, and by place where answers have one. curves: by facet, then of a number under
    "" and of a label its share.
    """

    sources: int = Field(ge=0, lt=2**31)
    answers: int = Field(ge=0, lt=2**31)
    bases: Mapping[str, Base] = {}
    curves: Mapping[str, Mapping[str, Curve]] = {}


class Fit(Schema):
    """A fit on two halves of the sources, split by seed. halves: by block; the first answers the
    second half, and the second the first, so that no unit is answered by its own source's labels.
    """

    study: str
    seed: int = Field(ge=0, lt=2**63)
    people: int = Field(ge=1, lt=2**31)
    halves: Mapping[str, tuple[Fitted, Fitted]]


@dataclass(frozen=True)
class Observation:
    """A person's value of a part, and what a baseline sees there."""

    part: Part
    value: Value
    seen: float = 0.0


def half_of(seed: int, source: str) -> int:
    """Which half a source is in, 0 or 1: by nothing but seed and key."""
    return hashlib.sha256(f"{seed}\n{source}".encode()).digest()[0] % 2


def fitted(by: By, observations: Sequence[Observation], *, sources: int, answers: int) -> Fitted:
    """What a baseline learns of people's answers about one half."""
    about = {"sources": sources, "answers": answers}
    by_facet: dict[str, list[Observation]] = defaultdict(list)
    by_slot: dict[str, list[Observation]] = defaultdict(list)
    for observed in observations:
        by_facet[observed.part.facet].append(observed)
        by_slot[observed.part.slot].append(observed)
    if by in ("commonest", "random"):
        bases = {name: _base(own) for name, own in (by_facet | by_slot).items()}
        return Fitted(**about, bases=bases)
    return Fitted(**about, curves={name: _curves(own) for name, own in by_facet.items()})


def value_of(by: By, part: Part, own: Fitted, seen: float, draw: random.Random) -> Value:
    """The value of a part; ValueError where people answered nothing of its kind."""
    known = own.bases if by in ("commonest", "random") else own.curves
    if part.facet not in known:
        raise ValueError(f"{part.facet}: no person's answer to calibrate on in the other half.")
    if by in ("commonest", "random"):
        base = own.bases.get(part.slot, own.bases[part.facet])
        return _fitting(part, _drawn(base, draw) if by == "random" else _commonest(part, base))
    curves = own.curves[part.facet]
    at = {name: float(np.interp(seen, curve.at, curve.values)) for name, curve in curves.items()}
    if "" in at:
        return _fitting(part, at[""])
    offered = [name for name in at if name in part.options]
    if not offered:
        raise ValueError(f"{part.facet}: nobody chose a label that this question offers.")
    return max(offered, key=lambda name: at[name])


def _base(observations: Sequence[Observation]) -> Base:
    values = [observed.value for observed in observations]
    numbers = [value for value in values if not isinstance(value, str)]
    mean = _rounded(fmean(numbers)) if numbers else None
    counts = Counter(values)
    if len(counts) > MOST_VALUES:
        at = np.linspace(0, 1, MOST_VALUES)
        quantiles = np.quantile(numbers, at, method="nearest").tolist()
        return Base(values=quantiles, shares=[1 / MOST_VALUES] * MOST_VALUES, mean=mean)
    ranked = sorted(counts, key=lambda value: (-counts[value], str(value)))
    shares = [_rounded(counts[value] / len(values)) for value in ranked]
    return Base(values=ranked, shares=shares, mean=mean)


def _curves(observations: Sequence[Observation]) -> dict[str, Curve]:
    seen = np.array([observed.seen for observed in observations], dtype=np.float64)
    values = [observed.value for observed in observations]
    labels = sorted({value for value in values if isinstance(value, str)})
    wanted: dict[str, Iterable[float]] = {
        label: [float(value == label) for value in values] for label in labels
    }
    curves = {}
    for name, numbers in (wanted or {"": map(float, values)}).items():
        curve = monotone_curve(seen, np.array(list(numbers), dtype=np.float64))
        at, heights = (list(map(_rounded, points)) for points in (curve.at, curve.values))
        curves[name] = Curve(at=at, values=heights)
    return curves


def _commonest(part: Part, base: Base) -> Value:
    """The commonest point or label; where any number will do, people's mean."""
    return base.mean if not part.options and base.mean is not None else base.values[0]


def _drawn(base: Base, draw: random.Random) -> Value:
    ends = list(accumulate(base.shares))
    return base.values[min(bisect(ends, draw.random() * ends[-1]), len(ends) - 1)]


def _fitting(part: Part, value: Value) -> Value:
    """The value as the question takes it: on its scale, and at a point where it has points."""
    if isinstance(value, str):
        return value
    points = [point for point in part.options if not isinstance(point, str)]
    if points:
        return min(points, key=lambda point: abs(point - value))
    return min(max(value, part.low), part.high)


def _rounded(number: float) -> float:
    return round(float(number), 9)
