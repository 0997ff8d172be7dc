"""Worker quality as rows of single raters."""

from pathlib import Path

import pytest

from agreement import alpha
from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate
from tests.results.estimates import estimate_study
from tests.results.imported import by_rater, import_raters

OTHERS, ACCURACY = "agreement_with_others", "dawid_skene_accuracy"


def rows(study: Study) -> dict[tuple[str, str, str], Row]:
    found = estimate_study(study, Options(resamples=0)).rows
    return {
        (row.metric, row.facet, row.raters): row
        for row in found
        if row.metric in (OTHERS, ACCURACY)
    }


def test_alpha_is_taken_apart_by_person_and_labels_have_an_accuracy(
    db: None, tmp_path: Path
) -> None:
    people = by_rater(ada="aabbab", bob="aabbab", cyd="aabbab", dot="bababb")
    study = import_raters(tmp_path, people, by_rater(gpt="bbbbbb"), level="nominal")

    found = rows(study)

    whole = float(
        alpha(
            [unit for own in people.values() for unit in own],
            [name for name, own in people.items() for _ in own],
            [label for own in people.values() for label in own.values()],
            distance="nominal",
        )
    )
    each = {name: float(found[OTHERS, "rating", name].estimate) for name in people}
    assert sum(each.values()) / 4 == pytest.approx(whole)
    assert each["ada"] == each["bob"] > each["dot"]
    assert found[OTHERS, "rating", "dot"].estimate.n_ratings == 6
    assert found[OTHERS, "rating", "dot"].estimate.n_raters == 3
    assert found[ACCURACY, "rating", "ada"].estimate.value == pytest.approx(1)
    assert float(found[ACCURACY, "rating", "dot"].estimate) < 0.7
    assert found[ACCURACY, "rating", "ada"].estimate.interval_method == "no interval"
    assert not [key for key in found if key[2] in ("gpt", "humans")]


def test_sets_and_numbers_have_agreement_but_no_accuracy(db: None) -> None:
    study = make_study()
    ada, bob = make_rater(study, "ada"), make_rater(study, "bob")
    program = make_rater(study, "program", "simulated")
    for at, question in enumerate(questions(study)):
        for rater in (ada, bob, program):
            choose(rater, question, at)
    rate(ada, questions(study, block=1)[0], 40)

    found = rows(study)

    assert found[OTHERS, "recovery", "ada"].estimate.value == 1
    assert found[OTHERS, "recovery", "ada"].estimate.n_raters == 1
    assert found[OTHERS, "recovery", "program"].estimate.undefined == "one rater only"
    assert found[OTHERS, "utility", "ada"].estimate.undefined == "one rater only"
    assert (OTHERS, "utility", "bob") not in found
    assert ACCURACY not in {metric for metric, _, _ in found}


def test_equal_answers_throughout_leave_nothing_to_tell(db: None, tmp_path: Path) -> None:
    study = import_raters(
        tmp_path, by_rater(ada="aaa", bob="aaa"), by_rater(gpt="bbb"), level="nominal"
    )

    for row in rows(study).values():
        assert row.estimate.undefined == "no variation: all ratings are equal"
