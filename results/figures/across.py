"""A judge's numbers in one facet against people's answers in another."""

import numpy as np
from django.utils.translation import gettext as _

from results.data.ratings import Ratings
from results.data.table import FloatArray, IntArray
from results.figures.from_ratings import Material, cloud_of
from results.figures.plots import Nothing, Plot, scale_title
from results.metrics.averages import has_numbers, numbers_of
from results.reading.titles import party_title


def across_facets(people: Material, scores: Material, judge: str, crowd: str) -> Plot:
    """A point per item that both have answered: people's mean across, the judge's upwards, each
    on its own scale."""
    group = next((party for party in people.parties.crowds if party.name == crowd), None)
    machine = next((party for party in scores.parties.judges if party.name == judge), None)
    if group is None or machine is None or not has_numbers(people.ratings.facet):
        return Nothing(_("both answered nothing in common that can be drawn"))
    owners, x = _means(people.ratings.by(group.raters).once())
    others, y = _means(scores.ratings.by(machine.raters).once())
    _shared, at, of = np.intersect1d(owners, others, return_indices=True)
    if not len(at):
        return Nothing(_("both answered no question in common"))
    titles = (
        f"{party_title(crowd)}: {scale_title(people.ratings.facet)}",
        f"{judge}: {scale_title(scores.ratings.facet)}",
    )
    return cloud_of(np.column_stack([x[at], y[of]]), "", titles, own_scales=True)


def _means(ratings: Ratings) -> tuple[IntArray, FloatArray]:
    """The items of these ratings, ascending, and the mean of each."""
    if not len(ratings):
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    owners, which = np.unique(ratings.owner, return_inverse=True)
    sums = np.bincount(which, weights=numbers_of(ratings))
    return owners, np.asarray(sums / np.bincount(which))
