"""How often the intervals of a scorecard hold the truth: the table of docs/statistics.md."""

from collections.abc import Iterator

import numpy as np
import pytest

from agreement import (
    Bootstrap,
    Estimate,
    agreement_gap,
    closeness,
    contrast,
    corrected_rate,
    yes_no_rates,
)

BOOTSTRAP = Bootstrap(resamples=400)
# People say yes to 70 %; the judge has 93 % of these, and 64 % of the others. Each of three
# people is right in 90 %.
YES, TPR, TNR, RIGHT = 0.7, 0.93, 0.64, 0.9


def held(estimate: Estimate, truth: float) -> bool | None:
    if estimate.low is None or estimate.high is None:
        return None
    return estimate.low <= truth <= estimate.high


def intervals(
    sources: int, units: int, draw: np.random.Generator
) -> Iterator[tuple[str, bool | None]]:
    """Whether each interval of one simulated study holds the truth. With several units a source,
    sources differ in how much fails, and in how much of it the judge lets pass."""
    n, source = sources * units, np.repeat(np.arange(sources), units)
    several = units > 1
    easy = 0.4 * (draw.beta(2, 2, sources)[source] - 0.5) * several
    truth = draw.random(n) < YES + easy
    tnr = np.clip(TNR + draw.normal(0, 0.15, sources)[source] * several, 0, 1)
    judge = np.where(draw.random(n) < np.where(truth, TPR, tnr), truth, ~truth)
    rates = yes_no_rates(truth, judge, clusters=source, bootstrap=BOOTSTRAP)
    yield "TPR", held(rates.true_positive_rate, TPR)
    yield "TNR", held(rates.true_negative_rate, TNR)
    yield "bias", held(rates.bias, YES * TPR + (1 - YES) * (1 - TNR) - YES)
    people = [np.where(draw.random(n) < RIGHT, truth, ~truth) for _ in range(3)]
    close = closeness(
        np.tile(np.arange(n), 4),
        np.repeat(np.arange(4), n),
        np.concatenate([*people, judge]).astype(int),
        judge=3,
        distance="nominal",
        clusters=np.tile(source, 4),
    )
    same = [rate * RIGHT + (1 - rate) * (1 - RIGHT) for rate in (TPR, TNR)]
    gap = RIGHT**2 + (1 - RIGHT) ** 2 - YES * same[0] - (1 - YES) * same[1]
    yield "gap", held(agreement_gap(close, bootstrap=BOOTSTRAP).gap, gap)
    part = contrast(close.judge, np.arange(n) % 2 == 0, clusters=close.cluster)
    yield "part minus rest", held(part.estimate, 0)
    few = sources // 4 * units
    both = {"clusters": source[:few], "clusters_alone": source[few:], "bootstrap": BOOTSTRAP}
    corrected = corrected_rate(truth[:few], judge[:few], judge[few:], **both)  # type: ignore[arg-type]
    yield "corrected rate", held(corrected, YES)


def coverage(sources: int, units: int, studies: int) -> dict[str, float]:
    draw, found = np.random.default_rng(0), dict[str, list[bool]]()
    for _ in range(studies):
        for name, holds in intervals(sources, units, draw):
            found.setdefault(name, []).extend([] if holds is None else [holds])
    return {name: float(np.mean(each)) for name, each in found.items() if each}


def test_intervals_of_single_units_hold_the_truth() -> None:
    assert min(coverage(100, 1, 12).values()) > 0.7


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sources", "units", "least"),
    [(100, 1, 0.92), (200, 1, 0.92), (12, 5, 0.84), (20, 10, 0.88), (40, 5, 0.89)],
)
def test_coverage_is_that_of_the_docs(sources: int, units: int, least: float) -> None:
    assert min(coverage(sources, units, 2000).values()) >= least


# sources, units of each, share of yes; TPR .8, TNR .95, all of them differing between sources. Of
# 400 studies each: percent of the intervals that hold the truth. With plain bounds TNR had 90, 89
# and 92, and those of precision reached below 0 or beyond 1 in up to half of the studies.
JACKKNIFED = [
    (12, 10, 0.15, {"TNR": 98, "TPR": 98, "precision": 97}),
    (20, 10, 0.15, {"TNR": 97, "TPR": 98, "precision": 97}),
    (50, 4, 0.1, {"TNR": 96, "TPR": 97, "precision": 98}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("sources", "units", "yes", "expected"), JACKKNIFED)
def test_rates_over_sources_stay_within_0_and_1_and_hold_the_truth(
    sources: int, units: int, yes: float, expected: dict[str, int]
) -> None:
    draw = np.random.default_rng(3)
    truths = _rates(*_answers(200_000, units, yes, draw))
    holds: dict[str, list[bool]] = {name: [] for name in expected}
    for _ in range(400):
        people, judge = _answers(sources, units, yes, draw)
        rates = yes_no_rates(
            people.ravel(),
            judge.ravel(),
            clusters=np.repeat(np.arange(sources), units),
            bootstrap=Bootstrap(method="jackknife"),
        )
        found = (rates.true_negative_rate, rates.true_positive_rate, rates.precision)
        for name, estimate in zip(("TNR", "TPR", "precision"), found, strict=True):
            if (of := held(estimate, truths[name])) is not None:
                assert 0 <= (estimate.low or 0) < (estimate.high or 0) <= 1
                holds[name].append(of)
    for name, percent in expected.items():
        assert 100 * float(np.mean(holds[name])) == pytest.approx(percent, abs=2.5)


def _answers(
    sources: int, units: int, yes: float, draw: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """People's and the judge's answers, (sources, units) each; sources differ in all rates."""

    def of_sources(rate: float, alike: float = 20.0) -> np.ndarray:
        return draw.beta(rate * alike, (1 - rate) * alike, sources)[:, None]

    people = draw.random((sources, units)) < of_sources(yes)
    right = np.where(people, of_sources(0.8), of_sources(0.95))
    judge = np.where(draw.random((sources, units)) < right, people, ~people)
    return people, judge


def _rates(people: np.ndarray, judge: np.ndarray) -> dict[str, float]:
    return {
        "TNR": float((~judge)[~people].mean()),
        "TPR": float(judge[people].mean()),
        "precision": float(people[judge].mean()),
    }
