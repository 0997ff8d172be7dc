import select
from typing import Any

import pytest
from django.db import connection, models
from django.db.backends.postgresql import base
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Assignment, Participation, Study
from annotation.queries.batches import (
    batch_at,
    open_batch,
    participation_in,
    questions_at,
    rounds_of,
)
from annotation.queries.compiled import Compiled, CompiledQuery, Param, RowReader, ask_together
from tests.annotation.workers import lease, newcomer
from tests.cast import make_study

WHOLE = Compiled(
    lambda: Assignment.objects.filter(public_id=Param("public_id")),
    RowReader(Assignment, without=("comment",)),
    participation=RowReader(Participation),
    participation__study=RowReader(Study, only=("id", "slug", "ethics", "created_at")),
)


@pytest.fixture
def batch(db: None) -> Assignment:
    return lease(newcomer(make_study(sources=4, per_batch=4)))


def columns(row: models.Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_models_and_those_they_refer_to_are_as_the_queryset_reads_them(batch: Assignment) -> None:
    read = WHOLE.first(public_id=batch.public_id)
    assert read is not None
    usual = Assignment.objects.select_related("participation__study").get(pk=batch.pk)
    with CaptureQueriesContext(connection) as queries:
        assert read.participation.study.slug == usual.participation.study.slug
        assert read.participation.study.ethics == usual.participation.study.ethics
        assert columns(read.participation) == columns(usual.participation)
        assert read.lease_until == usual.lease_until
        assert str(read.base_pay) == str(usual.base_pay)
    assert len(queries) == 0


def test_a_column_that_was_left_out_is_read_when_it_is_needed(batch: Assignment) -> None:
    Assignment.objects.update(comment="Long")
    read = WHOLE.first(public_id=batch.public_id)
    assert read is not None
    assert read.comment == "Long"
    assert columns(read) == columns(Assignment.objects.get(pk=batch.pk))


def test_what_is_annotated_becomes_an_attribute_where_its_name_says(batch: Assignment) -> None:
    study = batch.participation.study
    shown, _questions = questions_at(batch.public_id, position=1, alone=False)
    for asked in (batch_at(batch.public_id), shown):
        (read,) = ask_together(asked)
        assert read is not None
        assert str(read.participation.agreed_to).startswith(f"{study.consent_version} ")
    participation = participation_in(study.slug, batch.participation_id)
    assert participation == batch.participation
    assert read is not None
    assert participation.agreed_to == read.participation.agreed_to
    assert columns(participation.worker) == columns(batch.participation.worker)
    assert columns(rounds_of(study.pk)[0]) == columns(study.rounds.get())


def test_a_worker_has_an_open_batch_until_it_is_closed(batch: Assignment) -> None:
    worker = batch.participation_id
    for state in (Assignment.State.ACTIVE, Assignment.State.EXPIRED):
        Assignment.objects.update(state=state)
        opened = open_batch(worker)
        assert opened is not None
        assert columns(opened) == columns(Assignment.objects.get())
        assert columns(opened.participation) == columns(Participation.objects.get())
    assert open_batch(worker + 1) is None
    Assignment.objects.update(state=Assignment.State.RETURNED)
    assert open_batch(worker) is None


def test_rows_of_values_are_as_the_queryset_reads_them(batch: Assignment) -> None:
    wanted = ("position", "unit__key", "assignment__public_id")
    units = batch.assignment_units.order_by("position")
    places = CompiledQuery(lambda: units.filter(position__lte=Param("last")).values_list(*wanted))
    for last in (0, 1, 3):
        assert places.all(last=last) == list(units.filter(position__lte=last).values_list(*wanted))


def test_a_second_time_finds_what_is_true_then(batch: Assignment) -> None:
    for moment in (batch.lease_until, timezone.now()):
        Assignment.objects.update(lease_until=moment)
        read = WHOLE.first(public_id=batch.public_id)
        assert read is not None
        assert read.lease_until == moment
    assert WHOLE.first(public_id="nobody's") is None


@pytest.mark.both_databases
def test_statements_that_are_asked_together_find_what_each_finds_alone(batch: Assignment) -> None:
    units = CompiledQuery(
        lambda: (
            batch.assignment_units.order_by("position")
            .filter(position__lte=Param("last"))
            .values_list("position")
        )
    )
    asked = (
        WHOLE.asked(public_id=batch.public_id),
        units.asked(last=2),
        units.asked(last=0),
        WHOLE.asked(public_id="nobody's"),
        units.asked(lambda rows: [at for (at,) in rows], last=3),
    )
    for _ in range(2):  # PostgreSQL has a plan for the second
        assert ask_together(*asked) == [batch, [(1,), (2,)], [], None, [1, 2, 3]]


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
    assert WHOLE.first(public_id=batch.public_id) == batch
    ours: Any = connection
    ours.connection.close()
    ours.health_check_enabled, ours.health_check_done = True, False
    assert WHOLE.first(public_id=batch.public_id) == batch


@postgres_only
@pytest.mark.django_db(transaction=True)
def test_a_kept_connection_is_asked_whether_it_lives_only_where_the_server_said_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def ask(_connection: base.DatabaseWrapper) -> bool:
        asked.append(1)
        return False

    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", ask)
    ours: Any = connection
    ours.ensure_connection()
    assert ours.is_usable()
    assert not asked
    other: Any = ours.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [ours.connection.info.backend_pid])
    other.close()
    select.select([ours.connection.pgconn.socket], [], [], 10)
    assert not ours.is_usable()
    assert asked
    ours.close()
