from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, models, transaction
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Assignment, Draft, Question
from annotation.queries.compiled import Given, Prepared, PreparedInsert, PreparedUpdate
from tests.annotation.workers import lease, newcomer, step_at
from tests.cast import make_study

WHOLE = Prepared(
    lambda: (
        Assignment.objects.filter(public_id=Given("public_id"))
        .select_related("round", "participation__study", "participation__worker")
        .defer("participation__study__imported")
    )
)
LOCKED = Prepared(lambda: Assignment.objects.filter(pk=Given("key")).select_for_update())
INSERT = PreparedInsert(Draft)
FIELDS = ("posted", "complete", "saved_at", "active_seconds")


@pytest.fixture
def batch(db: None) -> Assignment:
    return lease(newcomer(make_study(sources=4, per_batch=4)))


def columns(row: models.Model) -> dict[str, object]:
    return {name: value for name, value in vars(row).items() if name != "_state"}


def test_a_model_and_those_it_brings_along_are_as_the_queryset_reads_them(
    batch: Assignment,
) -> None:
    found = WHOLE.first(public_id=batch.public_id)
    assert found is not None
    queries = Assignment.objects.select_related(
        "round", "participation__study", "participation__worker"
    )
    usual = queries.defer("participation__study__imported").get(pk=batch.pk)
    with CaptureQueriesContext(connection) as asked:
        assert columns(found) == columns(usual)
        assert columns(found.round) == columns(usual.round)
        assert columns(found.participation.study) == columns(usual.participation.study)
        assert columns(found.participation.worker) == columns(usual.participation.worker)
    assert len(asked) == 0
    assert found.participation.study.imported == batch.participation.study.imported


def test_what_is_annotated_and_rows_of_values_are_as_the_queryset_reads_them(
    batch: Assignment,
) -> None:
    key = step_at(batch).question_id
    text = Prepared(lambda: Question.objects.with_text().filter(pk=Given("key")))
    found = text.first(key=key)
    assert found is not None
    assert found.payload_text == Question.objects.with_text().get(pk=key).payload_text
    wanted = ("position", "unit__key", "assignment__lease_until")
    places = Prepared(
        lambda: batch.assignment_units.filter(position__lte=Given("last")).values_list(*wanted)
    )
    for last in (0, 1, 3):
        usual = batch.assignment_units.filter(position__lte=last).values_list(*wanted)
        assert places.all(last=last) == list(usual)


def test_a_second_time_finds_what_is_true_then(batch: Assignment) -> None:
    later = timezone.now() + timedelta(hours=5)
    for until in (batch.lease_until, later):
        Assignment.objects.update(lease_until=until)
        found = WHOLE.first(public_id=batch.public_id)
        assert found is not None
        assert found.lease_until == until
    assert WHOLE.first(public_id="nobody's") is None


@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_within_a_transaction_only() -> None:
    batch = lease(newcomer(make_study()))
    with transaction.atomic():
        assert LOCKED.first(key=batch.pk) == batch
    if connection.features.has_select_for_update:
        with pytest.raises(TransactionManagementError):
            LOCKED.first(key=batch.pk)


def given(batch: Assignment, **other: object) -> dict[str, object]:
    return {
        "assignment_id": batch.pk,
        "question_id": step_at(batch).question_id,
        "posted": {"sentences": ["0"]},
        "complete": True,
        "revision": 3,
        "first_shown_at": timezone.now(),
        "saved_at": None,
        "active_seconds": 1.5,
        "frozen_at": None,
    } | other


def test_a_row_is_inserted_unless_it_is_there(batch: Assignment) -> None:
    first = given(batch)
    key = INSERT.run(**first)
    assert INSERT.run(**given(batch, revision=4)) is None
    draft = batch.drafts.get()
    assert draft.pk == key
    assert {name: getattr(draft, name) for name in first} == first


def test_an_update_stores_each_value_as_its_field_does(batch: Assignment) -> None:
    INSERT.run(**given(batch))
    update = PreparedUpdate(lambda: Draft.objects.filter(pk=Given("key")), *FIELDS)
    now = timezone.now()
    values = {"posted": {"none": ["on"]}, "complete": False, "saved_at": now, "active_seconds": 2.0}
    draft = batch.drafts.get()
    assert update.run(key=draft.pk, **values) == 1
    assert update.run(key=draft.pk + 1, **values) == 0
    draft.refresh_from_db()
    assert {name: getattr(draft, name) for name in FIELDS} == values
    assert draft.revision == 3


postgres_only = pytest.mark.skipif(
    "__import__('django').db.connection.vendor != 'postgresql'", reason="PostgreSQL plans at length"
)


def planned() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements")
        return int(cursor.fetchone()[0])


@postgres_only
@pytest.mark.django_db(transaction=True)
def test_the_server_keeps_the_plan_unless_connections_are_shared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batch = lease(newcomer(make_study()))
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
    assert WHOLE.first(public_id=batch.public_id) == batch
    assert planned() == 0
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", False)
    for _ in range(2):
        assert WHOLE.first(public_id=batch.public_id) == batch
    assert planned() == 1


@postgres_only
@pytest.mark.django_db(transaction=True)
def test_a_connection_that_has_died_meanwhile_is_replaced() -> None:
    batch = lease(newcomer(make_study()))
    ours: Any = connection
    ours.ensure_connection()
    ours.connection.close()
    ours.health_check_enabled, ours.health_check_done = True, False
    assert WHOLE.first(public_id=batch.public_id) == batch
