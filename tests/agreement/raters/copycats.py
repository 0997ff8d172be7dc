"""Simulated studies in which people answer by themselves or copy a judge's answers."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement import benjamini_hochberg, judge_similarity

LEVEL = 0.05


@dataclass(frozen=True, kw_only=True)
class Crowd:
    """units: of each person, each answered by `overlap` people.

    per_source: units of a source; who knows the right answer to one of them knows it to all.
    labels: that can be given. skill: range of the share of units on which a person knows the right
    one; else they guess. judge: the same of the judge. hard: half of the units are known by a third
    as many. copycats: people who give the judge's answer to a share `copied` of their units, a
    share `turned` of these at random, and their own to the others. numbers: instead of labels the
    right number with normal errors of 1 minus the skill, and people with a severity of their own.
    """

    units: int
    people: int = 10
    overlap: int = 3
    per_source: int = 1
    labels: int = 2
    skill: tuple[float, float] = (0.7, 0.7)
    judge: float = 0.7
    hard: bool = False
    copycats: int = 0
    copied: float = 0.6
    turned: float = 0.1
    numbers: bool = False


@dataclass(frozen=True)
class Alarms:
    """Shares: of studies in which somebody honest has q <= .05, of honest people with p <= .05, of
    copycats with q <= .05, and the mean share of honest ones among those with q <= .05."""

    false: float
    single: float
    noticed: float
    wrong: float


def alarms(crowd: Crowd, *, studies: int, seed: int = 0) -> Alarms:
    """What a number of simulated studies of that kind lead to."""
    rng, rows = np.random.default_rng(seed), []
    honest = np.arange(crowd.people) >= crowd.copycats
    for _ in range(studies):
        p = _p_values(crowd, rng)
        taken = np.array(benjamini_hochberg(p.tolist())) <= LEVEL
        noticed = taken[~honest].mean() if crowd.copycats else 0.0
        rows.append(
            (
                taken[honest].any(),
                (p[honest] <= LEVEL).mean(),
                noticed,
                taken[honest].sum() / max(taken.sum(), 1),
            )
        )
    return Alarms(*np.mean(np.array(rows, dtype=float), axis=0).tolist())


def _p_values(crowd: Crowd, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    n_units = crowd.units * crowd.people // crowd.overlap
    values, judged = (_numbers if crowd.numbers else _labels)(crowd, rng, n_units)
    person, unit = _who_answers(crowd, rng, n_units)
    by_person = judge_similarity(
        np.concatenate([unit, np.arange(n_units)]),
        np.concatenate([person, np.full(n_units, crowd.people)]),
        np.concatenate([values[person, unit], judged]),
        judge=crowd.people,
        distance="interval" if crowd.numbers else "nominal",
        clusters=np.concatenate([unit, np.arange(n_units)]) // crowd.per_source,
    )
    each = [by_person[at].p_value for at in range(crowd.people)]
    return np.array([1.0 if p_value is None else p_value for p_value in each])


def _labels(
    crowd: Crowd, rng: np.random.Generator, n: int
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    def guesses(*shape: int) -> npt.NDArray[np.int64]:
        return rng.integers(crowd.labels, size=shape)

    truth, known, source = guesses(n), np.ones(n), np.arange(n) // crowd.per_source
    if crowd.hard:
        known[rng.random(n) < 0.5] = 1 / 3
    judged = np.where(rng.random(n)[source] < crowd.judge * known, truth, guesses(n))
    skill = rng.uniform(*crowd.skill, size=(crowd.people, 1))
    knows = rng.random((crowd.people, n))[:, source] < skill * known
    values = np.where(knows, truth, guesses(crowd.people, n))
    for person in range(crowd.copycats):
        copy = np.where(rng.random(n) < crowd.turned, guesses(n), judged)
        values[person] = np.where(rng.random(n) < crowd.copied, copy, values[person])
    return values, judged


def _numbers(
    crowd: Crowd, rng: np.random.Generator, n: int
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    truth = rng.normal(size=n)
    judged = truth + (1 - crowd.judge) * rng.normal(size=n)
    error = 1 - rng.uniform(*crowd.skill, size=(crowd.people, 1))
    values = truth + error * rng.normal(size=(crowd.people, n))
    for person in range(crowd.copycats):
        copy = judged + crowd.turned * rng.normal(size=n)
        values[person] = np.where(rng.random(n) < crowd.copied, copy, values[person])
    return values + 0.3 * rng.normal(size=(crowd.people, 1)), judged


def _who_answers(
    crowd: Crowd, rng: np.random.Generator, n: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Everybody about as many units, and each unit by `overlap` people, in ever other groups."""
    places = np.repeat(np.arange(n), crowd.overlap)
    groups = [
        rng.choice(crowd.people, crowd.overlap, replace=False) for _ in range(-(-n // crowd.people))
    ]
    turns = np.arange(crowd.people)[:, None]
    person = np.concatenate([(turns + group) % crowd.people for group in groups])[:n]
    return person.ravel(), places
