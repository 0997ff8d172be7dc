"""A judge as a classifier of people's labels: rates over all labels at once."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..bootstrap.intervals import Bootstrap
from ..bootstrap.scales import COEFFICIENTS, SHARES, Scale
from ..scores.dominance import interval_of_left_out
from ..values.coding import FloatArray, IntArray, code_ids
from ..values.estimate import Estimate
from ..values.ratings import Ids

NO_UNIT = "no unit that both labelled"
ONE_LABEL = "people gave one label only"
CONSTANT = "no variation: people or the judge gave one label only"

# Counts of people's label by the judge's, (r, L, L) -> (r,), NaN where undefined.
Rate = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, kw_only=True)
class ClassificationRates:
    """balanced_accuracy: the mean over people's labels of the share that the judge gives, too.
    macro_f1: the mean F1 over the labels that either gave. mcc: Matthews' correlation."""

    balanced_accuracy: Estimate
    macro_f1: Estimate
    mcc: Estimate


def classification_rates(
    people: IntArray,
    judge: IntArray,
    *,
    weights: FloatArray | None = None,
    clusters: Ids | None = None,
    bootstrap: Bootstrap | None = None,
) -> ClassificationRates:
    """Three rates of a judge's labels beside people's, which do not depend on common labels alone.

    balanced_accuracy: in [0, 1], 1/q by chance of q labels. macro_f1: in [0, 1]; a label that the
    judge or people never gave counts as 0 where the other one did. mcc: in [-1, 1], 0 by chance;
    of more than two labels the R_K of Gorodkin.

    Parameters
    ----------
    people, judge : (N,) labels as codes from 0 on, without missing ones.
    weights : (N,) how many units each entry stands for, above 0; 1 when left out.
    clusters : (N,) ids of what intervals leave out; each entry by itself when left out.
    bootstrap : as for `alpha`; intervals are jackknives, whatever method it asks for.

    People are held fixed. n_units is the sum of weights, rounded. Undefined: no entry; of balanced
    accuracy, one label of people; of MCC, one label of either. Raises ValueError for different
    lengths.

    Source: Brodersen, Ong, Stephan and Buhmann (2010), "The balanced accuracy and its posterior
    distribution"; Sokolova and Lapalme (2009), "A systematic analysis of performance measures for
    classification tasks"; Matthews (1975), "Comparison of the predicted and observed secondary
    structure of T4 phage lysozyme"; Gorodkin (2004), "Comparing two K-category assignments by a
    K-category correlation coefficient", equation 8.
    """
    n = len(people)
    weight = np.ones(n) if weights is None else weights
    cluster = np.arange(n) if clusters is None else code_ids(clusters)[0]
    if {len(judge), len(weight), len(cluster)} != {n}:
        raise ValueError("labels, weights and clusters differ in length")
    if not n:
        nothing = Estimate.missing(NO_UNIT, n_units=0)
        return ClassificationRates(balanced_accuracy=nothing, macro_f1=nothing, mcc=nothing)
    labels, width = code_ids(np.concatenate([people, judge]))
    cell = labels[:n] * width + labels[n:]
    shape = (int(cluster.max()) + 1, width, width)
    counts = np.bincount(cluster * width**2 + cell, weight, shape[0] * width**2).reshape(shape)
    total = counts.sum(axis=0)
    without = np.maximum(total - counts, 0.0)

    def estimate(of: Rate, scale: Scale, reason: str) -> Estimate:
        value, n_units = float(of(total[None])[0]), round(float(total.sum()))
        if np.isnan(value):
            return Estimate.missing(reason, n_units=n_units)
        bounds = interval_of_left_out(value, of(without), bootstrap, scale)
        return Estimate(value=value, n_units=n_units, **vars(bounds))

    return ClassificationRates(
        balanced_accuracy=estimate(_balanced_accuracy, SHARES, ONE_LABEL),
        macro_f1=estimate(_macro_f1, SHARES, NO_UNIT),
        mcc=estimate(_mcc, COEFFICIENTS, CONSTANT),
    )


def _balanced_accuracy(counts: FloatArray) -> FloatArray:
    given, right = counts.sum(axis=2), np.diagonal(counts, axis1=1, axis2=2)
    used = given > 0
    shares = np.divide(right, given, out=np.zeros_like(given), where=used)
    mean = shares.sum(axis=1) / np.maximum(used.sum(axis=1), 1)
    return np.where(used.sum(axis=1) > 1, mean, np.nan)


def _macro_f1(counts: FloatArray) -> FloatArray:
    either = counts.sum(axis=2) + counts.sum(axis=1)
    right, used = np.diagonal(counts, axis1=1, axis2=2), either > 0
    scores = np.divide(2 * right, either, out=np.zeros_like(either), where=used)
    return np.where(used.any(axis=1), scores.sum(axis=1) / np.maximum(used.sum(axis=1), 1), np.nan)


def _mcc(counts: FloatArray) -> FloatArray:
    n, right = counts.sum(axis=(1, 2)), np.trace(counts, axis1=1, axis2=2)
    people, judge = counts.sum(axis=2), counts.sum(axis=1)
    apart = right * n - (people * judge).sum(axis=1)
    spread = (n**2 - (people**2).sum(axis=1)) * (n**2 - (judge**2).sum(axis=1))
    mcc = np.full(len(n), np.nan)
    np.divide(apart, np.sqrt(np.maximum(spread, 0.0)), out=mcc, where=spread > 1e-12 * n**4)
    return mcc
