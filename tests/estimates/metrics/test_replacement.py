"""May a judge replace a person? The rows of the alternative annotator test."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions
from tests.results.estimates import estimate_study
from tests.results.imported import by_rater, import_raters, points

RATE, ADVANTAGE, GAP = "alt_winning_rate", "alt_advantage_probability", "alt_gap"


def rows(study: Study, **options: float) -> dict[tuple[str, str], Row]:
    found = estimate_study(study, Options(resamples=20, **options)).rows  # type: ignore[arg-type]
    return {(row.metric, row.raters): row for row in found if row.metric in (RATE, ADVANTAGE, GAP)}


def test_a_judge_that_sides_with_the_others_wins_over_a_person_who_does_not(
    db: None, tmp_path: Path
) -> None:
    """Over 40 units ada and bob say a, cyd says b; the judge says a. Leaving ada out, the judge
    is as near to bob and cyd as she is: all ties, so 1 for both; likewise bob. Leaving cyd out,
    the judge is nearer throughout. The difference is 0, 0 and -1, always below 0.1."""
    study = import_raters(
        tmp_path,
        by_rater(ada="a" * 40, bob="a" * 40, cyd="b" * 40),
        by_rater(good="a" * 40, bad="c" * 40),
        level="nominal",
    )

    found = rows(study)

    rate = found[RATE, "humans~good"].estimate
    assert (rate.value, rate.n_raters, rate.n_units) == (1, 3, 40)
    assert rate.interval_method is not None
    assert rate.interval_method.startswith("no interval; epsilon 0.1,")
    advantage = found[ADVANTAGE, "humans~good"].estimate
    assert advantage.value == 1
    assert advantage.interval_method is not None
    assert "over 40 clusters" in advantage.interval_method
    # The other one is near to nobody: ada and bob to one of the others, cyd to none.
    assert found[RATE, "humans~bad"].estimate.value == pytest.approx(1 / 3)


def test_epsilon_is_what_the_study_says_where_nothing_else_is_asked_for(
    db: None, tmp_path: Path
) -> None:
    people = by_rater(ada="a" * 100, bob="a" * 100, cyd="a" * 100)
    study = import_raters(tmp_path, people, by_rater(gpt="baaaaaaaaa" * 10), level="nominal")
    study.epsilon = 0.4
    assert rows(study)[RATE, "humans~gpt"].estimate.value == 1
    study.epsilon = 0.05
    assert rows(study)[RATE, "humans~gpt"].estimate.value == 0


def test_epsilon_is_an_option(db: None, tmp_path: Path) -> None:
    """The judge is right where both people are, but for every tenth unit: the difference is 0.1
    on average, more than 0.05 and surely less than 0.4."""
    people = by_rater(ada="a" * 100, bob="a" * 100, cyd="a" * 100)
    study = import_raters(tmp_path, people, by_rater(gpt="baaaaaaaaa" * 10), level="nominal")

    assert rows(study, epsilon=0.05)[RATE, "humans~gpt"].estimate.value == 0
    assert rows(study, epsilon=0.4)[RATE, "humans~gpt"].estimate.value == 1


def test_numbers_are_scored_by_how_far_off_they_are(db: None, tmp_path: Path) -> None:
    people = points(ada="1" * 30, bob="2" * 30, cyd="1" * 30)
    study = import_raters(tmp_path, people, points(near="1" * 30, far="5" * 30), level="ordinal")

    found = rows(study)

    assert found[RATE, "humans~near"].estimate.value == 1
    assert found[ADVANTAGE, "humans~far"].estimate.value == 0


def test_two_people_are_no_group_that_a_judge_could_join(db: None, tmp_path: Path) -> None:
    """ada and bob have 30 units each, cyd 29: there is no rate, but the judge's advantage."""
    people = by_rater(ada="a" * 29 + "b", bob="a" * 29 + "b", cyd="a" * 29 + ".")
    judges = by_rater(gpt="a" * 29 + "b")
    found = rows(import_raters(tmp_path, people, judges, level="nominal"))

    rate = found[RATE, "humans~gpt"].estimate
    assert rate.undefined == "fewer than 3 people with 30 units of 15 sources"
    assert (rate.n_raters, rate.n_units) == (2, 30)
    assert found[ADVANTAGE, "humans~gpt"].estimate.value == 1
    assert found[GAP, "humans~gpt"].estimate.value == 0


def test_too_few_shared_units_refuse_the_test(db: None) -> None:
    study = make_study(sources=3)
    people = [make_rater(study, name) for name in ("ada", "bob")]
    judge = make_rater(study, "lexical", "judge")
    for question in questions(study):
        for rater in (*people, judge):
            choose(rater, question, 0)

    for row in rows(study).values():
        assert (
            row.estimate.undefined
            == "no person shares 30 units with the judge and with another person"
        )
        assert row.estimate.interval_method is None


def test_an_epsilon_outside_its_range_is_refused(db: None) -> None:
    make_study()
    with pytest.raises(CommandError, match="--epsilon: must lie within 0 and 1"):
        call_command("report", "small", "--epsilon", "2", stdout=StringIO())
    with pytest.raises(ValueError, match="epsilon: 2 does not lie within 0 and 1"):
        Options(epsilon=2)
