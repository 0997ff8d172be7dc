"""Storing answers: what they replace, and whose results they change."""

import pytest

from annotation.models import Annotation, Study
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions

pytestmark = pytest.mark.django_db


def revision(study: Study) -> int:
    return Study.objects.get(pk=study.pk).revision


def test_an_answer_changes_the_results_of_its_own_study_alone(study: Study) -> None:
    other = make_study("other")
    before = revision(study), revision(other)
    choose(make_rater(study, "ada"), questions(study)[0], 0)
    assert revision(study) > before[0]
    assert revision(other) == before[1]


def test_a_new_answer_replaces_that_of_its_own_replicate_alone(study: Study) -> None:
    rater, question = make_rater(study, "lexical", "judge"), questions(study)[0]
    first = choose(rater, question, 0)
    second = choose(rater, question, 1, replicate=1)
    newer = choose(rater, question, 2, replicate=1, supersede=True)
    assert set(Annotation.objects.filter(superseded_at=None)) == {first, newer}
    assert newer.supersedes == second
