"""What a judge lets pass and what it refuses: its rates of yes and no beside people's."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from agreement import Estimate, classification_rates, corrected_rate, mean_by, yes_no_rates
from estimates.catalogue.meta_evaluation import BALANCED_ACCURACY, MACRO_F1, MCC
from estimates.catalogue.scorecard import (
    CONFUSION,
    CORRECTED_RATE,
    RATE_BIAS,
    TRUE_NEGATIVE_RATE,
    TRUE_POSITIVE_RATE,
)
from estimates.catalogue.scores import PRECISION
from estimates.data.groups import LABEL, SYSTEM
from estimates.data.ratings import reach_of
from estimates.data.table import BoolArray
from estimates.scorecard.decisions import Decisions, JudgeDecisions
from estimates.statistics.samples import Compared
from estimates.statistics.statistic import Figure, Statistic, can_agree

# In the group of a count: whose label is whose.
PEOPLE, JUDGE = "people", "judge"
# A table of more labels cannot be read.
MOST_ACROSS = 11
TOO_WIDE = f"more than {MOST_ACROSS} labels"


def _rates(judged: JudgeDecisions) -> Iterator[Figure]:
    """The rates of the positive label, or of every label of more than two; what people would say
    to all units; and how often each two labels met."""
    positive = judged.labels.positive
    if positive >= 0:
        yield from _of_label(judged, positive)
        yield from _corrected(judged, positive)
    elif not judged.group and not judged.labels.are_orders:
        for code, name in enumerate(judged.labels.names):
            for figure in _of_label(judged, code):
                yield replace(figure, group={LABEL: name})
    if not judged.group and not judged.older:
        yield from _confusion(judged)
        if not judged.labels.are_orders:
            yield from _over_all_labels(judged)


def _of_label(judged: JudgeDecisions, code: int) -> Iterator[Figure]:
    theirs, its, about = _shared(judged, code)
    rates = yes_no_rates(theirs, its, **about)
    for metric, estimate in (
        (TRUE_POSITIVE_RATE, rates.true_positive_rate),
        (TRUE_NEGATIVE_RATE, rates.true_negative_rate),
        (PRECISION, rates.precision),
        (RATE_BIAS, rates.bias),
    ):
        yield Figure(metric, _by_people(judged, estimate))


def _over_all_labels(judged: JudgeDecisions) -> Iterator[Figure]:
    shared = judged.decisions.shared
    rates = classification_rates(
        shared.people,
        shared.judge,
        weights=shared.weight,
        clusters=shared.source,
        bootstrap=judged.options.bootstrap,
    )
    yield Figure(BALANCED_ACCURACY, _by_people(judged, rates.balanced_accuracy))
    yield Figure(MACRO_F1, _by_people(judged, rates.macro_f1))
    yield Figure(MCC, _by_people(judged, rates.mcc))


def _corrected(judged: JudgeDecisions, code: int) -> Iterator[Figure]:
    """Where the judge answered what no person did."""
    alone = judged.decisions.alone
    if len(alone) and not judged.older:
        theirs, its, about = _shared(judged, code)
        rest: dict[str, Any] = {"weights_alone": alone.weight, "clusters_alone": alone.source}
        rate = corrected_rate(theirs, its, alone.judge == code, **about, **rest)
        yield Figure(CORRECTED_RATE, _by_people(judged, rate))


def _shared(judged: JudgeDecisions, code: int) -> tuple[BoolArray, BoolArray, dict[str, Any]]:
    """Who of the two gives the label to what both decided, and what else there is to say of it."""
    shared = judged.decisions.shared
    about: dict[str, Any] = {"weights": shared.weight, "clusters": shared.source}
    about["bootstrap"] = judged.options.bootstrap
    return shared.people == code, shared.judge == code, about


def _by_people(judged: JudgeDecisions, estimate: Estimate) -> Estimate:
    return replace(estimate, n_raters=judged.n_people)


def _confusion(judged: JudgeDecisions) -> Iterator[Figure]:
    """How many decisions people gave the one label and the judge the other, of all of them."""
    shared, names = judged.decisions.shared, judged.labels.names
    if len(names) > MOST_ACROSS:
        yield Figure(CONFUSION, Estimate.missing(TOO_WIDE, n_raters=judged.n_people))
        return
    counts = _counts(shared, len(names))
    total = round(float(counts.sum()))
    for first, second in zip(*np.nonzero(counts), strict=True):
        count = Estimate(
            value=float(counts[first, second]), n_units=total, n_raters=judged.n_people
        )
        yield Figure(CONFUSION, count, group={PEOPLE: names[first], JUDGE: names[second]})


def _counts(shared: Decisions, width: int) -> Any:
    cell = shared.people * width + shared.judge
    return np.bincount(cell, weights=shared.weight, minlength=width * width).reshape(width, width)


def _bias_of_numbers(two: Compared) -> Iterator[Figure]:
    """The judge's mean minus the people's, over what both gave a number to."""
    people, judge = two.first, two.second
    _, theirs, its = np.intersect1d(people.place, judge.place, return_indices=True)
    if two.pair.second.older or not len(its):
        return
    apart = judge.number[its] - people.number[theirs]
    reach = reach_of(people, judge)
    estimate = mean_by(
        apart,
        clusters=people.source[theirs],
        ends=(-reach, reach),
        bootstrap=two.options.bootstrap,
    )
    n_people = len(np.unique(two.ratings.rater))
    yield Figure(RATE_BIAS, replace(estimate, sd=None, sd_ddof=None, n_raters=n_people))


RATES = Statistic(compute=_rates, by={SYSTEM}, applies=can_agree)
BIAS_OF_NUMBERS = Statistic(
    compute=_bias_of_numbers,
    by={SYSTEM},
    applies=lambda facet: facet.kind == "number" and not facet.ranks and can_agree(facet),
)
