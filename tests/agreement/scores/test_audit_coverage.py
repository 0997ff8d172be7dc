"""How often the interval of an audit holds the error of the consensus: the table of
docs/statistics.md."""

from collections.abc import Sequence

import numpy as np
import pytest

from agreement import Estimate, audited_error

QUESTIONS, LEAST = 1000, 5
# Labels, people a question, and size of the sample.
DESIGNS = [
    *((2, 1, n) for n in (50, 100, 200)),
    *((2, 3, n) for n in (50, 100, 200)),
    *((2, 5, n) for n in (50, 100, 200)),
    *((4, 3, n) for n in (50, 100, 200)),
]


def study(labels: int, people: int, size: int, rng: np.random.Generator) -> tuple[Estimate, float]:
    """An audit of a study in which every answer is wrong with probability 1 in 5, and the share of
    its questions whose majority is wrong, or missing."""
    wrong = rng.random((QUESTIONS, people)) < 0.2
    answers = np.where(wrong, rng.integers(1, labels, wrong.shape), 0)  # 0 is right
    votes = (answers[:, :, None] == np.arange(labels)).sum(axis=1)
    errors = (2 * votes[:, 0] <= people).astype(float)
    contested = (votes.max(axis=1) < people).astype(int)
    population = {name: int(n) for name, n in enumerate(np.bincount(contested)) if n}
    drawn = np.concatenate(
        [
            rng.permutation(np.flatnonzero(contested == name))[
                : min(n, max(round(size * n / QUESTIONS), LEAST))
            ]
            for name, n in population.items()
        ]
    )
    estimate = audited_error(errors[drawn].tolist(), contested[drawn].tolist(), population)
    return estimate, float(errors.mean())


def coverage(labels: int, people: int, size: int, studies: int) -> Sequence[float]:
    """Percent of intervals that hold the truth, the mean of what is estimated and of the truth in
    percent, and the mean half width."""
    rng = np.random.default_rng(7)
    held, values, truths, widths = [], [], [], []
    for _ in range(studies):
        estimate, truth = study(labels, people, size, rng)
        assert estimate.value is not None
        assert estimate.low is not None
        assert estimate.high is not None
        held.append(estimate.low <= truth <= estimate.high)
        values.append(estimate.value)
        truths.append(truth)
        widths.append((estimate.high - estimate.low) / 2)
    return [100 * float(np.mean(each)) for each in (held, values, truths, widths)]


@pytest.mark.slow
@pytest.mark.parametrize(("labels", "people", "size"), DESIGNS)
def test_the_interval_holds_the_error_of_the_consensus(labels: int, people: int, size: int) -> None:
    holds, value, truth, _ = coverage(labels, people, size, 2000)
    assert 93 <= holds <= 98.5
    assert value == pytest.approx(truth, abs=0.5)


def test_it_holds_and_has_no_bias_in_a_few_studies() -> None:
    holds, value, truth, _ = coverage(2, 3, 100, 200)
    assert holds >= 91
    assert value == pytest.approx(truth, abs=1)
