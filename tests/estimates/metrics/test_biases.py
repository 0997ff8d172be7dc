"""Bias probes as rows: own family and length, of every judge beside people."""

from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Item, Rater, Study
from estimates.data.options import Options
from estimates.data.rows import Row
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate
from tests.results.estimates import estimate_study
from tests.results.imported import import_raters, points

SLIDER: tuple[tuple[str, dict[str, object]], ...] = (("slider", {}),)


def probes(study: Study, options: Options | None = None) -> dict[tuple[str, str, str], Row]:
    """By metric, raters and family."""
    names = ("ego_centric_share", "ego_centric_difference", "length_slope")
    found = estimate_study(study, options or Options(resamples=50)).rows
    return {
        (row.metric, row.raters, row.group.get("family", "")): row
        for row in found
        if row.metric in names
    }


def judged(
    people: list[tuple[float, ...]], scores: list[float], *, judge_family: str = "Elm"
) -> tuple[Study, list[Item]]:
    """Sliders from 0 to 100: a list of people's values and the judge's score for each item."""
    study = make_study(sources=len(scores), blocks=SLIDER)
    raters = [make_rater(study, name) for name in ("ada", "bob")]
    judge = make_rater(study, "gpt", "judge")
    Rater.objects.filter(pk=judge.pk).update(family=judge_family)
    for question, given, score in zip(questions(study), people, scores, strict=True):
        for rater, value in zip(raters, given, strict=False):
            rate(rater, question, value)
        rate(judge, question, score)
    return study, list(Item.objects.filter(study=study).order_by("pk"))


def in_families(items: list[Item], *families: str) -> None:
    for item, family in zip(items, families, strict=True):
        item.system_family = family
        item.save()


def in_words(items: list[Item], *counts: int) -> None:
    for item, count in zip(items, counts, strict=True):
        item.sentences = [{"text": "word " * count, "citations": []}]
        item.save()


def test_a_judge_may_overrate_its_own_family(db: None) -> None:
    """Two points of 0 to 5 are 40 of 0 to 100. Above the mean of people by 40, 50, 39 and 0:
    two of four in all; of its own family both, of the other neither."""
    study, items = judged([(10, 30), (20,), (30, 70), (90,)], [60, 70, 89, 90])
    in_families(items, "elm", "elm", "Oak", "Oak")

    found = probes(study)

    whole = found["ego_centric_share", "humans~gpt", ""]
    assert (whole.estimate.value, whole.aggregation, whole.consensus) == (1 / 2, "pooled", "mean")
    assert (whole.estimate.n_units, whole.estimate.n_raters) == (4, 2)
    assert "too few sources" in str(whole.estimate.interval_method)
    assert found["ego_centric_share", "humans~gpt", "elm"].estimate.value == 1
    assert found["ego_centric_share", "humans~gpt", "Oak"].estimate.value == 0
    assert found["ego_centric_difference", "humans~gpt", ""].estimate.value == 1


def test_the_median_of_people_is_not_asked_for_here(db: None) -> None:
    study, _ = judged([(0, 100), (50,)], [90, 50])

    row = probes(study, Options(resamples=0, consensus="median"))[
        "ego_centric_share", "humans~gpt", ""
    ]

    assert (row.estimate.value, row.consensus) == (1 / 2, "mean")


@pytest.mark.parametrize(
    ("judge", "families", "reason"),
    [
        ("", ("elm", "oak"), "the judge's family is not known"),
        ("fir", ("elm", "oak"), "no text of the judge's own family"),
        ("elm", ("elm", ""), "no text of another family"),
    ],
)
def test_the_comparison_of_families_says_what_it_lacks(
    db: None, judge: str, families: tuple[str, str], reason: str
) -> None:
    study, items = judged([(10,), (20,)], [60, 70], judge_family=judge)
    in_families(items, *families)

    row = probes(study)["ego_centric_difference", "humans~gpt", ""]

    assert (row.estimate.value, row.estimate.undefined) == (None, reason)


def test_a_judge_may_reward_length(db: None) -> None:
    """score = 10 + 2 · (words / 100) + 0.5 · people."""
    people, words = [20, 40, 40, 80, 60], [50, 100, 300, 200, 400]
    scores = [10 + 2 * count / 100 + 0.5 * mean for mean, count in zip(people, words, strict=True)]
    study, items = judged([(mean - 5, mean + 5) for mean in people], scores)
    in_words(items, *words)

    estimate = probes(study)["length_slope", "humans~gpt", ""].estimate

    assert estimate.value == pytest.approx(2)
    assert estimate.n_units == 5
    assert estimate.interval_method is not None
    assert "over 5 clusters" in estimate.interval_method


def test_texts_that_are_not_known_have_no_length(db: None) -> None:
    study, items = judged([(10,), (20,), (30,), (40,)], [10, 20, 30, 50])
    in_words(items, 0, 0, 0, 0)

    row = probes(study)["length_slope", "humans~gpt", ""]

    assert row.estimate.undefined == "the texts are not known"
    assert ("ego_centric_difference", "humans~gpt", "") not in probes(study)


def test_sets_and_studies_without_people_have_no_probes(db: None) -> None:
    study = make_study()
    judge = make_rater(study, "lexical", "judge")
    for question in questions(study):
        choose(judge, question, 0)
    for question in questions(study, block=1):
        rate(judge, question, 50)

    assert not probes(study)


def test_texts_are_read_once_for_all_judges(db: None) -> None:
    study, _ = judged([(10,), (20,)], [60, 70])
    other = make_rater(study, "other", "judge")
    for question in questions(study):
        rate(other, question, 30)

    with CaptureQueriesContext(connection) as captured:
        estimate_study(study, Options(resamples=0))

    assert len([one for one in captured if '"sentences"' in one["sql"]]) == 1


def test_texts_that_were_not_imported_have_no_length(db: None, tmp_path: Path) -> None:
    """Their stand-in has one, the same for each: "all texts are equally long"."""
    study = import_raters(tmp_path, points(ada="1234"), points(gpt="1243"), level="interval")
    rows = estimate_study(study, Options(resamples=0)).rows
    reasons = {row.estimate.undefined for row in rows if row.metric == "length_slope"}
    assert reasons == {"the texts are not known"}
