"""How widely the choices for a unit spread over its options."""

from collections.abc import Collection, Hashable
from math import inf, log
from typing import Any

import numpy as np

from ..bootstrap.intervals import Bootstrap
from ..values.coding import Coded, FloatArray, IntArray, code_ids
from ..values.estimate import Estimate
from ..values.ratings import NO_RATINGS, Ids, TidyRatings, read_ratings
from .means import mean_by


def choice_entropy(
    units: Ids,
    raters: Ids,
    choices: Collection[Any] | Coded,
    *,
    options: int | None = None,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Entropy of the options chosen for a unit, in nats, mean over units.

    H = - sum p ln p over the options of a unit, p the number of times an option was chosen over
    that of all choices made; the empty choice is one choice of the option "none".

    Parameters
    ----------
    units, raters : (N,) ids; one answer per rater and unit.
    choices : (N,) answers, each a collection of options or a single label; None or NaN where
        missing; or Coded answers.
    options : how many there are to choose from, "none" among them, 2 or more; None: not known.
    clusters, bootstrap : as for `alpha`.

    Returns an Estimate from 0 (all chose one option) to the logarithm of the options, with the
    population standard deviation over units. A unit with one answer counts: one person may
    choose several options. Undefined: no ratings. Errors as for `alpha`.

    Source: Shannon (1948), "A Mathematical Theory of Communication", section 6; over choices as in
    Xing, Baldwin and Lau (2025), "Evaluating Evidence Attribution in Generated Fact Checking
    Explanations", Figure 3.
    """
    tidy = read_ratings(units, raters, _answers(choices), kind="label", clusters=clusters)
    if not len(tidy.unit):
        return Estimate.missing(NO_RATINGS, n_units=0, n_raters=0, n_ratings=0)
    rows, option = _chosen(tidy)
    present, place = np.unique(tidy.unit, return_inverse=True)
    mean = mean_by(
        _entropies(place[rows], option, len(present)),
        present,
        clusters=tidy.cluster_of_unit[present],
        ends=(0.0, inf if options is None else log(options)),
        bootstrap=bootstrap,
    )
    counted = {"n_raters": len(np.unique(tidy.rater)), "n_ratings": len(tidy.rater)}
    return Estimate(**{**vars(mean), **counted})


# What an empty choice is a choice of: equal to no option that a caller can pass.
_NONE = object()


def _answers(choices: Collection[Any] | Coded) -> Coded | list[frozenset[Hashable] | None]:
    if isinstance(choices, Coded):
        return Coded(choices.codes, [_options(choice) for choice in choices.domain])
    return [_options(choice) for choice in choices]


def _options(choice: Any) -> frozenset[Hashable] | None:
    if choice is None or choice != choice:  # noqa: PLR0124 (NaN is not equal to itself)
        return None
    if isinstance(choice, str | bytes) or not isinstance(choice, Collection):
        return frozenset({choice})
    return frozenset(choice) or frozenset({_NONE})


def _chosen(tidy: TidyRatings) -> tuple[IntArray, IntArray]:
    """Every option chosen, as a code, and the rating that it belongs to."""
    answers: Any = tidy.domain
    sizes = np.array([len(options) for options in answers], dtype=np.int64)
    codes, _ = code_ids([option for options in answers for option in options])
    starts, length = np.cumsum(sizes) - sizes, sizes[tidy.code]
    rows = np.repeat(np.arange(len(length)), length)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(length) - length, length)
    return rows, codes[starts[tidy.code][rows] + within]


def _entropies(unit: IntArray, option: IntArray, n_units: int) -> FloatArray:
    """Entropy of each unit's choices, given as parallel codes."""
    key, count = np.unique(unit * (int(option.max()) + 1) + option, return_counts=True)
    owner = key // (int(option.max()) + 1)
    share = count / np.bincount(unit, minlength=n_units)[owner]
    return np.abs(np.bincount(owner, share * np.log(share), n_units).astype(np.float64))
