"""Gold beside people and judges: who agrees with it, what it changes, what it says of errors."""

import pytest
from pytest_django import DjangoAssertNumQueries

from annotation.models import GoldAnswer, Question, Study, User
from estimates.data.database import load_table
from estimates.data.facts.gold import load_gold
from estimates.data.options import Options
from results.adjudication.compared import beside_gold_of
from results.adjudication.consensus_errors import audited, consensus_errors, frame_of
from results.adjudication.contested import contests
from results.adjudication.figures import CONSENSUS, tables_of
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate


def decide(question: Question, answer: dict[str, object], by: User | None = None) -> GoldAnswer:
    return GoldAnswer.objects.create(
        study=question.study, question=question, answer=answer, reason="read twice", by=by
    )


@pytest.fixture
def rated(db: None) -> Study:
    """Four sliders; two people and a judge. People's means are 15, 20, 45 and 80."""
    study = make_study("rated", sources=4, blocks=(("slider", {}),))
    for name, kind, values in [
        ("ada", "human", (10, 20, 30, 80)),
        ("bob", "human", (20, 20, 60, 80)),
        ("machine", "judge", (15, 25, 90, 80)),
    ]:
        rater = make_rater(study, name, kind)
        for question, value in zip(questions(study), values, strict=True):
            rate(rater, question, value)
    return study


def test_what_people_and_judges_differ_on_is_contested(rated: Study) -> None:
    asked = [question.pk for question in questions(rated)]
    contested = contests(load_table(rated))
    # Standard deviations 5, 0, 15, 0 of at most 50; the judge is 0, 5, 45, 0 of 100 away.
    people = [contested[pk].people for pk in asked]
    assert people == pytest.approx([0.1, 0, 0.3, 0])
    assert [contested[pk].judges for pk in asked] == pytest.approx([0, 0.05, 0.45, 0])
    assert [contested[pk].score for pk in asked] == pytest.approx([0.05, 0.025, 0.375, 0])
    assert [contested[pk].is_contested for pk in asked] == [True, True, True, False]


def test_without_gold_no_answer_is_read(
    rated: Study, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        figures = beside_gold_of(rated)
    assert (figures.n_gold, figures.agreement, figures.changes) == (0, [], [])


def test_gold_is_a_rater_beside_all_others(rated: Study) -> None:
    third, last = questions(rated)[2:]
    decide(third, {"value": 60})
    decide(last, {"value": 80})
    rows = {(row.metric, row.raters): row for row in beside_gold_of(rated).agreement}
    assert rows["raw_agreement", "bob~gold"].estimate.value == 1
    assert rows["raw_agreement", "ada~gold"].estimate.value == 0.5
    assert rows["raw_agreement", "machine~gold"].estimate.n_units == 2
    # Consensus 45 and 80 beside 60 and 80.
    assert rows["krippendorff_alpha_interval", "humans~gold"].consensus == "mean"


def test_the_page_has_people_first_and_what_each_figure_is_over(rated: Study) -> None:
    third, last = questions(rated)[2:]
    decide(third, {"value": 60})
    decide(last, {"value": 80})
    page = tables_of(rated, beside_gold_of(rated))
    (table,) = page["agreement"]
    people, *others = table.lines
    assert people.title == CONSENSUS
    assert {line.title for line in others} == {"ada", "bob", "machine"}
    shares = table.metrics.index("raw_agreement")
    assert {line.title: (line.cells[shares].value, line.cells[shares].n) for line in others} == {
        "ada": ("0.500", "n = 2"),
        "bob": ("1.000", "n = 2"),
        "machine": ("0.500", "n = 2"),
    }


def test_gold_in_place_of_the_consensus_changes_means_and_says_how_many(rated: Study) -> None:
    decide(questions(rated)[2], {"value": 65})
    figures = beside_gold_of(rated)
    change = next(
        change
        for change in figures.changes
        if change.before.metric == "mean" and not change.before.group
    )
    assert change.after is not None
    assert change.before.estimate.value == pytest.approx((15 + 20 + 45 + 80) / 4)
    assert change.after.estimate.value == pytest.approx((15 + 20 + 65 + 80) / 4)
    (errors,) = figures.errors
    assert (figures.n_gold, errors.changed) == (1, 1)
    assert dict(errors.errors) == {questions(rated)[2].pk: 20}


def test_without_gold_nothing_changes(rated: Study) -> None:
    figures = beside_gold_of(rated)
    assert (figures.n_gold, figures.changes, figures.errors) == (0, [], [])


def test_the_error_of_consensus_counts_ties_and_is_weighted_by_strata(owner: User) -> None:
    study = make_study("cited", sources=4, blocks=(("citation_recovery", {}),))
    for name, answers in {"ada": [[0], [0], [0], [2]], "bob": [[0], [2], [0], [2]]}.items():
        rater = make_rater(study, name)
        for question, answer in zip(questions(study), answers, strict=True):
            choose(rater, question, *answer)
    asked = questions(study)
    table, blocks = load_table(study), list(study.blocks.all())
    strata = frame_of(table, blocks[0])
    assert [strata[question.pk] for question in asked] == ["agreed", "contested", *["agreed"] * 2]
    for question in asked[:3]:
        decide(question, {"sentences": [0]})
    gold = load_gold(study, table.material.names_of)
    (errors,) = consensus_errors(table, gold, blocks[0].facets, Options(consensus="majority"))
    # Of {0} and {2} no sentence has a majority: the empty set is not {0}.
    assert [errors.errors[question.pk] for question in asked[:3]] == [0, 1, 0]
    sample = {question.pk: strata[question.pk] for question in asked[:3]}
    estimate = audited(errors, sample, {"agreed": 3, "contested": 1})
    assert estimate.value == pytest.approx(1 / 4)
    assert estimate.n_units == 3
