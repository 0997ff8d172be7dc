"""Studies of a judge beside people, for the table of what the first screen says."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from agreement import Bootstrap, Estimate, agreement_gap, closeness
from tests.agreement.characteristics import Design, Findings, Kind

EPSILON = 0.1
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
        (f"{INTERVAL}, these people", Kind.COVERAGE): _holds(at.low, at.high),
        (f"{WITHIN}, people like them", Kind.SIZE): _below(others.others_high, EPSILON),
        (f"{BEYOND}, people like them", Kind.SIZE): _below(EPSILON, others.others_low),
        (f"{INTERVAL}, people like them", Kind.COVERAGE): _holds(
            others.others_low, others.others_high
        ),
        (f"{WITHIN}, these people", Kind.POWER): _below(level.high, EPSILON),
        (f"{WITHIN}, people like them", Kind.POWER): _below(level.others_high, EPSILON),
    }


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


def _holds(low: float | None, high: float | None) -> bool | None:
    out = _leaves_out(low, high, EPSILON)
    return None if out is None else not out


DESIGNS = tuple(designs())
