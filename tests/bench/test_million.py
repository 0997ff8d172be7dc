"""The study of the bench `million`, which COPY loads."""

import pytest
from django.db import connection
from django.db.models import Count, F, Q

from annotation.models import Annotation, Assignment, Place, Rating, Study
from bench.desk.study import SLUG
from bench.million.study import build

UNITS = 400


@pytest.mark.django_db(transaction=True)
def test_there_are_twice_as_many_answers_as_units_and_their_counts_are_true() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("COPY is a statement of PostgreSQL")
    build(UNITS)

    study = Study.objects.get(slug=SLUG)
    at_hand = Assignment.objects.filter(state=Assignment.State.ACTIVE)
    n_at_hand = at_hand.aggregate(n=Count("assignment_units"))["n"]
    answers = Annotation.objects.filter(study=study)
    assert n_at_hand
    assert answers.count() == 2 * UNITS - n_at_hand
    assert Rating.objects.filter(study=study).count() == 2 * answers.count()
    places = Place.objects.filter(round__study=study).annotate(
        n=Count("assignment_units", filter=Q(assignment_units__outcome="counted"))
    )
    assert places.count() == UNITS
    assert not places.exclude(n=F("counted")).exists()
    made = study.sources.create(key="a later one")  # the sequences go on behind the copies
    assert made.pk > UNITS // 4
