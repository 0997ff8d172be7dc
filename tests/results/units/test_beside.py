"""Judges beside people in lists of units."""

import pytest

from annotation.models import Study
from results.units.beside import judges_beside
from tests.results.answers import choose, make_rater, questions


@pytest.mark.django_db
def test_values_read_as_on_the_page_of_their_question(study: Study) -> None:
    question, judge = questions(study)[0], make_rater(study, "lexical", "judge")
    choose(judge, question, 1)
    choose(make_rater(study, "ada"), question, 0, 2)

    (line,) = judges_beside(study, [question.unit_id], {judge.pk: "lexical"})[question.unit_id]
    assert (line.facet, line.value) == ("Citation recovery", "Sentence 2")
    assert (line.people, line.differs, line.compared) == ("Sentences 1, 3", 1, 1)
