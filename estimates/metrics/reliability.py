"""Reliability of ratings: intraclass correlations, and how many raters a unit needs."""

from collections.abc import Iterator
from dataclasses import replace

from agreement import Estimate, Reliability, decision_study, mean_of_raters, reliability
from estimates.catalogue.reliability import COMPONENT, ICC_AGREEMENT, RATERS_PER_UNIT
from estimates.data.raters import UNNAMED
from estimates.statistics.samples import TwoRaters
from estimates.statistics.statistic import Figure, Rated, Statistic, can_agree

# The parts of the variance of ratings, in the order in which they are estimated.
COMPONENTS = ("units", "raters", "residual")


def _reliability(crowd: Rated) -> Iterator[Figure]:
    """Intraclass correlations of one rating and of the mean of as many as units have; the shares
    of the variance; and the reliability of the mean of one to ten raters. Of numbers within a unit
    the first alone, for which each text has its own raters."""
    study = _of(crowd)
    agreement = Estimate.missing(UNNAMED) if crowd.numbered else study.agreement
    yield Figure("icc_1_1", study.one_way)
    yield Figure(ICC_AGREEMENT, agreement)
    if agreement.value is None:  # so is all that follows: that is said once
        return
    yield Figure("icc_2_k", mean_of_raters(agreement, study.mean_raters))
    for name, share in zip(COMPONENTS, study.shares, strict=True):
        yield Figure("variance_share", share, group={COMPONENT: name})
    for number, estimate in decision_study(agreement).items():
        yield Figure("dependability", estimate, group={RATERS_PER_UNIT: str(number)})


def _with_people(two: TwoRaters) -> Iterator[Figure]:
    """The same of a judge beside people's mean: two raters of all units."""
    if two.consensus:
        yield Figure(ICC_AGREEMENT, replace(_of(two).agreement, n_raters=2))


def _of(sample: Rated) -> Reliability:
    ratings = sample.ratings
    return reliability(
        ratings.place,
        ratings.rater,
        ratings.number,
        clusters=ratings.source,
        bootstrap=sample.options.bootstrap,
    )


RELIABILITY = Statistic(
    compute=_reliability,
    applies=lambda facet: facet.is_score,
    missing=lambda _sample: (ICC_AGREEMENT,),
)
RELIABILITY_BESIDE = Statistic(
    compute=_with_people, applies=lambda facet: facet.is_score and can_agree(facet)
)
