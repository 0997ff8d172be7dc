"""Judges' numbers in one facet beside people's in another: correlations and ego-centric shares."""

from typing import Any

import pytest

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Item, Rater, Study
from estimates.data.options import Options
from estimates.data.rows import SCORE_FACET, Row
from estimates.engine import estimation as engine
from estimates.engine.estimation import RepeatedRow
from tests.cast import make_study
from tests.results.answers import make_rater, questions, rate
from tests.results.estimates import estimate_study

HOLISTIC: tuple[str, dict[str, Any]] = ("slider", {"facet": "holistic", "low": 0, "high": 5})
QUICK = Options(resamples=0)


def quality(**options: Any) -> tuple[str, dict[str, Any]]:
    points = [{"value": value} for value in (1, 2, 3, 4, 5)]
    criterion = {"key": "quality", "question": "How good?", "points": points, **options}
    return "likert", {"criteria": [criterion]}


def line(**options: Any) -> tuple[str, dict[str, Any]]:
    return "slider", {"facet": "line", "low": 0, "high": 100, **options}


def made(other: tuple[str, dict[str, Any]], people: list[float], scores: list[float]) -> Study:
    """People in the first block, a judge in the second alone."""
    study = make_study(sources=len(people), blocks=(HOLISTIC, other))
    ada, judge = make_rater(study, "ada"), make_rater(study, "gpt", "judge")
    Rater.objects.filter(pk=judge.pk).update(family="Elm")
    for question, value in zip(questions(study), people, strict=True):
        rate(ada, question, value)
    for question, value in zip(questions(study, block=1), scores, strict=True):
        put(judge, question, value)
    return study


def put(judge: Rater, question: Any, value: float) -> None:
    content = (
        {"value": value}
        if question.block.task_type_slug == "slider"
        else {"scores": {"quality": value}}
    )
    given = GivenAnswer(question, question.typed_answer(content))
    record_answers(rater=judge, given=[given])


def figures(study: Study, metric: str) -> dict[tuple[str, str], Row]:
    """By facet and that of the judge's scores."""
    rows = estimate_study(study, QUICK).rows
    return {
        (row.facet, row.group.get(SCORE_FACET, "")): row
        for row in rows
        if row.metric == metric and row.raters == "humans~gpt" and row.aggregation == "pooled"
        if row.group.keys() <= {SCORE_FACET}
    }


def test_a_criterion_may_be_compared_with_a_facet_and_still_be_agreed_on(db: None) -> None:
    study = made(quality(compared_with=["holistic"]), [0, 1, 4, 5], [1, 2, 3, 5])
    for question, value in zip(questions(study, block=1), (1, 2, 4, 5), strict=True):
        put(Rater.objects.get(name="ada"), question, value)

    found = figures(study, "pearson")
    assert found.keys() == {("quality", ""), ("holistic", "quality")}
    # Deviations -2.5 -1.5 1.5 2.5 and -1.75 -.75 .25 2.25: 11.5 / sqrt(17 · 8.75)
    row = found["holistic", "quality"]
    assert row.estimate.value == pytest.approx(11.5 / (17 * 8.75) ** 0.5, abs=1e-12)
    assert (row.estimate.n_units, row.consensus) == (4, "mean")
    rows = estimate_study(study, QUICK).rows
    alphas = {row.raters for row in rows if row.metric == "krippendorff_alpha_ordinal"}
    assert alphas == {"humans", "humans~gpt"}


@pytest.mark.parametrize(
    ("other", "scores", "above"),
    [
        # On 0 to 5: 1.25, 5, 2.5, 5 beside 0, 1, 4.5, 3: the second and the last by 2 and more.
        (quality(compared_with=["holistic"]), [2, 5, 3, 5], 2 / 4),
        # 2, 1.5, 5, 4.95: the first by 2; the last by less.
        (line(compared_with=["holistic"]), [40, 30, 100, 99], 1 / 4),
    ],
    ids=["likert", "slider"],
)
def test_scores_far_above_people_are_counted_on_one_scale(
    db: None, other: tuple[str, dict[str, Any]], scores: list[float], above: float
) -> None:
    study = made(other, [0, 1, 4.5, 3], scores)
    items = Item.objects.filter(study=study).order_by("pk")
    for item, family in zip(items, ("Elm", "Oak", "Oak", "Elm"), strict=True):
        Item.objects.filter(pk=item.pk).update(system_family=family)
    (row,) = figures(study, "ego_centric_share").values()
    assert row.facet == "holistic"
    assert (row.estimate.value, row.consensus, row.estimate.n_units) == (above, "mean", 4)
    rows = estimate_study(study, QUICK).rows
    families = [r.group["family"] for r in rows if r.metric == row.metric and "family" in r.group]
    assert families == ["Elm", "Oak"]
    assert not [r for r in rows if r.metric == "length_slope" and r.facet == "holistic"]


def test_ends_that_were_only_observed_are_no_scale(db: None) -> None:
    """Importers take the lowest and highest score of a machine for the ends of its line."""
    study = made(line(compared_with=["holistic"], ends_observed=True), [0, 1, 4], [50, 60, 100])
    assert figures(study, "pearson").keys() == {("holistic", "")}
    assert figures(study, "ego_centric_share") == {}


def test_a_judge_with_scores_in_both_facets_has_a_row_for_each(db: None) -> None:
    """The two used to share a key: once -1, once +1."""
    study = made(line(compared_with=["holistic"]), [0, 1, 4], [10, 20, 90])
    for question, value in zip(questions(study), (5, 4, 1), strict=True):
        rate(Rater.objects.get(name="gpt"), question, value)
    found = figures(study, "pearson")
    assert found["holistic", ""].estimate.value == pytest.approx(-1)
    assert found["holistic", "line"].estimate.value == pytest.approx(180 / (78 / 9 * 3800) ** 0.5)


def test_scores_on_a_scale_of_their_own_keep_their_plain_key(db: None) -> None:
    study = made(line(compared_with=["holistic"]), [0, 1, 4], [10, 20, 90])
    assert figures(study, "pearson").keys() == {("holistic", "")}


def test_a_second_row_with_one_key_is_refused(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    study = made(line(), [0, 1, 4], [10, 20, 90])
    monkeypatch.setattr(engine, "STATISTICS", (*engine.STATISTICS, engine.STATISTICS[0]))
    with pytest.raises(RepeatedRow, match="krippendorff_alpha_interval"):
        estimate_study(study, QUICK)
