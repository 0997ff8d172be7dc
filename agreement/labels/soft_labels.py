"""A judge's answer beside the spread of people's answers, where people need not be of one mind."""

import numpy as np

from ..bootstrap.intervals import Bootstrap
from ..scores.means import mean_by
from ..values.coding import FloatArray, IntArray, code_ids
from ..values.estimate import Estimate
from ..values.ratings import Ids

NO_SPREAD = "no unit with the judge and two people"
FEWEST_PEOPLE = 2


def label_divergence(
    people_units: IntArray,
    people_labels: IntArray,
    judge_units: IntArray,
    judge_labels: IntArray,
    *,
    clusters: Ids,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Jensen-Shannon divergence of a judge's answers from the spread of people's, mean over units.

    Parameters
    ----------
    people_units, people_labels : (N,) codes of unit and label of each answer of a person.
    judge_units, judge_labels : (M,) the same of the judge, several of a unit where it was asked
        again: their spread is then compared.
    clusters : (U,) of each unit by its code, ids of what is resampled.
    bootstrap : as for `alpha`.

    Units with the judge and two people or more count. Returns an Estimate in [0, 1], in bits: 0 for
    equal spreads, 1 where no answer is shared. A single answer of a judge cannot reach 0 where
    people differ. n_units counts units. People are held fixed. Undefined: no such unit. Raises
    ValueError for different lengths.

    Source: Lin (1991), "Divergence measures based on the Shannon entropy"; as a measure against
    people's spread Uma, Fornaciari, Hovy, Paun, Plank and Poesio (2021), "Learning from
    Disagreement: A Survey", section 4.
    """
    if len(people_units) != len(people_labels) or len(judge_units) != len(judge_labels):
        raise ValueError("units and labels differ in length")
    labels, width = code_ids(np.concatenate([people_labels, judge_labels]))
    n_units = len(clusters)
    people = _counts(people_units, labels[: len(people_units)], n_units, width)
    judge = _counts(judge_units, labels[len(people_units) :], n_units, width)
    used = np.flatnonzero((people.sum(axis=1) >= FEWEST_PEOPLE) & (judge.sum(axis=1) > 0))
    if not len(used):
        return Estimate.missing(NO_SPREAD, n_units=0)
    p, q = (side[used] / side[used].sum(axis=1, keepdims=True) for side in (people, judge))
    values = _entropy((p + q) / 2) - (_entropy(p) + _entropy(q)) / 2
    return mean_by(
        np.clip(values, 0.0, 1.0),
        clusters=code_ids(clusters)[0][used],
        ends=(0, 1),
        bootstrap=bootstrap,
    )


def _counts(units: IntArray, labels: IntArray, n_units: int, width: int) -> FloatArray:
    key = units * width + labels
    return np.bincount(key, minlength=n_units * width).reshape(n_units, width).astype(np.float64)


def _entropy(shares: FloatArray) -> FloatArray:
    """(U, L) shares -> (U,) bits."""
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=1))
