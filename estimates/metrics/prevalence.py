"""Prevalence and bias: what beside agreement makes kappa and alpha high or low."""

from collections.abc import Iterator

from agreement import prevalence_and_bias
from estimates.catalogue.reliability import COMMONEST
from estimates.metrics.kappas import as_labels, offered, scale_of
from estimates.statistics.samples import TwoRaters
from estimates.statistics.statistic import Figure, Rated, Statistic, can_agree


def _prevalence(sample: Rated) -> Iterator[Figure]:
    """Of people together, and of a judge beside their consensus; not of every two named raters."""
    two = isinstance(sample, TwoRaters)
    ratings, scale = sample.ratings, scale_of(sample.whole, sample.consensus)
    if scale is None or (two and not sample.consensus):
        return
    labels = offered(ratings, scale)
    indices = prevalence_and_bias(
        ratings.place,
        ratings.rater,
        as_labels(ratings),
        labels=labels or None,
        clusters=ratings.source,
        bootstrap=sample.options.bootstrap,
    )
    yield Figure(COMMONEST, indices.commonest)
    yield Figure("pabak", indices.adjusted)
    if len(labels) == 2:
        yield Figure("prevalence_index", indices.prevalence)
    if len(labels) == 2 and two:
        yield Figure("bias_index", indices.bias)


PREVALENCE = Statistic(compute=_prevalence, applies=can_agree)
