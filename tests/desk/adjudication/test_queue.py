"""Questions come into the queue once, whoever sends them."""

import pytest

from annotation.models import AdjudicationCase, Study, User
from desk.adjudication.queue import send_to_adjudication
from tests.cast import make_study


@pytest.mark.django_db
def test_units_are_sent_with_all_their_questions_and_wait_once(study: Study, owner: User) -> None:
    units = list(study.units.all())

    assert send_to_adjudication(study=study, units=units, by=owner) == 6
    assert send_to_adjudication(study=study, units=units, by=owner) == 0

    cases = AdjudicationCase.objects.filter(study=study)
    assert {case.why for case in cases} == {"asked"}
    assert {case.question_id for case in cases} == set(study.questions.values_list("pk", flat=True))


@pytest.mark.django_db
def test_units_of_another_study_are_not_sent(study: Study, owner: User) -> None:
    other = make_study("other")

    assert send_to_adjudication(study=study, units=other.units.all(), by=owner) == 0
    assert not AdjudicationCase.objects.exists()
