"""Rows inserted in bulk are those that objects would have been stored as."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.models import Annotation, Rating, Source
from annotation.queries.inserts import insert_rows, json_text, moment_value
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions

pytestmark = pytest.mark.django_db
NAMES = ("annotation_id", "study_id", "facet", "element", "number", "label", "members")


def test_ids_come_in_the_order_of_the_rows_and_are_nobody_elses() -> None:
    study = make_study()
    before = choose(make_rater(study, "ada"), questions(study)[0], 0)
    rows = [
        (before.pk, study.pk, "a", "", 1.5, None, None),
        (before.pk, study.pk, "b", "", None, "ä\tb\\n", None),
        (before.pk, study.pk, "c", "", None, None, json_text(["ö", 2])),
    ]

    ids = insert_rows(Rating, NAMES, rows)

    stored = Rating.objects.in_bulk(list(ids))
    assert [stored[pk].facet for pk in ids] == ["a", "b", "c"]
    values = [(stored[pk].number, stored[pk].label, stored[pk].members) for pk in ids]
    assert values == [(1.5, None, None), (None, "ä\tb\\n", None), (None, None, ["ö", 2])]
    after = choose(make_rater(study, "bob"), questions(study)[0], 0)
    assert after.ratings.get().pk not in ids
    assert insert_rows(Rating, NAMES, []) == ()


def test_moments_are_stored_as_objects_store_them() -> None:
    study = make_study()
    question, rater, now = questions(study)[0], make_rater(study, "ada"), timezone.now()
    names = (
        *("study_id", "question_id", "rater_id", "replicate", "answer"),
        *("surplus", "excluded_reason", "created_at"),
    )
    row = (study.pk, question.pk, rater.pk, 0, json_text({}), False, "", moment_value(now))

    (pk,) = insert_rows(Annotation, names, [row])

    assert Annotation.objects.get(pk=pk).created_at == now
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Annotation, names, [row])


def test_a_table_that_was_never_used_has_ids_too() -> None:
    study = make_study()
    names = ("study_id", "key", "claim", "verdict", "passages", "chains", "document", "query")
    row = (study.pk, "new", "Rain falls.", "", "[]", "[]", "", "", "[]", "[]")
    (pk,) = insert_rows(Source, (*names, "nuggets", "turns"), [row])
    assert Source.objects.get(key="new").pk == pk
