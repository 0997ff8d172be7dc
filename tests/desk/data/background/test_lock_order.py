"""A job that ends holds its own row before it locks batches; a withdrawal holds these first."""

import threading

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation.models import Assignment, Study
from annotation.rights.withdrawal import answers_withdrawn
from jobs.models import Job
from tests.annotation.workers import lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db(transaction=True)


def test_erasing_answers_waits_for_no_job_that_ends() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL locks rows")
    study = make_study(sources=4, per_batch=2)
    person, now = newcomer(study), timezone.now()
    batch = lease(person).pk
    job = Job.objects.create(
        study=study, kind="contested", state="running", asked_at=now, alive_at=now
    )
    holds, outcome = threading.Event(), list[str]()

    def end_job() -> None:
        try:
            with transaction.atomic():
                Job.objects.filter(pk=job.pk).update(state="done")
                holds.set()
                outcome.append(str(Assignment.objects.select_for_update().get(pk=batch).pk))
        finally:
            connection.close()

    thread = threading.Thread(target=end_job)
    with transaction.atomic():
        Assignment.objects.select_for_update().get(pk=batch)
        thread.start()
        assert holds.wait(10)
        # PostgreSQL would find the deadlock after a second.
        answers_withdrawn.send(sender=Study, study=study, participation=person)
    thread.join()
    assert outcome == [str(batch)]
