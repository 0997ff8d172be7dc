"""The study of the bench `desk`."""

import pytest

from annotation.models import Annotation, Assignment, AssignmentUnit, Place, Rating, Study
from bench.desk.study import OVERLAP, PER_BATCH, SLUG, build


@pytest.mark.django_db
def test_every_unit_has_five_answers_but_those_that_people_have_at_hand() -> None:
    build(units=400, studies=2)

    study = Study.objects.get(slug=SLUG)
    at_hand = AssignmentUnit.objects.filter(assignment__state=Assignment.State.ACTIVE).count()
    people = Annotation.objects.filter(study=study, rater__kind="human")
    assert at_hand
    assert people.count() == 400 * OVERLAP - at_hand
    assert Rating.objects.filter(study=study).count() == 2 * (people.count() + 400)
    counted = Place.objects.filter(round__study=study).values_list("counted", flat=True)
    assert sum(counted) == people.count()
    assert max(AssignmentUnit.objects.values_list("position", flat=True)) <= PER_BATCH
