"""Whoever takes a worker's answers back locks all their batches before any place, and whoever
changes a study its places before the study.

Were a place taken first, somebody who excludes one of those batches at the same moment would
wait for the place, and the other for the batch. On PostgreSQL alone: SQLite lets one
transaction write at a time.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation.models import Assignment, Participation, Place, Study, Unit
from annotation.queries.studies import hold_state
from annotation.rights.withdrawal import erase_now
from annotation.work.drafts import save_over, show_question
from annotation.work.leases import lock_assignment
from annotation.work.qualification import remove_worker
from annotation.work.submission import submit
from imports.studies.update import apply_study
from tests.annotation.workers import answer_all, lease, newcomer, step_at
from tests.cast import add_unit, make_study

pytestmark = pytest.mark.django_db(transaction=True)

Act = Callable[[], object]
Ending = Callable[[Participation], bool]
WAITING = """SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'"""


def remove(person: Participation) -> bool:
    return remove_worker(participation=person, reason="answers without reading")


def take_back(person: Participation) -> bool:
    return erase_now(participation=person, now=timezone.now())


class Other(threading.Thread):
    """Somebody who acts on a connection of their own, and what came of it once they have ended."""

    def __init__(self, act: Act) -> None:
        super().__init__()
        self.act, self.outcome = act, list[object]()

    def run(self) -> None:
        try:
            self.outcome.append(self.act())
        except Exception as failure:  # noqa: BLE001 (the test looks at it)
            self.outcome.append(failure)
        finally:
            connection.close()

    def start_and_wait_for_us(self) -> None:
        """Until they stand before a lock that we have taken by now."""
        self.start()
        with connection.cursor() as cursor:
            while self.is_alive():
                # Within a transaction the view would not change by itself.
                cursor.execute("SELECT pg_stat_clear_snapshot(), pg_sleep(0.005)")
                cursor.execute(WAITING)
                if cursor.fetchone()[0]:
                    return
        raise AssertionError(f"they waited for nobody: {self.outcome}")


@contextmanager
def meanwhile(act: Act) -> Iterator[Other]:
    """Somebody who has ended afterwards, whatever fails, if they have begun."""
    other = Other(act)
    try:
        yield other
    finally:
        if other.ident:
            other.join()


@pytest.mark.parametrize("act", [remove, take_back])
def test_ending_a_worker_holds_no_place_while_it_waits_for_a_batch(act: Ending) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL locks rows")
    person = newcomer(make_study(sources=4, per_batch=2))
    done = submit(assignment=answer_all(lease(person)), now=timezone.now())
    opened = lease(person)
    places = Place.objects.filter(assignment_units__assignment=opened)
    with meanwhile(partial(act, person)) as other, transaction.atomic():
        # As the exclusion of many batches does; it goes on to places.
        Assignment.objects.select_for_update(no_key=True).get(pk=done.pk)
        other.start_and_wait_for_us()
        assert len(places.select_for_update(nowait=True)) == 2
    assert other.outcome == [True]
    opened.refresh_from_db()
    assert opened.state == Assignment.State.RETURNED
    assert set(done.annotations.values_list("surplus", flat=True)) == {False}
    assert not done.annotations.filter(excluded_reason="").exists()


STUDY = """slug: small
title: Small
task_type: slider
overlap: {overlap}
rounds: [{{name: main}}]
"""


def test_a_study_whose_overlap_changes_is_not_locked_before_its_places(tmp_path: Path) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL locks rows")
    path = tmp_path / "study.yaml"
    path.write_text(STUDY.format(overlap=2))
    study = apply_study(path=path).study
    place = Place.objects.get(unit=add_unit(study, study.rounds.get(), 0, Unit.Role.NORMAL))
    path.write_text(STUDY.format(overlap=3))
    with meanwhile(partial(apply_study, path=path)) as other, transaction.atomic():
        # As a submission does, which then marks the study as changed.
        Place.objects.filter(pk=place.pk).lock()
        other.start_and_wait_for_us()
        Study.objects.select_for_update(nowait=True).get(pk=study.pk)
        study.touch()
    assert [getattr(one, "changed", one) for one in other.outcome] == [("overlap",)]
    place.refresh_from_db()
    assert place.wanted == 3


def test_a_save_waits_for_a_submission_and_then_stores_nothing() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL locks rows")
    batch = lease(newcomer(make_study()))
    draft = show_question(step=step_at(batch), now=timezone.now())
    draft.posted, draft.saved_at = {"sentences": ["0"]}, timezone.now()
    with meanwhile(partial(save_over, draft, 0)) as other, transaction.atomic():
        lock_assignment(batch)
        other.start_and_wait_for_us()
        batch.state, batch.submitted_at = Assignment.State.SUBMITTED, timezone.now()
        batch.save(update_fields=["state", "submitted_at"])
    assert other.outcome == [False]
    assert batch.drafts.get().posted == {}


def test_a_change_of_the_overlap_does_not_wait_for_who_is_given_a_batch(tmp_path: Path) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL locks rows")
    path = tmp_path / "study.yaml"
    path.write_text(STUDY.format(overlap=2))
    study = apply_study(path=path).study
    add_unit(study, study.rounds.get(), 0, Unit.Role.NORMAL)
    path.write_text(STUDY.format(overlap=3))

    def change() -> object:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '3s'")
        return apply_study(path=path).changed

    other = Other(change)
    with transaction.atomic():
        # As a batch that is being composed does, which then waits for places.
        assert hold_state(study.pk) == ("draft", False)
        other.start()
        other.join()
    assert other.outcome == [("overlap",)]
