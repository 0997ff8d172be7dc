"""Studies of a judge beside people, for the table of what the first screen says."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.special import ndtri

from agreement import Bootstrap, Estimate, agreement_gap, closeness, yes_no_rates
from tests.agreement.characteristics import Design, Findings, Kind, holds

EPSILON = 0.1
# How often a judge says yes, and no, where people do.
TPR, TNR = 0.93, 0.64
# People are right in between so many units of two labels, one person in more than another.
WORST, BEST = 0.7, 0.95
JACKKNIFE = Bootstrap(method="jackknife")
WITHIN, BEYOND = "judge: not more than ε farther", "judge: farther than ε allows"
APART, INTERVAL = "judge: farther or nearer", "judge: how much more people agree"


def designs() -> Iterator[Design]:
    """People by sources by units of each source; the judge errs on whole sources."""
    for people in (3, 5, 10):
        for sources, units in ((50, 4), (200, 1)):
            name = f"judge {people} × {sources} × {units}"
            yield Design(name, partial(_study, people=people, sources=sources, units=units))
    for yes in (0.95, 0.7):
        for sources, units in ((20, 10), (50, 4), (200, 1)):
            name = f"judge's rates, yes {yes:g}, {sources} × {units}"
            yield Design(name, partial(_rates, yes=yes, sources=sources, units=units))


def _study(rng: np.random.Generator, *, people: int, sources: int, units: int) -> Findings:
    """Of these people with a difference of ε and of 0, and of people like them with one of ε."""
    skills = rng.uniform(WORST, BEST, people)
    drawn = partial(_gap, rng, skills, sources=sources, units=units)
    at, level = drawn(_skill_at(skills, EPSILON)), drawn(_skill_at(skills, 0.0))
    mean = (WORST + BEST) / 2
    others = drawn(mean - EPSILON / (2 * mean - 1))
    return {
        (f"{WITHIN}, these people", Kind.SIZE): _below(at.high, EPSILON),
        (f"{BEYOND}, these people", Kind.SIZE): _below(EPSILON, at.low),
        (f"{APART}, these people", Kind.SIZE): _leaves_out(level.low, level.high, 0.0),
        (f"{INTERVAL}, these people", Kind.COVERAGE): holds(at.low, EPSILON, at.high),
        (f"{WITHIN}, people like them", Kind.SIZE): _below(others.others_high, EPSILON),
        (f"{BEYOND}, people like them", Kind.SIZE): _below(EPSILON, others.others_low),
        (f"{INTERVAL}, people like them", Kind.COVERAGE): holds(
            others.others_low, EPSILON, others.others_high
        ),
        (f"{WITHIN}, these people", Kind.POWER): _below(level.high, EPSILON),
        (f"{WITHIN}, people like them", Kind.POWER): _below(level.others_high, EPSILON),
    }


def _rates(rng: np.random.Generator, *, yes: float, sources: int, units: int) -> Findings:
    """People say yes to a share of the units of a source that differs between sources, and so does
    how often the judge says no where they do."""
    n, source = sources * units, np.repeat(np.arange(sources), units)
    chance = rng.beta(20 * yes, 20 * (1 - yes), sources)[source] if units > 1 else yes
    people, spread = rng.random(n) < chance, 0.15 * rng.normal(size=sources)[source]
    wrong = 1 - np.clip(TNR + (spread if units > 1 else 0), 0, 1)
    judge = rng.random(n) < np.where(people, TPR, wrong)
    found = yes_no_rates(people, judge, clusters=source, bootstrap=JACKKNIFE)
    true, false = yes * TPR, (1 - yes) * (1 - _TRUE_NEGATIVE[units > 1])
    each = {
        "true positive rate": (found.true_positive_rate, TPR),
        "true negative rate": (found.true_negative_rate, _TRUE_NEGATIVE[units > 1]),
        "precision": (found.precision, true / (true + false)),
        "bias": (found.bias, true + false - yes),
    }
    return {
        (f"judge: {name}", Kind.COVERAGE): holds(of.low, truth, of.high)
        for name, (of, truth) in each.items()
    }


def _clipped_mean(middle: float, sd: float) -> float:
    """Of a normal number that is kept within 0 and 1."""
    quantiles = middle + sd * ndtri((np.arange(10_000) + 0.5) / 10_000)
    return float(np.clip(quantiles, 0, 1).mean())


_TRUE_NEGATIVE = {False: TNR, True: _clipped_mean(TNR, 0.15)}


def _skill_at(skills: np.ndarray, difference: float) -> float:
    """How often a judge is right of whom these people differ so much more than from each other: two
    who are right in s and t agree in 1/2 + 2 (s - 1/2) (t - 1/2)."""
    apart = skills - 0.5
    n, total = len(skills), float(apart.sum())
    among = (total**2 - float((apart**2).sum())) / (n * (n - 1))
    return 0.5 + (among - difference / 2) / (total / n)


def _gap(
    rng: np.random.Generator, skills: np.ndarray, skill: float, *, sources: int, units: int
) -> Estimate:
    """One drawn study: how much more the people agree with each other than with the judge."""
    n, k = sources * units, len(skills)
    source = np.repeat(np.arange(sources), units)
    truth = rng.random(n) < 0.5
    right = rng.random((n, k)) < skills
    judge = (rng.random(sources) < skill)[source]
    labels = np.column_stack([right, judge]) == truth[:, None]
    close = closeness(
        np.repeat(np.arange(n), k + 1),
        np.tile(np.arange(k + 1), n),
        labels.ravel().tolist(),
        judge=k,
        distance="nominal",
        clusters=np.repeat(source, k + 1),
    )
    return agreement_gap(close, bootstrap=JACKKNIFE).gap


def _below(value: float | None, bar: float | None) -> bool | None:
    return None if value is None or bar is None else value < bar


def _leaves_out(low: float | None, high: float | None, value: float) -> bool | None:
    return None if low is None or high is None else not low <= value <= high


DESIGNS = tuple(designs())
