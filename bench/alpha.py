"""Alpha of a million ratings with an interval of 1,000 resamples, beside krippendorff.alpha.

The peer is the loop that one would write around the package: count the values of each unit once,
then `krippendorff.alpha(value_counts=counts[drawn])` for every resample. It is timed on a few
resamples and multiplied. For sets it looks distances up in a matrix made beforehand. There it
builds arrays of units x values x values (a peak of 3 GB for 26 distinct sets, twelve times that
for 93), so it gets a tenth of the units and its time is multiplied by ten: it is linear in the
units, and a little better than that on the smaller arrays, which favours the peer.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bench.measure import Measured, Row, in_child, report

UNITS, RATERS, RESAMPLES = 200_000, 5, 1_000
LABELS, SKILL = 5, 0.7
PEER_RESAMPLES = 10
OUR_RUNS = 3
MOST_MB = 500


@dataclass(frozen=True)
class Case:
    """One kind of data: sets of sentence numbers, or labels where there are no sentences."""

    distance: str
    sentences: int
    bar: int  # times the peer
    share: int  # the peer gets one unit in so many


CASES = (Case("nominal", 0, 50, 1), Case("jaccard", 5, 1_000, 10), Case("jaccard", 8, 1_000, 10))


def run() -> Iterator[Row]:
    """Speed beside the peer, peak memory and linearity, for labels and for sets."""
    for case in CASES:
        full = in_child("bench.alpha", "ours", units=UNITS, sentences=case.sentences)
        tenth = in_child("bench.alpha", "ours", units=UNITS // 10, sentences=case.sentences)
        peer = in_child("bench.alpha", "peer", units=UNITS // case.share, sentences=case.sentences)
        name = f"{case.distance}, {full.result['distinct']} values"
        yield _speed(case, name, full, peer.seconds * case.share * RESAMPLES / PEER_RESAMPLES)
        yield _memory(name, full)
        yield _linearity(name, full, tenth)


def _speed(case: Case, name: str, full: Measured, peer: float) -> Row:
    ratio, result = peer / full.seconds, full.result
    extrapolated = f"{PEER_RESAMPLES} resamples"
    if case.share > 1:
        extrapolated += f" of {UNITS // case.share:,} units"
    values = f"sets of up to {case.sentences} sentence numbers" if case.sentences else "labels"
    return Row(
        what=f"{name}: {UNITS * RATERS:,} ratings, {RESAMPLES:,} resamples",
        ours=full.seconds,
        unit="s",
        peer=peer,
        ratio=ratio,
        bar=f">= {case.bar:,} x",
        met=ratio >= case.bar,
        note=f"{values}, {UNITS:,} units x {RATERS} raters, median of {OUR_RUNS}; "
        f"peer: krippendorff.alpha in a loop, extrapolated from {extrapolated}; "
        f"alpha {result['value']:.4f} [{result['low']:.4f}, {result['high']:.4f}]",
    )


def _memory(name: str, full: Measured) -> Row:
    return Row(
        what=f"{name}: peak memory of the process",
        ours=full.peak_mb,
        unit="MB",
        bar=f"< {MOST_MB} MB",
        met=full.peak_mb < MOST_MB,
    )


def _linearity(name: str, full: Measured, tenth: Measured) -> Row:
    growth = full.seconds / tenth.seconds
    return Row(
        what=f"{name}: time for ten times the ratings",
        ours=growth,
        unit="x",
        bar="<= 12 x",  # linear, and a fifth for noise
        met=growth <= 12,
        note=f"{UNITS * RATERS // 10:,} ratings take {tenth.seconds:.2f} s",
    )


# Below: what the child processes do.


def _answers(units: int, sentences: int) -> Any:
    """Made-up answers (units, raters) as codes: labels, or sets as bits of sentence numbers.

    Labels: the right one with probability SKILL, else any. Sets: from three to `sentences`
    sentences, one or two right ones, sometimes none; a rater gives these with probability SKILL,
    else adds a sentence, picks another, none, or two.
    """
    import numpy as np

    rng = np.random.default_rng(0)
    column, shape = (units, 1), (units, RATERS)
    if not sentences:
        right = rng.integers(0, LABELS, column)
        return np.where(rng.random(shape) < SKILL, right, rng.integers(0, LABELS, shape))
    lengths = rng.integers(3, sentences + 1, column)

    def pick(size: tuple[int, int]) -> Any:
        return 1 << rng.integers(0, np.broadcast_to(lengths, size))

    right = pick(column)
    right = np.where(rng.random(column) < 0.15, right | pick(column), right)
    right = np.where(rng.random(column) < 0.05, 0, right)
    first, second, chance = pick(shape), pick(shape), rng.random(shape)
    kinds = [chance < SKILL + more for more in (0, 0.1, 0.2, 0.25)]
    answers = [right, right | first, first, np.zeros_like(first)]
    return np.select(kinds, [np.broadcast_to(kind, shape) for kind in answers], first | second)


def _sets(sentences: int) -> list[frozenset[int]]:
    """Every set of sentence numbers, in the order of its bits."""
    return [
        frozenset(index for index in range(sentences) if bits >> index & 1)
        for bits in range(1 << sentences)
    ]


def _ours(units: int, sentences: int) -> Callable[[], dict[str, Any]]:
    import numpy as np

    from agreement import Bootstrap, Coded, alpha

    answers = _answers(units, sentences).ravel()
    unit, rater = np.repeat(np.arange(units), RATERS), np.tile(np.arange(RATERS), units)
    distinct = len(np.unique(answers))
    values: Any = Coded(answers, _sets(sentences)) if sentences else answers
    distance = "jaccard" if sentences else "nominal"
    bootstrap = Bootstrap(resamples=RESAMPLES)

    def work() -> dict[str, Any]:
        estimate = alpha(unit, rater, values, distance=distance, bootstrap=bootstrap)
        return {
            "value": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "distinct": distinct,
        }

    return work


def _peer(units: int, sentences: int) -> Callable[[], dict[str, Any]]:
    import krippendorff
    import numpy as np

    from agreement import DISTANCES

    values, codes = np.unique(_answers(units, sentences), return_inverse=True)
    cells = codes.reshape(units, RATERS) + np.arange(units)[:, None] * len(values)
    counts = np.bincount(cells.ravel(), minlength=units * len(values)).reshape(units, -1)
    sets = [_sets(sentences)[bits] for bits in values.tolist()] if sentences else []
    apart = np.array([[DISTANCES["jaccard"](first, second) for second in sets] for first in sets])

    def jaccard(_first: Any, _second: Any, i1: Any, i2: Any, **_: Any) -> Any:
        return apart[i1, i2]

    level: Any = jaccard if sentences else "nominal"
    rng = np.random.default_rng(0)

    def work() -> dict[str, Any]:
        for _ in range(PEER_RESAMPLES):
            drawn = counts[rng.integers(0, units, units)]
            value = krippendorff.alpha(value_counts=drawn, level_of_measurement=level)
        return {"last": float(value)}

    return work


if __name__ == "__main__":
    if sys.argv[1] == "ours":
        report(_ours, sys.argv[2:], times=OUR_RUNS)
    else:
        report(_peer, sys.argv[2:])
