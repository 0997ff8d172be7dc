"""Which rows have intervals for other raters, and what the others say."""

import numpy as np
import pytest

from agreement import Estimate
from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from estimates.engine.estimation import NOT_DRAWN
from estimates.models import CachedEstimates
from estimates.report.cache import report_of
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate
from tests.results.estimates import estimate_study

SOURCES = Options(resamples=50, seed=3, resample="sources")
BOTH = Options(resamples=50, seed=3, resample="sources_and_raters")
DRAWN = "jackknife over 12 clusters and 4 raters, generalized p with 3 degrees of freedom"


@pytest.fixture
def crowd(db: None) -> Study:
    """Four people and a judge answer both blocks of twelve sources."""
    study = make_study(sources=12)
    rng = np.random.default_rng(1)
    people = [make_rater(study, name) for name in ("ada", "bob", "cyd", "dee")]
    for at, rater in enumerate([*people, make_rater(study, "lexical", "judge")]):
        for question in questions(study):
            choose(rater, question, *np.flatnonzero(rng.random(3) < 0.5).tolist())
        for question in questions(study, block=1):
            rate(rater, question, int(rng.integers(0, 60)) + 10 * at)
    return study


def found(study: Study, options: Options) -> dict[tuple[str, str, str], Row]:
    rows = estimate_study(study, options).rows
    return {(one.metric, one.raters, one.facet): one for one in rows if not one.group}


def wide(estimate: Estimate) -> float:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.high - estimate.low


FIGURES_OF_PEOPLE = [
    ("krippendorff_alpha_jaccard", "recovery"),
    ("krippendorff_alpha_masi", "recovery"),
    ("krippendorff_alpha_interval", "utility"),
    ("krippendorff_alpha_ordinal", "utility"),
    ("raw_agreement", "recovery"),
    ("f1", "recovery"),
    ("mean", "utility"),
    ("mean_z", "utility"),
]
OTHER_FIGURES = [
    ("f1", "lexical"),
    ("f1", "ada"),
    ("krippendorff_alpha_jaccard", "humans~lexical"),
    ("entropy", "humans"),
]


def test_figures_of_people_together_speak_of_other_people_and_all_others_say_that_they_do_not(
    crowd: Study,
) -> None:
    plain, both = found(crowd, SOURCES), found(crowd, BOTH)
    for metric, facet in FIGURES_OF_PEOPLE:
        before, after = (rows[metric, "humans", facet].estimate for rows in (plain, both))
        assert str(after.interval_method).startswith(DRAWN)
        assert NOT_DRAWN not in str(after.interval_method)
        assert after.value == before.value
        assert wide(after) >= wide(before)
    assert wide(both["mean", "humans", "utility"].estimate) > 2 * wide(
        plain["mean", "humans", "utility"].estimate
    )
    for metric, raters in OTHER_FIGURES:
        before, after = (rows[metric, raters, "recovery"].estimate for rows in (plain, both))
        assert after.interval_method == f"{before.interval_method}; {NOT_DRAWN}"
        assert (after.low, after.high) == (before.low, before.high)


def test_unless_asked_agreement_speaks_of_these_people_and_scores_of_others(crowd: Study) -> None:
    usual, plain, both = (found(crowd, o) for o in (Options(resamples=50), SOURCES, BOTH))
    for metric, facet in FIGURES_OF_PEOPLE:
        as_usual, these, others = (
            rows[metric, "humans", facet].estimate for rows in (usual, plain, both)
        )
        of_agreement = "alpha" in metric or metric == "raw_agreement"
        expected = these if of_agreement else others
        assert (as_usual.low, as_usual.high) == (expected.low, expected.high)


def test_every_interval_says_whether_it_speaks_of_other_raters(crowd: Study) -> None:
    for row in estimate_study(crowd, BOTH).rows:
        method = row.estimate.interval_method or ""
        if method.startswith(("jackknife", "percentile")):
            says = (NOT_DRAWN in method, " and 4 raters" in method, "these raters" in method)
            assert sum(says) == 1 or row.estimate.low is None, row


def test_intervals_of_these_raters_say_nothing_of_raters(crowd: Study) -> None:
    rows = estimate_study(crowd, SOURCES).rows
    assert not any("raters" in (row.estimate.interval_method or "") for row in rows)


def test_the_interval_of_one_person_is_called_so(db: None) -> None:
    study = make_study(sources=6)
    ada = make_rater(study, "ada")
    for at, question in enumerate(questions(study)):
        choose(ada, question, *([], [0], [0, 1], [0, 2], [0, 1, 2], [1])[at])
    method = found(study, BOTH)["f1", "humans", "recovery"].estimate.interval_method
    assert str(method).endswith("; this rater only")


def test_both_reports_are_kept_apart(crowd: Study) -> None:
    assert report_of(crowd, SOURCES).rows != report_of(crowd, BOTH).rows
    assert CachedEstimates.objects.count() == 2


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(ValueError, match="resample: 'raters' is none of scores, "):
        Options(resample="raters")
